//! `check`.

use deadweight_compare::check::{Figures, check};
use deadweight_compare::growth;
use deadweight_report::check::{sentence, stale_sentence};
use deadweight_weigher::{Budgets, CONFIG};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Checks budgets.
pub(super) struct Check;

/// Weighings that one check looks at, at most.
const MOST: usize = 32;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// Weighings of one program: names in this session, such as w1, or paths; of figures that several have the largest counts.
    #[schemars(length(min = 1, max = 32))]
    weighings: Vec<String>,
    /// The configuration, a path; deadweight.toml in a folder of this server unless given.
    #[serde(default)]
    config: Option<String>,
    /// Check only what came since this earlier moment: a name in this session, or a path.
    #[serde(default)]
    since: Option<String>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// Whether a program keeps to its budgets.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The configuration.
    config: String,
    /// Whether all budgets hold.
    holds: bool,
    /// How many budgets and figures hold.
    held: usize,
    /// Budgets that are broken or not measurable, and what is worse than the baseline.
    broken: Vec<Broken>,
    /// What was measured, in bytes; null where none of the weighings has it.
    figures: Measured,
    /// Suppressions that accept nothing any more.
    stale: Vec<String>,
    /// Whether the figures are better than the baseline: `deadweight check --update-baseline` then writes them.
    better: bool,
}

/// A broken budget.
#[derive(Debug, Serialize, JsonSchema)]
struct Broken {
    /// The key in the configuration.
    key: String,
    /// Its line there, from 1; null for the baseline.
    line: Option<usize>,
    /// What is wrong, with the figures.
    what: String,
    /// The fingerprint of the finding to look at first.
    finding: Option<String>,
}

/// What budgets look at.
#[derive(Debug, Serialize, JsonSchema)]
struct Measured {
    /// Held on the heap.
    held: Option<u64>,
    /// Held outside of it.
    external: Option<u64>,
    /// Dead weight on the heap, without what is accepted.
    dead: Option<u64>,
    /// Of it, what rests on the data alone.
    dead_sure: Option<u64>,
    /// Made in all, kept or not.
    churned: Option<u64>,
    /// Made by each operation.
    bytes_per_operation: Option<u64>,
}

impl From<Figures> for Measured {
    fn from(figures: Figures) -> Self {
        Self {
            held: figures.held,
            external: figures.external,
            dead: figures.dead,
            dead_sure: figures.dead_sure,
            churned: figures.churned,
            bytes_per_operation: figures.bytes_per_operation,
        }
    }
}

impl Tool for Check {
    const NAME: &'static str = "check";
    const TITLE: &'static str = "Check budgets";
    const DESCRIPTION: &'static str = "Checks weighings of a program against the budgets and the baseline of deadweight.toml: which are broken, by \
        how much, and which finding to look at first. Writes nothing.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        if input.weighings.is_empty() || input.weighings.len() > MOST {
            return Err(Refused::Value(format!("weighings are 1 to {MOST}")));
        }
        let roots = &desk.settings.roots;
        let config = match &input.config {
            Some(config) => roots.resolve(config)?,
            None => roots.resolve(CONFIG).map_err(|_| Refused::NoConfig)?,
        };
        let budgets = Budgets::read(&config, input.since.is_some())?;
        let before = match budgets.kept() {
            Some(kept) => {
                // A configuration may name any file.
                let name = kept.to_string_lossy();
                let kept = match roots.resolve(&name) {
                    Err(Refused::Missing(_)) => return Err(Refused::NoBaseline(roots.shown(&kept))),
                    resolved => resolved?,
                };
                Budgets::baseline(&kept)?
            }
            None => None,
        };
        let mut weighings = Vec::new();
        for of in &input.weighings {
            let weighed = desk.weighing(of, 0)?;
            Budgets::whole(&weighed.weighing)?;
            weighings.push(weighed.weighing.clone());
        }
        if let Some(since) = &input.since {
            let since = desk.weighing(since, 0)?;
            Budgets::whole(&since.weighing)?;
            for weighing in &mut weighings {
                *weighing = growth(&since.weighing, weighing);
            }
        }
        let made = check(&weighings, &budgets.config, before.as_ref());
        Ok(Out {
            config: roots.shown(&config),
            holds: made.broken.is_empty(),
            held: made.held,
            broken: made
                .broken
                .iter()
                .map(|broken| Broken {
                    key: broken.key.clone(),
                    line: broken.line,
                    what: sentence(broken),
                    finding: broken.finding.as_ref().map(|finding| finding.fingerprint.clone()),
                })
                .collect(),
            figures: made.figures.into(),
            stale: made.stale.iter().map(stale_sentence).collect(),
            better: made.better,
        })
    }
}
