//! Who else refers to some rows: one look at all lists of targets answers for all rows that a caller asks about.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::{EdgeKind, Flags, Heap, Kind, NONE, ObjectId, RankedRows, RowSet, Via};

/// One reference to a row that a caller asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The row that refers, which may be a part of another.
    pub from: ObjectId,
    /// Kind and name.
    pub via: Via,
    /// The row referred to.
    pub to: ObjectId,
    /// Which of the row's references it is.
    pub place: u32,
}

impl Reference {
    /// How many bytes behind the beginning of its target it leads.
    #[must_use]
    pub fn offset(self, heap: &Heap) -> u64 {
        heap.interior.offset(self.from, self.place)
    }

    /// Whether the reference keeps its target alive for another: it is not weak, and does not lead back to its own row.
    #[must_use]
    pub fn keeps(self) -> bool {
        self.via.kind() != EdgeKind::Weak && self.from != self.to
    }

    /// The logical object that keeps the target alive by this reference. `None` for a weak reference, and for one of the
    /// target's own parts.
    fn keeper(self, heap: &Heap) -> Option<ObjectId> {
        let from = heap.owner(self.from);
        (self.via.kind() != EdgeKind::Weak && self.to != from).then_some(from)
    }

    /// Whether the program, and not the runtime, holds its target by this reference. Of the runtime's own pieces those
    /// count that hold the entries of the program's tables; a store only repeats what its owner's slots already say.
    #[must_use]
    pub fn is_of_program(self, heap: &Heap) -> bool {
        let flags = heap.objects.flags[self.from as usize];
        if flags.has(Flags::ENGINE) || flags.has(Flags::RECORDER) {
            return false;
        }
        match self.via.kind() {
            EdgeKind::Weak => false,
            EdgeKind::Key | EdgeKind::Value => true,
            EdgeKind::Internal if flags.has(Flags::PART) => false,
            _ => !matches!(heap.kind(self.from), Kind::Runtime | Kind::Shape),
        }
    }
}

/// The one logical object that refers to a row, for each row that a caller asked about.
#[derive(Debug)]
pub struct UniqueOwners {
    rows: RankedRows,
    /// By rank: the one that refers to it, [`NONE`] or [`SEVERAL`].
    owners: Vec<ObjectId>,
}

/// More than one object refers to it.
const SEVERAL: ObjectId = NONE - 1;

impl UniqueOwners {
    /// The one logical object that keeps this one alive: `None` when none or several refer to it, or when nobody asked
    /// about it. References from an object's parts are the object's own; weak ones do not count; the runtime's own do.
    #[must_use]
    pub fn of(&self, id: ObjectId) -> Option<ObjectId> {
        let owner = self.owners[self.rows.rank(id)?];
        (owner < SEVERAL).then_some(owner)
    }
}

/// How many references keep each of some rows alive.
#[derive(Debug)]
pub struct ReferenceCounts {
    rows: RankedRows,
    counts: Vec<u32>,
}

impl ReferenceCounts {
    /// References to a row from others and from their parts; weak ones and those from its own parts do not count, the
    /// runtime's own do. 0 for a row that nobody asked about.
    #[must_use]
    pub fn of(&self, id: ObjectId) -> u32 {
        self.rows.rank(id).map_or(0, |rank| self.counts[rank])
    }
}

/// The references to each of some rows.
#[derive(Debug)]
pub struct Places(Vec<Reference>);

impl Places {
    /// The references to a row, in the order of the rows that refer; none for a row that nobody asked about.
    #[must_use]
    pub fn of(&self, id: ObjectId) -> &[Reference] {
        let start = self.0.partition_point(|reference| reference.to < id);
        let len = self.0[start..].partition_point(|reference| reference.to == id);
        &self.0[start..start + len]
    }
}

impl Heap {
    /// Shows `note` each reference to one of `rows`, with the row's own counter, which starts at `start`. Gives the
    /// counters by rank. Runs on all threads in no order: what `note` does must not depend on it.
    pub fn tally_references(
        &self,
        rows: &RankedRows,
        start: u32,
        note: impl Fn(&AtomicU32, Reference) + Sync,
    ) -> Vec<u32> {
        let counters: Vec<AtomicU32> = (0..rows.len()).map(|_| AtomicU32::new(start)).collect();
        if !rows.is_empty() {
            self.each_reference(
                |to| rows.has(to),
                |reference| {
                    if let Some(rank) = rows.rank(reference.to) {
                        note(&counters[rank], reference);
                    }
                },
            );
        }
        counters.into_iter().map(AtomicU32::into_inner).collect()
    }

    /// The only referrer of each of `rows`.
    #[must_use]
    pub fn unique_owners(&self, rows: RowSet) -> UniqueOwners {
        let rows = rows.ranked();
        let owners = self.tally_references(&rows, NONE, |owner, reference| {
            if let Some(from) = reference.keeper(self) {
                note_owner(owner, from);
            }
        });
        UniqueOwners { rows, owners }
    }

    /// How many references keep each of `rows` alive.
    #[must_use]
    pub fn reference_counts(&self, rows: RowSet) -> ReferenceCounts {
        let rows = rows.ranked();
        let counts = self.tally_references(&rows, 0, |count, reference| {
            if reference.keeper(self).is_some() {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        ReferenceCounts { rows, counts }
    }

    /// Of `rows`, those that are held by more than the references that `counted` knows: some other reference leads to
    /// them. What is not in the result is held by nothing else.
    pub fn held_otherwise(&self, rows: &RowSet, is_other: impl Fn(Reference) -> bool + Sync) -> RowSet {
        let held = self.no_rows();
        if !rows.is_empty() {
            self.each_reference(
                |to| rows.has(to) && !held.has(to),
                |reference| {
                    if is_other(reference) {
                        held.insert(reference.to);
                    }
                },
            );
        }
        held
    }

    /// Of `rows`, which fields name, those that the program also holds by another field, slot or variable.
    pub fn held_elsewhere(&self, rows: impl ParallelIterator<Item = ObjectId>) -> RowSet {
        let asked = self.no_rows();
        rows.filter(|&row| self.referrers.are_several(row))
            .for_each(|row| {
                asked.insert(row);
            });
        self.held_otherwise(&asked, |reference| {
            let named = self.referrers.of(reference.to);
            let of_field = named.is_some_and(|(from, via)| self.is_same_field(reference, from, via));
            reference.is_of_program(self) && !of_field
        })
    }

    fn is_same_field(&self, reference: Reference, from: ObjectId, via: Via) -> bool {
        let label = |id: ObjectId| self.objects.label[id as usize];
        let is_record = |id: ObjectId| self.kind(id) == Kind::Record;
        reference.via == via
            && via.kind() == EdgeKind::Field
            && is_record(reference.from)
            && is_record(from)
            && label(reference.from) == label(from)
    }

    /// Every reference to one of `rows` that is `wanted`.
    pub fn places_of(&self, rows: &RowSet, wanted: impl Fn(Reference) -> bool + Sync) -> Places {
        if rows.is_empty() {
            return Places(Vec::new());
        }
        let objects = self.edges.objects_to(|to| rows.has(to));
        let references = objects.flat_map_iter(|from| {
            let edges = (0..)
                .zip(self.edges.of(from))
                .filter(|(_, edge)| rows.has(edge.to));
            edges
                .map(move |(place, edge)| Reference {
                    from,
                    via: edge.via,
                    to: edge.to,
                    place,
                })
                .filter(|&reference| wanted(reference))
        });
        let mut references: Vec<Reference> = references.collect();
        references.par_sort_by_key(|reference| (reference.to, reference.from));
        Places(references)
    }

    fn each_reference(&self, asked: impl Fn(ObjectId) -> bool + Sync, see: impl Fn(Reference) + Sync) {
        self.edges.each_to(asked, |from, place, to| {
            let via = self.edges.names(from)[place];
            see(Reference {
                from,
                via,
                to,
                place: place as u32,
            });
        });
    }
}

/// Notes one more owner. Whoever comes first, the outcome is the same: one object, or several.
fn note_owner(slot: &AtomicU32, owner: ObjectId) {
    let seen = slot.load(Ordering::Relaxed);
    if seen == SEVERAL || seen == owner {
        return;
    }
    let was = slot.compare_exchange(NONE, owner, Ordering::Relaxed, Ordering::Relaxed);
    if was.is_err_and(|other| other != owner) {
        slot.store(SEVERAL, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
