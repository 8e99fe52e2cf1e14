//! The models against the allocators themselves: a small C program runs with each of them and says, for all sizes up
//! to 64 KiB and for samples up to 4 MiB, what it may use and what the allocator counts.
//!
//! Needs a C compiler (`cc`) and the allocators' shared libraries; a test fails, and says what to install, where one
//! is missing.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use deadweight_allocators::{Boehm, Glibc, Jemalloc, Mimalloc, Model, Tcmalloc};
use deadweight_heap::Allocator;

/// All sizes up to 64 KiB.
const ALL: [u64; 3] = [0, 65_536, 1];
/// Up to the first of the classes that depend on what was asked for before.
const EVERY: [u64; 3] = [0, 383, 1];
/// Samples beyond; a prime step, so that they fall everywhere between classes.
const SAMPLES: [u64; 3] = [65_537, 4 << 20, 1009];

/// One size as the allocator serves it, in bytes.
struct Seen {
    requested: u64,
    usable: u64,
    /// `None` where nothing can be observed.
    charged: Option<u64>,
}

/// How to run the probe.
struct Run<'a> {
    allocator: &'a str,
    library: Option<PathBuf>,
    environment: &'a [(&'a str, &'a str)],
    /// Blocks are never freed.
    keep: bool,
    /// A block made and freed before all others.
    before: u64,
}

impl Run<'_> {
    fn sizes(&self, ranges: &[[u64; 3]]) -> Vec<Seen> {
        let mut command = Command::new(probe());
        command
            .arg(self.allocator)
            .arg(if self.keep { "keep" } else { "free" })
            .arg(self.before.to_string());
        command.args(ranges.iter().flatten().map(u64::to_string));
        command.envs(self.environment.iter().copied());
        if let Some(library) = &self.library {
            command.env("LD_PRELOAD", library);
        }
        let output = command.output().expect("the probe starts");
        assert!(
            output.status.success(),
            "the probe with {}: {} {}",
            self.allocator,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).expect("numbers");
        let seen: Vec<Seen> = text.lines().map(seen).collect();
        let expected: u64 = ranges.iter().map(|[from, to, step]| (to - from) / step + 1).sum();
        assert_eq!(seen.len() as u64, expected, "every size was tried");
        seen
    }
}

fn seen(line: &str) -> Seen {
    let mut columns = line.split(' ').map(|number| number.parse().ok());
    let mut next = || columns.next().expect("three columns");
    Seen {
        requested: next().expect("a size"),
        usable: next().expect("a usable size"),
        charged: next(),
    }
}

/// The C program, compiled once.
fn probe() -> &'static Path {
    static PROBE: OnceLock<PathBuf> = OnceLock::new();
    PROBE.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe.c");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("probe-{}", std::process::id()));
        let status = Command::new("cc")
            .args(["-O1", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-o"])
            .args([&program, &source])
            .arg("-ldl")
            .status()
            .expect("a C compiler named cc; on Debian: apt-get install -y gcc libc6-dev");
        assert!(status.success(), "the probe does not compile");
        program
    })
}

/// The shared library of that name, from where distributions put them.
fn library(name: &str, package: &str) -> PathBuf {
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    let places = [
        format!("/usr/lib/{triplet}"),
        "/usr/lib64".into(),
        "/usr/lib".into(),
        "/usr/local/lib".into(),
    ];
    let found = places
        .iter()
        .map(|place| Path::new(place).join(name))
        .find(|path| path.exists());
    found.unwrap_or_else(|| {
        panic!(
            "{name} is missing, from Debian's package {package}; for all tests of this file: \
             apt-get install -y libjemalloc2 libtcmalloc-minimal4 libmimalloc2.0 libgc1"
        )
    })
}

/// Every figure that differs, and how many charges there were to compare.
fn compare(model: &dyn Model, all: &[Seen]) -> usize {
    let mut wrong = Vec::new();
    let mut charges = 0;
    for seen in all {
        let (usable, charged) = (model.usable(seen.requested), model.charged(seen.requested));
        let by_block = model.charged_for_usable(seen.usable);
        charges += usize::from(seen.charged.is_some());
        if usable != seen.usable || charged != seen.charged.unwrap_or(charged) || by_block != charged {
            wrong.push(format!(
                "{}: usable {usable}, really {}; charged {charged}, really {:?}; {by_block} by the block",
                seen.requested, seen.usable, seen.charged
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} sizes differ from the real {}, such as\n{}",
        wrong.len(),
        all.len(),
        model.name(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    charges
}

/// Without the caches of freed blocks, which count as in use.
const GLIBC: Run<'_> = Run {
    allocator: "glibc",
    library: None,
    environment: &[("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")],
    keep: false,
    before: 0,
};

#[test]
fn glibc_up_to_64_kib() {
    let seen = GLIBC.sizes(&[ALL]);
    assert_eq!(compare(&Glibc::default(), &seen), seen.len());
}

#[test]
fn glibc_from_the_heap_up_to_the_threshold() {
    let seen = GLIBC.sizes(&[[65_537, 131_048, 61]]);
    assert_eq!(compare(&Glibc::default(), &seen), seen.len());
}

#[test]
fn glibc_mapped_on_their_own() {
    let seen = Run { keep: true, ..GLIBC }.sizes(&[[131_049, 4 << 20, 1009]]);
    assert_eq!(compare(&Glibc::default(), &seen), seen.len());
}

#[test]
fn glibc_after_the_threshold_moved() {
    let moved = Glibc::with_mmap_threshold(Glibc::default().charged(1 << 20));
    let below = Run {
        before: 1 << 20,
        ..GLIBC
    }
    .sizes(&[[65_537, 1 << 20, 1009]]);
    assert_eq!(compare(&moved, &below), below.len());
    let above = Run {
        before: 1 << 20,
        keep: true,
        ..GLIBC
    }
    .sizes(&[[(1 << 20) + 4096, 4 << 20, 10_007]]);
    assert_eq!(compare(&moved, &above), above.len());
}

#[test]
fn jemalloc_small_and_large() {
    let run = Run {
        allocator: "jemalloc",
        library: Some(library("libjemalloc.so.2", "libjemalloc2")),
        // Blocks in a thread's cache count as given out.
        environment: &[("MALLOC_CONF", "tcache:false")],
        keep: false,
        before: 0,
    };
    let seen = run.sizes(&[ALL, SAMPLES]);
    assert_eq!(compare(&Jemalloc, &seen), seen.len());
}

#[test]
fn tcmalloc_small_and_large() {
    let run = Run {
        allocator: "tcmalloc",
        library: Some(library("libtcmalloc_minimal.so.4", "libtcmalloc-minimal4")),
        environment: &[],
        keep: false,
        before: 0,
    };
    let seen = run.sizes(&[ALL, SAMPLES]);
    assert_eq!(compare(&Tcmalloc, &seen), seen.len());
}

/// It counts nothing that can be asked for: the charge is observed where blocks share a run.
#[test]
fn mimalloc_small_and_large() {
    let run = Run {
        allocator: "mimalloc",
        library: Some(library("libmimalloc.so.2.0", "libmimalloc2.0")),
        environment: &[],
        keep: false,
        before: 0,
    };
    let seen = run.sizes(&[ALL, SAMPLES, [(4 << 20) + 1, 80 << 20, 1_000_003]]);
    let shared = seen.iter().filter(|seen| seen.usable <= 65_536).count();
    assert_eq!(compare(&Mimalloc, &seen), shared);
}

/// Ascending, and 512 to 575 apart from their neighbours, so that each class comes into being by its first size.
#[test]
fn boehm_small_and_large() {
    let run = Run {
        allocator: "boehm",
        library: Some(library("libgc.so.1", "libgc1")),
        environment: &[],
        keep: false,
        before: 0,
    };
    for ranges in [&[[0, 511, 1]][..], &[[512, 575, 1]], &[[576, 65_536, 1], SAMPLES]] {
        let seen = run.sizes(ranges);
        assert_eq!(compare(&Boehm, &seen), seen.len());
    }
}

/// Above that, a size may get the class that a larger one has brought into being.
#[test]
fn boehm_after_larger_blocks() {
    let run = Run {
        allocator: "boehm",
        library: Some(library("libgc.so.1", "libgc1")),
        environment: &[],
        keep: false,
        before: 1000,
    };
    let seen = run.sizes(&[EVERY]);
    assert_eq!(compare(&Boehm, &seen), seen.len());
    for seen in run.sizes(&[[384, 2047, 1]]) {
        assert!(seen.usable >= Boehm.usable(seen.requested), "{}", seen.requested);
    }
}
