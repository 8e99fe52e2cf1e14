//! What of the interpreter is called, found by name in the process.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute_copy;
use std::ptr;

use crate::ticks::{Job, Jobs};

/// A reference as the interpreter has it: an address, or a small value.
pub type Value = usize;

/// The event of a thread that begins, in that thread (`RUBY_EVENT_THREAD_BEGIN`).
pub const THREAD_BEGIN: u32 = 0x400;
/// The event of an object that was made (`RUBY_INTERNAL_EVENT_NEWOBJ`).
pub const NEWOBJ: u32 = 0x10_0000;
/// The event of an object that is about to be freed (`RUBY_INTERNAL_EVENT_FREEOBJ`).
pub const FREEOBJ: u32 = 0x20_0000;
/// The hook is called with the event itself, whatever the thread is about to do.
pub const SAFE_AND_RAW: c_int = 1 | 4;

pub type Hook = unsafe extern "C" fn(Value, *mut c_void);

/// Functions of the interpreter. None of those used within an event makes an object.
pub struct Interpreter {
    pub add_hook: unsafe extern "C" fn(Hook, u32, Value, c_int),
    pub remove_hook: unsafe extern "C" fn(Hook) -> c_int,
    /// What the collector counts under that symbol.
    pub count: unsafe extern "C" fn(Value) -> usize,
    pub object: unsafe extern "C" fn(*mut c_void) -> Value,
    pub receiver: unsafe extern "C" fn(*mut c_void) -> Value,
    pub frames: unsafe extern "C" fn(c_int, c_int, *mut Value, *mut c_int) -> c_int,
    pub path: unsafe extern "C" fn(Value) -> Value,
    /// As `block in short?`; nil for a built-in method.
    pub label: unsafe extern "C" fn(Value) -> Value,
    /// The method's name, of built-in ones too.
    pub method: unsafe extern "C" fn(Value) -> Value,
    pub memsize: unsafe extern "C" fn(Value) -> usize,
    /// The class without singletons and included modules before it.
    pub real_class: unsafe extern "C" fn(Value) -> Value,
    /// The name, or nil for a class without one: the variant that would make a name is not safe here.
    pub name: unsafe extern "C" fn(Value) -> Value,
    /// Whether all objects have slots of one size, as in Ruby 3.1: then not every string needs to be asked for its bytes.
    pub has_equal_slots: bool,
    bytes: unsafe extern "C" fn(*mut Value) -> *const c_char,
    pub nil: Value,
}

impl Interpreter {
    /// # Safety
    /// Within a Ruby process of version 3.1 or later, whose functions have these types.
    pub unsafe fn find(nil: Value, has_equal_slots: bool) -> Option<Self> {
        // SAFETY: the types are those of ruby/debug.h and the interpreter's sources.
        unsafe {
            Some(Self {
                add_hook: function(c"rb_add_event_hook2")?,
                remove_hook: function(c"rb_remove_event_hook")?,
                count: function(c"rb_gc_stat")?,
                object: function(c"rb_tracearg_object")?,
                receiver: function(c"rb_tracearg_self")?,
                frames: function(c"rb_profile_frames")?,
                path: function(c"rb_profile_frame_path")?,
                label: function(c"rb_profile_frame_label")?,
                method: function(c"rb_profile_frame_method_name")?,
                memsize: function(c"rb_obj_memsize_of")?,
                real_class: function(c"rb_class_real")?,
                name: function(c"rb_mod_name")?,
                bytes: function(c"rb_string_value_ptr")?,
                has_equal_slots,
                nil,
            })
        }
    }

    /// The characters of a string, or nothing for what is none.
    ///
    /// # Safety
    /// The value is a string or not an address.
    pub unsafe fn text(&self, mut value: Value) -> String {
        if value == self.nil || !is_address(value) {
            return String::new();
        }
        // SAFETY: a string ends with a zero byte, which this function sees to.
        unsafe {
            CStr::from_ptr((self.bytes)(&raw mut value))
                .to_string_lossy()
                .into_owned()
        }
    }
}

/// Whether it is the address of an object, not a number, symbol or constant.
pub fn is_address(value: Value) -> bool {
    value.is_multiple_of(8) && value > 4096
}

/// What a job needs, where this interpreter has it.
///
/// # Safety
/// As for [`Interpreter::find`].
pub unsafe fn jobs(job: Job) -> Option<Jobs> {
    // SAFETY: the types are those of ruby/debug.h and ruby/thread.h.
    unsafe {
        Some(Jobs {
            is_ruby: function(c"ruby_native_thread_p")?,
            has_lock: function(c"ruby_thread_has_gvl_p")?,
            leave: function(c"rb_postponed_job_register_one")?,
            job,
        })
    }
}

unsafe fn function<T>(name: &CStr) -> Option<T> {
    // SAFETY: the default handle finds the interpreter in the program as well as in a library of it; a function pointer
    // has the size of an address.
    unsafe {
        let found = libc::dlsym(ptr::null_mut(), name.as_ptr());
        (!found.is_null()).then(|| transmute_copy::<*mut c_void, T>(&found))
    }
}
