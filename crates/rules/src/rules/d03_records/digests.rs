//! Digests of records, arrays and tables: equal for equal values.

use deadweight_heap::{
    Edge, EdgeKind, Field, FieldValues, Flags, Heap, Kind, NONE, Numeric, ObjectId, Presence, RowSet,
    UNKNOWN, Value, Via,
};
use rayon::prelude::*;

use super::levels;
use super::scalars::scalar;

/// Rows that one thread takes at a time.
pub(super) const PIECE: usize = 1 << 14;

/// What a value is, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Digest {
    /// Equal for equal values.
    pub(super) value: u64,
    /// Levels of compared records, arrays and tables, itself included.
    pub(super) height: u8,
}

/// Digests of all rows: of texts and numbers by what they are, of records, arrays and tables that can be compared by what
/// they hold, and of everything else by which object it is.
pub(super) struct Digests<'h> {
    pub(super) heap: &'h Heap,
    /// The rows that are compared by what they hold.
    pub(super) compared: RowSet,
    /// The digest of each row; for one that is not known yet what [`levels`] writes there.
    pub(super) values: Vec<u64>,
    /// One more than the height of each row's digest; 0 while it is not known.
    pub(super) heights: Vec<u8>,
    pub(super) seen: u64,
    pub(super) unseen: u64,
}

impl<'h> Digests<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        let rows = heap.objects.len();
        let mut digests = Self {
            heap,
            compared: RowSet::none(rows),
            values: Vec::new(),
            heights: Vec::new(),
            seen: 0,
            unseen: 0,
        };
        let (mut values, mut heights) = (vec![0; rows], vec![0; rows]);
        let pieces = values.par_chunks_mut(PIECE).zip(heights.par_chunks_mut(PIECE));
        let counts = pieces.enumerate().map(|(piece, (values, heights))| {
            let first = (piece * PIECE) as ObjectId;
            let (mut seen, mut unseen) = (0, 0);
            for (row, (value, height)) in (first..).zip(values.iter_mut().zip(heights)) {
                let holds = digests.holds_values(row);
                let is_candidate = holds && heap.in_program(row);
                if holds && digests.is_shown(row) {
                    digests.compared.insert(row);
                    seen += u64::from(is_candidate);
                } else {
                    unseen += u64::from(is_candidate);
                    (*value, *height) = (digests.uncompared(row), 1);
                }
            }
            (seen, unseen)
        });
        (digests.seen, digests.unseen) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        (digests.values, digests.heights) = (values, heights);
        levels::settle(&mut digests);
        digests
    }

    /// The digest of a row, where all are known.
    pub(super) fn of(&self, row: ObjectId) -> Digest {
        Digest {
            value: self.values[row as usize],
            height: self.heights[row as usize].saturating_sub(1),
        }
    }

    /// Whether it is the program's, and holds something that could be compared. What is empty belongs to C01.
    pub(super) fn is_candidate(&self, row: ObjectId) -> bool {
        self.heap.in_program(row) && self.holds_values(row)
    }

    /// The same with what the library made for the program, which belongs to the values that hold it.
    fn holds_values(&self, row: ObjectId) -> bool {
        let heap = self.heap;
        let is_kind = matches!(heap.kind(row), Kind::Record | Kind::Array | Kind::Table);
        let holds = || heap.used_and_store(row).is_some_and(|(used, _)| used != 0);
        let is_state = || heap.types.is_state(heap.objects.label[row as usize]);
        is_kind && heap.is_for_program(row) && heap.bytes(row) > 0 && holds() && !is_state()
    }

    /// The row beside a candidate in which its elements or entries stand.
    fn store_beside(&self, row: ObjectId) -> ObjectId {
        let store = self.heap.used_and_store(row).and_then(|(_, store)| store);
        store.filter(|&store| store != row).unwrap_or(NONE)
    }

    /// Whether the dump shows all that a candidate holds.
    fn is_shown(&self, row: ObjectId) -> bool {
        let heap = self.heap;
        let used = heap.used_and_store(row).map_or(UNKNOWN, |(used, _)| used);
        if used == UNKNOWN {
            return false;
        }
        let (own, beside) = (heap.named(row), heap.named(self.store_beside(row)));
        if !heap.shows_fields(row, own.fields) {
            return false;
        }
        match heap.kind(row) {
            // Declared fields are all there; of others, as many as it has.
            Kind::Record => heap.fields_of_value(row).next().is_some() || own.fields >= used,
            Kind::Array => {
                let elements = own.elements + beside.elements;
                // Where each value is an object, nothing stands where there is none.
                let is_whole = heap.coverage.slots == Presence::Present && heap.partial.is_none();
                let has_gaps = is_whole && elements > 0;
                elements == used || (has_gaps && elements < used)
            }
            _ => {
                let (keys, values) = (own.keys + beside.keys, own.values + beside.values);
                let is_set = heap.table(row).is_some_and(|table| table.set);
                // Some runtimes keep the elements of a set as keys, some as values.
                let all = if is_set {
                    keys + values == used
                } else {
                    keys == used && values == used
                };
                all && own.elements + beside.elements == 0
            }
        }
    }

    /// What stands in a declared field beside what its reference leads to; `None` where the dump does not have it.
    fn scalar(&self, values: &FieldValues<'_>, field: &Field) -> Option<u64> {
        // Where references lead to the beginning of what they lead to, there is no more to a field than whether it has one.
        if field.representation.refers() && !self.heap.interior.any() {
            let tag = if values.is_nothing(field)? { 8 } else { 9 };
            return Some(mix(tag, 0));
        }
        match values.get(field)? {
            Value::Number(number) => known_number(3, number),
            Value::Boolean(value) => Some(mix(7, u64::from(value))),
            Value::Nothing => Some(mix(8, 0)),
            Value::Reference(_, within) => Some(mix(9, within)),
        }
    }

    /// The references that make the value.
    fn references(&self, row: ObjectId) -> impl Iterator<Item = Edge> + '_ {
        let heap = self.heap;
        let own = heap.edges.of(row).filter(move |edge| {
            let behind = matches!(edge.via.kind(), EdgeKind::Internal | EdgeKind::Weak);
            let of_runtime = || matches!(heap.kind(edge.to), Kind::Runtime | Kind::Shape);
            let is_piece = || heap.objects.has(edge.to, Flags::PART) && heap.owner(edge.to) == row;
            !(behind && (of_runtime() || is_piece()))
        });
        let of_store = heap.edges.of(self.store_beside(row)).filter(|edge| {
            let kind = edge.via.kind();
            matches!(kind, EdgeKind::Element | EdgeKind::Key | EdgeKind::Value)
        });
        own.chain(of_store)
    }

    /// A digest of what stands in a compared row's declared fields.
    pub(super) fn fields(&self, row: ObjectId) -> u64 {
        let heap = self.heap;
        let (mut sum, mut values) = (0_u64, None);
        for field in heap.fields_of_value(row) {
            let values = values.get_or_insert_with(|| heap.field_values(row));
            let value = self.scalar(values, field).unwrap_or_else(|| itself(row));
            let name = Via::new(EdgeKind::Field, field.name);
            sum = sum.wrapping_add(mix(mix(10, u64::from(name.0)), value));
        }
        sum
    }

    /// The digest of a compared row from those of its values and its `fields`. The order of either does not matter. The error
    /// is a value whose digest is not known yet.
    pub(super) fn digest(&self, row: ObjectId, fields: impl Fn() -> u64) -> Result<Digest, ObjectId> {
        let heap = self.heap;
        let label = heap.objects.label[row as usize];
        let mut sum = mix(heap.kind(row) as u64, u64::from(label));
        if let Some(array) = heap.array(row) {
            let is_room = heap.layout.length_is_room(array.implementation);
            let length = if is_room { array.capacity } else { array.used };
            sum = sum.wrapping_add(mix(12, u64::from(length)));
        }
        let mut inside = 0;
        for edge in self.references(row) {
            let to = edge.to as usize;
            let value = match self.heights.get(to) {
                Some(0) => return Err(edge.to),
                Some(&height) => {
                    inside = inside.max(height - 1);
                    self.values[to]
                }
                None => itself(edge.to),
            };
            sum = sum.wrapping_add(mix(u64::from(edge.via.0), value));
        }
        Ok(Digest {
            value: mix(sum.wrapping_add(fields()), 1).max(1),
            height: inside.saturating_add(1),
        })
    }

    /// What an empty table makes the values of absent keys by: tables that differ in that are not equal.
    fn default(&self, row: ObjectId) -> u64 {
        let is_table = self.heap.kind(row) == Kind::Table;
        let references = is_table.then(|| self.references(row)).into_iter().flatten();
        references.fold(0, |sum, edge| {
            sum.wrapping_add(mix(u64::from(edge.via.0), itself(edge.to)))
        })
    }

    /// The digest of what is not compared by what it holds.
    fn uncompared(&self, row: ObjectId) -> u64 {
        let heap = self.heap;
        let label = || u64::from(heap.objects.label[row as usize]);
        let known = match heap.kind(row) {
            Kind::String => {
                let shown = heap.shows_text(row) && heap.coverage.texts != Presence::Absent;
                shown.then(|| mix(2, label()))
            }
            Kind::Number | Kind::Date => scalar(heap, row),
            kind @ (Kind::Record | Kind::Array | Kind::Table) => heap
                .is_empty_container(row)
                .then(|| mix(mix(6, kind as u64), label()).wrapping_add(self.default(row))),
            // Nobody else writes to the digits of a number, or to the bytes of a path.
            Kind::Buffer if heap.is_of_library(row) => heap
                .buffer(row)
                .filter(|buffer| buffer.hash != 0)
                .map(|buffer| mix(mix(11, buffer.bytes), mix(buffer.hash, label()))),
            _ => None,
        };
        known.unwrap_or_else(|| itself(row))
    }
}

/// What is equal to itself alone.
pub(super) fn itself(row: ObjectId) -> u64 {
    mix(5, u64::from(row))
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
