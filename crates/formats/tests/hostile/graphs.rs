//! Graphs that would make a reader or a rule go in circles or take too long.

use std::time::{Duration, Instant};

use deadweight_heap::Flags;

use crate::crafted::{Crafted, Style, program};
use crate::weighed;

#[test]
fn circles_come_to_an_end() {
    let mut made = program(8);
    let owner = made.node("object", "Object", 24);
    made.edge(5, "context", "owner", owner);
    // An object that is everything to itself.
    for name in ["properties", "elements", "table", "buffer", "map"] {
        made.edge(owner, "internal", name, owner);
    }
    made.edge(owner, "property", "self", owner);
    // Hidden classes in circles, by each of their references, with objects that use them.
    for name in ["back_pointer", "descriptors", "transitions", "constructor"] {
        let a = made.node("object shape", "system / Map", 72);
        let b = made.node("object shape", "system / Map", 72);
        made.edge(a, "internal", name, b);
        made.edge(b, "internal", name, a);
        made.edge(a, "internal", name, a);
        for class in [a, b] {
            let it = made.node("object", "Object", 40);
            made.edge(it, "internal", "map", class);
            made.edge(5, "context", "it", it);
        }
    }
    // Hidden classes that no object uses.
    let circle: Vec<usize> = (0..50)
        .map(|_| made.node("object shape", "system / Map", 72))
        .collect();
    for (i, &class) in circle.iter().enumerate() {
        made.edge(class, "internal", "back_pointer", circle[(i + 1) % circle.len()]);
        made.edge(class, "internal", "map", class);
    }
    // Buffers that are views on each other.
    let a = made.node("object", "ArrayBuffer", 88);
    let b = made.node("object", "ArrayBuffer", 88);
    made.edge(a, "internal", "buffer", b);
    made.edge(b, "internal", "buffer", a);
    made.edge(5, "context", "a", a);
    // Stores that hold each other, strings that are their own halves.
    let array = made.node("object", "Array", 32);
    let store = made.node("array", "(object elements)", 64);
    made.edge(5, "context", "array", array);
    made.edge(array, "internal", "elements", store);
    made.edge(store, "internal", "elements", store);
    made.edge(store, "internal", "0", array);
    let rope = made.node("concatenated string", "(concatenated string)", 32);
    made.edge(5, "context", "rope", rope);
    made.edge(rope, "internal", "first", rope);
    made.edge(rope, "internal", "second", rope);
    let slice = made.node("sliced string", "(sliced string)", 32);
    made.edge(5, "context", "slice", slice);
    made.edge(slice, "internal", "parent", slice);
    let heap = weighed(made.write(&Style::default()).as_bytes()).unwrap();
    for id in heap.rows() {
        let _ = heap.whole_bytes(id);
    }
}

#[test]
fn ropes_in_circles_come_to_an_end() {
    // Each piece of the rope that the program holds is, besides, made of these.
    let circles: [fn(usize, usize) -> [usize; 2]; 4] = [
        |own, _| [own, own],
        |own, other| [own, other],
        |_, other| [other, other],
        |own, other| [other, own],
    ];
    for of_first in circles {
        for of_second in circles {
            let mut made = program(8);
            let [rope, first, second] =
                [(); 3].map(|()| made.node("concatenated string", "(concatenated string)", 1 << 20));
            made.edge(5, "context", "rope", rope);
            let pieces = [
                (rope, [first, second]),
                (first, of_first(first, second)),
                (second, of_second(second, first)),
            ];
            for (string, pieces) in pieces {
                for (name, piece) in ["first", "second"].into_iter().zip(pieces) {
                    made.edge(string, "internal", name, piece);
                }
            }
            weighed(made.write(&Style::default()).as_bytes()).unwrap();
        }
    }
}

/// Reading and weighing a file of some megabytes takes seconds at most, whatever it says.
fn ends_soon(made: &Crafted) {
    let text = made.write(&Style::default());
    let start = Instant::now();
    let heap = weighed(text.as_bytes()).unwrap();
    for id in heap.rows() {
        if !heap.objects.has(id, Flags::PART) {
            let _ = heap.whole_bytes(id);
        }
    }
    let took = start.elapsed();
    assert!(
        took < Duration::from_secs(20),
        "{} bytes took {took:?}",
        text.len()
    );
}

#[test]
fn many_objects_that_share_one_store_cost_no_more_than_their_edges() {
    const MANY: usize = 20_000;
    for (kind, role, store) in [
        ("Map", "table", ""),
        ("Object", "properties", "(object properties)"),
        ("Array", "elements", "(object elements)"),
    ] {
        let mut made = program(8);
        // The store looks like a table of a map: three words an entry.
        let shared = made.node("array", store, (2 + 3 + 7 * 8192) * 8);
        // Names are all among a few, so that the builder's own search stays short.
        for i in 0..MANY {
            made.edge(shared, "internal", &(8197 + i % 100).to_string(), 5);
        }
        for _ in 0..MANY {
            let it = made.node("object", kind, 32);
            made.edge(it, "internal", role, shared);
            made.edge(5, "context", "it", it);
        }
        ends_soon(&made);
    }
}

#[test]
fn many_records_that_share_one_list_of_fields_cost_no_more_than_their_edges() {
    const MANY: usize = 20_000;
    let mut made = program(8);
    let list = made.node("hidden", "system / DescriptorArray", 24 + 24 * MANY as u64);
    let key = made.node("string", "key", 24);
    for i in 0..MANY {
        made.edge(list, "internal", &(3 * (i % 100)).to_string(), key);
    }
    for _ in 0..MANY {
        let class = made.node("object shape", "system / Map", 72);
        made.edge(class, "internal", "descriptors", list);
        let it = made.node("object", "Object", 32);
        made.edge(it, "internal", "map", class);
        made.edge(5, "context", "it", it);
    }
    ends_soon(&made);
}

#[test]
fn an_object_of_a_hundred_thousand_parts_is_no_trap() {
    let mut made = program(8);
    let it = made.node("object", "Object", 32);
    made.edge(5, "context", "it", it);
    for _ in 0..100_000 {
        let part = made.node("array", "(object elements)", 32);
        made.edge(it, "internal", "elements", part);
    }
    ends_soon(&made);
}

#[test]
fn long_chains_of_hidden_classes_and_closures_come_to_an_end() {
    let mut made = program(8);
    let mut before = made.node("object shape", "system / Map", 72);
    for _ in 0..30_000 {
        let class = made.node("object shape", "system / Map", 72);
        made.edge(class, "internal", "back_pointer", before);
        before = class;
    }
    for _ in 0..1_000 {
        let it = made.node("object", "Thing", 32);
        made.edge(it, "internal", "map", before);
        made.edge(5, "context", "it", it);
    }
    ends_soon(&made);
}
