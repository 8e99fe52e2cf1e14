//! Strings with room for more characters than they have.

use deadweight_heap::{Heap, HolderId, Holders, Kind, ObjectId, StringForm, StringRoom};
use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{Group, Name, Room, SEVERAL, candidate};
use crate::Candidate;

const STRINGS: Name = ("string", "strings");

/// What strings of each holder would save without their room.
pub(super) fn strings(heap: &Heap) -> Vec<Candidate> {
    let rooms = &heap.string_rooms;
    let holders = Holders::new(heap);
    let mut places = holders.group_all(rooms.len(), |at| Some((room(heap, &rooms[at])?.object, at)));
    let rooms = |found: &[usize]| -> Vec<Room> {
        let rooms = found.iter().filter_map(|&at| room(heap, &rooms[at]));
        rooms.collect()
    };
    places.retain(|(_, found)| found.len() as u64 >= SEVERAL || rooms(found).iter().any(Room::is_large));
    if places.is_empty() {
        return Vec::new();
    }
    let wanted: FxHashSet<HolderId> = places.iter().map(|&(holder, _)| holder).collect();
    let mut others = others(heap, &holders, &wanted);
    let found = places.into_iter().filter_map(|(holder, found)| {
        let mut group = others.remove(&holder).unwrap_or_default();
        for room in rooms(&found) {
            group.add(room);
        }
        let mut candidate = candidate([(STRINGS, group.settle())])?;
        candidate.holder = holders.name(holder);
        candidate.variant = "string";
        candidate.fix = "allocate them at their final size, or trim them when they are complete".into();
        Some(candidate)
    });
    found.collect()
}

/// The room of a string that goes when it has room for its characters alone; `None` when there is none. One that uses half
/// of its room grew by doubling, and
/// runtimes leave it as it is when it is frozen.
fn room(heap: &Heap, room: &StringRoom) -> Option<Room> {
    if !heap.in_program(room.object) || u64::from(room.used) * 2 >= u64::from(room.capacity) {
        return None;
    }
    let after = heap
        .layout
        .cut_string(u64::from(room.object_bytes), u64::from(room.used), room.width);
    let now = heap.bytes(room.object);
    (now > after).then(|| Room {
        object: room.object,
        store: room.object,
        used: room.used,
        capacity: room.capacity,
        now,
        slack: now - after,
    })
}

/// The strings without such room at these holders.
fn others(heap: &Heap, holders: &Holders<'_>, wanted: &FxHashSet<HolderId>) -> FxHashMap<HolderId, Group> {
    let has_room = |id| {
        let found = heap.string_rooms.binary_search_by_key(&id, |room| room.object);
        found.is_ok_and(|at| room(heap, &heap.string_rooms[at]).is_some())
    };
    let strings = holders.group(|id| {
        heap.kind(id) == Kind::String
            && heap.string_form(id) == Some(StringForm::Flat)
            && heap.in_program(id)
            && !has_room(id)
    });
    let wanted = strings.into_iter().filter(|(holder, _)| wanted.contains(holder));
    let group = |strings: Vec<ObjectId>| Group {
        bytes: strings.iter().map(|&id| heap.bytes(id)).sum(),
        unaffected: strings.len() as u64,
        ..Group::default()
    };
    wanted.map(|(holder, strings)| (holder, group(strings))).collect()
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        strings(&heap.build())
    }

    #[test]
    fn the_room_of_many_strings_is_claimed() {
        let mut heap = HeapBuilder::new();
        let mut lines = Vec::new();
        for i in 0..30 {
            lines.push(if i < 20 {
                heap.roomy_string("twelve chars", 256)
            } else {
                heap.string("twelve chars")
            });
        }
        let list = heap.array(30, &lines);
        heap.variable("lines", list);
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "lines[]");
        assert_eq!((found[0].count, found[0].unaffected), (20, 10));
        assert_eq!(found[0].net(), 20 * (272 - 32));
        assert_eq!(found[0].title, "20 strings have unused room");
    }

    #[test]
    fn a_little_room_beside_many_strings_without_is_no_habit() {
        let mut heap = HeapBuilder::new();
        let mut lines: Vec<_> = (0..16).map(|_| heap.roomy_string("twelve chars", 25)).collect();
        lines.extend((0..200).map(|_| heap.string("twelve chars")));
        let list = heap.array(216, &lines);
        heap.variable("lines", list);
        assert!(look(heap).is_empty());
    }

    #[test]
    fn what_grew_by_doubling_is_healthy() {
        let mut heap = HeapBuilder::new();
        let lines: Vec<_> = (0..20).map(|_| heap.roomy_string("twelve chars", 24)).collect();
        let list = heap.array(20, &lines);
        heap.variable("lines", list);
        assert!(look(heap).is_empty());
    }

    #[test]
    fn a_single_text_counts_when_most_of_its_room_is_empty() {
        for (text, found) in [(10_usize, 1), (120_000, 0)] {
            let mut heap = HeapBuilder::new();
            let text = heap.roomy_string(&"x".repeat(text), 200_000);
            heap.variable("page", text);
            assert_eq!(look(heap).len(), found);
        }
    }
}
