//! Objects whose length varies: what they take together is what the interpreter's allocators count, on every interpreter
//! at hand.
#![cfg(target_os = "linux")]

use std::fs;

use assert_cmd::Command;

mod pythons;
mod ran;

use ran::Ran;

/// Types whose objects have items, with a count of them at the usual place and without.
const PROGRAM: &str = "\
import ctypes
import re
import struct


class Job:
    def __init__(self, n):
        self.n = n
        self.error = None


def second(n):
    a, b, c = n, n, n
    return 1 / (a - n)


def first(n):
    return second(n)


def count(n):
    for step in range(n):
        a, b, c, d = step, step, step, step
        yield a


async def wait(n):
    return n


jobs = [Job(n) for n in range(2000)]
for job in jobs:
    try:
        first(job.n)
    except ZeroDivisionError as error:
        job.error = error
counting = [count(n + 2) for n in range(2000)]
for one in counting:
    next(one)
waiting = [wait(n) for n in range(2000)]
patterns = [re.compile('a%d(b|c)*' % n) for n in range(200)]
structs = [struct.Struct('<%di' % (n % 9 + 1)) for n in range(2000)]
classes = [type('C%d' % n, (), {'__slots__': ('a', 'b', 'c')}) for n in range(300)]
arrays = [(ctypes.c_int * 7)() for n in range(2000)]
views = [memoryview(b'deadweight').cast('B') for n in range(2000)]
";

/// Bytes held by the sum of all objects, and as the interpreter's allocators count.
fn held_and_counted(python: &str, program: &str) -> (f64, f64) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("jobs.py"), program).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.args(["run", "--all", "--format", "json", "-o", "w.json", "--"]);
    let ran = Ran::of(home, command.arg(python).arg("jobs.py"));
    let weighing = ran.weighing();
    let figure = |of: &str, name: &str| weighing[of][name].as_f64().unwrap();
    (figure("held", "bytes"), figure("process", "heap_used"))
}

#[test]
fn objects_of_any_length_add_up_to_what_the_interpreter_counts() {
    // What an interpreter has before it runs a program is not all of objects.
    let imports = "import ctypes\nimport re\nimport struct\n";
    for python in pythons::all() {
        let (held, counted) = held_and_counted(&python, PROGRAM);
        let (held_before, counted_before) = held_and_counted(&python, imports);
        let (held, counted) = (held - held_before, counted - counted_before);
        assert!(counted > 2_000_000.0, "{python}: {counted}");
        assert!(
            (held - counted).abs() <= counted * 0.04,
            "{python}: {held} held, {counted} counted"
        );
    }
}
