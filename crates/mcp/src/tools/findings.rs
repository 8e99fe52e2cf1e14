//! `findings`.

use deadweight_weighing::OTHERS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::Row;
use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;
use crate::page::page;
use crate::session::{Of, findings};

/// Lists findings by page.
pub(super) struct Findings;

/// Rows on a page unless the caller names a number.
const USUAL: u16 = 20;

/// What the frame around the rows takes, in bytes of JSON.
const FRAME: usize = 500;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The weighing: its name in this session, such as w1, or a path.
    weighing: String,
    /// Only findings of this rule, such as D01.
    #[serde(default)]
    rule: Option<String>,
    /// Only findings at places that have this text in their name, in upper or lower case.
    #[serde(default)]
    holder: Option<String>,
    /// Only those of one list.
    #[serde(default)]
    of: Option<Of>,
    /// The most rows on the page; 20 unless given.
    #[serde(default)]
    limit: Option<u16>,
    /// `next` of the page before.
    #[serde(default)]
    cursor: Option<String>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// A page of findings.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The name of the weighing in this session.
    weighing: String,
    /// How many findings there are in all that were asked for.
    all: usize,
    /// The sum of `saves` of those that count as dead weight.
    saves: u64,
    /// The findings, largest first within each list.
    findings: Vec<Row>,
    /// The cursor of the next page; null on the last.
    next: Option<String>,
}

impl Tool for Findings {
    const NAME: &'static str = "findings";
    const TITLE: &'static str = "List findings";
    const DESCRIPTION: &'static str = "Lists the findings of a weighing by page, the largest first: dead weight of what is held, needless \
        allocations, and options. Filters by rule, place and list. `finding` has the evidence of one.";
    const REST: &'static str = "a larger budget shows texts in full";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let weighed = desk.weighing(&input.weighing, 0)?;
        let holder = input.holder.as_ref().map(|holder| holder.to_lowercase());
        let wanted = findings(&weighed.weighing).filter(|(of, finding)| {
            finding.rule != OTHERS
                && input.of.is_none_or(|wanted| wanted == *of)
                && input
                    .rule
                    .as_ref()
                    .is_none_or(|rule| rule.eq_ignore_ascii_case(&finding.rule))
                && holder.as_ref().is_none_or(|holder| {
                    let site = finding.site.as_deref().unwrap_or_default();
                    let at = format!("{} {site}", finding.holder).to_lowercase();
                    at.contains(holder.as_str())
                })
        });
        let wanted: Vec<_> = wanted.collect();
        let counted = wanted.iter().filter(|(of, _)| matches!(of, Of::Held | Of::Made));
        let saves = counted.map(|(_, finding)| finding.saves).sum();
        let rows = wanted
            .iter()
            .map(|(of, finding)| Row::of(desk, &weighed, *of, finding));
        let list = (&weighed.id, &input.rule, &input.holder, input.of);
        let limit = usize::from(input.limit.unwrap_or(USUAL));
        let bytes = input.budget.bytes().saturating_sub(FRAME);
        let page = page(rows, &list, input.cursor.as_deref(), limit, bytes)?;
        Ok(Out {
            weighing: weighed.id.clone(),
            all: wanted.len(),
            saves,
            findings: page.rows,
            next: page.next,
        })
    }
}
