//! The program's own interpreter, started once more to hand over a script: both must be of one version.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::refused;
use crate::attach::AttachError;
use crate::attach::target::Target;

pub(super) struct Interpreter<'t> {
    target: &'t Target,
}

impl<'t> Interpreter<'t> {
    /// `None` where the program is another one with an interpreter in it, or one that cannot be asked.
    pub fn of(target: &'t Target) -> Option<Self> {
        let name = target.executable().file_name().unwrap_or_default();
        let interpreter = Self { target };
        let asks = "import sys; print(sys.implementation.name, hasattr(sys, 'remote_exec'))";
        let is_one = name.to_string_lossy().starts_with("python")
            && interpreter
                .said(&["-c", asks])
                .is_ok_and(|said| said == "cpython True");
        is_one.then_some(interpreter)
    }

    pub fn run(&self, script: &Path) -> Result<(), AttachError> {
        let pid = self.target.own_pid().to_string();
        let hands = "import sys; sys.remote_exec(int(sys.argv[1]), sys.argv[2])";
        let script = script.to_string_lossy();
        match self.said(&["-c", hands, &pid, &script]) {
            Ok(_) => Ok(()),
            Err(why) => Err(refused(self.target, why)),
        }
    }

    /// What it prints, or why it prints nothing.
    fn said(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self
            .command()
            .arg("-I")
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let said = text(&output.stderr);
        Err(said
            .lines()
            .last()
            .unwrap_or("it ended without a word")
            .to_owned())
    }

    /// Starts it where the program's files and the numbers of its processes are, and as the program's user: that user may
    /// have put anything in the interpreter's place.
    fn command(&self) -> Command {
        let (target, executable) = (self.target, self.target.executable());
        let (user, group) = target.user();
        if !target.is_apart("mnt") && !target.is_apart("pid") {
            let mut command = Command::new(executable);
            if user != rustix::process::geteuid().as_raw() {
                command.uid(user).gid(group);
            }
            return command;
        }
        let mut command = Command::new("nsenter");
        command
            .args(["--target", &target.pid.to_string(), "--mount", "--pid"])
            .args([
                "--setuid",
                &user.to_string(),
                "--setgid",
                &group.to_string(),
                "--",
            ])
            .arg(executable);
        command
    }
}
