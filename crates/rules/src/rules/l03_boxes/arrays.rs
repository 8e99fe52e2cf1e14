//! Arrays of which every element is a number in a box: an array of numbers has the numbers themselves.

use deadweight_heap::{
    Array, EdgeKind, Flags, Heap, Holders, Kind, NONE, Numeric, ObjectId, Parts, Representation, RowSet,
    TypeId, in_pieces,
};
use rayon::prelude::*;

use super::LEAST;
use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;

/// Bytes of each number, whatever its class: an array of less would not take all values of the class.
const WIDTH: u8 = 8;

pub(super) fn arrays(heap: &Heap) -> Vec<Candidate> {
    if heap.numbers.len() < LEAST as usize {
        return Vec::new();
    }
    let found: Vec<Option<Representation>> =
        heap.arrays.par_iter().map(|array| of_all(heap, array)).collect();
    let is_found = RowSet::of(heap.objects.len(), |id| {
        heap.array(id).is_some() && found[heap.objects.fact[id as usize] as usize].is_some()
    });
    let asked = RowSet::of(heap.objects.len(), |id| {
        heap.number(id).is_some() && heap.bytes(id) > 0
    });
    let stays = heap.held_otherwise(&asked, |reference| {
        let is_element =
            reference.via.kind() == EdgeKind::Element && is_found.has(heap.owner(reference.from));
        reference.is_of_program(heap) && !is_element
    });
    let holders = Holders::new(heap);
    let places = holders.group_all(found.len(), |at| {
        let object = heap.arrays[at].object;
        found[at].map(|numbers| (object, (at, numbers)))
    });
    let mut candidates: Vec<Candidate> = Vec::new();
    for (holder, arrays) in places {
        let candidate = of_place(heap, holders.name(holder), &arrays, &stays);
        if candidate.count >= u64::from(LEAST) && candidate.net() > 0 {
            candidates.push(candidate);
        }
    }
    candidates
}

/// As what an array's numbers would stand, where it has nothing but numbers of one class in boxes.
fn of_all(heap: &Heap, array: &Array) -> Option<Representation> {
    let is_inside = |row: ObjectId| row != NONE && !heap.objects.has(row, Flags::EXTERNAL);
    let is_wanted = array.used > 0
        && heap.in_program(array.object)
        && is_inside(array.object)
        && is_inside(array.store)
        && !heap.has_fields_beside_entries(array.object);
    if !is_wanted {
        return None;
    }
    let mut class: Option<TypeId> = None;
    let (mut count, mut all_whole) = (0_u32, true);
    for element in heap.elements(array) {
        let number = heap.number(element)?;
        // A fraction may have a whole value, too.
        all_whole &= match number.value() {
            Numeric::Integer(_) => true,
            Numeric::Float(_) => false,
            _ => return None,
        };
        let of = heap.objects.label[element as usize];
        if *class.get_or_insert(of) != of {
            return None;
        }
        count += 1;
    }
    let class = class.filter(|_| count == array.used)?;
    Some(match heap.types.declared(class) {
        [field] if !field.representation.refers() => field.representation,
        _ if all_whole => Representation::Integer(WIDTH),
        _ => Representation::Float(WIDTH),
    })
}

fn of_place(heap: &Heap, holder: String, arrays: &[(usize, Representation)], stays: &RowSet) -> Candidate {
    let mut candidate = Candidate::at(holder).at_all_places();
    candidate.variant = "array";
    let claimed = heap.no_rows();
    let pieces = in_pieces(arrays, |arrays| {
        let (mut found, mut parts) = (Candidate::at(""), Parts::default());
        for (at, numbers) in arrays {
            let array = &heap.arrays[*at];
            for element in heap.elements(array) {
                let goes = heap.kind(element) == Kind::Number
                    && heap.bytes(element) > 0
                    && heap.in_program(element)
                    && !stays.has(element);
                if !goes {
                    found.unaffected += 1;
                } else if claimed.insert(element) {
                    found.bytes_now += parts.claim_whole(heap, &mut found, element);
                    found.count += 1;
                }
            }
            reshape(heap, array, *numbers, &mut parts, &mut found);
        }
        found
    });
    for found in pieces {
        candidate.absorb(found);
    }
    candidate.title = format!(
        "{} in boxes of their own, in arrays of nothing else",
        Count(candidate.count).of("number", "numbers")
    );
    let is_bounded = |(at, _): &(usize, Representation)| {
        let label = heap.objects.label[heap.arrays[*at].object as usize];
        heap.types.is_bounded(label)
    };
    candidate.fix = if arrays.iter().any(is_bounded) {
        "keep them in an array of numbers of the longest length, with an index for the next one: these arrays drop their \
         first element when they get longer"
    } else {
        "keep them in an array of numbers"
    }
    .into();
    candidate
}

/// Books what becomes of an array's own object and store.
fn reshape(heap: &Heap, array: &Array, numbers: Representation, parts: &mut Parts, found: &mut Candidate) {
    let (object, store) = (array.object, array.store);
    // An array of numbers has no nodes.
    for node in parts.held(heap, object).filter(|&piece| piece != store) {
        found.claim(node, heap.bytes(node));
        found.bytes_now += heap.bytes(node);
    }
    let now = heap.bytes_with_store(array);
    let after = heap
        .layout
        .array(array.implementation, numbers, u64::from(array.used));
    if after > now {
        found.add_to(store, after - now);
    } else if store == object {
        found.claim(object, now - after);
    } else {
        found.claim(store, (now - after).min(heap.bytes(store)));
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::tests::look;
    use super::*;

    #[test]
    fn an_array_of_nothing_but_boxes_is_an_array_of_numbers() {
        let mut heap = HeapBuilder::new();
        let numbers: Vec<ObjectId> = (0..20).map(|i| heap.number(f64::from(i) * 0.5)).collect();
        let each = numbers[0];
        let list = heap.array(20, &numbers);
        heap.variable("list", list);
        let heap = heap.build();
        let found = look(&heap, "array");
        assert_eq!(
            (found.len(), found[0].holder.as_str(), found[0].count),
            (1, "list", 20)
        );
        // The references are as wide as the numbers.
        assert_eq!(found[0].net(), 20 * heap.bytes(each).cast_signed());
    }

    /// An array of numbers has no limit: whoever relied on it needs to know where the next one goes.
    #[test]
    fn an_array_with_a_limit_becomes_a_ring() {
        let mut heap = HeapBuilder::new();
        let numbers: Vec<ObjectId> = (0..20).map(|i| heap.number(f64::from(i) * 0.5)).collect();
        let list = heap.array(20, &numbers);
        heap.variable("list", list);
        heap.bounded("Array");
        let fix = look(&heap.build(), "array")[0].fix.clone();
        assert!(fix.contains("with an index for the next one"), "{fix}");
    }

    #[test]
    fn a_number_that_something_else_holds_stays_and_other_elements_keep_the_array() {
        let mut heap = HeapBuilder::new();
        let numbers: Vec<ObjectId> = (0..40).map(|i| heap.number(f64::from(i) + 0.5)).collect();
        let each = numbers[0];
        let list = heap.array(40, &numbers);
        heap.variable("list", list);
        for number in &numbers[..10] {
            heap.record("Other", &[("value", *number)]);
        }
        let mut mixed: Vec<ObjectId> = (0..40).map(|i| heap.number(f64::from(i) + 0.25)).collect();
        mixed.push(heap.string("x"));
        let mixed = heap.array(41, &mixed);
        heap.variable("mixed", mixed);
        let heap = heap.build();
        let found = look(&heap, "array");
        assert_eq!(
            (found.len(), found[0].holder.as_str(), found[0].count),
            (1, "list", 30)
        );
        assert_eq!(found[0].net(), 30 * heap.bytes(each).cast_signed());
    }
}
