//! The search for copies, and for what goes with them.

use std::cmp::Reverse;

use deadweight_heap::{Heap, ObjectId, RowSet};
use rustc_hash::FxHashMap;

use super::groups::CopyGroup;
use super::looked::Looked;
use super::share::{Share, content};
use super::vanishing::{Vanishing, vanishing};
use super::{CONTAINED, Copies};
use crate::place::Place;

pub(super) struct Search<'h> {
    pub(super) heap: &'h Heap,
    /// Those with more content first: of two that contain each other it is the one that has more than the other.
    pub(super) groups: Vec<CopyGroup>,
    pub(super) looked: Looked,
    /// What is taken for a copy, with what holds it.
    pub(super) gone: RowSet,
}

impl<'h> Search<'h> {
    pub(super) fn new(heap: &'h Heap, mut groups: Vec<CopyGroup>) -> Self {
        let (looked, pieces) = Looked::of(heap, groups.iter().map(|group| &group.rows[..]));
        for (group, pieces) in groups.iter_mut().zip(pieces) {
            group.pieces = pieces;
        }
        groups.sort_by_cached_key(|group| {
            let pieces = &looked.samples.pieces[group.pieces.clone()];
            let bytes: usize = pieces.iter().map(|piece| content(&piece.bytes)).sum();
            let blocks = pieces.chunk_by(|a, b| a.row == b.row).count();
            Reverse(bytes as u64 * group.rows.len() as u64 / blocks.max(1) as u64)
        });
        Self {
            heap,
            groups,
            looked,
            gone: heap.no_rows(),
        }
    }

    pub(super) fn all(mut self) -> Vec<Copies> {
        let mut found = Vec::new();
        for group in 0..self.groups.len() {
            let is_known = self.gone.has(self.groups[group].rows[0]);
            if !is_known && self.share(group, &self.heap.no_rows()).is_enough() {
                found.extend(self.copies(group));
            }
        }
        found
    }

    /// The copies of a group and of those that the same blocks hold, with what goes with them.
    fn copies(&mut self, first: usize) -> Option<Copies> {
        let heap = self.heap;
        let held_by = self.groups[first].held_by;
        let is_family = |at: usize| held_by.is_some() && self.groups[at].held_by == held_by;
        let nothing = heap.no_rows();
        let mut copies: Vec<usize> = (0..self.groups.len())
            .filter(|&at| (at == first || is_family(at)) && self.share(at, &nothing).is_enough())
            .collect();
        let holders = loop {
            let rows = self.rows_of(&copies);
            let holders = vanishing(heap, &rows);
            let gone = heap.row_set(holders.iter().flat_map(|group| &group.rows).chain(&rows).copied());
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
        let held = || holders.iter().flat_map(|group| &group.rows).chain(&rows);
        let gone = heap.row_set(held().copied());
        let shares = copies.iter().map(|&group| self.share(group, &gone));
        let share = shares.fold(Share::default(), Share::with);
        let sources = self.sources(&copies, &gone);
        self.gone.extend(held().copied());
        Some(Copies {
            place: self.groups[copies[0]].place,
            rows,
            holders,
            sources,
            share,
        })
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
    fn without_own_contents(&self, mut holders: Vec<Vanishing>, gone: &RowSet) -> Vec<Vanishing> {
        let (looked, pieces) = Looked::of(self.heap, holders.iter().map(|group| &group.rows[..]));
        let has_own = |pieces: &std::ops::Range<usize>| {
            let (mut distinctive, mut covered) = (0, 0);
            for piece in pieces.clone() {
                let elsewhere = looked.covered(piece, |row| !gone.has(row) && !self.gone.has(row));
                let marks = &looked.samples.pieces[piece].distinctive;
                distinctive += marks.iter().filter(|&&marks| marks).count();
                covered += marks
                    .iter()
                    .zip(elsewhere)
                    .filter(|(marks, there)| **marks && *there)
                    .count();
            }
            covered * 100 < distinctive * CONTAINED
        };
        let end = pieces.iter().position(has_own).unwrap_or(holders.len());
        holders.truncate(end);
        holders
    }

    /// Where the contents of copies stand as well: names, and how much of the contents each has, in percent.
    fn sources(&self, copies: &[usize], gone: &RowSet) -> Vec<(String, f64)> {
        let mut bytes: FxHashMap<String, u64> = FxHashMap::default();
        let mut all = 0_u64;
        let pieces: Vec<usize> = copies
            .iter()
            .flat_map(|&group| self.groups[group].pieces.clone())
            .collect();
        for block in self.looked.by_block(&pieces) {
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
                        .filter(|(byte, there)| **byte != 0 && *there);
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
