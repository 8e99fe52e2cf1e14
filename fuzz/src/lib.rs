//! What fuzz targets have in common: bytes are read, and whatever comes of it is weighed. An error is fine; a panic, a
//! hang, a sum that does not add up and memory beyond four times the input and 64 MB are not.

mod memory;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;

use deadweight_compare::prove;
use deadweight_formats::heapprofile::ProfileFacts;
use deadweight_formats::{Sidecar, Input, open_any};
use deadweight_report::{Json, Report as _};
use deadweight_weighing::Source;
use deadweight_rules::{Options, weigh, weigh_churn};

/// Larger inputs find nothing that smaller ones do not.
const MOST: usize = 1 << 20;

/// Reads a dump or a record of allocations, of whatever format it turns out to be, and weighs it.
pub fn dump(bytes: &[u8]) {
    if bytes.len() <= MOST {
        memory::bounded(bytes.len(), || read(bytes));
    }
}

/// The same for bytes that are packed: gzip and zstandard, whole and cut off.
pub fn packed(bytes: &[u8]) {
    if bytes.len() > MOST {
        return;
    }
    let Some((&how, bytes)) = bytes.split_first() else {
        return;
    };
    let mut packed = if how & 1 == 0 {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).expect("memory takes all");
        gzip.finish().expect("memory takes all")
    } else {
        zstd::bulk::compress(bytes, 1).expect("memory takes all")
    };
    packed.truncate(packed.len() - packed.len() * usize::from(how >> 1) / 512);
    memory::bounded(bytes.len(), || read(&packed));
}

/// Reads a weighing, and proves it against itself: nothing may have changed.
pub fn weighing(bytes: &[u8]) {
    if bytes.len() > MOST {
        return;
    }
    memory::bounded(bytes.len(), || {
        let Ok(weighing) = deadweight_weighing::read(bytes) else {
            return;
        };
        let _ = prove::prove(&weighing, &weighing, &prove::Options::default());
        let mut again = Vec::new();
        Json.write(&weighing, &mut again).expect("memory takes all");
        assert!(deadweight_weighing::read(&again).is_ok(), "what is written can be read");
    });
}

fn read(bytes: &[u8]) {
    let path = place();
    fs::write(path, bytes).expect("there is room");
    let source = Source {
        path: String::new(),
        bytes: bytes.len() as u64,
        format: String::new(),
    };
    match open_any(path, &Sidecar::default(), &ProfileFacts::default()) {
        Ok(Input::Held(dump)) => {
            let held = weigh(&dump.heap, source, &Options::all()).held;
            assert_eq!(held.content + held.runtime + held.dead, held.bytes);
        }
        Ok(Input::Churned(record)) => {
            let _ = weigh_churn(&record.churn, source, &Options::all());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A file in memory, one for each process.
fn place() -> &'static PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        // One thread: inputs are small, and coverage of several is not the same each time.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
        threads.expect("nobody asked for threads before");
        let memory = PathBuf::from("/dev/shm");
        let directory = if memory.is_dir() {
            memory
        } else {
            std::env::temp_dir()
        };
        directory.join(format!("deadweight-fuzz-{}", std::process::id()))
    })
}
