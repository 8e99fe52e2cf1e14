//! `fix`.

use deadweight_fix::Patch;
use schemars::JsonSchema;
use serde::Serialize;

use super::one::In;
use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Shows the edit of a finding.
pub(super) struct Fix;

/// An edit that follows from the source alone.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The edit as `git apply` takes it, from the folder of this server in which the program ran; no lines where the source at
    /// hand has no edit that is certain.
    diff: Vec<String>,
    /// What has to hold for the program to do the same, each going on from "only if"; empty where it always does.
    conditions: Vec<String>,
    /// Bytes that it saves when it is the only one.
    saves: u64,
    /// Why an edit is left out; empty where none is.
    skipped: Vec<String>,
}

impl Tool for Fix {
    const NAME: &'static str = "fix";
    const TITLE: &'static str = "The edit of a finding";
    const DESCRIPTION: &'static str = "Shows as a diff the edit of a finding that follows from the source alone, with the conditions under which the \
        program goes on as before. Nothing is written: apply the diff, run the program again, and `prove` it.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        let weighed = desk.weighing(&input.weighing, 0)?;
        let (_, finding) = Desk::finding(&weighed, &input.finding)?;
        let edits = weighed.edits.iter();
        let of_finding = edits.filter(|edit| edit.fingerprint == finding.fingerprint);
        let patch = Patch::new(&weighed.base, of_finding.cloned().collect());
        let mut conditions: Vec<String> = patch.edits().flat_map(|edit| edit.conditions.clone()).collect();
        conditions.dedup();
        Ok(Out {
            diff: patch.diff().lines().map(str::to_owned).collect(),
            conditions,
            saves: patch.edits().map(|edit| edit.saves).sum(),
            skipped: patch.left.iter().map(|left| left.why.to_string()).collect(),
        })
    }
}
