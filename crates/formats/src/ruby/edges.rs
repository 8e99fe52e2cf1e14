//! References: from addresses to rows, with the names a person would say.
//!
//! Ruby lists what an object refers to without saying how, and leaves out what stands in a slot (small integers, nil,
//! most symbols). Names come from the recorder; without it from the shapes, where no reference was left out.

mod names;
mod naming;

use deadweight_heap::{EdgeKind, Edges, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::addresses::Addresses;
use super::named::{Immediate, Named, immediate};
use super::own_classes::OwnClasses;
use super::rows::Piece;
use super::types::Classes;
use crate::joined::joined;

pub(super) use names::{Names, group_names, shape_names};

/// Rows that one task takes at once.
const PIECE: usize = 1 << 15;

/// All that edges are made of.
pub(super) struct Graph<'a> {
    pub(super) all: &'a Piece,
    pub(super) bytes: &'a [u8],
    pub(super) addresses: &'a Addresses,
    pub(super) named: &'a Named<'a>,
    pub(super) classes: &'a Classes,
    pub(super) names: &'a Names,
    pub(super) shape_of: &'a FxHashMap<u32, u32>,
    pub(super) roots: &'a FxHashMap<u32, Root>,
    /// The class whose constants are everyone's.
    pub(super) top: u32,
    pub(super) pooled: bool,
    pub(super) own_classes: &'a OwnClasses,
}

/// A list of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Globals,
    /// What the interpreter itself keeps.
    Machine,
    Other,
}

impl Root {
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"global_tbl" => Self::Globals,
            b"vm" | b"global_list" | b"global_symbols" => Self::Machine,
            _ => Self::Other,
        }
    }
}

/// A value in a slot as a row of its own, beyond those of the dump.
#[derive(Debug, Default)]
pub(super) struct Immediates {
    pub(super) values: Vec<(u64, Immediate)>,
}

/// Edges of some rows.
struct Found {
    ends: Vec<u32>,
    via: Vec<Via>,
    /// Rows; values in slots have the top bit of `word_at` and stand in `words`.
    to: Vec<u32>,
    words: Vec<(u32, u64)>,
    /// References to addresses at which the dump has no object.
    lost: usize,
}

/// Resolves and names all references, and counts those that lead to no object of the dump. Values that stand in slots get
/// rows behind those of the dump.
pub(super) fn edges(graph: &Graph<'_>) -> (Edges, Immediates, usize) {
    let rows = graph.all.len();
    let pieces: Vec<Found> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let range = piece * PIECE..((piece + 1) * PIECE).min(rows);
            let references = graph.all.range_of(range.clone());
            let mut found = Found {
                ends: Vec::with_capacity(range.len()),
                via: Vec::with_capacity(references.len()),
                to: Vec::with_capacity(references.len()),
                words: Vec::new(),
                lost: 0,
            };
            // All at once: to look up an address takes long, but the next ones can be looked up meanwhile.
            let references = graph.all.references[references].iter();
            let found_at = references.map(|&address| graph.addresses.row(address).unwrap_or(u32::MAX));
            let found_at: Vec<u32> = found_at.collect();
            found.lost = found_at.iter().filter(|&&to| to == u32::MAX).count();
            let mut rest = found_at.as_slice();
            let mut targets = Vec::new();
            for row in range {
                let (own, others) = rest.split_at(graph.all.range(row).len());
                rest = others;
                targets.clear();
                targets.extend(own.iter().filter(|&&to| to != u32::MAX));
                graph.row(row, own.len(), &mut found, &targets);
                found.ends.push(found.to.len() as u32);
            }
            found
        })
        .collect();
    join(rows, pieces)
}

fn join(rows: usize, mut pieces: Vec<Found>) -> (Edges, Immediates, usize) {
    let lost = pieces.iter().map(|piece| piece.lost).sum();
    let mut immediates = Immediates::default();
    let mut ids: FxHashMap<u64, u32> = FxHashMap::default();
    let mut base = 0;
    for piece in &mut pieces {
        for (at, word) in std::mem::take(&mut piece.words) {
            let id = *ids.entry(word).or_insert_with(|| {
                let value = immediate(word, true).or_else(|| immediate(word, false));
                immediates.values.push((word, value.unwrap_or(Immediate::Nil)));
                (rows + immediates.values.len() - 1) as u32
            });
            piece.to[at as usize] = id;
        }
        for end in &mut piece.ends {
            *end += base;
        }
        base += piece.to.len() as u32;
    }
    let none = immediates.values.iter().map(|_| base).collect();
    let ends = pieces.iter_mut().map(|piece| std::mem::take(&mut piece.ends));
    let starts = std::iter::once(vec![0]).chain(ends).chain([none]).collect();
    let starts = joined(starts, 0);
    let via = pieces
        .iter_mut()
        .map(|piece| std::mem::take(&mut piece.via))
        .collect();
    let via = joined(via, Via::default());
    let to = joined(pieces.into_iter().map(|piece| piece.to).collect(), 0);
    (Edges::from_columns(starts, via, to), immediates, lost)
}

impl Found {
    fn push(&mut self, kind: EdgeKind, name: u32, to: u32) {
        self.via.push(Via::new(kind, name));
        self.to.push(to);
    }

    fn push_word(&mut self, kind: EdgeKind, name: u32, word: u64) {
        self.words.push((self.to.len() as u32, word));
        self.push(kind, name, u32::MAX);
    }
}
