//! What stands before the interpreter's allocators.
//!
//! The allocators that were there do the work, with their own contexts. Where a call returns to in the interpreter's code
//! tells what it makes (`learned`): a few instructions before each function hand that on.

use std::arch::naked_asm;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::learned::Class;
use super::record::Record;
use super::{countdown, exact};
use crate::symbols::symbol;

/// A block, or null.
pub type Block = *mut c_void;

/// `PyMemAllocatorEx`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Allocator {
    context: *mut c_void,
    pub make: unsafe extern "C" fn(*mut c_void, usize) -> Block,
    pub make_zeros: unsafe extern "C" fn(*mut c_void, usize, usize) -> Block,
    pub resize: unsafe extern "C" fn(*mut c_void, Block, usize) -> Block,
    pub free: unsafe extern "C" fn(*mut c_void, Block),
}

/// The interpreter's numbers of what is allocated with its lock held: memory, and objects.
const MEMORY: usize = 1;
const OBJECTS: usize = 2;
const DOMAINS: [(usize, c_int); 2] = [(MEMORY, 1), (OBJECTS, 2)];

/// The allocators that were there, and the hooks before them, by those numbers. Written before any hook is there.
static mut BEFORE: [MaybeUninit<Allocator>; 3] = [MaybeUninit::uninit(); 3];
static mut HOOKS: [MaybeUninit<Allocator>; 3] = [MaybeUninit::uninit(); 3];

/// The one record of this process; used by who holds the interpreter's lock.
pub static RECORD: AtomicPtr<Record> = AtomicPtr::new(ptr::null_mut());

/// Nothing is recorded any more: something went wrong in a hook.
pub static BROKEN: AtomicBool = AtomicBool::new(false);

/// The allocator that was there.
///
/// # Safety
/// Within a hook, or after one was made.
#[inline]
pub unsafe fn before<const DOMAIN: usize>() -> Allocator {
    // SAFETY: the caller's promise.
    unsafe { BEFORE[DOMAIN].assume_init() }
}

/// The record.
///
/// # Safety
/// The interpreter's lock is held, which makes this the only reference.
#[inline]
pub unsafe fn record() -> &'static mut Record {
    // SAFETY: a hook is there after the record alone.
    unsafe { &mut *RECORD.load(Ordering::Relaxed) }
}

/// What blocks of a domain are, where nothing was learned of the call.
pub const fn usual(domain: usize) -> Class {
    if domain == OBJECTS {
        Class::Object
    } else {
        Class::Unknown
    }
}

/// Records, and stops recording when that fails: the program goes on.
#[inline]
pub fn guarded(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        BROKEN.store(true, Ordering::Relaxed);
        // SAFETY: as for `record`.
        unsafe { record() }.paused = true;
    }
}

/// Defines a hook that hands on where its caller goes on, as one argument more: the third, or the fourth.
macro_rules! hands_on {
    ($name:ident, third, ($($argument:ident: $type:ty),*), $module:ident::$to:ident) => {
        hands_on!($name, ($($argument: $type),*), $module::$to, "mov rdx, [rsp]", "mov x2, x30");
    };
    ($name:ident, fourth, ($($argument:ident: $type:ty),*), $module:ident::$to:ident) => {
        hands_on!($name, ($($argument: $type),*), $module::$to, "mov rcx, [rsp]", "mov x3, x30");
    };
    ($name:ident, ($($argument:ident: $type:ty),*), $module:ident::$to:ident, $x86:literal, $arm:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        unsafe extern "C" fn $name<const DOMAIN: usize>($($argument: $type),*) -> Block {
            naked_asm!($x86, "jmp {}", sym $module::$to::<DOMAIN>)
        }
        #[cfg(target_arch = "aarch64")]
        #[unsafe(naked)]
        unsafe extern "C" fn $name<const DOMAIN: usize>($($argument: $type),*) -> Block {
            naked_asm!($arm, "b {}", sym $module::$to::<DOMAIN>)
        }
    };
}

hands_on!(exact_make_from, third, (_context: *mut c_void, _bytes: usize), exact::make);
hands_on!(exact_make_zeros_from, fourth, (_context: *mut c_void, _count: usize, _each: usize), exact::make_zeros);
hands_on!(exact_resize_from, fourth, (_context: *mut c_void, _block: Block, _bytes: usize), exact::resize);
hands_on!(sampled_make_from, third, (_context: *mut c_void, _bytes: usize), countdown::make);
hands_on!(sampled_make_zeros_from, fourth, (_context: *mut c_void, _count: usize, _each: usize), countdown::make_zeros);
hands_on!(sampled_resize_from, fourth, (_context: *mut c_void, _block: Block, _bytes: usize), countdown::resize);

fn hooks<const DOMAIN: usize>(context: *mut c_void, is_sampled: bool) -> Allocator {
    if is_sampled {
        Allocator {
            context,
            make: sampled_make_from::<DOMAIN>,
            make_zeros: sampled_make_zeros_from::<DOMAIN>,
            resize: sampled_resize_from::<DOMAIN>,
            free: countdown::free::<DOMAIN>,
        }
    } else {
        Allocator {
            context,
            make: exact_make_from::<DOMAIN>,
            make_zeros: exact_make_zeros_from::<DOMAIN>,
            resize: exact_resize_from::<DOMAIN>,
            free: exact::free::<DOMAIN>,
        }
    }
}

/// `PyMem_GetAllocator` and `PyMem_SetAllocator`.
#[derive(Clone, Copy)]
pub struct Exchange {
    get: unsafe extern "C" fn(c_int, *mut Allocator),
    set: unsafe extern "C" fn(c_int, *const Allocator),
}

impl Exchange {
    pub fn find() -> Option<Self> {
        let (get, set) = (symbol(c"PyMem_GetAllocator")?, symbol(c"PyMem_SetAllocator")?);
        // SAFETY: the functions have these types.
        unsafe {
            Some(Self {
                get: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut Allocator)>(get),
                set: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *const Allocator)>(set),
            })
        }
    }

    /// Puts the hooks before the allocators that are there.
    ///
    /// # Safety
    /// The interpreter's lock is held, [`RECORD`] is set, and there are no hooks yet.
    pub unsafe fn install(self, is_sampled: bool) {
        // SAFETY: the caller's promise; the interpreter fills in what there is room for.
        unsafe {
            for (domain, number) in DOMAINS {
                (self.get)(number, BEFORE[domain].as_mut_ptr());
                let context = BEFORE[domain].assume_init().context;
                HOOKS[domain].write(if domain == MEMORY {
                    hooks::<MEMORY>(context, is_sampled)
                } else {
                    hooks::<OBJECTS>(context, is_sampled)
                });
                (self.set)(number, HOOKS[domain].as_ptr());
            }
        }
    }

    /// Takes the hooks away, but where others have been put before them.
    ///
    /// # Safety
    /// The interpreter's lock is held, and the hooks were installed.
    pub unsafe fn remove(self) {
        // SAFETY: as above.
        unsafe {
            for (domain, number) in DOMAINS {
                let mut now = MaybeUninit::uninit();
                (self.get)(number, now.as_mut_ptr());
                if ptr::fn_addr_eq(now.assume_init().free, HOOKS[domain].assume_init().free) {
                    (self.set)(number, BEFORE[domain].as_ptr());
                }
            }
        }
    }
}
