//! The snapshots of real runtimes.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use deadweight_rules::{Options, weigh};

use crate::crafted::read;
use crate::plain::as_read;
use crate::{source, weighed};

/// The snapshots of V8 among the fixtures, unpacked. Rows of other formats may be weighed as far as they go.
pub(super) fn fixtures() -> Vec<Vec<u8>> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<PathBuf> = fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".heapsnapshot.gz"));
    paths.sort();
    assert!(paths.len() >= 9);
    let unpacked = paths.iter().map(|path| {
        let mut bytes = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(fs::File::open(path).unwrap());
        decoder.read_to_end(&mut bytes).unwrap();
        bytes
    });
    unpacked.collect()
}

#[test]
fn the_snapshots_of_every_version_are_weighed_to_the_byte() {
    for bytes in fixtures() {
        weighed(&bytes).unwrap();
    }
}

#[test]
fn how_many_threads_read_and_weigh_makes_no_difference() {
    for bytes in fixtures() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let heap = read(&bytes).unwrap().heap;
                let weighing = weigh(&heap, source(), &Options::all());
                (serde_json::to_string(&weighing).unwrap(), as_read(&heap))
            })
        };
        let alone = on(1);
        assert!(on(2) == alone, "two threads");
        assert!(on(5) == alone, "five threads");
    }
}
