//! From a running process to a weighing.

use std::time::Duration;

use deadweight_capture::Capture;
use deadweight_capture::attach::{self, AttachError, AttachPlan, Running};
use deadweight_rules::Options;
use deadweight_weighing::Weighing;

use crate::{WeighError, Weigher};

impl Weigher<'_> {
    /// Weighs a running process in the way that its runtime allows. A capture that was written on the way comes with the
    /// weighing.
    ///
    /// # Errors
    /// When there is no such process, it may not be looked into, the plan does not allow what it would cost, or what was
    /// captured cannot be read.
    pub fn weigh_running(
        &self,
        pid: u32,
        plan: &AttachPlan,
        options: &Options,
    ) -> Result<(Weighing, Option<Capture>), WeighError> {
        if attach::running(pid)? == Running::Other {
            return Ok((self.weigh_process(pid, options)?, None));
        }
        let wait = self
            .watch
            .wait(format!("waiting for process {pid} to write its capture"));
        let attached = attach::attach(pid, plan, |estimate| self.watch.estimate(pid, estimate));
        drop(wait);
        let attached = match attached {
            // One whose objects are blocks of the C library is a native program like any other.
            Err(
                error @ AttachError::NoWay {
                    other: Running::Python,
                    ..
                },
            ) => {
                let weighed = self.weigh_process(pid, options).map_err(|_| error)?;
                return Ok((weighed, None));
            }
            attached => attached?,
        };
        let pause = match attached.pause {
            short if short < Duration::from_secs(1) => format!("{} ms", short.as_millis()),
            long => format!("{:.1} s", long.as_secs_f64()),
        };
        self.watch
            .note(format_args!("process {pid} stood still for {pause}"));
        self.watch
            .note(format_args!("captured {}", attached.capture.directory.display()));
        let weighing = self.weigh_capture(&attached.capture, options, &mut |_| ())?;
        Ok((weighing, Some(attached.capture)))
    }
}
