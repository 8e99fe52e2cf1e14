//! Containers of one kind at one holder: whether they are a habit, a single large one, or healthy.

use deadweight_heap::{Flags, Heap, ObjectId, Representation};
use serde_json::json;

use crate::Candidate;
use crate::count::Count;

/// From so many with slack at one holder it is a habit.
pub(super) const SEVERAL: u64 = 16;

/// The slack of a habit is one in so many bytes.
const SHARE: u64 = 10;

/// From here a single container counts, when it uses less than half of its room.
const ONE_LARGE: u64 = 64 << 10;

/// One and many.
pub(super) type Name = (&'static str, &'static str);

pub(super) const ARRAYS: Name = ("array", "arrays");
pub(super) const TABLES: Name = ("table", "tables");
pub(super) const RECORDS: Name = ("record", "records");

/// Containers of one kind at one holder.
#[derive(Default)]
pub(super) struct Group {
    pub(super) bytes: u64,
    pub(super) slack: u64,
    pub(super) count: u64,
    pub(super) unaffected: u64,
    pub(super) claims: Vec<(ObjectId, u64)>,
    /// What records grow by when fields move into them.
    pub(super) moved_in: Vec<(ObjectId, u64)>,
    /// Slack of single large ones that use less than half of their room.
    pub(super) large: Vec<(ObjectId, u64)>,
    /// Bytes of those in `claims`, now.
    pub(super) now: u64,
    pub(super) largest: Vec<Room>,
    /// Of arrays of numbers in boxes, what has the room: an array of the numbers themselves is made without any.
    pub(super) of_numbers: Vec<ObjectId>,
}

/// Something with room for more than it holds.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) object: ObjectId,
    /// The row that has the room.
    pub(super) store: ObjectId,
    pub(super) used: u32,
    pub(super) capacity: u32,
    /// Bytes of it, now.
    pub(super) now: u64,
    /// What goes when it is made for exactly what it holds.
    pub(super) slack: u64,
}

impl Room {
    /// Whether it counts by itself.
    pub(super) fn is_large(&self) -> bool {
        self.slack >= ONE_LARGE && u64::from(self.used) * 2 < u64::from(self.capacity)
    }
}

impl Group {
    pub(super) fn add(&mut self, room: Room) {
        self.bytes += room.now;
        if room.slack == 0 {
            self.unaffected += 1;
            return;
        }
        self.claims.push((room.store, room.slack));
        if room.is_large() {
            self.large.push((room.store, room.slack));
        }
        self.note(room);
    }

    pub(super) fn add_record(&mut self, heap: &Heap, id: ObjectId, used: u32, free: u32) {
        let row = heap.bytes(id);
        let needed = heap.layout.record_of(Representation::Any, u64::from(used));
        let store = store_beside(heap, id, used + free);
        let beside = store.map_or(0, |store| heap.bytes(store));
        // Some records have words of the runtime's beside their slots.
        let slots = heap.layout.elements(Representation::Any, u64::from(free));
        let in_row = row.saturating_sub(needed).min(slots);
        let moved_in = if store.is_some() {
            needed.saturating_sub(row)
        } else {
            0
        };
        let slack = (in_row + beside).saturating_sub(moved_in);
        if slack == 0 {
            self.unaffected += 1;
            return;
        }
        // What stands in the store moves into the record.
        self.claims.extend(store.map(|store| (store, beside)));
        if in_row > 0 {
            self.claims.push((id, in_row));
        }
        if moved_in > 0 {
            self.moved_in.push((id, moved_in));
        }
        self.note(Room {
            object: id,
            store: id,
            used,
            capacity: used + free,
            now: row + beside,
            slack,
        });
    }

    /// Counts it, and keeps the three with the most slack.
    fn note(&mut self, room: Room) {
        self.count += 1;
        self.slack += room.slack;
        self.now += room.now;
        let key = |room: &Room| (std::cmp::Reverse(room.slack), room.object);
        let at = self.largest.partition_point(|known| key(known) < key(&room));
        if at < 3 {
            self.largest.insert(at, room);
            self.largest.truncate(3);
        }
    }

    /// Leaves what is a habit, or else the single large ones.
    pub(super) fn settle(mut self) -> Self {
        let habit = self.count >= SEVERAL && self.slack >= self.bytes / SHARE;
        if habit {
            return self;
        }
        let count = self.large.len() as u64;
        self.unaffected += self.count - count;
        self.count = count;
        self.slack = self.large.iter().map(|(_, bytes)| bytes).sum();
        self.largest.retain(Room::is_large);
        self.now = self.slack;
        self.claims = std::mem::take(&mut self.large);
        self
    }
}

/// Words that a store beside a record has in front of its slots, at most.
const HEADER: u64 = 2;

/// The part of a record with exactly those of so many slots that are not in the record itself.
fn store_beside(heap: &Heap, id: ObjectId, slots: u32) -> Option<ObjectId> {
    let slot = heap.layout.elements(Representation::Any, 1).max(1);
    let row = heap
        .bytes(id)
        .saturating_sub(heap.layout.record_of(Representation::Any, 0));
    let beside = u64::from(slots)
        .checked_sub(row / slot)
        .filter(|beside| *beside > 0)?;
    let most = slot * (beside + HEADER);
    let parts = heap.parts_of(id).into_iter();
    let mut parts = parts.filter(|&part| {
        (slot * beside..=most).contains(&heap.bytes(part)) && !heap.objects.has(part, Flags::EXTERNAL)
    });
    parts.next().filter(|_| parts.next().is_none())
}

pub(super) fn candidate<const N: usize>(groups: [(Name, Group); N]) -> Option<Candidate> {
    let mut candidate = Candidate::at("").assuming("they no longer grow");
    let mut titles = Vec::new();
    let mut examples = Vec::new();
    for ((one, name), group) in groups {
        if group.count == 0 {
            continue;
        }
        candidate.count += group.count;
        candidate.unaffected += group.unaffected;
        candidate.bytes_now += group.now;
        titles.push(Count(group.count).of(one, name));
        candidate.show(&format!("{name}_slack_bytes"), group.slack);
        for (row, slack) in group.claims {
            candidate.claim(row, slack);
        }
        candidate
            .reshaped
            .extend(group.of_numbers.into_iter().map(|row| (row, 0)));
        for (row, bytes) in group.moved_in {
            candidate.add_to(row, bytes);
        }
        examples.extend(group.largest.iter().map(|example| {
            json!({"kind": name, "used": example.used, "room": example.capacity, "bytes": example.now,
                "slack_bytes": example.slack})
        }));
    }
    if candidate.count == 0 {
        return None;
    }
    let verb = if candidate.count == 1 { "has" } else { "have" };
    candidate.title = format!("{} {verb} unused room", titles.join(", "));
    candidate.show("examples", examples);
    Some(candidate)
}
