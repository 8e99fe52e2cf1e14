//! `deadweight run`.

use std::io::ErrorKind;
use std::num::NonZeroU64;
use std::path::Path;
use std::process::ExitCode;

use deadweight_capture::{Allowance, Capture, CaptureError, Outcome, Plan, Shown, Trigger};
use deadweight_report::{Json, Report, bytes};
use deadweight_rules::Options;
use deadweight_sidecar::WEIGHING;
use deadweight_weigher::Seen;
use deadweight_weighing::Weighing;

mod group;
mod highest;
mod live;
mod missed;

use live::Live;

use crate::arguments::Run;
use crate::output;
use crate::{dump, progress};

/// Bytes from one sample to the next where only the share of the time is given, as for `--churn` alone.
const EVERY_BYTES: NonZeroU64 = NonZeroU64::new(131_072).unwrap();

const NOT_FOUND: u8 = 127;
const NOT_EXECUTABLE: u8 = 126;

/// Runs the program, weighs what was captured, and ends as the program ended.
pub fn run(arguments: Run) -> anyhow::Result<ExitCode> {
    let mut plan = Plan::new(arguments.program, arguments.dir);
    if !arguments.when.is_empty() {
        plan.peak = arguments.when.contains(&Trigger::Peak);
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
    plan.every = arguments.every;
    plan.keep = arguments.keep;
    plan.allowance = Allowance {
        pause: arguments.max_pause,
        cpu: arguments.max_cpu,
        bytes: arguments.max_size,
    };
    plan.sites = arguments.sites;
    let has_dumps = plan.snapshot || plan.churn.is_some();
    let live = Live::new(
        &arguments.show,
        has_dumps,
        plan.operations,
        arguments.post.as_deref(),
    );
    let mut outcome = match highest::run(&mut plan, &live) {
        Ok(outcome) => outcome,
        Err(error) => return not_started(error),
    };
    // They have had their reports.
    let taken = outcome.captures.len() + outcome.dumps.len();
    outcome
        .captures
        .retain(|capture| !live.has_reported(&capture.directory));
    outcome.dumps.retain(|dump| !live.has_reported(&dump.path));
    let left = outcome.captures.len() + outcome.dumps.len();
    // What goes wrong from here on is reported, but the program's own end is what the caller gets.
    let is_left = taken == left || left > 0;
    if let Some(Err(error)) = is_left.then(|| report(&outcome, &plan, &live)) {
        eprintln!("deadweight: {}", output::describe(&error));
    }
    let code = ExitCode::from(u8::try_from(outcome.status.exit_code() & 0xFF).unwrap_or(1));
    let status = outcome.status;
    // Files in memory go before this process may die of the program's signal.
    drop(outcome);
    status.die_alike();
    Ok(code)
}

/// The exit codes of shells and `env` for a program that is not there, or that cannot be run.
fn not_started(error: CaptureError) -> anyhow::Result<ExitCode> {
    let code = match &error {
        CaptureError::Start { source, .. } if source.kind() == ErrorKind::NotFound => NOT_FOUND,
        CaptureError::Start { .. } => NOT_EXECUTABLE,
        _ => return Err(error.into()),
    };
    eprintln!("deadweight: {}", output::describe(&error.into()));
    Ok(ExitCode::from(code))
}

fn report(outcome: &Outcome, plan: &Plan, live: &Live<'_>) -> anyhow::Result<()> {
    for unusable in &outcome.unusable {
        eprintln!("deadweight: {unusable}");
    }
    if let Some(said) = missed::strangers(outcome) {
        progress::note(format_args!("{said}"));
    }
    for snapshot in &outcome.near_limit {
        progress::note(format_args!(
            "captured {}, which the engine wrote when its heap came near the limit",
            snapshot.display()
        ));
    }
    let Some(largest) = outcome.largest() else {
        return match outcome.near_limit.last() {
            Some(snapshot) => report_snapshot(snapshot, live),
            None => report_native(outcome, plan, live),
        };
    };
    for capture in &outcome.captures {
        progress::note(format_args!("captured {}", capture.directory.display()));
    }
    if !plan.snapshot && plan.churn.is_none() {
        return Ok(());
    }
    if plan.snapshot && largest.record.process.main_returned == Some(true) && plan.highest.is_none() {
        progress::note(format_args!(
            "main had returned when this was captured: what its local variables held is not in it; --when peak captures the \
             moment at which the program held most"
        ));
    }
    if missed::lacks_sites(largest, plan) {
        progress::note(format_args!(
            "--sites: a dump of a Java virtual machine does not say where objects were allocated"
        ));
    }
    let options = output::options(live.asked());
    let mut members = group::Members::of_captures(&outcome.captures);
    let mut weighing = weigh_and_keep(
        largest,
        &options,
        &mut members.look(&largest.directory),
        |weighing| {
            missed::unrecorded(weighing, largest, plan);
            group::seen_in_threads(weighing, largest, outcome);
            missed::compare(weighing, outcome);
            highest::offer(weighing, plan);
        },
    )?;
    if let Some(said) = highest::missed(&weighing, plan) {
        eprintln!("deadweight: {said}");
    }
    members.weighed(&largest.directory, &weighing);
    members.weigh_others(outcome, largest, &options);
    if members.show(&mut weighing) {
        keep(&largest.directory.join(WEIGHING), &weighing)?;
    }
    live.deliver(weighing)
}

/// Weighs a capture, lets `seen` look at its heap and `complete` add what is known beside it, and leaves the weighing in
/// the capture.
pub fn weigh_and_keep(
    capture: &Capture,
    options: &Options,
    seen: Seen<'_>,
    complete: impl FnOnce(&mut Weighing),
) -> anyhow::Result<Weighing> {
    let mut weighing = dump::weigh_capture(capture, options, seen)?;
    complete(&mut weighing);
    keep(&capture.directory.join(WEIGHING), &weighing)?;
    Ok(weighing)
}

/// The same for a snapshot beside which nothing was recorded: the process died.
fn report_snapshot(snapshot: &Path, live: &Live<'_>) -> anyhow::Result<()> {
    let weighing = dump::weigh(snapshot, None, 0, &output::options(live.asked()))?;
    keep(&snapshot.with_extension(WEIGHING), &weighing)?;
    live.deliver(weighing)
}

/// The same for the dumps of native programs.
fn report_native(outcome: &Outcome, plan: &Plan, live: &Live<'_>) -> anyhow::Result<()> {
    let Some(largest) = outcome.largest_dump() else {
        eprintln!("deadweight: {}", missed::nothing_captured(outcome, plan));
        return Ok(());
    };
    for dump in &outcome.dumps {
        progress::note(format_args!("captured {}", dump.path.display()));
    }
    let name = largest.path.file_name();
    if let Some(shown) = outcome.shown.iter().find(|shown| Some(&*shown.dump) == name) {
        progress::note(format_args!("{}", moment(shown)));
    }
    let options = output::options(live.asked());
    let mut members = group::Members::of_dumps(&outcome.dumps);
    let mut look = members.look(&largest.path);
    let mut weighing = dump::weigh_seen(&largest.path, plan.operations, &options, &mut look)?;
    drop(look);
    missed::compare(&mut weighing, outcome);
    if let Some(said) = missed::killed(&weighing, outcome) {
        eprintln!("deadweight: {said}");
    }
    members.weighed(&largest.path, &weighing);
    members.weigh_other_dumps(&largest.path, plan.operations, &options);
    members.show(&mut weighing);
    keep(&largest.path.with_extension(WEIGHING), &weighing)?;
    live.deliver(weighing)
}

/// Which moment a dump shows.
fn moment(shown: &Shown) -> String {
    format!(
        "weighed as it was at its highest, {}, {:.1} s after the start; {} at the end",
        bytes(shown.bytes),
        shown.ms as f64 / 1e3,
        bytes(shown.end)
    )
}

/// Leaves the whole weighing beside its capture.
pub fn keep(path: &Path, shown: &Weighing) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    Json.write(shown, &mut bytes)?;
    output::write_file(path, &bytes)
}
