//! Steps of a test run: none stops those after it, and some run beside each other.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, io, thread};

use anyhow::{Context as _, bail};
use deadweight_tools::parallel::in_parallel;
use deadweight_tools::shell::Shell;
use deadweight_tools::workspace;

type Work<'a> = Box<dyn Fn() -> anyhow::Result<()> + Sync + 'a>;

/// How a line begins that says which step failed.
const FAILED: &str = "failed: ";

/// Steps run beside each other where the machine has the cores for it: most of them wait for one program at a time.
const BESIDE: usize = 2;

struct Step<'a> {
    name: String,
    work: Work<'a>,
    /// It keeps all cores busy.
    is_alone: bool,
}

/// What there is to run, in its order.
#[derive(Default)]
pub(super) struct Steps<'a> {
    steps: Vec<Step<'a>>,
}

/// What became of a step.
struct Outcome {
    name: String,
    seconds: u64,
    /// Why it failed.
    why: Option<String>,
}

impl<'a> Steps<'a> {
    /// A step that keeps all cores busy: nothing runs beside it.
    pub(super) fn alone(
        &mut self,
        name: impl Into<String>,
        work: impl Fn() -> anyhow::Result<()> + Sync + 'a,
    ) {
        self.add(name.into(), Box::new(work), true);
    }

    /// A step that another one may run beside.
    pub(super) fn beside(
        &mut self,
        name: impl Into<String>,
        work: impl Fn() -> anyhow::Result<()> + Sync + 'a,
    ) {
        self.add(name.into(), Box::new(work), false);
    }

    fn add(&mut self, name: String, work: Work<'a>, is_alone: bool) {
        self.steps.push(Step { name, work, is_alone });
    }

    /// Runs all, first those that run alone. Steps beside each other are processes of their own: `again` are the arguments
    /// with which this program runs the one that is named after them. False when one failed.
    pub(super) fn run_all(self, again: &[&str]) -> anyhow::Result<bool> {
        let (alone, beside): (Vec<_>, Vec<_>) = self.steps.into_iter().partition(|step| step.is_alone);
        let mut outcomes: Vec<Outcome> = alone.iter().map(run_here).collect();
        let names: Vec<String> = beside.into_iter().map(|step| step.name).collect();
        outcomes.extend(run_beside(&names, again)?);
        Ok(sum_up(&outcomes))
    }

    /// Runs those with these names, or else those whose names begin so, one after the other. False when one failed.
    pub(super) fn run_named(self, names: &[String]) -> anyhow::Result<bool> {
        let is_one = |name: &String| self.steps.iter().any(|step| step.name == *name);
        let is_wanted = |step: &&Step| {
            names
                .iter()
                .any(|name| step.name == *name || !is_one(name) && step.name.starts_with(name.as_str()))
        };
        let outcomes: Vec<Outcome> = self.steps.iter().filter(is_wanted).map(run_here).collect();
        if outcomes.is_empty() {
            let all: Vec<&str> = self.steps.iter().map(|step| step.name.as_str()).collect();
            bail!(
                "no step is called {}; there are: {}",
                names.join(" or "),
                all.join(", ")
            );
        }
        Ok(sum_up(&outcomes))
    }
}

fn run_here(step: &Step) -> Outcome {
    println!("\n=== {}", step.name);
    let start = Instant::now();
    let why = (step.work)().err().map(|error| format!("{error:#}"));
    let outcome = Outcome {
        name: step.name.clone(),
        seconds: start.elapsed().as_secs(),
        why,
    };
    match &outcome.why {
        None => println!("=== {}: passed in {} s", outcome.name, outcome.seconds),
        Some(why) => println!("=== {}: FAILED after {} s: {why}", outcome.name, outcome.seconds),
    }
    outcome
}

/// Runs steps in processes, some at a time, and shows what each printed once it has ended. In their order.
fn run_beside(names: &[String], again: &[&str]) -> anyhow::Result<Vec<Outcome>> {
    let logs = workspace::target().join("tmp/steps");
    fs::create_dir_all(&logs).with_context(|| format!("{} could not be made", logs.display()))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut outcomes = Vec::new();
    in_parallel(
        names,
        cores.min(BESIDE),
        |name| {
            let log = logs.join(format!("{}.log", name.replace('/', " ")));
            let start = Instant::now();
            let why = run_apart(name, again, &log).err();
            (log, start.elapsed().as_secs(), why)
        },
        |name, (log, seconds, why)| {
            show(&log);
            outcomes.push(Outcome {
                name: name.clone(),
                seconds,
                why: why.map(|error| format!("{error:#}")),
            });
        },
    );
    Ok(outcomes)
}

/// Runs one step in a process whose output goes to a file.
fn run_apart(name: &str, again: &[&str], log: &Path) -> anyhow::Result<()> {
    let program: PathBuf = env::current_exe().context("this program's file is not known")?;
    let status = Shell::new(program).args(again).args([name]).logged(log)?;
    if status.success() {
        return Ok(());
    }
    let output = fs::read(log)?;
    match reason(&String::from_utf8_lossy(&output), name) {
        Some(why) => bail!(why),
        None => bail!("it ended with {status}"),
    }
}

/// Why a step failed, by what its process printed last.
fn reason(output: &str, name: &str) -> Option<String> {
    let (_, why) = output.rsplit_once(&format!("\n{FAILED}{name}: "))?;
    let (why, _) = why.trim_end().rsplit_once('\n')?;
    Some(why.to_owned())
}

fn show(log: &Path) {
    // Bytes as they are: what programs print is not always UTF-8. A log that cannot be shown is still on the disk.
    if let Ok(output) = fs::read(log) {
        let _ = io::stdout().write_all(&output);
    }
}

/// A line for each step, and why steps failed: the end of a log is what people look at first.
fn sum_up(outcomes: &[Outcome]) -> bool {
    println!();
    if outcomes.len() > 1 {
        for Outcome { name, seconds, why } in outcomes {
            let mark = if why.is_none() { " " } else { "!" };
            println!("{mark} {seconds:>5} s  {name}");
        }
        println!();
    }
    let failed: Vec<_> = outcomes.iter().filter_map(reason_of).collect();
    for (name, why) in &failed {
        println!("{FAILED}{name}: {why}");
    }
    println!(
        "{} passed, {} failed",
        outcomes.len() - failed.len(),
        failed.len()
    );
    failed.is_empty()
}

fn reason_of(outcome: &Outcome) -> Option<(&str, &str)> {
    outcome.why.as_deref().map(|why| (outcome.name.as_str(), why))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_failed_step_fails_all_but_stops_none() {
        let ran = AtomicUsize::new(0);
        let mut steps = Steps::default();
        steps.alone("first", || bail!("broken"));
        steps.alone("second", || {
            ran.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        assert!(!steps.run_all(&[]).unwrap());
        assert_eq!(ran.into_inner(), 1);
    }

    #[test]
    fn steps_are_chosen_by_how_their_names_begin() {
        let ran = Mutex::new(Vec::new());
        let steps = || {
            let mut steps = Steps::default();
            for name in ["tests in Rust", "tests in C", "tests in C++", "lints"] {
                let ran = &ran;
                steps.beside(name, move || {
                    ran.lock().unwrap().push(name);
                    Ok(())
                });
            }
            steps
        };
        assert!(steps().run_named(&["tests".to_owned()]).unwrap());
        assert_eq!(
            *ran.lock().unwrap(),
            ["tests in Rust", "tests in C", "tests in C++"]
        );
        ran.lock().unwrap().clear();
        assert!(steps().run_named(&["tests in C".to_owned()]).unwrap());
        assert_eq!(*ran.lock().unwrap(), ["tests in C"]);
        assert!(steps().run_named(&["pages".to_owned()]).is_err());
    }

    /// This program of tests stands for the chore.
    #[test]
    fn steps_beside_each_other_are_processes_and_reported_in_their_order() {
        let names = ["one", "two/three", "four"].map(str::to_owned);
        let outcomes = run_beside(&names, &["--list"]).unwrap();
        assert!(outcomes.iter().map(|outcome| &outcome.name).eq(&names));
        assert!(outcomes.iter().all(|outcome| outcome.why.is_none()));
        let outcomes = run_beside(&names[..1], &["--no-such-option"]).unwrap();
        assert!(outcomes[0].why.as_ref().unwrap().starts_with("it ended with"));
    }

    #[test]
    fn what_a_process_printed_last_says_why_its_step_failed() {
        let output = "=== cases\nfailed: cases: not this\n\nfailed: cases: names: 4 % off\nkeys: 5 % off\n0 passed, 1 failed\n";
        assert_eq!(reason(output, "cases").unwrap(), "names: 4 % off\nkeys: 5 % off");
        assert_eq!(reason("panicked\n", "cases"), None);
    }
}
