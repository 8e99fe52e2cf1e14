//! The models of allocators that come with a language, against that language's own runtime. Where it is not installed,
//! a test says so and compares nothing.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::path::Path;
use std::process::Command;

use deadweight_allocators::{Go, Model, pymalloc};
use deadweight_heap::{Allocator, Request};

/// What a command prints, in columns of numbers; `None` where there is no such program.
fn columns(command: &mut Command) -> Option<Vec<Vec<u64>>> {
    let program = command.get_program().to_owned();
    let Ok(run) = command.output() else {
        println!("{} is not installed: nothing compared", program.display());
        return None;
    };
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}: {said}", program.display());
    let text = String::from_utf8(run.stdout).expect("numbers");
    let row = |line: &str| {
        let columns = line.split(' ').map(|number| number.parse().expect("a number"));
        columns.collect()
    };
    Some(text.lines().map(row).collect())
}

/// Prints for each size its class, by the blocks that the runtime counts in each, and above what malloc gives.
const PYTHON: &str = r"
import ctypes, os, re, sys, tempfile
malloc = ctypes.pythonapi.PyObject_Malloc
malloc.restype, malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
usable = ctypes.CDLL(None).malloc_usable_size
usable.restype, usable.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
row = re.compile(r'^ +\d+ +(\d+) +\d+ +(\d+) +\d+$', re.M)
saved = os.dup(2)
def in_use():
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        sys._debugmallocstats()
        os.dup2(saved, 2)
        file.seek(0)
        return {int(size): int(blocks) for size, blocks in row.findall(file.read().decode())}
EACH = 300
for size in range(1, 513):
    before = in_use()
    for _ in range(EACH):
        malloc(size)
    after = in_use()
    grown = [size for size, blocks in after.items() if blocks - before.get(size, 0) >= EACH - 20]
    assert len(grown) == 1, (size, grown)
    print(size, grown[0])
for size in [*range(513, 5000), *range(5000, 120_000, 997)]:
    print(size, usable(malloc(size)))
";

#[test]
fn pymalloc_and_the_malloc_under_it() {
    let mut python = Command::new("python3");
    // Not what the environment would have in their place.
    python.args(["-E", "-c", PYTHON]);
    let Some(rows) = columns(&mut python) else {
        return;
    };
    assert!(rows.len() > 5000, "all sizes were tried");
    let model = pymalloc();
    let mut whole = 0;
    for row in rows {
        let [bytes, usable] = row[..] else {
            panic!("{row:?}")
        };
        if bytes > 512 && usable == model.usable(bytes) + 16 {
            // A free chunk that was too small to be cut.
            whole += 1;
            continue;
        }
        assert_eq!(model.usable(bytes), usable, "{bytes}");
        assert_eq!(model.charged(bytes), model.charged_for_usable(usable), "{bytes}");
    }
    assert!(whole < 20, "{whole}");
}

/// Prints a size, whether the type has pointers, and the bytes that a number of such objects take.
const GO: &str = r#"
package main

import ("fmt"; "reflect"; "runtime")

func allocated() uint64 {
    var stats runtime.MemStats
    runtime.ReadMemStats(&stats)
    return stats.TotalAlloc
}

func measure(of reflect.Type, bytes, pointers, count int) {
    // The runtime may make a few blocks of its own meanwhile: the least of several is without them.
    least := ^uint64(0)
    for i := 0; i < 4; i++ {
        before := allocated()
        for j := 0; j < count; j++ { reflect.New(of) }
        least = min(least, allocated()-before)
    }
    fmt.Println(bytes, pointers, count, least)
}

func main() {
    plain, pointer := reflect.TypeOf(byte(0)), reflect.TypeOf(new(byte))
    for bytes := 0; bytes < 1100; bytes++ {
        count := 64
        if bytes < 16 { count = 1 << 16 }
        measure(reflect.ArrayOf(bytes, plain), bytes, 0, count)
    }
    for words := 1; words < 5000; words += 1 + words/100 {
        measure(reflect.ArrayOf(words, pointer), 8*words, 1, 64)
        measure(reflect.ArrayOf(8*words-3, plain), 8*words-3, 0, 64)
    }
    for _, words := range []int{4095, 4096, 4097} {
        measure(reflect.ArrayOf(words, pointer), 8*words, 1, 64)
    }
}
"#;

#[test]
fn go_with_pointers_and_without() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("go-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a directory");
    let program = place.join("main.go");
    std::fs::write(&program, GO).expect("a program");
    let rows = columns(
        Command::new("go")
            .arg("run")
            .arg(&program)
            .env("GOTOOLCHAIN", "local"),
    );
    std::fs::remove_dir_all(&place).expect("removed");
    let Some(rows) = rows else { return };
    assert!(rows.len() > 1900, "all sizes were tried");
    for row in rows {
        let [bytes, pointers, count, all] = row[..] else {
            panic!("{row:?}")
        };
        let charge = Go.charge(Request::with(bytes, pointers == 1));
        if (1..16).contains(&bytes) && pointers == 0 {
            // The share of each is rounded up, and the first and last block may be shared with others.
            let each = all as f64 / count as f64;
            let off = charge as f64 - each;
            assert!((-0.05..1.0).contains(&off), "{bytes}: {charge}, really {each}");
        } else {
            assert_eq!(count * charge, all, "{count} of {bytes}, pointers {pointers}");
        }
    }
}
