//! What is changed: small dumps, captures of real programs, and weighings.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use flate2::read::MultiGzDecoder;

use deadweight_tools::packages::LIBRARIES;
use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, nodes, workspace};

/// What a seed is to the commands that read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A dump by itself.
    Dump,
    /// A dump by itself that has no end mark: a cut between two rows need not show.
    Rows,
    /// A directory of a dump and what its recorder noted.
    Capture,
    /// A weighing as JSON.
    Weighing,
}

/// Something that Deadweight reads.
#[derive(Debug)]
pub struct Seed {
    pub name: String,
    pub kind: Kind,
    /// Names and contents; one file without a name's folder where it is no capture.
    pub files: Vec<(String, Vec<u8>)>,
    /// A budget that it keeps.
    pub budget: &'static str,
}

const HELD: &str = "[budget]\nheld = \"900 GB\"\n";
const CHURNED: &str = "[budget]\nchurned = \"900 GB\"\n";

/// Dumps of the repository, each with its kind and its budget.
const FILES: [(&str, Kind, &str); 12] = [
    (
        "crates/formats/tests/fixtures/node-18-plain.heapsnapshot.gz",
        Kind::Dump,
        HELD,
    ),
    (
        "crates/formats/tests/fixtures/node-24-numbers.heapsnapshot.gz",
        Kind::Dump,
        HELD,
    ),
    (
        "crates/formats/tests/fixtures/chrome-156-plain.heapsnapshot.gz",
        Kind::Dump,
        HELD,
    ),
    (
        "crates/formats/tests/fixtures/ruby-3.1.ndjson.gz",
        Kind::Rows,
        HELD,
    ),
    (
        "crates/formats/tests/fixtures/ruby-3.4.ndjson.gz",
        Kind::Rows,
        HELD,
    ),
    ("fuzz/seeds/python/shop.dwpython", Kind::Dump, HELD),
    ("fuzz/seeds/native/list.dwheap", Kind::Dump, HELD),
    ("fuzz/seeds/core/list.core.gz", Kind::Dump, HELD),
    ("fuzz/seeds/churn/made.churn", Kind::Dump, CHURNED),
    ("fuzz/seeds/heapprofile/split.heapprofile", Kind::Dump, CHURNED),
    ("crates/cli/tests/weighings/base.json", Kind::Weighing, HELD),
    ("crates/cli/tests/weighings/improved.json", Kind::Weighing, HELD),
];

const NODE_PROGRAM: &str = "globalThis.kept = []; \
    for (let i = 0; i < 500; i++) \
    kept.push({ id: i, name: 'name' + i % 7, at: new Date(i), bytes: Buffer.alloc(12) })";
const RUBY_PROGRAM: &str = "$kept = (0..500).map { |i| { id: i, name: \"name#{i % 7}\" } }";

/// All seeds. Captures are made of small programs at once.
///
/// # Errors
/// When a file is missing, or a program cannot be captured.
pub fn all(deadweight: &Path, home: &Path) -> anyhow::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    for (path, kind, budget) in FILES {
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".gz");
        let bytes = unpacked(&workspace::root().join(path))?;
        seeds.push(Seed {
            name: name.to_owned(),
            kind,
            files: vec![(name.to_owned(), bytes)],
            budget,
        });
    }
    debian::ensure(LIBRARIES)?;
    let node = nodes::node(nodes::PROVEN[1])?;
    let node = node.directory().join("node").display().to_string();
    for (name, options, program) in [
        ("node-capture", &[][..], [node.as_str(), "-e", NODE_PROGRAM]),
        ("node-churn-capture", &["--churn"], [&node, "-e", NODE_PROGRAM]),
        ("ruby-capture", &[], ["ruby", "-e", RUBY_PROGRAM]),
        ("native-dump", &[], ["sort", "--reverse", "/etc/passwd"]),
    ] {
        let directory = home.join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        Shell::new(deadweight)
            .args(["run", "--quiet", "--dir"])
            .args([&directory])
            .args(options)
            .args(["--"])
            .args(program)
            .output()?;
        seeds.push(captured(name, &directory)?);
    }
    Ok(seeds)
}

fn captured(name: &str, directory: &Path) -> anyhow::Result<Seed> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let ending = path.extension().unwrap_or_default();
        if ending == "deadweight" {
            let mut files = Vec::new();
            for file in fs::read_dir(&path)? {
                let file = file?;
                let name = file.file_name().to_string_lossy().into_owned();
                files.push((name, fs::read(file.path())?));
            }
            files.sort();
            ensure!(!files.is_empty(), "{} is empty", path.display());
            return Ok(Seed {
                name: format!("{name}.deadweight"),
                kind: Kind::Capture,
                files,
                budget: HELD,
            });
        }
        if ending == "dwheap" {
            let name = format!("{name}.dwheap");
            return Ok(Seed {
                files: vec![(name.clone(), fs::read(&path)?)],
                name,
                kind: Kind::Dump,
                budget: HELD,
            });
        }
    }
    anyhow::bail!("{} has no capture", directory.display())
}

fn unpacked(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|ending| ending == "gz") {
        MultiGzDecoder::new(file).read_to_end(&mut bytes)?;
    } else {
        (&file).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
