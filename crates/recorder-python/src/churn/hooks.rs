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

use super::filter::may_be_sampled;
use super::learned::Class;
use super::record::{Record, chunk};
use super::sampled::{charged, is_due};
use crate::raw::Address;
use crate::symbols::symbol;

type Block = *mut c_void;

/// `PyMemAllocatorEx`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Allocator {
    context: *mut c_void,
    make: unsafe extern "C" fn(*mut c_void, usize) -> Block,
    make_zeros: unsafe extern "C" fn(*mut c_void, usize, usize) -> Block,
    resize: unsafe extern "C" fn(*mut c_void, Block, usize) -> Block,
    free: unsafe extern "C" fn(*mut c_void, Block),
}

/// The interpreter's numbers of what is allocated with its lock held: memory, and objects.
const MEMORY: usize = 1;
const OBJECTS: usize = 2;

/// The allocators that were there, and the hooks before them, by those numbers. Written before any hook is there.
static mut BEFORE: [MaybeUninit<Allocator>; 3] = [MaybeUninit::uninit(); 3];
static mut HOOKS: [MaybeUninit<Allocator>; 3] = [MaybeUninit::uninit(); 3];

/// The one record of this process; used by who holds the interpreter's lock.
pub static RECORD: AtomicPtr<Record> = AtomicPtr::new(ptr::null_mut());

/// Nothing is recorded any more: something went wrong in a hook.
pub static BROKEN: AtomicBool = AtomicBool::new(false);

/// # Safety
/// Within a hook, or after one was made.
#[inline]
unsafe fn before<const DOMAIN: usize>() -> Allocator {
    // SAFETY: the caller's promise.
    unsafe { BEFORE[DOMAIN].assume_init() }
}

/// # Safety
/// The interpreter's lock is held, which makes this the only reference.
#[inline]
unsafe fn record() -> &'static mut Record {
    // SAFETY: a hook is there after the record alone.
    unsafe { &mut *RECORD.load(Ordering::Relaxed) }
}

const fn usual(domain: usize) -> Class {
    if domain == OBJECTS {
        Class::Object
    } else {
        Class::Unknown
    }
}

/// Records, and stops recording when that fails: the program goes on.
#[inline]
fn guarded(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        BROKEN.store(true, Ordering::Relaxed);
        // SAFETY: as for `record`.
        unsafe { record() }.paused = true;
    }
}

unsafe extern "C" fn exact_make<const DOMAIN: usize>(
    context: *mut c_void,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: the interpreter calls this with its lock, and what it would call the allocator with.
    unsafe {
        let block = (before::<DOMAIN>().make)(context, bytes);
        exact_made::<DOMAIN>(block, bytes, from);
        block
    }
}

unsafe extern "C" fn exact_make_zeros<const DOMAIN: usize>(
    context: *mut c_void,
    count: usize,
    each: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        let block = (before::<DOMAIN>().make_zeros)(context, count, each);
        exact_made::<DOMAIN>(block, count.wrapping_mul(each), from);
        block
    }
}

#[inline]
unsafe fn exact_made<const DOMAIN: usize>(block: Block, bytes: usize, from: Address) {
    if !block.is_null() {
        guarded(|| {
            // SAFETY: as above.
            unsafe {
                let record = record();
                let is_large = record.charges.is_large(bytes);
                record.made(block as Address, is_large, bytes, from, usual(DOMAIN));
            }
        });
    }
}

unsafe extern "C" fn exact_resize<const DOMAIN: usize>(
    context: *mut c_void,
    block: Block,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        if block.is_null() {
            return exact_make::<DOMAIN>(context, bytes, from);
        }
        let mut weighed = None;
        guarded(|| weighed = record().may_move(block as Address));
        let moved = (before::<DOMAIN>().resize)(context, block, bytes);
        // One that stays where it is has the size it grew to when it dies.
        if moved != block && !moved.is_null() {
            guarded(|| {
                let record = record();
                // A block of the C library's stays one, however small it becomes.
                let is_large =
                    record.charges.is_large(bytes) || weighed.is_some_and(|weighed| weighed.is_large);
                if let Some(weighed) = weighed {
                    record.moves(block as Address, weighed);
                }
                record.made(moved as Address, is_large, bytes, from, usual(DOMAIN));
            });
        }
        moved
    }
}

unsafe extern "C" fn exact_free<const DOMAIN: usize>(context: *mut c_void, block: Block) {
    // SAFETY: as above.
    unsafe {
        if !block.is_null() {
            guarded(|| record().dies(block as Address));
        }
        (before::<DOMAIN>().free)(context, block);
    }
}

unsafe extern "C" fn sampled_make<const DOMAIN: usize>(
    context: *mut c_void,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        if is_due(charged(bytes)) {
            let block = (before::<DOMAIN>().make)(context, bytes);
            return sampled_made::<DOMAIN>(block, bytes, from);
        }
        (before::<DOMAIN>().make)(context, bytes)
    }
}

unsafe extern "C" fn sampled_make_zeros<const DOMAIN: usize>(
    context: *mut c_void,
    count: usize,
    each: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        let bytes = count.wrapping_mul(each);
        if is_due(charged(bytes)) {
            let block = (before::<DOMAIN>().make_zeros)(context, count, each);
            return sampled_made::<DOMAIN>(block, bytes, from);
        }
        (before::<DOMAIN>().make_zeros)(context, count, each)
    }
}

#[cold]
unsafe fn sampled_made<const DOMAIN: usize>(block: Block, bytes: usize, from: Address) -> Block {
    if !block.is_null() {
        guarded(|| {
            // SAFETY: as above.
            unsafe { record().sample(block as Address, charged(bytes), from, usual(DOMAIN)) };
        });
    }
    block
}

unsafe extern "C" fn sampled_resize<const DOMAIN: usize>(
    context: *mut c_void,
    block: Block,
    bytes: usize,
    from: Address,
) -> Block {
    // SAFETY: as above.
    unsafe {
        if block.is_null() {
            return sampled_make::<DOMAIN>(context, bytes, from);
        }
        // Other allocators do not tell how much a block grew in place.
        let tells = record().charges.usable.is_none() && record().charges.is_large(bytes);
        let had = if tells { chunk(block as Address) } else { 0 };
        let mut weighed = None;
        if may_be_sampled(block as Address) {
            guarded(|| weighed = record().sampled_may_move(block as Address));
        }
        let moved = (before::<DOMAIN>().resize)(context, block, bytes);
        if moved.is_null() {
            return moved;
        }
        if moved != block {
            if let Some(weighed) = weighed {
                guarded(|| record().sampled_moves(block as Address, weighed));
            }
            return if is_due(charged(bytes)) {
                sampled_made::<DOMAIN>(moved, bytes, from)
            } else {
                moved
            };
        }
        // A block of a pool does not grow to such a size in place: what was there before it was a size.
        let grown = if tells {
            chunk(moved as Address).saturating_sub(had)
        } else {
            0
        };
        if grown > 0 && is_due(grown) {
            guarded(|| record().sample(moved as Address, grown, from, usual(DOMAIN)));
        }
        moved
    }
}

unsafe extern "C" fn sampled_free<const DOMAIN: usize>(context: *mut c_void, block: Block) {
    // SAFETY: as above.
    unsafe {
        if may_be_sampled(block as Address) {
            guarded(|| {
                if let Some(weighed) = record().sampled_may_move(block as Address) {
                    record().sampled_moves(block as Address, weighed);
                }
            });
        }
        (before::<DOMAIN>().free)(context, block);
    }
}

/// Defines a hook that hands on where its caller goes on, as one argument more: the third, or the fourth.
macro_rules! hands_on {
    ($name:ident, third, ($($argument:ident: $type:ty),*), $to:ident) => {
        hands_on!($name, ($($argument: $type),*), $to, "mov rdx, [rsp]", "mov x2, x30");
    };
    ($name:ident, fourth, ($($argument:ident: $type:ty),*), $to:ident) => {
        hands_on!($name, ($($argument: $type),*), $to, "mov rcx, [rsp]", "mov x3, x30");
    };
    ($name:ident, ($($argument:ident: $type:ty),*), $to:ident, $x86:literal, $arm:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        unsafe extern "C" fn $name<const DOMAIN: usize>($($argument: $type),*) -> Block {
            naked_asm!($x86, "jmp {}", sym $to::<DOMAIN>)
        }
        #[cfg(target_arch = "aarch64")]
        #[unsafe(naked)]
        unsafe extern "C" fn $name<const DOMAIN: usize>($($argument: $type),*) -> Block {
            naked_asm!($arm, "b {}", sym $to::<DOMAIN>)
        }
    };
}

hands_on!(exact_make_from, third, (_context: *mut c_void, _bytes: usize), exact_make);
hands_on!(exact_make_zeros_from, fourth, (_context: *mut c_void, _count: usize, _each: usize), exact_make_zeros);
hands_on!(exact_resize_from, fourth, (_context: *mut c_void, _block: Block, _bytes: usize), exact_resize);
hands_on!(sampled_make_from, third, (_context: *mut c_void, _bytes: usize), sampled_make);
hands_on!(sampled_make_zeros_from, fourth, (_context: *mut c_void, _count: usize, _each: usize), sampled_make_zeros);
hands_on!(sampled_resize_from, fourth, (_context: *mut c_void, _block: Block, _bytes: usize), sampled_resize);

fn hooks<const DOMAIN: usize>(context: *mut c_void, is_sampled: bool) -> Allocator {
    if is_sampled {
        Allocator {
            context,
            make: sampled_make_from::<DOMAIN>,
            make_zeros: sampled_make_zeros_from::<DOMAIN>,
            resize: sampled_resize_from::<DOMAIN>,
            free: sampled_free::<DOMAIN>,
        }
    } else {
        Allocator {
            context,
            make: exact_make_from::<DOMAIN>,
            make_zeros: exact_make_zeros_from::<DOMAIN>,
            resize: exact_resize_from::<DOMAIN>,
            free: exact_free::<DOMAIN>,
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
            for domain in [MEMORY, OBJECTS] {
                (self.get)(domain as c_int, BEFORE[domain].as_mut_ptr());
                let context = BEFORE[domain].assume_init().context;
                HOOKS[domain].write(if domain == MEMORY {
                    hooks::<MEMORY>(context, is_sampled)
                } else {
                    hooks::<OBJECTS>(context, is_sampled)
                });
                (self.set)(domain as c_int, HOOKS[domain].as_ptr());
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
            for domain in [MEMORY, OBJECTS] {
                let mut now = MaybeUninit::uninit();
                (self.get)(domain as c_int, now.as_mut_ptr());
                if ptr::fn_addr_eq(now.assume_init().free, HOOKS[domain].assume_init().free) {
                    (self.set)(domain as c_int, BEFORE[domain].as_ptr());
                }
            }
        }
    }
}
