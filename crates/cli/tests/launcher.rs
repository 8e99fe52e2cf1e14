//! The script that npm's package starts the binary with, on a terminal. Needs Node.js, and `script` of util-linux.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// Ends with the number of times that it was interrupted.
const PROGRAM: &str = "
let heard = 0;
process.on('SIGINT', () => {
  heard += 1;
  if (heard === 1) setTimeout(() => process.exit(heard), 700);
});
setInterval(() => {}, 1000);
console.log('ready');
";

/// Starts the program behind the launcher on a terminal, sends what `interrupt` sends once it is ready, and says how often it
/// heard of it.
fn heard(interrupt: impl FnOnce(&mut dyn Write, u32)) -> Option<i32> {
    let home = tempfile::tempdir().unwrap();
    let processor = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    let binary = home.path().join(format!("@deadweight/linux-{processor}/bin"));
    fs::create_dir_all(&binary).unwrap();
    symlink(env!("CARGO_BIN_EXE_deadweight"), binary.join("deadweight")).unwrap();
    fs::write(home.path().join("program.cjs"), PROGRAM).unwrap();
    let launcher = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/npm/deadweight.js");
    let command = format!(
        "exec node '{}' run --no-snapshot -- node program.cjs",
        launcher.display()
    );
    let mut terminal = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(home.path())
        .env("NODE_PATH", home.path())
        .env("SHELL", "/bin/sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux");
    let mut keys = terminal.stdin.take().unwrap();
    let mut screen = terminal.stdout.take().unwrap();
    let mut shown = Vec::new();
    let mut piece = [0; 256];
    while !String::from_utf8_lossy(&shown).contains("ready") {
        let read = screen.read(&mut piece).unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&shown));
        shown.extend_from_slice(&piece[..read]);
    }
    let id = terminal.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    interrupt(&mut keys, children.trim().parse().unwrap());
    screen.read_to_end(&mut shown).unwrap();
    terminal.wait().unwrap().code()
}

#[test]
fn ctrl_c_reaches_the_program_once() {
    assert_eq!(heard(|keys, _| keys.write_all(b"\x03").unwrap()), Some(1));
}

#[test]
fn what_is_sent_to_the_launcher_alone_reaches_the_program() {
    let sent = |_: &mut dyn Write, launcher: u32| {
        let killed = Command::new("kill")
            .args(["-INT", &launcher.to_string()])
            .status();
        assert!(killed.unwrap().success());
    };
    assert_eq!(heard(sent), Some(1));
}
