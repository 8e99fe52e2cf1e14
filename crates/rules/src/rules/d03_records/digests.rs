//! Digests of records, arrays and tables: equal for equal values.

use deadweight_heap::{
    Edge, EdgeKind, Field, FieldValues, Flags, Heap, Kind, NONE, Numeric, ObjectId, Presence, RankedRows,
    RowSet, UNKNOWN, Value, Via,
};
use rayon::prelude::*;

use super::levels;
use super::scalars::scalar;

/// Records, arrays and tables that one thread takes at a time.
const PIECE: usize = 1 << 14;

/// What is known of one record, array or table.
#[derive(Clone, Copy, Default)]
pub(super) struct Digest {
    /// Equal for equal values; 0 for one that is not compared.
    pub(super) value: u64,
    /// Levels of compared records, arrays and tables, itself included.
    pub(super) height: u8,
}

/// Digests of those records, arrays and tables that can be compared, which are few in most heaps. All records have
/// numbers by their facts, after them all arrays, and after these all tables.
pub(super) struct Digests<'h> {
    heap: &'h Heap,
    /// How many records, arrays and tables there are.
    pub(super) all: usize,
    /// The numbers of those that are compared, in order, and how to find the place of one among them.
    pub(super) numbers: Vec<u32>,
    comparable: RankedRows,
    /// What is known of each.
    pub(super) known: Vec<Digest>,
    pub(super) seen: u64,
    pub(super) unseen: u64,
}

impl<'h> Digests<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        let all = heap.records.len() + heap.arrays.len() + heap.tables.len();
        let mut digests = Self {
            heap,
            all,
            numbers: Vec::new(),
            comparable: RowSet::none(0).ranked(),
            known: Vec::new(),
            seen: 0,
            unseen: 0,
        };
        let set = RowSet::none(all);
        let pieces: Vec<(Vec<u32>, u64)> = (0..all.div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let (mut comparable, mut unseen) = (Vec::new(), 0);
                for at in piece * PIECE..((piece + 1) * PIECE).min(all) {
                    if digests.is_comparable(at) {
                        set.insert(at as u32);
                        comparable.push(at as u32);
                    } else {
                        unseen += u64::from(digests.is_candidate(at));
                    }
                }
                (comparable, unseen)
            })
            .collect();
        digests.unseen = pieces.iter().map(|(_, unseen)| unseen).sum();
        digests.numbers = pieces.into_iter().flat_map(|(numbers, _)| numbers).collect();
        digests.comparable = set.ranked();
        digests.seen = digests.numbers.len() as u64;
        digests.known = vec![Digest::default(); digests.numbers.len()];
        levels::settle(&mut digests);
        digests
    }

    pub(super) fn row(&self, at: usize) -> ObjectId {
        match self.sort(at) {
            (Kind::Record, at) => self.heap.records[at].object,
            (Kind::Array, at) => self.heap.arrays[at].object,
            (_, at) => self.heap.tables[at].object,
        }
    }

    /// How many of those that are compared are records, which have the first numbers.
    pub(super) fn count_of_records(&self) -> usize {
        let records = self.heap.records.len();
        self.numbers.partition_point(|&at| (at as usize) < records)
    }

    /// What the thing with a number is, and its place among those of its kind.
    fn sort(&self, at: usize) -> (Kind, usize) {
        let (records, arrays) = (self.heap.records.len(), self.heap.arrays.len());
        match at.checked_sub(records) {
            None => (Kind::Record, at),
            Some(at) if at < arrays => (Kind::Array, at),
            Some(at) => (Kind::Table, at - arrays),
        }
    }

    /// The number of a record, array or table.
    fn number_of(&self, id: ObjectId) -> Option<usize> {
        let base = match self.heap.kind(id) {
            Kind::Record => 0,
            Kind::Array => self.heap.records.len(),
            Kind::Table => self.heap.records.len() + self.heap.arrays.len(),
            _ => return None,
        };
        let fact = self.heap.objects.fact[id as usize];
        let at = base.saturating_add(fact as usize);
        (fact != NONE && at < self.all && !self.heap.objects.has(id, Flags::PART)).then_some(at)
    }

    /// The place of a row's digest among those known, where the row is compared.
    fn rank_of(&self, id: ObjectId) -> Option<usize> {
        self.number_of(id).and_then(|at| self.comparable.rank(at as u32))
    }

    /// The same of a row as of a number.
    pub(super) fn is_candidate_row(&self, id: ObjectId) -> bool {
        self.number_of(id).is_some_and(|at| self.is_candidate(at))
    }

    /// Slots or entries in use and the row, beside the object's own, whose elements or entries are its.
    fn used(&self, at: usize) -> (u32, ObjectId) {
        let apart = |object, store| if store == object { NONE } else { store };
        match self.sort(at) {
            (Kind::Record, at) => (self.heap.records[at].used, NONE),
            (Kind::Array, at) => {
                let array = &self.heap.arrays[at];
                (array.used, apart(array.object, array.store))
            }
            (_, at) => {
                let table = &self.heap.tables[at];
                (table.used, apart(table.object, table.store))
            }
        }
    }

    /// A record, array or table of the program that is not known to be empty.
    pub(super) fn is_candidate(&self, at: usize) -> bool {
        let id = self.row(at);
        self.heap.in_program(id) && self.used(at).0 != 0 && self.heap.bytes(id) > 0
    }

    /// One whose every value the dump shows.
    fn is_comparable(&self, at: usize) -> bool {
        let (used, store) = self.used(at);
        if !self.is_candidate(at) || used == UNKNOWN {
            return false;
        }
        let row = self.row(at);
        let (own, beside) = (self.heap.named(row), self.heap.named(store));
        if !self.heap.shows_fields(row, own.fields) {
            return false;
        }
        match self.sort(at) {
            (Kind::Record, _) => self.heap.fields_of_value(row).next().is_some() || own.fields >= used,
            (Kind::Array, _) => own.elements + beside.elements == used,
            (_, at) => {
                let (keys, values) = (own.keys + beside.keys, own.values + beside.values);
                // Some runtimes keep the elements of a set as keys, some as values.
                let all = if self.heap.tables[at].set {
                    keys + values == used
                } else {
                    keys == used && values == used
                };
                all && own.elements + beside.elements == 0
            }
        }
    }

    /// What stands in a declared field beside what its reference leads to; `None` where the dump does not have it.
    fn scalar(values: &FieldValues<'_>, field: &Field) -> Option<u64> {
        match values.get(field)? {
            Value::Number(number) => known_number(3, number),
            Value::Boolean(value) => Some(mix(7, u64::from(value))),
            Value::Nothing => Some(mix(8, 0)),
            Value::Reference(_, within) => Some(mix(9, within)),
        }
    }

    /// The references that make the value.
    fn values(&self, at: usize) -> impl Iterator<Item = Edge> + '_ {
        let (id, (_, store)) = (self.row(at), self.used(at));
        let heap = self.heap;
        let own = heap.edges.of(id).filter(move |edge| {
            let behind = matches!(edge.via.kind(), EdgeKind::Internal | EdgeKind::Weak);
            let of_runtime = matches!(heap.kind(edge.to), Kind::Runtime | Kind::Shape);
            !behind || !(of_runtime || (heap.objects.has(edge.to, Flags::PART) && heap.owner(edge.to) == id))
        });
        let of_store = heap.edges.of(store).filter(|edge| {
            let kind = edge.via.kind();
            matches!(kind, EdgeKind::Element | EdgeKind::Key | EdgeKind::Value)
        });
        own.chain(of_store)
    }

    /// The digest at a rank from what is known of its values so far. The order of fields does not matter. With
    /// `awaits`, the error is the rank of a value that is not known yet.
    pub(super) fn digest(&self, rank: u32, awaits: bool) -> Result<Digest, u32> {
        let at = self.numbers[rank as usize] as usize;
        let row = self.row(at);
        let label = self.heap.objects.label[row as usize];
        let mut sum = mix(self.sort(at).0 as u64, u64::from(label));
        let mut inside = 0;
        for edge in self.values(at) {
            let compared = self.rank_of(edge.to);
            let known = compared.map_or_else(Digest::default, |rank| self.known[rank]);
            if let Some(rank) = compared.filter(|_| awaits && known.value == 0) {
                return Err(rank as u32);
            }
            inside = inside.max(known.height);
            sum = sum.wrapping_add(mix(u64::from(edge.via.0), self.value(edge.to, known)));
        }
        let mut values = None;
        for field in self.heap.fields_of_value(row) {
            let values = values.get_or_insert_with(|| self.heap.field_values(row));
            let value = Self::scalar(values, field).unwrap_or_else(|| mix(5, u64::from(row)));
            let name = Via::new(EdgeKind::Field, field.name);
            sum = sum.wrapping_add(mix(mix(10, u64::from(name.0)), value));
        }
        Ok(Digest {
            value: mix(sum, 1).max(1),
            height: inside.saturating_add(1),
        })
    }

    /// What a value is, whose digest is known where it is compared.
    fn value(&self, id: ObjectId, compared: Digest) -> u64 {
        let heap = self.heap;
        let known = match heap.kind(id) {
            Kind::String => {
                let shown = heap.shows_text(id) && heap.coverage.texts != Presence::Absent;
                shown.then(|| mix(2, u64::from(heap.objects.label[id as usize])))
            }
            Kind::Number | Kind::Date => scalar(heap, id),
            kind @ (Kind::Record | Kind::Array | Kind::Table) => {
                let known = Some(compared.value).filter(|&value| value != 0);
                let label = u64::from(heap.objects.label[id as usize]);
                let empty = || {
                    heap.is_empty_container(id)
                        .then(|| mix(mix(6, kind as u64), label))
                };
                known.or_else(empty)
            }
            _ => None,
        };
        // What is not compared is equal to itself alone.
        known.unwrap_or_else(|| mix(5, u64::from(id)))
    }
}

pub(super) fn known_number(tag: u64, value: Numeric) -> Option<u64> {
    let (sort, bits) = value.known_key()?;
    Some(mix(mix(tag, u64::from(sort)), bits))
}

/// Mixes two words so that every bit of either reaches every bit of the result.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product =
        u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b.rotate_left(32) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ (folded >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ a.rotate_left(17)
}
