//! The JSON Schema, made from the types.

use crate::Weighing;

/// The schema of weighings as it stands in `docs/weighing.schema.json`: indented, with a line end.
#[must_use]
pub fn schema() -> String {
    // The alternate form is indented; a schema is a JSON value and always has one.
    format!("{:#}\n", schemars::schema_for!(Weighing).to_value())
}
