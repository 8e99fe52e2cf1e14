//! The functions of the machine's tool interface that are called. The interface is a table; `jvmti.h` gives each function's
//! place in it, which no version changes.

use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr;

use jni_sys::{JNIEnv, JavaVM, jclass, jint, jlong, jmethodID, jobject};

/// Version 11 of the interface, the first that samples.
const VERSION: jint = 0x300B_0000;

/// The bits of `can_tag_objects`, `can_get_source_file_name`, `can_get_line_numbers` and
/// `can_generate_sampled_object_alloc_events` in the capabilities.
const CAPABILITIES: [u32; 4] = [0, 11, 12, 43];

const ENABLE: c_int = 1;
const SAMPLED_OBJECT_ALLOC: c_int = 86;
const THREAD_START: c_int = 52;
/// Of the first event in the table of callbacks.
const FIRST_EVENT: usize = 50;
const CALLBACKS: usize = SAMPLED_OBJECT_ALLOC as usize - FIRST_EVENT + 1;
/// Leaves out objects without a tag.
const TAGGED_ONLY: jint = 0x8;
const VISIT_OBJECTS: jint = 0x100;

/// A place of the table, from 1.
#[derive(Clone, Copy)]
enum Entry {
    SetEventNotificationMode = 2,
    Deallocate = 47,
    GetClassSignature = 48,
    GetSourceFileName = 50,
    GetClassLoader = 57,
    GetMethodName = 64,
    GetMethodDeclaringClass = 65,
    GetLineNumberTable = 70,
    GetStackTrace = 104,
    SetTag = 107,
    IterateThroughHeap = 116,
    SetEventCallbacks = 122,
    AddCapabilities = 142,
    SetHeapSamplingInterval = 156,
}

/// An environment of the tool interface.
pub type Raw = *mut *const *const c_void;

/// A frame of a stack: a method, and where in its code; -1 where it has none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrameAt {
    pub method: jmethodID,
    pub location: jlong,
}

/// From which place in a method's code on a line runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineFrom {
    pub start: jlong,
    pub line: jint,
}

/// What the machine calls for an object that it has chosen.
pub type Sampled = unsafe extern "system" fn(Raw, *mut JNIEnv, jobject, jobject, jclass, jlong);

/// What the machine calls on a thread that begins.
pub type ThreadBegins = unsafe extern "system" fn(Raw, *mut JNIEnv, jobject);

/// What it calls for a tagged object of the heap: the class's tag, bytes, the object's tag, elements, and what was handed over.
type Visit = unsafe extern "system" fn(jlong, jlong, *mut jlong, jint, *mut c_void) -> jint;

#[repr(C)]
struct HeapCallbacks {
    visit: Visit,
    others: [*const c_void; 15],
}

/// The tool interface of the machine this process runs.
#[derive(Clone, Copy)]
pub struct Machine(Raw);

// SAFETY: an environment may be used on every thread that the machine knows.
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

macro_rules! call {
    ($machine:expr, $entry:ident($($argument:expr => $kind:ty),*)) => {{
        let table = *$machine.0;
        let function = *table.add(Entry::$entry as usize - 1);
        let function: unsafe extern "system" fn(Raw, $($kind),*) -> c_int = std::mem::transmute(function);
        function($machine.0, $($argument),*)
    }};
}

impl Machine {
    /// The interface, where the machine has a version that samples.
    ///
    /// # Safety
    /// `vm` is the machine of this process.
    pub unsafe fn of(vm: *mut JavaVM) -> Option<Self> {
        let mut raw: *mut c_void = ptr::null_mut();
        // SAFETY: the caller's promise; the table of a machine is whole.
        let answer = unsafe { ((**vm).GetEnv?)(vm, &raw mut raw, VERSION) };
        (answer == 0 && !raw.is_null()).then(|| Self(raw.cast()))
    }

    /// The interface that an event came with.
    pub fn from_event(raw: Raw) -> Self {
        Self(raw)
    }

    /// Asks for samples, one each `every` bytes, for all objects where that is 1; and to hear of threads that begin.
    ///
    /// # Errors
    /// The machine's number of what is wrong: 98 or 99 where it cannot, or another tool has it.
    pub fn sample(self, every: u64, sampled: Sampled, begins: ThreadBegins) -> Result<(), c_int> {
        let mut capabilities = [0_u32; 4];
        for bit in CAPABILITIES {
            capabilities[bit as usize / 32] |= 1 << (bit % 32);
        }
        let mut callbacks = [ptr::null::<c_void>(); CALLBACKS];
        callbacks[THREAD_START as usize - FIRST_EVENT] = begins as *const c_void;
        callbacks[CALLBACKS - 1] = sampled as *const c_void;
        // SAFETY: each function has these arguments; the tables live as long as the calls, which copy them.
        unsafe {
            done(call!(self, AddCapabilities((&raw const capabilities).cast() => *const c_void)))?;
            done(call!(self, SetEventCallbacks(
                (&raw const callbacks).cast() => *const c_void,
                size_of_val(&callbacks) as c_int => c_int
            )))?;
        }
        self.set_interval(every)?;
        for event in [THREAD_START, SAMPLED_OBJECT_ALLOC] {
            // SAFETY: as above; null is for all threads.
            unsafe {
                done(call!(self, SetEventNotificationMode(
                    ENABLE => c_int, event => c_int, ptr::null_mut() => jobject
                )))?;
            }
        }
        Ok(())
    }

    /// Changes the distance between samples; each thread takes it up at its next one.
    ///
    /// # Errors
    /// As for [`Self::sample`].
    pub fn set_interval(self, every: u64) -> Result<(), c_int> {
        let interval = if every <= 1 {
            0
        } else {
            jint::try_from(every).unwrap_or(jint::MAX)
        };
        // SAFETY: the function has this argument.
        unsafe { done(call!(self, SetHeapSamplingInterval(interval => jint))) }
    }

    /// The frames of a thread, innermost first, as many as there is room for.
    ///
    /// # Safety
    /// `thread` is the one that runs.
    pub unsafe fn stack(self, thread: jobject, frames: &mut [FrameAt]) -> usize {
        let mut count: jint = 0;
        // SAFETY: the caller's promise; `frames` has room for as many as are asked for.
        let answer = unsafe {
            call!(self, GetStackTrace(
                thread => jobject, 0 => jint, frames.len() as jint => jint,
                frames.as_mut_ptr() => *mut FrameAt, &raw mut count => *mut jint
            ))
        };
        if answer == 0 { count.max(0) as usize } else { 0 }
    }

    /// A class's name as class files have it: `Ljava/lang/String;`, `[B`.
    ///
    /// # Safety
    /// `class` is a reference to a class.
    pub unsafe fn signature(self, class: jclass) -> String {
        let mut text: *mut c_char = ptr::null_mut();
        // SAFETY: the caller's promise; what is not asked for is null.
        let answer = unsafe {
            call!(self, GetClassSignature(
                class => jclass, &raw mut text => *mut *mut c_char, ptr::null_mut() => *mut *mut c_char
            ))
        };
        self.take(answer, text)
    }

    /// The name of the file a class was compiled from; empty where it does not say.
    ///
    /// # Safety
    /// As for [`Self::signature`].
    pub unsafe fn source_file(self, class: jclass) -> String {
        let mut text: *mut c_char = ptr::null_mut();
        // SAFETY: the caller's promise.
        let answer =
            unsafe { call!(self, GetSourceFileName(class => jclass, &raw mut text => *mut *mut c_char)) };
        self.take(answer, text)
    }

    /// A local reference to the loader of a class; null for the machine's own.
    ///
    /// # Safety
    /// As for [`Self::signature`].
    pub unsafe fn loader(self, class: jclass) -> jobject {
        let mut loader: jobject = ptr::null_mut();
        // SAFETY: the caller's promise.
        let answer = unsafe { call!(self, GetClassLoader(class => jclass, &raw mut loader => *mut jobject)) };
        if answer == 0 { loader } else { ptr::null_mut() }
    }

    /// A method's name; empty where its class is gone.
    pub fn method_name(self, method: jmethodID) -> String {
        let mut text: *mut c_char = ptr::null_mut();
        let none = ptr::null_mut;
        // SAFETY: the machine checks a method's number; what is not asked for is null.
        let answer = unsafe {
            call!(self, GetMethodName(
                method => jmethodID, &raw mut text => *mut *mut c_char,
                none() => *mut *mut c_char, none() => *mut *mut c_char
            ))
        };
        self.take(answer, text)
    }

    /// A local reference to the class of a method; null where it is gone.
    pub fn class_of(self, method: jmethodID) -> jclass {
        let mut class: jclass = ptr::null_mut();
        // SAFETY: the machine checks a method's number.
        let answer = unsafe {
            call!(self, GetMethodDeclaringClass(method => jmethodID, &raw mut class => *mut jclass))
        };
        if answer == 0 { class } else { ptr::null_mut() }
    }

    /// Where in a method's code each of its lines begins, in the order of the code; none where that was left out.
    pub fn lines(self, method: jmethodID) -> Vec<LineFrom> {
        let (mut count, mut first): (jint, *mut LineFrom) = (0, ptr::null_mut());
        // SAFETY: the machine checks a method's number.
        let answer = unsafe {
            call!(self, GetLineNumberTable(
                method => jmethodID, &raw mut count => *mut jint, &raw mut first => *mut *mut LineFrom
            ))
        };
        if answer != 0 || first.is_null() {
            return Vec::new();
        }
        // SAFETY: the machine gave `count` of them.
        let mut lines = unsafe { std::slice::from_raw_parts(first, count.max(0) as usize) }.to_vec();
        self.free(first.cast());
        lines.sort_by_key(|from| from.start);
        lines
    }

    /// Marks an object.
    ///
    /// # Safety
    /// `object` is a reference to an object.
    pub unsafe fn tag(self, object: jobject, tag: jlong) {
        // SAFETY: the caller's promise. Without memory for it the object counts as dropped.
        unsafe { call!(self, SetTag(object => jobject, tag => jlong)) };
    }

    /// How many marked objects the heap has of each mark from 1 to `most`.
    pub fn tagged(self, most: usize) -> Vec<u64> {
        unsafe extern "system" fn visit(
            _class: jlong,
            _bytes: jlong,
            tag: *mut jlong,
            _elements: jint,
            counts: *mut c_void,
        ) -> jint {
            // SAFETY: it is what was handed over below; the machine visits one object at a time.
            let (counts, tag) = unsafe { (&mut *counts.cast::<Vec<u64>>(), *tag) };
            if let Some(count) = usize::try_from(tag - 1).ok().and_then(|at| counts.get_mut(at)) {
                *count += 1;
            }
            VISIT_OBJECTS
        }
        let mut counts = vec![0; most];
        let callbacks = HeapCallbacks {
            visit,
            others: [ptr::null(); 15],
        };
        // SAFETY: all live as long as the call.
        unsafe {
            call!(self, IterateThroughHeap(
                TAGGED_ONLY => jint, ptr::null_mut() => jclass,
                &raw const callbacks => *const HeapCallbacks, (&raw mut counts).cast() => *mut c_void
            ));
        }
        counts
    }

    /// A text that the machine allocated, which is given back; empty where there is none.
    fn take(self, answer: c_int, text: *mut c_char) -> String {
        if answer != 0 || text.is_null() {
            return String::new();
        }
        // SAFETY: it ends with a zero.
        let taken = unsafe { std::ffi::CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned();
        self.free(text.cast());
        taken
    }

    fn free(self, memory: *mut c_uchar) {
        // SAFETY: the machine allocated it for the caller.
        unsafe { call!(self, Deallocate(memory => *mut c_uchar)) };
    }
}

fn done(answer: c_int) -> Result<(), c_int> {
    if answer == 0 { Ok(()) } else { Err(answer) }
}
