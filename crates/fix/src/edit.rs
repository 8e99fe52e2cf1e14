//! What an edit is.

use deadweight_idioms::Claim;
use serde::Serialize;

/// One finding's fix, as lines of one file that are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The finding or option.
    pub fingerprint: String,
    /// Its rule.
    pub rule: String,
    /// What is there, in one line.
    pub title: String,
    /// The source file, as seen from the program's directory.
    pub file: String,
    /// What is replaced, from the top of the file down; no two touch the same line.
    pub hunks: Vec<Hunk>,
    /// What has to hold for the program to do the same, each going on from "only if"; empty where it always does.
    pub conditions: Vec<String>,
    /// Bytes that it saves when it is the only one.
    pub saves: u64,
    /// What of the file it claims beyond its lines.
    #[serde(skip)]
    pub claims: Option<Claim>,
}

impl Edit {
    /// The first line that changes, from 1; where none does, the first before which lines are put in.
    #[must_use]
    pub fn line(&self) -> u64 {
        let changed = self.hunks.iter().find(|hunk| !hunk.before.is_empty());
        changed.or(self.hunks.first()).map_or(1, |hunk| hunk.line)
    }
}

/// Lines that are replaced. Without the line breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hunk {
    /// The first of them, from 1.
    pub line: u64,
    /// As they are; none where lines are put in before `line`.
    pub before: Vec<String>,
    /// As they will be.
    pub after: Vec<String>,
}

impl Hunk {
    /// The line behind the last one that is replaced.
    pub(crate) fn end(&self) -> u64 {
        self.line + self.before.len() as u64
    }
}
