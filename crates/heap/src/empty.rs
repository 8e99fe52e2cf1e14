//! Containers of the program in which nothing is.

use crate::{EdgeKind, Heap, Kind, ObjectId, Record, RecordShape, Representation, UNKNOWN};

/// How many containers stand in one another: a chain of tables has a list of them.
const DEEPEST: u32 = 4;

impl Heap {
    /// Whether a row is an array, a table or a record of the program that is known to be empty: it has no entries and
    /// refers to nothing. A record counts only when its slots explain its bytes: a larger one holds state that the dump
    /// does not show. So does an array or a table whose class has fields beside the entries. A record of a type that declares
    /// its fields never comes to hold anything: where it has none it is there for what it does, or for its identity.
    #[must_use]
    pub fn is_empty_container(&self, id: ObjectId) -> bool {
        let (used, store) = self.used_and_store(id).unwrap_or((UNKNOWN, None));
        used == 0
            && self.in_program(id)
            && self.bytes(id) > 0
            && self.shows_nothing(id, store)
            && self.may_be_filled(id)
    }

    /// Whether a row is a container of the library's with arrays, tables or others like it for its entries: a queue around a list.
    #[must_use]
    pub fn is_container_of_library(&self, id: ObjectId) -> bool {
        let is_record = self.kind(id) == Kind::Record && self.is_for_program(id);
        let contents = || self.types.contents(self.objects.label[id as usize]);
        is_record && contents().is_some_and(|contents| !contents.is_piece)
    }

    /// Whether nothing is in such a container, nor in anything that its entries would stand in.
    #[must_use]
    pub fn is_empty_container_of_library(&self, id: ObjectId) -> bool {
        self.is_container_of_library(id) && self.has_no_entry(id, DEEPEST)
    }

    fn has_no_entry(&self, id: ObjectId, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let edges = || self.edges.of(id);
        let below = |to: ObjectId| self.has_no_entry(to, depth - 1);
        if self.kind(id) == Kind::Record {
            let Some(contents) = self.types.contents(self.objects.label[id as usize]) else {
                return false;
            };
            let has = |field| edges().any(|edge| edge.field() == Some(field) && below(edge.to));
            return contents.fields.iter().all(|&field| has(field));
        }
        match self.used_and_store(id) {
            Some((0, store)) => self.shows_nothing(id, store) && self.may_be_filled(id),
            // A list of tables has no entry where none of these has one.
            Some((_, Some(store))) if store == id && self.kind(id) == Kind::Array => {
                edges().all(|edge| edge.via.kind() == EdgeKind::Element && below(edge.to))
            }
            _ => false,
        }
    }

    /// Whether the dump shows nothing in an array or a table, and does not tell how many entries it has.
    #[must_use]
    pub fn may_be_empty(&self, id: ObjectId) -> bool {
        let (used, store) = self.used_and_store(id).unwrap_or((UNKNOWN, None));
        used == UNKNOWN && self.shows_nothing(id, store)
    }

    /// How many fields, elements or entries a record, an array or a table has, and for the latter two the row in which these
    /// stand; `None` for what is none of them.
    #[must_use]
    pub fn used_and_store(&self, id: ObjectId) -> Option<(u32, Option<ObjectId>)> {
        match self.kind(id) {
            Kind::Array => self.array(id).map(|array| (array.used, Some(array.store))),
            Kind::Table => self.table(id).map(|table| (table.used, Some(table.store))),
            _ => self.record(id).map(|record| (record.used, None)),
        }
    }

    fn shows_nothing(&self, id: ObjectId, store: Option<ObjectId>) -> bool {
        self.refers_to_nothing(id) && store.is_none_or(|store| self.refers_to_nothing(store))
    }

    /// No field but one for the values of absent keys, no slot and no entry; and for a record nothing of the program behind the
    /// runtime's own references either.
    fn refers_to_nothing(&self, id: ObjectId) -> bool {
        let is_record = self.kind(id) == Kind::Record;
        let is_default = |name| self.types.is_default(self.objects.label[id as usize], name);
        self.edges.of(id).all(|edge| match edge.via.kind() {
            EdgeKind::Internal | EdgeKind::Weak => {
                !is_record || self.kind(edge.to) == Kind::Opaque || !self.in_program(edge.to)
            }
            EdgeKind::Field => is_default(edge.via.name()),
            _ => false,
        })
    }

    /// Whether something could come into an object that has nothing, and nothing else is in it.
    fn may_be_filled(&self, id: ObjectId) -> bool {
        if self.kind(id) == Kind::Record {
            !self.types.is_declared(self.objects.label[id as usize]) && self.slots_explain_bytes(id)
        } else {
            !self.has_fields_beside_entries(id)
        }
    }

    /// A record without fields that is larger than its slots has a state of the runtime's: a promise, an iterator.
    fn slots_explain_bytes(&self, id: ObjectId) -> bool {
        self.record(id).is_none_or(|record| self.slots_explain(record))
    }

    /// Whether a record takes no more than the room for its fields does. One that takes more keeps a state of the runtime's.
    #[must_use]
    pub fn slots_explain(&self, record: &Record) -> bool {
        let explained = || {
            let declared = self.types.declared(self.objects.label[record.object as usize]);
            let fixed = (declared.len() as u64).min(u64::from(record.available));
            let open = u64::from(record.available) - fixed;
            let fixed = [Representation::Any.times(fixed)];
            let fixed = RecordShape::own(&fixed);
            let room = self.layout.record_as(record.implementation, &fixed, open);
            self.bytes(record.object) <= room
        };
        record.dictionary > 0 || (record.available != UNKNOWN && explained())
    }
}

#[cfg(test)]
mod tests {
    use crate::HeapBuilder;

    #[test]
    fn a_record_without_fields_is_empty_whatever_its_form_takes() {
        let mut heap = HeapBuilder::new();
        let fixed = heap.record("Fixed", &[]);
        let open = heap.open_record("Open", &[]);
        let state = heap.open_record("State", &[]);
        heap.resize(state, 64);
        for record in [fixed, open, state] {
            heap.variable("records", record);
        }
        let heap = heap.build();
        let empty = [fixed, open, state].map(|record| heap.is_empty_container(record));
        assert_eq!(empty, [true, true, false]);
    }
}
