//! # C05 · arrays of small arrays of one length
//!
//! ## What it is
//! A list of points, pairs or rows, each an array of its own: `[[x, y], [x, y], …]`. All inner arrays have the same small
//! number of slots, and nothing but the list refers to them.
//!
//! ## Why it costs
//! A pair is two slots of content. As an array it has a header, in many runtimes a store with a header of its own, and a
//! reference in the list: five times what its values take is usual.
//!
//! ## How it is found
//! Arrays whose every slot holds another array that nothing else refers to, from 64 at one holder, all with the same
//! number of slots in use, from 2 to 8. Where a runtime has arrays of numbers, arrays of one sort of number count, too: a
//! Java `double[n][2]`.
//!
//! ## How the saving is computed
//! The bytes of the inner arrays, less what the list gains: as many slots for each inner array as it had values, in
//! place of the one that refers to it. In place of arrays of numbers and their list comes one array of such numbers. It is an option, and never counted as dead weight: the code that reads and writes
//! the list changes.
//!
//! ## How to fix it
//! Keep all values in one flat array of the final length, and read the pair `i` at `2 * i` and `2 * i + 1`.
//!
//! - JavaScript: `const flat = new Array(2 * count)`; where all values are numbers, a `Float64Array`, which is smaller
//!   still and is what L06 offers for records.
//! - Ruby: `flat = Array.new(2 * count)`, `flat[2 * i]`; `each_slice(2)` walks the pairs, and makes an array for each.
//! - Python: one list, or `array.array('d')`; with numpy an array of two dimensions.
//! - Java: `double[] flat = new double[2 * count]`.
//!
//! ## When not to
//! When inner arrays are handed on by themselves, change their length, or are sorted and moved: a flat list moves values
//! one by one.

use std::sync::Arc;

use deadweight_heap::{
    Array, Buffer, EdgeKind, Heap, HolderId, Holders, Implementation, NONE, ObjectId, Parts, Representation,
    RowSet, UNKNOWN,
};
use serde_json::json;

use crate::count::Count;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate, Code, Rule, Verdict};

#[cfg(test)]
mod tests;

/// Fewer inner arrays at one holder are no habit.
const FEWEST: u64 = 64;

/// From a pair to eight values: longer arrays cost little beside what they hold.
const SLOTS: std::ops::RangeInclusive<u32> = 2..=8;

/// The rule.
pub struct NestedArrays;

impl Rule for NestedArrays {
    fn code(&self) -> Code {
        Code("C05")
    }

    fn source(&self) -> &'static str {
        include_str!("c05_nested.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("no inner array changes its length")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let holders = Holders::new(heap);
        let nested = NestedLists::of(heap, &holders);
        let candidates = nested.0.iter();
        candidates
            .map(|(holder, lists)| candidate(heap, holders.name(*holder), lists))
            .collect::<Vec<_>>()
            .into()
    }
}

/// The lists of each holder that has enough, found once for this rule and for the one that leaves arrays of numbers to it.
struct NestedLists(Vec<(HolderId, Vec<Nested>)>);

impl NestedLists {
    fn of(heap: &Heap, holders: &Holders) -> Arc<Self> {
        heap.shared.get(|| {
            let lists = holders.group_all(heap.arrays.len(), |at| {
                let list = Nested::of(heap, heap.arrays[at])?;
                Some((list.outer.object, list))
            });
            let is_habit = |lists: &[Nested]| lists.iter().map(Nested::count).sum::<u64>() >= FEWEST;
            let lists = lists.into_iter().filter(|(_, lists)| is_habit(lists));
            Self(lists.collect())
        })
    }
}

/// Arrays of numbers that this rule would put into one.
pub(super) fn flat_numbers(heap: &Heap, holders: &Holders) -> RowSet {
    if !heap.buffers.iter().any(Buffer::holds_numbers) {
        return heap.no_rows();
    }
    let nested = NestedLists::of(heap, holders);
    let lists = nested.0.iter().flat_map(|(_, lists)| lists);
    let of_numbers = lists.filter(|list| list.values.numbers.is_some());
    heap.row_set(of_numbers.flat_map(|list| &list.inner).copied())
}

/// A list of arrays of one length.
struct Nested {
    outer: Array,
    inner: Vec<ObjectId>,
    /// What each inner array holds.
    values: Values,
}

/// What an inner array holds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Values {
    /// Slots in use.
    slots: u32,
    /// The sort of number, of an array that holds nothing else.
    numbers: Option<Representation>,
}

impl Values {
    fn of(heap: &Heap, id: ObjectId) -> Option<Self> {
        if let Some(array) = heap.array(id) {
            let (slots, numbers) = (array.used, None);
            return Some(Self { slots, numbers });
        }
        let buffer = heap
            .buffer(id)
            .filter(|buffer| buffer.has_bytes_inside() && buffer.holds_numbers())?;
        let width = buffer.elements.bytes(0);
        Some(Self {
            slots: u32::try_from(buffer.bytes / width).ok()?,
            numbers: Some(buffer.elements),
        })
    }
}

impl Nested {
    fn of(heap: &Heap, outer: Array) -> Option<Self> {
        let is_list = heap.array(outer.object).is_some() && heap.in_program(outer.object);
        if !is_list || outer.used == UNKNOWN || outer.used == 0 {
            return None;
        }
        let mut inner = Vec::new();
        let mut of_all = None;
        for id in heap.elements(&outer) {
            let values = Values::of(heap, id)?;
            let alike = *of_all.get_or_insert(values) == values && SLOTS.contains(&values.slots);
            if !alike || !is_own(heap, &outer, id) {
                return None;
            }
            inner.push(id);
        }
        let values = of_all?;
        // A flat array of numbers has nothing to put where there is no inner array.
        let has_holes = values.numbers.is_some()
            && heap.layout.length_is_room(outer.implementation)
            && outer.capacity != outer.used;
        let all_seen = inner.len() as u64 == u64::from(outer.used);
        (all_seen && !has_holes).then_some(Self { outer, inner, values })
    }

    /// Slots in use of each inner array.
    fn slots(&self) -> u64 {
        self.values.slots.into()
    }

    fn count(&self) -> u64 {
        self.inner.len() as u64
    }
}

/// Whether the list alone refers to an array of the program's.
fn is_own(heap: &Heap, list: &Array, id: ObjectId) -> bool {
    let named = heap.referrers.of(id);
    let by_list =
        named.is_some_and(|(from, via)| via.kind() == EdgeKind::Element && heap.owner(from) == list.object);
    let is_own = by_list && !heap.referrers.are_several(id) && heap.in_program(id) && heap.bytes(id) > 0;
    // A flat list has no place for what a class adds to its arrays.
    is_own && !heap.has_fields_beside_entries(id)
}

fn candidate(heap: &Heap, holder: String, lists: &[Nested]) -> Candidate {
    let mut candidate =
        Candidate::at(holder).assuming("no inner array changes its length, and none is handed on by itself");
    candidate.option = true;
    let mut parts = Parts::default();
    let mut values = 0;
    for list in lists {
        let mut now = 0;
        for &id in &list.inner {
            now += parts.claim_whole(heap, &mut candidate, id);
        }
        candidate.bytes_now += now;
        candidate.count += list.count();
        values += list.count() * list.slots();
        if let Some(numbers) = list.values.numbers {
            candidate.bytes_now += parts.claim_whole(heap, &mut candidate, list.outer.object);
            let slots = list.count() * list.slots();
            candidate.overhead += heap.layout.array(Implementation::USUAL, numbers, slots);
            continue;
        }
        let store = if list.outer.store == NONE {
            list.outer.object
        } else {
            list.outer.store
        };
        candidate.add_to(store, growth(heap, list, now));
    }
    candidate.title = format!(
        "{} in {}",
        Count(candidate.count).of("small array", "small arrays"),
        Count(lists.len() as u64).of("list", "lists")
    );
    candidate.fix = "keep their values in one flat array of the final length".into();
    candidate.show("values", values);
    candidate.show("lists", lists.len() as u64);
    let slots = lists.iter().map(Nested::slots);
    candidate.show(
        "slots",
        json!({"least": slots.clone().min(), "most": slots.max()}),
    );
    candidate
}

/// Bytes that a list gains when it has the values in place of the arrays, which take `now` bytes.
fn growth(heap: &Heap, list: &Nested, now: u64) -> u64 {
    let array = |elements, count| heap.layout.array(list.outer.implementation, elements, count);
    let (count, slots) = (list.count(), list.slots());
    // A store of numbers may have wider slots than one of references.
    let is_wider = now > count * array(Representation::Any, slots);
    let elements = if is_wider { WIDEST } else { Representation::Any };
    array(elements, count * slots).saturating_sub(array(Representation::Any, count))
}

/// The widest value that an array holds without a box.
const WIDEST: Representation = Representation::Float(8);
