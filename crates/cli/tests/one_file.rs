//! The binary alone, moved elsewhere and started by a user with nothing in the home directory: it carries what it loads
//! into programs.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Place {
    folder: tempfile::TempDir,
    home: PathBuf,
}

impl Place {
    fn with_home(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join(name);
        fs::create_dir(&home).unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        // By a process of its own: while this one has the file open, another test's child may inherit it, and a file that is
        // open for writing cannot be run.
        let copied = Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_deadweight"))
            .arg(folder.path().join("deadweight"))
            .status();
        assert!(copied.unwrap().success());
        Self { folder, home }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(self.folder.path().join("deadweight"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &self.home)
            .env("TMPDIR", self.folder.path().join("tmp"))
            .output()
            .unwrap()
    }

    fn library(&self, of: &str) -> PathBuf {
        let output = self.run(&["library", of]);
        assert!(output.status.success(), "{output:?}");
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end())
    }
}

#[test]
fn a_native_program_is_recorded() {
    let place = Place::with_home("home");
    let done = Command::new("c++")
        .args(["-O1", "-o"])
        .arg(place.folder.path().join("program"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/tree.cpp"))
        .status();
    assert!(done.unwrap().success());
    let output = place.run(&["run", "--", "./program"]);
    let report = String::from_utf8_lossy(&output.stderr);
    // As the program ends.
    assert_eq!(output.status.code(), Some(5), "{report}");
    assert!(
        report.contains("dead weight") && report.contains("after all fixes"),
        "{report}"
    );
}

#[test]
fn libraries_are_unpacked_for_their_user_alone_and_mended() {
    let place = Place::with_home("home");
    for (of, name) in [
        ("native", "libdeadweight_recorder.so"),
        ("ruby", "libdeadweight_ruby.so"),
    ] {
        let path = place.library(of);
        assert!(
            path.ends_with(name) && path.starts_with(place.home.join(".cache/deadweight")),
            "{path:?}"
        );
        let mode = fs::metadata(path.parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(place.library(of), path);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_home_that_cannot_be_preloaded_from_is_passed_over() {
    let place = Place::with_home("a home");
    let path = place.library("native");
    assert!(path.starts_with(place.folder.path().join("tmp")), "{path:?}");
    assert!(place.library("ruby").starts_with(&place.home));
}
