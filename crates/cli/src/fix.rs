//! `deadweight fix`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use deadweight_capture::{CAPTURES, read_capture};
use deadweight_fix::{Edit, Patch, edits, git};
use deadweight_report::bytes;
use deadweight_weighing::{Weighing, harmless};
use serde_json::{Value, json};

use crate::arguments::{Fix, FixFormat};
use crate::{inputs, output, progress, redact};

/// Shows as a diff what can be edited without a person, or writes it.
pub fn fix(arguments: &Fix) -> anyhow::Result<ExitCode> {
    ensure!(
        redact::asked().is_none(),
        "--redact: a redacted diff could not be applied"
    );
    let named = arguments.path.clone().unwrap_or_else(|| PathBuf::from(CAPTURES));
    inputs::verify([&named])?;
    let path = &*inputs::named_latest(&named)?;
    let origin = Origin::of(path)?;
    let weighing = inputs::weighing(path, 0)?;
    let root = arguments
        .root
        .clone()
        .or(origin.root)
        .unwrap_or_else(|| PathBuf::from("."));
    let offered = edits(&weighing, &root, &arguments.findings);
    let (wanted, conditional): (Vec<Edit>, Vec<Edit>) = offered
        .into_iter()
        .partition(|edit| !arguments.write || arguments.conditional || edit.conditions.is_empty());
    let patch = Patch::new(&root, wanted);
    if arguments.write && !patch.files.is_empty() {
        git::can_restore(&root, &patch).context("nothing was written")?;
        patch.write()?;
    }
    let report = match arguments.format {
        FixFormat::Json => as_json(&patch, &conditional, arguments.write)?,
        FixFormat::Diff if arguments.write => String::new(),
        FixFormat::Diff if io::stdout().is_terminal() => on_terminal(&patch),
        FixFormat::Diff => patch.diff(),
    };
    output::deliver(report.as_bytes(), None)?;
    if !progress::is_quiet() {
        eprint!("{}", summary(&patch, &conditional, arguments.write));
        if patch.edits().next().is_none() && lacks_lines(&weighing) {
            eprintln!(
                "deadweight: findings without a line have no edit: record with `deadweight run --sites` to have lines"
            );
        }
        if arguments.write && !patch.files.is_empty() {
            eprint!("{}", proof(path, &origin.command));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What a capture says of the program that it is of.
#[derive(Default)]
struct Origin {
    /// The directory in which it ran.
    root: Option<PathBuf>,
    /// How it was started.
    command: Vec<String>,
}

impl Origin {
    fn of(path: &Path) -> anyhow::Result<Self> {
        if !path.is_dir() {
            return Ok(Self::default());
        }
        let process = read_capture(path)?.record.process;
        Ok(Self {
            root: process.cwd,
            command: process.argv,
        })
    }
}

/// Whether there are findings, and most name no line.
fn lacks_lines(weighing: &Weighing) -> bool {
    let without = weighing.findings.iter().filter(|finding| finding.line.is_none());
    without.count() * 2 > weighing.findings.len()
}

/// The diff with whatever acts on a terminal written out.
fn on_terminal(patch: &Patch) -> String {
    let mut shown = String::new();
    for line in patch.diff().lines() {
        // Tabs indent, and act on nothing.
        let parts: Vec<String> = line.split('\t').map(harmless).collect();
        shown.push_str(&parts.join("\t"));
        shown.push('\n');
    }
    shown
}

/// What each edit saves and rests on, and what is left out.
fn summary(patch: &Patch, conditional: &[Edit], is_written: bool) -> String {
    let mut said = String::new();
    let mut say = |edit: &Edit, what: &str| {
        let place = format!("{}:{}", edit.file, edit.line());
        let title = harmless(&edit.title);
        _ = writeln!(
            said,
            "deadweight: {}: {} saves {}{what}: {title}",
            harmless(&place),
            edit.rule,
            bytes(edit.saves)
        );
    };
    for edit in patch.edits() {
        say(edit, if is_written { ", written" } else { "" });
    }
    for left in &patch.left {
        say(&left.edit, &format!(", left out ({})", left.why));
    }
    for edit in conditional {
        let only = edit.conditions.join("; only if ");
        say(
            edit,
            &format!(", left out (only if {only}; `--conditional` writes it)"),
        );
    }
    if said.is_empty() {
        said.push_str("deadweight: no finding has an edit that is certain to be right\n");
    }
    said
}

/// The commands that show what the edits saved.
fn proof(before: &Path, command: &[String]) -> String {
    let program = match command {
        [] => "PROGRAM".to_owned(),
        command => quoted(command),
    };
    let before = quoted(&[before.to_string_lossy().into_owned()]);
    format!(
        "To prove it, run the program again and compare:\n  deadweight run --churn --dir after -- {program}\n  deadweight prove {before} after\n"
    )
}

/// Words as a shell takes them.
fn quoted(words: &[String]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    let quoted = words.iter().map(|word| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else {
            format!("'{}'", harmless(word).replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn as_json(patch: &Patch, conditional: &[Edit], is_written: bool) -> anyhow::Result<String> {
    let left: Vec<Value> = patch
        .left
        .iter()
        .map(|left| json!({ "edit": left.edit, "why": left.why }))
        .chain(
            conditional
                .iter()
                .map(|edit| json!({ "edit": edit, "why": "conditional" })),
        )
        .collect();
    let edits: Vec<&Edit> = patch.edits().collect();
    let report = json!({
        "schema": "deadweight/fix/1",
        "written": is_written && !edits.is_empty(),
        "edits": edits,
        "left": left,
        "diff": patch.diff(),
    });
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
