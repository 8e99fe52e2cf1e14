//! Strings that are there only for others that show their characters.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{EdgeKind, Flags, Heap, ObjectId, Reference};

impl Heap {
    /// Whether the dump has the whole text of a string: of one in one piece, of a window on another, or of a joined one
    /// that was flattened.
    #[must_use]
    #[inline]
    pub fn shows_text(&self, id: ObjectId) -> bool {
        !self.objects.has(id, Flags::INCOMPLETE)
            && (self.objects.has(id, Flags::FLAT) || self.string_form(id).is_some())
    }

    /// The strings that are there only for others, found once, on all threads.
    #[must_use]
    pub fn backing(&self) -> Arc<Backing> {
        self.shared.get(|| Backing::of(self))
    }
}

/// Strings of the program that nothing but other strings refers to, whose texts the dump shows: each goes when all of
/// these do. Where a dump hides what a window shows, the string behind it is none of them.
#[derive(Debug, Default)]
pub struct Backing {
    /// By such a string those that show its characters.
    shown_by: FxHashMap<ObjectId, Vec<ObjectId>>,
}

impl Backing {
    fn of(heap: &Heap) -> Self {
        let shows = |from: ObjectId| heap.shows_text(from);
        // A name would be the better referrer, so that a string which has one is none of these.
        let backs = |id: &ObjectId| {
            let referrer = heap.referrers.of(*id);
            heap.objects.has(*id, Flags::FLAT)
                && referrer.is_some_and(|(from, via)| via.kind() == EdgeKind::Internal && shows(from))
                && heap.in_program(*id)
        };
        let found = heap.rows().into_par_iter().with_min_len(16_384).filter(backs);
        let found: Vec<ObjectId> = found.collect();
        if found.is_empty() {
            return Self::default();
        }
        let rows = heap.row_set(found.iter().copied());
        let places = heap.places_of(&rows, Reference::keeps);
        let mut shown_by = FxHashMap::default();
        for id in found {
            let from = places.of(id).iter().map(|place| place.from);
            if from.clone().all(shows) {
                shown_by.insert(id, from.collect());
            }
        }
        Self { shown_by }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown_by.is_empty()
    }

    /// Whether a string is one of them.
    #[must_use]
    #[inline]
    pub fn has(&self, id: ObjectId) -> bool {
        self.shown_by.contains_key(&id)
    }

    /// Whether one of them has more than one string that shows its characters.
    #[must_use]
    pub fn is_shown_by_several(&self, id: ObjectId) -> bool {
        self.shown_by.get(&id).is_some_and(|shown_by| shown_by.len() > 1)
    }

    /// The string whose characters another shows, where it is one of them.
    #[must_use]
    pub fn behind(&self, heap: &Heap, id: ObjectId) -> Option<ObjectId> {
        let mut targets = heap.edges.of(id).map(|edge| edge.to);
        targets.find(|&to| to != id && self.has(to))
    }

    /// Those that go when all rows of a list do, in the order in which the list leads to them, each with the row that
    /// led to it.
    #[must_use]
    pub fn freed_with(&self, heap: &Heap, gone: &[ObjectId]) -> Vec<(ObjectId, ObjectId)> {
        if self.is_empty() {
            return Vec::new();
        }
        let all = heap.row_set(gone.iter().copied());
        let seen = heap.no_rows();
        let behind = gone.iter().filter_map(|&id| Some((self.behind(heap, id)?, id)));
        behind
            .filter(|&(of, _)| self.shown_by[&of].iter().all(|&shown| all.has(shown)) && seen.insert(of))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{HeapBuilder, Width};

    #[test]
    fn a_string_behind_windows_goes_when_all_of_them_do() {
        let mut heap = HeapBuilder::new();
        let line = heap.string("name: value");
        let (one, other) = (heap.slice(line, "value"), heap.slice(line, "name"));
        heap.record("A", &[("x", one)]);
        heap.record("B", &[("y", other)]);
        let heap = heap.build();
        let backing = heap.backing();
        assert!(backing.has(line) && !backing.has(one));
        assert_eq!(backing.behind(&heap, other), Some(line));
        assert_eq!(backing.freed_with(&heap, &[one]), []);
        assert_eq!(backing.freed_with(&heap, &[other, one]), [(line, other)]);
    }

    #[test]
    fn a_string_that_is_held_by_name_is_not_there_for_others_alone() {
        let mut heap = HeapBuilder::new();
        let line = heap.string("name: value");
        let window = heap.slice(line, "value");
        heap.record("A", &[("x", window), ("line", line)]);
        assert!(!heap.build().backing().has(line));
    }

    #[test]
    fn behind_a_window_whose_text_is_hidden_nothing_is_known() {
        let mut heap = HeapBuilder::new();
        let line = heap.string("name: value");
        let (hidden, shown) = (
            heap.slice_of_length(line, 5, Width::One),
            heap.slice(line, "name"),
        );
        heap.record("A", &[("x", hidden), ("y", shown)]);
        let heap = heap.build();
        let backing = heap.backing();
        assert!(!backing.has(line) && !heap.shows_text(hidden) && heap.shows_text(shown));
    }
}
