//! Whole systems: one variant for each fix, and all of them one after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deadweight_compare::Proof;
use deadweight_weighing::{Finding, Weighing};
use serde_json::Value;

use super::Cases;
use super::compare::{
    Bytes, Failure, Row, Rules, Selection, check_error, check_must_find, check_must_not_find, outputs,
    predicted,
};
use super::cpu;
use super::manifest::{Case, Fix, Runtime, Shape};
use super::report::{self, Results, Section, thousands};
use super::runner::{Recorded, Run, Runner, fill};
use super::sides::{self, Side};
use super::{made, native};
use crate::nodes::{self, Node};
use crate::shell::Shell;
use crate::test::{CMAKE, CRYSTAL, LIBRARIES};
use crate::{debian, npm, workspace};

/// Runs the cases that are asked for.
///
/// # Errors
/// When a case cannot be run at all.
pub fn run(
    runner: &Runner,
    cases: &Cases,
    systems: &[(PathBuf, Case)],
    results: &mut Results,
) -> anyhow::Result<()> {
    for (folder, case) in systems {
        install(folder, case).with_context(|| case.name.clone())?;
        if case.runtime.is_of_churn() {
            let size = match (cases.quick, cases.full) {
                (true, _) => case.sizes.quick,
                (_, true) => case.sizes.full,
                _ => case.sizes.test,
            };
            let (section, failures) =
                made::compare(runner, folder, case, size, cases.write).with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            continue;
        }
        if case.runtime == Runtime::Native {
            let size = if cases.quick {
                case.sizes.quick
            } else {
                case.sizes.test
            };
            let asked = native::Asked {
                full: cases.full,
                timed: cases.write,
            };
            let (section, failures) =
                native::compare(runner, folder, case, size, asked).with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            if cases.full {
                let (section, failures) =
                    native::ends(runner, folder, case, case.sizes.full).with_context(|| case.name.clone())?;
                keep(section, failures, case, results);
            }
            continue;
        }
        for major in cases.nodes_or(&case.nodes) {
            let node = nodes::node(major)?;
            let size = if cases.quick {
                case.sizes.quick
            } else {
                case.sizes.test
            };
            let stage = Stage {
                runner,
                folder,
                case,
                node: &node,
                shape: None,
                timed: cases.write,
            };
            let (section, failures) = stage.compare(size).with_context(|| case.name.clone())?;
            keep(section, failures, case, results);
            for shape in &case.shapes {
                let stage = Stage {
                    shape: Some(shape),
                    ..stage
                };
                let size = shape.size.map_or(size, |most| most.min(size));
                let (section, failures) = stage
                    .compare(size)
                    .with_context(|| format!("{}, {}", case.name, shape.name))?;
                keep(section, failures, case, results);
            }
            if cases.full {
                let (section, failures) = stage.full().with_context(|| case.name.clone())?;
                keep(section, failures, case, results);
            }
        }
    }
    Ok(())
}

fn install(folder: &Path, case: &Case) -> anyhow::Result<()> {
    match case.runtime {
        Runtime::Native => {
            debian::ensure(CMAKE)?;
            debian::ensure(LIBRARIES)?;
        }
        Runtime::Ruby => debian::ensure(&["ruby"])?,
        Runtime::Crystal => debian::ensure(CRYSTAL)?,
        Runtime::Node => {}
    }
    match case.install.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(()),
        ["npm", "ci"] => npm::install(folder),
        [program, ref arguments @ ..] => Shell::new(program).args(arguments).current_dir(folder).inherit(),
    }
}

fn keep(section: Section, failures: Vec<Failure>, case: &Case, results: &mut Results) {
    report::print_section(&section);
    for failure in failures {
        println!("  {failure}");
        results.failures.push(format!("{}: {failure}", case.name));
    }
    results.cases.push(section);
}

#[derive(Clone, Copy)]
struct Stage<'a> {
    runner: &'a Runner,
    folder: &'a Path,
    case: &'a Case,
    node: &'a Node,
    /// What kind of input the programs get, where it is not the case's own.
    shape: Option<&'a Shape>,
    /// Whether it is measured what fixes cost in CPU time.
    timed: bool,
}

/// What a run of all variants needs to know.
struct Play<'a> {
    stage: &'a Stage<'a>,
    size: u64,
    input: Option<PathBuf>,
    before: Recorded,
    weighing: Weighing,
    /// What variants hold, by their command: some are in several tables.
    held: BTreeMap<Vec<String>, Bytes>,
    failures: Vec<Failure>,
    worst_estimate: Option<(String, f64)>,
}

impl Stage<'_> {
    fn title(&self, size: u64) -> String {
        let shape = self.shape.map(|shape| format!("{} · ", shape.title));
        format!(
            "{}{} · Node.js {}",
            shape.unwrap_or_default(),
            thousands(size),
            self.node.version
        )
    }

    /// A command with its arguments filled in, and those of the shape behind them.
    fn fill(&self, command: &[String], size: u64, input: Option<&Path>) -> Vec<String> {
        let mut filled = fill(command, size, input);
        filled.extend(self.shape.iter().flat_map(|shape| shape.arguments.clone()));
        filled
    }

    fn generate(&self, size: u64, directory: &Path) -> anyhow::Result<Option<PathBuf>> {
        let Some((program, arguments)) = self.case.generate.split_first() else {
            return Ok(None);
        };
        let input = directory.join("input");
        let arguments = self.fill(arguments, size, Some(&input));
        let shell = if program == "node" {
            self.node.shell()
        } else {
            Shell::new(program)
        };
        shell.args(arguments).current_dir(self.folder).output_to(&input)?;
        Ok(Some(input))
    }

    fn run<'r>(&'r self, command: &'r [String]) -> Run<'r> {
        Run {
            node: self.node,
            folder: self.folder,
            command,
        }
    }

    /// Every variant, each against what was predicted of it.
    fn compare(&self, size: u64) -> anyhow::Result<(Section, Vec<Failure>)> {
        let temporary = tempfile::tempdir()?;
        let input = self.generate(size, temporary.path())?;
        let command = self.fill(&self.case.before.command, size, input.as_deref());
        let (_, weighing) = self.runner.weighed(self.run(&command))?;
        let before = self.runner.settled(self.run(&command))?;
        let mut play = Play {
            stage: self,
            size,
            input,
            before,
            weighing,
            held: BTreeMap::new(),
            failures: Vec::new(),
            worst_estimate: None,
        };
        if self.shape.is_none() {
            play.check_findings();
        }
        let mut tables = Vec::new();
        let mut table = |title: &str, rows: Vec<Row>| {
            if !rows.is_empty() {
                tables.push((title.to_owned(), rows));
            }
        };
        let mut fixes = play.fixes()?;
        if self.timed {
            cpu::time(&mut fixes, self.case, |command| play.program(command))?;
        }
        table("One fix each", fixes);
        table("One fix after the other", play.chain()?);
        table("Options, after all fixes", play.options()?);
        let mut notes = vec![format!(
            "before: {:.1} MB of heap, {:.1} MB external, {:.0} MB resident",
            play.before.totals.bytes.held as f64 / 1e6,
            play.before.totals.bytes.external as f64 / 1e6,
            play.before.totals.rss as f64 / 1e6
        )];
        if let Some(after) = &self.case.after {
            let held = play.variant(&after.command)?;
            notes.push(format!(
                "after: {:.1} MB of heap, {:.1} MB external{}",
                held.held as f64 / 1e6,
                held.external as f64 / 1e6,
                after
                    .published
                    .as_ref()
                    .map(|published| format!(" (published: {published})"))
                    .unwrap_or_default()
            ));
        }
        if let Some((path, error)) = &play.worst_estimate {
            notes.push(format!(
                "estimates printed differ by up to {:.2} % ({path})",
                error * 100.0
            ));
        }
        let section = Section {
            case: self.case.name.clone(),
            shape: self.shape.map(|shape| shape.name.clone()),
            title: self.title(size),
            description: self.case.description.clone(),
            tables,
            notes,
        };
        Ok((section, play.failures))
    }

    /// The ends alone, at full size: a snapshot of so much memory would take several times as much.
    fn full(&self) -> anyhow::Result<(Section, Vec<Failure>)> {
        let size = self.case.sizes.full;
        let mut section = Section {
            case: self.case.name.clone(),
            shape: None,
            title: self.title(size),
            description: format!(
                "{}, at full size: resident memory at its peak.",
                self.case.description
            ),
            tables: Vec::new(),
            notes: Vec::new(),
        };
        let (Some(full), Some(after)) = (self.case.full, &self.case.after) else {
            section.notes.push("nothing is demanded at full size".into());
            return Ok((section, Vec::new()));
        };
        let temporary = tempfile::tempdir()?;
        let input = self.generate(size, temporary.path())?;
        let mut peaks = [0, 0];
        for (peak, (name, command)) in peaks
            .iter_mut()
            .zip([("before", &self.case.before.command), ("after", &after.command)])
        {
            let command = self.fill(command, size, input.as_deref());
            let totals = self.runner.totals(self.run(&command))?.totals;
            *peak = totals.peak_rss;
            section.notes.push(format!(
                "{name}: {:.0} MB resident at its peak; {:.0} MB of heap and {:.0} MB external at its end",
                totals.peak_rss as f64 / 1e6,
                totals.bytes.held as f64 / 1e6,
                totals.bytes.external as f64 / 1e6
            ));
        }
        let saved = 1.0 - peaks[1] as f64 / peaks[0] as f64;
        section.notes.push(format!("{:.1} % less", saved * 100.0));
        let mut failures = Vec::new();
        let mut demand = |holds: bool, what: String| {
            if !holds {
                failures.push(Failure::Demand(what));
            }
        };
        if let Some(least) = full.before_rss_at_least {
            demand(
                peaks[0] >= least,
                format!("before: {} bytes resident, not even {least}", peaks[0]),
            );
        }
        if let Some(most) = full.after_rss_at_most {
            demand(
                peaks[1] <= most,
                format!("after: {} bytes resident, more than {most}", peaks[1]),
            );
        }
        if let Some(least) = full.rss_saved_at_least {
            demand(
                saved >= least,
                format!("resident memory: {saved:.3} saved, less than {least}"),
            );
        }
        Ok((section, failures))
    }
}

impl Play<'_> {
    fn fill(&self, command: &[String]) -> Vec<String> {
        self.stage.fill(command, self.size, self.input.as_deref())
    }

    /// A program without a recorder.
    fn program(&self, command: &[String]) -> Shell {
        let filled = self.fill(command);
        let shell = if filled.first().is_some_and(|program| program == "node") {
            self.stage.node.shell()
        } else {
            Shell::new(filled.first().map_or("", String::as_str))
        };
        shell
            .args(filled.into_iter().skip(1))
            .current_dir(self.stage.folder)
    }

    fn check_findings(&mut self) {
        let case = self.stage.case;
        let here = &self.stage.node.version;
        let found: Vec<Finding> = self
            .weighing
            .findings
            .iter()
            .chain(&self.weighing.options)
            .cloned()
            .collect();
        for wanted in case.must_find.iter().filter(|wanted| wanted.node.contains(here)) {
            self.failures
                .extend(check_must_find(&wanted.rule, &wanted.holder, &found));
        }
        for unwanted in case
            .must_not_find
            .iter()
            .filter(|unwanted| unwanted.node.contains(here))
        {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
    }

    /// Runs a variant unless it was run, and compares what it prints.
    fn variant(&mut self, command: &[String]) -> anyhow::Result<Bytes> {
        if let Some(&held) = self.held.get(command) {
            return Ok(held);
        }
        let filled = self.fill(command);
        let recorded = self.stage.runner.settled(self.stage.run(&filled))?;
        let output = &self.stage.case.output;
        if output.same {
            let parse = |text: &[u8]| serde_json::from_slice::<Value>(text);
            let reference = parse(&self.before.output).context("`before` prints no JSON")?;
            let other =
                parse(&recorded.output).with_context(|| format!("{} prints no JSON", filled.join(" ")))?;
            let difference = outputs(&reference, &other, output.estimates.as_ref());
            for path in &difference.wrong {
                self.failures.push(Failure::Demand(format!(
                    "{} prints another {path}",
                    command.join(" ")
                )));
            }
            if let Some((path, error)) = difference.worst_estimate
                && self
                    .worst_estimate
                    .as_ref()
                    .is_none_or(|(_, worst)| error > *worst)
            {
                self.worst_estimate = Some((path, error));
            }
        }
        self.held.insert(command.to_vec(), recorded.totals.bytes);
        Ok(recorded.totals.bytes)
    }

    fn row(&self, fix: &Fix, findings: &[&Finding], predicted: Bytes, measured: Bytes) -> Row {
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: self.stage.node.version.clone(),
            findings: findings.len(),
            predicted,
            measured,
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }

    fn bounded(&mut self, mut row: Row, bound: f64) -> Row {
        row.bound = Some(bound);
        self.failures.extend(check_error(&row));
        row
    }

    fn fixes(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let here = &self.stage.node.version;
        let mut rows = Vec::new();
        for fix in case.fixes.iter().filter(|fix| fix.node.contains(here)) {
            let (weighing, held) = if let Some(command) = &fix.before {
                let command = self.fill(command);
                let (_, weighing) = self.stage.runner.weighed(self.stage.run(&command))?;
                let recorded = self.stage.runner.settled(self.stage.run(&command))?;
                (weighing, recorded.totals.bytes)
            } else {
                (self.weighing.clone(), self.before.totals.bytes)
            };
            let before = Side::new(weighing, held);
            let findings = selection(fix).of(&before.weighing.findings);
            let proof = self.proven(&before, &fix.command, &fix.name)?;
            self.failures
                .extend(sides::check(&proof, &findings, fix.alternative.as_deref()));
            let promised = sides::bytes(proof.predicted);
            let mut row = self.row(fix, &findings, promised, sides::bytes(proof.measured));
            row.findings = sides::mended(&proof);
            row.whole = held.sum();
            let bound = if promised.external > promised.held {
                case.bounds.external
            } else {
                case.bounds.fix
            };
            rows.push(self.bounded(row, fix.bound.unwrap_or(bound)));
        }
        Ok(rows)
    }

    /// A variant against what it comes from, by the tool itself.
    fn proven(&mut self, before: &Side, command: &[String], name: &str) -> anyhow::Result<Proof> {
        let median = self.variant(command)?;
        let filled = self.fill(command);
        let (_, weighing) = self.stage.runner.weighed(self.stage.run(&filled))?;
        let shape = self.stage.shape.map(|shape| format!("{}-", shape.name));
        let folder = format!(
            "{}-{name}-{}{}-node-{}",
            self.stage.case.name,
            shape.unwrap_or_default(),
            self.size,
            self.stage.node.version
        );
        let kept = workspace::target().join("cases").join(folder);
        sides::prove(
            &self.stage.runner.deadweight,
            &kept,
            before,
            &Side::new(weighing, median),
            None,
        )
    }

    fn chain(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        let mut rows = Vec::new();
        let mut from = self.before.totals.bytes;
        for fix in &case.chain {
            let to = self.variant(&fix.command)?;
            let findings = selection(fix).of(&self.weighing.findings);
            rows.push(Row {
                whole: from.sum(),
                ..self.row(fix, &findings, predicted(&findings), from - to)
            });
            from = to;
        }
        // A finding that two steps mend must not count twice.
        let selections: Vec<_> = case.chain.iter().map(selection).collect();
        let taken = |finding: &&Finding| selections.iter().any(|selection| selection.takes(finding));
        let before = Side::new(self.weighing.clone(), self.before.totals.bytes);
        let findings: Vec<_> = before.weighing.findings.iter().filter(taken).collect();
        let proof = self.proven(&before, &last.command, "all")?;
        self.failures.extend(sides::check(&proof, &findings, None));
        let whole = self.row(
            last,
            &findings,
            sides::bytes(proof.predicted),
            sides::bytes(proof.measured),
        );
        let whole = Row {
            findings: sides::mended(&proof),
            name: "all of them".into(),
            title: String::new(),
            published: None,
            whole: self.before.totals.bytes.sum(),
            ..whole
        };
        rows.push(self.bounded(whole, case.bounds.chain));
        Ok(rows)
    }

    fn options(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.stage.case;
        let mut rows = Vec::new();
        for fix in &case.options {
            let from = match &fix.from {
                Some(name) => {
                    let step = case
                        .chain
                        .iter()
                        .chain(&case.fixes)
                        .find(|step| &step.name == name);
                    let step = step.with_context(|| format!("no step of the chain is called {name}"))?;
                    self.variant(&step.command)?
                }
                None => self.before.totals.bytes,
            };
            let measured = from - self.variant(&fix.command)?;
            let findings = selection(fix).of(&self.weighing.options);
            let promised = predicted(&findings);
            // Shown only: what an option saves depends on how far the program is written around it.
            rows.push(Row {
                whole: from.sum(),
                ..self.row(fix, &findings, promised, measured)
            });
        }
        Ok(rows)
    }
}

/// The findings that a fix mends.
pub fn selection(fix: &Fix) -> Selection<'_> {
    Selection {
        rules: Rules::Among(&fix.rules),
        holder: fix.holder.as_ref(),
        variant: fix.variant.as_deref(),
    }
}
