//! References: from addresses to rows, with the names a person would say.
//!
//! Ruby lists what an object refers to without saying how, and leaves out what stands in a slot (small integers, nil,
//! most symbols). Names come from the recorder; without it from the shapes, where no reference was left out.

use deadweight_heap::{EdgeKind, Edges, TextId, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::addresses::Addresses;
use super::cursor::of;
use super::named::{Immediate, Named, Record, immediate};
use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;
use super::types::Classes;
use crate::joined::joined;
use deadweight_beside::RubyContents;

/// Rows that one task takes at once.
const PIECE: usize = 1 << 15;

/// Text ids of what edges are called.
#[derive(Debug)]
pub(super) struct Names {
    /// Of the recorder's groups, name by name.
    pub(super) groups: Vec<Vec<TextId>>,
    /// Of the instance variables of each shape that objects have, in the order of their slots.
    pub(super) shapes: FxHashMap<u32, Vec<TextId>>,
    /// What stands for the instance variables of each type when their names are not known.
    pub(super) members: Vec<TextId>,
    pub(super) constant: TextId,
    pub(super) local: TextId,
    pub(super) global: TextId,
}

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

struct Found {
    ends: Vec<u32>,
    via: Vec<Via>,
    /// Rows; values in slots have the top bit of `word_at` and stand in `words`.
    to: Vec<u32>,
    words: Vec<(u32, u64)>,
}

/// Resolves and names all references. Values that stand in slots get rows behind those of the dump.
pub(super) fn edges(graph: &Graph<'_>) -> (Edges, Immediates) {
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
            };
            // All at once: to look up an address takes long, but the next ones can be looked up meanwhile.
            let references = graph.all.references[references].iter();
            let found_at = references.map(|&address| graph.addresses.row(address).unwrap_or(u32::MAX));
            let found_at: Vec<u32> = found_at.collect();
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

fn join(rows: usize, mut pieces: Vec<Found>) -> (Edges, Immediates) {
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
    (Edges::from_columns(starts, via, to), immediates)
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

impl Graph<'_> {
    /// The edges of a row that has so many references, of which those to rows lead to `targets`.
    fn row(&self, row: usize, references: usize, found: &mut Found, targets: &[u32]) {
        let all = self.all;
        let record = self.named.of(row);
        match all.tag[row] {
            Tag::Object | Tag::Struct => self.fields(row, references, record, found, targets),
            Tag::Class | Tag::Module => {
                let (kind, by_name) = if row as u32 == self.top {
                    (EdgeKind::Variable, EdgeKind::Variable)
                } else {
                    (EdgeKind::Field, EdgeKind::Field)
                };
                self.held(record, kind, by_name, self.names.constant, found, targets);
            }
            Tag::Root => match self.roots.get(&(row as u32)) {
                Some(Root::Globals) => {
                    let kind = EdgeKind::Variable;
                    self.held(record, kind, kind, self.names.global, found, targets);
                }
                _ => internal(found, targets),
            },
            Tag::Thread | Tag::Environment => {
                let kind = EdgeKind::Variable;
                self.held(None, kind, kind, self.names.local, found, targets);
            }
            Tag::Array if !all.bits[row].has(Bits::SHARED) => {
                for (index, &to) in targets.iter().enumerate() {
                    found.push(EdgeKind::Element, index as u32, to);
                }
            }
            Tag::Hash => match self.named.of_hash(all, row) {
                Some(record) => self.fields(row, references, Some(record), found, targets),
                None => self.entries(row, references, found, targets),
            },
            _ => internal(found, targets),
        }
    }

    /// Instance variables and members.
    fn fields(
        &self,
        row: usize,
        references: usize,
        record: Option<Record<'_>>,
        found: &mut Found,
        targets: &[u32],
    ) {
        let all = self.all;
        if let Some(record) = record {
            let names = &self.names.groups[record.group as usize];
            let first = found.to.len();
            for (&name, &word) in names.iter().zip(record.values) {
                if immediate(word, self.pooled).is_some() {
                    found.push_word(EdgeKind::Field, name, word);
                } else if let Some(to) = self.addresses.row(word) {
                    found.push(EdgeKind::Field, name, to);
                }
            }
            // What it refers to besides, such as the object it wraps.
            let named = found.to.len();
            for &to in targets {
                if !found.to[first..named].contains(&to) {
                    found.push(EdgeKind::Internal, 0, to);
                }
            }
            return;
        }
        let shape = self
            .shape_of
            .get(&(row as u32))
            .and_then(|shape| self.names.shapes.get(shape));
        // Without the recorder it is sure which variable refers to what only when all of them are references.
        let complete = references == all.count[row] as usize && targets.len() == references;
        if let Some(names) =
            shape.filter(|names| complete && names.len() == references && all.tag[row] == Tag::Object)
        {
            for (&name, &to) in names.iter().zip(targets) {
                found.push(EdgeKind::Field, name, to);
            }
            return;
        }
        let ty = self.classes.of(all, row) as usize;
        for &to in targets {
            found.push(EdgeKind::Variable, self.names.members[ty], to);
        }
    }

    /// Constants, globals and local variables: data by their names, all else without.
    fn held(
        &self,
        record: Option<Record<'_>>,
        kind: EdgeKind,
        by_name: EdgeKind,
        otherwise: TextId,
        found: &mut Found,
        targets: &[u32],
    ) {
        let mut names: FxHashMap<u32, TextId> = FxHashMap::default();
        if let Some(record) = record {
            let group = &self.names.groups[record.group as usize];
            for (&name, &word) in group.iter().zip(record.values) {
                if let Some(to) = self
                    .addresses
                    .row(word)
                    .filter(|_| immediate(word, self.pooled).is_none())
                {
                    names.entry(to).or_insert(name);
                }
            }
        }
        for &to in targets {
            match names.get(&to) {
                Some(&name) => found.push(by_name, name, to),
                None if self.is_data(to) => found.push(kind, otherwise, to),
                None => found.push(EdgeKind::Internal, 0, to),
            }
        }
    }

    /// Whether a person would name it: not code, and nothing of the interpreter's.
    fn is_data(&self, row: u32) -> bool {
        let row = row as usize;
        let hidden = !self.all.bits[row].has(Bits::CLASSED);
        !hidden
            && !matches!(
                self.all.tag[row],
                Tag::Class
                    | Tag::Module
                    | Tag::IncludedClass
                    | Tag::Internal
                    | Tag::Symbol
                    | Tag::Shape
                    | Tag::Root
            )
    }

    /// Keys and values stand in turn; which are left out shows only by their number. Behind them comes the default, as the
    /// collector marks it last.
    fn entries(&self, row: usize, references: usize, found: &mut Found, targets: &[u32]) {
        let all = self.all;
        let entries = all.count[row] as usize;
        let whole = targets.len() == references;
        let pairs = entries.saturating_mul(2);
        let has_default = all.bits[row].has(Bits::DEFAULT) || references == pairs + 1;
        let (targets, default) = match targets.split_last() {
            Some((default, entries)) if whole && has_default => (entries, Some(*default)),
            _ => (targets, None),
        };
        if whole && targets.len() == pairs {
            for (index, pair) in targets.chunks_exact(2).enumerate() {
                found.push(EdgeKind::Key, index as u32, pair[0]);
                found.push(EdgeKind::Value, index as u32, pair[1]);
            }
        } else {
            // A string that is a key is one of the unique ones.
            let key = |&to: &u32| {
                let to = to as usize;
                all.tag[to] == Tag::String && all.bits[to].has(Bits::UNIQUE)
            };
            let keys = whole && targets.len() == entries && targets.iter().all(key);
            let kind = if keys { EdgeKind::Key } else { EdgeKind::Value };
            for (index, &to) in targets.iter().enumerate() {
                found.push(kind, index as u32, to);
            }
        }
        if let Some(default) = default {
            found.push(EdgeKind::Internal, 0, default);
        }
    }
}

fn internal(found: &mut Found, targets: &[u32]) {
    for &to in targets {
        found.push(EdgeKind::Internal, 0, to);
    }
}

/// The names of instance variables of each shape, from the first slot to the last.
pub(super) fn shape_names(
    all: &Piece,
    bytes: &[u8],
    mut text: impl FnMut(String) -> TextId,
) -> FxHashMap<u32, Vec<TextId>> {
    let parents: FxHashMap<u32, u32> = all.parents.iter().copied().collect();
    let names: FxHashMap<u32, _> = all.edge_names.iter().copied().collect();
    let ids: FxHashMap<u32, u32> = all.shape_ids.iter().map(|&(row, id)| (id, row)).collect();
    let mut wanted: Vec<u32> = all.shape_of.iter().map(|&(_, shape)| shape).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut known: FxHashMap<String, TextId> = FxHashMap::default();
    let mut of_shape = FxHashMap::default();
    for shape in wanted {
        let mut list = Vec::new();
        let mut at = ids.get(&shape).copied();
        // The interpreter's tree of shapes is no deeper than this; a broken dump may make a ring.
        for _ in 0..1024 {
            let Some(row) = at else { break };
            if let Some(&span) = names.get(&row) {
                let name = String::from_utf8_lossy(of(bytes, span)).into_owned();
                list.push(*known.entry(name.clone()).or_insert_with(|| text(name)));
            }
            at = parents.get(&row).and_then(|parent| ids.get(parent)).copied();
        }
        list.reverse();
        of_shape.insert(shape, list);
    }
    of_shape
}

/// The recorder's names as texts.
pub(super) fn group_names(
    facts: Option<&RubyContents>,
    mut text: impl FnMut(String) -> TextId,
) -> Vec<Vec<TextId>> {
    let mut known: FxHashMap<String, TextId> = FxHashMap::default();
    let groups = facts.map_or(&[][..], |facts| &facts.groups);
    groups
        .iter()
        .map(|group| {
            let names = group.iter();
            names
                .map(|name| *known.entry(name.clone()).or_insert_with(|| text(name.clone())))
                .collect()
        })
        .collect()
}
