//! What a rule about churn proposes before the ledger has weighed it.

use deadweight_heap::churn::{Frame, Rewrite, Role, RowId};
use serde_json::{Map, Value};

use deadweight_weighing::Confidence;

/// Bytes of one row that a fix would not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// The row.
    pub row: RowId,
    /// Bytes, at most those of the row.
    pub bytes: u64,
}

/// One fix at one line, with the bytes it would not make, row by row.
#[derive(Clone, Debug)]
pub struct ChurnCandidate {
    /// The function a person changes.
    pub function: String,
    /// Its line, as `file:line`.
    pub place: String,
    /// The line as the record has it, which may be where the function begins.
    pub at: String,
    /// Its file.
    pub file: String,
    /// Line and column in it, from 1; 0 where unknown.
    pub position: (u32, u32),
    /// Which of several fixes one rule knows for the line; empty for a rule with one fix. Part of the fingerprint.
    pub variant: &'static str,
    /// Objects the fix would not make; 0 when they were not counted.
    pub count: u64,
    /// Objects made at the same line that the fix would leave as they are.
    pub unaffected: u64,
    /// Bytes of the objects concerned as they are now.
    pub bytes_now: u64,
    /// What the fix would not make.
    pub claims: Vec<Portion>,
    /// What it would make instead, in bytes.
    pub overhead: u64,
    /// Whether the record may have counted more of it elsewhere: the figure is the least that goes.
    pub at_least: bool,
    /// Exact, or an estimate.
    pub confidence: Confidence,
    /// What the estimate takes for granted.
    pub assumes: Option<String>,
    /// One line that says what is there.
    pub title: String,
    /// One line that says what to do.
    pub fix: String,
    /// How the source would read.
    pub rewrite: Option<Rewrite>,
    /// Figures and examples behind the finding.
    pub evidence: Map<String, Value>,
    /// Whether the line is a dependency's: no source of the program is on the way to it.
    pub in_dependency: bool,
    /// Advice that is never counted as dead weight.
    pub option: bool,
}

impl ChurnCandidate {
    /// An empty, exact candidate at a line.
    #[must_use]
    pub fn at(own: &Frame) -> Self {
        Self {
            function: own.function.clone(),
            place: own.place(),
            at: own.place(),
            file: own.file.clone(),
            position: (own.line, own.column),
            variant: "",
            count: 0,
            unaffected: 0,
            bytes_now: 0,
            claims: Vec::new(),
            overhead: 0,
            at_least: false,
            confidence: Confidence::Exact,
            assumes: None,
            title: String::new(),
            fix: String::new(),
            rewrite: None,
            evidence: Map::new(),
            in_dependency: own.role == Role::Library,
            option: false,
        }
    }

    /// Would not make `bytes` of a row.
    pub fn claim(&mut self, row: RowId, bytes: u64) {
        if bytes > 0 {
            self.claims.push(Portion { row, bytes });
        }
    }

    /// Makes it an estimate that takes `assumption` for granted.
    pub fn assume(&mut self, assumption: impl Into<String>) {
        self.confidence = Confidence::Estimate;
        let assumption = assumption.into();
        self.assumes = Some(match self.assumes.take() {
            Some(before) => format!("{before}; {assumption}"),
            None => assumption,
        });
    }

    /// Adds a figure or an example to the evidence.
    pub fn show(&mut self, name: &str, value: impl Into<Value>) {
        self.evidence.insert(name.to_owned(), value.into());
    }

    /// What the fix spares by itself, in bytes; 0 when it would cost more.
    #[must_use]
    pub fn net(&self) -> u64 {
        let claimed: u64 = self.claims.iter().map(|claim| claim.bytes).sum();
        claimed.saturating_sub(self.overhead)
    }
}
