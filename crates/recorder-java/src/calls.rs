//! What the recorder calls: the native methods of `deadweight.recorder.Churn`.

use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use jni_sys::{
    JNI_VERSION_1_8, JNIEnv, JNINativeMethod, JavaVM, jboolean, jbyteArray, jclass, jint, jlong, jobject,
    jobjectArray,
};

use crate::event::{AWAITED, PAUSED, begins, record, sampled};
use crate::machine::Machine;
use crate::record::Record;
use crate::thinned::ask;
use crate::write::{End, Origin, put, text};

/// What [`begin`] answers where the machine has no version of the tool interface that samples.
const TOO_OLD: jint = -1;
const FAILED: jlong = -1;

static MACHINE: OnceLock<Machine> = OnceLock::new();

/// The machine calls it when it has loaded the library; the methods become those of here.
///
/// # Safety
/// `vm` is the machine of this process.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn JNI_OnLoad(vm: *mut JavaVM, _reserved: *mut c_void) -> jint {
    // SAFETY: the caller's promise; the names end with zeros and live as long as the process.
    unsafe {
        if let Some(machine) = Machine::of(vm) {
            _ = MACHINE.set(machine); // a library is loaded once
        }
        let mut env: *mut c_void = ptr::null_mut();
        let answer = (**vm).GetEnv.map(|get| get(vm, &raw mut env, JNI_VERSION_1_8));
        if answer == Some(0) {
            register(env.cast());
        }
    }
    JNI_VERSION_1_8
}

/// # Safety
/// `env` is of this thread.
unsafe fn register(env: *mut JNIEnv) -> Option<()> {
    let method = |name: *const c_char, signature: *const c_char, function: *mut c_void| JNINativeMethod {
        name: name.cast_mut(),
        signature: signature.cast_mut(),
        fnPtr: function,
    };
    let methods = [
        method(c"begin".as_ptr(), c"(IZ)I".as_ptr(), begin as *mut c_void),
        method(c"seen".as_ptr(), c"()Z".as_ptr(), seen as *mut c_void),
        method(c"pause".as_ptr(), c"(Z)V".as_ptr(), pause as *mut c_void),
        method(
            c"classes".as_ptr(),
            c"()[Ljava/lang/Class;".as_ptr(),
            classes as *mut c_void,
        ),
        method(c"sources".as_ptr(), c"()[B".as_ptr(), sources as *mut c_void),
        method(c"write".as_ptr(), c"([B[B[BJJ)J".as_ptr(), write as *mut c_void),
    ];
    // SAFETY: the caller's promise.
    unsafe {
        let class = ((**env).FindClass?)(env, c"deadweight/recorder/Churn".as_ptr());
        ((**env).RegisterNatives?)(env, class, methods.as_ptr(), methods.len() as jint);
    }
    Some(())
}

/// Begins, paused: 0, [`TOO_OLD`], or the machine's number of why not.
unsafe extern "system" fn begin(
    env: *mut JNIEnv,
    _class: jclass,
    every: jint,
    may_be_short: jboolean,
) -> jint {
    let Some(machine) = MACHINE.get() else {
        return TOO_OLD;
    };
    *record() = Some(Record::default());
    AWAITED.store(env, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = now.map_or(1, |now| now.as_nanos() as u64);
    let asked = ask(every.max(1) as u64, seed, may_be_short != 0);
    machine.sample(asked, sampled, begins).err().unwrap_or(0)
}

/// Whether the machine has chosen an object of the thread that began since.
unsafe extern "system" fn seen(_env: *mut JNIEnv, _class: jclass) -> jboolean {
    jboolean::from(AWAITED.load(Ordering::Relaxed).is_null())
}

unsafe extern "system" fn pause(_env: *mut JNIEnv, _class: jclass, paused: jboolean) {
    PAUSED.store(paused != 0, Ordering::Relaxed);
}

/// The classes of all frames by their number; null for those that are gone.
unsafe extern "system" fn classes(env: *mut JNIEnv, _class: jclass) -> jobjectArray {
    let known: Vec<usize> = match record().as_ref() {
        Some(record) => record.classes.iter().map(|class| class.weak).collect(),
        None => Vec::new(),
    };
    // SAFETY: the machine gives an environment of this thread.
    unsafe { referred(env, &known) }.unwrap_or(ptr::null_mut())
}

/// The files that these were compiled from, a line each.
unsafe extern "system" fn sources(env: *mut JNIEnv, _class: jclass) -> jbyteArray {
    let mut files = String::new();
    for class in record().iter().flat_map(|record| &record.classes) {
        files.push_str(&class.file);
        files.push('\n');
    }
    // SAFETY: the machine gives an environment of this thread.
    unsafe { array(env, files.as_bytes()) }.unwrap_or(ptr::null_mut())
}

/// # Safety
/// `env` is of this thread.
unsafe fn array(env: *mut JNIEnv, bytes: &[u8]) -> Option<jbyteArray> {
    let length = bytes.len() as jint;
    // SAFETY: the caller's promise; `length` is that of `bytes`.
    unsafe {
        let array = ((**env).NewByteArray?)(env, length);
        if !array.is_null() {
            ((**env).SetByteArrayRegion?)(env, array, 0, length, bytes.as_ptr().cast());
        }
        Some(array)
    }
}

/// # Safety
/// `env` is of this thread, `known` are weak references.
unsafe fn referred(env: *mut JNIEnv, known: &[usize]) -> Option<jobjectArray> {
    // SAFETY: the caller's promise; a weak reference stays valid when its class is gone.
    unsafe {
        let of = ((**env).FindClass?)(env, c"java/lang/Class".as_ptr());
        let all = ((**env).NewObjectArray?)(env, known.len() as jint, of, ptr::null_mut());
        if all.is_null() {
            return None;
        }
        for (at, &weak) in known.iter().enumerate() {
            let class = ((**env).NewLocalRef?)(env, weak as jobject);
            if !class.is_null() {
                ((**env).SetObjectArrayElement?)(env, all, at as jint, class);
                ((**env).DeleteLocalRef?)(env, class);
            }
        }
        Some(all)
    }
}

/// Writes the record to a path, while it is paused, and gives how many objects are in it; -1 where that failed.
unsafe extern "system" fn write(
    env: *mut JNIEnv,
    _class: jclass,
    path: jbyteArray,
    head: jbyteArray,
    origins: jbyteArray,
    operations: jlong,
    heap_used: jlong,
) -> jlong {
    let written = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the machine gives an environment of this thread and what the method declares.
        let [path, head, origins] = [path, head, origins].map(|array| unsafe { bytes(env, array) });
        let (path, head, origins) = (path?, head?, origins?);
        let origins: Vec<Origin<'_>> = origins.split('\n').map(Origin::of).collect();
        let rows = record().as_ref()?.rows.len();
        // Nothing is added meanwhile, and the lock is not held while the machine visits its heap.
        let kept = MACHINE.get()?.tagged(rows);
        let end = End {
            operations: operations.max(0) as u64,
            heap_used: heap_used.max(0) as u64,
        };
        let (text, objects) = text(record().as_ref()?, &head, &origins, &kept, end);
        put(Path::new(&path), &text).ok()?;
        Some(objects as jlong)
    }));
    written.ok().flatten().unwrap_or(FAILED)
}

/// # Safety
/// `env` is of this thread, `array` an array of bytes.
unsafe fn bytes(env: *mut JNIEnv, array: jbyteArray) -> Option<String> {
    // SAFETY: the caller's promise; there is room for as many as there are.
    unsafe {
        let length = ((**env).GetArrayLength?)(env, array);
        let mut bytes = vec![0_u8; length.max(0) as usize];
        ((**env).GetByteArrayRegion?)(env, array, 0, length, bytes.as_mut_ptr().cast());
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
