//! Strings by the place that names them, and which of them are equal.

use std::sync::{Arc, OnceLock};

use deadweight_heap::{EdgeKind, Flags, Heap, Holders, ObjectId, StringForm, TextId, TypeId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::by_text::Tables;
use crate::interning::{NewTexts, new_texts};

/// All strings of the program whose text the dump shows from its start, by their holders.
#[derive(Debug)]
pub(crate) struct EqualTexts {
    /// In the order in which their first strings stand in the heap.
    pub(crate) places: Vec<TextsAt>,
    /// The places that are fields of records.
    fields: FxHashMap<(TypeId, TextId), usize>,
}

/// The strings of one holder, at least one.
#[derive(Debug, Default)]
pub(crate) struct TextsAt {
    /// In heap order.
    pub(crate) rows: Vec<ObjectId>,
    /// For each of them the place in this list of the first with the same text: its own, when it is the first.
    pub(crate) firsts: Vec<u32>,
    /// Different texts.
    pub(crate) values: usize,
    /// Strings of the same holder whose text the dump does not show: slices, and joined strings in pieces. In heap order.
    pub(crate) hidden: Vec<ObjectId>,
    /// Whether they do not stand there themselves: strings of hidden text do, which are made of them.
    pub(crate) is_behind: bool,
    /// The different texts that are not in the runtime's own table, once somebody asked.
    new: OnceLock<NewTexts>,
}

impl EqualTexts {
    /// Finds them, once for all rules.
    pub(crate) fn of(heap: &Heap) -> Arc<Self> {
        heap.shared.get(|| Self::find(heap))
    }

    fn find(heap: &Heap) -> Self {
        let backing = heap.backing();
        // An empty text that can be changed is there to be written to.
        let is_to_be_written = |id: ObjectId| {
            !heap.layout.strings_are_immutable() && heap.texts.raw(heap.objects.label[id as usize]).is_empty()
        };
        let groups = Holders::new(heap).group(|id| {
            (is_text(heap, id) && !backing.is_behind_shown(id) && !is_to_be_written(id))
                || is_hidden(heap, id)
        });
        let tables = Tables::default();
        // What strings of hidden text are made of is not what stands at their place.
        let groups = groups.into_par_iter().flat_map_iter(|(_, rows)| {
            let (pieces, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|&row| backing.has(row));
            [rows, pieces].into_iter().filter(|rows| !rows.is_empty())
        });
        let places: Vec<(TextsAt, Option<(TypeId, TextId)>)> = groups
            .filter_map(|rows| {
                let (hidden, rows): (Vec<_>, Vec<_>) =
                    rows.into_iter().partition(|&row| is_hidden(heap, row));
                let is_behind = rows.first().is_some_and(|&row| backing.has(row));
                let field = rows.iter().find_map(|&row| heap.naming_field(row));
                let field = field.filter(|_| !is_behind);
                let texts = TextsAt {
                    hidden,
                    is_behind,
                    ..TextsAt::new(heap, rows, &tables)
                };
                (!texts.rows.is_empty()).then_some((texts, field))
            })
            .collect();
        let (places, fields): (Vec<_>, Vec<_>) = places.into_iter().unzip();
        let fields = (0..).zip(fields);
        Self {
            fields: fields.filter_map(|(at, field)| Some((field?, at))).collect(),
            places,
        }
    }

    /// The same for the last rule that asks, which may take it to pieces.
    pub(crate) fn last(heap: &Heap) -> Self {
        heap.shared.take(|| Self::find(heap))
    }

    /// The fields of records in which more than so many different texts stand for certain; others may have as many.
    pub(crate) fn fields_of_many(&self, heap: &Heap, texts: usize) -> FxHashSet<(TypeId, TextId)> {
        let has_many = |(field, place): (&(TypeId, TextId), &usize)| {
            let place = &self.places[*place];
            let firsts = (0..).zip(&place.firsts).zip(&place.rows);
            let firsts = firsts.filter(|((at, first), _)| at == *first);
            // Only the program's own records are asked what stands in their fields.
            let stands_there = |row: ObjectId| {
                let record = heap
                    .referrers
                    .of(row)
                    .is_some_and(|(from, _)| heap.in_program(from));
                record && heap.is_plain_text(row) && heap.naming_field(row) == Some(*field)
            };
            let different = firsts.filter(|(_, row)| stands_there(**row));
            (place.values > texts && different.take(texts + 1).count() > texts).then_some(*field)
        };
        self.fields.par_iter().filter_map(has_many).collect()
    }

    /// Takes out the strings in one piece that records of a type have in a field; those that only a string there refers
    /// to are left out.
    pub(crate) fn take_field(&mut self, heap: &Heap, ty: TypeId, name: TextId) -> Option<TextsAt> {
        let all = std::mem::take(&mut self.places[self.fields.remove(&(ty, name))?]);
        let named = |row: &ObjectId| heap.referrers.of(*row);
        let is_there = |row: &ObjectId| {
            heap.objects.has(*row, Flags::FLAT)
                && named(row).is_some_and(|(_, via)| via.kind() == EdgeKind::Field)
        };
        if all.rows.par_iter().with_min_len(4096).all(is_there) {
            return Some(all);
        }
        let there = all.rows.into_iter().filter(is_there).collect();
        Some(TextsAt::new(heap, there, &Tables::default()))
    }
}

impl TextsAt {
    fn new(heap: &Heap, rows: Vec<ObjectId>, tables: &Tables) -> Self {
        let firsts = tables.firsts(heap, &rows);
        let values = (0..)
            .zip(&firsts)
            .filter(|(place, first)| place == *first)
            .count();
        Self {
            rows,
            firsts,
            values,
            hidden: Vec::new(),
            is_behind: false,
            new: OnceLock::new(),
        }
    }

    /// The different texts that are not in the runtime's own table of texts.
    pub(crate) fn new_texts(&self, heap: &Heap) -> NewTexts {
        let find = || {
            let firsts = (0..).zip(&self.firsts).zip(&self.rows);
            let firsts = firsts.filter(|((at, first), _)| at == *first);
            new_texts(heap, firsts.map(|(_, &row)| heap.objects.label[row as usize]))
        };
        self.new.get_or_init(find).clone()
    }
}

/// A string in one piece, or a window whose whole text the dump has. A text that is a piece of another object is made
/// with it, whatever texts the program has: pieces are not asked for.
#[inline]
fn is_text(heap: &Heap, id: ObjectId) -> bool {
    (heap.objects.has(id, Flags::FLAT) || heap.shows_text(id)) && heap.in_program(id) && heap.bytes(id) > 0
}

/// A string that the program holds and that is made of another, whose text the dump does not show.
#[inline]
fn is_hidden(heap: &Heap, id: ObjectId) -> bool {
    matches!(heap.string_form(id), Some(StringForm::Slice | StringForm::Rope))
        && !heap.shows_text(id)
        && heap.in_program(id)
        && !heap.is_piece_of_text(id)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Width};

    use super::*;

    #[test]
    fn a_text_that_is_a_piece_of_an_object_is_none_of_the_programs() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            let pattern = heap.object(deadweight_heap::Kind::Opaque, "pattern", 56);
            let source = heap.string("^a/b");
            heap.edge(pattern, EdgeKind::Internal, 0, source);
            heap.part(pattern, source);
            heap.variable("pattern", pattern);
        }
        assert!(EqualTexts::of(&heap.build()).places.is_empty());
    }

    #[test]
    fn what_a_string_in_a_field_refers_to_is_not_in_the_field() {
        let mut heap = HeapBuilder::new();
        let rows: Vec<ObjectId> = ["a", "b", "a"].map(|text| heap.string(text)).to_vec();
        let records = rows.iter().map(|&row| heap.record("R", &[("x", row)]));
        let record = records.last().unwrap();
        let whole = heap.string("a");
        let slice = heap.slice_of_length(whole, 1, Width::One);
        heap.record("R", &[("x", slice)]);
        let other = heap.string("a");
        heap.variable("other", other);
        let name = heap.text("x");
        let heap = heap.build();
        let ty = heap.objects.label[record as usize];
        let held: Vec<usize> = EqualTexts::of(&heap)
            .places
            .iter()
            .map(|place| place.rows.len())
            .collect();
        assert_eq!(
            held,
            [3, 1, 1],
            "the field's, what one of them is cut from, and another"
        );
        let mut texts = EqualTexts::last(&heap);
        let in_field = texts.take_field(&heap, ty, name).unwrap();
        assert_eq!((&in_field.rows, &in_field.firsts), (&rows, &vec![0, 1, 0]));
        assert_eq!(in_field.values, 2);
        assert!(texts.take_field(&heap, ty, name + 1).is_none());
    }

    #[test]
    fn texts_that_only_a_string_in_the_field_refers_to_are_none_of_its_own() {
        let mut heap = HeapBuilder::new();
        for (text, part) in [("a", "x"), ("b", "y"), ("a", "z")] {
            let own = heap.string(text);
            let whole = heap.string(part);
            let slice = heap.slice_of_length(whole, 1, Width::One);
            heap.record("R", &[("own", own)]);
            heap.record("R", &[("own", slice)]);
        }
        let name = heap.text("own");
        let heap = heap.build();
        let texts = EqualTexts::of(&heap);
        assert_eq!(texts.places[0].values, 2);
        let names_of = |least| {
            texts
                .fields_of_many(&heap, least)
                .into_iter()
                .map(|(_, name)| name)
        };
        assert_eq!(names_of(1).collect::<Vec<_>>(), [name]);
        assert_eq!(names_of(2).count(), 0);
    }
}
