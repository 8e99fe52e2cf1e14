//! Records that a fix gives other fields: what that changes depends on what earlier fixes made of them, as a record is laid
//! out once for all.

use deadweight_heap::{Fields, Heap, ObjectId, Representation, Reshaped, TextId, TypeId};
use rustc_hash::FxHashMap;

use crate::Candidate;

/// The fields of a type that a fix changes, each with what becomes of it: no field where it goes.
#[derive(Clone, Debug)]
pub struct Relaid {
    pub(crate) ty: TypeId,
    pub(crate) changes: Vec<(TextId, Fields)>,
}

/// A field that goes.
pub(crate) const GONE: Fields = Representation::Any.times(0);

/// The fields that granted fixes have changed.
#[derive(Debug, Default)]
pub(crate) struct RelaidSoFar {
    by_type: FxHashMap<TypeId, Vec<(TextId, Fields)>>,
}

impl RelaidSoFar {
    /// Notes what a granted fix changes.
    pub(crate) fn add(&mut self, relaid: &Relaid) {
        let changed = self.by_type.entry(relaid.ty).or_default();
        for change in &relaid.changes {
            if !changed.iter().any(|(name, _)| *name == change.0) {
                changed.push(*change);
            }
        }
    }

    /// A candidate as it is after earlier fixes have changed other fields of its records; `None` where that makes no
    /// difference.
    pub(crate) fn apply(&self, heap: &Heap, candidate: &Candidate) -> Option<Candidate> {
        let relaid = candidate.relaid.as_ref()?;
        let before = self.by_type.get(&relaid.ty)?;
        let alone = heap.relaid(relaid.ty, &relaid.changes)?;
        let is_new = |change: &&(TextId, Fields)| !before.iter().any(|(name, _)| *name == change.0);
        let all: Vec<_> = before
            .iter()
            .chain(relaid.changes.iter().filter(is_new))
            .copied()
            .collect();
        let now = Reshaped {
            now: heap.relaid(relaid.ty, before)?.after,
            after: heap.relaid(relaid.ty, &all)?.after,
        };
        if (now.freed(), now.added()) == (alone.freed(), alone.added()) {
            return None;
        }
        let is_record = |object: ObjectId| {
            let record = heap.record(object);
            record.is_some_and(|record| heap.record_type(record) == Some(relaid.ty))
        };
        let mut changed = candidate.clone();
        changed.claims.retain(|claim| !is_record(claim.object));
        changed.overhead_rows.retain(|claim| !is_record(claim.object));
        let rows = heap.records.iter().filter(|record| {
            heap.record_type(record) == Some(relaid.ty)
                && heap.in_program(record.object)
                && !heap.is_shared(record.object)
        });
        changed.lay_out(rows.map(|record| record.object), now);
        Some(changed)
    }
}

impl Candidate {
    /// Gives records other fields, and books what becomes of each.
    pub(crate) fn relay(
        &mut self,
        relaid: Relaid,
        records: impl Iterator<Item = ObjectId>,
        reshaped: Reshaped,
    ) {
        self.lay_out(records, reshaped);
        self.relaid = Some(relaid);
    }

    fn lay_out(&mut self, records: impl Iterator<Item = ObjectId>, reshaped: Reshaped) {
        let (added, freed) = (reshaped.added(), reshaped.freed());
        for record in records {
            if added > 0 {
                self.add_to(record, added);
            } else if freed > 0 {
                self.claim(record, freed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Value};
    use deadweight_weighing::Source;

    use super::*;
    use crate::{Options, weigh};

    /// An id of twelve bytes leaves a hole of four, which a number beside it fills.
    #[test]
    fn records_are_laid_out_once_for_all_fixes() {
        let mut heap = HeapBuilder::new();
        heap.class("number", None, &[("value", Representation::Integer(4))]);
        let fields = ["id", "price"].map(|name| (name, Representation::Reference));
        let lot = heap.class("Lot", None, &fields);
        let mut texts = Vec::new();
        for i in 0..40 {
            let id = heap.string(&format!("a1b2c3d4e5f60718293a4b{i:02}"));
            let price = heap.number(1e6 + f64::from(i));
            let row = heap.instance(lot, &[Value::Reference(id, 0), Value::Reference(price, 0)]);
            heap.variable("lots", row);
            texts.push(id);
        }
        let heap = heap.build();
        let of_texts: u64 = texts.iter().map(|&id| heap.bytes(id)).sum();
        let source = Source {
            path: "lots".into(),
            bytes: 1,
            format: "builder".into(),
        };
        let weighing = weigh(&heap, source, &Options::all());
        let boxes = weighing
            .findings
            .iter()
            .filter(|found| found.rule == "L03")
            .map(|found| (found.holder.as_str(), found.saves_alone, found.saves));
        // Alone, a record with the bytes of its id is 8 bytes larger, and one with its price as large as before.
        let expected = [
            ("Lot.id", of_texts - 40 * 8, of_texts - 40 * 8),
            ("Lot.price", 40 * 16, 40 * (16 + 8)),
        ];
        assert_eq!(boxes.collect::<Vec<_>>(), expected);
    }
}
