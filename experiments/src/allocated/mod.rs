//! Whole programs of which is recorded what they make, kept or not.

mod own;
mod play;
mod server;
mod tables;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use deadweight_tools::workspace;

use self::play::Play;
use self::server::Server;
use crate::compare::Failure;
use crate::cpu;
use crate::manifest::Case;
use crate::report::{Section, thousands};
use crate::runner::Runner;

/// Every variant, each against what was predicted of it.
///
/// # Errors
/// When a program cannot be built, run or weighed.
pub fn compare(
    runner: &Runner,
    folder: &Path,
    case: &Case,
    size: u64,
    timed: bool,
) -> anyhow::Result<(Section, Vec<Failure>)> {
    let temporary = tempfile::tempdir()?;
    let input = temporary.path().join("input");
    fs::create_dir(&input)?;
    let server = Server::start(&case.made.server)?;
    let mut play = Play {
        runner,
        folder,
        case,
        size,
        input,
        port: server.as_ref().map_or(0, |server| server.port),
        build: workspace::target()
            .join("cases")
            .join(format!("{}-programs", case.name)),
        recorded: BTreeMap::new(),
        own: BTreeMap::new(),
        failures: Vec::new(),
        notes: Vec::new(),
    };
    play.prepare()?;
    let before = play.recorded(&case.before.command)?.clone();
    let platform = format!("{} {}", before.runtime.name, before.runtime.version);
    let platform = platform.trim();
    play.check_findings(&before)?;
    let mut tables = Vec::new();
    let mut fixes = play.fixes(platform)?;
    if timed {
        cpu::time(&mut fixes, case, |command| play.program(command))?;
    }
    for (title, rows) in [
        ("One fix each: bytes made", fixes),
        ("One fix after the other: bytes made", play.chain(platform)?),
    ] {
        if !rows.is_empty() {
            tables.push((title.to_owned(), rows));
        }
    }
    play.ends()?;
    let section = Section {
        case: case.name.clone(),
        shape: None,
        title: format!("{} · {platform}", thousands(size)),
        description: format!(
            "{}. Figures are what was made, kept or not, as recorded.",
            case.description
        ),
        tables,
        notes: play.notes,
    };
    Ok((section, play.failures))
}
