//! # R03 · the same content held by two caches
//!
//! ## What it is
//! Blocks whose contents other blocks of the program hold, too: nodes in serialised form beside the nodes themselves,
//! texts beside what was read out of them.
//!
//! ## Why it costs
//! Each content is paid for twice, and the second time with the table that finds it: entries, keys, counts of
//! references. It happens where two layers of a program each bring a cache of their own.
//!
//! ## How it is found
//! From the contents of raw blocks alone. Blocks of 64 bytes or more without references are grouped by the place that
//! allocates them and by what refers to them; a group counts from 64 blocks on. In up to 128 blocks of a group every
//! window of 16 bytes that only one of them has, with no pattern and few zeros, is looked for in all other blocks, at
//! any distance, and what is common is followed in both directions. A block is contained when at least 80 % of its
//! bytes that are not zero are, in stretches of 24 bytes or more, and no more than 24 bytes stand before the first: what
//! is left in memory of something freed stands behind what was written since. At least 90 % of the blocks looked at
//! must be contained.
//!
//! A block without references counts as a place where contents are held only if at least 80 % of it are in the copy:
//! what was read out of a larger text stays silent beside it, and what is left in memory of something freed is no
//! place. Of two groups that contain each other the one with
//! more content is named: what was put together of others has all of their contents, each of them only its own. Windows
//! that more than 32 places have are boilerplate.
//!
//! ## How the saving is computed
//! The bytes of the group, and of the blocks that do nothing but hold it: whose references lead to it, to each other,
//! and nowhere else, up to the table (of which one reference in ten may lead elsewhere), and whose own contents, if they
//! have any that tell something, are held elsewhere, too.
//!
//! ## How to fix it
//! Keep one of the two. The other form can be made when it is asked for, or read from where it is stored: a cache in
//! front of a cache seldom hits.
//!
//! - C++, Rust: let the second cache hold the objects of the first, by shared or weak pointers.
//! - Write serialised forms out, and free them.
//!
//! ## When not to
//! When the second form is dear to make and is asked for often.

use deadweight_heap::{Heap, ObjectId, Presence};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::block_groups::{Place, commonest};
use crate::containment::{Common, Piece, Samples, Vanishing, common, vanishing};
use crate::count::Count;
use crate::elsewhere::Rows;
use crate::{Candidate, Code, Rule, Verdict};

/// Smaller blocks are parts of objects: keys and names.
const SMALLEST: u64 = 64;

/// Fewer blocks are no cache.
const FEWEST: usize = 64;

/// Fewer bytes are no finding, nor is less than one in so many held bytes.
const LEAST: u64 = 4096;
const SHARE: u64 = 1000;

/// So many groups are looked at, those with most bytes.
const MOST_GROUPS: usize = 32;

/// Of a block so much must be elsewhere, in percent of its bytes that are not zero…
const CONTAINED: usize = 80;
/// … and of a group so many of its blocks, in percent.
const CONTAINED_BLOCKS: usize = 90;

/// More bytes than this before the first that are elsewhere are contents of their own: more than a form's header.
const HEADER: usize = 24;

/// The rule.
pub struct SecondCache;

impl Rule for SecondCache {
    fn code(&self) -> Code {
        Code("R03")
    }

    fn source(&self) -> &'static str {
        include_str!("r03_second_cache.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if !heap.blocks.any() {
            return Verdict::default();
        }
        let groups = groups(heap);
        if groups.is_empty() {
            return Verdict::default();
        }
        if heap.coverage.contents == Presence::Absent {
            return Verdict::blind(
                "the contents of blocks are not in the dump, so what two caches hold is not seen",
                heap.runtime.recapture.clone(),
            );
        }
        Search::new(heap, groups).candidates().into()
    }
}

/// Blocks without references, by the place that allocates them and what refers to them.
struct Group {
    place: Place,
    /// What refers to them; `None` where nothing is known.
    held_by: Option<Place>,
    rows: Vec<ObjectId>,
}

/// The groups that are worth a search, in the order of their first rows.
fn groups(heap: &Heap) -> Vec<Group> {
    let rows = heap.objects.len();
    let pieces: Vec<Groups> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| groups_of(heap, piece * PIECE..((piece + 1) * PIECE).min(rows)))
        .collect();
    let mut groups = Groups::default();
    for (key, rows) in pieces.into_iter().flatten() {
        groups.entry(key).or_default().extend(rows);
    }
    let least = LEAST.max(heap.held_bytes() / SHARE);
    let mut found: Vec<(u64, Group)> = groups
        .into_iter()
        .map(|((place, held_by), rows)| (bytes(heap, &rows), Group { place, held_by, rows }))
        .filter(|(bytes, group)| group.rows.len() >= FEWEST && *bytes >= least)
        .collect();
    found.sort_unstable_by_key(|(bytes, group)| (std::cmp::Reverse(*bytes), group.rows[0]));
    found.truncate(MOST_GROUPS);
    found.into_iter().map(|(_, group)| group).collect()
}

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 17;

type Groups = FxHashMap<(Place, Option<Place>), Vec<ObjectId>>;

fn groups_of(heap: &Heap, rows: std::ops::Range<usize>) -> Groups {
    let mut groups = Groups::default();
    for row in rows.map(|row| row as ObjectId) {
        let is_large = heap.blocks.requested(row).is_some_and(|bytes| bytes >= SMALLEST);
        if !is_large || heap.edges.count(row) > 0 {
            continue;
        }
        if let Some(place @ Place::Site(_)) = Place::of(heap, row) {
            let referrer = heap.referrers.of(row);
            let held_by = referrer.and_then(|(from, _)| Place::of(heap, from));
            groups.entry((place, held_by)).or_default().push(row);
        }
    }
    groups
}

fn bytes(heap: &Heap, rows: &[ObjectId]) -> u64 {
    rows.iter().map(|&row| heap.bytes(row)).sum()
}

/// What was found of some samples.
struct Looked {
    samples: Samples,
    common: Vec<Common>,
}

impl Looked {
    /// Looks for pieces of several groups; gives for each group which pieces are its.
    fn of<'r>(
        heap: &Heap,
        groups: impl Iterator<Item = &'r [ObjectId]>,
    ) -> (Self, Vec<std::ops::Range<usize>>) {
        let (samples, pieces) = Samples::of(heap, &groups.collect::<Vec<_>>());
        let common = common(heap, &samples);
        (Self { samples, common }, pieces)
    }

    /// Which bytes of a piece stand in blocks that `counts` takes, too.
    fn covered(&self, piece: usize, counts: impl Fn(ObjectId) -> bool) -> Vec<bool> {
        let mut covered = vec![false; self.samples.pieces[piece].bytes.len()];
        for common in self.of_piece(piece).iter().filter(|common| counts(common.row)) {
            covered[common.at.clone()].fill(true);
        }
        covered
    }

    fn of_piece(&self, piece: usize) -> &[Common] {
        let first = self
            .common
            .partition_point(|common| (common.piece as usize) < piece);
        let end = self
            .common
            .partition_point(|common| common.piece as usize <= piece);
        &self.common[first..end]
    }
}

struct Search<'h> {
    heap: &'h Heap,
    groups: Vec<Group>,
    looked: Looked,
    /// Each group's pieces.
    pieces: Vec<std::ops::Range<usize>>,
    /// What is taken for a copy, with what holds it.
    gone: Rows,
}

/// How much of a group is elsewhere.
struct Share {
    blocks: usize,
    contained: usize,
    /// Bytes that are not zero, and those of them that are elsewhere.
    content: usize,
    covered: usize,
}

impl Share {
    fn is_enough(&self) -> bool {
        self.contained > 0 && self.contained * 100 >= self.blocks * CONTAINED_BLOCKS
    }
}

impl<'h> Search<'h> {
    fn new(heap: &'h Heap, groups: Vec<Group>) -> Self {
        let (looked, pieces) = Looked::of(heap, groups.iter().map(|group| &group.rows[..]));
        let mut search = Self {
            heap,
            groups,
            looked,
            pieces,
            gone: Rows::none(heap),
        };
        search.by_content();
        search
    }

    /// Puts groups with more content first: of two that contain each other the one that has more than the other.
    fn by_content(&mut self) {
        let content = |pieces: &std::ops::Range<usize>, rows: usize| {
            let pieces = &self.looked.samples.pieces[pieces.clone()];
            let bytes: usize = pieces.iter().map(|piece| content(&piece.bytes)).sum();
            let mut blocks: Vec<ObjectId> = pieces.iter().map(|piece| piece.row).collect();
            blocks.dedup();
            bytes as u64 * rows as u64 / blocks.len().max(1) as u64
        };
        let groups = std::mem::take(&mut self.groups);
        let mut order: Vec<(u64, Group, std::ops::Range<usize>)> = groups
            .into_iter()
            .zip(&self.pieces)
            .map(|(group, pieces)| (content(pieces, group.rows.len()), group, pieces.clone()))
            .collect();
        order.sort_by_key(|(content, ..)| std::cmp::Reverse(*content));
        self.pieces = order.iter().map(|(.., pieces)| pieces.clone()).collect();
        self.groups = order.into_iter().map(|(_, group, _)| group).collect();
    }

    fn candidates(mut self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for group in 0..self.groups.len() {
            let is_known = self.gone.has(self.groups[group].rows[0]);
            if !is_known && self.share(group, &Rows::none(self.heap)).is_enough() {
                found.extend(self.candidate(group));
            }
        }
        found
    }

    /// How much of a group is in blocks that are neither its own, nor in `without`, nor copies already.
    fn share(&self, group: usize, without: &Rows) -> Share {
        let own = Rows::of(self.heap, &self.groups[group].rows);
        let mut share = Share {
            blocks: 0,
            contained: 0,
            content: 0,
            covered: 0,
        };
        let pieces = self.pieces[group].clone().collect::<Vec<_>>();
        let row = |piece: usize| self.looked.samples.pieces[piece].row;
        for block in pieces.chunk_by(|&a, &b| row(a) == row(b)) {
            let places = self.places(block);
            let counts = |row: ObjectId| !own.has(row) && !without.has(row) && places.contains(&row);
            let (mut content, mut covered, mut before) = (0, 0, 0);
            for &piece in block {
                let bytes = &self.looked.samples.pieces[piece].bytes;
                for (byte, is_covered) in bytes.iter().zip(self.looked.covered(piece, counts)) {
                    content += usize::from(*byte != 0);
                    covered += usize::from(*byte != 0 && is_covered);
                    before += usize::from(*byte != 0 && covered == 0);
                }
            }
            share.blocks += 1;
            share.content += content;
            share.covered += covered;
            let is_contained = covered > 0 && before <= HEADER && covered * 100 >= content * CONTAINED;
            share.contained += usize::from(is_contained);
        }
        share
    }

    /// The blocks in which contents of a block stand that stay when the copies go. One without references must be in
    /// the copy nearly whole: what is a part of a larger text was read out of it, or is left there of something freed.
    fn places(&self, pieces: &[usize]) -> FxHashSet<ObjectId> {
        let mut common: FxHashMap<ObjectId, usize> = FxHashMap::default();
        for stretch in pieces.iter().flat_map(|&piece| self.looked.of_piece(piece)) {
            *common.entry(stretch.row).or_default() += stretch.at.len();
        }
        let pieces: Vec<&Piece> = pieces
            .iter()
            .map(|&piece| &self.looked.samples.pieces[piece])
            .collect();
        let looked_at: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
        let whole = pieces
            .first()
            .and_then(|piece| self.heap.blocks.requested(piece.row));
        let is_whole = |row: ObjectId, bytes: usize| {
            // Of a large copy only a part is looked at.
            let bytes = bytes as u128 * u128::from(whole.unwrap_or(0)) / looked_at.max(1) as u128;
            let most = usize::try_from(bytes * 100 / CONTAINED as u128).unwrap_or(usize::MAX);
            let there = self.heap.blocks.content(row);
            there.is_some_and(|there| there.iter().filter(|&&byte| byte != 0).nth(most).is_none())
        };
        let holds_references = |row: ObjectId| self.heap.edges.count(row) > 0;
        common
            .into_iter()
            .filter(|&(row, bytes)| !self.gone.has(row) && (holds_references(row) || is_whole(row, bytes)))
            .map(|(row, _)| row)
            .collect()
    }

    /// The copies of a group and of those that the same blocks hold, with what goes with them.
    fn candidate(&mut self, first: usize) -> Option<Candidate> {
        let heap = self.heap;
        let family = |group: usize| {
            group == first
                || (self.groups[group].held_by.is_some()
                    && self.groups[group].held_by == self.groups[first].held_by)
        };
        let nothing = Rows::none(heap);
        let mut copies: Vec<usize> = (0..self.groups.len()).filter(|&group| family(group)).collect();
        copies.retain(|&group| self.share(group, &nothing).is_enough());
        let holders = loop {
            let rows = self.rows_of(&copies);
            let holders = vanishing(heap, &rows);
            let gone = Rows::of(heap, holders.iter().flat_map(|group| &group.rows).chain(&rows));
            let before = copies.len();
            copies.retain(|&group| self.share(group, &gone).is_enough());
            if copies.is_empty() {
                return None;
            }
            if copies.len() == before {
                break self.without_own_contents(holders, &gone);
            }
        };
        let rows = self.rows_of(&copies);
        let held = holders.iter().flat_map(|group| &group.rows);
        let gone = Rows::of(heap, held.clone().chain(&rows));
        let candidate = self.booked(&copies, &rows, &holders, &gone);
        self.gone.extend(held.chain(&rows));
        (candidate.bytes_now >= LEAST).then_some(candidate)
    }

    fn rows_of(&self, groups: &[usize]) -> Vec<ObjectId> {
        let mut rows: Vec<ObjectId> = groups
            .iter()
            .flat_map(|&group| self.groups[group].rows.iter().copied())
            .collect();
        rows.sort_unstable();
        rows
    }

    /// Those blocks that hold the copies and nothing that is nowhere else, up to the first group that does.
    fn without_own_contents(&self, mut holders: Vec<Vanishing>, gone: &Rows) -> Vec<Vanishing> {
        let (looked, pieces) = Looked::of(self.heap, holders.iter().map(|group| &group.rows[..]));
        let has_own = |pieces: &std::ops::Range<usize>| {
            let (mut telling, mut covered) = (0, 0);
            for piece in pieces.clone() {
                let elsewhere = looked.covered(piece, |row| !gone.has(row) && !self.gone.has(row));
                let tells = &looked.samples.pieces[piece].telling;
                telling += tells.iter().filter(|&&tells| tells).count();
                let both = tells
                    .iter()
                    .zip(elsewhere)
                    .filter(|&(&tells, elsewhere)| tells && elsewhere);
                covered += both.count();
            }
            covered * 100 < telling * CONTAINED
        };
        let end = pieces.iter().position(has_own).unwrap_or(holders.len());
        holders.truncate(end);
        holders
    }

    fn booked(&self, copies: &[usize], rows: &[ObjectId], holders: &[Vanishing], gone: &Rows) -> Candidate {
        let heap = self.heap;
        // A function may allocate for both: then what holds the copies tells them apart.
        let sources = self.sources(copies, gone);
        let own = self.groups[copies[0]].place;
        let is_shared = sources.iter().any(|(name, _)| *name == own.name(heap));
        let held_by = holders.iter().map(|group| group.key.0);
        let typed = held_by.clone().find(|place| matches!(place, Place::Type(_)));
        let nearest = held_by.clone().next().filter(|_| is_shared);
        let place = typed.or(nearest).unwrap_or(own);
        let mut candidate = Candidate::at(place.name(heap)).assuming(
            "nobody needs the second form but to find what the other blocks hold, all copies are as those looked at, and what holds nothing but copies goes with them",
        );
        candidate.site = commonest(heap, rows);
        let held = holders.iter().flat_map(|group| &group.rows);
        for &row in rows.iter().chain(held) {
            candidate.claim(row, heap.bytes(row));
            candidate.count += 1;
        }
        candidate.bytes_now = candidate.net().cast_unsigned();
        let named: Vec<&str> = sources.iter().take(2).map(|(name, _)| name.as_str()).collect();
        candidate.title = format!(
            "{} repeat what {} hold{}",
            Count(rows.len() as u64).of("block", "blocks"),
            named.join(" and "),
            if named.len() == 1 { "s" } else { "" },
        );
        candidate.fix = "keep one of the two; make or read the other form when it is asked for".into();
        let shares: Vec<Share> = copies.iter().map(|&group| self.share(group, gone)).collect();
        let sum = |of: fn(&Share) -> usize| shares.iter().map(of).sum::<usize>();
        let percent = sum(|share| share.covered) as f64 * 100.0 / sum(|share| share.content).max(1) as f64;
        candidate.show("copies", rows.len());
        candidate.show("copies_bytes", bytes(heap, rows));
        candidate.show("contained_percent", (percent * 10.0).round() / 10.0);
        candidate.show("blocks_looked_at", sum(|share| share.blocks));
        candidate.show("blocks_contained", sum(|share| share.contained));
        let list: Vec<_> = sources
            .iter()
            .map(|(name, percent)| json!({"holder": name, "percent": percent}))
            .collect();
        candidate.show("contained_in", list);
        let list: Vec<_> = holders
            .iter()
            .map(|group| {
                json!({
                    "holder": group.key.0.name(heap),
                    "blocks": group.rows.len(),
                    "requested_bytes": group.key.1,
                    "bytes": bytes(heap, &group.rows),
                })
            })
            .collect();
        candidate.show("vanishes_too", list);
        candidate
    }

    /// Where the contents of copies stand as well: names, and how much of the contents each has, in percent.
    fn sources(&self, copies: &[usize], gone: &Rows) -> Vec<(String, f64)> {
        let mut bytes: FxHashMap<String, u64> = FxHashMap::default();
        let mut all = 0_u64;
        let pieces: Vec<usize> = copies
            .iter()
            .flat_map(|&group| self.pieces[group].clone())
            .collect();
        let row = |piece: usize| self.looked.samples.pieces[piece].row;
        for block in pieces.chunk_by(|&a, &b| row(a) == row(b)) {
            let places = self.places(block);
            for &piece in block {
                let own = &self.looked.samples.pieces[piece].bytes;
                all += content(own) as u64;
                let mut covered: FxHashMap<Place, Vec<bool>> = FxHashMap::default();
                for common in self.looked.of_piece(piece) {
                    let counts = places.contains(&common.row) && !gone.has(common.row);
                    if let Some(place) = Place::of(self.heap, common.row).filter(|_| counts) {
                        let of_place = covered.entry(place).or_insert_with(|| vec![false; own.len()]);
                        of_place[common.at.clone()].fill(true);
                    }
                }
                for (place, covered) in covered {
                    let both = own
                        .iter()
                        .zip(covered)
                        .filter(|&(&byte, covered)| byte != 0 && covered);
                    *bytes.entry(place.name(self.heap)).or_default() += both.count() as u64;
                }
            }
        }
        let mut sources: Vec<(String, u64)> = bytes.into_iter().collect();
        sources.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let percent = |bytes: u64| (bytes as f64 * 1000.0 / all.max(1) as f64).round() / 10.0;
        sources
            .into_iter()
            .map(|(name, bytes)| (name, percent(bytes)))
            .collect()
    }
}

/// Bytes that are not zero.
fn content(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte != 0).count()
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder};

    use super::*;

    const NODES: u64 = 200;

    /// Bytes as random as a hash, the same for one seed.
    fn random(seed: u64, bytes: usize) -> Vec<u8> {
        let mut state = seed << 32;
        let mut word = || {
            state += 1;
            let z = state.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        (0..bytes.div_ceil(8))
            .flat_map(|_| word().to_le_bytes())
            .take(bytes)
            .collect()
    }

    fn payload(node: u64) -> Vec<u8> {
        random(node, 100)
    }

    fn key(node: u64) -> Vec<u8> {
        random(node + 1_000_000, 32)
    }

    /// A block of bytes and references.
    fn block(heap: &mut HeapBuilder, site: &str, parts: &[&[u8]], to: &[ObjectId]) -> ObjectId {
        let mut content = parts.concat();
        content.resize(content.len().next_multiple_of(8), 0);
        for &to in to {
            content.extend(HeapBuilder::address(to).to_le_bytes());
        }
        let row = heap.block(site, &content);
        for &to in to {
            heap.edge(row, EdgeKind::Internal, 0, to);
        }
        row
    }

    /// Nodes with their payloads.
    fn live(heap: &mut HeapBuilder) {
        for node in 0..NODES {
            let payload = heap.block("payload", &payload(node));
            block(heap, "leaf", &[&key(node)], &[payload]);
        }
    }

    /// Nodes in serialised form, in entries of a table.
    fn cache(heap: &mut HeapBuilder, nodes: std::ops::Range<u64>, own: impl Fn(u64) -> Vec<u8>) {
        let entries: Vec<ObjectId> = nodes
            .map(|node| {
                let serial = heap.block("serial", &[b"LEAF", &payload(node)[..], &key(node)].concat());
                block(heap, "entry", &[&own(node)], &[serial])
            })
            .collect();
        let table = block(heap, "table", &[], &entries);
        block(heap, "store", &[], &[table, 0]);
    }

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        let verdict = SecondCache.look(&heap.build());
        assert!(verdict.not_measured.is_empty());
        verdict.candidates
    }

    #[test]
    fn the_second_cache_goes_with_its_entries_and_its_table() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        cache(&mut heap, 0..NODES, key);
        let found = look(heap);
        assert_eq!(found.len(), 1, "{found:#?}");
        let found = &found[0];
        assert_eq!(found.holder, "serial");
        assert_eq!(found.net().cast_unsigned(), NODES * (136 + 40) + NODES * 8);
        assert_eq!(found.count, 2 * NODES + 1);
        assert_eq!(found.evidence["copies_bytes"], json!(NODES * 136));
        assert_eq!(found.evidence["contained_in"][0]["holder"], "payload");
        assert!(found.assumes.is_some());
    }

    #[test]
    fn entries_with_contents_of_their_own_stay() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        cache(&mut heap, 0..NODES, |node| random(node + 2_000_000, 32));
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net().cast_unsigned(), NODES * 136);
    }

    #[test]
    fn what_is_mostly_elsewhere_is_silent() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        // Half of the cached nodes are no longer in the tree.
        cache(&mut heap, NODES / 2..NODES / 2 * 3, key);
        assert!(look(heap).is_empty());
    }

    #[test]
    fn what_its_own_entries_repeat_is_silent() {
        let mut heap = HeapBuilder::new();
        cache(&mut heap, 0..NODES, |node| payload(node)[..96].to_vec());
        assert!(look(heap).is_empty());
    }

    #[test]
    fn equal_payloads_of_two_caches_are_named_once() {
        let mut heap = HeapBuilder::new();
        for node in 0..NODES {
            let first = heap.block("first", &payload(node));
            block(
                &mut heap,
                "first entry",
                &[&random(node + 3_000_000, 32)],
                &[first],
            );
            let second = heap.block("second", &payload(node));
            block(
                &mut heap,
                "second entry",
                &[&random(node + 4_000_000, 32)],
                &[second],
            );
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net().cast_unsigned(), NODES * 100);
    }

    #[test]
    fn nodes_and_random_data_are_silent() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        for node in 0..NODES {
            heap.block("random", &random(node + 5_000_000, 512));
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn texts_of_one_form_are_silent() {
        let mut heap = HeapBuilder::new();
        for line in 0..NODES {
            let text = |number: u64| {
                format!(
                    "2024-05-01 12:00:00 INFO  the request number {number} has been handled by the worker of the pool"
                )
            };
            heap.block("log", text(line * 7919).as_bytes());
            heap.block("report", text(line * 104_729 + 1).as_bytes());
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn what_was_read_out_of_a_file_is_silent_beside_it() {
        let mut heap = HeapBuilder::new();
        for file in 0..10 {
            let values: Vec<Vec<u8>> = (0..20).map(|value| random(file * 20 + value, 100)).collect();
            for value in &values {
                heap.block("value", value);
            }
            heap.block("file", &values.join(&b"\n"[..]));
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn what_is_left_of_freed_blocks_is_silent() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        for node in 0..NODES {
            let mut stale = random(node + 6_000_000, 30);
            stale.extend(&payload(node)[10..]);
            heap.block("fresh", &stale);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn numbers_that_count_up_are_silent() {
        let mut heap = HeapBuilder::new();
        let numbers = |from: u64| {
            (from..from + 32)
                .flat_map(|n| (n as u32).to_le_bytes())
                .collect::<Vec<u8>>()
        };
        for block in 0..NODES {
            heap.block("rows", &numbers(block * 32));
            heap.block("ids", &numbers(block * 32));
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn a_dump_without_contents_says_so() {
        let mut heap = HeapBuilder::new();
        live(&mut heap);
        heap.hide_contents()
            .coverage(|coverage| coverage.contents = Presence::Absent);
        assert_eq!(SecondCache.look(&heap.build()).not_measured.len(), 1);
        assert!(
            SecondCache
                .look(&HeapBuilder::new().build())
                .not_measured
                .is_empty()
        );
    }
}
