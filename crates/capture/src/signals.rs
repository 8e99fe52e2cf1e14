//! Signals that reach this process instead of the program.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, getppid, kill_process};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR2},
    iterator::{
        Handle, SignalsInfo,
        exfiltrator::{WithOrigin, origin::Origin},
    },
    low_level::siginfo::Cause,
};

use crate::{family::catching, idle::Busy, journal::Journal};

const SIGNALS: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGUSR2];

/// The program, while it runs, and what its recorders tell.
#[derive(Default)]
struct Aim {
    program: Option<Pid>,
    journal: Option<Journal>,
}

type Target = Arc<Mutex<Aim>>;

/// Passes signals on for as long as it lives.
///
/// What the terminal sends (Ctrl-C, a hang-up) goes to the whole foreground group and has reached the program
/// already; passing it on would make it arrive twice. So would what a launcher in front of this process, which got it
/// as well, passes on to it.
pub(crate) struct Forwarding {
    target: Target,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
    _busy: Busy,
}

impl Forwarding {
    /// From here on this process does not die of the signals. Those that arrive before there is a target are lost.
    pub(crate) fn start(journal: Option<&Journal>) -> io::Result<Self> {
        let busy = Busy::start(&SIGNALS)?;
        let mut signals = SignalsInfo::<WithOrigin>::new(SIGNALS)?;
        let handle = signals.handle();
        let journal = journal.map(Journal::again).transpose()?;
        let target = Arc::new(Mutex::new(Aim {
            program: None,
            journal,
        }));
        let shared = Arc::clone(&target);
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut terminal = Terminal::default();
            for origin in &mut signals {
                if !terminal.sent(&origin, Instant::now()) {
                    forward(&origin, &shared);
                }
            }
        })?;
        Ok(Self {
            target,
            handle,
            thread: Some(thread),
            _busy: busy,
        })
    }

    /// Names the program, or nobody once it has ended: its id may then belong to another process.
    pub(crate) fn aim(&self, program: Option<Pid>) {
        self.target.lock().unwrap_or_else(PoisonError::into_inner).program = program;
    }
}

impl Forwarding {
    /// Has the program and what it started captured, as SIGUSR2 to this process does.
    pub(crate) fn ask(&self) {
        let target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        send(&target, Signal::USR2);
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // The thread only ends; there is nothing to learn from how.
            let _ = thread.join();
        }
    }
}

/// How long a launcher may take to pass on what it got from the terminal.
const ECHO: Duration = Duration::from_secs(1);

/// What the terminal sent, and when.
#[derive(Default)]
struct Terminal {
    heard: Vec<(i32, Instant)>,
}

impl Terminal {
    /// Whether a signal is from the terminal: sent by the kernel, or by the parent that had it from there.
    fn sent(&mut self, origin: &Origin, now: Instant) -> bool {
        self.heard.retain(|(_, at)| now.duration_since(*at) <= ECHO);
        if matches!(origin.cause, Cause::Kernel) {
            self.heard.push((origin.signal, now));
            return true;
        }
        let sender = origin.process.as_ref().map(|process| process.pid);
        let parent = getppid().map(|parent| parent.as_raw_nonzero().get());
        sender.is_some() && sender == parent && self.heard.iter().any(|(signal, _)| *signal == origin.signal)
    }
}

fn forward(origin: &Origin, target: &Target) {
    let Some(signal) = Signal::from_named_raw(origin.signal) else {
        return;
    };
    let target = target.lock().unwrap_or_else(PoisonError::into_inner);
    send(&target, signal);
}

fn send(aim: &Aim, signal: Signal) {
    let Some(program) = aim.program else { return };
    if signal == Signal::USR2 {
        // It would kill a shell or package manager in front of the program. npx handles it, and dies of it all the same.
        let entries = aim.journal.as_ref().and_then(|journal| journal.entries().ok());
        let launchers = entries.unwrap_or_default().launchers;
        let is_launcher = |process: &Pid| launchers.contains(&process.as_raw_nonzero().get().cast_unsigned());
        let asked = catching(program, signal).into_iter();
        for process in asked.filter(|process| !is_launcher(process)) {
            let _ = kill_process(process, signal);
        }
    } else {
        // It may just have ended.
        let _ = kill_process(program, signal);
    }
}
