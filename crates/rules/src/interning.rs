//! What fixes put into the runtime's own table of texts.
//!
//! All of them share that table, and it grows by steps: a step is paid by who makes it, however many texts it then has room for.
//! So each candidate knows the step that it makes alone, which is in what it saves as the only fix. The ledger books the step
//! that it makes after the fixes before it: all of them together then pay for the table as large as it becomes, once. What
//! a fix pays more or less than alone is reported with the bytes that it shares with those.

use std::sync::Arc;

use deadweight_heap::{Heap, ObjectId, RowSet, TextId};
use rustc_hash::FxHashSet;

/// The different texts of a place that are not in the table yet, in order.
pub(crate) type NewTexts = Arc<[TextId]>;

/// Those of the texts that are not in the table, in order. All are, where the runtime has no table.
pub(crate) fn new_texts(heap: &Heap, texts: impl Iterator<Item = TextId>) -> NewTexts {
    let known = heap.fixed.interned.as_ref();
    let mut new: Vec<TextId> = texts
        .filter(|&text| known.is_some_and(|known| !known.texts.has(text)))
        .collect();
    new.sort_unstable();
    new.dedup();
    new.into()
}

/// How many different texts some places have.
fn count(mut places: Vec<&NewTexts>) -> u64 {
    places.sort_unstable_by_key(|texts| std::cmp::Reverse(texts.len()));
    let Some((largest, others)) = places.split_first() else {
        return 0;
    };
    // Most places share their texts with one that has far more, which is not gone through for each of them.
    let at_several = |at: usize, text: &TextId| {
        largest.binary_search(text).is_ok()
            || others[..at]
                .iter()
                .any(|earlier| earlier.binary_search(text).is_ok())
    };
    let more = (0..).zip(others).map(|(at, texts)| {
        let more = texts.iter().filter(|text| !at_several(at, text));
        more.count()
    });
    (largest.len() + more.sum::<usize>()) as u64
}

/// The texts that a fix puts into the table.
#[derive(Clone, Debug)]
pub struct Interns {
    /// The row of the table.
    pub table: ObjectId,
    /// The new texts of some places: some may stand at several of them.
    of_places: Vec<NewTexts>,
    /// What the table takes more when this is the only fix.
    pub alone: u64,
}

impl Interns {
    /// What a fix puts into the table that interns all texts of some places; `None` where the runtime has no table of a known price.
    pub(crate) fn of(heap: &Heap, of_places: Vec<NewTexts>) -> Option<Self> {
        let table = heap.fixed.interned.as_ref()?.table;
        let alone = heap.layout.more_interned(count(of_places.iter().collect()))?;
        Some(Self {
            table,
            of_places,
            alone,
        })
    }
}

/// The table after the fixes granted so far.
#[derive(Debug, Default)]
pub(crate) struct InternedSoFar {
    /// Texts that came in; `None` as long as no fix put any there.
    texts: Option<RowSet>,
    /// How many came in.
    came: u64,
    /// The places all of whose texts came in, by where their list stands.
    places: FxHashSet<usize>,
}

impl InternedSoFar {
    /// Texts that a fix puts into it now, and what it takes more for these.
    pub(crate) fn adds(&self, heap: &Heap, interns: &Interns) -> (u64, u64) {
        let places = interns.of_places.iter();
        let others = places.filter(|texts| !self.places.contains(&address(texts)));
        let is_in = |text: TextId| self.texts.as_ref().is_some_and(|texts| texts.has(text));
        let new: Vec<NewTexts> = others
            .map(|texts| texts.iter().copied().filter(|&text| !is_in(text)).collect())
            .collect();
        let new = count(new.iter().collect());
        let takes = |texts: u64| heap.layout.more_interned(texts).unwrap_or(0);
        (new, takes(self.came + new).saturating_sub(takes(self.came)))
    }

    /// Puts them there.
    pub(crate) fn add(&mut self, heap: &Heap, interns: &Interns) {
        self.came += self.adds(heap, interns).0;
        let texts = self.texts.get_or_insert_with(|| RowSet::none(heap.texts.len()));
        for new in &interns.of_places {
            if self.places.insert(address(new)) {
                texts.extend(new.iter().copied());
            }
        }
    }
}

fn address(texts: &NewTexts) -> usize {
    texts.as_ptr() as usize
}
