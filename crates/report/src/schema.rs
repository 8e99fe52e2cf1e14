//! The JSON Schema of a weighing, made from its types.

use deadweight_rules::Weighing;

/// The schema as it stands in `docs/weighing.schema.json`: indented, with a line end.
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(Weighing);
    // The alternate form is indented; a schema is a JSON value and always has one.
    format!("{:#}\n", schema.to_value())
}
