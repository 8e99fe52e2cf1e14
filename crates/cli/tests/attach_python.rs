//! Programs in Python that were started without a recorder and are weighed while they run, on every interpreter that
//! `DEADWEIGHT_PYTHONS` lists, else on `python3`.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod pythons;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use deadweight_weighing::{Weighing, read};
use tempfile::TempDir;

/// Holds 40,000 names of 50 values. What its main thread does stands before, as `main`, which ends when a line comes. In the end it
/// prints what is left of the recorder: modules, names of its own, and pages that can be executed and belong to no file.
const SHOP: &str = "
import sys
customers = [{'id': i, 'name': 'customer %d' % (i % 50)} for i in range(40000)]
names = set(globals()) | {'names'}
print('ready', flush=True)
result = main()
with open('/proc/self/maps') as pages:
    pages = [line.split() for line in pages]
pages = sum(len(page) == 5 and 'x' in page[1] for page in pages)
modules = sum('deadweight' in name for name in sys.modules)
print(result, len(customers), modules, sorted(set(globals()) - names - {'result', 'pages', 'modules'}), pages, flush=True)
";
const AS_IT_WAS: &str = "40000 0 [] 0";

/// Runs Python all the time.
const TURNS: &str = "
import select, sys
def main():
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        pass
    return 'turned'
";

/// Waits in C for as long as no line comes, while another thread waits, too.
const WAITS: [(&str, &str); 3] = [
    (
        "selected",
        "
import select, sys
def main():
    select.select([sys.stdin], [], [])
    return 'selected'
",
    ),
    (
        "read",
        "
import os, threading
def main():
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    os.read(0, 1)
    return 'read'
",
    ),
    (
        "joined",
        "
import sys, threading
def main():
    reader = threading.Thread(target=sys.stdin.readline)
    reader.start()
    reader.join()
    return 'joined'
",
    ),
];

/// Computes, in four threads, while a signal comes 1,000 times a second. A register that is not what it was makes a wrong sum.
const COMPUTES: &str = "
import hashlib, math, select, signal, sys, threading
def work():
    while True:
        hashlib.sha256(b'x' * 100000).digest()
def one():
    return sum(math.sin(i) * math.cos(i) for i in range(300))
def main():
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    right, wrong = one(), 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        wrong += one() != right
    signal.setitimer(signal.ITIMER_REAL, 0)
    return wrong
";

/// A program that runs until this is gone.
struct Running {
    child: Child,
    stdin: ChildStdin,
    out: BufReader<ChildStdout>,
    home: TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Running {
    fn start(python: &str, main: &str) -> Self {
        Self::start_with(python, main, |command| command)
    }

    fn start_with(python: &str, main: &str, with: impl Fn(&mut Command) -> &mut Command) -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("shop.py");
        fs::write(&program, format!("{main}{SHOP}")).unwrap();
        let mut command = Command::new(python);
        command.arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = with(&mut command).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let stdin = child.stdin.take().unwrap();
        let mut running = Self {
            child,
            stdin,
            out,
            home,
        };
        assert_eq!(running.line(), "ready");
        running
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn captures(&self) -> PathBuf {
        self.home.path().join("captures")
    }

    fn attach(&self, more: &[&str]) -> Output {
        attach(self.child.id(), &self.captures(), more)
    }

    /// Why it is not captured.
    fn refused(&self, more: &[&str]) -> String {
        let output = self.attach(more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        said
    }

    fn weigh(&self) -> Weighing {
        let output = self.attach(&[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        read(&output.stdout).unwrap()
    }

    /// What it prints at its end, once nothing of the recorder is at work.
    fn end(mut self) -> String {
        std::thread::sleep(std::time::Duration::from_millis(200));
        writeln!(self.stdin).unwrap();
        self.line()
    }
}

fn attach(pid: u32, captures: &std::path::Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["attach", &pid.to_string(), "--format", "json", "--dir"])
        .arg(captures)
        .args(more)
        .output()
        .unwrap()
}

fn finds_the_names(weighing: &Weighing) {
    let mut findings = weighing.findings.iter();
    let found = findings.find(|finding| finding.rule == "D01").expect("the names");
    assert_eq!((found.count, found.holder.as_str()), (39_950, "{id, name}.name"));
}

/// Whether an interpreter has a way of its own to take scripts from outside, which it can refuse.
fn takes_scripts(python: &str) -> bool {
    let asks = ["-c", "import sys; print(hasattr(sys, 'remote_exec'))"];
    Command::new(python).args(asks).output().unwrap().stdout == b"True\n"
}

#[test]
fn a_program_is_weighed_twice_and_goes_on_without_the_recorder() {
    for python in pythons::all() {
        let running = Running::start(&python, TURNS);
        for _ in 0..2 {
            finds_the_names(&running.weigh());
        }
        let captures = fs::read_dir(running.captures()).unwrap().flatten();
        let mut names: Vec<_> = captures
            .map(|entry| entry.file_name().into_string().unwrap())
            .filter(|name| name != ".gitignore")
            .collect();
        names.sort();
        let pid = running.child.id();
        assert_eq!(
            names,
            [1, 2].map(|number| format!("shop-{pid}-{number}.deadweight"))
        );
        assert_eq!(running.end(), format!("turned {AS_IT_WAS}"), "{python}");
    }
}

#[test]
fn a_program_that_waits_in_c_is_weighed_and_goes_on_waiting() {
    for python in pythons::all() {
        for (result, main) in WAITS {
            let running = Running::start(&python, main);
            finds_the_names(&running.weigh());
            assert_eq!(running.end(), format!("{result} {AS_IT_WAS}"), "{python}");
        }
    }
}

#[test]
fn a_program_that_computes_amid_signals_computes_the_same() {
    for python in pythons::all() {
        let running = Running::start(&python, COMPUTES);
        for _ in 0..5 {
            finds_the_names(&running.weigh());
        }
        assert_eq!(running.end(), format!("0 {AS_IT_WAS}"), "{python}");
    }
}

#[test]
fn a_pause_that_is_too_long_is_not_begun() {
    for python in pythons::all() {
        let running = Running::start(&python, TURNS);
        let said = running.refused(&["--max-pause", "0.01s"]);
        assert!(said.contains("--max-pause"), "{python}: {said}");
        assert_eq!(running.end(), format!("turned {AS_IT_WAS}"), "{python}");
    }
}

#[test]
fn an_interpreter_that_takes_no_scripts_is_left_alone() {
    for python in pythons::all().into_iter().filter(|python| takes_scripts(python)) {
        let running = Running::start_with(&python, TURNS, |command| {
            command.env("PYTHON_DISABLE_REMOTE_DEBUG", "1")
        });
        let said = running.refused(&[]);
        assert!(
            said.contains("Remote debugging is not enabled"),
            "{python}: {said}"
        );
        assert_eq!(running.end(), format!("turned {AS_IT_WAS}"), "{python}");
    }
}

#[test]
fn a_program_that_is_stopped_stays_stopped() {
    for python in pythons::all().into_iter().filter(|python| !takes_scripts(python)) {
        let running = Running::start(&python, TURNS);
        let pid = running.child.id().to_string();
        let signal = |name: &str| Command::new("kill").args([name, &pid]).status().unwrap();
        signal("-STOP");
        let said = running.refused(&[]);
        assert!(said.contains("it is stopped"), "{python}: {said}");
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        assert!(status.contains("State:\tT"), "{status}");
        signal("-CONT");
        assert_eq!(running.end(), format!("turned {AS_IT_WAS}"), "{python}");
    }
}

/// Other files and another user, as in a container. Needs the right to make namespaces.
#[test]
fn a_program_in_namespaces_of_its_own_is_weighed() {
    let namespaces = ["--mount", "--pid", "--fork", "--mount-proc"];
    let may = Command::new("unshare").args(namespaces).arg("true").output();
    let python = "/usr/bin/python3";
    if !may.is_ok_and(|output| output.status.success()) || !std::path::Path::new(python).exists() {
        eprintln!("skipped: namespaces may not be made here, or there is no {python}");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    // Its /tmp is its own, too, and it runs as nobody. Its standard input is what it waits for.
    let script = format!(
        "mount -t tmpfs none /tmp; printf '%s' \"$PROGRAM\" > /tmp/shop.py; \
         exec setpriv --reuid 65534 --regid 65534 --clear-groups {python} /tmp/shop.py"
    );
    let mut unshare = Command::new("unshare")
        .args(namespaces)
        .args(["sh", "-c", &script])
        .env("PROGRAM", format!("{}{SHOP}", WAITS[0].1))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(unshare.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", unshare.id())).unwrap();
    let pid = children.split_ascii_whitespace().next().expect("a child");
    let output = attach(pid.parse().unwrap(), &home.path().join("captures"), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let left = fs::read_dir(format!("/proc/{pid}/root/tmp")).unwrap().count();
    writeln!(unshare.stdin.take().unwrap()).unwrap();
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    unshare.wait().unwrap();
    assert!(output.status.success(), "{said}");
    finds_the_names(&read(&output.stdout).unwrap());
    assert_eq!(left, 1, "the program alone is left");
    assert_eq!(line.trim(), format!("selected {AS_IT_WAS}"));
}
