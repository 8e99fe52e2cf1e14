//! The main thread of a process, held still for the moment in which it is sent through a trampoline.
//!
//! By `PTRACE_SEIZE` and `PTRACE_INTERRUPT`, which neither the process nor its parent sees. A system call that the thread waits
//! in is begun again afterwards, as after any signal without a handler.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc::user_regs_struct as Registers;
use nix::libc::{PTRACE_EVENT_STOP, SYS_mmap, SYS_munmap, SYS_restart_syscall};
use nix::sys::ptrace;
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::sys::wait::WaitStatus;
use nix::unistd::Pid;

use super::functions::{Functions, mappings};
use super::refused;
use super::trampoline::{CODE_BYTES, DATA_BYTES, Pages, Trampoline, machine_code};
use crate::attach::AttachError;
use crate::attach::target::Target;
use crate::traced::{self, PATIENCE};

/// A system call that a signal without a handler interrupted: the kernel begins it again. `include/linux/errno.h`.
const BEGUN_AGAIN: [i64; 3] = [-512, -513, -514];
/// The same, by a system call of its own.
const GONE_ON_WITH: i64 = -516;
/// The system call of a thread that is in none.
const NONE: u64 = u64::MAX;

/// Both in one word, as `mmap` takes them: private, of no file.
const PRIVATE: u64 = 0x22;
const READ: u64 = 1;
const WRITE: u64 = 2;
const EXECUTE: u64 = 4;

/// Where a thread is: its next instruction, its stack, and the system call it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whereabouts {
    instruction: u64,
    stack: u64,
    call: Option<u64>,
}

/// Sends one process's main thread through trampolines.
pub(super) struct MainThread<'t> {
    target: &'t Target,
    functions: Functions,
    memory: File,
    /// A place in memory at which a system call begins.
    system_call: u64,
}

impl<'t> MainThread<'t> {
    pub fn of(target: &'t Target, functions: Functions) -> Result<Self, AttachError> {
        if !std::arch::is_x86_feature_detected!("xsave") {
            return Err(refused(
                target,
                "the processor saves no vector registers".to_owned(),
            ));
        }
        let memory = File::options()
            .read(true)
            .write(true)
            .open(target.proc("mem"))
            .map_err(|source| may_not(target, source))?;
        let system_call = find_system_call(target, &memory)?;
        Ok(Self {
            target,
            functions,
            memory,
            system_call,
        })
    }

    /// Sends it to ask the interpreter to run a text. Says where the thread was.
    pub fn ask(&self, text: &str) -> Result<(Whereabouts, Pages), AttachError> {
        let held = Held::hold(self.target)?;
        let was = Whereabouts::from(&held.was);
        let pages = self.send(held, Trampoline::Ask, text)?;
        let start = Instant::now();
        while self.word(pages.back()) != Some(1) {
            if start.elapsed() > PATIENCE {
                return Err(refused(
                    self.target,
                    "its main thread does not come back".to_owned(),
                ));
            }
            sleep(Duration::from_millis(1));
        }
        if self.word(pages.returned()) == Some(0) {
            return Ok((was, pages));
        }
        self.clean(pages)?;
        let why = "too many calls wait for its main thread";
        Err(refused(self.target, why.to_owned()))
    }

    /// Sends it to run a text at once, if it waits in the system call in which it was; else nothing happens.
    pub fn run_from(&self, was: Whereabouts, text: &str) -> Result<Option<Pages>, AttachError> {
        let held = Held::hold(self.target)?;
        if was.call.is_none() || Whereabouts::from(&held.was) != was {
            return Ok(None);
        }
        self.send(held, Trampoline::Run, text).map(Some)
    }

    fn send(&self, held: Held<'_>, trampoline: Trampoline, text: &str) -> Result<Pages, AttachError> {
        if text.len() > Pages::LONGEST_TEXT || text.contains('\0') {
            return Err(refused(
                self.target,
                "the paths of the recorder are too long".to_owned(),
            ));
        }
        let map = |bytes: u64, access: u64| {
            let call = [SYS_mmap as u64, 0, bytes, access, PRIVATE, u64::MAX, 0];
            held.system_call(self.system_call, call)
        };
        // Two of them: some services may have no memory that can be both written and executed.
        let pages = Pages {
            code: map(CODE_BYTES, READ | EXECUTE)?,
            data: map(DATA_BYTES, READ | WRITE)?,
        };
        let then = as_it_goes_on(&held.was);
        let code = machine_code(trampoline, pages, &self.functions, then.rip);
        let written = self
            .memory
            .write_all_at(&code, pages.code)
            .and_then(|()| self.memory.write_all_at(text.as_bytes(), pages.text()));
        written.map_err(|source| may_not(self.target, source))?;
        held.let_go_with(Registers {
            rip: pages.code,
            orig_rax: NONE,
            ..then
        });
        Ok(pages)
    }

    fn word(&self, at: u64) -> Option<u64> {
        let mut word = [0; 8];
        self.memory.read_exact_at(&mut word, at).ok()?;
        Some(u64::from_le_bytes(word))
    }

    /// Where the thread is at the moment.
    pub fn whereabouts(&self) -> Result<Whereabouts, AttachError> {
        Ok(Whereabouts::from(&Held::hold(self.target)?.was))
    }

    /// Takes the pages of a text away, once it has run and the thread has left them.
    pub fn clean_after(&self, pages: Pages) -> Result<(), AttachError> {
        let start = Instant::now();
        while [pages.ran(), pages.back()].map(|at| self.word(at)) != [Some(1); 2] {
            if start.elapsed() > PATIENCE {
                return Ok(());
            }
            sleep(Duration::from_millis(1));
        }
        self.clean(pages)
    }

    fn clean(&self, pages: Pages) -> Result<(), AttachError> {
        let held = Held::hold(self.target)?;
        if !pages.has(held.was.rip) {
            for (at, bytes) in [(pages.code, CODE_BYTES), (pages.data, DATA_BYTES)] {
                held.system_call(self.system_call, [SYS_munmap as u64, at, bytes, 0, 0, 0, 0])?;
            }
        }
        Ok(())
    }
}

impl From<&Registers> for Whereabouts {
    fn from(registers: &Registers) -> Self {
        Self {
            instruction: registers.rip,
            stack: registers.rsp,
            call: (registers.orig_rax != NONE).then_some(registers.orig_rax),
        }
    }
}

/// Registers with which a thread goes on that was interrupted in a system call, which the kernel would begin again.
fn as_it_goes_on(was: &Registers) -> Registers {
    /// Bytes of the instruction that begins a system call.
    const INSTRUCTION: u64 = 2;
    let mut then = *was;
    if was.orig_rax == NONE {
        return then;
    }
    let returned = was.rax.cast_signed();
    if BEGUN_AGAIN.contains(&returned) {
        then.rax = was.orig_rax;
        then.rip -= INSTRUCTION;
    } else if returned == GONE_ON_WITH {
        then.rax = SYS_restart_syscall as u64;
        then.rip -= INSTRUCTION;
    }
    then
}

/// The thread that stands still as long as this lives, and goes on as it was.
struct Held<'t> {
    target: &'t Target,
    thread: Pid,
    /// What it goes on with.
    was: Registers,
    /// A signal that was about to reach it.
    signal: Cell<Option<Signal>>,
    _undisturbed: Undisturbed,
}

/// Keeps signals from this thread: one that ended this process now would leave the held thread between two steps.
struct Undisturbed(SigSet);

impl Undisturbed {
    fn new() -> Result<Self, Errno> {
        SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK).map(Self)
    }
}

impl Drop for Undisturbed {
    fn drop(&mut self) {
        // It was the mask before, so the system takes it.
        let _ = self.0.thread_set_mask();
    }
}

impl<'t> Held<'t> {
    fn hold(target: &'t Target) -> Result<Self, AttachError> {
        let failed = |error: Errno| may_not(target, error.into());
        let undisturbed = Undisturbed::new().map_err(failed)?;
        let thread = Pid::from_raw(target.pid.cast_signed());
        ptrace::seize(thread, ptrace::Options::empty()).map_err(failed)?;
        let stopped = ptrace::interrupt(thread)
            .map_err(failed)
            .and_then(|()| wait_for_the_interrupt(target, thread))
            .and_then(|()| ptrace::getregs(thread).map_err(failed));
        match stopped {
            Ok(was) => Ok(Self {
                target,
                thread,
                was,
                signal: Cell::new(None),
                _undisturbed: undisturbed,
            }),
            Err(error) => {
                let _ = ptrace::detach(thread, None);
                Err(error)
            }
        }
    }

    fn failed(&self) -> impl Fn(Errno) -> AttachError + use<'t> {
        let target = self.target;
        move |error| may_not(target, error.into())
    }

    /// Has the thread make a system call, and gives what it returned. `call` is its number and its arguments.
    fn system_call(&self, at: u64, call: [u64; 7]) -> Result<u64, AttachError> {
        let [number, rdi, rsi, rdx, r10, r8, r9] = call;
        let registers = Registers {
            rip: at,
            rax: number,
            orig_rax: NONE,
            rdi,
            rsi,
            rdx,
            r10,
            r8,
            r9,
            ..self.was
        };
        ptrace::setregs(self.thread, registers).map_err(self.failed())?;
        loop {
            ptrace::step(self.thread, None).map_err(self.failed())?;
            match wait(self.target, self.thread)? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => break,
                // It gets the signal when it goes on.
                WaitStatus::Stopped(_, signal) => self.signal.set(Some(signal)),
                other => {
                    return Err(refused(
                        self.target,
                        format!("its main thread does not go on: {other:?}"),
                    ));
                }
            }
        }
        let returned = ptrace::getregs(self.thread).map_err(self.failed())?.rax;
        match returned.cast_signed() {
            error @ -4095..0 => Err(may_not(
                self.target,
                io::Error::from_raw_os_error((-error) as i32),
            )),
            _ => Ok(returned),
        }
    }

    fn let_go_with(mut self, registers: Registers) {
        self.was = registers;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Only a thread that has ended cannot be let go.
        let _ = ptrace::setregs(self.thread, self.was);
        let _ = ptrace::detach(self.thread, self.signal.get());
    }
}

fn wait_for_the_interrupt(target: &Target, thread: Pid) -> Result<(), AttachError> {
    loop {
        match wait(target, thread)? {
            WaitStatus::PtraceEvent(_, Signal::SIGTRAP, PTRACE_EVENT_STOP) => return Ok(()),
            WaitStatus::PtraceEvent(..) => {
                return Err(refused(target, "it is stopped, as by SIGSTOP".to_owned()));
            }
            // A signal was on its way: it comes first.
            WaitStatus::Stopped(_, signal) => {
                ptrace::cont(thread, signal).map_err(|error| may_not(target, error.into()))?;
            }
            other => {
                return Err(refused(
                    target,
                    format!("its main thread does not stop: {other:?}"),
                ));
            }
        }
    }
}

fn wait(target: &Target, thread: Pid) -> Result<WaitStatus, AttachError> {
    match traced::wait(thread).map_err(|error| may_not(target, error.into()))? {
        None => Err(refused(target, "its main thread does not stand still".to_owned())),
        Some(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) => {
            Err(refused(target, "it has ended".to_owned()))
        }
        Some(status) => Ok(status),
    }
}

/// The kernel's own library, which every process has, makes system calls.
fn find_system_call(target: &Target, memory: &File) -> Result<u64, AttachError> {
    const INSTRUCTION: [u8; 2] = [0x0F, 0x05];
    let mappings = mappings(target)?;
    let library = mappings.iter().find(|mapping| mapping.path == b"[vdso]");
    let found = library.and_then(|library| {
        let mut bytes = vec![0; (library.end - library.start) as usize];
        memory.read_exact_at(&mut bytes, library.start).ok()?;
        let at = bytes.windows(2).position(|two| two == INSTRUCTION)?;
        Some(library.start + at as u64)
    });
    found.ok_or_else(|| refused(target, "it has no library of the kernel (vdso)".to_owned()))
}

/// Why it may not be held or written to.
fn may_not(target: &Target, source: io::Error) -> AttachError {
    AttachError::Process {
        pid: target.pid,
        what: traced::MAY_NOT,
        source,
    }
}
