//! What rows are labelled with: types, and the texts of strings.

use deadweight_heap::{OfLibrary, TextId, Texts, TypeId, Types};
use deadweight_sidecar::RubyContents;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::NO_TEXT;
use crate::ruby::edges::{Graph, Immediates};
use crate::ruby::facts::Facts;
use crate::ruby::named::{Immediate, Seen, Strings};
use crate::ruby::row::Bits;
use crate::ruby::rows::Piece;
use crate::ruby::tag::Tag;
use crate::ruby::types::Classes;

/// The type of each row, values in slots included.
pub(super) fn labels(all: &Piece, classes: &Classes, immediates: &Immediates, types: &mut Types) -> Vec<u32> {
    let mut label: Vec<u32> = (0..all.len())
        .into_par_iter()
        .with_min_len(8192)
        .map(|row| classes.of(all, row))
        .collect();
    label.extend(immediates.values.iter().map(|(_, value)| {
        types.named(match value {
            Immediate::Number(_) => "number",
            Immediate::Nil => "nil",
            Immediate::True => "true",
            Immediate::False => "false",
            Immediate::Symbol => "symbol",
        })
    }));
    label
}

/// A hash that is used as a record is known by its keys.
pub(super) fn label_hashes(
    label: &mut [u32],
    graph: &Graph<'_>,
    facts: &Facts,
    types: &mut Types,
    texts: &Texts,
) {
    let mut of_group: FxHashMap<u32, TypeId> = FxHashMap::default();
    for record in &facts.records {
        let row = record.object as usize;
        if let Some(hash) = graph.named.of_hash(graph.all, row) {
            let names = &graph.names.groups[hash.group as usize];
            label[row] = *of_group
                .entry(hash.group)
                .or_insert_with(|| types.anonymous(names, texts));
        }
    }
}

/// Notes classes of the program's that extend Ruby's Hash, by the hashes that are theirs.
pub(super) fn note_extended_hashes(label: &[u32], all: &Piece, types: &mut Types) {
    let hash = types.named("Hash");
    let mut last = hash;
    for (row, &ty) in label.iter().enumerate().take(all.len()) {
        if all.tag[row] == Tag::Hash && ty != last {
            last = ty;
            if ty != hash && all.bits[row].has(Bits::CLASSED) {
                types.note_library(ty, OfLibrary::default());
            }
        }
    }
}

/// A string's label is its text.
pub(super) fn label_texts(
    label: &mut [u32],
    all: &Piece,
    text_of: &[TextId],
    facts: &Facts,
    strings: &Strings,
    recorded: Option<&RubyContents>,
    texts: &mut Texts,
) {
    for (row, tag) in all.tag.iter().enumerate() {
        if *tag == Tag::String {
            label[row] = NO_TEXT;
        }
    }
    for (&(row, _), &text) in all.texts.iter().zip(text_of) {
        if all.tag[row as usize] == Tag::String {
            label[row as usize] = text;
        }
    }
    // Characters that the dump does not have where they stand: strings with one hash have one text.
    let shown: FxHashMap<u64, &str> = recorded.map_or_else(FxHashMap::default, |facts| {
        facts
            .excerpts
            .iter()
            .map(|(hash, text)| (*hash, text.as_str()))
            .collect()
    });
    let of_shown = strings.shown.iter();
    let mut by_hash: FxHashMap<u64, TextId> = of_shown
        .map(|(&hash, &row)| (hash, label[row as usize]))
        .collect();
    let mut rows: Vec<(&u32, &Seen)> = strings.hidden.iter().collect();
    rows.sort_unstable_by_key(|(row, _)| **row);
    for (&row, seen) in rows {
        let text = || texts.add(shown.get(&seen.hash).copied().unwrap_or_default());
        label[row as usize] = *by_hash.entry(seen.hash).or_insert_with(text);
    }
    for &(row, root) in &facts.whole {
        // Of a root that came after the recorder looked nobody knows the characters; those of the string are known.
        if label[root as usize] != NO_TEXT {
            label[row as usize] = label[root as usize];
        }
    }
}
