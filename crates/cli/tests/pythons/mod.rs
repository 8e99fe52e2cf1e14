//! The interpreters that tests run.

use std::env;

/// Those that `DEADWEIGHT_PYTHONS` lists, else `python3`.
pub fn all() -> Vec<String> {
    let listed = env::var("DEADWEIGHT_PYTHONS").unwrap_or_default();
    let all: Vec<String> = env::split_paths(&listed)
        .map(|path| path.display().to_string())
        .filter(|path| !path.is_empty())
        .collect();
    if all.is_empty() {
        vec!["python3".to_owned()]
    } else {
        all
    }
}
