//! The JSON Schemas of a weighing and of a proof, made from their types.

use deadweight_compare::Proof;
use deadweight_rules::Weighing;

/// The schema of weighings as it stands in `docs/weighing.schema.json`: indented, with a line end.
#[must_use]
pub fn schema() -> String {
    text(schemars::schema_for!(Weighing))
}

/// The schema of proofs as it stands in `docs/proof.schema.json`, in the same form.
#[must_use]
pub fn proof_schema() -> String {
    text(schemars::schema_for!(Proof))
}

fn text(schema: schemars::Schema) -> String {
    // The alternate form is indented; a schema is a JSON value and always has one.
    format!("{:#}\n", schema.to_value())
}
