//! `deadweight run`.

use std::num::NonZeroU64;
use std::path::Path;
use std::process::ExitCode;

use deadweight_capture::{Capture, Executable, Outcome, Plan};
use deadweight_report::{Json, Report};
use deadweight_rules::Options;
use deadweight_sidecar::WEIGHING;
use deadweight_weighing::Weighing;

use crate::arguments::Run;
use crate::output::{self, Stream};
use crate::{dump, progress};

/// Bytes from one sample to the next where only the share of the time is given, as for `--churn` alone.
const EVERY_BYTES: NonZeroU64 = NonZeroU64::new(131_072).unwrap();

/// Runs the program, weighs what was captured, and ends as the program ended.
pub fn run(arguments: Run) -> anyhow::Result<ExitCode> {
    let mut plan = Plan::new(arguments.program, arguments.dir);
    if !arguments.when.is_empty() {
        plan.when = arguments.when;
    }
    plan.recorder = arguments.runtime.into();
    plan.snapshot = !arguments.no_snapshot;
    plan.in_memory = arguments.in_memory;
    plan.probe = arguments.probe;
    plan.tables = !arguments.no_tables;
    // Sampling is a way of recording.
    plan.churn = arguments.churn.or(arguments.sample.map(|_| EVERY_BYTES));
    plan.share = arguments.sample;
    plan.operations = arguments.per;
    let outcome = deadweight_capture::run(&plan)?;
    let code = ExitCode::from(u8::try_from(outcome.status.exit_code() & 0xFF).unwrap_or(1));
    // What goes wrong from here on is reported, but the program's own end is what the caller gets.
    if let Err(error) = report(&outcome, &plan, &arguments.show) {
        eprintln!("deadweight: {}", output::describe(&error));
    }
    Ok(code)
}

fn report(outcome: &Outcome, plan: &Plan, show: &crate::arguments::Show) -> anyhow::Result<()> {
    for unusable in &outcome.unusable {
        eprintln!("deadweight: {unusable}");
    }
    let Some(largest) = outcome.largest() else {
        return report_native(outcome, plan, show);
    };
    for capture in &outcome.captures {
        progress::note(format_args!("captured {}", capture.directory.display()));
    }
    if !plan.snapshot && plan.churn.is_none() {
        return Ok(());
    }
    // Of a program with children the largest is shown; the others are there to be weighed one by one.
    let others = || {
        let all = outcome.captures.iter();
        all.filter(|capture| capture.directory != largest.directory)
    };
    if plan.in_memory {
        for capture in others().filter(|capture| capture.record.snapshot.is_some()) {
            weigh_and_keep(capture, &output::options(show))?;
        }
    } else if others().next().is_some() {
        progress::note(format_args!(
            "weighing the largest of them; `deadweight weigh DIR` weighs the others"
        ));
    }
    let weighing = weigh_and_keep(largest, &output::options(show))?;
    output::write(&[weighing], show, Stream::Error)
}

/// Weighs a capture and leaves the weighing in it.
pub fn weigh_and_keep(capture: &Capture, options: &Options) -> anyhow::Result<Weighing> {
    let weighing = dump::weigh_capture(capture, options)?;
    keep(&capture.directory.join(WEIGHING), &weighing)?;
    Ok(weighing)
}

/// The same for the dumps of native programs.
fn report_native(outcome: &Outcome, plan: &Plan, show: &crate::arguments::Show) -> anyhow::Result<()> {
    let Some(largest) = outcome.largest_dump() else {
        eprintln!("deadweight: {}", nothing_captured(outcome));
        return Ok(());
    };
    for dump in &outcome.dumps {
        progress::note(format_args!("captured {}", dump.path.display()));
    }
    if outcome.dumps.len() > 1 {
        progress::note(format_args!(
            "weighing the largest of them; `deadweight weigh FILE` weighs the others"
        ));
    }
    let weighing = dump::weigh(&largest.path, None, plan.operations, &output::options(show))?;
    keep(&largest.path.with_extension(WEIGHING), &weighing)?;
    output::write(&[weighing], show, Stream::Error)
}

/// Leaves the whole weighing beside its capture.
fn keep(path: &Path, shown: &Weighing) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    Json.write(shown, &mut bytes)?;
    output::write_file(path, &bytes)
}

fn nothing_captured(outcome: &Outcome) -> String {
    match outcome.executable {
        Some(Executable::Go) => {
            return "nothing was captured: Go manages its memory itself, which is not visible to the recorder for \
                    native programs"
                .to_owned();
        }
        Some(Executable::OwnCollector) => {
            return "nothing was captured: the program has its collector (libgc.a) linked into it, where no recorder \
                    can stand before it; build it with `crystal build --link-flags \"-l:libgc.so.1\"` (Debian: \
                    libgc1)"
                .to_owned();
        }
        Some(Executable::Static) => {
            return "nothing was captured: the program is linked statically, so that no recorder can be loaded into \
                    it"
                .to_owned();
        }
        _ => {}
    }
    match outcome.runtime {
        Some(_) => "nothing was captured: no trigger fired while the program ran, or its recorder said why it could not".to_owned(),
        None => "nothing was captured: no process of a runtime with a recorder ran (Node.js, Ruby, or a native program, \
                 which behind a shell or another wrapper is recorded with --runtime native); a heap snapshot taken by \
                 other means can be weighed with `deadweight weigh FILE`"
            .to_owned(),
    }
}
