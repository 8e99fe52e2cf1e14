//! The process's life: start, fork, signals, end.

use std::ffi::{c_char, c_int, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering::Relaxed};

use crate::snapshot::{self, Reason};
use crate::stack::{self, TREE};
use crate::thread::{INSIDE, OWNS_LOCKS, current};
use crate::{TABLE, gc, memory, real, record, settings, spin, thread};

/// The process that recording belongs to: a child between `vfork` and `exec` shares this memory, and is not it.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// The parent's id in a forked child, else 0.
static FORKED_FROM: AtomicI32 = AtomicI32::new(0);

fn id() -> i32 {
    // SAFETY: no arguments.
    unsafe { libc::getpid() }
}

/// Whether this is the process that recording belongs to.
pub fn is_ours() -> bool {
    PROCESS.load(Relaxed) == id()
}

/// Its id, which a clone that writes has from it: the process may be gone by then.
pub fn recorded() -> i32 {
    PROCESS.load(Relaxed)
}

/// Whether this process was forked from a recorded one and has not executed another program.
pub fn is_forked() -> bool {
    FORKED_FROM.load(Relaxed) != 0
}

#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".fini_array")]
static END: extern "C" fn() = end;

extern "C" fn start() {
    real::resolve();
    let thread = current();
    // What the start itself allocates is nobody's business.
    // SAFETY: the thread's own state.
    unsafe { (*thread).guard |= INSIDE };
    let on = memory::keeping_errno(|| set_up().is_some());
    if !on {
        record::stop();
    }
    // SAFETY: the thread's own state.
    unsafe { (*thread).guard &= !INSIDE };
}

fn set_up() -> Option<()> {
    let settings = settings::read()?;
    // Children stay out when only the first process is wanted.
    if std::env::var_os("DEADWEIGHT_CHILDREN").is_some_and(|value| value == "0") {
        if std::env::var_os("DEADWEIGHT_ANCESTOR").is_some() {
            return None;
        }
        // SAFETY: the program's own code has not started; both strings end with zero.
        unsafe { libc::setenv(c"DEADWEIGHT_ANCESTOR".as_ptr(), c"1".as_ptr(), 1) };
    }
    PROCESS.store(id(), Relaxed);
    if let Some(limit) = settings.memory {
        memory::set_limit(limit);
    }
    if let Some(depth) = settings.depth {
        stack::set_depth(depth);
    }
    if settings.zero_fill {
        record::fill_with_zeros();
    }
    stack::prepare();
    thread::prepare();
    spin::prepare();
    snapshot::prepare(settings);
    // What a collector manages is all such a program makes: its few other blocks would only cost time.
    if gc::is_wanted() {
        record::stop();
        gc::begin();
    }
    // SAFETY: the handlers live as long as the process: this library is never unloaded.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(in_child)) };
    if settings.at_signal {
        install_handler();
    }
    Some(())
}

/// Only where the program has no handler: its own must go on working. One it installs later replaces this one.
fn install_handler() {
    // SAFETY: both structures are valid; the handler only does what is allowed in one.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGUSR2, ptr::null(), &raw mut now) != 0 || now.sa_sigaction != libc::SIG_DFL
        {
            return;
        }
        let mut ours: libc::sigaction = std::mem::zeroed();
        ours.sa_sigaction = signalled as extern "C" fn(c_int) as usize;
        ours.sa_flags = libc::SA_RESTART;
        libc::sigfillset(&raw mut ours.sa_mask);
        libc::sigaction(libc::SIGUSR2, &raw const ours, ptr::null_mut());
    }
}

extern "C" fn signalled(_: c_int) {
    if gc::is_on() {
        gc::ask();
        return;
    }
    memory::keeping_errno(|| snapshot::take(Reason::Signal));
}

extern "C" fn before_fork() {
    let thread = current();
    // SAFETY: the thread's own state.
    if unsafe { (*thread).guard } & (INSIDE | OWNS_LOCKS) != 0 {
        return;
    }
    TABLE.lock();
    TREE.lock();
    // Other handlers around this fork may allocate; they are recorded under the locks held here.
    // SAFETY: as above.
    unsafe { (*thread).guard |= OWNS_LOCKS };
}

extern "C" fn after_fork() {
    let thread = current();
    // SAFETY: the thread's own state.
    unsafe {
        if (*thread).guard & OWNS_LOCKS == 0 {
            return;
        }
        (*thread).guard &= !OWNS_LOCKS;
    }
    TREE.unlock();
    TABLE.unlock();
}

extern "C" fn in_child() {
    FORKED_FROM.store(PROCESS.swap(id(), Relaxed), Relaxed);
    gc::stop();
    snapshot::in_child();
    after_fork();
}

/// The program has come to its end by itself.
fn ending() {
    if is_ours() {
        let last = if gc::is_on() {
            gc::at_exit
        } else {
            snapshot::at_exit
        };
        memory::keeping_errno(last);
    }
}

extern "C" fn end() {
    ending();
}

type Main = unsafe extern "C-unwind" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain = unsafe extern "C-unwind" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;

static MAIN: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C-unwind" fn main_then_snapshot(
    count: c_int,
    arguments: *mut *mut c_char,
    environment: *mut *mut c_char,
) -> c_int {
    // SAFETY: stored by `__libc_start_main` below, from an argument of this type.
    let code = unsafe { transmute::<*mut c_void, Main>(MAIN.load(Relaxed))(count, arguments, environment) };
    // Before destructors of globals empty what is to be weighed.
    ending();
    code
}

#[cfg_attr(not(test), unsafe(export_name = "__libc_start_main"))]
unsafe extern "C-unwind" fn libc_start_main(
    main: Main,
    count: c_int,
    arguments: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    end: *mut c_void,
    stack: *mut c_void,
) -> c_int {
    MAIN.store(main as *mut c_void, Relaxed);
    let real = real::next(c"__libc_start_main");
    // SAFETY: the real function with the program's own arguments; nothing runs without it.
    unsafe {
        transmute::<*mut c_void, StartMain>(real)(
            main_then_snapshot,
            count,
            arguments,
            init,
            fini,
            end,
            stack,
        )
    }
}

/// Ends the process when the real function is not there.
fn leave(function: Option<unsafe extern "C-unwind" fn(c_int)>, code: c_int) -> ! {
    if let Some(function) = function {
        // SAFETY: the real function with the program's own argument.
        unsafe { function(code) };
    }
    // SAFETY: ends the process.
    unsafe { libc::syscall(libc::SYS_exit_group, code) };
    loop {
        std::hint::spin_loop();
    }
}

#[cfg_attr(not(test), unsafe(export_name = "exit"))]
unsafe extern "C-unwind" fn exit(code: c_int) -> ! {
    ending();
    leave(real::exit::get(), code)
}

/// A forked child that leaves like this has mostly failed to execute a program: its heap is its parent's.
fn ending_at_once() {
    if !is_forked() {
        ending();
    }
}

#[cfg_attr(not(test), unsafe(export_name = "_exit"))]
unsafe extern "C-unwind" fn exit_at_once(code: c_int) -> ! {
    ending_at_once();
    leave(real::_exit::get(), code)
}

#[cfg_attr(not(test), unsafe(export_name = "_Exit"))]
unsafe extern "C-unwind" fn exit_at_once_c99(code: c_int) -> ! {
    ending_at_once();
    leave(real::_Exit::get(), code)
}

#[cfg_attr(not(test), unsafe(export_name = "quick_exit"))]
unsafe extern "C-unwind" fn quick_exit(code: c_int) -> ! {
    ending_at_once();
    leave(real::quick_exit::get(), code)
}

#[cfg_attr(not(test), unsafe(export_name = "dlclose"))]
unsafe extern "C-unwind" fn dlclose(handle: *mut c_void) -> c_int {
    let result = match real::dlclose::get() {
        // SAFETY: the real function with the program's own argument.
        Some(dlclose) => unsafe { dlclose(handle) },
        None => -1,
    };
    stack::forget_rules();
    result
}
