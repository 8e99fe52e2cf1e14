//! Files that are cut while they are read.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, thread};

use deadweight_formats::{ReadError, Sidecar, Source, open};
use tempfile::TempDir;

const PAGE: usize = 1 << 16;

fn cut(path: &Path, bytes: u64) {
    let file = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(bytes).unwrap();
}

fn written(folder: &TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("dump");
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn what_a_file_lost_reads_as_zeros_and_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, &vec![7; 16 * PAGE]);
    let source = Source::open(&path).unwrap();
    source.check().unwrap();
    cut(&path, (4 * PAGE + 10) as u64);
    // All at once, as readers do.
    thread::scope(|scope| {
        for at in 4..16 {
            let bytes = &source.bytes;
            scope.spawn(move || assert_eq!(bytes[at * PAGE + 100], 0));
        }
    });
    assert!(source.bytes[..4 * PAGE + 10].iter().all(|byte| *byte == 7));
    let error = source.check().unwrap_err();
    assert!(
        matches!(error, ReadError::Lost { offset, opened, .. }
            if offset == (4 * PAGE + 10) as u64 && opened == (16 * PAGE) as u64),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        format!(
            "{}: at byte 262154: expected the 1048576 bytes that the file had when it was opened, found that it lost \
             those behind: it was cut or its disk failed while it was read",
            path.display()
        )
    );
}

#[test]
fn a_file_that_grows_again_is_not_whole_either() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, &vec![7; 4 * PAGE]);
    let source = Source::open(&path).unwrap();
    cut(&path, PAGE as u64);
    assert_eq!(source.bytes[2 * PAGE], 0);
    cut(&path, 4 * PAGE as u64);
    let error = source.check().unwrap_err();
    assert!(
        matches!(error, ReadError::Lost { offset, .. } if offset == 2 * PAGE as u64),
        "{error}"
    );
}

#[test]
fn a_dump_that_is_cut_at_any_moment_is_read_or_refused() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let packed = fs::read_dir(fixture)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with(".heapsnapshot.gz"))
        .unwrap();
    let whole = Source::open(&packed).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for moment in 0..60 {
        let path = written(&folder, &whole.bytes);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_micros(250 * moment));
                cut(&path, whole.bytes.len() as u64 / 3);
            });
            match open(&path, &Sidecar::default()) {
                Ok(_) | Err(ReadError::Lost { .. } | ReadError::Malformed { .. }) => {}
                Err(other) => panic!("after {moment}: {other}"),
            }
        });
    }
}

/// Set in the process that is to end, to a file of its own.
const MAY_END: &str = "DEADWEIGHT_TEST_MAY_END";

#[test]
#[expect(unsafe_code, reason = "a mapping that nobody guards")]
fn mappings_of_others_end_a_process_as_before() {
    let name = "mappings_of_others_end_a_process_as_before";
    let Some(path) = env::var_os(MAY_END) else {
        let folder = tempfile::tempdir().unwrap();
        let ended = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads=1"])
            .env(MAY_END, written(&folder, &vec![7; 4 * PAGE]))
            .output()
            .unwrap();
        assert_eq!(ended.status.signal(), Some(libc::SIGBUS), "{ended:?}");
        return;
    };
    let path = PathBuf::from(path);
    let guarded = Source::open(&path).unwrap();
    // SAFETY: the process is made to end here.
    let others = unsafe { memmap2::Mmap::map(&File::open(&path).unwrap()).unwrap() };
    cut(&path, 0);
    assert_eq!(guarded.bytes[PAGE], 0);
    let byte = others[PAGE];
    unreachable!("{byte} was read");
}
