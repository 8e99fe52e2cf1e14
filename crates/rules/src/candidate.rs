//! What a rule proposes before the ledger has weighed it.

use deadweight_heap::{Heap, Implementation, ObjectId, Parts, TableKind, TypeId};
use deadweight_weighing::Confidence;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::claims::Claims;
use crate::interning::Interns;
use crate::ledger::shorter;
use crate::parts::ClaimWhole;
use crate::{Basis, Relaid};

/// Where a fix must be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// At its own place.
    Place,
    /// At every place that holds what goes: it stays as long as one of them does.
    AllPlaces,
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
    pub claims: Claims,
    /// Bytes of their requests that rows lose whose claims are what that frees alone. Where another fix makes the same row
    /// shorter, both together free what the allocator then charges less.
    pub shorter: FxHashMap<ObjectId, u32>,
    /// What claims on rows are, in bytes, once an earlier fix has given these another form: where a runtime charges by steps,
    /// a field less frees something else of it.
    pub reshaped: FxHashMap<ObjectId, u32>,
    /// The fields of a type that the fix changes, where what that frees depends on what else becomes of its records.
    pub relaid: Option<Relaid>,
    /// What the fix adds to rows that stay: booked against the claims, and open to later rules.
    pub overhead_rows: Claims,
    /// What the fix adds beside all rows, in bytes.
    pub overhead: u64,
    /// What the fix puts into the runtime's own table of texts.
    pub interns: Option<Interns>,
    /// Whether the bytes are charged outside the runtime's heap.
    pub external: bool,
    /// Exact, or an estimate.
    pub confidence: Confidence,
    /// What the estimate takes for granted.
    pub assumes: Option<String>,
    /// What the saving rests on, where that is not what all savings of the rule rest on.
    pub basis: Option<Basis>,
    /// The type whose field the holder is, where the table of places does not know the holder.
    pub of: Option<TypeId>,
    /// One line that says what is there.
    pub title: String,
    /// One line that says what to do.
    pub fix: String,
    /// Figures and examples behind the finding.
    pub evidence: Map<String, Value>,
    /// Advice that is never counted as dead weight.
    pub option: bool,
    /// Where the fix must be made.
    pub extent: Extent,
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
            claims: Claims::default(),
            shorter: FxHashMap::default(),
            reshaped: FxHashMap::default(),
            relaid: None,
            overhead_rows: Claims::default(),
            overhead: 0,
            interns: None,
            external: false,
            confidence: Confidence::Exact,
            assumes: None,
            basis: None,
            of: None,
            title: String::new(),
            fix: String::new(),
            evidence: Map::new(),
            option: false,
            extent: Extent::Place,
            as_they_are: false,
        }
    }

    /// Frees `bytes` of a row.
    pub fn claim(&mut self, object: ObjectId, bytes: u64) {
        self.claims.push(object, bytes);
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
        self.claims.push_copy(kept, copy, bytes);
        bytes
    }

    /// Asks for fewer bytes of a row that stays; says how many bytes that frees alone.
    pub fn shorten(&mut self, heap: &Heap, row: ObjectId, less: u32) -> u64 {
        let freed = shorter(heap, row, 0, less.into());
        self.claims.push(row, freed);
        self.shorter.insert(row, less);
        freed
    }

    /// Takes over what another gathered of the same fix: objects, bytes and claims.
    pub fn absorb(&mut self, more: Self) {
        self.count += more.count;
        self.unaffected += more.unaffected;
        self.bytes_now += more.bytes_now;
        self.claims.append(more.claims);
        self.shorter.extend(more.shorter);
        self.reshaped.extend(more.reshaped);
        self.overhead_rows.append(more.overhead_rows);
        self.overhead += more.overhead;
    }

    /// Frees an object with its parts, those outside the runtime's heap excluded; says how many bytes.
    pub fn claim_whole(&mut self, heap: &Heap, object: ObjectId) -> u64 {
        Parts::default().claim_whole(heap, self, object)
    }

    /// Adds `bytes` to a row that stays.
    pub fn add_to(&mut self, object: ObjectId, bytes: u64) {
        self.overhead_rows.push(object, bytes);
    }

    /// Makes it one whose objects go only when every place that holds them changes.
    #[must_use]
    pub fn at_all_places(mut self) -> Self {
        self.extent = Extent::AllPlaces;
        self
    }

    /// Makes it an estimate that takes `assumption` for granted.
    #[must_use]
    pub fn assuming(mut self, assumption: impl Into<String>) -> Self {
        self.confidence = Confidence::Estimate;
        self.assumes = Some(assumption.into());
        self
    }

    /// Makes it an estimate where it was exact, as the dump does not prove how large objects are.
    pub(crate) fn estimate(&mut self) {
        if self.confidence == Confidence::Exact {
            self.confidence = Confidence::Estimate;
            self.assumes
                .get_or_insert_with(|| "objects are as large as is assumed".to_owned());
        }
    }

    /// Adds a figure or an example to the evidence.
    pub fn show(&mut self, name: &str, value: impl Into<Value>) {
        self.evidence.insert(name.to_owned(), value.into());
    }

    /// Says what a table of so many values takes, by which a program finds the one object of each. It is no part of the
    /// saving, as it can be dropped.
    pub(crate) fn show_kept_table(&mut self, heap: &Heap, values: u64) {
        let table = heap.layout.table(Implementation::USUAL, TableKind::Map, values);
        if let Some(bytes) = table.filter(|_| values > 1) {
            self.show("kept_table", bytes);
        }
    }

    /// What the fix frees by itself, additions taken off; negative when it would cost more than it frees.
    #[must_use]
    pub fn net(&self) -> i64 {
        self.claims.bytes().cast_signed() - self.adds().cast_signed()
    }

    /// What the fix adds by itself.
    #[must_use]
    pub fn adds(&self) -> u64 {
        let interned = self.interns.as_ref().map_or(0, |interns| interns.alone);
        self.overhead_rows.bytes() + self.overhead + interned
    }
}
