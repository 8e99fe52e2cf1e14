//! A memory of WebAssembly is no buffer that a program could keep in another form.

mod crafted;

use crafted::{Crafted, Style, program, read, scope};
use deadweight_heap::{Kind, ObjectId};

/// An array buffer of a page with a typed array on it, both in a variable's reach.
fn viewed(snapshot: &mut Crafted, scope: usize, class: &str) -> [usize; 2] {
    let buffer = snapshot.node("object", class, 88);
    let backing = snapshot.node("native", "system / JSArrayBufferData", 65_536);
    let view = snapshot.node("object", "Uint8Array", 96);
    snapshot.edge(buffer, "internal", "backing_store", backing);
    snapshot.edge(view, "internal", "buffer", buffer);
    snapshot.edge(scope, "context", &format!("view{view}"), view);
    [buffer, view]
}

#[test]
fn a_memory_and_the_views_on_it_are_no_buffers() {
    let mut snapshot = program(8);
    let scope = scope(&mut snapshot);
    let mut of_memories = Vec::new();
    for class in ["ArrayBuffer", "SharedArrayBuffer"] {
        let pair = viewed(&mut snapshot, scope, class);
        let memory = snapshot.node("object", "Memory", 56);
        snapshot.edge(memory, "hidden", "2", pair[0]);
        snapshot.edge(scope, "context", &format!("memory{memory}"), memory);
        of_memories.extend(pair);
    }
    // The program's own class of that name has its buffer in a field.
    let own = viewed(&mut snapshot, scope, "ArrayBuffer");
    let memory = snapshot.node("object", "Memory", 56);
    snapshot.edge(memory, "property", "buffer", own[0]);
    snapshot.edge(scope, "context", "own", memory);
    let heap = read(snapshot.write(&Style::default()).as_bytes()).unwrap().heap;
    for node in of_memories {
        assert_eq!(heap.kind(node as ObjectId), Kind::Opaque);
        assert!(heap.buffer(node as ObjectId).is_none());
    }
    for node in own {
        assert_eq!(heap.kind(node as ObjectId), Kind::Buffer);
        assert!(heap.buffer(node as ObjectId).is_some());
    }
}
