//! `path`.

use deadweight_weighing::Step;
use schemars::JsonSchema;
use serde::Serialize;

use super::one::In;
use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Shows how the objects of a finding are reached.
pub(super) struct PathToRoot;

/// A path from a root.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The place of the finding.
    holder: String,
    /// The steps, root first; empty where the dump does not show any.
    steps: Vec<Step>,
    /// Why there are none; null where there are.
    why: Option<&'static str>,
}

impl Tool for PathToRoot {
    const NAME: &'static str = "path";
    const TITLE: &'static str = "Path to a root";
    const DESCRIPTION: &'static str = "Shows how one of a finding's objects is reached from a root of the collector: what keeps it alive, by the \
        names of fields and types.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let weighed = desk.weighing(&input.weighing, 0)?;
        let (_, finding) = Desk::finding(&weighed, &input.finding)?;
        let why = finding.path.is_empty().then_some(
            "no way is known: the dump has no references, nothing refers to the object, or it was weighed without paths",
        );
        Ok(Out {
            holder: finding.holder,
            steps: finding.path,
            why,
        })
    }
}
