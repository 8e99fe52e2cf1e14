//! The reader of native dumps: what a dump says, and dumps that are cut, damaged or hostile.

#[allow(dead_code, reason = "other tests use the rest")]
mod native_crafted;

use std::io::Write;

use deadweight_formats::ReadError;
use deadweight_formats::native::{Dump, Mapping, Piece};
use native_crafted::{Crafted, fact, leb, small};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Dump, ReadError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Dump::read(file.path())
}

fn complaint(bytes: &[u8]) -> (u64, String) {
    match read(bytes) {
        Err(ReadError::Malformed { offset, expected, .. }) => (offset, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_of_everything() {
    let dump = read(&small().done()).unwrap();
    let facts = dump.facts();
    assert_eq!(facts.text("reason"), Some("exit"));
    assert_eq!(facts.number("pause_ns"), Some(1234));
    assert_eq!(facts.iter().filter(|(name, _)| *name == "argument").count(), 2);
    let mapping = Mapping {
        start: 0x1000,
        end: 0x4000,
        offset: 0x200,
        readable: true,
        executable: true,
        go: false,
        path: b"/bin",
        build_id: &[0xAB, 0xCD],
    };
    assert_eq!(dump.mappings().collect::<Vec<_>>(), [mapping]);
    let blocks: Vec<_> = dump
        .blocks()
        .iter()
        .zip(dump.sequences())
        .map(|(block, sequence)| {
            (
                block.address,
                block.requested,
                block.usable(),
                sequence,
                block.stack,
                block.unreadable,
            )
        })
        .collect();
    assert_eq!(
        blocks,
        [
            (0x10000, 20, Some(24), 9, 2, false),
            (0x10020, 10_000, None, 7, 3, false),
            (0x20000, 30, Some(30), 8, 0, true),
        ]
    );
    assert_eq!(dump.frames(2).collect::<Vec<_>>(), [0x2000, 0x1000]);
    assert_eq!(dump.frames(0).count(), 0);
    let first: Vec<_> = dump.content(0).unwrap().collect();
    assert_eq!(first, [Piece::Bytes(b"\0\0\0\0\0\0\0\0ABCDEFGH\0\0\0\0")]);
    let second: Vec<_> = dump.content(1).unwrap().collect();
    let mut end = [0; 904];
    end[900..].copy_from_slice(b"tail");
    assert_eq!(
        second,
        [
            Piece::Bytes(&[0; 904]),
            Piece::Untouched(8192),
            Piece::Bytes(&end)
        ]
    );
    assert!(dump.content(2).is_none() && dump.content(3).is_none());
}

#[test]
fn hashes_and_zero_maps_stand_for_contents() {
    let mut blocks = Vec::new();
    for number in [0x100, 65, 0, 0, 0, 0] {
        leb(number, &mut blocks);
    }
    let dump = Crafted::new()
        .section(b"BLOK", &blocks)
        .section(b"ZERO", &[1, 1])
        .section(b"HASH", &[7; 16]);
    let dump = read(&dump.done()).unwrap();
    assert!(!dump.has_contents() && dump.content(0).is_none());
    assert_eq!(dump.zero_map(0), Some(&[1, 1][..]));
    assert_eq!(dump.content_hash(0), Some([7; 16]));
}

#[test]
fn every_cut_is_noticed() {
    let whole = small().done();
    let all = read(&whole).unwrap();
    let contents_of = |dump: &Dump, block: usize| {
        let pieces = dump.content(block)?;
        let pieces: Vec<String> = pieces.map(|piece| format!("{piece:?}")).collect();
        Some(pieces)
    };
    let (mut refused, mut partial, mut with_contents) = (0, 0, 0);
    for len in 0..whole.len() {
        let cut = match read(&whole[..len]) {
            Err(ReadError::Malformed { offset, expected, .. }) => {
                assert!(offset <= len as u64, "{offset} {expected}");
                refused += 1;
                continue;
            }
            read => read.unwrap(),
        };
        let incomplete = cut.incomplete().unwrap();
        assert!(
            incomplete.contains(&format!("ends at byte {len}")),
            "{incomplete}"
        );
        partial += 1;
        // What is there is as in the whole dump; contents are there or not.
        for (block, (cut_block, whole_block)) in cut.blocks().iter().zip(all.blocks()).enumerate() {
            assert_eq!(
                (cut_block.address, cut_block.requested),
                (whole_block.address, whole_block.requested)
            );
            if let Some(contents) = contents_of(&cut, block) {
                assert_eq!(Some(contents), contents_of(&all, block));
                with_contents += 1;
            }
        }
    }
    assert!(
        refused > 0 && partial > 0 && with_contents > 0,
        "{refused} {partial} {with_contents}"
    );
    let mut longer = whole;
    longer.push(0);
    assert_eq!(complaint(&longer).1, "the end of the file");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let whole = small().done();
    for at in (0..whole.len()).filter(|at| !(12..16).contains(at)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        // A length that points behind the end is a dump that was cut.
        assert!(
            read(&damaged).map_or(true, |dump| dump.incomplete().is_some()),
            "byte {at}"
        );
    }
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(complaint(b"{\"snapshot\":1}").0, 0);
    let mut later = small().done();
    later[8] = 2;
    assert_eq!(complaint(&later), (8, "version 1 of the format".to_owned()));
    // A frame that calls itself: its chunk stands behind the head.
    let mut node = 5_u64.to_le_bytes().to_vec();
    node.extend(1_u32.to_le_bytes());
    let (offset, expected) = complaint(&Crafted::new().section(b"STAK", &node).done());
    assert_eq!(offset, 16);
    assert!(expected.contains("byte 0 of section STAK"), "{expected}");
}

#[test]
fn what_does_not_hold_together_is_refused() {
    let block = |numbers: [u64; 6]| {
        let mut bytes = Vec::new();
        for number in numbers {
            leb(number, &mut bytes);
        }
        bytes
    };
    let hole = |numbers: [u64; 3]| numbers.map(u64::to_le_bytes).concat();
    let with = |blocks: Vec<u8>, holes: Vec<u8>, content: usize| {
        let dump = Crafted::new().section(b"BLOK", &blocks).section(b"HOLE", &holes);
        complaint(&dump.section(b"CONT", &vec![0; content]).done()).1
    };
    // A stack that is not there; two blocks at one place; a block past the end of the address space.
    assert!(with(block([16, 4, 0, 0, 1, 0]), vec![], 4).contains("a stack up to 0"));
    let twice = [block([16, 4, 0, 0, 0, 0]), block([0, 4, 0, 0, 0, 0])].concat();
    assert!(with(twice, vec![], 8).contains("a block above"));
    assert!(with(block([u64::MAX, 4, 0, 0, 0, 0]), vec![], 4).contains("a block above"));
    // A size that the contents do not have, however large.
    assert!(with(block([16, 1 << 62, 0, 0, 0, 0]), vec![], 4).contains("bytes for the blocks"));
    // Holes past the block, across each other, in no block.
    assert!(with(block([16, 100, 0, 0, 0, 0]), hole([0, 90, 11]), 89).contains("a stretch"));
    assert!(with(block([16, 100, 0, 0, 0, 0]), hole([0, u64::MAX, 2]), 98).contains("a stretch"));
    let crossed = [hole([0, 0, 50]), hole([0, 40, 10])].concat();
    assert!(with(block([16, 100, 0, 0, 0, 0]), crossed, 40).contains("a stretch"));
    assert!(with(block([16, 100, 0, 0, 0, 0]), hole([1, 0, 50]), 100).contains("the end of the section"));
    // Numbers that are too long, and cut.
    assert!(with(vec![0xFF; 12], vec![], 0).contains("a block"));
    assert!(with(vec![16, 4, 0], vec![], 4).contains("a block"));
}

#[test]
fn chunks_cannot_claim_more_than_they_hold() {
    let chunk = |tag: &[u8], method, len, body: &[u8]| {
        let mut dump = Crafted::new();
        dump.chunk(tag, method, len, body);
        complaint(&dump.bytes).1
    };
    assert!(chunk(b"CONT", 0, 1 << 30, b"x").contains("1 to 1048576"));
    assert!(chunk(b"CONT", 0, 0, b"").contains("1 to 1048576"));
    assert!(chunk(b"CONT", 0, 5, b"x").contains("stored"));
    assert!(chunk(b"CONT", 1, 5, b"x").contains("LZ4"));
    assert!(chunk(b"CONT", 2, 64, &[0xFF, 1]).contains("zero words"));
    assert!(chunk(b"CONT", 3, 1, b"x").contains("packing 0, 1 or 2"));
    assert!(chunk(b"BLOK", 1, 1, b"x").contains("stored as they are"));
    assert!(chunk(b"WHAT", 0, 1, b"x").contains("a section's name"));
    let again = Crafted::new()
        .section(b"TAIL", &fact("a", "b"))
        .section(b"INFO", &fact("a", "b"));
    assert!(complaint(&again.done()).1.contains("order"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn nothing_panics(sections in prop::collection::vec((0_usize..8, prop::collection::vec(any::<u8>(), 0..200)), 0..8)) {
        const TAGS: [&[u8]; 8] = [b"INFO", b"MAPS", b"STAK", b"BLOK", b"HOLE", b"CONT", b"ZERO", b"TAIL"];
        let mut sections = sections;
        sections.sort_by_key(|(tag, _)| *tag);
        sections.dedup_by_key(|(tag, _)| *tag);
        let dump = sections.iter().fold(Crafted::new(), |dump, (tag, body)| dump.section(TAGS[*tag], body));
        if let Ok(dump) = read(&dump.done()) {
            for block in 0..dump.blocks().len() {
                let _ = dump.content(block).map(Iterator::count);
                let _ = dump.zero_map(block);
            }
        }
    }
}
