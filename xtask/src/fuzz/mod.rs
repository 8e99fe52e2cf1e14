//! `cargo xtask fuzz`: readers under fire. Targets are built with the compiler's coverage counters, which the stable
//! toolchain has too.

mod files;

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use flate2::read::GzDecoder;

use deadweight_tools::shell::Shell;
use deadweight_tools::workspace::{self, Profile};

/// `cargo xtask fuzz`.
#[derive(Args, Debug)]
pub struct Fuzz {
    /// Targets; all of them when none is named
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Files and folders that the target `files` changes
    #[arg(long, default_value_t = 5_000)]
    count: u64,
    /// Where the target `files` begins: the same number gives the same changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How the tool is built that the target `files` runs.
    #[arg(skip)]
    profile: Profile,
}

/// The target that runs whole commands.
const FILES: &str = "files";

impl Fuzz {
    /// What the whole test run has time for: whole commands on changed files. With `full`, each target for a little while.
    pub fn short(full: bool) -> Self {
        Self {
            targets: if full { Vec::new() } else { vec![FILES.to_owned()] },
            seconds: 3,
            count: 1_000,
            seed: 1,
            profile: Profile::Tests,
        }
    }
}

/// The targets, and where their first inputs come from.
const TARGETS: [(&str, &[&str]); 10] = [
    ("v8", &["crates/formats/tests/fixtures/*.heapsnapshot.gz"]),
    ("ruby", &["crates/formats/tests/fixtures/*.ndjson.gz"]),
    ("jvm", &["fuzz/seeds/jvm/*"]),
    ("python", &["fuzz/seeds/python/*"]),
    ("native", &["fuzz/seeds/native/*"]),
    ("core", &["fuzz/seeds/core/*"]),
    ("churn", &["fuzz/seeds/churn/*"]),
    ("heapprofile", &["fuzz/seeds/heapprofile/*"]),
    ("weighing", &["crates/report/html/testing/weighings/*.json"]),
    (
        "packed",
        &[
            "fuzz/seeds/native/*",
            "fuzz/seeds/churn/*",
            "fuzz/seeds/heapprofile/*",
        ],
    ),
];

/// Inputs have at most so many bytes.
const MOST: u64 = 1 << 20;

/// Of inputs with more lines than this, some are left out: dumps of Ruby have a line an object.
const LINES: usize = 600;

/// Coverage counters and comparisons, as libFuzzer reads them.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Builds the targets and runs each for a while. What they find stays in `fuzz` below the target directory.
///
/// # Errors
/// When a target does not build, is not known, or finds something.
pub fn run(fuzz: &Fuzz) -> anyhow::Result<bool> {
    let known = |name: &str| name == FILES || TARGETS.iter().any(|(target, _)| *target == name);
    for name in &fuzz.targets {
        ensure!(known(name), "there is no target {name}");
    }
    let wanted = |target: &str| fuzz.targets.is_empty() || fuzz.targets.iter().any(|name| name == target);
    let files_hold = !wanted(FILES) || files::run(fuzz)?;
    if !TARGETS.iter().any(|(target, _)| wanted(target)) {
        return Ok(files_hold);
    }
    let built = build()?;
    let home = workspace::target().join("fuzz");
    let mut found = Vec::new();
    for (target, seeds) in TARGETS {
        if !wanted(target) {
            continue;
        }
        let (corpus, artifacts) = (home.join("corpus").join(target), home.join("found").join(target));
        fs::create_dir_all(&corpus)?;
        fs::create_dir_all(&artifacts)?;
        for seeds in seeds {
            plant(seeds, &corpus)?;
        }
        let done = Shell::new(built.join(target))
            .current_dir(&home)
            .args([
                format!("-max_total_time={}", fuzz.seconds),
                format!("-max_len={MOST}"),
                format!("-artifact_prefix={}/", artifacts.display()),
                "-timeout=60".into(),
                "-rss_limit_mb=2048".into(),
                "-print_final_stats=1".into(),
            ])
            .args([&corpus])
            .output();
        match done {
            Ok(_) => println!("{target}: nothing in {} seconds", fuzz.seconds),
            Err(error) => {
                println!("{target}: {error:#}");
                found.push(target);
            }
        }
    }
    Ok(found.is_empty() && files_hold)
}

/// Builds all targets and says where they are.
fn build() -> anyhow::Result<PathBuf> {
    let target = workspace::target().join("fuzz").join("build");
    let triple = host()?;
    // With a target named, build scripts and macros are built without counters.
    Shell::new(workspace::cargo())
        .current_dir(workspace::root().join("fuzz"))
        .args(["build", "--release", "--quiet", "--target", &triple])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", COVERAGE)
        .inherit()?;
    Ok(target.join(triple).join("release"))
}

fn host() -> anyhow::Result<String> {
    let said = Shell::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--version", "--verbose"])
        .output()?;
    let said = String::from_utf8_lossy(&said);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not tell its host")
}

/// Puts the first inputs into a corpus, unpacked and cut to size.
fn plant(pattern: &str, corpus: &Path) -> anyhow::Result<()> {
    let path = workspace::root().join(pattern);
    let directory = path.parent().context("a pattern has a directory")?;
    let ending = pattern.rsplit('*').next().unwrap_or_default();
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(ending) {
            continue;
        }
        let file = File::open(entry.path())?;
        let to = corpus.join(name.trim_end_matches(".gz"));
        let is_packed = entry.path().extension().is_some_and(|ending| ending == "gz");
        let bytes = if is_packed {
            few(&mut GzDecoder::new(file))?
        } else {
            few(&mut &file)?
        };
        fs::write(to, bytes)?;
    }
    Ok(())
}

/// A small input as it is; of one with many lines every so manyth.
fn few(from: &mut impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= MOST {
        return Ok(bytes);
    }
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let step = lines.len().div_ceil(LINES);
    let mut kept = Vec::new();
    for line in lines.iter().step_by(step) {
        kept.extend_from_slice(line);
        kept.push(b'\n');
    }
    Ok(kept)
}
