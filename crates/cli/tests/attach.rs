//! Programs that were started without a recorder and are weighed while they run.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

use deadweight_weighing::{Weighing, read};
use tempfile::TempDir;

/// Holds 40,000 names of 50 values, and answers at a port that it prints.
const SERVER: &str = "
    globalThis.customers = Array.from({ length: 40000 }, (_, i) => ({ id: i, name: 'customer ' + (i % 50) }));
    const server = require('node:http').createServer((_, answer) => answer.end('at your service'));
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
";

/// A program of Node.js that runs until this is gone.
struct Running {
    child: Child,
    out: BufReader<ChildStdout>,
    err: Option<ChildStderr>,
    home: TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Running {
    fn start(options: &[&str], source: &str) -> Self {
        Self::start_by(&mut Command::new("node"), options, source)
    }

    fn start_by(command: &mut Command, options: &[&str], source: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("program.cjs");
        fs::write(&program, source).unwrap();
        let mut child = command
            .args(options)
            .arg(program)
            .env_remove("NODE_OPTIONS")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let err = child.stderr.take();
        Self {
            child,
            out,
            err,
            home,
        }
    }

    /// The next line that it prints.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn captures(&self) -> PathBuf {
        self.home.path().join("captures")
    }

    fn attach(&self, more: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args(["attach", &self.pid().to_string(), "--format", "json", "--dir"])
            .arg(self.captures())
            .args(more)
            .output()
            .unwrap()
    }

    /// What it holds, as its recorder says while it runs on.
    fn weigh(&self) -> Weighing {
        let output = self.attach(&["--max-pause", "300"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        read(&output.stdout).unwrap()
    }

    fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().count()
    }

    fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// All that it printed on standard error, once it has ended.
    fn end(mut self) -> String {
        self.child.kill().unwrap();
        let mut said = String::new();
        self.err.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }
}

fn served(port: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream
        .write_all(b"GET / HTTP/1.0\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn finds_the_names(weighing: &Weighing) {
    let found = weighing
        .findings
        .iter()
        .find(|finding| finding.rule == "D01")
        .expect("the names");
    assert_eq!((found.count, found.holder.as_str()), (39_950, "{id, name}.name"));
}

/// Waits until something is so, which it is soon.
fn soon(mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn a_server_is_weighed_goes_on_serving_and_closes_its_inspector() {
    let mut server = Running::start(&["--inspect-port=0"], SERVER);
    let port = server.line();
    served(&port);
    let before = server.descriptors();
    finds_the_names(&server.weigh());
    assert!(served(&port).ends_with("at your service"));
    assert!(
        soon(|| server.descriptors() <= before),
        "{before} descriptors became {}",
        server.descriptors()
    );
    // And once more: nothing of the first time is in the way.
    finds_the_names(&server.weigh());
    assert_eq!(fs::read_dir(server.captures()).unwrap().count(), 2);
    let said = server.end();
    // It opened anew for the second time, and the recorder said nothing.
    assert_eq!(said.matches("Debugger listening").count(), 2, "{said}");
    assert!(!said.contains("deadweight"), "{said}");
}

#[test]
fn an_inspector_that_was_open_stays_open() {
    let mut server = Running::start(&["--inspect=127.0.0.1:0"], SERVER);
    server.line();
    let before = server.descriptors();
    for _ in 0..2 {
        finds_the_names(&server.weigh());
        assert!(soon(|| server.descriptors() == before));
    }
    let said = server.end();
    assert_eq!(said.matches("Debugger listening").count(), 1, "{said}");
}

#[test]
fn a_program_that_never_rests_is_weighed() {
    let source =
        format!("{SERVER}\nconsole.log('at work'); for (;;) globalThis.turns = (globalThis.turns | 0) + 1;");
    let mut busy = Running::start(&["--inspect-port=0"], &source);
    assert_eq!(busy.line(), "at work");
    finds_the_names(&busy.weigh());
    assert!(busy.is_alive());
}

#[test]
fn a_module_is_weighed() {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("program.mjs");
    let source = SERVER.replace("require('node:http')", "(await import('node:http'))");
    fs::write(&program, source).unwrap();
    let mut server = Running::start(
        &["--inspect-port=0", "--import", program.to_str().unwrap()],
        "setInterval(() => {}, 1000)",
    );
    server.line();
    finds_the_names(&server.weigh());
}

#[test]
fn a_pause_that_is_too_long_is_not_begun() {
    let mut server = Running::start(&["--inspect-port=0"], SERVER);
    server.line();
    let before = server.descriptors();
    let output = server.attach(&["--max-pause", "0.01s"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--max-pause"), "{said}");
    assert_eq!(fs::read_dir(server.captures()).unwrap().count(), 0);
    assert!(soon(|| server.descriptors() == before));
}

#[test]
fn a_program_with_its_own_handler_is_left_alone() {
    let source = format!("process.on('SIGUSR1', () => console.log('mine'));\n{SERVER}");
    let mut server = Running::start(&["--inspect-port=0"], &source);
    let port = server.line();
    let output = server.attach(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("handles that signal itself"), "{said}");
    assert_eq!(server.line(), "mine");
    assert!(served(&port).ends_with("at your service"));
}

#[test]
fn what_cannot_be_asked_is_left_alone() {
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    // A process that has the name of Node.js, but nothing of it.
    let home = tempfile::tempdir().unwrap();
    let node = home.path().join("node");
    // By a process of its own: what this one has open for writing, a child of another test may have open when it is run.
    let copied = Command::new("cp").arg("/bin/sleep").arg(&node).status();
    assert!(copied.unwrap().success());
    let mut false_node = Command::new(&node).arg("60").spawn().unwrap();
    let attach = |pid: u32| {
        let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args(["attach", &pid.to_string()])
            .current_dir(home.path())
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, said) = attach(false_node.id());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no handler for SIGUSR1"), "{said}");
    let (code, said) = attach(sleeper.id());
    // A native program is looked at from outside.
    assert_eq!(code, Some(0), "{said}");
    for program in [&mut sleeper, &mut false_node] {
        assert!(program.try_wait().unwrap().is_none());
        program.kill().unwrap();
        program.wait().unwrap();
    }
    let (code, said) = attach(sleeper.id());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("there is none"), "{said}");
}

#[test]
fn what_an_open_inspector_shows_is_weighed() {
    let mut server = Running::start(&["--inspect=127.0.0.1:0"], SERVER);
    server.line();
    let mut said = BufReader::new(server.err.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line.split("ws://").nth(1).unwrap().trim();
    let authority = address.split('/').next().unwrap();
    for address in [
        format!("ws://{address}"),
        format!("http://{authority}"),
        authority.to_owned(),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args(["attach", "--format", "json", "--cdp", &address])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{address}: {errors}");
        finds_the_names(&read(&output.stdout).unwrap());
    }
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["attach", "--cdp", "127.0.0.1:1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Another network, other files and another user, as in a container. Needs the right to make namespaces.
#[test]
fn a_program_in_namespaces_of_its_own_is_weighed() {
    let namespaces = ["--net", "--mount", "--pid", "--fork", "--mount-proc"];
    let may = Command::new("unshare").args(namespaces).arg("true").output();
    if !may.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: namespaces may not be made here");
        return;
    }
    // Its /tmp is its own, too, and it runs as nobody.
    let script = "ip link set lo up 2>/dev/null || ifconfig lo up; mount -t tmpfs none /tmp; cat > /tmp/program.cjs; \
                  exec setpriv --reuid 65534 --regid 65534 --clear-groups node --inspect-port=0 /tmp/program.cjs";
    let home = tempfile::tempdir().unwrap();
    let mut unshare = Command::new("unshare")
        .args(namespaces)
        .args(["sh", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    unshare
        .stdin
        .take()
        .unwrap()
        .write_all(SERVER.as_bytes())
        .unwrap();
    let mut port = String::new();
    BufReader::new(unshare.stdout.take().unwrap())
        .read_line(&mut port)
        .unwrap();
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", unshare.id())).unwrap();
    let pid = children.split_ascii_whitespace().next().expect("a child");
    let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["attach", pid, "--format", "json", "--max-pause", "300", "--dir"])
        .arg(home.path().join("captures"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let left = fs::read_dir(format!("/proc/{pid}/root/tmp")).unwrap().count();
    unshare.kill().unwrap();
    Command::new("kill").args(["-9", pid]).status().unwrap();
    unshare.wait().unwrap();
    assert!(output.status.success(), "{said}");
    finds_the_names(&read(&output.stdout).unwrap());
    assert_eq!(left, 1, "the program alone is left");
}
