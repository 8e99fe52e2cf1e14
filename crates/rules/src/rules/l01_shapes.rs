//! # L01 · a hidden class per object
//!
//! ## What it is
//! A *hidden class* is a note that the runtime makes for itself: which fields an object has, and where each of them
//! stands. It is no class that you write. Objects that get the same fields in the same order share one. Here objects with
//! the same fields have one each, because they were made in different ways or one by one.
//!
//! ## Why it costs
//! A hidden class is often larger than the object that it describes. It is meant to be there once for thousands of
//! objects. When each object brings its own, you pay for it each time. Code that reads the fields gets slower, too, since
//! it meets a new hidden class each time.
//!
//! ## How it is found
//! Records (objects with fields) are grouped by type: the class, or the list of fields where there is no class. A hidden
//! class, *shape* for short, with fewer than four live records, all of one type, counts as a shape of their own. Sixteen of them in a type are reported, unless the
//! fields of the records vary that much (more than twice as many names in all as in a record) that the objects serve as
//! maps.
//!
//! Some runtimes give an object a class of its own when it gets methods of its own. Sixteen such objects of one type whose
//! methods run the same code are reported, too; classes and modules, which are written once, are not among them.
//!
//! ## How the saving is computed
//! All shapes of their own go, with the lists that belong to them alone, but for one when the type has no shared shape
//! that could serve instead. The records are laid out afresh, with all fields inside: what they take now, stores for
//! fields outside the object included, against a record as a constructor makes it. Of classes with methods of their own
//! one stays, and the others go with their methods and with the variables that only these captured.
//!
//! ## How to fix it
//! Give all records one shape: make them in one place, with the same fields in the same order.
//!
//! - JavaScript: a class whose constructor assigns every field, or `{extra, ...record}` and `Object.assign` instead of
//!   `{...record, extra}`, which some versions of V8 give a class each; a newer version may do it without a change.
//!   Never add fields one by one under conditions, and do not `delete` them: assign `undefined`.
//! - Ruby: assign all instance variables in `initialize`, in one order. Write methods in the class and `include` modules
//!   there, in the place of methods of single objects (`define_singleton_method`, `extend`, a `def` with an object before the
//!   name). `OpenStruct` defines methods on each of its objects: a `Struct` with the same members has them once.
//! - Python: `__slots__`, or assign all attributes in `__init__`.
//!
//! ## When not to
//! When the records live for a moment only, the descriptions go with them. When each object has fields of its own, it
//! is a map: use one.

mod own_classes;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Flags, Heap, NONE, Parts, Record, Representation, Shape, TypeId, UNKNOWN, in_pieces};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::count::Count;
use crate::parts::{ClaimWhole, claim_each};
use crate::{Basis, Candidate, Code, Rule, Verdict};

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

    fn basis(&self) -> Basis {
        Basis::Data
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
            return own_classes::candidates(heap).into();
        }
        // By row of `heap.shapes`: whether too few records share it.
        let mut is_lonely = vec![false; heap.shapes.len()];
        for &shape in lonely.values().flat_map(|group| &group.shapes) {
            is_lonely[shape as usize] = true;
        }
        let pieces = in_pieces(&heap.records, |records| {
            let mut of_piece: FxHashMap<TypeId, Lonely> = FxHashMap::default();
            for record in records.iter().filter(|record| record.dictionary == 0) {
                let Some(ty) = heap.record_type(record).filter(|ty| lonely.contains_key(ty)) else {
                    continue;
                };
                let group = of_piece.entry(ty).or_default();
                let shape = shape_index(heap, record);
                // A lonely shape's records are all of its type.
                if shape.is_some_and(|shape| is_lonely[shape as usize]) {
                    group.records.push(*record);
                } else {
                    group.shared |= shape.is_some();
                    group.unaffected += 1;
                }
            }
            of_piece
        });
        for (ty, found) in pieces.into_iter().flatten() {
            let group = lonely.entry(ty).or_default();
            group.records.extend(found.records);
            group.unaffected += found.unaffected;
            group.shared |= found.shared;
        }
        let mut groups: Vec<_> = lonely.into_iter().collect();
        groups.sort_unstable_by_key(|(ty, _)| *ty);
        let shapes = groups
            .iter()
            .filter_map(|(ty, group)| candidate(heap, *ty, group));
        shapes
            .chain(own_classes::candidates(heap))
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
    unaffected: u64,
    /// Whether there is a shared shape.
    shared: bool,
}

/// For each shape the one type that all its live records have.
pub(super) struct ShapeOwners {
    types: Vec<AtomicU32>,
    seen: Vec<AtomicU32>,
}

/// No type yet.
const NO_TYPE: TypeId = TypeId::MAX - 1;
/// More than one type.
const MIXED: TypeId = TypeId::MAX;

impl ShapeOwners {
    /// Finds them, once for all rules.
    pub(super) fn of(heap: &Heap) -> Arc<Self> {
        heap.shared.get(|| Self::find(heap))
    }

    fn find(heap: &Heap) -> Self {
        let column = |value: u32| heap.shapes.iter().map(|_| AtomicU32::new(value)).collect();
        let owners = Self {
            types: column(NO_TYPE),
            seen: column(0),
        };
        in_pieces(&heap.records, |records| {
            for record in records {
                let (Some(ty), Some(shape)) = (heap.record_type(record), shape_index(heap, record)) else {
                    continue;
                };
                owners.see(shape as usize, ty);
            }
        });
        owners
    }

    /// Notes one record. Whoever comes first, the outcome is the same: one type, or several.
    fn see(&self, shape: usize, ty: TypeId) {
        let slot = &self.types[shape];
        let was = slot.compare_exchange(NO_TYPE, ty, Ordering::Relaxed, Ordering::Relaxed);
        if was.is_err_and(|other| other != ty) {
            slot.store(MIXED, Ordering::Relaxed);
        }
        self.seen[shape].fetch_add(1, Ordering::Relaxed);
    }

    /// The type of all records that use the shape; `None` when there are several, or when others use it too.
    pub(super) fn owner(&self, index: usize, shape: &Shape) -> Option<TypeId> {
        let seen = self.seen[index].load(Ordering::Relaxed);
        let ty = self.types[index].load(Ordering::Relaxed);
        (seen > 0 && seen >= shape.instances && ty != MIXED).then_some(ty)
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
    claim_each(heap, &mut candidate, &group.shapes, |&index| {
        let shape = heap.shapes[index as usize].object;
        (shape != kept && !heap.objects.has(shape, Flags::EXTERNAL)).then_some(shape)
    });
    let of_shapes = candidate.bytes_now;
    let unknown = group.records.iter().any(|record| record.used == UNKNOWN);
    let after = heap.layout.record_of(Representation::Any, fields);
    let of_records = in_pieces(&group.records, |records| {
        let (mut found, mut parts) = (Candidate::at(""), Parts::default());
        for record in records {
            found.bytes_now += if record.used == UNKNOWN {
                heap.bytes(record.object)
            } else {
                parts.lay_out(heap, &mut found, record.object, after)
            };
        }
        found
    });
    for found in of_records {
        candidate.absorb(found);
    }
    let of_records = candidate.bytes_now - of_shapes;
    candidate.count = group.records.len() as u64;
    candidate.unaffected = group.unaffected;
    let shapes = group.shapes.len();
    candidate.title = format!(
        "{} have {}",
        Count(candidate.count).of("record", "records"),
        Count(shapes as u64).of("hidden class", "hidden classes")
    );
    candidate.fix = "create all records through one class that sets every field".into();
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
    evidence.insert(
        "record_bytes_after".into(),
        json!(heap.layout.record_of(Representation::Any, fields)),
    );
    evidence.insert("examples".into(), json!(examples));
    if unknown {
        candidate =
            candidate.assuming("records whose number of fields the dump does not show keep their size");
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
mod tests;
