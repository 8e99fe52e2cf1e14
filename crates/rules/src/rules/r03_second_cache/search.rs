//! The search for copies, and for what goes with them.

use deadweight_heap::{Heap, ObjectId};

use super::groups::Group;
use super::looked::Looked;
use super::share::content;
use super::{CONTAINED, LEAST};
use crate::Candidate;
use crate::containment::{Vanishing, vanishing};
use crate::elsewhere::Rows;

pub(super) struct Search<'h> {
    pub(super) heap: &'h Heap,
    pub(super) groups: Vec<Group>,
    pub(super) looked: Looked,
    /// Each group's pieces.
    pub(super) pieces: Vec<std::ops::Range<usize>>,
    /// What is taken for a copy, with what holds it.
    pub(super) gone: Rows,
}

impl<'h> Search<'h> {
    pub(super) fn new(heap: &'h Heap, groups: Vec<Group>) -> Self {
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

    pub(super) fn candidates(mut self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for group in 0..self.groups.len() {
            let is_known = self.gone.has(self.groups[group].rows[0]);
            if !is_known && self.share(group, &Rows::none(self.heap)).is_enough() {
                found.extend(self.candidate(group));
            }
        }
        found
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
}
