//! Arrays and tables, and how much room they have that they do not need.

use deadweight_heap::{Flags, Heap, Kind, NONE, ObjectId, Representation, UNKNOWN};

use super::group::{Group, Room};

#[derive(Clone, Copy)]
pub(super) enum Sort {
    Array = 0,
    Table = 1,
}

/// An array or table with at least one entry.
pub(super) enum Container {
    Known(Sort, Room),
    /// How much is in it is not in the dump: its bytes.
    Unknown(u64),
}

/// The container at a place among arrays and tables, when it is one of the program with a store in the runtime's heap, and
/// there is something to say about it. Empty ones are another rule's.
pub(super) fn container(heap: &Heap, at: usize) -> Option<Container> {
    let (object, store, used, capacity, kind, implementation) = if let Some(array) = heap.arrays.get(at) {
        (
            array.object,
            array.store,
            array.used,
            array.capacity,
            None,
            array.implementation,
        )
    } else {
        let table = heap.tables.get(at - heap.arrays.len())?;
        (
            table.object,
            table.store,
            table.used,
            table.capacity,
            Some(table.kind()),
            table.implementation,
        )
    };
    let is_inside = |row| !heap.objects.has(row, Flags::EXTERNAL);
    if used == 0 || !heap.in_program(object) || store == NONE || !is_inside(object) || !is_inside(store) {
        return None;
    }
    // A table may have nodes beside its store, whose price its implementation's has, too.
    let now = match heap.arrays.get(at) {
        Some(array) => heap.bytes_with_store(array),
        None => heap.bytes_with_entries(object, store),
    };
    if used == UNKNOWN || capacity == UNKNOWN {
        return Some(Container::Unknown(now));
    }
    let entries = u64::from(used);
    let (sort, after) = match kind {
        None => {
            let elements = Representation::Any;
            (Sort::Array, heap.layout.array(implementation, elements, entries))
        }
        Some(kind) => (Sort::Table, heap.layout.table(implementation, kind, entries)?),
    };
    let slack = if capacity > used {
        // What its class adds is in the object that stays.
        now.saturating_sub(after + heap.added_bytes(object))
    } else {
        0
    };
    let slack = slack.min(heap.bytes(store));
    Some(Container::Known(
        sort,
        Room {
            object,
            store,
            used,
            capacity,
            now,
            slack,
        },
    ))
}

/// Whether it is an array that begins with a number in a box.
fn is_of_numbers(heap: &Heap, object: ObjectId) -> bool {
    let first = heap.array(object).and_then(|array| heap.elements(array).next());
    first.is_some_and(|element| heap.kind(element) == Kind::Number)
}

/// The containers at these places, arrays and tables.
pub(super) fn groups(heap: &Heap, places: &[u32]) -> [Group; 2] {
    let mut groups = <[Group; 2]>::default();
    for &at in places {
        if let Some(Container::Known(sort, room)) = container(heap, at as usize) {
            if room.slack > 0 && is_of_numbers(heap, room.object) {
                groups[sort as usize].of_numbers.push(room.store);
            }
            groups[sort as usize].add(room);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{CHAINED, HeapBuilder, UNKNOWN};

    use super::super::Capacity;
    use super::super::tests::{keep, look};
    use crate::{Candidate, Rule};

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
        assert_eq!((found[0].count, found[0].unaffected), (16, 4));
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

    /// Tables of a node an entry keep their nodes, and lists with a count their count.
    #[test]
    fn each_implementation_shrinks_to_its_own_price() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for _ in 0..16 {
            let map = heap.map(64, &[(x, x)]);
            heap.change_table(map, |table| table.implementation = CHAINED);
            keep(&mut heap, "map", map);
            let list = heap.array(64, &[x]);
            heap.change_array(list, |array| array.implementation = CHAINED);
            keep(&mut heap, "list", list);
        }
        let mut saved: Vec<i64> = look(heap).iter().map(Candidate::net).collect();
        saved.sort_unstable();
        let list = 32 + 16 + 8 * 64 - (48 + 16 + 8);
        let map = 32 + 56 + 24 * 64 - (48 + 8 * 4 + 32);
        assert_eq!(saved, [16 * list, 16 * map]);
    }

    /// A list of a class that adds two fields keeps them.
    #[test]
    fn what_a_class_adds_to_its_list_stays() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for _ in 0..16 {
            let list = heap.array(17, &[x]);
            heap.resize(list, 32 + 16);
            keep(&mut heap, "list", list);
            let map = heap.map(64, &[(x, x)]);
            heap.resize(map, 32 + 24);
            keep(&mut heap, "map", map);
        }
        let mut saved: Vec<i64> = look(heap).iter().map(Candidate::net).collect();
        saved.sort_unstable();
        assert_eq!(saved, [16 * 16 * 8, 16 * 24 * 60]);
    }

    /// An array of the numbers themselves is made without room: no byte of it goes twice.
    #[test]
    fn the_room_of_boxed_numbers_goes_with_their_boxes() {
        let mut heap = HeapBuilder::new();
        for i in 0..2000 {
            let numbers: Vec<_> = (0..3)
                .map(|at| heap.number(f64::from(3 * i + at) + 0.5))
                .collect();
            let list = heap.array(10, &numbers);
            keep(&mut heap, "list", list);
        }
        let heap = heap.build();
        let room = 2000 * 7 * 8;
        assert_eq!(Capacity.look(&heap).candidates[0].net(), room);
        let source = deadweight_weighing::Source {
            path: String::new(),
            bytes: 0,
            format: String::new(),
        };
        let weighing = crate::weigh(&heap, source, &crate::Options::default());
        let saved = |rule: &str| {
            let findings = weighing.findings.iter().filter(|finding| finding.rule == rule);
            findings.map(|finding| finding.saves).sum::<u64>()
        };
        assert_eq!(saved("C03"), 0);
        assert_eq!(saved("L03"), room.cast_unsigned() + 2000 * 3 * 16);
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
