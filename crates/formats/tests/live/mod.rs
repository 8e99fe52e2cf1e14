//! Runs real Node programs for tests that must agree with the real runtime.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A Node binary.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it is.
    pub path: PathBuf,
    /// Its major version.
    pub major: u32,
}

/// The binaries that `DEADWEIGHT_NODES` lists, separated by colons, or the `node` on the path.
pub fn nodes() -> Vec<Node> {
    let listed = std::env::var("DEADWEIGHT_NODES").unwrap_or_default();
    let mut paths: Vec<PathBuf> = listed
        .split(':')
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .collect();
    if paths.is_empty() {
        paths.push(PathBuf::from("node"));
    }
    paths
        .into_iter()
        .map(|path| Node {
            major: major(&path),
            path,
        })
        .collect()
}

fn major(path: &PathBuf) -> u32 {
    let said = Command::new(path)
        .arg("--version")
        .output()
        .unwrap_or_else(|error| {
            panic!(
                "these tests need Node; {} does not start: {error}",
                path.display()
            )
        });
    let said = String::from_utf8_lossy(&said.stdout);
    let number = said.trim().trim_start_matches('v').split('.').next();
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_else(|| panic!("{} says its version is {said:?}", path.display()))
}

impl Node {
    /// A command that runs this Node without settings of whoever runs the tests.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env_remove("NODE_OPTIONS").stdin(Stdio::null());
        command
    }
}
