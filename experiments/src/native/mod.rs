//! Whole systems of the machine's own programs: they say themselves what they hold, and are weighed under the preload
//! recorder.

mod chain;
mod checks;
mod fixes;
mod play;

use std::path::Path;

use self::play::Play;
use crate::compare::{Failure, Row};
use crate::cpu;
use crate::manifest::Case;
use crate::report::{Section, thousands};
use crate::runner::Runner;

/// Every variant, each against what was predicted of it.
///
/// # Errors
/// When a program cannot be run or weighed.
pub fn compare(
    runner: &Runner,
    folder: &Path,
    case: &Case,
    size: u64,
    asked: Asked,
) -> anyhow::Result<(Section, Vec<Failure>)> {
    let mut play = Play::new(runner, folder, case, size)?;
    let before = &case.before.command;
    let platform = play.weighed(before, None)?.weighing.runtime.version.clone();
    let mut tables = Vec::new();
    let mut table = |title: &str, rows: Vec<Row>| {
        if !rows.is_empty() {
            tables.push((title.to_owned(), rows));
        }
    };
    play.check_findings()?;
    let (mut held, resident) = play.fixes(None)?;
    if asked.timed {
        cpu::time(&mut held, case, |command| play.program(command))?;
    }
    table("One fix each: bytes in use", held);
    table("One fix each: resident memory", resident);
    for allocator in &case.allocators {
        let (held, resident) = play.fixes(Some(allocator))?;
        let name = &allocator.name;
        table(&format!("One fix each under {name}: bytes in use"), held);
        table(&format!("One fix each under {name}: resident memory"), resident);
    }
    table("One fix after the other: bytes in use", play.chain()?);
    play.ends()?;
    for demand in case.demands.iter().filter(|demand| asked.full || !demand.is_time) {
        play.check(demand)?;
    }
    let section = Section {
        case: case.name.clone(),
        shape: None,
        title: format!("{} · {platform}", thousands(size)),
        description: format!(
            "{}. Programs say what they hold; bytes in use are those that the allocator has handed out, with its headers.",
            case.description
        ),
        tables,
        notes: play.notes,
    };
    Ok((section, play.failures))
}

/// The ends alone, at full size.
///
/// # Errors
/// When a program cannot be run.
pub fn ends(
    runner: &Runner,
    folder: &Path,
    case: &Case,
    size: u64,
) -> anyhow::Result<(Section, Vec<Failure>)> {
    let mut play = Play::new(runner, folder, case, size)?;
    play.ends()?;
    let section = Section {
        case: case.name.clone(),
        shape: None,
        title: format!("{} · full size", thousands(size)),
        description: format!("{}, at full size", case.description),
        tables: Vec::new(),
        notes: play.notes,
    };
    Ok((section, play.failures))
}

/// What is asked for besides predictions and measurements.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// What takes long.
    pub full: bool,
    /// What each fix costs in CPU time.
    pub timed: bool,
}
