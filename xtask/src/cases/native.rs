//! Whole systems of the machine's own programs: they say themselves what they hold, and are weighed under the preload
//! recorder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use deadweight_compare::Proof;
use deadweight_compare::proof::Saving;
use deadweight_compare::prove::slots::saves_with;
use deadweight_weighing::{Finding, Weighing};
use serde_json::Value;

use super::compare::{
    self, Bytes, Failure, Row, check_error, check_must_find, check_must_not_find, median, outputs, predicted,
};
use super::cpu;
use super::manifest::{Case, Demand, Expectation, Fix, Measure, Preloaded};
use super::report::{Section, thousands};
use super::runner::{Runner, fill};
use super::sides::{self, Side};
use super::system::selection;
use crate::shell::Shell;
use crate::workspace;

/// How often a time is measured: other programs take from it.
const ROUNDS: usize = 7;

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

/// What a program says at its end.
#[derive(Clone, Debug)]
struct Said {
    whole: Value,
    held: i64,
    resident: i64,
}

/// What the tool says of a program.
#[derive(Debug)]
struct Weighed {
    weighing: Weighing,
    output: Value,
}

/// A program and the allocator under it.
type Variant = (Vec<String>, Option<String>);

struct Play<'a> {
    runner: &'a Runner,
    folder: &'a Path,
    case: &'a Case,
    measure: &'a Measure,
    size: u64,
    said: BTreeMap<Variant, Said>,
    weighed: BTreeMap<Variant, Weighed>,
    failures: Vec<Failure>,
    notes: Vec<String>,
}

impl<'a> Play<'a> {
    fn new(runner: &'a Runner, folder: &'a Path, case: &'a Case, size: u64) -> anyhow::Result<Self> {
        Ok(Self {
            runner,
            folder,
            case,
            measure: case
                .measure
                .as_ref()
                .context("the case does not say how its programs measure themselves")?,
            size,
            said: BTreeMap::new(),
            weighed: BTreeMap::new(),
            failures: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn shell(&self, program: &Path, under: Option<&Preloaded>) -> Shell {
        let shell = Shell::new(program).current_dir(self.folder);
        match under {
            Some(allocator) => shell.env("LD_PRELOAD", &allocator.library),
            None => shell,
        }
    }

    /// Runs a program and reads what it says of itself.
    fn run(&self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Said> {
        let filled = fill(command, self.size, None);
        let (program, arguments) = filled.split_first().context("a command is empty")?;
        let shell = self.shell(&self.folder.join(program), under);
        let output = shell.args(arguments).args(&self.measure.arguments).output()?;
        let whole: Value = serde_json::from_slice(&output)
            .with_context(|| format!("{} prints no JSON", filled.join(" ")))?;
        let figure = |path: &str| {
            whole
                .pointer(path)
                .and_then(Value::as_i64)
                .with_context(|| format!("{} says nothing at {path}", filled.join(" ")))
        };
        Ok(Said {
            held: figure(&self.measure.held)?,
            resident: figure(&self.measure.resident)?,
            whole,
        })
    }

    /// The same, once for each program; what it prints must be what `before` prints.
    fn said(&mut self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Said> {
        let variant = variant(command, under);
        if let Some(said) = self.said.get(&variant) {
            return Ok(said.clone());
        }
        let said = self.run(command, under)?;
        if self.case.output.same && self.is_of_this_size(command) {
            let before = self.reference()?;
            let proper = proper(said.whole.clone(), &self.measure.section);
            for path in outputs(&before, &proper, None).wrong {
                self.failures.push(Failure::Demand(format!(
                    "{} prints another {path}",
                    command.join(" ")
                )));
            }
        }
        self.said.insert(variant, said.clone());
        Ok(said)
    }

    /// Other programs of the case may be run on an input of their own.
    fn is_of_this_size(&self, command: &[String]) -> bool {
        command.get(1..) == self.case.before.command.get(1..)
    }

    /// What `before` prints.
    fn reference(&mut self) -> anyhow::Result<Value> {
        let command = &self.case.before.command;
        if !self.said.contains_key(&variant(command, None)) {
            let said = self.run(command, None)?;
            self.said.insert(variant(command, None), said);
        }
        let said = &self.said[&variant(command, None)];
        Ok(proper(said.whole.clone(), &self.measure.section))
    }

    /// Weighs a program, once.
    fn weighed(&mut self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<&Weighed> {
        let variant = variant(command, under);
        if !self.weighed.contains_key(&variant) {
            let weighed = self.weigh(command, under)?;
            self.weighed.insert(variant.clone(), weighed);
        }
        Ok(&self.weighed[&variant])
    }

    fn weigh(&self, command: &[String], under: Option<&Preloaded>) -> anyhow::Result<Weighed> {
        let filled = fill(command, self.size, None);
        let temporary = tempfile::tempdir()?;
        let report = temporary.path().join("report.json");
        let shell = self
            .shell(&self.runner.deadweight, under)
            .args(["run", "--all", "--format", "json", "--output"])
            .args([&report])
            .args(["--dir"])
            .args([temporary.path().join("captures")])
            .args(["--"])
            .args(&filled);
        let output = shell.output()?;
        let text = fs::read(&report).with_context(|| format!("{} was not weighed", filled.join(" ")))?;
        let weighing: Weighing = serde_json::from_slice(&text)?;
        ensure!(weighing.partial.is_none(), "the capture is not whole");
        if let Some(allocator) = under {
            ensure!(
                weighing.runtime.allocator == allocator.name,
                "{} ran under {} instead of {}",
                filled.join(" "),
                weighing.runtime.allocator,
                allocator.name
            );
        }
        Ok(Weighed {
            weighing,
            output: serde_json::from_slice(&output)
                .with_context(|| format!("{} prints no JSON", filled.join(" ")))?,
        })
    }

    fn check_findings(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let before = self.weighed(&case.before.command, None)?;
        let offered = before.weighing.findings.iter().chain(&before.weighing.options);
        let found: Vec<Finding> = offered.cloned().collect();
        let output = before.output.clone();
        for wanted in &case.must_find {
            if !is_any_rule(|code| compare::is_rule(&wanted.rule, code)) {
                self.pass_over(wanted.rule.as_str(), "there is no such rule");
                continue;
            }
            let missing = check_must_find(&wanted.rule, &wanted.holder, &found);
            let disagrees = if missing.is_none() {
                disagreement(wanted, &found, &output)
            } else {
                None
            };
            self.failures.extend(missing.into_iter().chain(disagrees));
        }
        for unwanted in &case.must_not_find {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
        Ok(())
    }

    fn pass_over(&mut self, name: &str, why: &str) {
        self.notes.push(format!("{name}: passed over, as {why}"));
    }

    /// Rows of bytes in use, and of resident memory.
    fn fixes(&mut self, under: Option<&Preloaded>) -> anyhow::Result<(Vec<Row>, Vec<Row>)> {
        let case = self.case;
        let (mut held, mut resident) = (Vec::new(), Vec::new());
        for fix in &case.fixes {
            if under.is_some_and(|allocator| !allocator.fixes.contains(&fix.name)) {
                continue;
            }
            if !is_known(fix) {
                if under.is_none() {
                    self.pass_over(&fix.name, "there is no such rule");
                }
                continue;
            }
            let command = fix.before.as_ref().unwrap_or(&case.before.command);
            let (before, after) = (self.said(command, under)?, self.said(&fix.command, under)?);
            let weighed = self.weighed(command, under)?;
            let platform = weighed.weighing.runtime.version.clone();
            let wanted: Vec<Finding> = selection(fix)
                .of(&weighed.weighing.findings)
                .into_iter()
                .cloned()
                .collect();
            let way = way(fix);
            let proof = self.proven(command, &fix.command, under, way.as_deref(), &fix.name)?;
            self.failures.extend(sides::check(
                &proof,
                &wanted.iter().collect::<Vec<_>>(),
                way.as_deref(),
            ));
            let row = |measured, bound, whole| Row {
                bound,
                whole,
                ..self.row(
                    fix,
                    &platform,
                    sides::mended(&proof),
                    proof.predicted.sum(),
                    measured,
                )
            };
            let rows = [
                row(
                    proof.measured.sum(),
                    Some(fix.bound.unwrap_or(case.bounds.fix)),
                    before.held,
                ),
                // Resident memory moves by pages and by what the allocator keeps for later: of a small input that is
                // more than the bound, so it is shown and bound to nothing.
                row(
                    before.resident - after.resident,
                    (self.size >= case.sizes.test).then_some(case.bounds.resident),
                    before.resident,
                ),
            ];
            self.failures.extend(rows.iter().filter_map(check_error));
            let [in_use, rss] = rows;
            held.push(in_use);
            resident.push(rss);
        }
        Ok((held, resident))
    }

    /// A program without a recorder.
    fn program(&self, command: &[String]) -> Shell {
        let filled = fill(command, self.size, None);
        let program = self.folder.join(filled.first().map_or("", String::as_str));
        self.shell(&program, None).args(filled.into_iter().skip(1))
    }

    fn chain(&mut self) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        if !case.chain.iter().all(is_known) {
            self.pass_over("one fix after the other", "there is no rule for one of them");
            return Ok(Vec::new());
        }
        let before = &case.before.command;
        let platform = self.weighed(before, None)?.weighing.runtime.version.clone();
        let ways: Vec<String> = case.chain.iter().filter_map(way).collect();
        ensure!(ways.len() <= 1, "prove takes one way at a time");
        let proof = self.proven(
            before,
            &last.command,
            None,
            ways.first().map(String::as_str),
            "all",
        )?;
        let mut from = self.said(before, None)?.held;
        let mut rows = Vec::new();
        for fix in &case.chain {
            let (findings, promised) = self.promised(fix, before)?;
            let to = self.said(&fix.command, None)?.held;
            let row = Row {
                whole: from,
                ..self.row(fix, &platform, findings.len(), promised, from - to)
            };
            self.failures.extend(sides::check(
                &proof,
                &findings.iter().collect::<Vec<_>>(),
                way(fix).as_deref(),
            ));
            self.failures.extend(split(
                &proof,
                &findings,
                row.measured.sum(),
                &fix.name,
                case.bounds.chain,
            ));
            rows.push(row);
            from = to;
        }
        let whole = Row {
            name: "all of them".into(),
            title: String::new(),
            bound: Some(case.bounds.chain),
            published: None,
            whole: self.said(before, None)?.held,
            ..self.row(
                last,
                &platform,
                sides::mended(&proof),
                proof.predicted.sum(),
                proof.measured.sum(),
            )
        };
        self.failures.extend(check_error(&whole));
        rows.push(whole);
        Ok(rows)
    }

    /// A program against the one it comes from, by the tool itself: as weighed, with what each says it holds when
    /// nobody records it.
    fn proven(
        &mut self,
        before: &[String],
        after: &[String],
        under: Option<&Preloaded>,
        way: Option<&str>,
        name: &str,
    ) -> anyhow::Result<Proof> {
        let mut side = |command: &[String]| -> anyhow::Result<Side> {
            let held = self.said(command, under)?.held;
            let weighing = self.weighed(command, under)?.weighing.clone();
            Ok(Side::new(weighing, Bytes { held, external: 0 }))
        };
        let (before, after) = (side(before)?, side(after)?);
        let allocator = under.map_or("own", |allocator| &allocator.name);
        let folder = format!("{}-{name}-{}-{allocator}", self.case.name, self.size);
        let kept = workspace::target().join("cases").join(folder);
        sides::prove(&self.runner.deadweight, &kept, &before, &after, way)
    }

    /// The findings that a step mends in a program, and what they promise given those before them.
    fn promised(&mut self, fix: &Fix, command: &[String]) -> anyhow::Result<(Vec<Finding>, i64)> {
        let weighing = &self.weighed(command, None)?.weighing;
        let findings = selection(fix).of(&weighing.findings);
        let promised = if let Some(sizes) = &fix.sizes {
            let name = &weighing.runtime.allocator;
            let allocator = deadweight_allocators::by_name(name)
                .with_context(|| format!("the allocator {name} has no model"))?;
            let each = findings.iter().map(|finding| {
                saves_with(finding, sizes, &*allocator)
                    .with_context(|| format!("{} says nothing of sizes", finding.rule))
            });
            each.sum::<anyhow::Result<i64>>()?
        } else {
            predicted(&findings).sum()
        };
        Ok((findings.into_iter().cloned().collect(), promised))
    }

    fn row(&self, fix: &Fix, platform: &str, findings: usize, promised: i64, measured: i64) -> Row {
        let held = |held| Bytes { held, external: 0 };
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: platform.to_owned(),
            findings,
            predicted: held(promised),
            measured: held(measured),
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }

    /// All fixes together, in resident memory.
    fn ends(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let Some(after) = &case.after else {
            return Ok(());
        };
        let ends = [
            ("before", self.said(&case.before.command, None)?, None),
            (
                "after",
                self.said(&after.command, None)?,
                after.published.as_ref(),
            ),
        ];
        for (name, said, published) in &ends {
            let published = published.map(|published| format!(" (published: {published})"));
            self.notes.push(format!(
                "{name}: {:.1} MB in use, {:.1} MB resident{}",
                said.held as f64 / 1e6,
                said.resident as f64 / 1e6,
                published.unwrap_or_default()
            ));
        }
        let [(_, before, _), (_, after, _)] = ends;
        let saved = 1.0 - after.resident as f64 / before.resident as f64;
        self.notes
            .push(format!("resident memory: {:.1} % less", saved * 100.0));
        // What a process has resident before it holds anything is a third of a small one.
        if let Some(least) = case.full.and_then(|full| full.rss_saved_at_least)
            && self.size >= case.sizes.test
            && saved < least
        {
            self.failures.push(Failure::Demand(format!(
                "resident memory: {saved:.3} saved, less than {least}"
            )));
        }
        Ok(())
    }

    fn check(&mut self, demand: &Demand) -> anyhow::Result<()> {
        let figure = |said: &Said| {
            let figure = said.whole.pointer(&demand.figure).and_then(Value::as_f64);
            figure.with_context(|| format!("nothing is said at {}", demand.figure))
        };
        let share = if demand.is_time {
            let mut ratios = Vec::new();
            for _ in 0..ROUNDS {
                let before = figure(&self.run(&demand.before, None)?)?;
                ratios.push(figure(&self.run(&demand.command, None)?)? / before);
            }
            1.0 - median(&ratios).unwrap_or(f64::NAN)
        } else {
            let before = figure(&self.said(&demand.before, None)?)?;
            1.0 - figure(&self.said(&demand.command, None)?)? / before
        };
        self.notes.push(format!(
            "{}: {:.1} % less (at least {:.0} %)",
            demand.what,
            share * 100.0,
            demand.less * 100.0
        ));
        if share < demand.less || share.is_nan() {
            self.failures.push(Failure::Demand(format!(
                "{}: {share:.3} less, which is not {}",
                demand.what, demand.less
            )));
        }
        Ok(())
    }
}

fn variant(command: &[String], under: Option<&Preloaded>) -> Variant {
    (command.to_vec(), under.map(|allocator| allocator.name.clone()))
}

/// How a fix mends its findings, where that is to be said.
fn way(fix: &Fix) -> Option<String> {
    let sizes = fix.sizes.as_ref().map(|sizes| {
        let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
        sizes.join(",")
    });
    sizes.or_else(|| fix.alternative.clone())
}

/// Of all fixes made at once, the part of one must be what it did by itself.
fn split(proof: &Proof, findings: &[Finding], alone: i64, name: &str, bound: f64) -> Option<Failure> {
    let own = proof.fixes.iter().filter(|fix| {
        findings
            .iter()
            .any(|finding| finding.fingerprint == fix.fingerprint)
    });
    let part: i64 = own.filter_map(|fix| fix.measured).map(Saving::sum).sum();
    let off = (part - alone).abs() as f64 / alone.max(1) as f64;
    (off > bound).then(|| {
        Failure::Demand(format!(
            "{name}: prove gives it {part} of all fixes at once, and by itself it did {alone}"
        ))
    })
}

/// What is printed without what was measured.
fn proper(mut whole: Value, section: &str) -> Value {
    if let Some(object) = whole.as_object_mut() {
        object.remove(section);
    }
    whole
}

/// Whether there is a rule for the fix at all.
fn is_known(fix: &Fix) -> bool {
    is_any_rule(|code| fix.rules.iter().any(|rule| rule == code))
}

fn is_any_rule(is_it: impl Fn(&str) -> bool) -> bool {
    deadweight_rules::all()
        .iter()
        .any(|rule| is_it(&rule.code().to_string()))
}

/// Evidence that must be what the program prints, and is not in any of the findings.
fn disagreement(wanted: &Expectation, found: &[Finding], output: &Value) -> Option<Failure> {
    if wanted.agrees.is_empty() {
        return None;
    }
    let agrees = |finding: &&Finding| {
        let evidence = Value::Object(finding.evidence.clone());
        wanted.agrees.iter().all(|(ours, theirs)| {
            let theirs = output.pointer(theirs);
            theirs.is_some() && evidence.pointer(ours) == theirs
        })
    };
    let candidates = found.iter().filter(|finding| {
        compare::is_rule(&wanted.rule, &finding.rule) && wanted.holder.is_match(&finding.holder)
    });
    candidates.clone().find(agrees).is_none().then(|| {
        Failure::Demand(format!(
            "{}: {:?} is not as the program prints it",
            wanted.rule, wanted.agrees
        ))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_measured_is_no_output() {
        let whole = json!({"root": "AB", "measured": {"find_ms": 3}});
        assert_eq!(proper(whole, "measured"), json!({"root": "AB"}));
    }

    #[test]
    fn rules_that_are_not_there_are_known_not_to_be() {
        assert!(is_any_rule(|code| code == "C02"));
        assert!(!is_any_rule(|code| code == "X99"));
    }

    #[test]
    fn evidence_is_held_against_the_output() {
        let wanted: Expectation = toml::from_str(
            "rule = \"C02\"\nholder = \"Inner\"\nagrees = { \"/used_slots\" = \"/children\" }",
        )
        .unwrap();
        let mut finding = compare::tests::finding("C02", "Inner", 1000);
        finding.evidence.insert("used_slots".into(), json!([0, 3, 4]));
        let found = [finding];
        let check = |printed| disagreement(&wanted, &found, &printed);
        assert_eq!(check(json!({"children": [0, 3, 4]})), None);
        assert!(check(json!({"children": [0, 3, 5]})).is_some());
        assert!(check(json!({})).is_some());
    }
}
