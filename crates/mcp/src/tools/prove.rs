//! `prove`.

use deadweight_compare::proof::{AllocatedFix, EachOperation, Fix, New, Place, Records, Saving};
use deadweight_compare::prove::{Options, prove};
use deadweight_weigher::mended;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Desk, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;
use crate::resources;

/// Proves a change.
pub(super) struct Prove;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The program before the change: the name of a weighing in this session, such as w1, or a path.
    before: String,
    /// The program after it.
    after: String,
    /// How many records the two sides hold; as counted in both unless given.
    #[serde(default)]
    records: Option<[u64; 2]>,
    /// The findings that were mended, by rule, fingerprint, or RULE:HOLDER; those that are gone unless given.
    #[serde(default)]
    mended: Vec<String>,
    /// The way that was taken where a finding knows several: its name in the evidence.
    #[serde(default)]
    way: Option<String>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

/// What was predicted before a change, and what the change did. Savings are in bytes, positive when memory went away.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Out {
    /// The resource with the whole proof, of the published schema.
    resource: String,
    /// The weighing before.
    before: String,
    /// The weighing after.
    after: String,
    /// What the fixes that were made promised together.
    predicted: Saving,
    /// What is less than before, with the second side brought to the records of the first.
    measured: Saving,
    /// |predicted − measured| / measured; null when there is nothing to compare.
    error: Option<f64>,
    /// How many records each side holds; null when nothing could be counted on both.
    records: Option<Records>,
    /// What became of each finding, those that were mended first.
    fixes: Vec<Fix>,
    /// What of `measured` no fix explains.
    unexplained: Saving,
    /// Places that grew though no finding promised it.
    grew: Vec<Place>,
    /// Findings of the second side alone.
    new: Vec<New>,
    /// What is made; null when a side does not say.
    made: Option<MadeProof>,
    /// What to know before believing the figures.
    notes: Vec<String>,
}

/// The same for what is made, in bytes over all operations of the first side.
#[derive(Debug, Serialize, JsonSchema)]
struct MadeProof {
    /// Bytes made before.
    before: u64,
    /// Bytes made after.
    after: u64,
    /// What the fixes that were made promised together.
    predicted: i64,
    /// What is less than before.
    measured: i64,
    /// |predicted − measured| / measured; null when there is nothing to compare.
    error: Option<f64>,
    /// The same by operation.
    each: Option<EachOperation>,
    /// What became of each finding.
    fixes: Vec<AllocatedFix>,
    /// Findings of the second side alone.
    new: Vec<New>,
    /// What to know before believing the figures.
    notes: Vec<String>,
}

impl Tool for Prove {
    const NAME: &'static str = "prove";
    const TITLE: &'static str = "Prove a change";
    const DESCRIPTION: &'static str = "Compares a program before and after a change: for each finding what its fix promised and what it saved, \
        measured in bytes, and what grew instead. A fix is proved by its bytes, and not by its finding being gone.";
    type In = In;
    type Out = Out;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Out, Refused> {
        if input.records.is_some_and(|records| records.contains(&0)) {
            return Err(Refused::Value("records are two counts above 0".to_owned()));
        }
        let before = desk.weighing(&input.before, 0)?;
        let after = desk.weighing(&input.after, 0)?;
        let options = Options {
            mended: mended(&before.weighing, &input.mended)?,
            way: input.way,
            records: input.records.map(|[before, after]| (before, after)),
        };
        let made = prove(&before.weighing, &after.weighing, &options);
        let proved = desk.session().proved(made);
        let proof = proved.proof.clone();
        let mut fixes = proof.fixes;
        fixes.sort_by_key(|fix| !fix.outcome.is_made());
        Ok(Out {
            resource: resources::uri_of(&proved.id),
            before: before.id.clone(),
            after: after.id.clone(),
            predicted: proof.predicted,
            measured: proof.measured,
            error: proof.error,
            records: proof.records,
            fixes,
            unexplained: proof.unexplained,
            grew: proof.grew,
            new: proof.new,
            made: proof.allocated.map(|made| {
                let mut fixes = made.fixes;
                fixes.sort_by_key(|fix| !fix.outcome.is_made());
                MadeProof {
                    before: made.before.bytes,
                    after: made.after.bytes,
                    predicted: made.predicted,
                    measured: made.measured,
                    error: made.error,
                    each: made.each,
                    fixes,
                    new: made.new,
                    notes: made.notes,
                }
            }),
            notes: proof.notes,
        })
    }
}
