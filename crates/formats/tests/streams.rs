//! Dumps that come through a pipe.
#![cfg(target_os = "linux")]

use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use deadweight_formats::{ReadError, Sidecar, Source, open};
use flate2::Compression;
use flate2::write::GzEncoder;

/// What `open` makes of bytes that come in pieces of odd sizes.
fn through_a_pipe<T: Send>(bytes: &[u8], open: impl FnOnce(&Path) -> T + Send) -> T {
    let (from, mut to) = io::pipe().unwrap();
    thread::scope(|scope| {
        let opened = scope.spawn(move || open(&PathBuf::from(format!("/proc/self/fd/{}", from.as_raw_fd()))));
        for piece in bytes.chunks(70_001) {
            // A reader that gives up early is no concern of the writer's here.
            if to.write_all(piece).is_err() {
                break;
            }
        }
        drop(to);
        opened.join().unwrap()
    })
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/node-22-numbers.heapsnapshot.gz")
}

#[test]
fn a_pipe_is_read_as_its_file_is_packed_or_not() {
    let whole = Source::open(&fixture()).unwrap();
    let file = open(&fixture(), &Sidecar::default()).unwrap();
    let stored = fs::read(fixture()).unwrap();
    for (bytes, what) in [(&whole.bytes[..], "plain"), (&stored, "packed")] {
        let piped = through_a_pipe(bytes, |path| open(path, &Sidecar::default())).unwrap();
        assert_eq!(piped.source.stored_bytes, bytes.len() as u64, "{what}");
        assert!(piped.source.bytes[..] == whole.bytes[..], "{what}");
        assert_eq!(piped.heap.objects.len(), file.heap.objects.len(), "{what}");
        assert_eq!(piped.heap.edges.len(), file.heap.edges.len(), "{what}");
    }
}

#[test]
fn short_streams_are_whole_streams() {
    for bytes in [&b""[..], b"{", b"abc", b"abcd", b"abcde"] {
        let source = through_a_pipe(bytes, Source::open).unwrap();
        assert_eq!(&source.bytes[..], bytes);
        assert_eq!(source.stored_bytes, bytes.len() as u64);
    }
}

#[test]
fn a_stream_that_ends_early_is_an_error_with_its_place() {
    let whole = Source::open(&fixture()).unwrap();
    let half = &whole.bytes[..whole.bytes.len() / 2];
    let error = through_a_pipe(half, |path| open(path, &Sidecar::default())).unwrap_err();
    assert!(
        matches!(&error, ReadError::Malformed { offset, found, .. }
            if *offset == half.len() as u64 && found == "the end of the file"),
        "{error}"
    );
    let packed = packed(half);
    let error = through_a_pipe(&packed[..packed.len() - 9], Source::open).unwrap_err();
    assert!(
        matches!(error, ReadError::Packed { packing: "gzip", .. }),
        "{error}"
    );
}
