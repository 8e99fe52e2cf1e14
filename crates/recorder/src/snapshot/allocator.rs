//! Who provides `malloc`, and what it says of itself.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::operators::object_of;
use crate::real;

/// What was found at the start.
#[derive(Debug)]
pub struct Identity {
    /// `glibc`, `jemalloc`, `tcmalloc`, `mimalloc`, or `unknown`.
    pub name: &'static str,
    /// As the allocator says.
    pub version: Vec<u8>,
    /// The object it comes from.
    pub path: Vec<u8>,
    /// Version of the C library.
    pub libc: Vec<u8>,
    /// False when the program brings a `malloc` that comes before this library's: its blocks are not visible.
    pub interposed: bool,
    mallinfo2: Option<unsafe extern "C" fn() -> [usize; 10]>,
}

static IDENTITY: OnceLock<Identity> = OnceLock::new();

/// What was found at the start.
pub fn get() -> Option<&'static Identity> {
    IDENTITY.get()
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a lookup by name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

fn text(start: *const c_char) -> Vec<u8> {
    if start.is_null() {
        return Vec::new();
    }
    // SAFETY: the functions asked below give strings that end with zero.
    unsafe { CStr::from_ptr(start) }.to_bytes().to_vec()
}

/// Whether the object that holds an address only refers to the symbol there, and another one defines it.
fn is_undefined(address: *mut c_void) -> bool {
    /// `RTLD_DL_SYMENT`: the symbol itself is asked for.
    const SYMBOL: c_int = 1;
    // SAFETY: all zeros are a valid value of this structure of pointers.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    let mut symbol: *mut c_void = ptr::null_mut();
    // SAFETY: the places are valid; with this flag the linker writes a pointer to a symbol that stays.
    let found = unsafe { libc::dladdr1(address, &raw mut info, &raw mut symbol, SYMBOL) };
    if found == 0 || symbol.is_null() {
        return false;
    }
    // SAFETY: the linker gave the address of a symbol of a loaded object.
    unsafe { (*symbol.cast::<libc::Elf64_Sym>()).st_shndx == 0 }
}

/// Finds out. At the start, because symbols cannot be looked up in a clone.
pub fn identify() {
    IDENTITY.get_or_init(|| {
        let malloc = real::malloc::PLACE.load(Relaxed);
        let path = object_of(malloc)
            .map(|(path, _)| path.to_bytes().to_vec())
            .unwrap_or_default();
        let file = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let names = |part: &[u8]| file.windows(part.len()).any(|window| window == part);
        let libc = symbol(c"gnu_get_libc_version").map_or(Vec::new(), |function| {
            // SAFETY: the C library's function with its documented signature.
            text(unsafe { transmute::<*mut c_void, unsafe extern "C" fn() -> *const c_char>(function)() })
        });
        let (name, version) = if names(b"jemalloc") {
            ("jemalloc", jemalloc_version())
        } else if names(b"tcmalloc") {
            ("tcmalloc", tcmalloc_version())
        } else if names(b"mimalloc") {
            ("mimalloc", mimalloc_version())
        } else if file.starts_with(b"libc.so") || file.starts_with(b"libc-2") {
            ("glibc", libc.clone())
        } else {
            ("unknown", Vec::new())
        };
        let ours = object_of(identify as fn() as *const c_void).map(|(_, base)| base);
        let malloc = symbol(c"malloc");
        let first = malloc.and_then(|malloc| object_of(malloc)).map(|(_, base)| base);
        // A program at a fixed address that takes the address of malloc gets one of its own, that of its jump to ours.
        let is_jump = malloc.is_some_and(is_undefined);
        Identity {
            name,
            version,
            path,
            libc,
            interposed: ours == first || is_jump,
            // SAFETY: the C library's function; ten sizes in a structure are returned as an array of them is.
            mallinfo2: symbol(c"mallinfo2")
                .filter(|_| name == "glibc")
                .map(|function| unsafe {
                    transmute::<*mut c_void, unsafe extern "C" fn() -> [usize; 10]>(function)
                }),
        }
    });
}

fn jemalloc_version() -> Vec<u8> {
    type Control = unsafe extern "C" fn(*const c_char, *mut c_void, *mut usize, *mut c_void, usize) -> c_int;
    symbol(c"mallctl").map_or(Vec::new(), |function| {
        let mut version: *const c_char = ptr::null();
        let mut len = size_of::<*const c_char>();
        // SAFETY: jemalloc's function with its documented signature and valid places.
        unsafe {
            let control = transmute::<*mut c_void, Control>(function);
            control(
                c"version".as_ptr(),
                (&raw mut version).cast(),
                &raw mut len,
                ptr::null_mut(),
                0,
            );
        }
        text(version)
    })
}

fn tcmalloc_version() -> Vec<u8> {
    type Version = unsafe extern "C" fn(*mut c_int, *mut c_int, *mut *const c_char) -> *const c_char;
    symbol(c"tc_version").map_or(Vec::new(), |function| {
        let (mut major, mut minor, mut patch) = (0, 0, ptr::null());
        // SAFETY: tcmalloc's function with its documented signature and valid places.
        text(unsafe {
            transmute::<*mut c_void, Version>(function)(&raw mut major, &raw mut minor, &raw mut patch)
        })
    })
}

fn mimalloc_version() -> Vec<u8> {
    symbol(c"mi_version").map_or(Vec::new(), |function| {
        // SAFETY: mimalloc's function with its documented signature.
        let version = unsafe { transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(function)() };
        format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10).into_bytes()
    })
}

/// What `mallinfo2` says, by name.
///
/// It takes the allocator's locks, which a thread that is not in the clone may hold for ever. So a clone of the clone
/// asks, and is ended when it does not answer.
pub fn totals() -> Option<[(&'static str, u64); 6]> {
    let mallinfo2 = get()?.mallinfo2?;
    let page = super::shared_page()?;
    // SAFETY: the page is large enough, zeroed, and stays.
    let places = unsafe { &*page.cast::<[AtomicU64; 11]>() };
    let asker = super::clone_process();
    if asker == 0 {
        // SAFETY: the C library's function; this process has nothing else to do.
        let answer = unsafe { mallinfo2() };
        for (place, value) in places.iter().zip(answer) {
            place.store(value as u64, Relaxed);
        }
        places[10].store(1, Release);
        // SAFETY: ends the asker.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    }
    let asker = i32::try_from(asker).ok().filter(|asker| *asker > 0)?;
    let answered = (0..500).any(|_| {
        // SAFETY: a plain sleep.
        unsafe { libc::usleep(1000) };
        super::wait(asker, libc::WNOHANG).is_some()
    });
    if !answered {
        // SAFETY: a child of this clone that has not been waited for, so that the id is still its own.
        unsafe { libc::kill(asker, libc::SIGKILL) };
    }
    let get = |at: usize| places[at].load(Relaxed);
    (places[10].load(Acquire) == 1).then(|| {
        [
            ("glibc_arena_bytes", get(0)),
            ("glibc_mapped_blocks", get(3)),
            ("glibc_mapped_bytes", get(4)),
            ("glibc_used_bytes", get(7)),
            ("glibc_free_bytes", get(8)),
            ("glibc_releasable_bytes", get(9)),
        ]
    })
}
