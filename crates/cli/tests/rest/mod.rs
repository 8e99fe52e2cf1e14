//! Programs that say `ready` and rest until they are told to end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// One of them; it is ended with this.
pub struct AtRest(Child);

impl Drop for AtRest {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl AtRest {
    /// Starts a program and waits until it rests.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line.trim(), "ready");
        Self(child)
    }

    pub fn pid(&self) -> String {
        self.0.id().to_string()
    }

    /// Asks for a capture, and waits until it has come.
    pub fn capture(&self, has_come: impl Fn() -> bool) {
        let sent = Command::new("kill")
            .args(["-USR2", &self.pid()])
            .status()
            .unwrap();
        assert!(sent.success());
        let began = Instant::now();
        while !has_come() {
            assert!(began.elapsed() < Duration::from_secs(30), "no capture came");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Tells it to end, which it does well.
    pub fn end(mut self) {
        self.0.stdin.take().unwrap().write_all(b"\n").unwrap();
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
    }
}
