//! A compressed file that unpacks to very much. Alone in its process, because it looks at the process's memory.

use std::fs;
use std::io::Write as _;

use deadweight_formats::{Sidecar, open};

#[test]
fn a_file_that_unpacks_to_a_thousand_times_its_size_costs_disk_and_not_memory() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(b"{\"x\":").unwrap();
    let white = vec![b' '; 1 << 20];
    for _ in 0..128 {
        gzip.write_all(&white).unwrap();
    }
    let packed = gzip.finish().unwrap();
    assert!(packed.len() < 1 << 18);
    let before = own_memory();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&packed).unwrap();
    let error = open(file.path(), &Sidecar::default()).unwrap_err().to_string();
    let end = 5 + (128 << 20);
    assert!(
        error.contains(&format!("at byte {end}: expected a JSON value")),
        "{error}"
    );
    // Mapped bytes belong to a file.
    let grown = own_memory().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes");
}

/// The memory of its own that this process has, in bytes; 0 where the system does not say.
fn own_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) * 1024
}
