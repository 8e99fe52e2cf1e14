//! `diff`.

use deadweight_compare::diff::{Course, diff};
use deadweight_compare::proof::Saving;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Compares moments.
pub(super) struct Diff;

/// Moments that one call compares, at most.
const MOST: usize = 16;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// Moments of one program, the earliest first: names of weighings in this session, such as w1, or paths.
    #[schemars(length(min = 2, max = 16))]
    moments: Vec<String>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// What grew from moment to moment.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The weighings, in order.
    moments: Vec<Moment>,
    /// What the last moment holds more than the first, in bytes.
    grown: Saving,
    /// Whether there are moments enough to suspect a leak: three.
    can_suspect: bool,
    /// Places that changed, those that grew most first.
    places: Vec<Course>,
    /// What to know before believing the figures.
    notes: Vec<String>,
}

/// One moment.
#[derive(Debug, Serialize, JsonSchema)]
struct Moment {
    /// The weighing.
    weighing: String,
    /// Bytes on the heap.
    held: u64,
    /// Bytes outside of it.
    external: u64,
    /// Live objects.
    objects: u64,
    /// Dead weight in both.
    dead: u64,
}

impl Tool for Diff {
    const NAME: &'static str = "diff";
    const TITLE: &'static str = "Compare moments";
    const DESCRIPTION: &'static str = "Compares moments of one program: which places grew and by how much, and from three moments on which of \
        them grow without slowing down, as leaks do.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        if input.moments.len() > MOST {
            return Err(Refused::Value(format!("moments are 2 to {MOST}")));
        }
        let mut ids = Vec::new();
        let mut weighings = Vec::new();
        for of in &input.moments {
            let weighed = desk.weighing(of, 0)?;
            ids.push(weighed.id.clone());
            weighings.push(weighed.weighing.clone());
        }
        let made = diff(&weighings)?;
        Ok(Out {
            moments: ids
                .into_iter()
                .zip(&made.moments)
                .map(|(weighing, moment)| Moment {
                    weighing,
                    held: moment.bytes.held,
                    external: moment.bytes.external,
                    objects: moment.objects,
                    dead: moment.dead,
                })
                .collect(),
            grown: made.grown,
            can_suspect: made.can_suspect,
            places: made.places,
            notes: made.notes,
        })
    }
}
