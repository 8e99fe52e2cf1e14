//! What tests with native programs need: the recorder's library, and a compiler.

#![allow(dead_code, reason = "each test file uses a part of this")]

#[path = "../../../recorder/tests/host/library.rs"]
mod library;

use std::path::{Path, PathBuf};
use std::process::Command;

use library::library;

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
