//! Captures of real Python programs, by the `python3` that is found first.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deadweight_capture::{Outcome, Plan, Runtime, Status, run};
use deadweight_sidecar::Reason;

fn planned(home: &Path, program: &str) -> Plan {
    let file = home.join("program.py");
    fs::write(&file, program).unwrap();
    let mut plan = Plan::new(["python3".into(), file.into_os_string()], home.join("captures"));
    plan.poll = std::time::Duration::from_millis(20);
    plan
}

fn captured(home: &Path, program: &str) -> Outcome {
    run(&planned(home, program)).expect("these tests need Python")
}

fn reasons(outcome: &Outcome) -> Vec<Reason> {
    let captures = outcome.captures.iter();
    captures.map(|capture| capture.record.process.reason).collect()
}

fn dump(outcome: &Outcome, number: usize) -> Vec<u8> {
    fs::read(outcome.captures[number].snapshot_path().unwrap()).unwrap()
}

fn says(dump: &[u8], text: &str) -> bool {
    dump.windows(text.len()).any(|bytes| bytes == text.as_bytes())
}

#[test]
fn a_program_is_captured_at_its_end_and_ends_as_it_would() {
    let home = tempfile::tempdir().unwrap();
    let program = "class Thing:\n    def __init__(self, i): self.count, self.name = i, f'h\\u00e9llo {i % 3}'\n\
                   THINGS = [Thing(i) for i in range(10000)]\nimport sys\nprint(sys.argv)\nsys.exit(3)";
    let outcome = captured(home.path(), program);
    assert_eq!(
        (outcome.status, outcome.runtime),
        (Status::Code(3), Some(Runtime::Python))
    );
    assert_eq!(reasons(&outcome), [Reason::Exit], "{:?}", outcome.unusable);
    let capture = &outcome.captures[0];
    let record = &capture.record;
    assert_eq!(record.runtime.name, "python");
    assert!(record.process.heap_used > 1_000_000 && record.process.rss > record.process.heap_used / 2);
    for file in fs::read_dir(&capture.directory).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.path().display());
    }
    // The program stands still while its copy is made, and goes on while that writes.
    let cost = record.cost.as_ref().expect("what it cost");
    let pause = cost.pause_seconds.expect("how long it stood still");
    assert!(pause > 0.0 && pause < cost.seconds, "{cost:?}");
    let dump = dump(&outcome, 0);
    assert!(dump.starts_with(b"DWPYHEAP\x04\0\0\0") && dump.ends_with(b"DWPYDONE"));
    for text in ["h\u{e9}llo 2", "__main__.Thing", "THINGS"] {
        assert!(says(&dump, text), "{text}");
    }
}

/// pymalloc's map of arenas has a node of 128 KB for each 16 GB of addresses.
#[test]
fn a_heap_that_crosses_a_boundary_of_16_gb_holds_no_more() {
    let held = |first: &str, second: &str| {
        let home = tempfile::tempdir().unwrap();
        let program = format!(
            "import mmap\n\
             def reserve(): return mmap.mmap(-1, 16 << 30, 0x4022, mmap.PROT_READ)\n\
             EARLY = [[i] for i in range(50000)]\n{first}\n\
             LATE = [[i] for i in range(50000)]\n{second}\n"
        );
        captured(home.path(), &program).captures[0]
            .record
            .process
            .heap_used
    };
    let across = held("R = reserve()", "");
    let within = held("", "R = reserve()");
    assert!(across.abs_diff(within) < 16_384, "{across} and {within}");
}

#[test]
fn the_module_that_the_program_has_of_the_same_name_is_loaded() {
    let home = tempfile::tempdir().unwrap();
    let own = home.path().join("sitecustomize.py");
    fs::write(own, "LOADED = 'by the program'\n").unwrap();
    let program = format!(
        "import sys, subprocess, os\n\
         if len(sys.argv) == 1:\n\
        \x20   os.environ['PYTHONPATH'] += ':{}'\n\
        \x20   os.execv(sys.executable, [sys.executable, __file__, 'again'])\n\
         import sitecustomize\n\
         sys.exit(7 if sitecustomize.LOADED == 'by the program' else 1)",
        home.path().display()
    );
    let outcome = captured(home.path(), &program);
    assert_eq!(outcome.status, Status::Code(7));
    assert_eq!(reasons(&outcome), [Reason::Exit], "{:?}", outcome.unusable);
}

#[test]
fn a_signal_captures_what_functions_hold_and_the_program_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let program = "import os, signal, time\n\
                   def work():\n\
                  \x20   only_here = ['text of a local ' + str(i) for i in range(100)]\n\
                  \x20   os.kill(os.getpid(), signal.SIGUSR2)\n\
                  \x20   time.sleep(0.1)\n\
                   work()";
    let outcome = captured(home.path(), program);
    assert_eq!(reasons(&outcome), [Reason::Signal, Reason::Exit]);
    assert_eq!(outcome.status, Status::Code(0));
    let [during, after] = [dump(&outcome, 0), dump(&outcome, 1)];
    assert!(says(&during, "text of a local 99") && says(&during, "only_here"));
    assert!(!says(&after, "text of a local 99"));
}

/// What cannot be read as it should must not end the program, or change how it ends; nothing of the program is called.
#[test]
fn no_method_of_the_program_is_called() {
    let home = tempfile::tempdir().unwrap();
    let program = "import os\n\
                   called = []\n\
                   class Hostile:\n\
                  \x20   def __eq__(self, other): os._exit(90)\n\
                  \x20   def __hash__(self): return 1\n\
                  \x20   def __len__(self): os._exit(91)\n\
                  \x20   def __getattribute__(self, name): os._exit(92)\n\
                  \x20   def __sizeof__(self): os._exit(93)\n\
                  \x20   def __repr__(self): os._exit(94)\n\
                  \x20   __class__ = property(lambda self: os._exit(95))\n\
                   kept = [Hostile() for _ in range(1000)]\n\
                   table = {kept[0]: 1}\n\
                   nested = None\n\
                   for _ in range(100000): nested = [nested]\n\
                   cycle = []\n\
                   cycle.append(cycle)\n\
                   del cycle\n\
                   raise SystemExit(5)";
    let outcome = captured(home.path(), program);
    assert_eq!(outcome.status, Status::Code(5));
    assert_eq!(outcome.captures.len(), 1, "{:?}", outcome.unusable);
}

/// The recorder counts the allocator's blocks before and after a capture, and what it took for itself is little.
#[test]
fn a_capture_leaves_the_heap_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let program = "import os, signal, sys\n\
                   class Plain:\n\
                  \x20   def __init__(self, i): self.a, self.b = i, str(i)\n\
                   kept = [Plain(i) for i in range(10000)]\n\
                   def blocks():\n\
                  \x20   return sys.getallocatedblocks()\n\
                   counts = []\n\
                   for _ in range(3):\n\
                  \x20   os.kill(os.getpid(), signal.SIGUSR2)\n\
                  \x20   counts.append(blocks())\n\
                   sys.exit(0 if abs(counts[2] - counts[1]) < 100 else 1)";
    let outcome = captured(home.path(), program);
    assert_eq!(outcome.status, Status::Code(0));
    assert_eq!(outcome.captures.len(), 4, "{:?}", outcome.unusable);
}

#[test]
fn workers_of_a_pool_are_captured_apart() {
    let home = tempfile::tempdir().unwrap();
    let program = "import multiprocessing\n\
                   def work(number):\n\
                  \x20   global kept\n\
                  \x20   kept = [f'of worker {number} {i}' for i in range(1000)]\n\
                   if __name__ == '__main__':\n\
                  \x20   workers = [multiprocessing.get_context('fork').Process(target=work, args=(n,)) for n in range(2)]\n\
                  \x20   for worker in workers: worker.start()\n\
                  \x20   for worker in workers: worker.join()";
    let outcome = captured(home.path(), program);
    assert_eq!(outcome.status, Status::Code(0));
    assert_eq!(outcome.captures.len(), 3, "{:?}", outcome.unusable);
    for number in 0..2 {
        let text = format!("of worker {number} 999");
        let with = (0..3).filter(|at| says(&dump(&outcome, *at), &text)).count();
        assert_eq!(with, 1, "{text}");
    }
}

#[test]
fn an_interpreter_that_is_not_known_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let program = "import os, sys\n\
                   if len(sys.argv) == 1:\n\
                  \x20   os.environ['PYTHONMALLOC'] = 'debug'\n\
                  \x20   os.execv(sys.executable, [sys.executable, __file__, 'again'])\n\
                   sys.exit(4)";
    let outcome = captured(home.path(), program);
    assert_eq!(outcome.status, Status::Code(4));
    assert!(outcome.captures.is_empty());
}
