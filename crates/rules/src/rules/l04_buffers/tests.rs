use deadweight_heap::{
    HeapBuilder, Implementation, Kind, Layout, NONE, OtherIntegers, RecordShape, Representation, TableKind,
    Value, Width,
};

use super::*;

/// Records of 24 bytes and 8 a field, as V8 lays them out with 64-bit pointers; with whole numbers in fields, or each an object.
#[derive(Debug)]
struct WideHeaders {
    in_fields: bool,
}

impl Layout for WideHeaders {
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        24 + 8 * shape.count()
    }
    fn elements(&self, _: Representation, count: u64) -> u64 {
        8 * count
    }
    fn shape(&self, fields: u64) -> u64 {
        96 + 24 * fields
    }
    fn string(&self, units: u64, _: Width) -> u64 {
        (16 + units).next_multiple_of(8)
    }
    fn array(&self, _: Implementation, _: Representation, slots: u64) -> u64 {
        48 + 8 * slots
    }
    fn table(&self, _: Implementation, _: TableKind, _: u64) -> Option<u64> {
        None
    }
    fn boxed(&self, _: Representation) -> u64 {
        16
    }
    fn date(&self) -> u64 {
        112
    }
    fn small_integers(&self) -> Option<(i64, i64)> {
        self.in_fields
            .then_some((i64::from(i32::MIN), i64::from(i32::MAX)))
    }
    fn small_integer_bytes(&self) -> u64 {
        if self.in_fields { 4 } else { 0 }
    }
    fn view(&self) -> u64 {
        96
    }
}

fn ids(count: u32) -> HeapBuilder {
    let mut heap = HeapBuilder::new();
    heap.layout(WideHeaders { in_fields: true });
    let mut pool = 0;
    for i in 0..count {
        if i % 512 == 0 {
            pool = heap.buffer(8192, 0, 0);
        }
        let view = heap.view(pool, 12);
        let id = heap.record("ObjectId", &[("buffer", view)]);
        heap.bytes(id, 32);
        heap.variable("ids", id);
    }
    heap
}

#[test]
fn slices_of_unknown_length_have_a_share_of_their_pool() {
    let mut heap = HeapBuilder::new();
    let pool = heap.buffer(16 * 300, 0, 7);
    for _ in 0..300 {
        let view = heap.view(pool, u64::MAX);
        let record = heap.record("Id", &[("bytes", view)]);
        heap.variable("ids", record);
    }
    let found = TinyBuffers.look(&heap.build()).candidates;
    let held = found
        .iter()
        .find(|candidate| !candidate.external)
        .expect("a finding");
    assert_eq!((held.holder.as_str(), held.count), ("Id.bytes", 300));
    assert_eq!(held.net(), 300 * (96 - 8));
    assert!(held.assumes.is_some());
}

#[test]
fn a_pool_or_packed_fields() {
    let found = TinyBuffers.look(&ids(1024).build()).candidates;
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].holder, "ObjectId.buffer");
    assert_eq!(found[0].net(), 1024 * (96 - 8));
    assert_eq!(found[0].evidence["now"]["bytes_each"], 32 + 96 + 16);
    assert_eq!(found[0].evidence["pool"]["held_each_after"], 40);
    assert_eq!(found[0].evidence["pool"]["external_each_after"], 12);
    assert_eq!(found[0].evidence["packed"]["bytes_each_after"], 48);
    assert_eq!(found[0].evidence["packed"]["saves"], 1024 * (96 - 16));
    assert_eq!(found[0].evidence["packed"]["saves_external"], 1024 * 16);
    assert!(found[1].external);
    assert_eq!(found[1].net(), 1024 * 4);
}

/// Where types say how wide their fields are, a number takes the place of the reference.
#[test]
fn bytes_become_declared_numbers() {
    let mut heap = HeapBuilder::new();
    heap.layout(OtherIntegers {
        in_slots: None,
        bytes: 8,
        typed_dates: false,
    });
    let block = heap.class("Block", None, &[("hash", Representation::Reference)]);
    let mut hash = NONE;
    for _ in 0..256 {
        hash = heap.buffer(16, 0, 0);
        let row = heap.instance(block, &[Value::Reference(hash, 0)]);
        heap.variable("blocks", row);
    }
    let heap = heap.build();
    let bytes = heap.bytes(hash);
    let found = TinyBuffers.look(&heap).candidates;
    assert_eq!(found[0].evidence["packed"]["saves"], 256 * (bytes - 8));
    assert!(!found[0].evidence.contains_key("packed_portable"));
}

#[test]
fn memory_of_its_own_goes_with_the_object_beneath() {
    let mut heap = HeapBuilder::new();
    for _ in 0..256 {
        let own = heap.buffer(16, 0, 0);
        let view = heap.view(own, 12);
        heap.record("Key", &[("bytes", view)]);
    }
    let found = TinyBuffers.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 256 * (96 + 96 - 8));
    assert_eq!(found[1].net(), 256 * 4);
    assert_eq!(found[0].count, 256);
}

#[test]
fn bytes_inside_the_object_move_out() {
    let mut heap = HeapBuilder::new();
    for _ in 0..256 {
        let own = heap.object(Kind::Buffer, "Uint8Array", 96);
        heap.buffer_fact(own, NONE, 12);
        let store = heap.object(Kind::Opaque, "elements", 32);
        heap.part(own, store);
        heap.record("Key", &[("bytes", own)]);
    }
    let found = TinyBuffers.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 256 * (96 + 32 - 8 - 12));
    assert_eq!(found[1].net(), 0);
}

#[test]
fn every_record_that_refers_to_a_buffer_gains_an_offset() {
    let mut heap = HeapBuilder::new();
    for _ in 0..256 {
        let own = heap.buffer(12, 0, 0);
        for _ in 0..3 {
            heap.record("Key", &[("bytes", own)]);
        }
    }
    let found = TinyBuffers.look(&heap.build()).candidates;
    assert_eq!(found[0].net(), 256 * (96 - 3 * 8));
}

#[test]
fn elements_of_an_array_need_no_further_slot() {
    let mut heap = HeapBuilder::new();
    let views: Vec<_> = (0..256).map(|_| heap.buffer(12, 0, 0)).collect();
    let list = heap.array(256, &views);
    heap.variable("keys", list);
    let found = TinyBuffers.look(&heap.build()).candidates;
    assert_eq!(found[0].holder, "keys[]");
    assert_eq!(found[0].net(), 256 * 96);
}

#[test]
fn few_or_large_buffers_are_fine() {
    assert!(TinyBuffers.look(&ids(255).build()).candidates.is_empty());
    let mut heap = HeapBuilder::new();
    for _ in 0..300 {
        let own = heap.buffer(65, 0, 0);
        heap.record("Key", &[("bytes", own)]);
    }
    assert!(TinyBuffers.look(&heap.build()).candidates.is_empty());
}

#[test]
fn an_offset_that_is_an_object_costs_its_bytes() {
    let mut apart = ids(1024);
    apart.layout(WideHeaders { in_fields: false });
    let saves = |heap: HeapBuilder| TinyBuffers.look(&heap.build()).candidates[0].net();
    let (in_fields, apart) = (saves(ids(1024)), saves(apart));
    assert_eq!(in_fields - apart, 1024 * 16);
}

/// Two views of one object share what the runtime keeps for them, and a third that is no view of the finding's holds on to it.
#[test]
fn what_the_runtime_keeps_for_views_goes_with_them() {
    let saved = |kept: bool| {
        let mut heap = HeapBuilder::new();
        for _ in 0..256 {
            let own = heap.buffer(32, 0, 0);
            heap.variable("owns", own);
            let view = heap.view(own, 32);
            heap.gives_way(view);
            let shared = heap.object(Kind::Runtime, "managedbuffer", 112);
            heap.edge(view, EdgeKind::Internal, 0, shared);
            if kept {
                heap.variable("kept", shared);
            }
            let record = heap.record("V", &[("view", view)]);
            heap.variable("records", record);
        }
        let found = TinyBuffers.look(&heap.build()).candidates;
        let of_views = found
            .iter()
            .find(|found| found.holder == "V.view" && !found.external);
        of_views.expect("a finding").net()
    };
    assert_eq!(saved(false) - saved(true), 256 * 112);
}
