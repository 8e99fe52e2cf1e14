//! What makes the value of a record, an array or a table, and whether the dump shows all of it.

use deadweight_heap::{Edge, EdgeKind, Field, Heap, Kind, NONE, Numeric, ObjectId, Presence, UNKNOWN, Value};

/// What stands in a declared field beside what its reference leads to.
pub(super) enum Scalar {
    Number(Numeric),
    /// Which sort of value it is, and the value.
    Other(u64, u64),
}

/// Whether the dump has all that a record, an array or a table of the program holds. Nothing else is compared by what it
/// refers to: raw blocks hold numbers between their references.
pub(super) fn are_shown(heap: &Heap, row: ObjectId) -> bool {
    if !heap.in_program(row) || heap.coverage.edges == Presence::Absent {
        return false;
    }
    let own = heap.named(row);
    if !heap.shows_fields(row, own.fields) {
        return false;
    }
    match heap.kind(row) {
        Kind::Record => heap.record(row).is_some_and(|record| {
            let is_shown = || {
                record.used != UNKNOWN
                    && record.used != 0
                    && own.fields >= record.used
                    // What it keeps for the runtime would be part of the value.
                    && heap.slots_explain(record)
            };
            heap.fields_of_value(row).next().is_some() || is_shown()
        }),
        Kind::Array => heap.array(row).is_some_and(|array| {
            let beside = heap.named(apart(row, array.store));
            array.used != UNKNOWN && array.used != 0 && own.elements + beside.elements == array.used
        }),
        Kind::Table => heap.table(row).is_some_and(|table| {
            let beside = heap.named(apart(row, table.store));
            let (keys, values) = (own.keys + beside.keys, own.values + beside.values);
            // Some runtimes keep the elements of a set as keys, some as values.
            let all = if table.set {
                keys + values == table.used
            } else {
                keys == table.used && values == table.used
            };
            table.used != UNKNOWN && table.used != 0 && all && own.elements + beside.elements == 0
        }),
        _ => false,
    }
}

/// The references that make the value. Behind these stand the description of the type and what all of its objects share,
/// and pieces of the object.
pub(super) fn references(heap: &Heap, row: ObjectId) -> impl Iterator<Item = Edge> + '_ {
    let own = heap
        .edges
        .of(row)
        .filter(|edge| edge.via.kind() != EdgeKind::Internal);
    let of_store = heap.edges.of(apart(row, store(heap, row))).filter(|edge| {
        let kind = edge.via.kind();
        matches!(kind, EdgeKind::Element | EdgeKind::Key | EdgeKind::Value)
    });
    own.chain(of_store)
}

/// `None` where the dump does not have it.
pub(super) fn scalar(heap: &Heap, row: ObjectId, field: &Field) -> Option<Scalar> {
    Some(match heap.field_value(row, field)? {
        Value::Number(number) => Scalar::Number(Some(number).filter(|number| number.is_known())?),
        Value::Boolean(value) => Scalar::Other(0, u64::from(value)),
        Value::Nothing => Scalar::Other(1, 0),
        Value::Reference(_, within) => Scalar::Other(2, within),
    })
}

fn store(heap: &Heap, row: ObjectId) -> ObjectId {
    let of_array = heap.array(row).map(|array| array.store);
    of_array
        .or_else(|| heap.table(row).map(|table| table.store))
        .unwrap_or(NONE)
}

fn apart(row: ObjectId, store: ObjectId) -> ObjectId {
    if store == row { NONE } else { store }
}
