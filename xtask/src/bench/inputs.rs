//! The dumps: made by real programs of each runtime, and kept below the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::ValueEnum;

use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, jdk, nodes, workspace};

/// A format with a reader whose speed is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    V8,
    Ruby,
    Native,
    Jvm,
}

impl Format {
    pub const ALL: [Self; 4] = [Self::V8, Self::Ruby, Self::Native, Self::Jvm];

    pub fn name(self) -> &'static str {
        match self {
            Self::V8 => "V8",
            Self::Ruby => "Ruby",
            Self::Native => "native",
            Self::Jvm => "JVM",
        }
    }

    /// Bytes of the dump that the field finds large.
    pub fn full_bytes(self) -> u64 {
        match self {
            Self::V8 => 1_100_000_000,
            Self::Ruby => 800_000_000,
            Self::Native => 300_000_000,
            Self::Jvm => 2_500_000_000,
        }
    }

    /// Bytes of the largest dump that is made. Node.js takes more than five times the size of a snapshot in memory to write
    /// it: 11 GB were seen for one of 2 GB.
    pub fn most_bytes(self) -> u64 {
        match self {
            Self::V8 => 2_000_000_000,
            Self::Ruby | Self::Native => 4_000_000_000,
            Self::Jvm => 5_000_000_000,
        }
    }

    /// Bytes that a record of the program in `bench/inputs` takes in the dump, about: measured on dumps of full size.
    fn record_bytes(self) -> u64 {
        match self {
            Self::V8 => 1355,
            Self::Ruby => 1470,
            Self::Native => 1235,
            Self::Jvm => 1766,
        }
    }
}

/// A dump.
#[derive(Clone, Debug)]
pub struct Dump {
    pub format: Format,
    pub path: PathBuf,
    pub bytes: u64,
    pub records: u64,
}

impl Dump {
    /// What it is called in tables.
    pub fn shown(&self) -> String {
        format!("{}, {}", self.format.name(), megabytes(self.bytes))
    }
}

/// Bytes as a person says them.
pub fn megabytes(bytes: u64) -> String {
    if bytes >= 1_000_000_000 {
        format!("{:.2} GB", bytes as f64 / 1e9)
    } else {
        format!("{:.0} MB", bytes as f64 / 1e6)
    }
}

/// A dump of about so many bytes; an earlier one if it is there.
///
/// # Errors
/// When the runtime cannot be installed or its program fails.
pub fn made(format: Format, bytes: u64, deadweight: &Path) -> anyhow::Result<Dump> {
    let records = bytes / format.record_bytes();
    let home = workspace::target().join("bench").join("dumps");
    fs::create_dir_all(&home)?;
    let extension = match format {
        Format::V8 => "heapsnapshot",
        Format::Ruby => "ndjson",
        Format::Native => "dwheap",
        Format::Jvm => "hprof",
    };
    let path = home.join(format!("{records}.{extension}"));
    if !path.is_file() {
        eprintln!("making a {} dump of {}", format.name(), megabytes(bytes));
        // A run that was broken off leaves no dump that looks whole.
        let part = path.with_extension("part");
        match format {
            Format::V8 => v8(records, &part)?,
            Format::Ruby => ruby(records, &part)?,
            Format::Native => native(records, &part, deadweight)?,
            Format::Jvm => jvm(records, &part)?,
        }
        fs::rename(&part, &path)?;
    }
    let bytes = path.metadata()?.len();
    Ok(Dump {
        format,
        path,
        bytes,
        records,
    })
}

fn program(name: &str) -> PathBuf {
    workspace::root().join("bench").join("inputs").join(name)
}

fn v8(records: u64, to: &Path) -> anyhow::Result<()> {
    // The name has to end as V8 wants it.
    let written = to.with_extension("part.heapsnapshot");
    nodes::node(20)?
        .shell()
        .args(["--max-old-space-size=14000"])
        .args([program("v8.mjs"), records.to_string().into(), written.clone()])
        .inherit()?;
    Ok(fs::rename(written, to)?)
}

fn ruby(records: u64, to: &Path) -> anyhow::Result<()> {
    debian::ensure(&["ruby"])?;
    Shell::new("ruby")
        .args([program("ruby.rb"), records.to_string().into(), to.to_owned()])
        .inherit()
}

fn native(records: u64, to: &Path, deadweight: &Path) -> anyhow::Result<()> {
    debian::ensure(&["g++"])?;
    let home = tempfile::tempdir_in(workspace::target())?;
    let binary = home.path().join("native");
    Shell::new("c++")
        .args(["-std=c++17", "-O2", "-g", "-o"])
        .args([binary.clone(), program("native.cpp")])
        .inherit()?;
    let dumps = home.path().join("dumps");
    Shell::new(deadweight)
        .args(["--quiet", "run", "--when", "exit", "--dir"])
        .args([
            dumps.as_os_str(),
            "--format".as_ref(),
            "json".as_ref(),
            "--".as_ref(),
        ])
        .args([binary.as_os_str(), records.to_string().as_ref()])
        .output()?;
    let dump = fs::read_dir(&dumps)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "dwheap"));
    let dump = dump.context("the recorder left no dump")?;
    ensure!(dump.is_file(), "{} is no file", dump.display());
    fs::rename(dump, to)?;
    Ok(())
}

fn jvm(records: u64, to: &Path) -> anyhow::Result<()> {
    debian::ensure(jdk::packages())?;
    let classes = tempfile::tempdir_in(workspace::target())?;
    Shell::new("javac")
        .args(["-d".as_ref(), classes.path(), &program("Jvm.java")])
        .inherit()?;
    // The machine writes no file with another ending, and none that is there.
    let written = classes.path().join("heap.hprof");
    Shell::new("java")
        .args(["-XX:+UseParallelGC", "-Xmx14g", "-cp"])
        .args([classes.path(), "Jvm".as_ref()])
        .args([records.to_string().as_ref(), written.as_os_str()])
        .inherit()?;
    Ok(fs::rename(written, to)?)
}
