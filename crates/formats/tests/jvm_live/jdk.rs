//! A JDK, and what its programs leave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use deadweight_formats::{Sidecar, open};
use deadweight_heap::Heap;

pub struct Jdk {
    bin: PathBuf,
}

impl Jdk {
    /// Those of `DEADWEIGHT_JDKS`, or the one on the path.
    pub fn all() -> Vec<Self> {
        let listed = std::env::var("DEADWEIGHT_JDKS").unwrap_or_default();
        let listed = listed.split(':').filter(|home| !home.is_empty());
        let mut found: Vec<Self> = listed
            .map(|home| Self {
                bin: Path::new(home).join("bin"),
            })
            .collect();
        if found.is_empty() && Command::new("javac").arg("-version").output().is_ok() {
            found.push(Self { bin: PathBuf::new() });
        }
        assert!(
            !found.is_empty(),
            "no JDK: install default-jdk-headless, as `cargo xtask test --install` does, or name one in DEADWEIGHT_JDKS"
        );
        found
    }

    pub fn run(&self, tool: &str, directory: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new(self.bin.join(tool));
        let done = command.current_dir(directory).args(arguments).output();
        let done = done.unwrap_or_else(|error| panic!("{tool}: {error}"));
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{tool} {arguments:?}: {said}");
        String::from_utf8(done.stdout).expect("text")
    }

    pub fn compile(&self, directory: &Path, sources: &[&str]) {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jvm_live");
        let sources: Vec<String> = sources
            .iter()
            .map(|name| from.join(name).display().to_string())
            .collect();
        let mut arguments = vec!["-d", "."];
        arguments.extend(sources.iter().map(String::as_str));
        self.run("javac", directory, &arguments);
    }
}

/// Count and bytes of each class, without what fills gaps between objects.
pub fn histogram(path: &Path) -> BTreeMap<String, (u64, u64)> {
    let text = std::fs::read_to_string(path).expect("the histogram was written");
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.next()?.strip_suffix(':')?;
        let (count, bytes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some((words.next()?.to_owned(), (count, bytes)))
    });
    rows.filter(|(name, _)| !name.contains("jdk.internal.vm.Filler"))
        .collect()
}

pub fn total(histogram: &BTreeMap<String, (u64, u64)>) -> u64 {
    histogram.values().map(|(_, bytes)| bytes).sum()
}

/// The heap of a dump.
pub fn read(path: &Path) -> Heap {
    open(path, &Sidecar::default())
        .expect("a dump of a JVM is read")
        .heap
}
