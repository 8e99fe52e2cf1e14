//! For each object, the one reference by which a person would name it.

use std::hash::Hasher;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHasher;

use crate::{EdgeKind, Edges, Flags, Kind, ObjectId, Objects, Record, RowSet, TypeId, Types, Via};

/// The naming referrer of each object: a field of a record before one of a dictionary, whose fields may be data, that
/// before a slot of a container, a container before a variable, a variable before the runtime's own references; among
/// equals the first in the dump. Where a dump has objects as they lie in memory, which is another order in each run, it is the
/// first by its sort and by its type before that.
#[derive(Debug)]
pub struct Referrers {
    named: Vec<u64>,
    /// Rows that more references than the one that names them could name.
    several: RowSet,
}

/// Nothing refers to the row in a way that names it.
const NOBODY: u64 = u64::MAX;

/// Bits for the place of a reference among those of its object. An object with more references than that, which no
/// dump has shown yet, would have its later ones named as the last that fits.
const PLACE_BITS: u32 = 29;
const LAST_PLACE: u64 = (1 << PLACE_BITS) - 1;

/// Bits for the place where a reference's sort and type take the rest of the word: the low bits alone, which few places of an
/// object share.
const LOW_BITS: u32 = 13;
const LOW_PLACES: usize = 1 << LOW_BITS;
/// Bits for the hash of the type's name.
const TYPE_BITS: u32 = PLACE_BITS - LOW_BITS - 3;

/// The rank of references that name nothing: weak ones, and those of the runtime's own objects.
const NAMELESS: u64 = 7;

impl Referrers {
    /// Chooses for every object; by `types`, where rows are in the order of memory. Runs on all threads of the current pool; the
    /// result does not depend on how many.
    #[must_use]
    pub fn new(objects: &Objects, records: &[Record], edges: &Edges, types: Option<&Types>) -> Self {
        let by_type: Option<Vec<u16>> = types.map(|types| {
            let ids = 0..types.len() as TypeId;
            ids.map(|id| hashed(types.name(id))).collect()
        });
        // Rank, source and place in one word: the least of all is the one that names the object.
        let rows = 0..objects.len() as ObjectId;
        let nobody = rows.clone().into_par_iter().with_min_len(65_536);
        let best: Vec<AtomicU64> = nobody.map(|_| AtomicU64::new(NOBODY)).collect();
        let naming = Naming {
            objects,
            records,
            edges,
            best: &best,
            several: RowSet::none(objects.len()),
            by_type: by_type.as_deref(),
        };
        let pieces = rows.into_par_iter().step_by(PIECE as usize);
        pieces.for_each(|first| {
            let mut before = Before::none();
            let last = first.saturating_add(PIECE).min(objects.len() as ObjectId);
            for from in first..last {
                naming.refer_from(from, &mut before);
            }
        });
        let several = naming.several;
        let mut best: Vec<u64> = best.into_iter().map(AtomicU64::into_inner).collect();
        let rows = best.par_iter_mut().with_min_len(16_384).enumerate();
        rows.for_each(|(row, word)| {
            if *word != NOBODY {
                let (from, place) = if by_type.is_some() {
                    low_place(edges, row as ObjectId, *word)
                } else {
                    ((*word >> PLACE_BITS) as ObjectId, (*word & LAST_PLACE) as usize)
                };
                let edge = edges.at(from, place);
                *word = u64::from(from) << 32 | u64::from(edge.via.0);
            }
        });
        Self { named: best, several }
    }

    /// Whether an object may have more references than the one that names it, weak ones and those of the runtime's own
    /// objects left out. Where it has not, nothing else of the program holds it.
    #[must_use]
    #[inline]
    pub fn are_several(&self, id: ObjectId) -> bool {
        (id as usize) < self.named.len() && self.several.has(id)
    }

    /// Who refers to the object and how; `None` for one that only the runtime refers to.
    #[must_use]
    #[inline]
    pub fn of(&self, id: ObjectId) -> Option<(ObjectId, Via)> {
        let word = *self.named.get(id as usize)?;
        (word != NOBODY).then_some(((word >> 32) as ObjectId, Via(word as u32)))
    }
}

/// The same for equal names in every run.
fn hashed(name: &str) -> u16 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    (hasher.finish() >> (64 - TYPE_BITS)) as u16
}

/// The object that refers to a row, and the place of that reference, from a word with the low bits of the place.
fn low_place(edges: &Edges, row: ObjectId, word: u64) -> (ObjectId, usize) {
    let from = (word >> LOW_BITS) as ObjectId;
    let low = word as usize % LOW_PLACES;
    let mut places = (low..edges.count(from)).step_by(LOW_PLACES);
    (
        from,
        places
            .find(|&place| edges.at(from, place).to == row)
            .unwrap_or(low),
    )
}

/// Rows that one thread takes at a time.
const PIECE: ObjectId = 1 << 16;

/// How many lists of references are remembered.
const REMEMBERED: usize = 64;

/// Lists of references that an object of the same piece had before, with the ranks they had there: an object that comes
/// later and has the same list of the same ranks names nothing that the first of them does not.
struct Before([Known; REMEMBERED]);

#[derive(Clone, Copy)]
struct Known {
    run: u32,
    source: Source,
    /// The hash of the object's type, where that matters.
    by_type: Option<u16>,
    /// Whether it was noted that what the list leads to has several references.
    reported: bool,
}

impl Before {
    fn none() -> Self {
        let none = Known {
            run: u32::MAX,
            source: Source::Other,
            by_type: None,
            reported: false,
        };
        Self([none; REMEMBERED])
    }

    fn place(&mut self, run: u32) -> &mut Known {
        &mut self.0[run as usize % REMEMBERED]
    }
}

/// What is found out of all references.
struct Naming<'h> {
    objects: &'h Objects,
    records: &'h [Record],
    edges: &'h Edges,
    /// By row the word of the best reference so far.
    best: &'h [AtomicU64],
    several: RowSet,
    /// By type the hash of its name, where rows are in the order of memory.
    by_type: Option<&'h [u16]>,
}

impl Naming<'_> {
    /// Lets the references of an object name what they lead to, where no better one does.
    fn refer_from(&self, from: ObjectId, before: &mut Before) {
        let Some(source) = Source::of(self.objects, self.records, from) else {
            return;
        };
        let run = self.edges.adjacency(from);
        let label = self.objects.label[from as usize] as usize;
        let by_type = self.by_type.map(|of| of.get(label).copied().unwrap_or(0));
        let known = before.place(run);
        if (known.run, known.source, known.by_type) == (run, source, by_type) {
            if !std::mem::replace(&mut known.reported, true) {
                self.refer_again(from, source);
            }
            return;
        }
        *known = Known {
            run,
            source,
            by_type,
            reported: false,
        };
        let Some(ranks) = source.ranks(self.edges, from) else {
            return;
        };
        for (place, edge) in self.edges.of(from).enumerate() {
            let rank = ranks[edge.via.kind() as usize];
            if rank == NAMELESS {
                continue;
            }
            let Some(slot) = self.best.get(edge.to as usize) else {
                continue;
            };
            if edge.to == from {
                // To the next object with the list it is a reference like any other.
                before.place(run).run = u32::MAX;
                self.several.insert(from);
                continue;
            }
            let behind = match by_type {
                None => u64::from(from) << PLACE_BITS | (place as u64).min(LAST_PLACE),
                Some(by_type) => {
                    let sort = (edge.via.kind() as u64) << TYPE_BITS | u64::from(by_type);
                    let low = (place % LOW_PLACES) as u64;
                    (sort << 32 | u64::from(from)) << LOW_BITS | low
                }
            };
            let word = rank << 61 | behind;
            // A plain look first: most references come after the one that names their target.
            let is_better = slot.load(Ordering::Relaxed) > word;
            let is_first = is_better && slot.fetch_min(word, Ordering::Relaxed) == NOBODY;
            if !is_first {
                self.several.insert(edge.to);
            }
        }
    }

    /// Tells of what an object leads to by a list that another had before.
    fn refer_again(&self, from: ObjectId, source: Source) {
        let Some(ranks) = source.ranks(self.edges, from) else {
            return;
        };
        for edge in self.edges.of(from) {
            if ranks[edge.via.kind() as usize] != NAMELESS && (edge.to as usize) < self.best.len() {
                self.several.insert(edge.to);
            }
        }
    }
}

fn is_entry(name: Via) -> bool {
    matches!(name.kind(), EdgeKind::Key | EdgeKind::Value)
}

/// Sorts of objects whose references differ in rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Runtime,
    Record,
    /// A record whose fields stand in a dictionary of its own.
    Dictionary,
    Other,
}

impl Source {
    /// The sort of an object; `None` when its references name nothing.
    fn of(objects: &Objects, records: &[Record], from: ObjectId) -> Option<Self> {
        let flags = objects.flags[from as usize];
        if flags.has(Flags::ENGINE) || flags.has(Flags::RECORDER) {
            return None;
        }
        Some(match objects.kind[from as usize] {
            Kind::Runtime | Kind::Shape => Self::Runtime,
            Kind::Record => {
                let record = records.get(objects.fact[from as usize] as usize);
                if record.is_some_and(|record| record.dictionary > 0) {
                    Self::Dictionary
                } else {
                    Self::Record
                }
            }
            _ => Self::Other,
        })
    }

    /// The rank of an object's references, by their kind; `None` when none of them names anything.
    fn ranks(self, edges: &Edges, from: ObjectId) -> Option<&'static [u64; EdgeKind::COUNT]> {
        static OF_RUNTIME: [u64; EdgeKind::COUNT] = table(Source::Runtime);
        static OF_RECORD: [u64; EdgeKind::COUNT] = table(Source::Record);
        static OF_DICTIONARY: [u64; EdgeKind::COUNT] = table(Source::Dictionary);
        static OF_OTHER: [u64; EdgeKind::COUNT] = table(Source::Other);
        match self {
            // Few of them are stores of tables, and many are long.
            Self::Runtime => {
                let has_entries = edges.names(from).iter().any(|&name| is_entry(name));
                has_entries.then_some(&OF_RUNTIME)
            }
            Self::Record => Some(&OF_RECORD),
            Self::Dictionary => Some(&OF_DICTIONARY),
            Self::Other => Some(&OF_OTHER),
        }
    }
}

const fn table(source: Source) -> [u64; EdgeKind::COUNT] {
    let mut ranks = [NAMELESS; EdgeKind::COUNT];
    let mut kind = 0;
    while kind < EdgeKind::COUNT {
        ranks[kind] = rank(EdgeKind::ALL[kind], source);
        kind += 1;
    }
    ranks
}

const fn rank(kind: EdgeKind, source: Source) -> u64 {
    // A table's keys and values hang on its store, which is a piece of the runtime's making.
    let is_entry = matches!(kind, EdgeKind::Key | EdgeKind::Value);
    if matches!(kind, EdgeKind::Weak) || (matches!(source, Source::Runtime) && !is_entry) {
        return NAMELESS;
    }
    match (kind, source) {
        (EdgeKind::Field, Source::Record) => 0,
        (EdgeKind::Field, Source::Dictionary) => 1,
        (EdgeKind::Element | EdgeKind::Key | EdgeKind::Value, _) => 2,
        (EdgeKind::Field, _) => 3,
        (EdgeKind::Variable, _) => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use crate::{EdgeKind, HeapBuilder, Kind};

    #[test]
    fn a_tables_store_names_its_keys_and_values_though_it_is_the_runtimes() {
        let mut heap = HeapBuilder::new();
        let (key, value, cache) = (heap.string("key"), heap.string("value"), heap.string("cache"));
        let table = heap.object(Kind::Table, "Map", 32);
        let store = heap.object(Kind::Runtime, "", 152);
        heap.part(table, store);
        heap.edge(store, EdgeKind::Key, 0, key)
            .edge(store, EdgeKind::Value, 0, value);
        heap.edge(store, EdgeKind::Internal, 0, cache);
        let heap = heap.build();
        assert_eq!(heap.referrers.of(key).map(|(from, _)| from), Some(store));
        assert!(heap.in_program(key) && heap.in_program(value));
        assert_eq!(heap.referrers.of(cache), None);
    }

    #[test]
    fn a_field_of_a_record_names_before_one_of_a_dictionary_wherever_they_stand() {
        let mut heap = HeapBuilder::new();
        let (text, other) = (heap.string("a"), heap.string("b"));
        let cache = heap.dictionary("", 8, &[("/lib/a.js", text), ("/lib/b.js", other)]);
        let module = heap.record("Module", &[("id", text)]);
        heap.array(1, &[other]);
        let heap = heap.build();
        let named = |id| heap.referrers.of(id).map(|(from, _)| from);
        assert_eq!((named(text), named(other)), (Some(module), Some(cache)));
    }

    /// What two records and an array share, whichever of these comes first.
    #[test]
    fn where_rows_move_the_type_names_before_the_order() {
        let named = |moves: bool, order: [&str; 3]| {
            let mut heap = HeapBuilder::new();
            if moves {
                heap.rows_move();
            }
            let price = heap.string("price");
            // More references than the low bits of a place count.
            let others: Vec<_> = (0..10_000).map(|at| heap.string(&at.to_string())).collect();
            for of in order {
                if of == "list" {
                    let elements: Vec<_> = others.iter().copied().chain([price]).collect();
                    heap.array(elements.len() as u32, &elements);
                } else {
                    heap.record(of, &[("price", price)]);
                }
            }
            let last = others[9_999];
            let heap = heap.build();
            let (from, _) = heap.referrers.of(price).expect("a record");
            let (list, via) = heap.referrers.of(last).expect("a list");
            assert_eq!(
                (heap.kind(heap.owner(list)), via.kind()),
                (Kind::Array, EdgeKind::Element)
            );
            heap.type_name(from).to_owned()
        };
        let orders = [["Order", "list", "Level"], ["list", "Level", "Order"]];
        assert_eq!(named(true, orders[0]), named(true, orders[1]));
        assert_ne!(named(false, orders[0]), named(false, orders[1]));
    }

    #[test]
    fn what_a_second_reference_leads_to_has_several() {
        let mut heap = HeapBuilder::new();
        let [own, shared, of_same, weak, of_runtime] =
            ["own", "shared", "same", "weak", "runtime"].map(|text| heap.string(text));
        let record = heap.record("A", &[("x", own), ("y", shared)]);
        heap.record("B", &[("y", shared)]);
        for _ in 0..2 {
            heap.record("C", &[("z", of_same)]);
        }
        heap.edge(record, EdgeKind::Weak, 0, weak)
            .edge(record, EdgeKind::Field, 0, weak);
        let runtime = heap.object(Kind::Runtime, "", 8);
        heap.edge(record, EdgeKind::Field, 0, of_runtime)
            .edge(runtime, EdgeKind::Internal, 0, of_runtime);
        let heap = heap.build();
        let several = [own, shared, of_same, weak, of_runtime].map(|id| heap.referrers.are_several(id));
        assert_eq!(several, [false, true, true, false, false]);
        assert!(!heap.referrers.are_several(u32::MAX));
    }
}
