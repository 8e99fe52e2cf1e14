//! What a record costs with other fields than it has.

use crate::declared::{bytes_of, priced};
use crate::{Field, Fields, Heap, Record, RecordShape, Representation, TextId, TypeId, UNKNOWN};

/// Bytes of a record as its fields are, and as they would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reshaped {
    /// As they are.
    pub now: u64,
    /// As they would be.
    pub after: u64,
}

impl Reshaped {
    /// Bytes that the record loses.
    #[must_use]
    pub const fn freed(self) -> u64 {
        self.now.saturating_sub(self.after)
    }

    /// Bytes that it gains.
    #[must_use]
    pub const fn added(self) -> u64 {
        self.after.saturating_sub(self.now)
    }
}

impl Heap {
    /// What becomes of a record without the fields `gone`, and with `more` fields beside the others: where its type declares
    /// fields, in the place of the first that goes.
    ///
    /// A record may have room for fields of its type that it does not have itself: then that room shrinks by one for each
    /// field that the type loses.
    #[must_use]
    pub fn reshaped(&self, record: &Record, gone: &[TextId], more: &[Fields]) -> Reshaped {
        let declared = self.types.declared(self.objects.label[record.object as usize]);
        if self.layout.takes_fields(record.implementation) {
            return self.reshaped_open(record, declared, gone, more);
        }
        if !declared.is_empty() {
            return self.declared_otherwise(declared, gone, more);
        }
        let goes = gone.len() as u64;
        let used = Self::places(record, !more.is_empty());
        let Some(used) = used.filter(|&used| used >= goes) else {
            let bytes = |run: &Fields| self.layout.elements(run.representation, run.count);
            return Reshaped {
                now: self.layout.elements(Representation::Any, goes),
                after: more.iter().map(bytes).sum(),
            };
        };
        let of_any = |count| self.layout.record_of(Representation::Any, count);
        let now = of_any(used);
        let left = used - goes;
        if more.is_empty() {
            let after = of_any(left);
            return Reshaped { now, after };
        }
        let fields = [&[Representation::Any.times(left)][..], more].concat();
        let after = self.layout.record(&RecordShape::own(&fields));
        Reshaped { now, after }
    }

    fn declared_otherwise(&self, declared: &[Field], gone: &[TextId], more: &[Fields]) -> Reshaped {
        let mut after = placed(&without(declared, gone));
        let goes = gone.iter().filter_map(|&gone| last_named(declared, gone));
        let first = goes.min().unwrap_or(declared.len());
        let by = declared[first.min(declared.len() - 1)].declared_by;
        after.splice(first..first, more.iter().map(|more| (by, *more)));
        Reshaped {
            now: bytes_of(&*self.layout, &placed(declared)),
            after: bytes_of(&*self.layout, &after),
        }
    }

    /// What the records of a type cost once these of its declared fields are others: each change says what stands in the
    /// field's place, and a count of 0 that the field goes. `None` where the type declares no fields.
    #[must_use]
    pub fn relaid(&self, ty: TypeId, changes: &[(TextId, Fields)]) -> Option<Reshaped> {
        let declared = self.types.declared(ty);
        if declared.is_empty() {
            return None;
        }
        let mut after = placed(declared);
        for &(name, becomes) in changes {
            if let Some(at) = last_named(declared, name) {
                after[at].1 = becomes;
            }
        }
        after.retain(|(_, fields)| fields.count > 0);
        Some(Reshaped {
            now: bytes_of(&*self.layout, &placed(declared)),
            after: bytes_of(&*self.layout, &after),
        })
    }

    /// The same for a record that may have fields beside those that its type declares.
    fn reshaped_open(
        &self,
        record: &Record,
        declared: &[Field],
        gone: &[TextId],
        more: &[Fields],
    ) -> Reshaped {
        let left = without(declared, gone);
        let open = Self::places(record, false).unwrap_or(0);
        let open = open.saturating_sub(declared.len() as u64);
        let goes = (gone.len() - (declared.len() - left.len())) as u64;
        let come: u64 = more.iter().map(|run| run.count).sum();
        let of = record.implementation;
        let bytes =
            |fixed: &[Field], open| priced(&placed(fixed), |fixed| self.layout.record_as(of, fixed, open));
        Reshaped {
            now: bytes(declared, open),
            after: bytes(&left, open.saturating_sub(goes) + come),
        }
    }

    /// How many fields a record is charged for. Fields that come fill its free room first.
    fn places(record: &Record, some_come: bool) -> Option<u64> {
        let known = |count: u32| (count != UNKNOWN).then_some(u64::from(count));
        let used = known(record.used);
        let room = known(record.available).filter(|_| record.dictionary == 0 && !some_come);
        used.max(room)
    }
}

/// Declared fields without those of some names.
fn without(declared: &[Field], gone: &[TextId]) -> Vec<Field> {
    let mut left = declared.to_vec();
    for &gone in gone {
        last_named(&left, gone).map(|at| left.remove(at));
    }
    left
}

/// Of several fields of a name the last one hides the others.
fn last_named(fields: &[Field], name: TextId) -> Option<usize> {
    fields.iter().rposition(|field| field.name == name)
}

fn placed(fields: &[Field]) -> Vec<(TypeId, Fields)> {
    fields.iter().map(Field::placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapBuilder;

    #[test]
    fn fields_come_and_go() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        let two = heap.record("Two", &[("a", x), ("b", x)]);
        let unknown = heap.record("Unknown", &[("a", x)]);
        heap.change_record(unknown, |record| record.used = UNKNOWN);
        let a = heap.text("a");
        let heap = heap.build();
        let of = |id, gone: Option<TextId>, more: &[Fields]| {
            let reshaped = heap.reshaped(heap.record(id).unwrap(), gone.as_slice(), more);
            (reshaped.freed(), reshaped.added())
        };
        assert_eq!(of(two, Some(a), &[]), (8, 0));
        assert_eq!(of(two, None, &[Representation::Any.times(3)]), (0, 24));
        // Two numbers of four bytes take the place of a reference.
        assert_eq!(of(two, Some(a), &[Representation::Integer(4).times(2)]), (0, 0));
        assert_eq!(of(unknown, Some(a), &[]), (8, 0));
        assert_eq!(
            of(unknown, Some(a), &[Representation::Integer(4).times(3)]),
            (0, 4)
        );
    }

    #[test]
    fn open_records_are_weighed_in_their_own_form() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        let three = heap.open_record("Three", &[("a", x), ("b", x), ("c", x)]);
        let two = heap.open_record("Two", &[("a", x), ("b", x)]);
        heap.class("Base", None, &[("fixed", Representation::Any)]);
        let mixed = heap.open_record("Base", &[("fixed", x), ("a", x), ("b", x), ("c", x)]);
        let (a, fixed) = (heap.text("a"), heap.text("fixed"));
        let heap = heap.build();
        let of = |id, gone: Option<TextId>, more: &[Fields]| {
            let reshaped = heap.reshaped(heap.record(id).unwrap(), gone.as_slice(), more);
            (reshaped.freed(), reshaped.added())
        };
        // Room comes in steps of two fields.
        assert_eq!(of(three, Some(a), &[]), (16, 0));
        assert_eq!(of(two, Some(a), &[]), (0, 0));
        assert_eq!(of(two, None, &[Representation::Any.times(1)]), (0, 16));
        // A declared field has a place of its own.
        assert_eq!(of(mixed, Some(fixed), &[]), (8, 0));
        assert_eq!(of(mixed, Some(a), &[]), (16, 0));
    }
}
