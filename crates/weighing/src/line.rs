//! Where in the source a finding is changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position in the source, with what it is: never a place that is only near.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Line {
    /// The file, as seen from the program's directory when it lies below it.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// From 1; null when unknown.
    pub column: Option<u64>,
    /// What stands there.
    pub is: LineOf,
    /// The function or class that stands there; empty where it has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The part of the finding's bytes that was allocated there, from 0 to 1; null for lines that are not of an allocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The function of a dependency that allocates, when that is called from here: `upsert (node_modules/lunr/lunr.js:812)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// The lines of source from `around_from` on, where the file was at hand; empty elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub around: Vec<String>,
    /// The number of the first line in `around`; null without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around_from: Option<u64>,
}

/// What a line is of a finding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum LineOf {
    /// The line that allocates the objects.
    Allocation,
    /// The beginning of the function that allocates them.
    AllocatingFunction,
    /// The constructor of the class at whose field they are held, or the class itself.
    Class,
    /// The constructor of a class that holds them, perhaps through other objects.
    HoldingClass,
    /// A function that holds them, or sees the variable that does.
    Function,
    /// The file whose module holds them.
    Module,
}

impl Line {
    /// What readers call a function without a name.
    pub const NAMELESS: &str = "(anonymous)";

    /// A function without a name is known by where it is in its file: `function:41:7`.
    #[must_use]
    pub fn of_nameless(line: u32, column: u32) -> String {
        match column {
            0 => format!("function:{line}"),
            column => format!("function:{line}:{column}"),
        }
    }

    /// `src/db.js:41`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
