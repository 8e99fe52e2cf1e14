//! # C03 · capacity never used
//!
//! ## What it is
//! Arrays, tables, strings and records with room for more than they hold.
//!
//! ## Why it costs
//! A container that grows takes room ahead, so that not every addition moves it. When it stops growing, the room stays:
//! a list that got one element may have room for seventeen.
//!
//! ## How it is found
//! Arrays and tables with at least one entry and known room, where the layout of exactly their entries is smaller. At
//! one holder either 16 or more of them must have slack that is 10 % of the bytes of all of their kind there, or one
//! must have 64 KiB of slack and use less than half of its room: growth by doubling never leaves more than half, so a
//! single list that is being filled stays silent. Strings count alike when each uses less than half of its room.
//! Records count when 100 or more of one shape have free slots; they are a finding of their type, as the class decides
//! how much room a record has, not the place that holds it.
//!
//! Raw blocks of 256 bytes or more count when what stands in them fills their front and ends before half of what was
//! asked for: nothing but zeros follows. At one place of allocation (or of one type) 16 or more must be so, and three in
//! four of all there, as growth by doubling never leaves more than half; or all use less than a quarter and 64 KiB are
//! free. Blocks whose memory had another use before may hide unused room behind what was left there, so that half of the
//! place is enough: recording with zeros in fresh memory (`DEADWEIGHT_ZERO_FILL=1`) shows all of it.
//!
//! Raw blocks of 256 bytes or more count, too, as tables of references of which less than one slot in eight is in use:
//! growth by doubling leaves a quarter at least. Slots are as many words as stand between references, eight at most; three
//! in four of those in use must have a reference. They must stand all over the table, at other places in each table and
//! not at one distance from each other, and no references may lead into it: fields of objects and pools of them do not.
//! At one place 16 or more must be so, and three in four of all with references there; or one has 64 KiB more than it needs.
//!
//! ## How the saving is computed
//! The bytes of a container less those of one made for its entries; of a string, those of the same one cut. For a
//! record, its free slots. For a raw block, what the allocator charges now less what it would for the bytes up to the
//! last that is not zero, and of texts one more, rounded up to a word.
//!
//! For a table of references, what the allocator charges now less what it would for twice the slots in use, rounded up to
//! a power of two where the table is one. That is room for a table of open addressing that is half full at most, or for a
//! sorted list of each index with its reference; measured, these came as predicted. A table of chains needs one slot for
//! each entry and saves more than that: of maps of libstdc++ cut by `rehash(0)`, 2 % more where a slot in forty was in use,
//! 10 % more where it was a slot in nine and a half. Pages of a table that
//! nobody touched are held, but not resident (`untouched_bytes`): the resident memory of the process falls by less.
//!
//! ## How to fix it
//! Make the container as large as it will be, or cut it when it is complete.
//!
//! - JavaScript: an array literal, `Array.from` or `slice()` once it is complete; records with all fields in the literal
//!   or constructor, and a class of its own for each set of fields: the room of a class is that of its largest.
//! - Ruby: build with `map`; make `[*list]` of a complete array, as `dup` shares the store with its room; `freeze` a
//!   complete string, or keep `-text` of it.
//! - Java: `trimToSize()`, or the size in the constructor.
//! - C++, Rust: `reserve` and `shrink_to_fit`; a boxed slice.
//! - C, C++, tables of references: a first size for the entries that come, and growth by doubling; `rehash(0)` once a map
//!   is complete. Where the index itself tells something, such as an id: a hash table from it to the reference, or a
//!   sorted vector of both.
//!
//! ## When not to
//! When the container still grows, or when a look-up may take one access alone: a table that is indexed by an id has no
//! search.

mod strings;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{
    Flags, Heap, HolderId, Holders, NONE, ObjectId, Presence, Record, TableKind, TypeId, UNKNOWN,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::l01_shapes::shape_index;
use crate::count::Count;
use crate::fields::in_pieces;
use crate::sparse_tables::{Sparse, Table, sparse_tables};
use crate::unused_room::{self, Unused, unused_room};
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// From so many with slack at one holder it is a habit.
const SEVERAL: u64 = 16;

/// The slack of a habit is one in so many bytes.
const SHARE: u64 = 10;

/// From here a single container counts, when it uses less than half of its room.
const ONE_LARGE: u64 = 64 << 10;

/// Records of one shape that must have free slots.
const FEWEST_RECORDS: u32 = 100;

/// One in so many held bytes that cannot be told is worth saying.
const UNSEEN_SHARE: u64 = 100;

/// The rule.
pub struct Capacity;

impl Rule for Capacity {
    fn code(&self) -> Code {
        Code("C03")
    }

    fn source(&self) -> &'static str {
        include_str!("c03_capacity.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let mut holders = Holders::new(heap);
        let rooms = heap.arrays.len() + heap.tables.len();
        let places = holders.group_all(rooms, |at| {
            let room = room(heap, at)?;
            matches!(room.slack(heap), Slack::Known(_)).then_some((room.object, at as u32))
        });
        let places: Vec<(HolderId, [Group; 2])> = places
            .into_par_iter()
            .map(|(holder, rooms)| (holder, groups(heap, &rooms)))
            .collect();
        let unseen = (0..rooms).into_par_iter().with_min_len(4096);
        let unseen = unseen.filter_map(|at| {
            let room = room(heap, at)?;
            matches!(room.slack(heap), Slack::Unknown).then(|| (1_u64, room.now(heap)))
        });
        let unseen = unseen.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        // How much room a record has is its class's doing, wherever the record is held.
        let mut types: FxHashMap<TypeId, Group> = FxHashMap::default();
        let wide = Wide::of(heap);
        if wide.any() {
            for record in heap
                .records
                .iter()
                .filter(|record| heap.in_program(record.object))
            {
                let group = types
                    .entry(heap.objects.label[record.object as usize])
                    .or_default();
                let free = free_slots(record.used, record.available);
                if free > 0 && wide.has(heap, record) {
                    group.add_record(heap, record.object, record.used, free);
                } else {
                    group.good += 1;
                }
            }
        }
        let mut verdict = Verdict::default();
        for (holder, groups) in places {
            let [arrays, tables] = groups.map(Group::settle);
            if let Some(mut candidate) = candidate([(ARRAYS, arrays), (TABLES, tables)]) {
                candidate.holder = holders.name(holder);
                candidate.fix = "make them as large as they will be, or cut them when complete".into();
                verdict.candidates.push(candidate);
            }
        }
        for (ty, records) in types {
            if let Some(mut candidate) = candidate([(RECORDS, records)]) {
                heap.types.name(ty).clone_into(&mut candidate.holder);
                candidate.variant = "record";
                candidate.fix = "one class or literal for each set of fields, with all of them in it".into();
                verdict.candidates.push(candidate);
            }
        }
        verdict.candidates.extend(strings::strings(heap));
        let room = unused_room(heap);
        verdict
            .candidates
            .extend(room.places.iter().map(|place| of_blocks(heap, place)));
        verdict
            .candidates
            .extend(sparse_tables(heap).iter().map(|place| of_tables(heap, place)));
        verdict.not_measured.extend(unseen_room(heap, &room));
        if unseen.1 > 0 && unseen.1 > heap.held_bytes() / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured {
                why: format!(
                    "how much is in {} ({} bytes) is not in the dump",
                    Count(unseen.0).of("container", "containers"),
                    Count(unseen.1)
                ),
                how: heap.runtime.recapture.clone(),
            });
        }
        verdict
    }
}

#[derive(Clone, Copy)]
enum Sort {
    Array = 0,
    Table = 1,
}

/// One and many.
type Name = (&'static str, &'static str);

const ARRAYS: Name = ("array", "arrays");
const TABLES: Name = ("table", "tables");
const RECORDS: Name = ("record", "records");

/// An array or table.
struct Room {
    object: ObjectId,
    store: ObjectId,
    used: u32,
    capacity: u32,
    sort: Sort,
    set: bool,
}

enum Slack {
    Unknown,
    /// Nothing in it (another rule's), or nothing to say about it.
    Empty,
    Known(u64),
}

/// The room at a place among arrays and tables, when it is one of the program with a store in the runtime's heap.
fn room(heap: &Heap, at: usize) -> Option<Room> {
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
fn groups(heap: &Heap, rooms: &[u32]) -> [Group; 2] {
    let mut groups = <[Group; 2]>::default();
    for room in rooms.iter().filter_map(|&at| room(heap, at as usize)) {
        if let Slack::Known(slack) = room.slack(heap) {
            groups[room.sort as usize].add(heap, &room, slack);
        }
    }
    groups
}

impl Room {
    fn now(&self, heap: &Heap) -> u64 {
        let store = if self.store == self.object {
            0
        } else {
            heap.bytes(self.store)
        };
        heap.bytes(self.object) + store
    }

    /// What goes when it is made for exactly its entries.
    fn slack(&self, heap: &Heap) -> Slack {
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

/// Free slots of a record; none when unknown.
fn free_slots(used: u32, available: u32) -> u32 {
    if used == UNKNOWN || available == UNKNOWN {
        0
    } else {
        available.saturating_sub(used)
    }
}

/// How many records of each shape have free slots.
struct Wide {
    /// By row of `heap.shapes`.
    known: Vec<AtomicU32>,
    /// Of shapes of which nothing else is known.
    others: FxHashMap<ObjectId, u32>,
}

impl Wide {
    fn of(heap: &Heap) -> Self {
        let known: Vec<AtomicU32> = heap.shapes.iter().map(|_| AtomicU32::new(0)).collect();
        let others = in_pieces(&heap.records, |records| {
            let mut others: FxHashMap<ObjectId, u32> = FxHashMap::default();
            for record in records {
                let free = free_slots(record.used, record.available);
                if free == 0 || record.shape == NONE || !heap.in_program(record.object) {
                    continue;
                }
                if let Some(shape) = shape_index(heap, record) {
                    known[shape as usize].fetch_add(1, Ordering::Relaxed);
                } else {
                    *others.entry(record.shape).or_default() += 1;
                }
            }
            others
        });
        let mut wide = Self {
            known,
            others: FxHashMap::default(),
        };
        for (shape, count) in others.into_iter().flatten() {
            *wide.others.entry(shape).or_default() += count;
        }
        wide
    }

    /// Whether any shape has enough records.
    fn any(&self) -> bool {
        let known = self.known.iter().map(|count| count.load(Ordering::Relaxed));
        known
            .chain(self.others.values().copied())
            .any(|count| count >= FEWEST_RECORDS)
    }

    /// Whether the shape of a record has enough.
    fn has(&self, heap: &Heap, record: &Record) -> bool {
        let count = match shape_index(heap, record) {
            Some(shape) => self.known[shape as usize].load(Ordering::Relaxed),
            None => self.others.get(&record.shape).copied().unwrap_or(0),
        };
        count >= FEWEST_RECORDS
    }
}

/// Containers of one kind at one holder.
#[derive(Default)]
struct Group {
    bytes: u64,
    slack: u64,
    count: u64,
    good: u64,
    claims: Vec<(ObjectId, u64)>,
    /// Slack of single large ones that use less than half of their room.
    large: Vec<(ObjectId, u64)>,
    /// Bytes of those in `claims`, now.
    now: u64,
    largest: Vec<Example>,
}

struct Example {
    slack: u64,
    object: ObjectId,
    used: u32,
    capacity: u32,
    now: u64,
}

impl Group {
    fn add(&mut self, heap: &Heap, room: &Room, slack: u64) {
        let now = room.now(heap);
        self.bytes += now;
        if slack == 0 {
            self.good += 1;
            return;
        }
        let claim = (room.store, slack);
        self.note(slack, now, claim);
        if slack >= ONE_LARGE && u64::from(room.used) * 2 < u64::from(room.capacity) {
            self.large.push(claim);
        }
        self.example(Example {
            slack,
            object: room.object,
            used: room.used,
            capacity: room.capacity,
            now,
        });
    }

    fn add_record(&mut self, heap: &Heap, id: ObjectId, used: u32, free: u32) {
        let row = heap.bytes(id);
        let slack = u64::from(free) * heap.layout.slot();
        let in_row = row.saturating_sub(heap.layout.record(u64::from(used))).min(slack);
        let mut left = slack - in_row;
        if in_row > 0 {
            self.claims.push((id, in_row));
        }
        let parts = if left > 0 { heap.parts_of(id) } else { Vec::new() };
        for part in parts {
            let bytes = left.min(heap.bytes(part));
            if bytes > 0 && !heap.objects.has(part, Flags::EXTERNAL) {
                self.claims.push((part, bytes));
                left -= bytes;
            }
        }
        let found = slack - left;
        if found == 0 {
            self.good += 1;
            return;
        }
        self.count += 1;
        self.slack += found;
        self.now += row;
        self.example(Example {
            slack: found,
            object: id,
            used,
            capacity: used + free,
            now: row,
        });
    }

    fn note(&mut self, slack: u64, now: u64, claim: (ObjectId, u64)) {
        self.count += 1;
        self.slack += slack;
        self.now += now;
        self.claims.push(claim);
    }

    /// Keeps the three with the most slack.
    fn example(&mut self, example: Example) {
        let key = |e: &Example| (std::cmp::Reverse(e.slack), e.object);
        let at = self.largest.partition_point(|known| key(known) < key(&example));
        if at < 3 {
            self.largest.insert(at, example);
            self.largest.truncate(3);
        }
    }

    /// Leaves what is a habit, or else the single large ones.
    fn settle(mut self) -> Self {
        let habit = self.count >= SEVERAL && self.slack >= self.bytes / SHARE;
        if habit {
            return self;
        }
        let count = self.large.len() as u64;
        self.good += self.count - count;
        self.count = count;
        self.slack = self.large.iter().map(|(_, bytes)| bytes).sum();
        self.largest.retain(|example| {
            example.slack >= ONE_LARGE && u64::from(example.used) * 2 < u64::from(example.capacity)
        });
        self.now = self.slack;
        self.claims = std::mem::take(&mut self.large);
        self
    }
}

fn candidate<const N: usize>(groups: [(Name, Group); N]) -> Option<Candidate> {
    let mut candidate = Candidate::at("").assuming("they no longer grow");
    let mut titles = Vec::new();
    let mut examples = Vec::new();
    for ((one, name), group) in groups {
        if group.count == 0 {
            continue;
        }
        candidate.count += group.count;
        candidate.good += group.good;
        candidate.bytes_now += group.now;
        titles.push(Count(group.count).of(one, name));
        candidate.show(&format!("{name}_slack_bytes"), group.slack);
        for (row, slack) in group.claims {
            candidate.claim(row, slack);
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

/// What it saves at a place that raw blocks are cut, each with the bytes that go.
fn cut_blocks(heap: &Heap, holder: &str, blocks: impl Iterator<Item = (ObjectId, u64)>) -> Candidate {
    let mut candidate = Candidate::at(holder);
    for (row, slack) in blocks {
        candidate.count += 1;
        candidate.bytes_now += heap.bytes(row);
        candidate.claim(row, slack);
    }
    candidate
}

/// The three of which most goes.
fn most_cut<T>(blocks: &[T], cut: impl Fn(&T) -> (ObjectId, u64)) -> impl Iterator<Item = &T> {
    let mut largest: Vec<&T> = blocks.iter().collect();
    largest.sort_unstable_by_key(|block| {
        let (row, slack) = cut(block);
        (std::cmp::Reverse(slack), row)
    });
    largest.into_iter().take(3)
}

/// Raw blocks of one place that end in room they never used.
fn of_blocks(heap: &Heap, place: &Unused) -> Candidate {
    let cut = |block: &unused_room::Block| (block.row, block.slack(heap));
    let mut candidate = cut_blocks(heap, &place.holder, place.blocks.iter().map(cut))
        .assuming("they no longer grow, and nobody relies on the zeros at their ends");
    candidate.variant = "block";
    candidate.site.clone_from(&place.site);
    candidate.good = place.good;
    let sum = |of: fn(&unused_room::Block) -> u64| place.blocks.iter().map(of).sum::<u64>();
    let (requested, used) = (sum(|block| block.requested), sum(|block| block.used));
    candidate.title = format!(
        "{} {} {:.1} % of their room",
        Count(candidate.count).of("block", "blocks"),
        if candidate.count == 1 { "uses" } else { "use" },
        used as f64 / requested as f64 * 100.0
    );
    candidate.fix = "ask for as much as is used, or cut them when they are complete".into();
    candidate.show("requested_bytes", requested);
    candidate.show("used_bytes", used);
    candidate.show(
        "most_used_bytes",
        place.blocks.iter().map(|block| block.used).max(),
    );
    let examples: Vec<_> = most_cut(&place.blocks, cut)
        .map(|block| {
            json!({"requested_bytes": block.requested, "used_bytes": block.used, "slack_bytes": block.slack(heap)})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// Tables of references at one place that are nearly empty.
fn of_tables(heap: &Heap, place: &Sparse) -> Candidate {
    let cut = |table: &Table| (table.row, table.slack(heap));
    let mut candidate = cut_blocks(heap, &place.holder, place.tables.iter().map(cut))
        .assuming("they do not fill up later, and twice the slots in use are room enough");
    candidate.variant = "table";
    candidate.site.clone_from(&place.site);
    candidate.good = place.good;
    let sum = |of: &dyn Fn(&Table) -> u64| place.tables.iter().map(of).sum::<u64>();
    let (slots, used) = (sum(&|table| table.slots), sum(&|table| table.used));
    let untouched = sum(&|table| heap.blocks.untouched(table.row));
    candidate.title = format!(
        "{} {} {} of {} slots",
        Count(candidate.count).of("table of references", "tables of references"),
        if candidate.count == 1 { "uses" } else { "use" },
        Count(used),
        Count(slots),
    );
    let share = untouched as f64 / candidate.bytes_now.max(1) as f64 * 100.0;
    if share >= 1.0 {
        write!(
            candidate.title,
            "; {share:.0} % was never touched, so it is not resident"
        )
        .expect("a text takes what is written");
    }
    candidate.fix =
        "make them for the entries that come, let them double, and make a smaller one when most are gone; \
                     where the index is an id, keep pairs of id and reference"
            .into();
    candidate.show("slots", slots);
    candidate.show("used_slots", used);
    candidate.show("slot_bytes", place.slot_bytes);
    candidate.show("untouched_bytes", untouched);
    let examples: Vec<_> = most_cut(&place.tables, cut)
        .map(|table| {
            json!({"slots": table.slots, "used_slots": table.used, "bytes": heap.bytes(table.row),
                "bytes_after": table.after})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// Why room of raw blocks is not seen.
fn unseen_room(heap: &Heap, room: &unused_room::Seen) -> Option<NotMeasured> {
    if !heap.blocks.any() {
        return None;
    }
    let why = if heap.coverage.requests == Presence::Absent {
        "how much room blocks were asked to have is not in the dump, so what they never used is not seen"
            .to_owned()
    } else if room.hidden > 0 {
        format!(
            "the contents of {} are not in the dump, so room that they never used is not seen",
            Count(room.hidden).of("block", "blocks")
        )
    } else if heap.coverage.untouched != Presence::Present
        && room.behind_others > heap.held_bytes() / UNSEEN_SHARE
    {
        format!(
            "what others left behind in {} bytes of blocks may hide room that these never used",
            Count(room.behind_others)
        )
    } else {
        return None;
    };
    Some(NotMeasured {
        why,
        how: heap.runtime.recapture.clone(),
    })
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder, Kind};

    use super::*;

    fn keep(heap: &mut HeapBuilder, field: &str, value: ObjectId) {
        let node = heap.record("Node", &[(field, value)]);
        heap.variable("nodes", node);
    }

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        Capacity.look(&heap.build()).candidates
    }

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
    fn free_slots_of_records_count_in_the_row_and_then_in_its_parts() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        for i in 0..100 {
            let record = heap.record("Wide", &[("x", x)]);
            heap.resize(record, 16 + 8 * 3);
            let slots = heap.object(Kind::Opaque, "slots", 32);
            heap.part(record, slots);
            heap.change_record(record, |record| record.available = 5);
            heap.variable(if i < 50 { "some" } else { "all" }, record);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Wide");
        assert_eq!(found.iter().map(Candidate::net).sum::<i64>(), 100 * 4 * 8);
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

    /// A block of which the first bytes are a text without zeros.
    fn filled(heap: &mut HeapBuilder, site: &str, requested: usize, used: usize) -> ObjectId {
        let mut content = vec![0; requested];
        content[..used].fill(b'x');
        heap.block(site, &content)
    }

    #[test]
    fn blocks_whose_ends_were_never_used_are_cut_behind_what_stands_in_them() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            filled(&mut heap, "read_line", 4096, 100 + i);
        }
        for _ in 0..5 {
            filled(&mut heap, "read_line", 4096, 4000);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].holder.as_str(), found[0].count, found[0].good),
            ("read_line", 20, 5)
        );
        let after: i64 = (100..120).map(|used: i64| (used + 8) / 8 * 8).sum();
        assert_eq!(found[0].net(), 20 * 4096 - after);
        assert_eq!(found[0].evidence["most_used_bytes"], 119);
    }

    #[test]
    fn what_doubles_what_is_mostly_full_and_what_is_a_table_keeps_its_room() {
        let mut heap = HeapBuilder::new();
        for i in 0..40_usize {
            // Doubled when full: more than half is in use.
            filled(&mut heap, "push_back", 256 << (i % 4), (128 << (i % 4)) + 8 + i);
            filled(&mut heap, "line", 1024, if i % 2 == 0 { 100 } else { 900 });
            filled(&mut heap, "node", 248, 8);
            filled(&mut heap, "zeros", 4096, 0);
            let mut table = vec![0; 4096];
            (0..2_usize).for_each(|entry| table[(i * 7 % 50 + entry * 100) * 8] = 1);
            heap.block("table", &table);
        }
        for _ in 0..15 {
            filled(&mut heap, "few", 4096, 100);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn values_end_where_their_words_do() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            let mut content = vec![0; 512];
            content[..24].fill(0x80);
            heap.block("edges", &content);
        }
        assert_eq!(look(heap)[0].net(), 20 * (512 - 24));
    }

    #[test]
    fn half_of_a_place_is_enough_where_others_hide_the_room_of_many() {
        let lines = |hide: bool| {
            let mut heap = HeapBuilder::new();
            for i in 0..40_usize {
                filled(&mut heap, "line", 512, if i % 2 == 0 { 100 } else { 500 });
            }
            if hide {
                heap.hide_untouched();
            }
            look(heap)
        };
        assert!(lines(false).is_empty());
        assert_eq!((lines(true)[0].count, lines(true)[0].good), (20, 20));
    }

    #[test]
    fn a_single_block_counts_when_hardly_any_of_it_is_used() {
        let mut heap = HeapBuilder::new();
        filled(&mut heap, "index", 100_000, 10_000);
        filled(&mut heap, "growing", 100_000, 30_000);
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net(), 100_000 - 10_008);
    }

    /// A table of so many words with references in slots of some words: in those that `wanted` picks.
    fn table(heap: &mut HeapBuilder, site: &str, words: usize, slot: usize, wanted: impl Fn(usize) -> bool) {
        let entry = heap.block("entry", &[1; 24]);
        let address = HeapBuilder::address(entry).to_le_bytes();
        let mut content = vec![0; words * 8];
        for at in (0..words / slot).filter(|&at| wanted(at)) {
            let last = (at * slot + slot - 1) * 8;
            content[at * slot * 8..last].fill(0xA5);
            content[last..last + 8].copy_from_slice(&address);
        }
        let table = heap.block(site, &content);
        heap.edge(table, EdgeKind::Internal, slot as u32 - 1, entry);
    }

    /// One in so many, without an order.
    fn one_in(many: u64) -> impl Fn(usize) -> bool {
        move |at| scattered(at as u64).is_multiple_of(many)
    }

    fn scattered(at: u64) -> u64 {
        let z = (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z ^ (z >> 27)) >> 7
    }

    #[test]
    fn a_table_of_references_keeps_twice_the_slots_in_use() {
        for (words, slot) in [(1 << 16, 1), (100_003, 1), (3 << 15, 3)] {
            let mut heap = HeapBuilder::new();
            table(&mut heap, "map", words, slot, one_in(40));
            let found = look(heap);
            assert_eq!(found.len(), 1, "{words}");
            let used = (0..words / slot).filter(|&at| one_in(40)(at)).count();
            let room = if words == 100_003 {
                2 * used
            } else {
                (2 * used).next_power_of_two()
            };
            let freed = (words - room * slot) * 8;
            assert_eq!(found[0].net(), i64::try_from(freed).unwrap());
            assert_eq!(found[0].evidence["slot_bytes"], slot * 8);
            assert_eq!(found[0].evidence["used_slots"], used);
        }
    }

    #[test]
    fn small_tables_count_where_most_of_a_place_are_nearly_empty() {
        let tables = |sparse: usize, full: usize| {
            let mut heap = HeapBuilder::new();
            for at in 0..sparse + full {
                let many = if at < sparse { 50 } else { 3 };
                table(&mut heap, "map", 509, 1, |slot| one_in(many)(slot + at * 1000));
            }
            look(heap)
        };
        assert_eq!((tables(30, 5)[0].count, tables(30, 5)[0].good), (30, 5));
        assert!(tables(15, 0).is_empty() && tables(30, 30).is_empty());
    }

    #[test]
    fn tables_that_grew_fields_and_objects_side_by_side_are_no_empty_tables() {
        let mut heap = HeapBuilder::new();
        table(&mut heap, "half full", 1 << 16, 1, one_in(2));
        table(&mut heap, "just doubled", 1 << 16, 1, one_in(4));
        table(&mut heap, "grown by four", 1 << 16, 1, one_in(7));
        table(&mut heap, "small", 1 << 12, 1, one_in(40));
        // Objects of 100 words with references in the same two fields.
        table(&mut heap, "objects", 1 << 16, 1, |at| matches!(at % 100, 3 | 54));
        // Fields at both ends of a buffer.
        table(&mut heap, "buffer", 1 << 16, 1, |at| {
            !(20..(1 << 16) - 20).contains(&at)
        });
        for _ in 0..200 {
            table(&mut heap, "record", 256, 1, |at| at % 60 == 7);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn a_block_that_references_lead_into_is_a_pool() {
        let pool = |refers: bool| {
            let mut heap = HeapBuilder::new();
            table(&mut heap, "pool", 1 << 16, 1, one_in(40));
            let pool = 1;
            let inside = (0..10_u64).flat_map(|at| (HeapBuilder::address(pool) + at * 88).to_le_bytes());
            let index = heap.block("index", &inside.collect::<Vec<u8>>());
            for at in (0..10).filter(|_| refers) {
                heap.edge(index, EdgeKind::Internal, at, pool);
            }
            look(heap).len()
        };
        assert_eq!((pool(false), pool(true)), (1, 0));
    }

    #[test]
    fn blocks_that_refer_to_each_other_are_nodes() {
        let mut heap = HeapBuilder::new();
        let first = heap.block("node", &[1; 8]);
        for at in 0..200_u64 {
            let mut content = vec![0; 2048];
            for child in 0..3 {
                let slot = scattered(at * 3 + child) as usize % 256 * 8;
                let child = first + 1 + (scattered(at + child) % 200) as ObjectId;
                content[slot..slot + 8].copy_from_slice(&HeapBuilder::address(child).to_le_bytes());
            }
            let node = heap.block("node", &content);
            heap.edge(
                node,
                EdgeKind::Internal,
                0,
                first + 1 + (scattered(at) % 200) as ObjectId,
            );
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn without_requests_or_contents_unused_room_is_not_measured() {
        for hide in [HeapBuilder::hide_requests, HeapBuilder::hide_contents] {
            let mut heap = HeapBuilder::new();
            for _ in 0..20 {
                filled(&mut heap, "read_line", 4096, 100);
            }
            hide(&mut heap);
            let verdict = Capacity.look(&heap.build());
            assert!(verdict.candidates.is_empty());
            assert_eq!(verdict.not_measured.len(), 1);
        }
    }
}
