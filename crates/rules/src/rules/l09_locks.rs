//! # L09 · locks and atomics of their own
//!
//! ## What it is
//! A record with an object that does nothing but guard it, or keep one of its values for several threads: an
//! `AtomicLong` that counts, a `ReentrantLock` that one method takes, an `Object` to lock on.
//!
//! ## Why it costs
//! Each is an object of 16 to 48 bytes, and a reference to it. The record could have the value as a field, which several
//! threads change as safely, and it has a lock of its own already.
//!
//! ## How it is found
//! Runtimes say which classes have such a *stand-in*: a field of the record, or the record's own lock. A field of the
//! program's counts when every record of its type has an object of one of these classes there, sixteen or more, and nothing
//! else refers to any of these objects. A lock that somebody waits for on a condition is left alone. An object that is nothing but something
//! to lock on keeps other code from taking the lock: that is a choice, and the finding an option.
//!
//! ## How the saving is computed
//! The object goes, with what it alone has. The record is laid out again: with the value in place of the reference, or without
//! the reference to the lock. Where several fields of a record change it by another number of bytes together than one by
//! one, they are one finding.
//!
//! ## How to fix it
//! - Java, a number or a reference: `private volatile long hits;`, and `HITS.incrementAndGet(this)` in place of
//!   `hits.incrementAndGet()`, with
//!   `static final AtomicLongFieldUpdater<Page> HITS = AtomicLongFieldUpdater.newUpdater(Page.class, "hits");`.
//!   `AtomicIntegerFieldUpdater` and `AtomicReferenceFieldUpdater` are the same for `int` and for references, and a `VarHandle`
//!   for these and for `boolean`.
//! - Java, a lock: `synchronized (this) { … }`, or `synchronized` methods.
//! - Kotlin: the same updaters on a `@Volatile var`, and `synchronized(this) { … }`.
//!
//! ## When not to
//! When code outside locks on the records, as it then takes the same lock. When a lock is tried, interrupted, waited for with
//! a time limit, or must be fair: a record's own lock can do none of it. When virtual threads wait inside the lock, before
//! JDK 24: they hold on to their carrier there. A Java `record` has no field that can change: make it a class.

#[cfg(test)]
mod tests;

use deadweight_heap::{
    EdgeKind, Heap, Kind, ObjectId, Presence, ReferenceCounts, RowSet, StandIn, TextId, TypeId,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::replaced_fields::{
    Going, Place, Replacement, Words, findings, is_own_reference, needed_elsewhere, places,
};
use crate::slots::Slot;
use crate::{Basis, Code, Rule, Verdict};

/// Fewer objects than this are no pattern.
const LEAST: usize = 16;

const ASSUMES: &str = "no code hands these objects out";

/// The same where there are locks among them.
const ASSUMES_OF_LOCKS: &str = "no code hands these objects out, and locks are only taken and released, by code that locks on nothing else of the record";

const WORDS: Words = Words {
    variant: "inline",
    mixed: "locks and atomics of their own",
    fix,
    assumes,
};

const ATOMIC: &str = "atomics of their own";
const LOCK: &str = "locks of their own";

/// The rule.
pub struct Locks;

impl Rule for Locks {
    fn code(&self) -> Code {
        Code("L09")
    }

    fn source(&self) -> &'static str {
        include_str!("l09_locks.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour(ASSUMES)
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if !heap.types.have_stand_ins() || heap.coverage.edges == Presence::Absent {
            return Verdict::default();
        }
        let keys = keys(heap);
        let population = heap.population();
        let mut places = places(heap, keys, |value| replacement(heap, value));
        places.retain(|place| {
            let count = place.slots.len();
            count >= LEAST && count == population.count(place.ty) as usize
        });
        let lone = lone_parts(heap, &places);
        let going = Going {
            heap,
            stays: needed_elsewhere(heap, &places),
            is_free: &|value| is_inline(heap, value, &lone),
            with: &|value| inner(heap, value),
        };
        places.retain(|place| going.count(place) == place.slots.len() as u64);
        let (options, places): (Vec<Place>, Vec<Place>) =
            places.into_iter().partition(|place| is_bare(heap, place));
        let mut all = findings(&going, places, &WORDS);
        all.extend(findings(&going, options, &WORDS).into_iter().map(|mut found| {
            found.option = true;
            found
        }));
        all.into()
    }
}

fn stand_in(heap: &Heap, id: ObjectId) -> Option<StandIn> {
    heap.types.stand_in(*heap.objects.label.get(id as usize)?)
}

/// The fields of the program's records that name objects with a stand-in.
fn keys(heap: &Heap) -> Vec<(TypeId, TextId)> {
    let rows = (0..heap.objects.len() as ObjectId).into_par_iter();
    let found: FxHashSet<(TypeId, TextId)> = rows
        .with_min_len(16_384)
        .filter(|&id| stand_in(heap, id).is_some() && heap.is_for_program(id))
        .filter_map(|id| {
            let (from, via) = heap.referrers.of(id)?;
            let ty = heap.objects.label[from as usize];
            let is_field = via.kind() == EdgeKind::Field && heap.kind(from) == Kind::Record;
            (is_field && is_own_reference(heap, ty, via.name())).then_some((ty, via.name()))
        })
        .collect();
    let mut keys: Vec<(TypeId, TextId)> = found.into_iter().collect();
    keys.sort_unstable();
    keys
}

/// What becomes of a field that refers to such an object.
fn replacement(heap: &Heap, value: ObjectId) -> Option<Replacement> {
    let (becomes, name) = match stand_in(heap, value)? {
        StandIn::Field(representation) => (Some(representation), ATOMIC),
        StandIn::OwnLock => (None, LOCK),
    };
    Some(Replacement { becomes, name })
}

/// What a lock has its state in, where the dump shows one.
fn inner(heap: &Heap, id: ObjectId) -> Option<ObjectId> {
    if stand_in(heap, id) != Some(StandIn::OwnLock) {
        return None;
    }
    let mut strong = heap.edges.of(id).filter(|edge| edge.via.kind() != EdgeKind::Weak);
    strong.next().map(|edge| edge.to)
}

/// Whether a place has objects that are nothing but something to lock on. Whoever has one keeps other code from taking its
/// lock: that is a choice.
fn is_bare(heap: &Heap, place: &Place) -> bool {
    let is_alone = |slot: &Slot| inner(heap, slot.value).is_none();
    is_lock(place) && place.slots.first().is_some_and(is_alone)
}

/// How many references there are to what locks have their state in.
fn lone_parts(heap: &Heap, places: &[Place]) -> ReferenceCounts {
    let rows: RowSet = heap.no_rows();
    places.par_iter().for_each(|place| {
        rows.extend(place.slots.iter().filter_map(|slot| inner(heap, slot.value)));
    });
    heap.reference_counts(rows)
}

/// Whether a record can have all that an object is: a value, or a lock whose state nothing else refers to, such as a
/// condition.
fn is_inline(heap: &Heap, id: ObjectId, lone: &ReferenceCounts) -> bool {
    let strong = |id| heap.edges.of(id).filter(|edge| edge.via.kind() != EdgeKind::Weak);
    if !heap.is_for_program(id) {
        return false;
    }
    match stand_in(heap, id) {
        Some(StandIn::Field(representation)) => representation.refers() || strong(id).next().is_none(),
        Some(StandIn::OwnLock) => {
            strong(id).count() <= 1
                && inner(heap, id).is_none_or(|inner| {
                    lone.of(inner) == 1 && stand_in(heap, inner) == Some(StandIn::OwnLock)
                })
        }
        None => false,
    }
}

fn is_lock(place: &Place) -> bool {
    place.replacement.becomes.is_none()
}

fn assumes(places: &[&Place]) -> &'static str {
    if places.iter().any(|place| is_lock(place)) {
        ASSUMES_OF_LOCKS
    } else {
        ASSUMES
    }
}

fn fix(places: &[&Place]) -> String {
    let locks = places.iter().filter(|place| is_lock(place)).count();
    let atomics = places.len() - locks;
    let value = match atomics {
        0 => None,
        1 => Some("declare the field as the value itself and change it atomically in place"),
        _ => Some("declare the fields as the values themselves and change them atomically in place"),
    };
    let lock = match locks {
        0 => None,
        1 => Some("lock on the record itself and drop the field of the lock"),
        _ => Some("lock on the record itself and drop the fields of the locks"),
    };
    let all: Vec<&str> = value.into_iter().chain(lock).collect();
    all.join("; ")
}
