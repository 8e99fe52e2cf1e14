//! What real Python programs make, against what the interpreter says of the same objects, on every interpreter at hand.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

mod made;
mod pythons;

use made::{Ran, near, recorded, recorded_by};

/// All bytes of a record.
fn bytes_of(record: &Path) -> u64 {
    let text = fs::read_to_string(record).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["row"]["bytes"].as_u64()).sum()
}

/// A line for each thing that is made, and what the interpreter charges for it: `print(line, count, bytes)`.
const KNOWN: &str = r#"
import sys
class Point:
    __slots__ = ("x", "y")
    def __init__(self, x):
        self.x = x
N = 3000
def up(size): return -(-size // 16) * 16
def texts(n, k):
    for i in range(n):
        s = "x" * k
    return s
def large(n, k):
    for i in range(n):
        s = b"x" * k
    return s
def points(n):
    for i in range(n):
        p = Point(i)
    return p
def sets(n):
    for i in range(n):
        s = {1, 2, 3, 4, 5, i}
    return s
def lists(n, k):
    for i in range(n):
        s = [None] * k
    return s
def kept(n, k):
    all = []
    for i in range(n):
        all.append("y" * k)
    return all
s = texts(N, 100)
print(11, N, up(sys.getsizeof(s)))
s = large(N, 100_000)
print(15, N, up(sys.getsizeof(s) + 8))
s = points(N)
print(19, N, up(sys.getsizeof(s)))
s = sets(N)
print(23, N, 0)
s = lists(N, 40)
print(27, N, 40 * 8 + 16)
"#;

#[test]
fn lines_make_what_the_interpreter_charges() {
    for python in pythons::all() {
        let ran = recorded(&python, KNOWN);
        for line in ran.out().lines() {
            let figures: Vec<f64> = line.split(' ').map(|figure| figure.parse().unwrap()).collect();
            let [line, count, each] = figures[..] else {
                panic!("{line}")
            };
            if each > 0.0 {
                let made = ran.bytes(&format!("program.py:{line}"));
                assert!(
                    near(made, count * each, 0.01),
                    "{python}:{line}: {made} of {}",
                    count * each
                );
            }
        }
        let types = |line: u32| {
            let types = ran.site(&format!("program.py:{line}"))["types"]
                .as_array()
                .unwrap();
            types
                .iter()
                .map(|of| of["name"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(types(11), ["str"], "{python}");
        assert_eq!(types(15), ["bytes"], "{python}");
        assert_eq!(types(19), ["Point"], "{python}");
        assert!(
            types(23).contains(&"set table".to_owned()),
            "{python}: {:?}",
            types(23)
        );
        assert!(
            types(27).contains(&"list items".to_owned()),
            "{python}: {:?}",
            types(27)
        );
        assert_eq!(ran.churned()["sampled"], Value::Null);
    }
}

/// The record says how much of what a line made is alive at the end.
#[test]
fn what_is_kept_is_known() {
    let program = "KEPT = []\ndef made(i, k):\n    return 'x' * k\nfor i in range(4000):\n    text = made(i, 200)\n    if \
                   i % 4 == 0:\n        KEPT.append(text)\n";
    for python in pythons::all() {
        let ran = recorded(&python, program);
        let site = ran.site("program.py:3");
        let share = site["kept_bytes"].as_f64().unwrap() / site["bytes"].as_f64().unwrap();
        assert!(near(share, 0.25, 0.01), "{python}: {site}");
    }
}

/// The same program with and without the recorder: what it prints and how it ends.
fn unchanged(python: &str, program: &str, flags: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("program.py"), program).unwrap();
    let plain = Command::new(python)
        .args(flags)
        .arg("program.py")
        .current_dir(home.path())
        .output()
        .unwrap();
    for options in [&["--churn"][..], &["--churn=4096", "--sample"]] {
        let ran = recorded_by(python, program, options, flags);
        assert_eq!(
            ran.out(),
            String::from_utf8_lossy(&plain.stdout),
            "{python} {options:?}: {}",
            ran.said()
        );
        assert_eq!(
            ran.output.status.code(),
            plain.status.code(),
            "{python} {options:?}: {}",
            ran.said()
        );
    }
    recorded_by(python, program, &["--churn"], flags)
}

/// Threads, generators, exceptions, classes and code that come and go, deep recursion, resized objects.
const MIXED: &str = r#"
import gc, sys, threading, types, weakref
sys.setrecursionlimit(5000)
def deep(n): return [n] + deep(n - 1) if n else []
def numbers(n):
    for i in range(n):
        yield (i, str(i))
def raises(i):
    try:
        raise ValueError("no %d" % i)
    except ValueError as error:
        return str(error)
def work(out, n):
    made = [dict(a=i, b=[i] * 3) for i in range(n)]
    out.append(sum(len(text) for _, text in numbers(n)) + len(made))
out = []
threads = [threading.Thread(target=work, args=(out, 5000)) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
dead = []
for i in range(300):
    scope = {}
    exec("def f(x):\n    return [x] * %d\nclass C: pass" % (i % 7), scope)
    scope["f"](i); scope["C"]()
    dead.append(weakref.ref(scope["C"]))
del scope
gc.collect()
text = ""
for i in range(3000):
    text += "ab"
big = bytearray()
for i in range(2000):
    big.extend(b"x" * 100)
print(sorted(out), len(deep(1500)), raises(3), len(text), len(big), sum(ref() is None for ref in dead))
print(len(object.__subclasses__()) > 0)
async def later(i):
    return [i]
async def all_of_them():
    import asyncio
    return sum(len(one) for one in await asyncio.gather(*(later(i) for i in range(200))))
import asyncio
print(asyncio.run(all_of_them()))
sys.exit(3)
"#;

#[test]
fn programs_go_on_as_they_would() {
    for python in pythons::all() {
        let ran = unchanged(&python, MIXED, &[]);
        assert!(ran.churned()["bytes"].as_u64().unwrap() > 1_000_000, "{python}");
        unchanged(&python, "x = [1] * 1000\nraise KeyError('lost')\n", &[]);
        // What finds something at the exit makes things after the record was written.
        unchanged(
            &python,
            "import atexit\natexit.register(lambda: print([1] * 3))\nclass D:\n    def __del__(self): \
                            print('gone', [2] * 2)\nd = D()\n",
            &[],
        );
        unchanged(&python, "import os\nprint('on', flush=True)\nos._exit(7)\n", &[]);
    }
}

/// Other ways to look at a program see what they would: calls, and allocations.
#[test]
fn other_tools_are_left_alone() {
    let profiled = "import sys\nseen = []\ndef hear(frame, event, arg):\n    seen.append((event, frame.f_code.co_name))\n\
                    def work():\n    return len([str(i) for i in range(50)])\nsys.setprofile(hear)\nwork()\n\
                    sys.setprofile(None)\nprint(len(seen), seen[:6])\n";
    let traced = "import tracemalloc\ntracemalloc.start()\ndef work():\n    return ['x' * n for n in range(1000, 2000)]\n\
                  kept = work()\nsize = tracemalloc.get_traced_memory()[0]\ntracemalloc.stop()\nprint(size // 100_000)\n\
                  more = ['y' * n for n in range(3000, 4000)]\n";
    for python in pythons::all() {
        unchanged(&python, profiled, &[]);
        let ran = unchanged(&python, traced, &[]);
        assert!(
            near(ran.bytes("program.py:4"), 1_660_000.0, 0.03),
            "{python}: {}",
            ran.bytes("program.py:4")
        );
        assert!(
            near(ran.bytes("program.py:9"), 3_660_000.0, 0.02),
            "{python}: {}",
            ran.bytes("program.py:9")
        );
        // Tracing that began before the recorder takes it away when it stops.
        let stops = "import tracemalloc\ntracemalloc.stop()\nprint(len([str(i) for i in range(1000)]))\n";
        let ran = unchanged(&python, stops, &["-X", "tracemalloc"]);
        assert!(
            ran.said().contains("the program put other allocators in place"),
            "{python}: {}",
            ran.said()
        );
        assert!(
            ran.said().contains("captured ") && ran.records().is_empty(),
            "{python}"
        );
    }
}

#[test]
fn threads_are_told_apart() {
    let program = "import threading\ndef first(n, k):\n    for i in range(n):\n        t = 'a' * k\ndef second(n, k):\n    \
                   for i in range(n):\n        t = 'b' * k\nfor target, k in ((first, 99), (second, 199)) * 3:\n    one = \
                   threading.Thread(target=target, args=(20_000, k))\n    one.start()\none.join()\nfor one in \
                   threading.enumerate():\n    if one is not threading.main_thread(): one.join()\nimport sys\n\
                   print(sys.getsizeof('a' * 99), sys.getsizeof('b' * 199))\n";
    for python in pythons::all() {
        let ran = recorded(&python, program);
        let sizes: Vec<f64> = ran
            .out()
            .split_whitespace()
            .map(|size| size.parse().unwrap())
            .collect();
        for (line, size) in [(4, sizes[0]), (7, sizes[1])] {
            let made = ran.bytes(&format!("program.py:{line}"));
            let truth = 60_000.0 * (size / 16.0).ceil() * 16.0;
            assert!(near(made, truth, 0.01), "{python}:{line}: {made} of {truth}");
        }
    }
}

#[test]
fn a_forked_child_shows_of_itself_alone() {
    let program = "import os, sys\na = ['x' * n for n in range(1000, 3000)]\npid = os.fork()\nif pid == 0:\n    b = ['y' * n \
                   for n in range(1000, 1100)]\n    sys.exit(0)\nos.waitpid(pid, 0)\n";
    for python in pythons::all() {
        let ran = recorded(&python, program);
        let bytes: Vec<u64> = ran.records().iter().map(|record| bytes_of(record)).collect();
        assert_eq!(bytes.len(), 2, "{python}: {}", ran.said());
        let (child, parent) = (bytes.iter().min().unwrap(), bytes.iter().max().unwrap());
        assert!(*parent > 4_000_000 && *child < 1_000_000, "{python}: {bytes:?}");
    }
}

/// The record is for its owner alone, and whole.
#[test]
fn the_record_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    for python in pythons::all() {
        let ran = recorded(&python, "x = [str(i) for i in range(1000)]\n");
        let path = ran.records().remove(0);
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with("{\"deadweight\":\"churn\"") && text.ends_with("}}\n"));
        assert!(
            !text.contains("deadweight_recorder"),
            "{python}: what the recorder makes is left out"
        );
    }
}

/// Sites of several sizes and paces.
const SITES: &str = r#"
def texts(k): return "x" * k
def names(n): return ["name %d" % i for i in range(n)]
def pairs(n): return {i: (i, i + 1000) for i in range(n)}
def floats(n): return [i * 0.5 for i in range(n)]
def bytes_(k): return bytearray(k)
def grown(n):
    all = []
    for i in range(n):
        all.append(i)
    return all
for round in range(700):
    texts(100 + round * 50)
    names(40 + round % 300)
    pairs(round % 160)
    floats(500)
    bytes_(3000)
    grown(2000)
"#;

/// What is true lies within what the sample says, in about 95 of 100 figures.
#[test]
fn samples_say_how_far_they_may_be_off() {
    let (mut inside, mut figures) = (0_u32, 0_u32);
    for python in pythons::all() {
        let exact = recorded(&python, SITES);
        let total = exact.churned()["bytes"].as_u64().unwrap();
        let sites = exact.churned()["sites"].as_array().unwrap();
        let truths: Vec<(String, u64)> = sites
            .iter()
            .map(|site| {
                (
                    site["site"].as_str().unwrap().to_owned(),
                    site["bytes"].as_u64().unwrap(),
                )
            })
            .filter(|(_, bytes)| *bytes > total / 50)
            .collect();
        assert!(truths.len() >= 5, "{python}: {truths:?}");
        for _ in 0..8 {
            let ran = recorded_by(&python, SITES, &["--churn=16384", "--sample"], &[]);
            let sampled = &ran.churned()["sampled"];
            let mut hold = |figure: &Value, truth: u64| {
                let (low, high) = (figure["low"].as_u64().unwrap(), figure["high"].as_u64().unwrap());
                figures += 1;
                inside += u32::from((low..=high).contains(&truth));
                // An error without end would hold everything.
                assert!(high - low <= truth, "{python}: {figure} of {truth}");
            };
            hold(sampled, total);
            for (place, truth) in &truths {
                hold(ran.site(place), *truth);
            }
        }
    }
    assert!(
        f64::from(inside) >= 0.88 * f64::from(figures),
        "{inside} of {figures}"
    );
}
