//! Whole programs of which is recorded what they make, kept or not.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use deadweight_compare::proof::MadeProof;
use deadweight_weighing::{Churned, Finding, Weighing};
use serde_json::Value;

use super::compare::{Bytes, Failure, Row, check_error, check_must_find, check_must_not_find};
use super::cpu;
use super::manifest::{Case, Fix, Runtime};
use super::report::{Section, thousands};
use super::runner::{Runner, fill};
use super::sides;
use super::system::selection;
use crate::shell::Shell;
use crate::workspace;

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

struct Play<'a> {
    runner: &'a Runner,
    folder: &'a Path,
    case: &'a Case,
    size: u64,
    input: PathBuf,
    port: u16,
    build: PathBuf,
    recorded: BTreeMap<Vec<String>, Weighing>,
    /// What programs say themselves of what they made, by their command.
    own: BTreeMap<Vec<String>, i64>,
    failures: Vec<Failure>,
    notes: Vec<String>,
}

impl Play<'_> {
    fn fill(&self, command: &[String]) -> Vec<String> {
        let filled = fill(command, self.size, Some(&self.input)).into_iter();
        filled
            .map(|word| {
                word.replace("{port}", &self.port.to_string())
                    .replace("{build}", &self.build.to_string_lossy())
            })
            .collect()
    }

    fn prepare(&self) -> anyhow::Result<()> {
        let made = &self.case.made;
        let run = |command: &[String]| {
            let (program, arguments) = command.split_first().context("a command is empty")?;
            let shell = Shell::new(program).args(arguments).current_dir(self.folder);
            shell.output()
        };
        if !made.prepare.is_empty() {
            run(&self.fill(&made.prepare))?;
        }
        fs::create_dir_all(&self.build)?;
        for (name, command) in &made.builds {
            let out = self.build.join(name);
            let command: Vec<String> = command
                .iter()
                .map(|word| word.replace("{out}", &out.to_string_lossy()))
                .collect();
            run(&command)?;
        }
        Ok(())
    }

    /// What a program makes, recorded once.
    fn recorded(&mut self, command: &[String]) -> anyhow::Result<&Weighing> {
        if !self.recorded.contains_key(command) {
            let runs = (0..self.runs()).map(|_| self.record(command));
            let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
            let bytes = |weighing: &Weighing| weighing.churned.as_ref().map(|churned| churned.bytes);
            let least = runs.into_iter().min_by_key(bytes).context("no run")?;
            self.recorded.insert(command.to_vec(), least);
        }
        Ok(&self.recorded[command])
    }

    /// Runs of a program that waits for a server: how often it waits is left to chance, and a wait makes objects. The
    /// run that makes least waits least.
    fn runs(&self) -> usize {
        if self.port == 0 { 1 } else { 3 }
    }

    fn record(&self, command: &[String]) -> anyhow::Result<Weighing> {
        let filled = self.fill(command);
        let temporary = tempfile::tempdir()?;
        let report = temporary.path().join("report.json");
        let deadweight = &self.runner.deadweight;
        let alone: &[&str] = if self.case.runtime == Runtime::Ruby {
            &["--no-snapshot"]
        } else {
            &[]
        };
        Shell::new(deadweight)
            .args(["run", "--churn", "--all", "--format", "json", "--per"])
            .args([self.size.to_string()])
            .args(alone)
            .args([Path::new("--output"), &report, Path::new("--dir")])
            .args([temporary.path().join("captures")])
            .args(["--"])
            .args(&filled)
            .current_dir(self.folder)
            .env(
                "DEADWEIGHT_RUBY_LIBRARY",
                deadweight.with_file_name("libdeadweight_ruby.so"),
            )
            .output()?;
        let text = fs::read(&report).with_context(|| format!("{} was not recorded", filled.join(" ")))?;
        let weighing: Weighing = serde_json::from_slice(&text)?;
        ensure!(weighing.partial.is_none(), "the record is not whole");
        ensure!(weighing.churned.is_some(), "nothing is said of what was made");
        Ok(weighing)
    }

    /// What a program says itself of what it made, when nobody records it; nothing where it does not.
    fn own(&mut self, command: &[String]) -> anyhow::Result<Option<i64>> {
        let Some(path) = &self.case.made.own_count else {
            return Ok(None);
        };
        if let Some(&bytes) = self.own.get(command) {
            return Ok(Some(bytes));
        }
        let runs = (0..self.runs()).map(|_| self.counted(command, path));
        let runs = runs.collect::<anyhow::Result<Vec<_>>>()?;
        let bytes = runs.into_iter().min().context("no run")?;
        self.own.insert(command.to_vec(), bytes);
        Ok(Some(bytes))
    }

    /// One such run.
    fn counted(&self, command: &[String], path: &str) -> anyhow::Result<i64> {
        let filled = self.fill(command);
        let (program, arguments) = filled.split_first().context("a command is empty")?;
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()?;
        ensure!(output.status.success(), "{} failed", filled.join(" "));
        let told: Value = serde_json::from_slice(&output.stderr)
            .with_context(|| format!("{} says no JSON", filled.join(" ")))?;
        let bytes = told.pointer(path).and_then(Value::as_i64);
        bytes.with_context(|| format!("{} says nothing at {path}", filled.join(" ")))
    }

    fn check_findings(&mut self, before: &Weighing) -> anyhow::Result<()> {
        let found = found(before)?;
        for wanted in &self.case.must_find {
            self.failures
                .extend(check_must_find(&wanted.rule, &wanted.holder, &found));
        }
        for unwanted in &self.case.must_not_find {
            self.failures
                .extend(check_must_not_find(&unwanted.rule, &unwanted.holder, &found));
        }
        Ok(())
    }

    fn fixes(&mut self, platform: &str) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let mut rows = Vec::new();
        for fix in &case.fixes {
            let before = fix.before.as_ref().unwrap_or(&case.before.command);
            let (proof, wanted) = self.proven(before, fix, &fix.name)?;
            let mut row = self.row(fix, platform, &proof);
            row.whole = churned(self.recorded(before)?)?.bytes.cast_signed();
            row.bound = Some(fix.bound.unwrap_or(case.bounds.fix));
            self.failures.extend(check_error(&row));
            self.failures
                .extend(sides::check_made(&proof, &wanted.iter().collect::<Vec<_>>()));
            self.check_own(before, fix, proof.measured)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// What was recorded to be made less against the runtime's own count.
    fn check_own(&mut self, before: &[String], fix: &Fix, measured: i64) -> anyhow::Result<()> {
        let (Some(first), Some(second)) = (self.own(before)?, self.own(&fix.command)?) else {
            return Ok(());
        };
        let own = first - second;
        // Each run's own count moves by what its collector does meanwhile: a share of all that was made.
        let off = (own - measured).abs() as f64 / first.unsigned_abs().max(1) as f64;
        self.notes.push(format!(
            "{}: {:.1} B an operation less by the runtime's own count, {:.1} recorded",
            fix.name,
            own as f64 / self.size as f64,
            measured as f64 / self.size as f64
        ));
        if off > self.case.bounds.own_count {
            self.failures.push(Failure::Demand(format!(
                "{}: the runtime itself counts {own} bytes less, and {measured} were recorded",
                fix.name
            )));
        }
        Ok(())
    }

    /// A program against the one it comes from, by the tool itself, and the findings the fix is of.
    fn proven(
        &mut self,
        before: &[String],
        fix: &Fix,
        name: &str,
    ) -> anyhow::Result<(MadeProof, Vec<Finding>)> {
        let first = self.recorded(before)?.clone();
        let second = self.recorded(&fix.command)?.clone();
        let kept = workspace::target()
            .join("cases")
            .join(format!("{}-{name}-{}", self.case.name, self.size));
        let proof = sides::prove_made(&self.runner.deadweight, &kept, &first, &second)?;
        Ok((proof, wanted(fix, &first)?))
    }

    /// A program without a recorder.
    fn program(&self, command: &[String]) -> Shell {
        let filled = self.fill(command);
        let shell = Shell::new(filled.first().map_or("", String::as_str));
        shell.args(filled.iter().skip(1)).current_dir(self.folder)
    }

    /// All fixes of the chain at once: what the proof gives each is held against what it did by itself.
    fn chain(&mut self, platform: &str) -> anyhow::Result<Vec<Row>> {
        let case = self.case;
        let Some(last) = case.chain.last() else {
            return Ok(Vec::new());
        };
        let before = &case.before.command;
        let (proof, _) = self.proven(before, last, "all")?;
        let first = self.recorded(before)?.clone();
        let mut from = churned(&first)?.bytes.cast_signed();
        let mut rows = Vec::new();
        for fix in &case.chain {
            let wanted = wanted(fix, &first)?;
            self.failures
                .extend(sides::check_made(&proof, &wanted.iter().collect::<Vec<_>>()));
            let to = churned(self.recorded(&fix.command)?)?.bytes.cast_signed();
            let alone = from - to;
            from = to;
            let own = proof.fixes.iter().filter(|told| {
                wanted
                    .iter()
                    .any(|finding| finding.fingerprint == told.fingerprint)
            });
            let (mut predicted, mut part, mut mended) = (0, 0, 0);
            for told in own {
                predicted += told.predicted;
                part += told.measured.unwrap_or(0);
                mended += usize::from(told.outcome.is_made());
            }
            let off = (part - alone).abs() as f64 / alone.max(1) as f64;
            if off > fix.bound.unwrap_or(case.bounds.chain) {
                self.failures.push(Failure::Demand(format!(
                    "{}: prove gives it {part} of all fixes at once, and by itself it did {alone}",
                    fix.name
                )));
            }
            self.notes.push(format!(
                "{}: {part} bytes of all fixes at once, {alone} by itself",
                fix.name
            ));
            rows.push(Row {
                findings: mended,
                predicted: of(predicted),
                measured: of(alone),
                whole: to + alone,
                ..self.row(fix, platform, &proof)
            });
        }
        let whole = Row {
            name: "all of them".into(),
            title: String::new(),
            bound: Some(case.bounds.chain),
            published: None,
            whole: churned(&first)?.bytes.cast_signed(),
            ..self.row(last, platform, &proof)
        };
        self.failures.extend(check_error(&whole));
        self.failures.extend(sides::disagrees(
            proof.error,
            whole.predicted.sum(),
            whole.measured.sum(),
        ));
        rows.push(whole);
        Ok(rows)
    }

    fn row(&self, fix: &Fix, platform: &str, proof: &MadeProof) -> Row {
        Row {
            name: fix.name.clone(),
            title: fix.title.clone().unwrap_or_default(),
            size: self.size,
            node: platform.to_owned(),
            findings: proof.fixes.iter().filter(|fix| fix.outcome.is_made()).count(),
            predicted: of(proof.predicted),
            measured: of(proof.measured),
            bound: None,
            published: fix.published.clone(),
            whole: 0,
            cpu: None,
        }
    }

    fn ends(&mut self) -> anyhow::Result<()> {
        let case = self.case;
        let mut ends = vec![("before", &case.before)];
        ends.extend(case.after.as_ref().map(|after| ("after", after)));
        for (name, program) in ends {
            let made = churned(self.recorded(&program.command)?)?.clone();
            let each = made.bytes as f64 / self.size as f64;
            let published = program.published.as_ref();
            let published = published.map(|published| format!(" (published: {published})"));
            self.notes.push(format!(
                "{name}: {:.1} MB made in {} objects, {each:.1} B an operation{}",
                made.bytes as f64 / 1e6,
                thousands(made.objects.unwrap_or(0)),
                published.unwrap_or_default()
            ));
        }
        Ok(())
    }
}

fn of(bytes: i64) -> Bytes {
    Bytes {
        held: bytes,
        external: 0,
    }
}

fn churned(weighing: &Weighing) -> anyhow::Result<&Churned> {
    weighing
        .churned
        .as_ref()
        .context("nothing is said of what was made")
}

/// Findings and options about what is made.
fn found(weighing: &Weighing) -> anyhow::Result<Vec<Finding>> {
    let churned = churned(weighing)?;
    Ok(churned.findings.iter().chain(&churned.options).cloned().collect())
}

fn wanted(fix: &Fix, weighing: &Weighing) -> anyhow::Result<Vec<Finding>> {
    let found = found(weighing)?;
    Ok(selection(fix).of(&found).into_iter().cloned().collect())
}

/// A server that ends with the case.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(command: &[String]) -> anyhow::Result<Option<Self>> {
        let Some((program, arguments)) = command.split_first() else {
            return Ok(None);
        };
        // Free a moment ago: nobody else on the machine is likely to take it meanwhile.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let arguments = arguments
            .iter()
            .map(|word| word.replace("{port}", &port.to_string()));
        let process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} could not be started"))?;
        let server = Self { process, port };
        for _ in 0..250 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(Some(server));
            }
            sleep(Duration::from_millis(20));
        }
        bail!("{program} does not answer on port {port}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_not_there_is_an_error() {
        assert!(Server::start(&[]).unwrap().is_none());
        assert!(Server::start(&["/nonexistent/server".to_owned()]).is_err());
    }

    #[test]
    fn an_error_that_prove_prints_otherwise_is_a_failure() {
        assert_eq!(sides::disagrees(Some(0.01), 101, 100), None);
        assert_eq!(sides::disagrees(None, 101, 0), None);
        assert!(sides::disagrees(Some(0.02), 101, 100).is_some());
        assert!(sides::disagrees(None, 101, 100).is_some());
    }
}
