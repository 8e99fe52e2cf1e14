//! Arrays and tables of classes that extend the runtime's, with fields of their own.

use crate::{Array, Field, Flags, Heap, Kind, NONE, ObjectId, Representation, Table, TableKind, Value};

impl Table {
    /// Whether it has values beside its keys.
    #[must_use]
    pub const fn kind(&self) -> TableKind {
        if self.set { TableKind::Set } else { TableKind::Map }
    }
}

impl Heap {
    /// Bytes of an array's or a table's object that are not its implementation's: fields that its class adds, which stay
    /// whatever becomes of its store. 0 where the layout does not tell.
    #[must_use]
    pub fn added_bytes(&self, container: ObjectId) -> u64 {
        let of_array = |array: &Array| (array.store, array.implementation, None);
        let of_table = |table: &Table| (table.store, table.implementation, Some(table.kind()));
        let found = self.array(container).map(of_array);
        let found = found.or_else(|| self.table(container).map(of_table));
        let Some((store, of, table)) = found.filter(|(store, ..)| *store != container) else {
            return 0;
        };
        let Some(bare) = self.layout.without_store(of, table) else {
            return 0;
        };
        let within = self.between(container, store).map_or(0, |row| self.bytes(row));
        (self.bytes(container) + within).saturating_sub(bare)
    }

    /// Bytes of an array with its store.
    #[must_use]
    pub fn bytes_with_store(&self, array: &Array) -> u64 {
        let apart = (array.store != array.object).then_some(array.store);
        self.bytes(array.object) + apart.map_or(0, |store| self.bytes(store))
    }

    /// Bytes of a table with its store and what that has. What a table keeps beside its store, such as a view on it, is left
    /// out.
    #[must_use]
    pub fn bytes_with_entries(&self, table: ObjectId, store: ObjectId) -> u64 {
        let around = self.between(table, store).into_iter();
        let around = around.chain((store != table).then_some(table));
        self.whole_bytes(store) + around.map(|row| self.bytes(row)).sum::<u64>()
    }

    /// The row that has the store of a container, where that is within it: a set may have a map.
    #[must_use]
    pub fn between(&self, container: ObjectId, store: ObjectId) -> Option<ObjectId> {
        let is_piece = store != NONE && self.objects.has(store, Flags::PART);
        let owner = is_piece.then(|| self.objects.fact[store as usize]);
        owner.filter(|&owner| owner != container && store != container)
    }

    /// The fields that the program's classes add to an array or a table, where types declare fields.
    pub fn fields_beside_entries(&self, container: ObjectId) -> impl Iterator<Item = &Field> {
        let ty = self.objects.label[container as usize];
        let declared = self.types.declared(ty).iter();
        declared.filter(|field| {
            let of_library = self.types.of_library(field.declared_by);
            of_library.is_none_or(|of| !of.whole)
        })
    }

    /// The declared fields that belong to a row's value beside what it refers to: those of a record's type, and those that
    /// classes of the program add to an array or a table.
    pub fn fields_of_value(&self, row: ObjectId) -> impl Iterator<Item = &Field> {
        let ty = self.objects.label[row as usize];
        let kind = self.kind(row);
        let of_record = (kind == Kind::Record).then(|| self.types.declared(ty));
        let beside = matches!(kind, Kind::Array | Kind::Table).then(|| self.fields_beside_entries(row));
        of_record
            .into_iter()
            .flatten()
            .chain(beside.into_iter().flatten())
    }

    /// Whether the dump has the value of each such field. Where the type of an array or a table declares none, the object has
    /// no room for more fields than the `named` ones that its references show.
    #[must_use]
    pub fn shows_fields(&self, row: ObjectId, named: u32) -> bool {
        let mut fields = self.fields_of_value(row).peekable();
        if fields.peek().is_none() {
            let shown = self.layout.elements(Representation::Any, u64::from(named));
            return self.added_bytes(row) <= shown;
        }
        let values = self.field_values(row);
        fields.all(|field| match values.get(field) {
            Some(Value::Number(number)) => number.is_known(),
            value => value.is_some(),
        })
    }

    /// Whether an array or a table has fields in which a state may stand that is none of its entries.
    #[must_use]
    pub fn has_fields_beside_entries(&self, container: ObjectId) -> bool {
        self.added_bytes(container) > 0 || self.fields_beside_entries(container).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::HeapBuilder;

    #[test]
    fn what_a_class_adds_to_an_array_or_a_table_is_told_apart() {
        let mut heap = HeapBuilder::new();
        let [plain, extended] = [0, 8].map(|more| {
            let list = heap.array(4, &[]);
            heap.resize(list, 32 + more);
            let map = heap.map(4, &[]);
            heap.resize(map, 32 + more);
            [list, map]
        });
        let heap = heap.build();
        assert_eq!(plain.map(|id| heap.added_bytes(id)), [0, 0]);
        assert_eq!(extended.map(|id| heap.added_bytes(id)), [8, 8]);
        assert!(extended.iter().all(|&id| heap.has_fields_beside_entries(id)));
        assert!(!plain.iter().any(|&id| heap.has_fields_beside_entries(id)));
    }
}
