//! What tests with native programs need: the recorder's library, and a compiler.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The recorder's library, built once: cargo does not build it for the tests, because nothing can link to it.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let mut build = Command::new(env!("CARGO"));
        build
            .args([
                "build",
                "--quiet",
                "--lib",
                "--package",
                "deadweight-recorder",
                "--target-dir",
            ])
            .arg(profile.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
        profile.join("libdeadweight_recorder.so")
    })
}

/// The command with the recorder's library at hand.
pub fn deadweight() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.env("DEADWEIGHT_RECORDER", library());
    command
}

/// Compiles `programs/<source>` into a directory.
pub fn compile(source: &str, flags: &[&str], directory: &Path) -> PathBuf {
    let path = directory.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let done = Command::new("c++")
        .args(flags)
        .arg("-o")
        .arg(&path)
        .arg(&source)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    path
}
