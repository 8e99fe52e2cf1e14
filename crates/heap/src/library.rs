//! Objects that the runtime's own library made for the program: it holds them, but no change of it reshapes them.
//!
//! These are the instances of the library's types, and what stands in the fields that the library's code fills:
//! values, containers and nameless records that only such a field holds. Of some types the library makes the buffers or
//! the empty containers in any of their fields. What has a type of the program's, another buffer or a function is the
//! program's wherever it stands.

use rayon::prelude::*;

use crate::{Edge, EdgeKind, Flags, Heap, Kind, Makes, ObjectId, OfLibrary, RowSet};

/// What one field holds of more bytes than this is data that the program handed to the library. A library keeps little
/// for each object, headers of a request the most: servers read up to 16 KiB of them.
const MOST: u64 = 16 * 1024;

/// The rows that the library made, parts left out; `None` where it made none.
pub(crate) fn made(heap: &Heap) -> Option<RowSet> {
    if !heap.types.know_library() {
        return None;
    }
    let made = RowSet::none(heap.objects.len());
    // Values that more than one reference names: whether all of them are the library's is seen at the end.
    let shared = RowSet::none(heap.objects.len());
    let records = heap.records.par_iter().with_min_len(4096);
    records.for_each(|record| {
        let id = record.object;
        if heap.kind(id) != Kind::Record || !heap.in_program(id) {
            return;
        }
        let Some(of) = heap.types.of_library(heap.objects.label[id as usize]) else {
            return;
        };
        if of.whole {
            made.insert(id);
        }
        if !of.fields.is_empty() {
            fill(heap, id, of, &made, &shared);
        }
        if of.makes != Makes::default() {
            own_pieces(heap, id, of.makes, &made);
        }
    });
    // A function that the library makes of another has what it is called with, and makes that itself where there is nothing.
    let closures = heap.rows().into_par_iter().with_min_len(16_384);
    closures
        .filter(|&id| heap.kind(id) == Kind::Closure)
        .for_each(|id| {
            let makes = heap.types.of_library(heap.objects.label[id as usize]);
            let makes = makes.map(|of| of.makes).unwrap_or_default();
            if makes != Makes::default() && heap.in_program(id) {
                own_pieces(heap, id, makes, &made);
            }
        });
    settle_shared(heap, &made, &shared);
    (!made.is_empty()).then_some(made)
}

/// Marks what the library's fields of a record hold.
fn fill(heap: &Heap, record: ObjectId, of: &OfLibrary, made: &RowSet, shared: &RowSet) {
    for edge in heap.edges.of(record) {
        let filled = edge.via.kind() == EdgeKind::Field && of.fields.contains(&edge.via.name());
        if !filled || !is_fillers(heap, record, edge) {
            continue;
        }
        if let Some(below) = below(heap, edge.to) {
            for id in below {
                if heap.referrers.are_several(id) {
                    shared.insert(id);
                } else {
                    made.insert(id);
                }
            }
        }
    }
}

/// Marks buffers and containers that the library made for a record, where nothing else refers to them.
fn own_pieces(heap: &Heap, record: ObjectId, makes: Makes, made: &RowSet) {
    for edge in heap.edges.of(record) {
        let is_made = match heap.kind(edge.to) {
            Kind::Buffer => makes.buffers && heap.bytes(edge.to) <= MOST,
            Kind::Array | Kind::Table => makes.containers || makes.empty && heap.is_empty_container(edge.to),
            _ => false,
        };
        let is_alone = || {
            edge.via.kind() == EdgeKind::Field
                && !heap.referrers.are_several(edge.to)
                && heap.referrers.of(edge.to) == Some((record, edge.via))
        };
        if is_made && is_alone() {
            made.insert(edge.to);
        }
    }
}

/// Whether a reference names its object, and that is of a sort that a library makes.
fn is_fillers(heap: &Heap, from: ObjectId, edge: Edge) -> bool {
    heap.referrers.of(edge.to) == Some((from, edge.via))
        && heap.in_program(edge.to)
        && match heap.kind(edge.to) {
            Kind::Array | Kind::Table | Kind::String | Kind::Number | Kind::Date => true,
            Kind::Record => heap.types.is_nameless(heap.objects.label[edge.to as usize]),
            _ => false,
        }
}

/// An object with all that it names in turn; `None` for more than a library makes.
fn below(heap: &Heap, first: ObjectId) -> Option<Vec<ObjectId>> {
    let mut found = vec![first];
    let mut bytes = 0;
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        let parts = heap.parts_of(id);
        let held = |&row: &ObjectId| !heap.objects.has(row, Flags::EXTERNAL);
        let rows = || std::iter::once(id).chain(parts.iter().copied());
        bytes += rows().filter(held).map(|row| heap.bytes(row)).sum::<u64>();
        if bytes > MOST {
            return None;
        }
        // Each object has one reference that names it, so that none is met twice.
        let named = rows().flat_map(|row| {
            let edges = heap
                .edges
                .of(row)
                .filter(move |&edge| is_fillers(heap, row, edge));
            edges.map(|edge| edge.to)
        });
        found.extend(named);
    }
    Some(found)
}

/// Marks those of the `shared` rows that nothing but the library's objects refers to.
fn settle_shared(heap: &Heap, made: &RowSet, shared: &RowSet) {
    if shared.is_empty() {
        return;
    }
    let held_otherwise = heap.held_otherwise(shared, |reference| {
        let owner = heap.owner(reference.from);
        if reference.via.kind() == EdgeKind::Weak || heap.is_runtime(owner) {
            return false;
        }
        let ty = heap.objects.label[owner as usize];
        let is_of_library = if heap.kind(owner) == Kind::Record && !heap.types.is_nameless(ty) {
            let via = reference.via;
            via.kind() == EdgeKind::Field && heap.types.is_library_field(ty, via.name())
        } else {
            made.has(owner) || shared.has(owner)
        };
        !is_of_library
    });
    made.extend(shared.rows().filter(|&id| !held_otherwise.has(id)));
}

#[cfg(test)]
mod tests {
    use crate::{EdgeKind, HeapBuilder, Kind, Representation};

    #[test]
    fn what_the_library_makes_is_not_the_programs() {
        let mut heap = HeapBuilder::new();
        let text = heap.string("only here");
        let inner = heap.record("", &[("name", text)]);
        let list = heap.array(4, &[inner]);
        let own = heap.array(4, &[]);
        let job = heap.record("Job", &[("_events", list), ("steps", own)]);
        let target = heap.record("EventTarget", &[("job", job)]);
        heap.variable("target", target);
        heap.library("Job", false, &["_events"]);
        heap.library("EventTarget", true, &[]);
        let heap = heap.build();
        let of_library = [list, inner, text, target].map(|id| heap.in_program(id));
        assert_eq!(of_library, [false; 4]);
        assert!([job, own].iter().all(|&id| heap.in_program(id)));
    }

    #[test]
    fn what_the_program_hands_to_the_library_stays_the_programs() {
        let mut heap = HeapBuilder::new();
        let item = heap.record("Item", &[]);
        let bytes = heap.buffer(100, 0, 1);
        let queue = heap.array(4, &[item, bytes]);
        let many: Vec<_> = (0..4000).map(|_| heap.record("", &[])).collect();
        let large = heap.array(4000, &many);
        let stream = heap.record("Stream", &[("buffer", queue), ("cache", large)]);
        heap.variable("stream", stream);
        heap.library("Stream", true, &["buffer", "cache"]);
        let heap = heap.build();
        assert!(!heap.in_program(queue) && !heap.in_program(stream));
        assert!(
            [item, bytes, large, many[0]]
                .iter()
                .all(|&id| heap.in_program(id))
        );
    }

    #[test]
    fn of_some_types_the_library_makes_buffers_and_empty_containers_in_any_field() {
        let mut heap = HeapBuilder::new();
        let bytes = heap.numbers(Representation::Integer(1), &[1, 2]);
        let empty = heap.array(0, &[]);
        let text = heap.string("text");
        let filled = heap.array(1, &[text]);
        let [both, none] = [(); 2].map(|()| heap.numbers(Representation::Integer(1), &[3]));
        let path = heap.record(
            "Path",
            &[
                ("bytes", bytes),
                ("empty", empty),
                ("parts", filled),
                ("both", both),
            ],
        );
        let own = heap.record("Own", &[("both", both), ("bytes", none)]);
        heap.variable("path", path).variable("own", own);
        heap.library_makes("Path");
        let heap = heap.build();
        assert!(heap.is_of_library(bytes) && heap.is_of_library(empty));
        assert!([filled, both, none, path].iter().all(|&id| heap.in_program(id)));
    }

    #[test]
    fn a_function_of_the_library_makes_what_it_is_called_with() {
        let mut heap = HeapBuilder::new();
        let [empty, other] = [(); 2].map(|()| heap.map(4, &[]));
        let filled = heap.array(1, &[]);
        let text = heap.string("text");
        let arguments = heap.array(1, &[text]);
        let [partial, own] = ["partial", "Own"].map(|class| heap.object(Kind::Closure, class, 80));
        for (from, field, to) in [
            (partial, "keywords", empty),
            (partial, "arguments", arguments),
            (own, "keywords", other),
        ] {
            let field = heap.text(field);
            heap.edge(from, EdgeKind::Field, field, to);
        }
        heap.variable("partial", partial).variable("own", own);
        heap.variable("filled", filled);
        heap.library_makes("partial");
        let heap = heap.build();
        assert!(heap.is_of_library(empty));
        assert!(
            [other, filled, arguments, text]
                .iter()
                .all(|&id| heap.in_program(id))
        );
    }

    #[test]
    fn what_a_library_copies_into_its_own_containers_is_the_programs() {
        let mut heap = HeapBuilder::new();
        let handed = heap.string("handed over");
        let copied = heap.array(1, &[handed]);
        let partial = heap.record("partial", &[("args", copied)]);
        heap.variable("partial", partial);
        heap.library_copies("partial");
        let heap = heap.build();
        assert!(heap.is_of_library(copied));
        assert!(heap.in_program(handed));
    }

    #[test]
    fn a_value_that_the_program_holds_besides_is_the_programs() {
        let mut heap = HeapBuilder::new();
        let both = heap.string("both");
        let twice = heap.string("twice");
        let headers = heap.record("Headers", &[("name", both), ("key", twice), ("value", twice)]);
        let row = heap.record("Row", &[("id", both)]);
        heap.variable("headers", headers);
        heap.variable("row", row);
        heap.library("Headers", true, &["name", "key", "value"]);
        let heap = heap.build();
        assert!(heap.in_program(both));
        assert!(!heap.in_program(twice));
    }
}
