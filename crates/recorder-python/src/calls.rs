//! What the recorder calls, holding the interpreter's lock.

use std::ffi::{CStr, c_char, c_int};
use std::panic;

use crate::layout::Layout;
use crate::request::Request;
use crate::symbols::{Symbols, minor, symbol};
use crate::verify::{Samples, verify};
use crate::walk::Interpreter;
use crate::write::{Found, write};
use crate::{maps, tracked};

/// Bytes for a message.
const MESSAGE: usize = 200;

/// Says whether the interpreter at hand is one whose objects can be read: 0 when it is, else with the reason in `message`,
/// which has room for 200 bytes.
///
/// # Safety
/// The samples are of the objects that they should be; the interpreter's lock is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_python_check(samples: *const Samples, message: *mut c_char) -> c_int {
    // SAFETY: the caller's promise.
    let samples = unsafe { &*samples };
    match panic::catch_unwind(|| check(samples)) {
        Ok(Ok(())) => 0,
        Ok(Err(why)) => {
            say(message, &why);
            1
        }
        Err(_) => {
            say(message, "the check of the interpreter's objects failed");
            1
        }
    }
}

fn check(samples: &Samples) -> Result<(), String> {
    let minor = minor().ok_or("this is no version 3 of CPython")?;
    let layout =
        Layout::of(minor).ok_or_else(|| format!("the objects of CPython 3.{minor} are not known"))?;
    let missing = |name: &CStr| format!("the interpreter does not export {}", name.to_string_lossy());
    Symbols::find().map_err(missing)?;
    Symbols::types().map_err(missing)?;
    verify(&layout, samples)
        .map_err(|what| format!("{what} are not where they should be in this CPython 3.{minor}"))
}

fn say(to: *mut c_char, text: &str) {
    let bytes = &text.as_bytes()[..text.len().min(MESSAGE - 1)];
    // SAFETY: the caller gave room for so many, and the zero behind them.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len());
        to.add(bytes.len()).write(0);
    }
}

/// Makes a clone of the process, which writes what is asked for, and gives its number; -1 when the lists of the collector
/// are not as they should be, -2 when no clone can be made.
///
/// # Safety
/// [`deadweight_python_check`] answered 0; the interpreter's lock is held, and its collector is off.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_python_take(request: *const Request) -> c_int {
    // SAFETY: the caller's promise.
    let request = unsafe { &*request };
    let Some(found) = find(request) else { return -1 };
    // SAFETY: a copy of this process without signals at its end: no handler of the program runs for it. What the C library
    // does before and after `fork` is left out, as it takes locks; the copy uses none of it.
    let clone = unsafe { libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0) };
    if clone != 0 {
        return c_int::try_from(clone)
            .ok()
            .filter(|clone| *clone > 0)
            .unwrap_or(-2);
    }
    for signal in [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGABRT,
        libc::SIGFPE,
        libc::SIGILL,
    ] {
        // SAFETY: what the program does at such a signal is not for its copy.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    lift_limits();
    let written = panic::catch_unwind(panic::AssertUnwindSafe(|| write(request, found))).unwrap_or(false);
    // SAFETY: the copy ends; nothing of the program is run for it.
    unsafe { libc::_exit(c_int::from(!written)) }
}

/// Lifts the limits on memory for the copy, as far as it is allowed. A program at its limit leaves no memory for its copy,
/// just when a dump is wanted most.
fn lift_limits() {
    for resource in [libc::RLIMIT_AS, libc::RLIMIT_DATA] {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the places are there; the limits are those of the copy alone.
        unsafe {
            if libc::getrlimit(resource, &raw mut limit) != 0 {
                continue;
            }
            let none = libc::rlimit {
                rlim_cur: libc::RLIM_INFINITY,
                rlim_max: libc::RLIM_INFINITY,
            };
            if libc::setrlimit(resource, &raw const none) != 0 {
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &raw const limit);
            }
        }
    }
}

fn find(request: &Request) -> Option<Found> {
    let layout = Layout::of(minor()?)?;
    let symbols = Symbols::find().ok()?;
    let heads = tracked::heads(&symbols, &layout, request.thresholds)?;
    // SAFETY: the interpreter's functions, its lock held.
    let (modules, states) = unsafe {
        let current = (symbols.state)();
        let mut states = vec![current];
        let mut state = (symbols.first_state)((symbols.interpreter)(current));
        while state != 0 {
            if state != current {
                states.push(state);
            }
            state = (symbols.next_state)(state);
        }
        ((symbols.modules)(), states)
    };
    Some(Found {
        interpreter: Interpreter {
            layout,
            type_dictionary: symbols.type_dictionary.filter(|_| layout.minor >= 12),
        },
        types: Symbols::types().ok()?,
        variables: maps::variables(),
        near: [c"PyDict_Type", c"_PyRuntime"].map(|name| symbol(name).map_or(0, |at| at as usize)),
        symbols,
        heads,
        modules,
        states,
    })
}

/// Whether a clone has ended: 0 when it wrote all, a positive number when it did not, -1 while it still writes. With
/// `waits` it is waited for.
///
/// # Safety
/// The clone is one of [`deadweight_python_take`] that nobody waited for yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deadweight_python_wait(clone: c_int, waits: c_int) -> c_int {
    let mut status = 0;
    let options = libc::__WALL | if waits == 0 { libc::WNOHANG } else { 0 };
    loop {
        // SAFETY: the place is there.
        let waited = unsafe { libc::waitpid(clone, &raw mut status, options) };
        if waited == clone {
            break;
        }
        if waited == 0 {
            return -1;
        }
        if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            // The program may wait for all its children: then nobody knows but by the files.
            return 0;
        }
    }
    if libc::WIFEXITED(status) {
        libc::WEXITSTATUS(status)
    } else {
        256 + libc::WTERMSIG(status)
    }
}
