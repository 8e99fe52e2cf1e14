//! Dumps for the benches. `cargo xtask bench --hot` makes them and says where they are.

use std::env;
use std::path::PathBuf;

use deadweight_formats::{Dump, Sidecar, open};

/// The variable with the dumps' paths, separated like those of `PATH`.
pub const DUMPS: &str = "DEADWEIGHT_BENCH_DUMPS";

/// The dumps, by their format.
///
/// # Panics
/// When nobody says where they are, or one cannot be read: a bench of nothing would look fast.
#[must_use]
pub fn dumps() -> Vec<(&'static str, PathBuf)> {
    let paths = env::var_os(DUMPS).expect("`cargo xtask bench --hot` makes the dumps and runs the benches");
    let paths: Vec<PathBuf> = env::split_paths(&paths).collect();
    assert!(!paths.is_empty(), "{DUMPS} is empty");
    paths.into_iter().map(|path| (read(&path).format, path)).collect()
}

/// A dump as it is weighed.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn read(path: &std::path::Path) -> Dump {
    open(path, &Sidecar::default()).unwrap_or_else(|error| panic!("{error}"))
}
