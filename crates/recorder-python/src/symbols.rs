//! The interpreter's types and functions, by their names.

use std::ffi::{CStr, c_char, c_void};

use crate::blocks::Usable;
use crate::raw::Address;
use crate::sort::{EXPORTED, Sort, Variant};

/// What is asked of the interpreter. All of it has been part of its interface since 3.9, but the last.
#[derive(Clone, Copy)]
pub struct Symbols {
    pub new_list: unsafe extern "C" fn(isize) -> Address,
    pub release: unsafe extern "C" fn(Address),
    pub modules: unsafe extern "C" fn() -> Address,
    pub state: unsafe extern "C" fn() -> Address,
    pub interpreter: unsafe extern "C" fn(Address) -> Address,
    pub first_state: unsafe extern "C" fn(Address) -> Address,
    pub next_state: unsafe extern "C" fn(Address) -> Address,
    pub type_dictionary: Option<unsafe extern "C" fn(Address) -> Address>,
    /// Of an allocator other than glibc's.
    pub usable: Option<Usable>,
}

/// The address of a name.
pub fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a look-up by name.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

macro_rules! function {
    ($name:literal) => {
        // SAFETY: the function of that name has the type of the field.
        unsafe { std::mem::transmute::<*mut c_void, _>(symbol($name).ok_or($name)?) }
    };
}

impl Symbols {
    /// All of them, or the name of the first that is missing.
    #[allow(clippy::missing_transmute_annotations, reason = "the fields have the types")]
    pub fn find() -> Result<Self, &'static CStr> {
        Ok(Self {
            new_list: function!(c"PyList_New"),
            release: function!(c"Py_DecRef"),
            modules: function!(c"PyImport_GetModuleDict"),
            state: function!(c"PyThreadState_Get"),
            interpreter: function!(c"PyThreadState_GetInterpreter"),
            first_state: function!(c"PyInterpreterState_ThreadHead"),
            next_state: function!(c"PyThreadState_Next"),
            type_dictionary: symbol(c"PyType_GetDict")
                // SAFETY: as above.
                .map(|found| unsafe { std::mem::transmute::<*mut c_void, _>(found) }),
            usable: symbol(c"malloc_usable_size")
                .filter(|_| !is_glibc())
                // SAFETY: as above.
                .map(|found| unsafe { std::mem::transmute::<*mut c_void, Usable>(found) }),
        })
    }

    /// The addresses of the types that have a sort of their own.
    pub fn types() -> Result<Vec<(Address, Sort, Variant)>, &'static CStr> {
        let address = |(name, sort, variant): (&'static CStr, Sort, Variant)| {
            symbol(name).map(|at| (at as Address, sort, variant)).ok_or(name)
        };
        EXPORTED.into_iter().map(address).collect()
    }
}

/// Which version of 3 this is, by what the interpreter says of itself.
pub fn minor() -> Option<u8> {
    let version = symbol(c"Py_GetVersion")?;
    // SAFETY: the function gives a text that stays.
    let text = unsafe {
        let version = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const c_char>(version);
        CStr::from_ptr(version())
    };
    let mut parts = text.to_str().ok()?.split(['.', ' ', '+']);
    (parts.next()? == "3").then_some(())?;
    parts.next()?.parse().ok()
}

/// Whether the allocator is that of glibc: every other one says itself what can be used of its blocks. The address of
/// `malloc` may be one of the program's own, that of its jump to it.
fn is_glibc() -> bool {
    let Some(usable) = symbol(c"malloc_usable_size").filter(|_| symbol(c"gnu_get_libc_version").is_some())
    else {
        return false;
    };
    // SAFETY: all zeros are a valid value of this structure of pointers.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the place is there; the linker writes a text that stays.
    unsafe {
        libc::dladdr(usable, &raw mut info) != 0
            && !info.dli_fname.is_null()
            && CStr::from_ptr(info.dli_fname)
                .to_bytes()
                .rsplit(|&byte| byte == b'/')
                .next()
                .is_some_and(|name| name.starts_with(b"libc.so") || name.starts_with(b"libc-2"))
    }
}
