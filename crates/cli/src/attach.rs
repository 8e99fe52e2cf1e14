//! `deadweight attach`: programs that run already.

use std::process::ExitCode;

use deadweight_capture::attach::{self, AttachPlan, Estimate};
use deadweight_rules::Options;
use deadweight_sidecar::WEIGHING;
use deadweight_weighing::Weighing;

use crate::arguments::Attach;
use crate::output::{self, Stream};
use crate::post::Post;
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
    let weighings = [weighing];
    output::write(&weighings, &arguments.show, Stream::Out)?;
    Post::all(arguments.post.as_deref(), &weighings)?;
    Ok(ExitCode::SUCCESS)
}

/// Weighs a running process in the way that its runtime allows, and leaves the weighing in the capture, if it wrote one.
pub fn weigh_running(pid: u32, plan: &AttachPlan, options: &Options) -> anyhow::Result<Weighing> {
    let (weighing, capture) = dump::weigher().weigh_running(pid, plan, options)?;
    if let Some(capture) = capture {
        run::keep(&capture.directory.join(WEIGHING), &weighing)?;
    }
    Ok(weighing)
}

/// Says what the capture may cost, before it does.
pub fn announce(pid: u32, estimate: &Estimate) {
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
