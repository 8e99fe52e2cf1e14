//! `finding`.

use deadweight_weighing::{Finding, Group};
use schemars::JsonSchema;
use serde::Serialize;

use super::one::In;
use super::row::line;
use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;
use crate::session::Of;

/// Shows one finding with its evidence.
pub(super) struct FindingOf;

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The name of the weighing in this session.
    weighing: String,
    /// The list it stands in.
    of: Of,
    /// Where in the source it is changed, if that is known; `source` shows the lines.
    at: Option<String>,
    /// The finding as in the published schema, with its evidence and examples.
    finding: Finding,
    /// Findings that the same edit fixes; null where there are none.
    group: Option<Group>,
}

impl Tool for FindingOf {
    const NAME: &'static str = "finding";
    const TITLE: &'static str = "One finding with its evidence";
    const DESCRIPTION: &'static str = "Shows one finding: what was counted for it, examples, what its fix frees and where, what the saving \
        rests on, and which findings the same edit fixes.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let weighed = desk.weighing(&input.weighing, 0)?;
        let (of, mut finding) = Desk::finding(&weighed, &input.finding)?;
        // `path` and `source` show these.
        finding.path.clear();
        if let Some(line) = &mut finding.line {
            line.around.clear();
            line.around_from = None;
        }
        let group = weighed
            .weighing
            .groups
            .iter()
            .find(|group| group.findings.contains(&input.finding));
        Ok(Out {
            weighing: weighed.id.clone(),
            of,
            at: line(desk, &weighed, &finding),
            group: group.cloned(),
            finding,
        })
    }
}
