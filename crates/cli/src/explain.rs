//! `deadweight explain` and `deadweight rules`.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Context;
use deadweight_rules::rulebook;

use crate::arguments::{Explain, Look};
use crate::output::{self, Stream};

/// Shows the page of one rule.
pub fn explain(arguments: &Explain) -> anyhow::Result<ExitCode> {
    let page = rulebook().page(&arguments.code).with_context(|| {
        let pages = rulebook().pages().iter();
        let known: Vec<String> = pages.map(|page| page.code.to_string()).collect();
        format!(
            "there is no rule {:?}; the rules are {}",
            arguments.code,
            known.join(", ")
        )
    })?;
    let look = output::look(&arguments.look, Stream::Out, false);
    let mut bytes = Vec::new();
    deadweight_report::explain(page, look, &mut bytes)?;
    output::deliver(&bytes, None)?;
    Ok(ExitCode::SUCCESS)
}

/// Lists code and title of every rule.
pub fn list(_look: &Look) -> anyhow::Result<ExitCode> {
    let mut out = String::new();
    for page in rulebook().pages() {
        writeln!(out, "{}  {}", page.code, page.title)?;
    }
    output::deliver(out.as_bytes(), None)?;
    Ok(ExitCode::SUCCESS)
}
