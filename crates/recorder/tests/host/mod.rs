//! Compiles a real program, runs it under the recorder, and reads its dumps.

#![allow(dead_code, reason = "each test file uses a part of this")]

mod library;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use deadweight_formats::churn;
use deadweight_formats::native::{Dump, Piece};
use deadweight_heap::Churn;
use library::library;
use tempfile::TempDir;

pub struct Run {
    pub output: Output,
    pub dumps: Vec<Dump>,
    pub files: Vec<PathBuf>,
    _directory: TempDir,
}

impl Run {
    pub fn lines(&self) -> Vec<Vec<&str>> {
        let text = str::from_utf8(&self.output.stdout).unwrap();
        text.lines().map(|line| line.split(' ').collect()).collect()
    }

    /// What was made, of a program with a Boehm collector.
    pub fn churn(&self) -> Churn {
        let [file] = &self.files[..] else {
            panic!("{:?} {:?}", self.files, self.output)
        };
        churn::read(&std::fs::read(file).unwrap(), file).unwrap()
    }

    /// The only file of that ending, as text.
    pub fn file(&self, ending: &str) -> String {
        let mut files = self
            .files
            .iter()
            .filter(|file| file.to_string_lossy().ends_with(ending));
        let file = files.next().unwrap_or_else(|| panic!("{:?}", self.files));
        assert!(files.next().is_none(), "{:?}", self.files);
        std::fs::read_to_string(file).unwrap()
    }

    pub fn dump(&self) -> &Dump {
        assert_eq!(self.dumps.len(), 1, "{:?} {:?}", self.files, self.output);
        &self.dumps[0]
    }
}

fn list(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}

fn is_hidden(file: &Path) -> bool {
    file.file_name().unwrap().to_string_lossy().starts_with('.')
}

pub struct Program {
    directory: TempDir,
    path: PathBuf,
}

/// Compiles `programs/<source>` with optimisation and strips it, as it would be shipped.
pub fn compile(source: &str, flags: &[&str]) -> Program {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let compiler = if source.extension().is_some_and(|extension| extension == "cpp") {
        "c++"
    } else {
        "cc"
    };
    let done = Command::new(compiler)
        .args(["-O2", "-s", "-fomit-frame-pointer", "-pthread", "-o"])
        .arg(&path)
        .arg(&source)
        .args(flags)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Program { directory, path }
}

impl Program {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn run(&self, arguments: &[&str], settings: &[(&str, &str)]) -> Run {
        self.run_with(arguments, settings, "")
    }

    /// With another library behind the recorder.
    pub fn run_with(&self, arguments: &[&str], settings: &[(&str, &str)], library_too: &str) -> Run {
        let directory = tempfile::tempdir_in(self.directory.path()).unwrap();
        let mut preload = library().as_os_str().to_owned();
        preload.push(" ");
        preload.push(library_too);
        let output = Command::new(&self.path)
            .args(arguments)
            .env("LD_PRELOAD", preload)
            .env("DEADWEIGHT_DIR", directory.path().join("dumps"))
            .envs(settings.iter().copied())
            .output()
            .unwrap();
        // A program that was killed may leave somebody who writes.
        let dumps = directory.path().join("dumps");
        if output.status.code().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        let mut files = list(&dumps);
        for _ in 0..200 {
            if !files.iter().any(|file| is_hidden(file)) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
            files = list(&dumps);
        }
        for file in &files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            assert!(!is_hidden(file), "{} was left behind", file.display());
        }
        let dumps = files
            .iter()
            .filter(|file| file.extension().is_some_and(|extension| extension == "dwheap"))
            .map(|file| Dump::read(file).unwrap())
            .collect();
        Run {
            output,
            dumps,
            files,
            _directory: directory,
        }
    }
}

/// Index of the block at an address.
pub fn find(dump: &Dump, address: u64) -> Option<usize> {
    dump.blocks()
        .binary_search_by_key(&address, |block| block.address)
        .ok()
}

pub fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

/// All bytes of a block.
pub fn bytes(dump: &Dump, block: usize) -> Vec<u8> {
    let mut all = Vec::new();
    for piece in dump.content(block).unwrap() {
        match piece {
            Piece::Bytes(bytes) => all.extend(bytes),
            Piece::Untouched(len) => all.resize(all.len() + len as usize, 0),
        }
    }
    all
}
