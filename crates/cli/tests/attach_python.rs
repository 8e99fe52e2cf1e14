//! Programs in Python that were started without a recorder and are weighed while they run, on every interpreter that
//! `DEADWEIGHT_PYTHONS` lists, else on `python3`.
#![cfg(target_os = "linux")]

mod pythons;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use deadweight_weighing::{Weighing, read};
use tempfile::TempDir;

/// Holds 40,000 names of 50 values; ends when there is a file, and prints which modules of the recorder are left.
const SERVER: &str = "
import os, sys, time
customers = [{'id': i, 'name': 'customer %d' % (i % 50)} for i in range(40000)]
print(int(hasattr(sys, 'remote_exec')), flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
print(sum('deadweight' in name for name in sys.modules), len(customers))
";

/// A program that runs until this is gone.
struct Running {
    child: Child,
    out: BufReader<ChildStdout>,
    home: TempDir,
    /// Whether scripts can be handed to its interpreter.
    takes_scripts: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Running {
    fn start(python: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("shop.py");
        fs::write(&program, SERVER).unwrap();
        let mut child = Command::new(python)
            .arg(program)
            .arg(home.path().join("end"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut running = Self {
            child,
            out,
            home,
            takes_scripts: false,
        };
        running.takes_scripts = running.line() == "1";
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
        Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args([
                "attach",
                &self.child.id().to_string(),
                "--format",
                "json",
                "--dir",
            ])
            .arg(self.captures())
            .args(more)
            .output()
            .unwrap()
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
        fs::write(self.home.path().join("end"), "").unwrap();
        self.line()
    }
}

#[test]
fn a_program_is_weighed_twice_and_goes_on_without_the_recorder() {
    for python in pythons::all() {
        let running = Running::start(&python);
        if !running.takes_scripts {
            continue;
        }
        for _ in 0..2 {
            let weighing = running.weigh();
            let mut findings = weighing.findings.iter();
            let found = findings.find(|finding| finding.rule == "D01").expect("the names");
            assert_eq!((found.count, found.holder.as_str()), (39_950, "{id, name}.name"));
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
        assert_eq!(running.end(), "0 40000", "{python}");
    }
}

#[test]
fn a_pause_that_is_too_long_is_not_begun() {
    for python in pythons::all() {
        let running = Running::start(&python);
        let output = running.attach(&["--max-pause", "0.01s"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let why = if running.takes_scripts {
            "--max-pause"
        } else {
            "older than CPython 3.14"
        };
        assert!(said.contains(why), "{python}: {said}");
        assert_eq!(running.end(), "0 40000", "{python}");
    }
}
