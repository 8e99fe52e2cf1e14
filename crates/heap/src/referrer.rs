//! For each object, the one reference by which a person would name it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::{EdgeKind, Edges, Flags, Kind, NONE, ObjectId, Objects, Via};

/// The naming referrer of each object: a field of a record before a slot of a container, a container before a
/// variable, a variable before the runtime's own references; among equals the first in the dump.
#[derive(Debug, Default)]
pub struct Referrers {
    from: Vec<ObjectId>,
    via: Vec<Via>,
    /// The one logical object that refers to each row, [`NONE`] or [`MANY`].
    sole: Vec<ObjectId>,
}

/// More than one object refers to it.
const MANY: ObjectId = NONE - 1;

/// The rank of references that name nothing: weak ones, and those of the runtime's own objects.
const NAMELESS: u64 = 7;

impl Referrers {
    /// Chooses for every object. Runs on all threads of the current pool; the result does not depend on how many.
    #[must_use]
    pub fn new(objects: &Objects, edges: &Edges) -> Self {
        let best: Vec<AtomicU64> = (0..objects.len()).map(|_| AtomicU64::new(u64::MAX)).collect();
        let sole: Vec<AtomicU32> = best.iter().map(|_| AtomicU32::new(NONE)).collect();
        let rows = 0..objects.len() as ObjectId;
        rows.clone().into_par_iter().with_min_len(4096).for_each(|from| {
            let owner = objects.owner(from);
            let of_recorder = objects.has(owner, Flags::RECORDER);
            for at in edges.range(from) {
                let edge = edges.at(at);
                let Some(slot) = best.get(edge.to as usize) else {
                    continue;
                };
                if edge.via.kind() != EdgeKind::Weak && edge.to != owner && !of_recorder {
                    refer(&sole[edge.to as usize], owner);
                }
                let rank = rank(objects, from, edge.via.kind());
                if rank < NAMELESS && edge.to != from {
                    slot.fetch_min(rank << 40 | at as u64, Ordering::Relaxed);
                }
            }
        });
        let mut referrers = Self {
            from: vec![NONE; objects.len()],
            via: vec![Via::default(); objects.len()],
            sole: sole.into_iter().map(AtomicU32::into_inner).collect(),
        };
        let from_column: Vec<AtomicU32> = best.iter().map(|_| AtomicU32::new(NONE)).collect();
        rows.into_par_iter().with_min_len(4096).for_each(|from| {
            for at in edges.range(from) {
                let to = edges.at(at).to as usize;
                let chosen = best.get(to).map(|slot| slot.load(Ordering::Relaxed));
                if chosen.is_some_and(|chosen| chosen != u64::MAX && chosen & 0xFF_FFFF_FFFF == at as u64) {
                    from_column[to].store(from, Ordering::Relaxed);
                }
            }
        });
        for (id, slot) in best.iter().enumerate() {
            let chosen = slot.load(Ordering::Relaxed);
            if chosen != u64::MAX {
                referrers.via[id] = edges.at((chosen & 0xFF_FFFF_FFFF) as usize).via;
                referrers.from[id] = from_column[id].load(Ordering::Relaxed);
            }
        }
        referrers
    }

    /// Who refers to the object and how; `None` for one that only the runtime refers to.
    #[must_use]
    pub fn of(&self, id: ObjectId) -> Option<(ObjectId, Via)> {
        let from = *self.from.get(id as usize)?;
        (from != NONE).then(|| (from, self.via[id as usize]))
    }

    /// The one logical object that keeps this one alive: `None` when none or several refer to it. References from
    /// an object's parts are the object's own; weak ones and a recorder's do not count; the runtime's own do.
    #[must_use]
    pub fn sole(&self, id: ObjectId) -> Option<ObjectId> {
        let sole = *self.sole.get(id as usize)?;
        (sole < MANY).then_some(sole)
    }
}

/// Notes one more reference. Whoever comes first, the outcome is the same: one object, or many.
fn refer(slot: &AtomicU32, owner: ObjectId) {
    if slot.load(Ordering::Relaxed) == MANY {
        return;
    }
    let was = slot.compare_exchange(NONE, owner, Ordering::Relaxed, Ordering::Relaxed);
    if was.is_err_and(|other| other != owner) {
        slot.store(MANY, Ordering::Relaxed);
    }
}

fn rank(objects: &Objects, from: ObjectId, kind: EdgeKind) -> u64 {
    let source = objects.kind[from as usize];
    let flags = objects.flags[from as usize];
    // A table's keys and values hang on its store, which is a piece of the runtime's making.
    let is_entry = matches!(kind, EdgeKind::Key | EdgeKind::Value);
    if kind == EdgeKind::Weak
        || flags.has(Flags::ENGINE)
        || flags.has(Flags::RECORDER)
        || (matches!(source, Kind::Runtime | Kind::Shape) && !is_entry)
    {
        return NAMELESS;
    }
    match (kind, source) {
        (EdgeKind::Field, Kind::Record) => 0,
        (EdgeKind::Element | EdgeKind::Key | EdgeKind::Value, _) => 1,
        (EdgeKind::Field, _) => 2,
        (EdgeKind::Variable, _) => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use crate::{EdgeKind, HeapBuilder, Kind};

    #[test]
    fn the_sole_owner_is_known_unless_another_refers_to_it() {
        let mut heap = HeapBuilder::new();
        let own = heap.string("own");
        let shared = heap.string("shared");
        let a = heap.array(2, &[own, shared, own]);
        let b = heap.array(1, &[shared]);
        heap.edge(b, EdgeKind::Weak, 0, own);
        let list = heap.array(1, &[own]);
        heap.flag(list, crate::Flags::RECORDER);
        let heap = heap.build();
        assert_eq!(heap.referrers.sole(own), Some(a));
        assert_eq!(heap.referrers.sole(shared), None);
        assert_eq!(heap.referrers.sole(a), None);
        assert_eq!(heap.referrers.sole(u32::MAX), None);
    }

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
    fn references_of_parts_are_those_of_their_owner() {
        let mut heap = HeapBuilder::new();
        let key = heap.string("key");
        let map = heap.map(4, &[(key, key)]);
        heap.edge(map, EdgeKind::Internal, 0, key);
        let heap = heap.build();
        assert_eq!(heap.referrers.sole(key), Some(map));
    }
}
