//! # C02 · half-empty nodes
//!
//! ## What it is
//! Nodes with room for as many children as any may have, of which most have few: a radix tree's 16 slots with three in
//! use.
//!
//! ## Why it costs
//! Each node pays for all its slots. In trees over hashed keys most nodes stand near the leaves and use two or three.
//!
//! ## How it is found
//! Without types or debug information, from the contents alone. Of at least 64 blocks of one type (or, without one, of
//! one place of allocation) and one size, words of eight bytes that are zero in exactly the same blocks belong together
//! and are one slot. Slots of one form at even distances are an array, also when its parts stand in two parallel
//! arrays. Parallel arrays that all blocks fill from the beginning on, and none beyond the middle, are told by their ends:
//! stretches of eight words or more, of one length and at one distance, that no block uses. At least four slots of several words or eight of one are needed, and half of their words must be references
//! to what the program holds or as random as hashes, so that text and numbers are not taken for slots; a word at an end
//! of an array of references that seldom is one is a mask or a count. Blocks of no known type that are slots and
//! nothing else are left out: they are the buffers of vectors and the buckets of tables, whose owner decides how many
//! there are. So are hashes without references that blocks have from their beginning on: random data of some length,
//! and blocks of which nine in ten use more than a quarter of their slots: tables that double when they are full.
//!
//! Nodes that a pool cut out of larger blocks are found by the references to them, which lead to places at one distance
//! from each other. Cells of a table, whose address nobody keeps, are no nodes.
//!
//! ## How the saving is computed
//! The histogram of used slots is exact. For one, two and three sizes besides the largest, dynamic programming finds
//! those that cost least: what is not slots stays in the node with a reference to the slots, which go into a block of
//! their own, of the smallest size that holds those in use; both are charged as the heap's allocator charges. A further
//! size is taken as long as it gains at least 2 % of what the nodes take now. `sizes` in the evidence has each step and
//! its gain. Which size a node has is told by the unused low bits of the reference; `size_field` says what a field for
//! it would cost instead. A finding must save a tenth of the nodes and at least 4 KiB.
//!
//! ## How to fix it
//! Keep a mask of which slots are in use and an array of those alone; the number of bits below a slot's own is its index.
//!
//! - C++: `remedies/cpp` has it as a header: `deadweight::sparse_array`, with the size in the pointer's low bits.
//! - Rust: a boxed slice beside a mask, or an enum with a variant for each size.
//! - Java, C#: node classes for 4, 16, 48 and 256 children, as in adaptive radix trees.
//!
//! ## When not to
//! When nodes fill up later, or when a search must not follow one more reference.

use std::borrow::Cow;

use deadweight_heap::{Allocator, Exact, Heap, ObjectId, Presence, Rounded};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::block_groups::{BlockGroup, block_groups};
use crate::count::Count;
use crate::pooled::{Pool, pools};
use crate::sizes::{Curve, Form, Nodes, Step, curve};
use crate::slots::{self, Found, Part};
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Fewer nodes prove nothing.
const FEWEST_NODES: usize = 64;

/// Blocks of other sizes are not looked at: too small for slots, or no nodes.
const SIZES: std::ops::RangeInclusive<u64> = 48..=65_536;

/// A finding saves one in so many bytes…
const SHARE: u64 = 10;
/// … and at least this.
const LEAST: u64 = 4096;

/// A further size gains one in so many bytes of what the nodes take now.
const GAIN_SHARE: u64 = 50;

/// With the largest that is what two bits of a reference tell apart.
const MOST_SIZES: usize = 3;

/// The reference from a node to its slots.
const REFERENCE: u64 = 8;

/// Pools have no headers, and keep addresses even.
const POOL: Rounded = Rounded { name: "pool", to: 8 };

/// The rule.
pub struct Slots;

impl Rule for Slots {
    fn code(&self) -> Code {
        Code("C02")
    }

    fn source(&self) -> &'static str {
        include_str!("c02_slots.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let pools = pools(heap, FEWEST_NODES);
        let mut looked: Vec<(Option<Candidate>, bool)> =
            pools.par_iter().map(|pool| in_pool(heap, pool)).collect();
        // The blocks of a pool whose nodes were found are no nodes themselves.
        let found = pools
            .iter()
            .zip(&looked)
            .filter(|(_, (found, _))| found.is_some());
        let cut: FxHashSet<ObjectId> = found
            .flat_map(|(pool, _)| pool.nodes.iter().map(|node| node.0))
            .collect();
        let groups = block_groups(heap, FEWEST_NODES).into_par_iter().filter(|group| {
            SIZES.contains(&group.requested) && !group.rows.iter().any(|row| cut.contains(row))
        });
        looked.par_extend(groups.map(|group| of_blocks(heap, &group)));
        let unseen = looked.iter().filter(|(_, is_whole)| !is_whole).count() as u64;
        let mut verdict = Verdict::from(
            looked
                .into_iter()
                .filter_map(|(candidate, _)| candidate)
                .collect::<Vec<_>>(),
        );
        if unseen > 0 {
            verdict.not_measured.push(NotMeasured {
                why: format!(
                    "the contents of {} of equal blocks are not in the dump, so half-empty nodes are not seen",
                    Count(unseen).of("group", "groups")
                ),
                how: heap.runtime.recapture.clone(),
            });
        }
        verdict
    }
}

/// Nodes of one size that each have a block; with whether their contents are in the dump.
fn of_blocks(heap: &Heap, group: &BlockGroup) -> (Option<Candidate>, bool) {
    let is_address = |word| heap.blocks.is_address(word);
    // Most blocks are text, which a few of them tell.
    let sample = slots::sample(&group.rows).map(|&row| heap.blocks.content(row));
    let sample: Option<Vec<Cow<'_, [u8]>>> = sample.collect();
    if sample.is_some_and(|sample| !slots::may_be_slots(&sample, is_address)) {
        return (None, true);
    }
    let contents = group.rows.iter().filter_map(|&row| heap.blocks.content(row));
    let contents: Vec<Cow<'_, [u8]>> = contents.collect();
    if contents.len() < group.rows.len() {
        return (None, false);
    }
    let found = slots::find(&contents, group.is_typed, is_address);
    let found = found.filter(|found| group.is_typed || !is_table(found));
    let candidate = found.and_then(|found| {
        let header = header(&found, group.requested)?;
        let places = Places {
            holder: &group.holder,
            site: group.site.clone(),
            rows: &group.rows,
            node_bytes: None,
            now: Form::inline(header),
            then: Form::apart(header + REFERENCE),
            allocator: &*heap.allocator,
            assumes: if heap.coverage.requests == Presence::Absent {
                "nodes do not fill up later, nobody keeps the address of a slot, and nodes asked for all that they may use"
            } else {
                "nodes do not fill up later, and nobody keeps the address of a slot"
            },
        };
        candidate(heap, &places, &found)
    });
    (candidate, true)
}

/// Nodes that a pool cuts out of larger blocks.
fn in_pool(heap: &Heap, pool: &Pool) -> (Option<Candidate>, bool) {
    let contents = pool.contents(heap);
    let block = |&(row, start): &(ObjectId, u64)| {
        let content: &[u8] = contents.get(&row)?;
        content.get(start as usize..(start + pool.stride) as usize)
    };
    let blocks: Vec<&[u8]> = pool.nodes.iter().filter_map(block).collect();
    if blocks.len() < pool.nodes.len() {
        return (None, false);
    }
    let found = slots::find(&blocks, false, |word| heap.blocks.is_address(word));
    let candidate = found.and_then(|found| {
        // A pool may round nodes up: what is behind the last byte in use is no part of them.
        let used = |block: &&[u8]| block.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let bytes = blocks.iter().map(used).max().unwrap_or(0).next_multiple_of(8) as u64;
        let end = found.array.end().max(bytes);
        let rows: Vec<ObjectId> = pool.nodes.iter().map(|node| node.0).collect();
        let places = Places {
            holder: &pool.holder,
            site: pool.site.clone(),
            rows: &rows,
            node_bytes: Some(pool.stride),
            now: Form::inline(header(&found, pool.stride)?),
            then: Form::apart(header(&found, end)? + REFERENCE),
            allocator: &POOL,
            assumes: "nodes do not fill up later, nobody keeps the address of a slot, and the pool takes what is asked \
                      for and gives unused pieces back",
        };
        let mut candidate = candidate(heap, &places, &found)?;
        candidate.show("pool_stride_bytes", pool.stride);
        Some(candidate)
    });
    (candidate, true)
}

/// Whether hardly any block uses less than a quarter of its slots: a table that doubles when it is full never does.
fn is_table(found: &Found) -> bool {
    const FEW: usize = 10;
    let few = found
        .used
        .iter()
        .filter(|&&used| used as usize * 4 <= found.array.slots)
        .count();
    few * FEW < found.used.len()
}

/// What a node has beside its slots.
fn header(found: &Found, node: u64) -> Option<u64> {
    node.checked_sub(found.array.slots as u64 * found.array.slot_bytes())
}

/// Nodes, and how they lie in memory.
struct Places<'a> {
    holder: &'a str,
    site: Option<String>,
    /// The row of each node.
    rows: &'a [ObjectId],
    /// Bytes of a node that has no row of its own.
    node_bytes: Option<u64>,
    now: Form,
    then: Form,
    allocator: &'a dyn Allocator,
    assumes: &'a str,
}

fn candidate(heap: &Heap, places: &Places<'_>, found: &Found) -> Option<Candidate> {
    let slots = found.array.slots;
    let slot_bytes = found.array.slot_bytes();
    let mut histogram = vec![0_u64; slots + 1];
    for &used in &found.used {
        histogram[used as usize] += 1;
    }
    let nodes = Nodes {
        used: &histogram,
        slot_bytes,
        now: places.now,
        then: places.then,
    };
    let curve = curve(&nodes, places.allocator);
    let chosen = chosen(&curve)?;
    let mut candidate = Candidate::at(places.holder).assuming(places.assumes);
    candidate.site.clone_from(&places.site);
    for (&row, &used) in places.rows.iter().zip(&found.used) {
        let now = places.node_bytes.unwrap_or_else(|| heap.bytes(row));
        book(places.allocator, &nodes, chosen, &mut candidate, (row, now), used);
    }
    let net = u64::try_from(candidate.net()).ok()?;
    if net < LEAST || net < candidate.bytes_now / SHARE {
        return None;
    }
    let count = places.rows.len() as u64;
    let mean = found.used.iter().map(|&used| f64::from(used)).sum::<f64>() / count as f64;
    candidate.title = format!(
        "{} have {slots} slots of {slot_bytes} bytes and use {mean:.1} of them",
        Count(count).of("node", "nodes")
    );
    candidate.fix = format!(
        "a mask and an array of the used slots alone, with room for {}",
        list(&chosen.sizes)
    );
    // Nodes of a pool are no blocks, of which fields are known.
    let fields: Vec<Option<&str>> = if places.node_bytes.is_some() {
        Vec::new()
    } else {
        let parts = found.array.parts();
        let field = |part: &Part| heap.blocks.field(places.rows[0], part.offset);
        parts.iter().map(field).collect()
    };
    let named: Vec<&str> = fields.iter().flatten().copied().collect();
    if !named.is_empty() {
        candidate.fix.push_str(", for ");
        candidate.fix.push_str(&named.join(" and "));
    }
    show(
        &mut candidate,
        found,
        &fields,
        &nodes,
        &curve,
        chosen,
        places.allocator,
    );
    Some(candidate)
}

/// The last step that is worth its while.
fn chosen(curve: &Curve) -> Option<&Step> {
    let is_worth = |step: &&Step| step.gain > 0 && step.gain.cast_unsigned() >= curve.bytes_now / GAIN_SHARE;
    curve.steps.iter().take(MOST_SIZES).take_while(is_worth).last()
}

/// Books one node: its row shrinks or, when all slots are in use, grows by the second block.
fn book(
    allocator: &dyn Allocator,
    nodes: &Nodes<'_>,
    step: &Step,
    candidate: &mut Candidate,
    (row, now): (ObjectId, u64),
    used: u32,
) {
    let size = step.sizes.iter().find(|&&size| size >= u64::from(used));
    let after = size.map_or(now, |&size| nodes.then.charged(size, nodes.slot_bytes, allocator));
    candidate.bytes_now += now;
    if after < now {
        candidate.claim(row, now - after);
        candidate.count += 1;
    } else {
        candidate.good += 1;
        if after > now {
            candidate.give(row, after - now);
        }
    }
}

fn show(
    candidate: &mut Candidate,
    found: &Found,
    fields: &[Option<&str>],
    nodes: &Nodes<'_>,
    curve: &Curve,
    chosen: &Step,
    allocator: &dyn Allocator,
) {
    let parts: Vec<Value> = found
        .array
        .parts()
        .iter()
        .zip(fields.iter().copied().chain(std::iter::repeat(None)))
        .map(|(part, field)| match field {
            Some(field) => json!({"offset": part.offset, "bytes": part.bytes, "field": field}),
            None => json!({"offset": part.offset, "bytes": part.bytes}),
        })
        .collect();
    candidate.show("slots", found.array.slots);
    candidate.show("slot_bytes", nodes.slot_bytes);
    candidate.show("header_bytes", nodes.now.charged(0, 0, &Exact));
    candidate.show("parts", parts);
    candidate.show("used_slots", nodes.used.to_vec());
    candidate.show("best_sizes", chosen.sizes.clone());
    let steps: Vec<Value> = curve
        .steps
        .iter()
        .map(|step| json!({"sizes": step.sizes, "bytes": step.bytes, "saves": step.saves, "gain": step.gain}))
        .collect();
    candidate.show("sizes", steps);
    candidate.show("gains", plot(curve));
    let with_field = Nodes {
        then: nodes.then.with_size_field(REFERENCE),
        ..*nodes
    };
    if let Some(bytes) = with_field.bytes_with(&chosen.sizes, allocator) {
        candidate.show("size_field", bytes.saturating_sub(chosen.bytes));
    }
}

/// What each further size gains, as bars: the first is the longest.
fn plot(curve: &Curve) -> Vec<String> {
    const WIDTH: u64 = 40;
    let most = curve
        .steps
        .iter()
        .map(|step| step.gain.max(0).cast_unsigned())
        .max()
        .unwrap_or(0)
        .max(1);
    let line = |step: &Step| {
        let gain = step.gain.max(0).cast_unsigned();
        let bar = "█".repeat((u128::from(gain) * u128::from(WIDTH) / u128::from(most)) as usize);
        format!("{:<20} {bar} {}", list(&step.sizes), Count(gain))
    };
    curve.steps.iter().map(line).collect()
}

/// `2, 4, 6 or 16`.
fn list(sizes: &[u64]) -> String {
    let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    /// Numbers as random as a hash.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        }
        fn below(&mut self, limit: usize) -> usize {
            (self.next() % limit as u64) as usize
        }
    }

    fn put(block: &mut [u8], word: usize, value: u64) {
        block[word * 8..word * 8 + 8].copy_from_slice(&value.to_le_bytes());
    }

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        let verdict = Slots.look(&heap.build());
        assert!(verdict.not_measured.is_empty());
        verdict.candidates
    }

    /// Each of `count` blocks of `words` words is filled by `fill`, which gets the address of a leaf, too.
    fn heap_of(count: usize, words: usize, mut fill: impl FnMut(&mut Random, &mut [u8], u64)) -> HeapBuilder {
        let mut heap = HeapBuilder::new();
        let leaf = heap.block("leaf", &[1; 40]);
        let mut random = Random(7);
        for _ in 0..count {
            let mut block = vec![0; words * 8];
            fill(&mut random, &mut block, HeapBuilder::address(leaf));
            heap.block("node", &block);
        }
        heap
    }

    /// A node: two words of header, 16 hashes of four words, 16 pairs of references.
    fn node(random: &mut Random, block: &mut [u8], leaf: u64) {
        put(block, 0, random.next());
        put(block, 1, 1);
        let uses = 1 + random.below(4);
        for _ in 0..uses {
            let slot = random.below(16);
            for word in 0..4 {
                put(block, 2 + slot * 4 + word, random.next());
            }
            put(block, 66 + slot * 2, leaf);
            put(block, 67 + slot * 2, leaf);
        }
    }

    #[test]
    fn parallel_arrays_are_one_and_the_histogram_is_exact() {
        let mut expected = vec![0_u64; 17];
        let heap = heap_of(500, 98, |random, block, leaf| {
            node(random, block, leaf);
            let used =
                (0..16).filter(|slot| block[(66 + slot * 2) * 8] != 0 || block[(66 + slot * 2) * 8 + 5] != 0);
            expected[used.count()] += 1;
        });
        let found = look(heap);
        assert_eq!(found.len(), 1);
        let evidence = &found[0].evidence;
        assert_eq!(
            (&evidence["slots"], &evidence["slot_bytes"]),
            (&json!(16), &json!(48))
        );
        assert_eq!(
            evidence["parts"],
            json!([{"offset": 16, "bytes": 32}, {"offset": 528, "bytes": 16}])
        );
        assert_eq!(evidence["used_slots"], json!(expected));
        assert_eq!(found[0].holder, "node");
        assert_eq!(found[0].site.as_deref(), Some("node, node.cpp:1"));
        // The test's allocator charges what is asked: a node of 24 bytes, and slots of 48.
        let best: Vec<u64> = serde_json::from_value(evidence["best_sizes"].clone()).unwrap();
        let after: u64 = expected
            .iter()
            .zip(0_u64..)
            .map(|(&nodes, used)| nodes * (24 + 48 * best.iter().find(|&&size| size >= used).unwrap()))
            .sum();
        assert_eq!(found[0].bytes_now - found[0].net().cast_unsigned(), after);
    }

    #[test]
    fn arrays_of_which_all_nodes_use_the_beginning_alone_are_told_by_their_ends() {
        for most in [1, 4] {
            let found = look(heap_of(500, 66, move |random, block, leaf| {
                put(block, 0, random.next());
                put(block, 1, 2);
                for slot in 0..=random.below(most) {
                    put(block, 2 + slot, random.next());
                    put(block, 34 + slot, leaf);
                }
            }));
            let evidence = &found[0].evidence;
            assert_eq!(
                (
                    &evidence["slots"],
                    &evidence["slot_bytes"],
                    &evidence["header_bytes"]
                ),
                (&json!(32), &json!(16), &json!(16))
            );
            assert_eq!(evidence["used_slots"][0], 0);
        }
    }

    #[test]
    fn two_buffers_of_an_object_are_no_slots() {
        // Each has a length and text, of which none is long.
        let found = look(heap_of(500, 66, |random, block, leaf| {
            put(block, 0, leaf);
            put(block, 1, 2);
            for buffer in [2, 34] {
                put(block, buffer, 1 + random.next() % 20);
                put(block, buffer + 1, 0x6162_6364_6566_6768);
            }
        }));
        assert!(found.is_empty());
    }

    #[test]
    fn slots_of_references_alone_need_eight_of_them() {
        let tree = |slots: usize| {
            heap_of(500, 2 + slots, move |random, block, leaf| {
                put(block, 0, leaf);
                put(block, 1, 3);
                for slot in 0..slots {
                    if random.below(4) == 0 {
                        put(block, 2 + slot, leaf);
                    }
                }
            })
        };
        assert_eq!(look(tree(26))[0].evidence["slots"], json!(26));
        // A binary tree's, and an object with some references that may be empty.
        assert!(look(tree(2)).is_empty() && look(tree(5)).is_empty());
    }

    #[test]
    fn a_mask_beside_the_slots_is_none_of_them() {
        for before in [false, true] {
            let (mask, first) = if before { (0, 1) } else { (16, 0) };
            let found = look(heap_of(500, 17, move |random, block, leaf| {
                for slot in 0..16 {
                    if random.below(6) == 0 {
                        put(block, first + slot, leaf);
                        // Only a few slots lead to nodes, which the mask tells: it is often zero, too.
                        if slot < 3 {
                            put(block, mask, 1 << slot);
                        }
                    }
                }
            }));
            assert_eq!(found[0].evidence["slots"], json!(16));
            assert_eq!(found[0].evidence["header_bytes"], json!(8));
            assert_eq!(
                found[0].evidence["parts"],
                json!([{"offset": first * 8, "bytes": 8}])
            );
        }
    }

    #[test]
    fn nodes_filled_from_the_beginning_count_and_vectors_do_not() {
        let filled = |header: usize| {
            heap_of(500, header + 16, move |random, block, leaf| {
                (0..header).for_each(|word| put(block, word, 5));
                (0..=random.below(6)).for_each(|slot| put(block, header + slot, leaf));
                if random.below(20) == 0 {
                    (0..16).for_each(|slot| put(block, header + slot, leaf));
                }
            })
        };
        assert!(look(filled(0)).is_empty());
        assert_eq!(look(filled(2)).len(), 1);
    }

    #[test]
    fn vectors_with_stale_tails_and_buckets_are_left_alone() {
        let vectors = heap_of(500, 32, |random, block, leaf| {
            // Zeroed memory in which longer vectors stood before.
            for word in 0..random.below(32) {
                put(block, word, leaf);
            }
            let stale = random.below(32);
            put(block, stale, leaf);
        });
        assert!(look(vectors).is_empty());
        let buckets = heap_of(500, 13, |random, block, leaf| {
            (0..4).for_each(|_| put(block, random.below(12), leaf));
        });
        assert!(look(buckets).is_empty());
    }

    #[test]
    fn text_with_stale_tails_is_left_alone() {
        let text = heap_of(500, 32, |random, block, _| {
            // An earlier, longer text was cut and overwritten.
            for _ in 0..2 {
                let length = random.below(256);
                for byte in &mut block[..length] {
                    *byte = b' ' + random.below(90) as u8;
                }
                if let Some(end) = block.get_mut(length) {
                    *end = 0;
                }
            }
        });
        assert!(look(text).is_empty());
    }

    #[test]
    fn references_left_behind_a_text_are_no_slots() {
        let text = heap_of(3000, 32, |random, block, leaf| {
            let length = 8 + random.below(112);
            for byte in &mut block[..length] {
                *byte = b' ' + random.below(90) as u8;
            }
            for word in 16..32 {
                if random.below(16) == 0 {
                    put(block, word, leaf);
                }
            }
        });
        assert!(look(text).is_empty());
    }

    #[test]
    fn random_data_whole_and_cut_is_left_alone() {
        let whole = heap_of(500, 64, |random, block, _| {
            (0..64).for_each(|word| put(block, word, random.next()));
        });
        assert!(look(whole).is_empty());
        let cut = heap_of(500, 64, |random, block, _| {
            (0..random.below(64)).for_each(|word| put(block, word, random.next()));
        });
        assert!(look(cut).is_empty());
        let with_length = heap_of(500, 65, |random, block, _| {
            let length = random.below(64);
            put(block, 0, length as u64 + 1);
            (0..length).for_each(|word| put(block, 1 + word, random.next()));
        });
        assert!(look(with_length).is_empty());
    }

    #[test]
    fn numbers_that_are_often_zero_are_left_alone() {
        let rows = heap_of(500, 40, |random, block, _| {
            for word in 0..40 {
                if random.below(3) == 0 {
                    put(block, word, 1 + random.next() % 1000);
                }
            }
        });
        assert!(look(rows).is_empty());
        let doubles = heap_of(500, 40, |random, block, _| {
            for word in 0..40 {
                if random.below(3) == 0 {
                    put(block, word, (random.next() as f64 / 1e15).to_bits());
                }
            }
        });
        assert!(look(doubles).is_empty());
    }

    #[test]
    fn full_and_few_nodes_are_left_alone() {
        let full = heap_of(500, 98, |random, block, leaf| {
            (0..40).for_each(|_| node(random, block, leaf));
        });
        assert!(look(full).is_empty());
        assert!(look(heap_of(FEWEST_NODES - 1, 98, node)).is_empty());
    }

    /// Blocks that are cut into nodes of 784 bytes, to each of which `refers` has references lead.
    fn pool_of(refers: bool, mut fill: impl FnMut(&mut Random, &mut [u8], u64)) -> HeapBuilder {
        let mut heap = HeapBuilder::new();
        let leaf = heap.block("leaf", &[1; 40]);
        let mut random = Random(7);
        for _ in 0..FEWEST_NODES {
            let mut chunk = vec![0; 5 * 784];
            for node in chunk.chunks_mut(784) {
                fill(&mut random, node, HeapBuilder::address(leaf));
            }
            let chunk = heap.block("chunk", &chunk);
            let nodes: Vec<u64> = (0..5)
                .map(|node| HeapBuilder::address(chunk) + node * 784)
                .collect();
            let index = nodes
                .iter()
                .flat_map(|node| node.to_le_bytes())
                .collect::<Vec<u8>>();
            let index = heap.block("index", &index);
            for at in (0..5).filter(|_| refers) {
                heap.edge(index, deadweight_heap::EdgeKind::Internal, at, chunk);
            }
        }
        heap
    }

    #[test]
    fn nodes_of_a_pool_are_found_by_the_references_to_them() {
        let mut expected = vec![0_u64; 17];
        let heap = pool_of(true, |random, block, leaf| {
            node(random, block, leaf);
            let used =
                (0..16).filter(|slot| block[(66 + slot * 2) * 8] != 0 || block[(66 + slot * 2) * 8 + 5] != 0);
            expected[used.count()] += 1;
        });
        let found = look(heap);
        assert_eq!(found.len(), 1);
        let evidence = &found[0].evidence;
        assert_eq!(
            (
                &evidence["slots"],
                &evidence["slot_bytes"],
                &evidence["pool_stride_bytes"]
            ),
            (&json!(16), &json!(48), &json!(784))
        );
        assert_eq!(evidence["used_slots"], json!(expected));
        assert_eq!(
            (found[0].holder.as_str(), found[0].bytes_now),
            ("chunk", 320 * 784)
        );
        let best: Vec<u64> = serde_json::from_value(evidence["best_sizes"].clone()).unwrap();
        let after: u64 = expected
            .iter()
            .zip(0_u64..)
            .map(|(&nodes, used)| nodes * (24 + 48 * best.iter().find(|&&size| size >= used).unwrap()))
            .sum();
        assert_eq!(found[0].bytes_now - found[0].net().cast_unsigned(), after);
    }

    #[test]
    fn cells_of_tables_are_no_nodes() {
        // Rows of 14 cells with a word of tags before them, of which a table of open addressing leaves many empty.
        let cells = |random: &mut Random, block: &mut [u8], leaf: u64| {
            put(block, 0, random.next() | 1);
            for cell in 0..14 {
                if random.below(3) > 0 {
                    (0..6).for_each(|word| put(block, 2 + cell * 6 + word, random.next()));
                    put(block, 2 + cell * 6, leaf);
                }
            }
        };
        assert!(look(pool_of(false, cells)).is_empty());
    }

    #[test]
    fn a_dump_without_contents_says_so() {
        let mut heap = heap_of(100, 98, node);
        heap.hide_contents();
        assert_eq!(Slots.look(&heap.build()).not_measured.len(), 1);
    }

    #[test]
    fn sizes_are_listed_as_people_say_them() {
        assert_eq!(list(&[2, 4, 16]), "2, 4 or 16");
        assert_eq!(list(&[16]), "16");
    }
}
