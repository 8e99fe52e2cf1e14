//! `run`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use deadweight_capture::CAPTURES;
use rustix::process::{Pid, Signal, kill_process_group};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::summary::Summary;
use super::{Desk, Effect, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Starts a program with a recorder and weighs it.
pub(crate) struct Run;

/// Seconds that a program may run, unless the caller names a number, and at most.
const USUAL: u32 = 120;
const MOST: u32 = 3_600;

/// Bytes at the end of what a program prints that are shown.
const PRINTED: u64 = 1_500;

/// How long a program has to end by itself once it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// How often its end is looked for.
const POLL: Duration = Duration::from_millis(20);

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The program and its arguments; no shell reads them.
    #[schemars(length(min = 1))]
    pub program: Vec<String>,
    /// Where it starts: a folder of this server, or one below; the first of them unless given.
    #[serde(default)]
    pub folder: Option<String>,
    /// Record too what is made and thrown away, by line.
    #[serde(default)]
    pub churn: bool,
    /// Operations that the program does in all, so that bytes an operation are known.
    #[serde(default)]
    pub operations: u64,
    /// Capture the moment at which the program holds most, and not its end; a managed program runs twice then.
    #[serde(default)]
    pub peak: bool,
    /// The program is ended after this many seconds; 120 unless given.
    #[serde(default)]
    pub seconds: Option<u32>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// What came of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// How the program ended.
    ended: String,
    /// The end of what it printed on standard output.
    output: String,
    /// The end of what it and the recorder printed on standard error.
    errors: String,
    /// What its largest capture weighs; null when there was none.
    summary: Option<Summary>,
}

impl Tool for Run {
    const NAME: &'static str = "run";
    const TITLE: &'static str = "Run and weigh a program";
    const DESCRIPTION: &'static str = "Runs a program with a recorder to its end, captures its memory there (or where it holds most), and weighs it. \
        Captures stay in deadweight-captures in its folder. Needs --allow-run at the start of this server, and the user's \
        yes where the client can ask.";
    const EFFECT: Effect = Effect::Starts;
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, caller: &Caller) -> Result<Out, Refused> {
        let roots = &desk.settings.roots;
        let folder = match &input.folder {
            Some(folder) => roots.resolve(folder)?,
            None => roots.first().to_owned(),
        };
        if !folder.is_dir() {
            return Err(Refused::NoFile(roots.shown(&folder)));
        }
        if input.program.first().is_none_or(String::is_empty)
            || input.program.iter().any(|word| word.contains('\0'))
        {
            return Err(Refused::Value(
                "program names a program and its arguments".to_owned(),
            ));
        }
        let failed = |error: std::io::Error| Refused::Run(format!("the program could not be run: {error}"));
        let report = tempfile::NamedTempFile::new().map_err(failed)?;
        let (output, errors) = (
            tempfile::tempfile().map_err(failed)?,
            tempfile::tempfile().map_err(failed)?,
        );
        let mut command = Command::new(&desk.settings.command);
        command.args([
            "run", "--quiet", "--all", "--paths", "--format", "json", "--output",
        ]);
        command.arg(report.path()).args(["--dir", CAPTURES]);
        if input.peak {
            command.args(["--when", "peak"]);
        }
        if input.churn {
            command.arg("--churn");
        }
        if input.operations > 0 {
            command.args(["--per", &input.operations.to_string()]);
        }
        command
            .arg("--")
            .args(&input.program)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(failed)?)
            .stderr(errors.try_clone().map_err(failed)?)
            .process_group(0);
        let most = Duration::from_secs(input.seconds.unwrap_or(USUAL).clamp(1, MOST).into());
        // While it runs nothing is weighed here: its recorder measures pauses and time.
        let (status, in_time) = desk.in_turn(|_| {
            let child = command.spawn().map_err(failed)?;
            wait(child, most, caller).map_err(failed)
        })?;
        let ended = match (in_time, status.code()) {
            (false, _) if caller.has_given_up() => "ended, as the request was taken back".to_owned(),
            (false, _) => format!("ended after {} s, as it took longer", most.as_secs()),
            (true, Some(code)) => format!("exit code {code}"),
            (true, None) => "ended by a signal".to_owned(),
        };
        let summary = weighed(desk, report.path(), &folder)?;
        Ok(Out {
            ended,
            output: end_of(output).unwrap_or_default(),
            errors: end_of(errors).unwrap_or_default(),
            summary,
        })
    }
}

/// The weighing that a run left; nothing when it left none.
fn weighed(desk: &Desk, report: &Path, folder: &Path) -> Result<Option<Summary>, Refused> {
    let text = std::fs::read(report).unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }
    let weighing =
        deadweight_weighing::read(&text).map_err(|source| deadweight_weigher::WeighError::Stored {
            path: report.to_owned(),
            source,
        })?;
    Ok(Some(Summary::of(desk, &desk.take_in(weighing, folder, None))))
}

/// Waits for the end. What takes longer, or is no longer waited for, is asked to end, and then ended, with all that it started.
/// Whether it ended in time.
fn wait(mut child: Child, most: Duration, caller: &Caller) -> std::io::Result<(ExitStatus, bool)> {
    let group = Pid::from_child(&child);
    let begin = Instant::now();
    let mut asked = None;
    loop {
        if let Some(status) = child.try_wait()? {
            if asked.is_some() {
                let _ = kill_process_group(group, Signal::KILL);
            }
            return Ok((status, asked.is_none()));
        }
        match asked {
            None if begin.elapsed() >= most || caller.has_given_up() => {
                let _ = kill_process_group(group, Signal::TERM);
                asked = Some(Instant::now());
            }
            Some(since) if since.elapsed() >= GRACE => {
                let _ = kill_process_group(group, Signal::KILL);
            }
            _ => {}
        }
        std::thread::sleep(POLL);
    }
}

fn end_of(mut file: File) -> std::io::Result<String> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(PRINTED)))?;
    let mut bytes = Vec::new();
    file.take(PRINTED).read_to_end(&mut bytes)?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if length > PRINTED {
        text.insert(0, '…');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_too_long_is_ended_with_what_it_started() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; sleep 60 & wait; sleep 60"]);
        let begin = Instant::now();
        let child = command.process_group(0).spawn().unwrap();
        let group = Pid::from_child(&child);
        let (_, in_time) = wait(child, Duration::from_millis(200), &Caller::default()).unwrap();
        assert!(!in_time && begin.elapsed() < Duration::from_secs(20));
        // Nobody of the group is left but those that nobody has waited for.
        std::thread::sleep(Duration::from_millis(200));
        let left = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let fields: Vec<&str> = stat
                .rsplit_once(')')
                .map(|(_, rest)| rest.split_whitespace().collect())
                .unwrap_or_default();
            fields.get(2) == Some(&group.as_raw_nonzero().to_string().as_str()) && fields[0] != "Z"
        });
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn what_nobody_waits_for_is_ended() {
        let caller = Caller::default();
        let begin = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                caller.give_up();
            });
            let child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
            let (_, in_time) = wait(child, Duration::from_secs(60), &caller).unwrap();
            assert!(!in_time && begin.elapsed() < Duration::from_secs(20));
        });
    }

    #[test]
    fn of_long_outputs_the_end_is_shown() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &[b'x'; 5_000]).unwrap();
        std::io::Write::write_all(&mut file, b"end").unwrap();
        let end = end_of(file).unwrap();
        assert!(end.starts_with('…') && end.ends_with("xend"));
    }
}
