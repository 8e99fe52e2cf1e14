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
//! The length of an array counts as used: of `new Array(64)` with two entries no room is seen.
//!
//! Raw blocks of 256 bytes or more count when what stands in them fills their front and ends before half of what was
//! asked for: nothing but zeros follows; growth by doubling never leaves more than half. At places where some blocks are
//! so, those in which nothing stands count with them; places where no block was begun are E01's. Each block is weighed
//! for itself, whatever stands in the others of its place: 16 or more must have room that is 10 % of the bytes of all
//! there; or all use less than a quarter and 64 KiB are free. Where most of the others have something here and there,
//! blocks are objects or tables, and three in four of the place must have room. Blocks whose memory had another use before may hide unused
//! room behind what was left there. Where the dump says only what blocks may use, as the walk of a heap does, that is
//! taken for what was asked for. Recording with zeros in fresh memory (`DEADWEIGHT_ZERO_FILL=1`) shows all of
//! what others hide.
//!
//! Of smaller blocks an unused end may be the last fields of an object. From 64 bytes on they count where they cannot be
//! objects: no type is known, all of them at the place have references from their front on and zeros behind, and not all
//! have equally many or eight words at the ends are in use in none.
//!
//! Blocks that are arrays of one type count from 64 bytes on as well, as the program's symbols say of what the library's containers ask for.
//! Where a vector of C++ ends its own addresses say, and those of a `std::deque` say it of its last block, whatever others
//! left behind. Holders that keep an address with a capacity and a length beside it, both in values, are believed where what
//! stands in three of four blocks of a place and size ends where the length says, at several lengths.
//!
//! Raw blocks of 256 bytes or more count, too, as tables of references where less than one slot in eight is in use:
//! growth by doubling leaves a quarter at least. Slots are as many words as stand between references, eight at most; three
//! in four of those in use must have a reference. They must stand all over the table, at other places in each table and
//! not at one distance from each other, and no references may lead into it: fields of objects and pools of them do not.
//! At one place 16 or more must be so, and three in four of all with references there; or one has 64 KiB more than it needs.
//!
//! ## How the saving is computed
//! The bytes of a container less those of one made for its entries, with the fields that its class adds; of a string, those of the same one cut. For a
//! record, its bytes less those of one with its fields in one piece; where some slots are in a store beside it, the store
//! goes and its fields move into the record. For a raw block, what the allocator charges now less what it would for the
//! bytes up to the last that is not zero, and of texts one more, rounded up to a word; one in which nothing stands goes
//! as a whole, as it need not be there before the first value. The last value stays whole, also where it ends in zeros: as its
//! holder says where it ends, by the three addresses that a `std::vector` has, or rounded up to the size of a value, which
//! debug information has. Where neither is known (`ends_are_known`), more than what is said may be in use, and the
//! finding says that it takes the last value not to end in zeros. Of a library's container that makes blocks of a fixed size, such
//! as a `std::deque`, only these are counted: what it keeps beside them goes with it, so that another container saves more.
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
//! - JavaScript: an array literal, `Array.from` or `slice()` once it is complete, `new Set()` and `add` for up to four
//!   values (from Node.js 22, `new Set(list)` has room for more than the list has); records with all fields in the literal
//!   or constructor, and a class of its own for each set of fields: the room of a class is that of its largest.
//! - Ruby: build with `map`; make `[*list]` of a complete array, as `dup` shares the store with its room; `freeze` a
//!   complete string, or keep `-text` of it.
//! - Java: `trimToSize()`, or the size in the constructor. A map is priced as one that is filled entry by entry, of 16 slots at
//!   least; `new HashMap<>(4)` has fewer and saves more. `new ArrayDeque<>(queue)` of a complete queue.
//! - Python: `items[:]` of a complete list; `{key: value for key, value in table.items()}` of a `dict` that has lost entries,
//!   as `copy` may keep its room; `bytes(data)` of a complete `bytearray`.
//! - C++, Rust: `reserve` and `shrink_to_fit`; a boxed slice. In place of a `std::deque` of few values, whose chunks have 512
//!   bytes and whose map has 64, a `std::vector`.
//! - C, C++, tables of references: a first size for the entries that come, and growth by doubling; `rehash(0)` once a map
//!   is complete. Where the index itself means something, such as an id: a hash table from it to the reference, or a
//!   sorted vector of both.
//!
//! ## When not to
//! When the container still grows, or when a look-up may take one access alone: a table that is indexed by an id has no
//! search.

mod blocks;
mod containers;
mod cut;
mod group;
mod records;
mod reference_tables;
mod sparse;
mod strings;
#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, HolderId, Holders, TypeId};
use deadweight_infer::unused_room;
use deadweight_weighing::NotMeasured;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use blocks::{of_blocks, unseen_room};
use containers::{Container, container, groups};
use group::{ARRAYS, Group, RECORDS, TABLES, candidate};
use records::{Wide, free_slots};
use reference_tables::of_tables;
use sparse::sparse_tables;
use strings::strings;

/// One in so many held bytes of which it is not known is worth saying.
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

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let holders = Holders::new(heap);
        let containers = heap.arrays.len() + heap.tables.len();
        let places = holders.group_all(containers, |at| match container(heap, at)? {
            Container::Known(_, room) => Some((room.object, at as u32)),
            Container::Unknown(_) => None,
        });
        let places: Vec<(HolderId, [Group; 2])> = places
            .into_par_iter()
            .map(|(holder, places)| (holder, groups(heap, &places)))
            .collect();
        let unseen = (0..containers).into_par_iter().with_min_len(4096);
        let unseen = unseen.filter_map(|at| match container(heap, at)? {
            Container::Known(..) => None,
            Container::Unknown(bytes) => Some((1_u64, bytes)),
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
                    group.unaffected += 1;
                }
            }
        }
        let mut verdict = Verdict::default();
        for (holder, groups) in places {
            let [arrays, tables] = groups.map(Group::settle);
            if let Some(mut candidate) = candidate([(ARRAYS, arrays), (TABLES, tables)]) {
                candidate.holder = holders.name(holder);
                candidate.fix =
                    "allocate them at their final size, or trim them when they are complete".into();
                verdict.candidates.push(candidate);
            }
        }
        for (ty, records) in types {
            if let Some(mut candidate) = candidate([(RECORDS, records)]) {
                heap.types.name(ty).clone_into(&mut candidate.holder);
                candidate.variant = "record";
                candidate.fix =
                    "use one class or literal for each set of fields, with every field in it".into();
                verdict.candidates.push(candidate);
            }
        }
        verdict.candidates.extend(strings(heap));
        let room = unused_room(heap);
        verdict
            .candidates
            .extend(room.places.iter().map(|place| of_blocks(heap, place)));
        verdict
            .candidates
            .extend(sparse_tables(heap).iter().map(|place| of_tables(heap, place)));
        verdict.not_measured.extend(unseen_room(heap, &room));
        if unseen.1 > 0 && unseen.1 > heap.held_bytes() / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "how much is in {} ({} bytes) is not in the dump",
                    Count(unseen.0).of("container", "containers"),
                    Count(unseen.1)
                ),
                heap.runtime.recapture.clone(),
            ));
        }
        verdict
    }
}
