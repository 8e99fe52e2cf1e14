//! `deadweight attach`: programs that run already.

use std::process::ExitCode;
use std::time::Duration;

use deadweight_capture::attach::{self, AttachError, AttachPlan, Estimate, Running};
use deadweight_rules::Options;
use deadweight_weighing::Weighing;

use crate::arguments::Attach;
use crate::output::{self, Stream};
use crate::{dump, progress, run};

/// A machine counts as busy where a pause takes this many times as long as on an idle one.
const BUSY: f64 = 1.25;

/// Captures and weighs one program.
pub fn attach(arguments: &Attach) -> anyhow::Result<ExitCode> {
    let options = output::options(&arguments.show);
    let plan = AttachPlan {
        directory: arguments.dir.clone(),
        max_pause: arguments.max_pause,
        force: arguments.force,
    };
    let weighing = match (arguments.pid, &arguments.cdp) {
        (Some(pid), _) => weigh_running(pid, &plan, &options)?,
        (None, Some(address)) => weigh_inspected(address, &options)?,
        (None, None) => unreachable!("the command line asks for one of them"),
    };
    output::write(&[weighing], &arguments.show, Stream::Out)?;
    Ok(ExitCode::SUCCESS)
}

/// Weighs a running process in the way that its runtime allows.
pub fn weigh_running(pid: u32, plan: &AttachPlan, options: &Options) -> anyhow::Result<Weighing> {
    if attach::running(pid)? == Running::Other {
        return dump::weigh_process(pid, options);
    }
    let spinner = progress::spinner(format!("waiting for process {pid} to write its capture"));
    let attached = attach::attach(pid, plan, |estimate| announce(pid, estimate));
    spinner.finish_and_clear();
    let attached = match attached {
        // One whose objects are blocks of the C library is a native program like any other.
        Err(
            error @ AttachError::NoWay {
                other: Running::Python,
                ..
            },
        ) => return dump::weigh_process(pid, options).map_err(|_| error.into()),
        attached => attached?,
    };
    let pause = match attached.pause {
        short if short < Duration::from_secs(1) => format!("{} ms", short.as_millis()),
        long => format!("{:.1} s", long.as_secs_f64()),
    };
    progress::note(format_args!("process {pid} stood still for {pause}"));
    progress::note(format_args!("captured {}", attached.capture.directory.display()));
    run::weigh_and_keep(&attached.capture, options, &mut |_| (), |_| ())
}

/// Says what the capture may cost, before it does.
fn announce(pid: u32, estimate: &Estimate) {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    let (idle, now) = (estimate.idle_pause.as_secs_f64(), estimate.pause.as_secs_f64());
    let busy = if now > idle * BUSY {
        format!(", and for about {now:.1} s on this one, which is busy")
    } else {
        String::new()
    };
    let memory = match megabytes(estimate.memory) {
        0 => String::new(),
        megabytes => format!("; it takes up to {megabytes} MB of memory meanwhile"),
    };
    progress::note(format_args!(
        "process {pid} has {} MB of heap: a capture stops it for up to {idle:.1} s on an idle machine{busy}{memory}",
        megabytes(estimate.heap),
    ));
}

/// Weighs what runs behind an open inspector.
fn weigh_inspected(address: &str, options: &Options) -> anyhow::Result<Weighing> {
    let spinner = progress::spinner(format!("waiting for a snapshot from {address}"));
    let browsed = attach::browse(address);
    spinner.finish_and_clear();
    let browsed = browsed?;
    progress::note(format_args!(
        "the snapshot took {:.1} s, in which the page stood still",
        browsed.pause.as_secs_f64()
    ));
    let mut weighing = dump::weigh(browsed.file.path(), None, 0, options)?;
    // The file is gone when this is read.
    weighing.source.path = browsed.title;
    Ok(weighing)
}
