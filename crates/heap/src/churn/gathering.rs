//! Containers that a call makes of what it is handed, before the function that asks for them begins.

use super::antipattern::bare;
use super::{Frame, Role, Row};
use crate::Kind;

/// A line with a call that may gather what it hands over into a container: the container belongs to how the function is
/// defined, not to the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathering {
    /// The source file of the call, as frames name it.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// What it gathers into.
    pub kind: Kind,
    /// Names of the language's own calls through which the function may be called there.
    pub through: &'static [&'static str],
    /// The function that asks for it; `None` when it is not in the program's own source, or not known.
    pub by: Option<Definition>,
}

/// Where a function is defined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The source file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The function's name.
    pub function: String,
    /// Its first line, shortened.
    pub code: String,
}

impl Gathering {
    /// Whether a row of that line is such a container: the line made it by itself, or one of the calls that hand on what
    /// they are handed.
    #[must_use]
    pub fn is_of(&self, own: &Frame, callee: Option<&Frame>, row: &Row) -> bool {
        let is_through =
            |callee: &Frame| callee.role == Role::Runtime && self.through.contains(&bare(&callee.function));
        self.line == own.line
            && self.file == own.file
            && self.kind == row.kind
            && callee.is_none_or(is_through)
    }
}
