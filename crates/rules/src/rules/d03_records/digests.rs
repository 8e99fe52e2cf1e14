//! Digests of records, arrays and tables: equal for equal values.

use deadweight_heap::{
    Edge, EdgeKind, Field, Flags, Heap, Kind, NONE, Numeric, ObjectId, Presence, RankedRows, RowSet, UNKNOWN,
    Value, Via,
};
use rayon::prelude::*;

/// How deep values are compared.
const DEPTH: u8 = 4;

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
        for _ in 0..DEPTH {
            let before = &digests;
            let step = |(&at, &old): (&u32, &Digest)| {
                let at = at as usize;
                // One level says all of what refers to no other record.
                let settled = old.value != 0 && old.height == 1 && before.deepest_inside(at) == 0;
                if settled { old } else { before.digest(at) }
            };
            let each = before.numbers.par_iter().zip(&before.known);
            let next: Vec<Digest> = each.with_min_len(4096).map(step).collect();
            let pairs = before.known.iter().zip(&next);
            let changed = pairs.into_iter().any(|(old, new)| old.value != new.value);
            digests.known = next;
            if !changed {
                break;
            }
        }
        digests
    }

    pub(super) fn row(&self, at: usize) -> ObjectId {
        match self.sort(at) {
            (Kind::Record, at) => self.heap.records[at].object,
            (Kind::Array, at) => self.heap.arrays[at].object,
            (_, at) => self.heap.tables[at].object,
        }
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

    fn of(&self, id: ObjectId) -> Digest {
        let base = match self.heap.kind(id) {
            Kind::Record => 0,
            Kind::Array => self.heap.records.len(),
            Kind::Table => self.heap.records.len() + self.heap.arrays.len(),
            _ => return Digest::default(),
        };
        let fact = self.heap.objects.fact[id as usize];
        let at = base.saturating_add(fact as usize);
        let is_fact = fact != NONE && at < self.all && !self.heap.objects.has(id, Flags::PART);
        let rank = self.comparable.rank(at as u32).filter(|_| is_fact);
        rank.map_or_else(Digest::default, |rank| self.known[rank])
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
        let (own, beside) = (self.heap.named(self.row(at)), self.heap.named(store));
        match self.sort(at) {
            (Kind::Record, _) => {
                let declared = self.declared(at);
                let shows = |field| self.scalar(self.row(at), field).is_some();
                if declared.is_empty() {
                    own.fields >= used
                } else {
                    declared.iter().all(shows)
                }
            }
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

    /// The fields that a record's type declares, where it does.
    fn declared(&self, at: usize) -> &[Field] {
        let row = self.row(at);
        match self.heap.kind(row) {
            Kind::Record => self.heap.types.declared(self.heap.objects.label[row as usize]),
            _ => &[],
        }
    }

    /// What stands in a declared field beside what its reference leads to; `None` where the dump does not have it.
    fn scalar(&self, row: ObjectId, field: &Field) -> Option<u64> {
        match self.heap.field_value(row, field)? {
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

    fn deepest_inside(&self, at: usize) -> u8 {
        let heights = self.values(at).map(|edge| self.of(edge.to).height);
        heights.max().unwrap_or(0)
    }

    /// The digest from what is known of the values so far. The order of fields does not matter.
    fn digest(&self, at: usize) -> Digest {
        let row = self.row(at);
        let label = self.heap.objects.label[row as usize];
        let mut sum = mix(self.sort(at).0 as u64, u64::from(label));
        let mut inside = 0;
        for edge in self.values(at) {
            inside = inside.max(self.of(edge.to).height);
            sum = sum.wrapping_add(mix(u64::from(edge.via.0), self.value(edge.to)));
        }
        for field in self.declared(at) {
            let value = self.scalar(row, field).unwrap_or_else(|| mix(5, u64::from(row)));
            let name = Via::new(EdgeKind::Field, field.name);
            sum = sum.wrapping_add(mix(mix(10, u64::from(name.0)), value));
        }
        Digest {
            value: mix(sum, 1).max(1),
            height: (inside + 1).min(DEPTH + 1),
        }
    }

    fn value(&self, id: ObjectId) -> u64 {
        let heap = self.heap;
        let known = match heap.kind(id) {
            Kind::String => {
                let shown = heap.shows_text(id) && heap.coverage.texts != Presence::Absent;
                shown.then(|| mix(mix(2, u64::from(heap.objects.label[id as usize])), heap.bytes(id)))
            }
            Kind::Number => heap.number(id).and_then(|number| known_number(3, number.value())),
            Kind::Date => heap
                .date(id)
                .and_then(|date| known_number(4, Numeric::of_float(date.value))),
            kind @ (Kind::Record | Kind::Array | Kind::Table) => {
                let known = Some(self.of(id).value).filter(|&value| value != 0);
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

fn known_number(tag: u64, value: Numeric) -> Option<u64> {
    let (sort, bits) = value.key();
    value.is_known().then(|| mix(mix(tag, u64::from(sort)), bits))
}

/// Mixes two words so that every bit of either reaches every bit of the result.
fn mix(a: u64, b: u64) -> u64 {
    let product =
        u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b.rotate_left(32) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ (folded >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ a.rotate_left(17)
}
