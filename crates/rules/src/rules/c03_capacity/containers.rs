//! Arrays and tables, and how much room they have that they do not need.

use deadweight_heap::{Flags, Heap, NONE, ObjectId, TableKind, UNKNOWN};

use super::group::Group;

#[derive(Clone, Copy)]
enum Sort {
    Array = 0,
    Table = 1,
}

/// An array or table.
pub(super) struct Room {
    pub(super) object: ObjectId,
    pub(super) store: ObjectId,
    pub(super) used: u32,
    pub(super) capacity: u32,
    sort: Sort,
    set: bool,
}

pub(super) enum Slack {
    Unknown,
    /// Nothing in it (another rule's), or nothing to say about it.
    Empty,
    Known(u64),
}

/// The room at a place among arrays and tables, when it is one of the program with a store in the runtime's heap.
pub(super) fn room(heap: &Heap, at: usize) -> Option<Room> {
    let room = if let Some(array) = heap.arrays.get(at) {
        Room {
            object: array.object,
            store: array.store,
            used: array.used,
            capacity: array.capacity,
            sort: Sort::Array,
            set: false,
        }
    } else {
        let table = heap.tables.get(at - heap.arrays.len())?;
        Room {
            object: table.object,
            store: table.store,
            used: table.used,
            capacity: table.capacity,
            sort: Sort::Table,
            set: table.set,
        }
    };
    let is_inside = |row| !heap.objects.has(row, Flags::EXTERNAL);
    let is_room = heap.in_program(room.object) && room.store != NONE;
    (is_room && is_inside(room.object) && is_inside(room.store)).then_some(room)
}

/// What the rooms at these places have, arrays and tables.
pub(super) fn groups(heap: &Heap, rooms: &[u32]) -> [Group; 2] {
    let mut groups = <[Group; 2]>::default();
    for room in rooms.iter().filter_map(|&at| room(heap, at as usize)) {
        if let Slack::Known(slack) = room.slack(heap) {
            groups[room.sort as usize].add(heap, &room, slack);
        }
    }
    groups
}

impl Room {
    pub(super) fn now(&self, heap: &Heap) -> u64 {
        let store = if self.store == self.object {
            0
        } else {
            heap.bytes(self.store)
        };
        heap.bytes(self.object) + store
    }

    /// What goes when it is made for exactly its entries.
    pub(super) fn slack(&self, heap: &Heap) -> Slack {
        if self.used == 0 {
            return Slack::Empty;
        }
        if self.used == UNKNOWN || self.capacity == UNKNOWN {
            return Slack::Unknown;
        }
        let entries = u64::from(self.used);
        let after = match (self.sort, self.set) {
            (Sort::Array, _) => Some(heap.layout.array(entries)),
            (Sort::Table, false) => heap.layout.table(TableKind::Map, entries),
            (Sort::Table, true) => heap.layout.table(TableKind::Set, entries),
        };
        let Some(after) = after else { return Slack::Empty };
        let slack = if self.capacity > self.used {
            self.now(heap).saturating_sub(after)
        } else {
            0
        };
        Slack::Known(slack.min(heap.bytes(self.store)))
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::Capacity;
    use super::super::tests::{keep, look};
    use super::*;
    use crate::Rule;

    #[test]
    fn the_room_of_many_lists_is_claimed_on_their_stores() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for i in 0..20 {
            let list = heap.array(if i < 16 { 17 } else { 1 }, &[x]);
            keep(&mut heap, "list", list);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Node.list");
        assert_eq!((found[0].count, found[0].good), (16, 4));
        assert_eq!(found[0].net(), 16 * 16 * 8);
        assert!(found[0].assumes.is_some());
    }

    #[test]
    fn little_slack_few_lists_and_one_that_grows_are_healthy() {
        let mut heap = HeapBuilder::new();
        let elements: Vec<_> = (0..50).map(|_| heap.string("x")).collect();
        for _ in 0..50 {
            let list = heap.array(52, &elements);
            keep(&mut heap, "list", list);
        }
        for _ in 0..15 {
            let list = heap.array(17, &elements[..1]);
            keep(&mut heap, "few", list);
        }
        let many = vec![elements[0]; 20_000];
        let growing = heap.array(39_000, &many);
        keep(&mut heap, "growing", growing);
        assert!(look(heap).is_empty());
    }

    #[test]
    fn one_large_list_counts_when_most_of_it_is_free() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        let list = heap.array(10_000, &[x]);
        keep(&mut heap, "list", list);
        assert_eq!(look(heap)[0].net(), 9_999 * 8);
    }

    #[test]
    fn tables_shrink_to_what_their_entries_need() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for _ in 0..16 {
            let map = heap.map(64, &[(x, x)]);
            keep(&mut heap, "map", map);
        }
        assert_eq!(look(heap)[0].net(), 16 * (32 + 56 + 24 * 64 - (88 + 24 * 4)));
    }

    #[test]
    fn unknown_room_is_said_to_be_unknown() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        let list = heap.array(100, &[x]);
        heap.change_array(list, |array| array.used = UNKNOWN);
        keep(&mut heap, "list", list);
        let verdict = Capacity.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }
}
