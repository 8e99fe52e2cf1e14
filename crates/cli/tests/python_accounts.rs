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

#[test]
fn objects_of_any_length_add_up_to_what_the_interpreter_counts() {
    for python in pythons::all() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("jobs.py"), PROGRAM).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
        command.args(["run", "--all", "--format", "json", "-o", "w.json", "--"]);
        let ran = Ran::of(home, command.arg(&python).arg("jobs.py"));
        let weighing = ran.weighing();
        let held = weighing["held"]["bytes"].as_f64().unwrap();
        let used = weighing["process"]["heap_used"].as_f64().unwrap();
        assert!(
            (held - used).abs() <= used * 0.05,
            "{python}: {held} held, {used} counted"
        );
    }
}
