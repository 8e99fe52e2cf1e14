//! What a rule proposes before the ledger has weighed it.

use deadweight_heap::{Heap, NONE, ObjectId, Parts};
use deadweight_weighing::Confidence;
use serde_json::{Map, Value};

use crate::parts::ClaimWhole;

/// Bytes of one row that a fix frees or adds. Eight bytes, as a large heap has tens of millions of them: what is more
/// than fits comes as several claims on one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The row.
    pub object: ObjectId,
    /// Bytes; for a claim at most those of the row count. A claim of all bytes of a row says that the row vanishes.
    pub bytes: u32,
}

/// One fix at one place, with the bytes it would free, row by row.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The place a person changes: `Type.field`.
    pub holder: String,
    /// Which of several fixes one rule knows for the holder; empty for a rule with one fix. Part of the fingerprint.
    pub variant: &'static str,
    /// When a fix builds on another of the same rule, it comes in a later step; all others are in step 0.
    pub step: u8,
    /// Where the objects were allocated, when the dump shows it.
    pub site: Option<String>,
    /// Objects the fix changes or removes.
    pub count: u64,
    /// Objects at the same place that the fix would leave as they are.
    pub unaffected: u64,
    /// Bytes of the objects concerned as they are now.
    pub bytes_now: u64,
    /// What the fix frees. Rows of one candidate are all held or all external.
    pub claims: Vec<Claim>,
    /// What the fix adds to rows that stay: booked against the claims, and open to later rules.
    pub overhead_rows: Vec<Claim>,
    /// For claims on copies of one value of which one must stay, that one, by the claim's place; [`NONE`] for other
    /// claims, as for all that have no row here. The rule leaves out the one it keeps; when an earlier fix has removed
    /// that one, the ledger keeps a claimed copy in its place.
    pub kept: Vec<ObjectId>,
    /// What the fix adds beside all rows, in bytes.
    pub overhead: u64,
    /// Whether the bytes are charged outside the runtime's heap.
    pub external: bool,
    /// Exact, or an estimate.
    pub confidence: Confidence,
    /// What the estimate takes for granted.
    pub assumes: Option<String>,
    /// One line that says what is there.
    pub title: String,
    /// One line that says what to do.
    pub fix: String,
    /// Figures and examples behind the finding.
    pub evidence: Map<String, Value>,
    /// Advice that is never counted as dead weight.
    pub option: bool,
    /// Whether it holds for rows as they are alone: what an earlier fix has changed is of another size then.
    pub as_they_are: bool,
}

impl Candidate {
    /// An empty, exact candidate at a holder.
    #[must_use]
    pub fn at(holder: impl Into<String>) -> Self {
        Self {
            holder: holder.into(),
            variant: "",
            step: 0,
            site: None,
            count: 0,
            unaffected: 0,
            bytes_now: 0,
            claims: Vec::new(),
            overhead_rows: Vec::new(),
            kept: Vec::new(),
            overhead: 0,
            external: false,
            confidence: Confidence::Exact,
            assumes: None,
            title: String::new(),
            fix: String::new(),
            evidence: Map::new(),
            option: false,
            as_they_are: false,
        }
    }

    /// Frees `bytes` of a row.
    pub fn claim(&mut self, object: ObjectId, bytes: u64) {
        push(&mut self.claims, object, bytes);
    }

    /// Frees rows that are copies of one that stays.
    pub fn claim_copies(
        &mut self,
        heap: &Heap,
        kept: ObjectId,
        copies: impl Iterator<Item = ObjectId>,
    ) -> u64 {
        let mut freed = 0;
        for copy in copies {
            freed += self.claim_copy(heap, kept, copy);
        }
        freed
    }

    /// Frees a row that is a copy of one that stays. Candidates of many copies claim them in the order of rows: they
    /// are then booked in one go through the heap.
    pub fn claim_copy(&mut self, heap: &Heap, kept: ObjectId, copy: ObjectId) -> u64 {
        let bytes = heap.bytes(copy);
        self.kept.resize(self.claims.len(), NONE);
        self.claim(copy, bytes);
        for _ in self.kept.len()..self.claims.len() {
            self.kept.push(kept);
        }
        bytes
    }

    /// Takes over what another gathered of the same fix: objects, bytes and claims.
    pub fn absorb(&mut self, more: Self) {
        if !more.kept.is_empty() {
            self.kept.resize(self.claims.len(), NONE);
            self.kept.extend(more.kept);
        }
        self.count += more.count;
        self.unaffected += more.unaffected;
        self.bytes_now += more.bytes_now;
        self.claims.extend(more.claims);
        self.overhead_rows.extend(more.overhead_rows);
        self.overhead += more.overhead;
    }

    /// Frees an object with its parts, those outside the runtime's heap excluded; says how many bytes.
    pub fn claim_whole(&mut self, heap: &Heap, object: ObjectId) -> u64 {
        Parts::default().claim_whole(heap, self, object)
    }

    /// Adds `bytes` to a row that stays.
    pub fn add_to(&mut self, object: ObjectId, bytes: u64) {
        push(&mut self.overhead_rows, object, bytes);
    }

    /// Makes it an estimate that takes `assumption` for granted.
    #[must_use]
    pub fn assuming(mut self, assumption: impl Into<String>) -> Self {
        self.confidence = Confidence::Estimate;
        self.assumes = Some(assumption.into());
        self
    }

    /// Adds a figure or an example to the evidence.
    pub fn show(&mut self, name: &str, value: impl Into<Value>) {
        self.evidence.insert(name.to_owned(), value.into());
    }

    /// What the fix frees by itself, additions taken off; negative when it would cost more than it frees.
    #[must_use]
    pub fn net(&self) -> i64 {
        sum(&self.claims).cast_signed() - sum(&self.overhead_rows).cast_signed() - self.overhead.cast_signed()
    }
}

fn push(claims: &mut Vec<Claim>, object: ObjectId, mut bytes: u64) {
    loop {
        let part = u32::try_from(bytes).unwrap_or(u32::MAX);
        claims.push(Claim { object, bytes: part });
        bytes -= u64::from(part);
        if bytes == 0 {
            break;
        }
    }
}

/// Bytes of all claims.
pub(crate) fn sum(claims: &[Claim]) -> u64 {
    claims.iter().map(|claim| u64::from(claim.bytes)).sum()
}
