//! Strings with room for more characters than they have.

use deadweight_heap::{Heap, HolderId, Holders, Kind, ObjectId, StringForm, StringRoom};
use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{Example, Group, Name, ONE_LARGE, SEVERAL, candidate};
use crate::Candidate;

const STRINGS: Name = ("string", "strings");

/// What strings of each holder would save without their room.
pub(super) fn strings(heap: &Heap) -> Vec<Candidate> {
    let rooms = &heap.string_rooms;
    let mut holders = Holders::new(heap);
    let mut places = holders.group_all(rooms.len(), |at| {
        let room = &rooms[at];
        (heap.in_program(room.object) && slack(heap, room) > 0).then_some((room.object, at))
    });
    places.retain(|(_, found)| {
        found.len() as u64 >= SEVERAL
            || found
                .iter()
                .any(|&at| is_large(&rooms[at], slack(heap, &rooms[at])))
    });
    if places.is_empty() {
        return Vec::new();
    }
    let wanted: FxHashSet<HolderId> = places.iter().map(|&(holder, _)| holder).collect();
    let mut others = others(heap, &mut holders, &wanted);
    let found = places.into_iter().filter_map(|(holder, found)| {
        let mut group = others.remove(&holder).unwrap_or_default();
        for at in found {
            add(&mut group, heap, &rooms[at]);
        }
        let mut candidate = candidate([(STRINGS, group.settle())])?;
        candidate.holder = holders.name(holder);
        candidate.variant = "string";
        candidate.fix = "make them as large as they will be, or cut them when complete".into();
        Some(candidate)
    });
    found.collect()
}

/// What goes when a string has room for its characters alone. One that uses half of its room grew by doubling, and
/// runtimes leave it as it is when it is frozen.
fn slack(heap: &Heap, room: &StringRoom) -> u64 {
    if !uses_less_than_half(room) {
        return 0;
    }
    let after = heap
        .layout
        .cut_string(u64::from(room.object_bytes), u64::from(room.used), room.width);
    heap.bytes(room.object).saturating_sub(after)
}

fn is_large(room: &StringRoom, slack: u64) -> bool {
    slack >= ONE_LARGE && uses_less_than_half(room)
}

fn uses_less_than_half(room: &StringRoom) -> bool {
    u64::from(room.used) * 2 < u64::from(room.capacity)
}

/// The strings without such room at these holders.
fn others(
    heap: &Heap,
    holders: &mut Holders<'_>,
    wanted: &FxHashSet<HolderId>,
) -> FxHashMap<HolderId, Group> {
    let has_room = |id| {
        let found = heap.string_rooms.binary_search_by_key(&id, |room| room.object);
        found.is_ok_and(|at| slack(heap, &heap.string_rooms[at]) > 0)
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
        good: strings.len() as u64,
        ..Group::default()
    };
    wanted.map(|(holder, strings)| (holder, group(strings))).collect()
}

fn add(group: &mut Group, heap: &Heap, room: &StringRoom) {
    let (now, slack) = (heap.bytes(room.object), slack(heap, room));
    let claim = (room.object, slack);
    group.bytes += now;
    group.note(slack, now, claim);
    if is_large(room, slack) {
        group.large.push(claim);
    }
    group.example(Example {
        slack,
        object: room.object,
        used: room.used,
        capacity: room.capacity,
        now,
    });
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
        assert_eq!((found[0].count, found[0].good), (20, 10));
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
