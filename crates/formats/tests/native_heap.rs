//! From native dumps written by hand to heaps.

#[allow(dead_code, reason = "the reader's own tests use the rest")]
mod native_crafted;

use std::io::Write;

use deadweight_formats::{Dump, ReadError, Sidecar, open};
use deadweight_heap::{EdgeKind, Flags, Kind};
use native_crafted::{Crafted, fact, leb, small};

fn opened(bytes: &[u8]) -> Result<Dump, ReadError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    open(file.path(), &Sidecar::default())
}

/// Blocks at 0x10000, 0x20000, … with these requested and usable sizes and contents, all from one unknown stack.
fn crafted(facts: &[Vec<u8>], blocks: &[(u64, u64, Vec<u8>)]) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut contents = Vec::new();
    for (requested, usable, content) in blocks {
        assert_eq!(content.len() as u64, *requested);
        for number in [0x10000, *requested, usable - requested + 1, 2, 0, 0] {
            leb(number, &mut rows);
        }
        contents.extend(content);
    }
    Crafted::new()
        .section(b"INFO", &facts.concat())
        .section(b"MAPS", b"")
        .section(b"STAK", b"")
        .section(b"BLOK", &rows)
        .section(b"HOLE", b"")
        .section(b"CONT", &contents)
        .section(b"TAIL", b"")
        .done()
}

#[test]
fn each_block_is_a_row_charged_as_its_allocator_charges() {
    let facts = [
        fact("allocator", "glibc"),
        fact("allocator_version", "2.36"),
        fact("glibc_used_bytes", "1000"),
        fact("glibc_mapped_bytes", "200000"),
        fact("resident_bytes", "5000"),
        fact("recorder_bytes", "2000"),
    ];
    let bytes = crafted(
        &facts,
        &[
            (20, 24, vec![1; 20]),
            (100, 104, vec![0; 100]),
            // Mapped on its own: two words of header.
            (200_000, 200_688, vec![2; 200_000]),
        ],
    );
    let dump = opened(&bytes).unwrap();
    assert_eq!(
        (dump.format, dump.source.stored_bytes),
        ("deadweight-native", bytes.len() as u64)
    );
    let heap = dump.heap;
    let charged: Vec<u64> = heap.rows().map(|row| heap.bytes(row)).collect();
    assert_eq!(charged, [32, 112, 200_704]);
    assert!(
        heap.rows()
            .all(|row| heap.kind(row) == Kind::Opaque && heap.in_program(row))
    );
    assert_eq!(
        (heap.totals.heap_used, heap.totals.rss),
        (Some(201_000), Some(3000))
    );
    assert_eq!((heap.allocator.name(), heap.allocator.charged(33)), ("glibc", 48));
    // Blocks of 64 bytes and more that refer to nothing are buffers.
    let buffers: Vec<_> = heap
        .buffers
        .iter()
        .map(|buffer| (buffer.object, buffer.zeros, buffer.words_used))
        .collect();
    assert_eq!(buffers, [(1, 100, 0), (2, 0, 25_000)]);
}

#[test]
fn aligned_words_that_hit_a_block_are_references() {
    let mut words = Vec::new();
    // The beginning of the second block, its inside, one past its end, and a small number.
    for word in [0x20000_u64, 0x20007, 0x20040, 7, 0, 0, 0, 0] {
        words.extend(word.to_le_bytes());
    }
    let mut shifted = vec![0; 64];
    shifted[4..12].copy_from_slice(&0x10000_u64.to_le_bytes());
    let heap = opened(&crafted(&[], &[(64, 72, words), (64, 72, shifted)]))
        .unwrap()
        .heap;
    let edges: Vec<_> = heap
        .edges
        .of(0)
        .map(|edge| (edge.via.kind(), edge.via.name(), edge.to))
        .collect();
    assert_eq!(edges, [(EdgeKind::Internal, 0, 1), (EdgeKind::Internal, 1, 1)]);
    let offsets: Vec<u64> = heap.references_of(0).map(|(_, offset)| offset).collect();
    assert_eq!(offsets, [0, 7]);
    assert_eq!(heap.edges.of(1).len(), 0);
    assert!(heap.blocks.is_address(0x10000) && !heap.blocks.is_address(7));
    // What refers to another block is no buffer.
    assert_eq!(
        heap.buffers
            .iter()
            .map(|buffer| buffer.object)
            .collect::<Vec<_>>(),
        [1]
    );
    assert_eq!(heap.blocks.content(1).map(|content| content[4]), Some(0));
}

#[test]
fn untouched_and_unreadable_blocks_are_rows_too() {
    let heap = opened(&small().done()).unwrap().heap;
    // The allocator is not known: usable where it was asked, else what was requested.
    assert_eq!(
        heap.rows().map(|row| heap.bytes(row)).collect::<Vec<_>>(),
        [24, 10_000, 30]
    );
    let content = heap.blocks.content(1).unwrap();
    assert_eq!((content.len(), &content[9996..]), (10_000, &b"tail"[..]));
    assert!(heap.blocks.content(2).is_none());
    assert_eq!(heap.blocks.requested(2), Some(30));
    assert!(heap.rows().all(|row| !heap.objects.has(row, Flags::ENGINE)));
}

#[test]
fn a_packed_dump_is_known() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&small().done()).unwrap();
    assert_eq!(opened(&packed.finish().unwrap()).unwrap().heap.objects.len(), 3);
}

#[test]
fn programs_that_are_not_visible_are_named_instead_of_weighed() {
    let warning = |facts: &[Vec<u8>]| match opened(&crafted(facts, &[(20, 24, vec![1; 20])])) {
        Err(ReadError::NotVisible { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert!(warning(&[fact("runtime", "go")]).contains("Go"));
    let python = [
        fact("runtime", "cpython"),
        fact("executable", "/usr/bin/python3.11"),
    ];
    assert!(warning(&python).contains("PYTHONMALLOC=malloc"));
    assert!(warning(&[fact("interposed", "0")]).contains("malloc"));
    // A program with a Python in it has a heap of its own.
    let embeds = [fact("runtime", "cpython"), fact("executable", "/usr/bin/blender")];
    let heap = opened(&crafted(&embeds, &[(20, 24, vec![1; 20])])).unwrap().heap;
    assert!(heap.partial.as_deref().is_some_and(|why| why.contains("CPython")));
}

#[test]
fn files_that_a_hostile_dump_names_are_not_opened() {
    let mut maps = Vec::new();
    for number in [0x1000_u64, 0x4000, 0] {
        maps.extend(number.to_le_bytes());
    }
    maps.extend(3_u32.to_le_bytes());
    maps.extend([9, 0, 0, 0]);
    maps.extend(b"/dev/zero");
    let mut rows = Vec::new();
    for number in [0x10000, 8, 1, 2, 0, 0] {
        leb(number, &mut rows);
    }
    let dump = Crafted::new()
        .section(b"INFO", b"")
        .section(b"MAPS", &maps)
        .section(b"STAK", b"")
        .section(b"BLOK", &rows)
        .section(b"HOLE", b"")
        .section(b"CONT", &0x2000_u64.to_le_bytes())
        .section(b"TAIL", b"")
        .done();
    assert_eq!(opened(&dump).unwrap().heap.objects.len(), 1);
}

#[test]
fn memory_beside_malloc_is_reported_and_not_passed_over() {
    let warning = |own: &str, total: Option<&str>| {
        let mut facts = vec![fact("anonymous_bytes", own), fact("recorder_bytes", "1000000")];
        facts.extend(total.map(|total| fact("glibc_arena_bytes", total)));
        facts.extend(total.map(|_| fact("glibc_mapped_bytes", "0")));
        opened(&crafted(&facts, &[(20, 24, vec![1; 20])]))
            .unwrap()
            .heap
            .partial
            .clone()
    };
    let collector = warning("301000000", Some("12000000")).unwrap();
    assert!(collector.contains("288.0 of 300.0 MB"), "{collector}");
    assert!(warning("301000000", None).unwrap().contains("live blocks"));
    // Most of it is malloc's; or it is little.
    assert_eq!(warning("301000000", Some("290000000")), None);
    assert_eq!(warning("9000000", Some("100000")), None);
}
