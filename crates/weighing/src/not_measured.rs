//! What stayed unknown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that could not be measured.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct NotMeasured {
    /// The rule's code.
    pub rule: String,
    /// What the dump lacks.
    pub why: String,
    /// How to capture one that has it.
    pub how: String,
}

impl NotMeasured {
    /// Without the rule's code: who asked the rule puts it in.
    #[must_use]
    pub fn new(why: impl Into<String>, how: impl Into<String>) -> Self {
        Self {
            rule: String::new(),
            why: why.into(),
            how: how.into(),
        }
    }

    /// The same, said by a rule.
    #[must_use]
    pub fn by(self, rule: &impl ToString) -> Self {
        let rule = rule.to_string();
        Self { rule, ..self }
    }
}
