//! `weigh`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::summary::Summary;
use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Weighs a dump, a capture, or a stored weighing.
pub(super) struct Weigh;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// A heap dump, a record of allocations, a capture folder, a folder of captures (the latest is taken), or a weighing as
    /// JSON: a path in the folders of this server. Or the name of a weighing of this session, such as w1.
    path: String,
    /// Operations a record of allocations stands for, where it does not say.
    #[serde(default)]
    operations: u64,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

impl Tool for Weigh {
    const NAME: &'static str = "weigh";
    const TITLE: &'static str = "Weigh a dump";
    const DESCRIPTION: &'static str = "Weighs a heap dump, a record of allocations or a capture folder: how many bytes the program held, \
        how many of them it could do without, and the largest findings, each with what its fix saves. Takes seconds for \
        each gigabyte.";
    type In = In;
    type Out = Summary;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Summary, Refused> {
        let weighed = desk.weighing(&input.path, input.operations)?;
        Ok(Summary::of(desk, &weighed))
    }
}
