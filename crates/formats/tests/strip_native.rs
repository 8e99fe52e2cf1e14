//! A stripped native dump weighs what it weighed, and says nothing of its program: dumps written by hand, with what
//! each rule looks for in blocks. Programs that were recorded are tried with the command.

#[allow(dead_code, reason = "the reader's own tests use the rest")]
mod native_crafted;
mod stripping;

use std::collections::BTreeSet;
use std::fs;

use deadweight_formats::native::{Dump, Piece};
use native_crafted::{Crafted, fact, leb};
use proptest::prelude::*;
use stripping::{same_figures, stripped};

/// Numbers as if drawn at random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

const WORDS: [&str; 12] = [
    "Johanna",
    "warehouse",
    "invoice",
    "Riga",
    "overdue",
    "pallet",
    "naïve",
    "Склад",
    "weighbridge",
    "tare",
    "gross",
    "2024-05-17",
];

fn sentence(random: &mut Random, words: usize) -> String {
    let word = |random: &mut Random| WORDS[(random.next() % WORDS.len() as u64) as usize];
    (0..words).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// A program with caches of text, nodes with slots, buffers and equal blocks.
fn wasteful() -> Vec<u8> {
    const BASE: u64 = 0x5555_5000_0000;
    const STEP: u64 = 0x1000;
    let mut random = Random(88_172_645_463_325_252);
    let mut blocks: Vec<(u32, Vec<u8>)> = Vec::new();
    // Objects with a text, and their serialised forms, which hold the same after a header.
    for entry in 0..400_u64 {
        let text = sentence(&mut random, 14);
        let mut object = (BASE + STEP * ((entry * 2 + 2) % 800)).to_le_bytes().to_vec();
        object.extend(entry.to_le_bytes());
        object.extend(text.as_bytes());
        object.resize(object.len().next_multiple_of(8), 0);
        blocks.push((1, object));
        let mut copy = b"v1 len=".to_vec();
        copy.extend(text.as_bytes());
        blocks.push((2, copy));
    }
    // Strings, many of them equal; wide ones; buffers of zeros; room that is not used.
    for entry in 0..400_u64 {
        let mut text = format!("{} {}", sentence(&mut random, 3), entry % 9).into_bytes();
        if entry % 2 == 0 {
            text = format!("{} stock of {}", WORDS[(entry % 5) as usize], entry % 9).into_bytes();
        }
        text.push(0);
        blocks.push((3, text));
        let wide: Vec<u8> = "a wide text".encode_utf16().flat_map(u16::to_le_bytes).collect();
        blocks.push((4, wide));
        blocks.push((5, vec![0; 1500]));
        let mut room = sentence(&mut random, 6).into_bytes();
        room.resize(900, 0);
        blocks.push((6, room));
        let mut node = vec![0_u8; 8 * 18];
        node[..8].copy_from_slice(&(entry | 1 << 33).to_le_bytes());
        for _ in 0..=(random.next() % 5) {
            let at = 16 + (random.next() as usize % 16) * 8;
            let to = BASE + STEP * (random.next() % 800);
            node[at..at + 8].copy_from_slice(&to.to_le_bytes());
        }
        blocks.push((7, node));
        blocks.push((8, (0..8).flat_map(|_| random.next().to_le_bytes()).collect()));
        let float = |random: &mut Random| random.next().cast_signed() as f64 / 1e15;
        blocks.push((
            9,
            (0..12).flat_map(|_| float(&mut random).to_le_bytes()).collect(),
        ));
    }
    let (mut rows, mut contents, mut stacks) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (stack, content)) in blocks.iter().enumerate() {
        let step = if index == 0 { BASE } else { STEP };
        for number in [
            step,
            content.len() as u64,
            1 + content.len() as u64 % 8,
            2,
            u64::from(*stack),
            0,
        ] {
            leb(number, &mut rows);
        }
        contents.extend(content);
    }
    for stack in 1..=9_u64 {
        stacks.extend((0x40_0000 + stack * 0x100).to_le_bytes());
        stacks.extend(0_u32.to_le_bytes());
    }
    let facts = [
        fact("allocator", "glibc"),
        fact("allocator_version", "2.36"),
        fact("zero_fill", "1"),
        fact("executable", "/home/johanna/warehouse"),
        fact("argument", "--customers=invoice.csv"),
    ];
    let dump = Crafted::new().section(b"INFO", &facts.concat());
    let dump = dump.section(b"STAK", &stacks).section(b"BLOK", &rows);
    dump.long_section(b"CONT", &contents).done()
}

fn contents(dump: &Dump) -> Vec<Vec<u8>> {
    let of = |block: usize| {
        let mut bytes = Vec::new();
        for piece in dump.content(block).into_iter().flatten() {
            match piece {
                Piece::Bytes(more) => bytes.extend(more),
                Piece::Untouched(len) => bytes.resize(bytes.len() + len as usize, 0),
            }
        }
        bytes
    };
    (0..dump.blocks().len()).map(of).collect()
}

#[test]
fn every_figure_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wasteful.dwheap");
    fs::write(&path, wasteful()).unwrap();
    let before = same_figures(&path);
    let rules: BTreeSet<&str> = before
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    for rule in ["R03", "D02", "C02", "C03", "E01"] {
        assert!(rules.contains(rule), "{rule} of {rules:?}");
    }
}

/// The wasteful program's dump, and its copy without texts.
fn before_and_after() -> (Dump, Dump) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wasteful.dwheap");
    fs::write(&path, wasteful()).unwrap();
    let copy = folder.path().join("stripped.dwheap");
    fs::write(&copy, stripped(&path)).unwrap();
    (Dump::read(&path).unwrap(), Dump::read(&copy).unwrap())
}

#[test]
fn no_text_is_left() {
    let (before, after) = before_and_after();
    assert_eq!(before.blocks(), after.blocks());
    let all = |dump: &Dump| {
        let facts = dump.facts();
        let values = facts.iter().flat_map(|(_, value)| value.to_vec());
        let mapped = dump.mappings().flat_map(|mapping| mapping.path.to_vec());
        [contents(dump).concat(), values.collect(), mapped.collect()].concat()
    };
    let (was, is) = (all(&before), all(&after));
    let narrow = WORDS.iter().map(|word| word.as_bytes().to_vec());
    let wide = ["wide", "text", "a wide text"];
    let wide = wide
        .iter()
        .map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    for text in narrow
        .chain(wide)
        .chain([b"customers".to_vec(), b"johanna".to_vec(), b"len=".to_vec()])
    {
        let found_in = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        assert!(found_in(&was), "{}", String::from_utf8_lossy(&text));
        assert!(!found_in(&is), "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn addresses_zeros_and_equality_stay() {
    let (before, after) = before_and_after();
    let is_address = |word: &[u8; 8]| u64::from_le_bytes(*word) >> 24 == 0x55_5550;
    let (mut addresses, mut texts) = (0, 0);
    for (was, is) in contents(&before).iter().zip(&contents(&after)) {
        assert_eq!(was.len(), is.len());
        assert!(was.iter().zip(is).all(|(was, is)| (*was == 0) == (*is == 0)));
        texts += usize::from(was != is);
        for (was, is) in was.as_chunks::<8>().0.iter().zip(is.as_chunks::<8>().0) {
            addresses += usize::from(is_address(was));
            assert_eq!(is_address(was), is_address(is));
            assert!(!is_address(was) || was == is);
        }
    }
    assert!(addresses > 1000 && texts > 1000, "{addresses} {texts}");
    let equal = |all: &[Vec<u8>]| -> Vec<usize> {
        let first = |block: &Vec<u8>| all.iter().position(|other| other == block).unwrap();
        all.iter().map(first).collect()
    };
    assert_eq!(equal(&contents(&before)), equal(&contents(&after)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_dump_stays_readable(texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..20)) {
        let (mut rows, mut stored) = (Vec::new(), Vec::new());
        for text in &texts {
            for number in [0x10000, text.len() as u64, 0, 2, 0, 0] {
                leb(number, &mut rows);
            }
            stored.extend(text);
        }
        let dump = Crafted::new().section(b"BLOK", &rows).section(b"CONT", &stored).done();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("any.dwheap");
        fs::write(&path, dump).unwrap();
        same_figures(&path);
    }
}
