//! An object that the machine has chosen.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni_sys::{JNIEnv, jclass, jlong, jmethodID, jobject};

use crate::machine::{FrameAt, Machine, Raw};
use crate::names::is_plus;
use crate::record::{Class, Method, Part, Record};
use crate::thinned::{is_asked, is_kept, thread_begins};

/// Frames of a stack that are kept, the innermost.
const DEEPEST: usize = 512;

static RECORD: Mutex<Option<Record>> = Mutex::new(None);

/// Whether nothing is recorded, as a capture is being taken.
pub static PAUSED: AtomicBool = AtomicBool::new(true);

/// The thread that waits for the machine to choose an object of its own; null when it has.
pub static AWAITED: AtomicPtr<JNIEnv> = AtomicPtr::new(ptr::null_mut());

/// Methods of these only lead to the next one: what runs lambdas, and puts texts together.
const LINKS: [&str; 2] = ["java/lang/invoke/", "jdk/internal/reflect/"];

/// Methods of these make arrays for whoever calls them.
const COPIES: [(&str, &str); 4] = [
    ("java/util/Arrays", "copyOf"),
    ("java/lang/reflect/Array", "new"),
    ("jdk/internal/misc/Unsafe", "allocateUninitializedArray"),
    ("jdk/internal/util/ArraysSupport", ""),
];

/// How the machine names the classes that it makes of lambdas.
const LAMBDA: &str = "$$Lambda";

const RECORDER: &str = "deadweight/recorder/";

/// The record; whoever failed while holding it left it whole, as each change is one step.
pub fn record() -> MutexGuard<'static, Option<Record>> {
    RECORD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes an object.
///
/// # Safety
/// The machine calls it on the thread that made the object.
pub unsafe extern "system" fn sampled(
    raw: Raw,
    jni: *mut JNIEnv,
    thread: jobject,
    object: jobject,
    class: jclass,
    bytes: jlong,
) {
    if PAUSED.load(Ordering::Relaxed) {
        // A thread's environment is its own.
        _ = AWAITED.compare_exchange(jni, ptr::null_mut(), Ordering::Relaxed, Ordering::Relaxed);
        return;
    }
    if !is_kept(bytes.max(0) as u64) {
        return;
    }
    let noted = std::panic::catch_unwind(|| {
        let machine = Machine::from_event(raw);
        let mut frames = [FrameAt {
            method: ptr::null_mut(),
            location: 0,
        }; DEEPEST];
        // SAFETY: the machine's promise: it is the thread that runs, and a class.
        let (depth, signature) = unsafe { (machine.stack(thread, &mut frames), machine.signature(class)) };
        let frames = &frames[..depth];
        // SAFETY: as above.
        unsafe { learn(machine, jni, frames) };
        let row = record().as_mut()?.note(frames, &signature, bytes.max(0) as u64)?;
        Some((machine, row))
    });
    if let Ok(Some((machine, row))) = noted {
        // SAFETY: the machine's promise.
        unsafe { machine.tag(object, jlong::from(row) + 1) };
    }
}

/// Hears of a thread that begins.
///
/// # Safety
/// The machine calls it on that thread.
pub unsafe extern "system" fn begins(raw: Raw, _jni: *mut JNIEnv, _thread: jobject) {
    if let Some(distance) = thread_begins()
        && Machine::from_event(raw).set_interval(distance).is_ok()
    {
        is_asked(distance);
    }
}

/// Makes all methods of these frames known.
///
/// # Safety
/// As for [`sampled`].
unsafe fn learn(machine: Machine, jni: *mut JNIEnv, frames: &[FrameAt]) {
    let unknown: Vec<jmethodID> = match record().as_ref() {
        Some(record) => {
            let methods = frames.iter().map(|frame| frame.method);
            methods.filter(|&method| !record.knows(method)).collect()
        }
        None => return,
    };
    for method in unknown {
        // SAFETY: the caller's promise; each local reference is given back below.
        unsafe {
            let class = machine.class_of(method);
            if class.is_null() {
                continue;
            }
            let signature = machine.signature(class);
            let file = machine.source_file(class);
            let loader = machine.loader(class);
            let name = signature.trim_start_matches('L').trim_end_matches(';').to_owned();
            let (of_name, lines) = (machine.method_name(method), machine.lines(method));
            let part = part(&name, &of_name);
            let weak = (**jni)
                .NewWeakGlobalRef
                .map_or(ptr::null_mut(), |weak| weak(jni, class));
            let is_runtime = loader.is_null();
            let mut held = record();
            let mut is_new = false;
            if let Some(record) = held.as_mut() {
                // Of classes with one name by several loaders the first speaks for all.
                let class = record.class(name, is_runtime, |name| {
                    is_new = true;
                    Class {
                        name,
                        file,
                        is_runtime,
                        weak: weak as usize,
                    }
                });
                record.learn(
                    method,
                    Method {
                        class,
                        name: of_name,
                        lines,
                        part,
                    },
                );
            }
            drop(held);
            if let (false, Some(delete)) = (is_new, (**jni).DeleteWeakGlobalRef) {
                delete(jni, weak);
            }
            if let Some(delete) = (**jni).DeleteLocalRef {
                delete(jni, class);
                delete(jni, loader);
            }
        }
    }
}

fn part(class: &str, method: &str) -> Part {
    let copies = |(of, start): &(&str, &str)| class == *of && method.starts_with(start);
    let leads = |start: &&str| class.starts_with(start);
    if class.starts_with(RECORDER) {
        Part::Recorder
    } else if !is_plus(class)
        && (class.contains(LAMBDA) || LINKS.iter().any(leads) || COPIES.iter().any(copies))
    {
        Part::Link
    } else {
        Part::Frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_on_is_no_frame() {
        assert_eq!(
            part("java/lang/invoke/DirectMethodHandle$Holder", "invoke"),
            Part::Link
        );
        assert_eq!(part("com/shop/Order$$Lambda.0x000012", "apply"), Part::Link);
        assert_eq!(part("java/util/Arrays", "copyOfRange"), Part::Link);
        assert_eq!(part("java/util/Arrays", "asList"), Part::Frame);
        assert_eq!(
            part(
                "java/lang/invoke/StringConcatFactory$MethodHandleInlineCopyStrategy",
                "newArray"
            ),
            Part::Frame
        );
        assert_eq!(part("deadweight/recorder/Watch", "run"), Part::Recorder);
        assert_eq!(part("com/shop/Order", "load"), Part::Frame);
    }
}
