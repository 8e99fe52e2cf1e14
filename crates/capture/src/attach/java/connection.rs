//! The machine's own door: a socket that it opens when it is asked to, by a file and a signal.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, chown};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::super::AttachError;
use super::super::target::Target;
use super::performance::Counters;

/// How long the machine may take to open its socket: it does so at its next safepoint.
const PATIENCE: Duration = Duration::from_secs(20);

/// The version of what is spoken; machines of all versions know it.
const PROTOCOL: &str = "1";

/// Arguments that each command has, empty ones included.
const ARGUMENTS: usize = 3;

/// Whether the machine may be asked: one that does not listen writes the stacks of its threads to its output instead, and one
/// without a handler for the signal dies of it.
pub(super) fn allow(target: &Target) -> Result<(), AttachError> {
    let refuses = |why: &str| {
        Err(AttachError::Refused {
            pid: target.pid,
            why: why.to_owned(),
        })
    };
    if has_option(target, "-XX:+DisableAttachMechanism")
        || Counters::of(target).is_some_and(|it| it.listens() == Some(false))
    {
        return refuses(
            "it was started with -XX:+DisableAttachMechanism; without it, or with `deadweight run`, it can be captured",
        );
    }
    if !target.catches(Signal::SIGQUIT as i32) {
        return refuses(
            "it has no handler for SIGQUIT, by which it is asked: it was started with -Xrs, or is about to end",
        );
    }
    Ok(())
}

fn has_option(target: &Target, option: &str) -> bool {
    let has = |name| {
        let text = fs::read(target.proc(name)).unwrap_or_default();
        let mut words = text.split(|byte| *byte == 0 || byte.is_ascii_whitespace() || *byte == b'=');
        words.any(|word| word == option.as_bytes())
    };
    has("cmdline") || has("environ")
}

/// One connection takes one command.
pub(super) struct Connection<'t> {
    stream: UnixStream,
    target: &'t Target,
}

impl<'t> Connection<'t> {
    pub fn to(target: &'t Target) -> Result<Self, AttachError> {
        let socket = target
            .proc("root/tmp")
            .join(format!(".java_pid{}", target.own_pid()));
        let is_open = || fs::metadata(&socket).is_ok_and(|file| file.file_type().is_socket());
        if !is_open() {
            let _asked = Request::of(target)?;
            let start = Instant::now();
            while !is_open() {
                if start.elapsed() > PATIENCE {
                    return Err(AttachError::Refused {
                        pid: target.pid,
                        why: format!("it opened no socket within {} seconds", PATIENCE.as_secs()),
                    });
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let stream = UnixStream::connect(&socket).map_err(broken(target, "its socket cannot be reached"))?;
        Ok(Self { stream, target })
    }

    /// What the machine answers.
    pub fn ask(mut self, command: &[&str], patience: Duration) -> Result<String, AttachError> {
        let empty = std::iter::repeat_n("", ARGUMENTS + 1 - command.len());
        let words = [PROTOCOL].into_iter().chain(command.iter().copied()).chain(empty);
        let mut request = Vec::new();
        for word in words {
            request.extend(word.as_bytes());
            request.push(0);
        }
        let broken = || broken(self.target, "it does not answer");
        self.stream.set_read_timeout(Some(patience)).map_err(broken())?;
        self.stream.write_all(&request).map_err(broken())?;
        let mut answer = Vec::new();
        self.stream.read_to_end(&mut answer).map_err(broken())?;
        let answer = String::from_utf8_lossy(&answer);
        let (status, text) = answer.split_once('\n').unwrap_or((&answer, ""));
        if status == "0" {
            return Ok(text.to_owned());
        }
        let first = text.lines().next().unwrap_or_default();
        Err(AttachError::Refused {
            pid: self.target.pid,
            why: format!("it answers {:?} to {} ({status})", first, command[0]),
        })
    }
}

fn broken(target: &Target, what: &'static str) -> impl FnOnce(io::Error) -> AttachError {
    let pid = target.pid;
    move |source| AttachError::Process { pid, what, source }
}

/// The file that has the machine open its socket, removed with this.
struct Request(PathBuf);

impl Request {
    fn of(target: &Target) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", target.own_pid());
        let make = |place: &str| -> io::Result<Self> {
            let path = target.proc(place).join(&name);
            File::create(&path)?;
            let request = Self(path);
            let (user, group) = target.user();
            if user != rustix::process::geteuid().as_raw() {
                // The machine follows nobody else.
                chown(&request.0, Some(user), Some(group))?;
            }
            Ok(request)
        };
        let request = make("cwd").or_else(|_| make("root/tmp"));
        let request = request.map_err(broken(target, "the file that asks it to listen cannot be made"))?;
        kill(Pid::from_raw(target.pid.cast_signed()), Signal::SIGQUIT)
            .map_err(|error| broken(target, "it cannot be sent a signal")(error.into()))?;
        Ok(request)
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
