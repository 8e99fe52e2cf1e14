//! `deadweight weigh`.

use std::process::ExitCode;

use crate::arguments::Weigh;
use crate::dump;
use crate::output::{self, Stream};

/// Weighs each path and writes one report for all.
pub fn weigh(arguments: &Weigh) -> anyhow::Result<ExitCode> {
    let options = output::options(&arguments.show);
    let weighings = arguments
        .paths
        .iter()
        .map(|path| dump::weigh(path, &options))
        .collect::<anyhow::Result<Vec<_>>>()?;
    output::write(&weighings, &arguments.show, Stream::Out)?;
    Ok(ExitCode::SUCCESS)
}
