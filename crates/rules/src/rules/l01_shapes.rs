//! # L01 · a hidden class per object
//!
//! ## What it is
//! Records that are alike to a reader of the program, but for which the runtime keeps a description of fields each.
//!
//! ## Why it costs
//! A runtime that lays records out by a hidden class (a shape) means one class to serve many records. When each record
//! brings its own, the description is paid for with every record, and is often larger than the record itself. Code
//! that reads the fields gets slower too, since it meets a new class each time.
//!
//! ## How it is found
//! Records are grouped by type: the class, or the list of fields where there is no class. A shape with fewer than four
//! live records, all of one type, counts as a shape of their own. Sixteen of them in a type are reported, unless the
//! fields of the records vary so much (more than twice as many names in all as in a record) that the objects serve as
//! maps.
//!
//! ## How the saving is computed
//! All shapes of their own go, with the lists that belong to them alone, but for one when the type has no shared shape
//! that could serve instead. The records are laid out afresh, with all fields inside: what they take now, stores for
//! fields outside the object included, against a record as a constructor makes it.
//!
//! ## How to fix it
//! Give all records one shape: make them in one place, with the same fields in the same order.
//!
//! - JavaScript: a class whose constructor assigns every field, or `{extra, ...record}` and `Object.assign` instead of
//!   `{...record, extra}`, which some versions of V8 give a class each; a newer version may do it without a change.
//!   Never add fields one by one under conditions, and do not `delete` them: assign `undefined`.
//! - Ruby: assign all instance variables in `initialize`, in one order.
//! - Python: `__slots__`, or assign all attributes in `__init__`.
//!
//! ## When not to
//! When the records live for a moment only, the descriptions go with them. When each object has fields of its own, it
//! is a map: use one.

use deadweight_heap::{Flags, Heap, NONE, Record, Shape, TypeId, UNKNOWN};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::fields::type_of;
use crate::parts::Parts;
use crate::{Candidate, Code, Rule, Verdict};

/// A shape with this many records is shared.
const SHARED: u32 = 4;
/// Fewer shapes of their own than this are no pattern.
const LEAST: usize = 16;

/// The rule.
pub struct ShapePerObject;

impl Rule for ShapePerObject {
    fn code(&self) -> Code {
        Code("L01")
    }

    fn source(&self) -> &'static str {
        include_str!("l01_shapes.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let owners = ShapeOwners::of(heap);
        let mut lonely: FxHashMap<TypeId, Lonely> = FxHashMap::default();
        for (index, shape) in heap.shapes.iter().enumerate() {
            if let Some(ty) = owners.owner(index, shape).filter(|_| shape.instances < SHARED) {
                lonely.entry(ty).or_default().shapes.push(index as u32);
            }
        }
        lonely.retain(|_, group| group.shapes.len() >= LEAST);
        if lonely.is_empty() {
            return Verdict::default();
        }
        for record in &heap.records {
            let Some(group) = type_of(heap, record).and_then(|ty| lonely.get_mut(&ty)) else {
                continue;
            };
            if record.dictionary > 0 {
                continue;
            }
            let shape = shape_index(heap, record);
            if shape.is_some_and(|shape| group.shapes.binary_search(&shape).is_ok()) {
                group.records.push(*record);
            } else {
                group.shared |= shape.is_some();
                group.good += 1;
            }
        }
        let mut groups: Vec<_> = lonely.into_iter().collect();
        groups.sort_unstable_by_key(|(ty, _)| *ty);
        groups
            .iter()
            .filter_map(|(ty, group)| candidate(heap, *ty, group))
            .collect::<Vec<_>>()
            .into()
    }
}

/// Shapes of one type that too few records share.
#[derive(Default)]
struct Lonely {
    /// Rows of `heap.shapes`, ascending.
    shapes: Vec<u32>,
    records: Vec<Record>,
    /// Records with fixed places whose shape is shared.
    good: u64,
    /// Whether there is a shared shape.
    shared: bool,
}

/// For each shape the one type that all its live records have.
pub(super) struct ShapeOwners {
    types: Vec<TypeId>,
    seen: Vec<u32>,
}

/// More than one type.
const MIXED: TypeId = TypeId::MAX;

impl ShapeOwners {
    pub(super) fn of(heap: &Heap) -> Self {
        let mut owners = Self {
            types: vec![MIXED; heap.shapes.len()],
            seen: vec![0; heap.shapes.len()],
        };
        for record in &heap.records {
            let (Some(ty), Some(shape)) = (type_of(heap, record), shape_index(heap, record)) else {
                continue;
            };
            let shape = shape as usize;
            if owners.seen[shape] == 0 {
                owners.types[shape] = ty;
            } else if owners.types[shape] != ty {
                owners.types[shape] = MIXED;
            }
            owners.seen[shape] += 1;
        }
        owners
    }

    /// The type of all records that use the shape; `None` when there are several, or when others use it too.
    pub(super) fn owner(&self, index: usize, shape: &Shape) -> Option<TypeId> {
        let all_seen = self.seen[index] > 0 && self.seen[index] >= shape.instances;
        (all_seen && self.types[index] != MIXED).then(|| self.types[index])
    }
}

/// The row of a record's shape in `heap.shapes`.
pub(super) fn shape_index(heap: &Heap, record: &Record) -> Option<u32> {
    if record.shape == NONE || record.shape as usize >= heap.objects.len() {
        return None;
    }
    heap.shape(record.shape)?;
    Some(heap.objects.fact[record.shape as usize])
}

fn candidate(heap: &Heap, ty: TypeId, group: &Lonely) -> Option<Candidate> {
    let fields = fields_after(heap, group)?;
    let mut candidate = Candidate::at(heap.types.name(ty));
    let mut parts = Parts::default();
    let kept = if group.shared {
        NONE
    } else {
        // The records will share one: the one most of them have now, the first among equals.
        let most = |&&index: &&u32| (heap.shapes[index as usize].instances, std::cmp::Reverse(index));
        group
            .shapes
            .iter()
            .max_by_key(most)
            .map_or(NONE, |&index| heap.shapes[index as usize].object)
    };
    let mut of_shapes = 0;
    for &index in &group.shapes {
        let shape = heap.shapes[index as usize].object;
        if shape != kept && !heap.objects.has(shape, Flags::EXTERNAL) {
            of_shapes += parts.claim_whole(heap, &mut candidate, shape);
        }
    }
    let mut of_records = 0;
    let mut unknown = 0_u64;
    for record in &group.records {
        if record.used == UNKNOWN {
            unknown += 1;
            of_records += heap.bytes(record.object);
        } else {
            of_records += parts.lay_out(heap, &mut candidate, record.object, fields);
        }
    }
    candidate.count = group.records.len() as u64;
    candidate.good = group.good;
    candidate.bytes_now = of_shapes + of_records;
    let shapes = group.shapes.len();
    candidate.title = format!("{} records have {shapes} hidden classes", candidate.count);
    candidate.fix =
        "give all instances one shape: a class or constructor that assigns the same fields in the same order"
            .into();
    let examples: Vec<_> = group
        .records
        .iter()
        .take(3)
        .map(|record| example(heap, record))
        .collect();
    let evidence = &mut candidate.evidence;
    evidence.insert("shapes".into(), json!(shapes));
    evidence.insert("shape_bytes".into(), json!(of_shapes));
    evidence.insert("record_bytes".into(), json!(of_records));
    evidence.insert("fields_after".into(), json!(fields));
    evidence.insert("record_bytes_after".into(), json!(heap.layout.record(fields)));
    evidence.insert("examples".into(), json!(examples));
    if unknown > 0 {
        candidate =
            candidate.assuming("records whose number of fields the dump does not tell keep their size");
    }
    Some(candidate)
}

fn example(heap: &Heap, record: &Record) -> serde_json::Value {
    let shape = shape_index(heap, record).and_then(|index| heap.shapes.get(index as usize));
    json!({
        "record_bytes": heap.whole_bytes(record.object),
        "shape_bytes": shape.map(|shape| shape.bytes),
        "fields": record.used,
    })
}

/// How many fields the one shape needs; `None` when the records are maps: their fields are not of one list.
fn fields_after(heap: &Heap, group: &Lonely) -> Option<u64> {
    let known = || {
        group
            .records
            .iter()
            .map(|record| record.used)
            .filter(|&used| used != UNKNOWN)
    };
    let most = u64::from(known().max().unwrap_or(0));
    let mut lists: FxHashSet<TypeId> = FxHashSet::default();
    let mut names = FxHashSet::default();
    for &index in &group.shapes {
        let list = heap.shapes[index as usize].fields;
        if lists.insert(list) {
            names.extend(heap.types.fields(list).iter().copied());
        }
    }
    let all = most.max(names.len() as u64);
    let count = known().count() as u64;
    let sum: u64 = known().map(u64::from).sum();
    (all * count <= 2 * sum || count == 0).then_some(all)
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Kind, ObjectId};

    use super::*;

    fn own_shapes(heap: &mut HeapBuilder, class: &str, count: usize) -> Vec<ObjectId> {
        let value = heap.object(Kind::Runtime, "null", 0);
        let make = |heap: &mut HeapBuilder| {
            let shape = heap.shape(2);
            let list = heap.object(Kind::Runtime, "descriptors", 48);
            heap.part(shape, list);
            heap.record_with_shape(class, shape, &[("a", value), ("b", value)])
        };
        (0..count).map(|_| make(heap)).collect()
    }

    #[test]
    fn all_own_shapes_but_one_are_claimed_with_their_lists() {
        let mut heap = HeapBuilder::new();
        own_shapes(&mut heap, "", 20);
        let found = ShapePerObject.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "{a, b}");
        assert_eq!(found[0].net(), 19 * (72 + 48 + 48));
        assert_eq!(found[0].count, 20);
        assert_eq!(found[0].evidence["shapes"], 20);
    }

    #[test]
    fn a_shared_shape_serves_the_others() {
        let mut heap = HeapBuilder::new();
        let value = heap.object(Kind::Runtime, "null", 0);
        own_shapes(&mut heap, "M", 20);
        for _ in 0..10 {
            heap.record("M", &[("a", value), ("b", value)]);
        }
        let found = ShapePerObject.look(&heap.build()).candidates;
        assert_eq!(found[0].net(), 20 * 168);
        assert_eq!(found[0].good, 10);
    }

    #[test]
    fn fields_outside_the_object_move_in() {
        let mut heap = HeapBuilder::new();
        for id in own_shapes(&mut heap, "M", 16) {
            let store = heap.object(Kind::Opaque, "store", 40);
            heap.part(id, store);
        }
        let found = ShapePerObject.look(&heap.build()).candidates;
        assert_eq!(found[0].net(), 15 * 168 + 16 * 40);
    }

    #[test]
    fn numbered_slots_keep_their_store() {
        let mut heap = HeapBuilder::new();
        for id in own_shapes(&mut heap, "M", 16) {
            let store = heap.object(Kind::Opaque, "store", 40);
            heap.part(id, store)
                .edge(id, deadweight_heap::EdgeKind::Element, 0, store);
        }
        let found = ShapePerObject.look(&heap.build()).candidates;
        assert_eq!(found[0].net(), 15 * 168);
    }

    #[test]
    fn few_shapes_or_shared_ones_are_fine() {
        let mut heap = HeapBuilder::new();
        let value = heap.object(Kind::Runtime, "null", 0);
        own_shapes(&mut heap, "Few", 15);
        for i in 0..100 {
            let name = format!("f{}", i % 20);
            heap.record("Shared", &[(&name, value)]);
        }
        assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn objects_with_fields_of_their_own_are_maps() {
        let mut heap = HeapBuilder::new();
        let value = heap.object(Kind::Runtime, "null", 0);
        for i in 0..40 {
            let shape = heap.shape(1);
            let name = heap.text(&format!("key{i}"));
            heap.shape_fields(shape, &[name]);
            heap.record_with_shape("Headers", shape, &[(&format!("key{i}"), value)]);
        }
        assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn a_shape_that_others_use_too_stays() {
        let mut heap = HeapBuilder::new();
        let value = heap.object(Kind::Runtime, "null", 0);
        for _ in 0..20 {
            let shape = heap.shape(1);
            heap.record_with_shape("A", shape, &[("a", value)]);
            heap.record_with_shape("B", shape, &[("a", value)]);
        }
        assert!(ShapePerObject.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn a_record_with_a_broken_shape_is_passed_over() {
        let mut heap = HeapBuilder::new();
        let value = heap.object(Kind::Runtime, "null", 0);
        own_shapes(&mut heap, "M", 16);
        heap.record_with_shape("M", value, &[("a", value)]);
        assert_eq!(ShapePerObject.look(&heap.build()).candidates.len(), 1);
    }
}
