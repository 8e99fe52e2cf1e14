//! `deadweight check`.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use deadweight_compare::check::{KEYS, check as compare, help};
use deadweight_compare::growth;
use deadweight_report::check::{self as report, Names};
use deadweight_rules::rulebook;
use deadweight_weigher::{Budgets, CONFIG, WeighError, nearest};
use deadweight_weighing::Weighing;

use crate::arguments::{Check, CheckFormat};
use crate::output::{self, Stream};
use crate::{inputs, progress};

/// A budget is broken.
const BROKEN: u8 = 1;

/// Checks weighings against the configuration. The exit code is 1 when a budget is broken.
pub fn check(arguments: &Check) -> anyhow::Result<ExitCode> {
    if let Some(key) = &arguments.explain {
        return explain(key);
    }
    let path = match &arguments.config {
        Some(path) => path.clone(),
        None => discover(&env::current_dir()?)?,
    };
    let budgets = Budgets::read(&path, arguments.since.is_some())?;
    let kept = budgets.kept();
    let before = kept.as_deref().map(Budgets::baseline).transpose()?.flatten();
    if arguments.update_baseline && kept.is_none() {
        bail!(
            "{}: --update-baseline: there is no [baseline] with a file",
            path.display()
        );
    }
    if let Some(kept) = kept
        .as_ref()
        .filter(|_| before.is_none() && !arguments.update_baseline)
    {
        bail!(
            "{} is not there yet: make it with --update-baseline",
            kept.display()
        );
    }
    if !arguments.allow_partial {
        inputs::verify(arguments.paths.iter().chain(&arguments.since))?;
    }
    let mut weighings = inputs::weighings(&arguments.paths, arguments.per)?;
    for weighing in &weighings {
        whole(weighing, arguments)?;
    }
    if let Some(since) = &arguments.since {
        let before = inputs::weighing(since, arguments.per)?;
        whole(&before, arguments)?;
        for weighing in &mut weighings {
            *weighing = growth(&before, weighing);
        }
    }
    let made = compare(&weighings, &budgets.config, before.as_ref());

    let (config_name, baseline_name) = (shown(&path), kept.as_deref().map(shown).unwrap_or_default());
    let names = Names {
        config: &config_name,
        baseline: &baseline_name,
    };
    let mut bytes = Vec::new();
    match arguments.format {
        CheckFormat::Terminal => {
            let look = output::look(&arguments.look, Stream::Out, arguments.output.is_some());
            report::terminal(&made, names, look, progress::is_quiet(), &mut bytes)?;
        }
        CheckFormat::Json => report::json(&made, &mut bytes)?,
        CheckFormat::Sarif => report::sarif(&made, names, rulebook(), &mut bytes)?,
        CheckFormat::Github => report::github(&made, names, &mut bytes)?,
    }
    output::deliver(&bytes, arguments.output.as_deref())?;
    if let (Some(kept), Some(baseline), true) = (&kept, &made.baseline, made.better) {
        if arguments.update_baseline {
            output::write_shared(kept, baseline.text().as_bytes())?;
        }
        if !progress::is_quiet() {
            let note = if arguments.update_baseline {
                "was written"
            } else {
                "could go down: --update-baseline"
            };
            eprintln!("deadweight: {} {note}", kept.display());
        }
    }
    Ok(if made.broken.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(BROKEN)
    })
}

fn whole(weighing: &Weighing, arguments: &Check) -> Result<(), WeighError> {
    if arguments.allow_partial {
        return Ok(());
    }
    Budgets::whole(weighing)
}

/// The configuration of a directory: its own, or the one of the nearest directory above.
fn discover(start: &Path) -> anyhow::Result<PathBuf> {
    nearest(start).with_context(|| {
        format!(
            "there is no {CONFIG} in {} or above; --config names one",
            start.display()
        )
    })
}

/// A path as annotations need it: relative to where the check was started, if it is below.
fn shown(path: &Path) -> String {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below
        .unwrap_or_else(|| path.to_owned())
        .to_string_lossy()
        .into_owned()
}

/// Shows what a key means, or lists the keys.
fn explain(key: &str) -> anyhow::Result<ExitCode> {
    let mut out = String::new();
    if key.is_empty() {
        for help in KEYS {
            writeln!(out, "{:<28}{}", help.key, help.title)?;
        }
    } else if let Some(help) = help(key) {
        writeln!(out, "{}: {}\n\n{}", help.key, help.title, help.text)?;
    } else {
        let known: Vec<&str> = KEYS.iter().map(|help| help.key).collect();
        bail!("there is no key {key:?}; the keys are {}", known.join(", "));
    }
    output::deliver(out.as_bytes(), None)?;
    Ok(ExitCode::SUCCESS)
}
