//! Real programs on real Node, from plan to outcome. The binaries come from `DEADWEIGHT_TEST_NODES`, separated like
//! the entries of `PATH`; without it, it is the `node` on the path.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use deadweight_capture::{CaptureError, Plan, Runtime, Status, Trigger, read_captures, run};
use deadweight_sidecar::Reason;
use tempfile::TempDir;

fn nodes() -> Vec<PathBuf> {
    match env::var_os("DEADWEIGHT_TEST_NODES") {
        Some(nodes) => env::split_paths(&nodes)
            .filter(|path| !path.as_os_str().is_empty())
            .collect(),
        None => vec![PathBuf::from("node")],
    }
}

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::Builder::new().prefix("dead weight ").tempdir().unwrap())
    }

    fn captures(&self) -> PathBuf {
        self.0.path().join("captures here")
    }

    fn program(&self, name: &str, source: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, source).unwrap();
        path
    }

    fn plan(&self, program: impl IntoIterator<Item = impl Into<OsString>>) -> Plan {
        Plan {
            snapshot: false,
            ..Plan::new(program, self.captures())
        }
    }
}

fn plan_for(home: &Home, node: &Path, source: &str) -> Plan {
    home.plan([node.to_owned(), home.program("program.cjs", source)])
}

#[test]
fn a_program_is_captured_with_its_snapshot_and_buffers() {
    for node in nodes() {
        let home = Home::new();
        let source = "globalThis.kept = [Buffer.alloc(1e6), Buffer.alloc(1e6)]; process.exitCode = 3";
        let plan = Plan {
            snapshot: true,
            ..plan_for(&home, &node, source)
        };
        let outcome = run(&plan).unwrap();
        assert_eq!(outcome.status, Status::Code(3));
        assert!(outcome.unusable.is_empty(), "{:?}", outcome.unusable);
        assert_eq!(outcome.runtime, Some(Runtime::Node));
        let [capture] = outcome.captures.as_slice() else {
            panic!("one capture is expected")
        };
        assert_eq!(capture.record.process.reason, Reason::Exit);
        assert_eq!(capture.record.runtime.name, "node");
        assert!(capture.record.process.heap_used > 1_000_000);
        let snapshot = capture.record.snapshot.as_ref().unwrap();
        assert!(snapshot.numeric_values);
        assert_eq!(snapshot.string_limit, 1 << 20);
        let size = fs::metadata(capture.snapshot_path().unwrap()).unwrap().len();
        assert_eq!(snapshot.bytes, Some(size));
        let rows = capture.buffer_rows().unwrap().unwrap();
        let zeros: Vec<_> = rows.iter().filter(|row| row.bytes == 1_000_000).collect();
        assert_eq!(zeros.len(), 2);
        assert_eq!(zeros[0].hash, zeros[1].hash);
        assert_eq!(zeros[0].zero_bytes, 1_000_000);
        assert_eq!(
            fs::metadata(&capture.directory).unwrap().permissions().mode() & 0o777,
            0o700
        );
        assert_eq!(read_captures(&home.captures()).unwrap().len(), 1);
    }
}

#[test]
fn containers_are_counted_or_left_alone() {
    let node = &nodes()[0];
    let source = "globalThis.kept = Array.from({ length: 100 }, (_, i) => [new Map([[i, i]]), [1.5, i]])";
    for tables in [true, false] {
        let home = Home::new();
        let plan = Plan {
            snapshot: true,
            tables,
            ..plan_for(&home, node, source)
        };
        let outcome = run(&plan).unwrap();
        let [capture] = outcome.captures.as_slice() else {
            panic!("one capture is expected")
        };
        let counts = capture.table_counts().unwrap();
        let lengths = capture.array_counts().unwrap();
        assert_eq!((counts.is_some(), lengths.is_some()), (tables, tables));
        if let (Some(counts), Some(lengths)) = (counts, lengths) {
            assert!(counts.iter().filter(|&&count| count == 1).count() >= 100);
            assert!(lengths.iter().filter(|&&length| length == 2).count() >= 100);
            assert!(capture.record.tables.as_ref().unwrap().complete);
        }
    }
}

#[test]
fn a_death_by_signal_is_passed_on() {
    for node in nodes() {
        let home = Home::new();
        let source = "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)";
        let outcome = run(&plan_for(&home, &node, source)).unwrap();
        assert_eq!(outcome.status, Status::Signal(15));
        assert_eq!(outcome.status.exit_code(), 143);
        assert_eq!(outcome.captures.len(), 1);
        assert_eq!(outcome.captures[0].record.process.reason, Reason::Signal);
    }
}

#[test]
fn a_threshold_is_a_trigger() {
    for node in nodes() {
        let home = Home::new();
        let source = "globalThis.kept = Buffer.alloc(80e6, 1); setTimeout(() => {}, 1000)";
        let when: Trigger = "external>50MB".parse().unwrap();
        let poll = Duration::from_millis(20);
        let plan = Plan {
            when: vec![when],
            poll,
            ..plan_for(&home, &node, source)
        };
        let outcome = run(&plan).unwrap();
        assert_eq!(outcome.captures.len(), 1);
        assert_eq!(
            outcome.captures[0].record.process.trigger.as_deref(),
            Some("external>50000000")
        );
    }
}

#[test]
fn wrappers_let_the_recorder_through() {
    let node = &nodes()[0];
    let home = Home::new();
    let program = home.program("inner.cjs", "process.exit(6)");
    let line = format!("'{}' '{}'; exit $?", node.display(), program.display());
    let outcome = run(&home.plan(["sh", "-c", &line])).unwrap();
    assert_eq!(outcome.status, Status::Code(6));
    assert_eq!(outcome.runtime, None);
    assert_eq!(outcome.captures.len(), 1);
    let name = outcome.captures[0]
        .directory
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    assert!(name.starts_with("inner-"), "{name}");
}

#[test]
fn children_are_captured_or_left_out() {
    let node = &nodes()[0];
    let source = "globalThis.kept = Buffer.alloc(30e6); require('node:child_process').execFileSync(process.execPath, ['-e', ''])";
    let home = Home::new();
    let outcome = run(&plan_for(&home, node, source)).unwrap();
    assert_eq!(outcome.captures.len(), 2);
    assert!(outcome.largest().unwrap().record.process.external > 30_000_000);

    let home = Home::new();
    let outcome = run(&Plan {
        children: false,
        ..plan_for(&home, node, source)
    })
    .unwrap();
    assert_eq!(outcome.captures.len(), 1);
    assert!(outcome.captures[0].record.process.external > 30_000_000);
}

#[test]
fn a_program_without_a_recorder_just_runs() {
    let home = Home::new();
    let outcome = run(&home.plan(["sh", "-c", "exit 4"])).unwrap();
    assert_eq!(outcome.status, Status::Code(4));
    assert!(outcome.captures.is_empty());
}

#[test]
fn captures_of_other_runs_are_left_alone() {
    let node = &nodes()[0];
    let home = Home::new();
    assert_eq!(run(&plan_for(&home, node, "")).unwrap().captures.len(), 1);
    assert_eq!(run(&plan_for(&home, node, "")).unwrap().captures.len(), 1);
    assert_eq!(read_captures(&home.captures()).unwrap().len(), 2);
}

#[test]
fn bad_plans_have_their_own_errors() {
    let home = Home::new();
    assert!(matches!(run(&home.plan([""; 0])), Err(CaptureError::NoProgram)));
    let nothing = Plan {
        when: Vec::new(),
        ..home.plan(["true"])
    };
    assert!(matches!(run(&nothing), Err(CaptureError::NoTrigger)));
    let missing = run(&home.plan(["/no such program"]));
    assert!(matches!(missing, Err(CaptureError::Start { .. })));
    let file = home.program("file", "");
    let blocked = Plan {
        directory: file.join("below"),
        ..home.plan(["true"])
    };
    assert!(matches!(run(&blocked), Err(CaptureError::Directory { .. })));
}

/// Set in the copy of this test that stands for `deadweight run`.
const INNER: &str = "DEADWEIGHT_TEST_INNER";

#[test]
fn signals_to_the_runner_reach_the_program() {
    let node = &nodes()[0];
    if let Some(directory) = env::var_os(INNER) {
        let home = PathBuf::from(directory);
        // A shell in front, which SIGUSR2 would kill.
        let line = format!(
            "'{}' '{}'; exit $?",
            node.display(),
            home.join("program.cjs").display()
        );
        let plan = Plan {
            snapshot: false,
            ..Plan::new(["sh", "-c", &line], home.join("captures"))
        };
        let outcome = run(&plan).unwrap();
        fs::write(
            home.join("outcome"),
            format!("{:?} {}", outcome.status, outcome.captures.len()),
        )
        .unwrap();
        return;
    }
    let home = Home::new();
    let path = home.0.path();
    home.program(
        "program.cjs",
        "const fs = require('node:fs');
         process.on('SIGUSR2', () => process.nextTick(() => process.exit(8)));
         fs.writeFileSync(__dirname + '/ready', '');
         setInterval(() => {}, 1000);",
    );
    let mut runner = Command::new(env::current_exe().unwrap())
        .args(["--exact", "signals_to_the_runner_reach_the_program"])
        .env(INNER, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !path.join("ready").exists() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the program did not start"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = runner.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-USR2", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(runner.wait().unwrap().success());
    assert_eq!(fs::read_to_string(path.join("outcome")).unwrap(), "Code(8) 2");
}

/// Set in the copy of the test below that is to die.
const IDLE: &str = "DEADWEIGHT_TEST_IDLE";

#[test]
fn signals_kill_the_runner_again_once_the_program_has_ended() {
    use std::os::unix::process::ExitStatusExt;

    if env::var_os(IDLE).is_some() {
        let home = Home::new();
        run(&home.plan(["true"])).unwrap();
        let pid = std::process::id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        std::thread::sleep(Duration::from_secs(20));
        return;
    }
    let status = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "signals_kill_the_runner_again_once_the_program_has_ended",
        ])
        .env(IDLE, "1")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.signal(), Some(15));
}
