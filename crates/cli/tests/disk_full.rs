//! Disks without room: one error that says where, and nothing half-written.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Mounts a disk of a few pages at $1, runs the rest there, and lists the files that are left.
const ON_A_SMALL_DISK: &str = "mount -t tmpfs -o size=24k none \"$1\" || exit 99
    disk=$1; shift
    TMPDIR=$disk \"$@\"; code=$?
    find \"$disk\" -type f
    exit $code";

fn packed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/fixtures/node-22-plain.heapsnapshot.gz")
}

/// Runs `deadweight` with a disk of 24 KiB at `disk`, which is also where temporary files go; nothing where a process
/// may not mount disks of its own.
fn on_a_small_disk(disk: &Path, arguments: &[&dyn AsRef<OsStr>]) -> Option<Output> {
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            ON_A_SMALL_DISK,
            "sh",
        ])
        .arg(disk)
        .arg(env!("CARGO_BIN_EXE_deadweight"))
        .args(arguments)
        .output()
        .ok()?;
    let may_not = matches!(output.status.code(), Some(99 | 1)) && output.stdout.is_empty();
    if may_not {
        eprintln!("not tried, as there may be no disk of one's own here: {output:?}");
    }
    (!may_not).then_some(output)
}

fn assert_refused(output: &Output, why: &str, disk: &Path) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains(why) && message.contains(&*disk.to_string_lossy()),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "files are left");
}

#[test]
fn standard_output_that_takes_nothing_is_an_error() {
    let dump = packed();
    let dump = dump.to_str().unwrap();
    for arguments in [
        &["weigh", dump][..],
        &["weigh", "--format", "json", dump],
        &["prove", dump, dump],
        &["diff", dump, dump],
        &["explain", "L01"],
        &["rules"],
        &["completions", "bash"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_deadweight"))
            .args(arguments)
            .stdout(Stdio::from(File::create("/dev/full").unwrap()))
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains("could not be written: No space left"),
            "{arguments:?}: {message}"
        );
    }
}

/// A folder with a place for the disk, and a dump beside it.
fn prepared() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (disk, dump) = (
        folder.path().join("disk"),
        folder.path().join("plain.heapsnapshot"),
    );
    fs::create_dir(&disk).unwrap();
    let stripped = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args([&"strip" as &dyn AsRef<OsStr>, &packed(), &"--output", &dump])
        .status()
        .unwrap();
    assert!(stripped.success());
    (folder, disk, dump)
}

#[test]
fn reports_are_written_whole_or_not_at_all() {
    let (_folder, disk, dump) = prepared();
    let (page, stripped) = (disk.join("page.html"), disk.join("stripped"));
    let weigh: [&dyn AsRef<OsStr>; 6] = [&"weigh", &"--format", &"html", &"--output", &page, &dump];
    let strip: [&dyn AsRef<OsStr>; 4] = [&"strip", &"--output", &stripped, &dump];
    let view: [&dyn AsRef<OsStr>; 2] = [&"view", &dump];
    for (arguments, why) in [
        (&weigh[..], "page.html could not be written: No space left"),
        (&strip, "stripped could not be written: No space left"),
        (&view, "no file could be written in"),
    ] {
        if let Some(output) = on_a_small_disk(&disk, arguments) {
            assert_refused(&output, why, &disk);
        }
    }
}

#[test]
fn a_packed_dump_needs_room_and_says_where() {
    let (_folder, disk, _) = prepared();
    if let Some(output) = on_a_small_disk(&disk, &[&"weigh", &packed()]) {
        assert_refused(&output, "what it unpacks to could not be written in", &disk);
    }
}

#[test]
fn a_limit_that_the_disk_cannot_help_with_is_reported() {
    let (folder, disk, _) = prepared();
    // Text that all has to be known: far more than the limit, and than the disk.
    let dump = folder.path().join("objects.ndjson");
    let mut file = BufWriter::new(File::create(&dump).unwrap());
    writeln!(
        file,
        r#"{{"type":"ROOT", "root":"vm", "references":["0x7f0000000000"]}}"#
    )
    .unwrap();
    for i in 0..700_000_u64 {
        writeln!(
            file,
            r#"{{"address":"0x{:x}", "type":"STRING", "slot_size":40, "class":"0x1", "embedded":true, "bytesize":8, "value":"{i:08}", "encoding":"UTF-8", "references":["0x{:x}"], "memsize":40}}"#,
            0x7f00_0000_0000 + i * 40,
            0x7f00_0000_0000 + (i + 1) * 40,
        )
        .unwrap();
    }
    file.flush().unwrap();
    let arguments: [&dyn AsRef<OsStr>; 4] = [&"--memory-limit", &"64MiB", &"weigh", &dump];
    if let Some(output) = on_a_small_disk(&disk, &arguments) {
        assert_refused(&output, "there is no room left in", &disk);
    }
}
