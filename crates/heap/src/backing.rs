//! Strings that are there only for others that show their characters.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{EdgeKind, Flags, Heap, ObjectId, Reference};

impl Heap {
    /// Whether the dump has the whole text of a string: of one in one piece, of a window on another, or of a joined one
    /// that was flattened; or a recorder said which other strings have the same text.
    #[must_use]
    #[inline]
    pub fn shows_text(&self, id: ObjectId) -> bool {
        !self.objects.has(id, Flags::INCOMPLETE)
            && (self.objects.has(id, Flags::FLAT) || self.string_form(id).is_some())
    }

    /// Whether the best name of a string is another string, which is made of it.
    #[must_use]
    pub fn is_piece_of_text(&self, id: ObjectId) -> bool {
        self.string_form(id).is_some()
            && self.referrers.of(id).is_some_and(|(from, via)| {
                via.kind() == EdgeKind::Internal && self.string_form(from).is_some()
            })
    }

    /// The strings that are there only for others, found once, on all threads.
    #[must_use]
    pub fn backing(&self) -> Arc<Backing> {
        self.shared.get(|| Backing::of(self))
    }
}

/// Strings of the program that are there only for others: the one behind windows, the flat text of a joint, the pieces of a
/// joined text. Each goes when all that refer to it do.
#[derive(Debug, Default)]
pub struct Backing {
    /// By such a string how many references lead to it, all of them from strings.
    references: FxHashMap<ObjectId, u32>,
    /// Those behind strings of which the dump does not show the text.
    hidden: FxHashSet<ObjectId>,
}

impl Backing {
    fn of(heap: &Heap) -> Self {
        // A name would be the better referrer, so that a string which has one is none of these.
        let may_back = |id: &ObjectId| heap.is_piece_of_text(*id) && heap.in_program(*id);
        let found = heap.rows().into_par_iter().with_min_len(16_384).filter(may_back);
        let found: Vec<ObjectId> = found.collect();
        if found.is_empty() {
            return Self::default();
        }
        let rows = heap.row_set(found.iter().copied());
        let places = heap.places_of(&rows, Reference::keeps);
        let mut all = Self::default();
        let mut hidden = Vec::new();
        for &id in &found {
            let from = || places.of(id).iter().map(|place| place.from);
            if from().all(|from| heap.string_form(from).is_some()) {
                all.references.insert(id, places.of(id).len() as u32);
            }
            if !from().all(|from| heap.shows_text(from) || rows.has(from)) {
                hidden.push(id);
            }
        }
        // What stands behind a string of unknown text is unknown, and so is all behind that.
        while let Some(id) = hidden.pop() {
            if all.hidden.insert(id) && !heap.shows_text(id) {
                hidden.extend(all.all_behind(heap, id));
            }
        }
        all
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// Whether a string is one of them.
    #[must_use]
    #[inline]
    pub fn has(&self, id: ObjectId) -> bool {
        self.references.contains_key(&id)
    }

    /// Whether a string is one of them, and the dump shows the texts of all before it: they are known to be equal to others, or not.
    #[must_use]
    #[inline]
    pub fn is_behind_shown(&self, id: ObjectId) -> bool {
        self.has(id) && !self.hidden.contains(&id)
    }

    /// The first string behind another, where it is one of them.
    #[must_use]
    pub fn behind(&self, heap: &Heap, id: ObjectId) -> Option<ObjectId> {
        self.all_behind(heap, id).next()
    }

    /// As often as references lead to them.
    fn all_behind<'h>(&'h self, heap: &'h Heap, id: ObjectId) -> impl Iterator<Item = ObjectId> + 'h {
        let edges = heap.edges.of(id).filter(|edge| edge.via.kind() != EdgeKind::Weak);
        edges
            .map(|edge| edge.to)
            .filter(move |&to| to != id && self.has(to))
    }

    /// Those that go when all rows of a list do, in the order in which the list leads to them, each with the row of the
    /// list that led to it first.
    #[must_use]
    pub fn freed_with(&self, heap: &Heap, gone: &[ObjectId]) -> Vec<(ObjectId, ObjectId)> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut freed = Vec::new();
        let mut met: FxHashMap<ObjectId, Met> = FxHashMap::default();
        let mut open = Vec::new();
        for &copy in gone {
            open.push(copy);
            while let Some(id) = open.pop() {
                for behind in self.all_behind(heap, id) {
                    let order = met.len();
                    let met = met.entry(behind).or_insert(Met {
                        order,
                        copy,
                        references: 0,
                    });
                    met.references += 1;
                    if met.references == self.references[&behind] {
                        freed.push((met.order, behind, met.copy));
                        open.push(behind);
                    }
                }
            }
        }
        freed.sort_unstable();
        freed
            .into_iter()
            .map(|(_, behind, copy)| (behind, copy))
            .collect()
    }
}

/// A string behind others that are gone.
struct Met {
    /// Among all that were met.
    order: usize,
    /// The copy that led to it first.
    copy: ObjectId,
    /// How many references to it are gone.
    references: u32,
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
    fn pieces_of_joined_texts_go_with_the_last_of_them() {
        let mut heap = HeapBuilder::new();
        let (start, twice) = (heap.string("start "), heap.string("twice"));
        let mut joined = |shown: bool| {
            let own = heap.string("own ");
            let inner = heap.rope(start, own);
            let inner = heap.rope(inner, twice);
            let text = heap.rope(inner, twice);
            if shown {
                heap.shown(text);
            }
            heap.record("A", &[("x", text)]);
            (own, text)
        };
        let [(_, one), (own, other)] = [joined(true), joined(true)];
        let heap = heap.build();
        let backing = heap.backing();
        let of = |gone: &[_]| -> Vec<_> {
            backing
                .freed_with(&heap, gone)
                .into_iter()
                .map(|(id, _)| id)
                .collect()
        };
        // Two joints and a piece of its own.
        assert_eq!(of(&[other]).len(), 3);
        assert!(of(&[other]).contains(&own) && !of(&[other]).contains(&start));
        let all = of(&[one, other]);
        assert_eq!(all.len(), 8);
        assert!(all.contains(&start) && all.contains(&twice) && !backing.has(one));
    }

    #[test]
    fn pieces_of_a_text_that_stays_stay() {
        let mut heap = HeapBuilder::new();
        let (start, end) = (heap.string("start "), heap.string("end"));
        let (inner, other) = (heap.rope(start, end), heap.rope(start, end));
        let (known, unknown) = (heap.rope(inner, end), heap.rope(other, end));
        heap.shown(known);
        heap.record("A", &[("x", known), ("y", unknown)]);
        let heap = heap.build();
        let backing = heap.backing();
        assert!([inner, other, start, end].iter().all(|&id| backing.has(id)));
        assert!(backing.is_behind_shown(inner));
        assert!([start, end, other].iter().all(|&id| !backing.is_behind_shown(id)));
        assert_eq!(backing.freed_with(&heap, &[known]), [(inner, known)]);
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
    fn a_string_behind_a_window_whose_text_is_hidden_goes_with_it() {
        let mut heap = HeapBuilder::new();
        let line = heap.string("name: value");
        let (hidden, shown) = (
            heap.slice_of_length(line, 5, Width::One),
            heap.slice(line, "name"),
        );
        heap.record("A", &[("x", hidden), ("y", shown)]);
        let heap = heap.build();
        let backing = heap.backing();
        assert!(backing.has(line) && !backing.is_behind_shown(line));
        assert!(!heap.shows_text(hidden) && heap.shows_text(shown));
        assert_eq!(backing.freed_with(&heap, &[shown]), []);
        assert_eq!(backing.freed_with(&heap, &[shown, hidden]), [(line, shown)]);
    }
}
