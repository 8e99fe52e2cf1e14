//! Programs in Java, compiled where a test runs them.

use std::fs;
use std::process::Command;

/// A directory with `Shop.java` of that source and its classes.
pub fn compiled(source: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("Shop.java"), source).unwrap();
    let javac = Command::new("javac")
        .args(["-J-XX:TieredStopAtLevel=1", "Shop.java"])
        .current_dir(home.path())
        .status();
    assert!(
        javac
            .expect("these tests need a JDK of version 17 or later")
            .success()
    );
    home
}
