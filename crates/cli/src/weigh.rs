//! `deadweight weigh`.

use std::process::ExitCode;

use deadweight_capture::attach::AttachPlan;

use crate::arguments::Weigh;
use crate::output::{self, Stream};
use crate::post::Post;
use crate::{attach, dump};

/// Weighs each path and writes one report for all.
pub fn weigh(arguments: &Weigh) -> anyhow::Result<ExitCode> {
    let options = output::options(&arguments.show);
    let weighings = if let Some(pid) = arguments.pid {
        vec![attach::weigh_running(pid, &AttachPlan::default(), &options)?]
    } else {
        let program = arguments.program.as_deref();
        let paths = arguments.paths.iter();
        paths
            .map(|path| dump::weigh(path, program, arguments.per, &options))
            .collect::<anyhow::Result<Vec<_>>>()?
    };
    output::write(&weighings, &arguments.show, Stream::Out)?;
    Post::all(arguments.post.as_deref(), &weighings)?;
    Ok(ExitCode::SUCCESS)
}
