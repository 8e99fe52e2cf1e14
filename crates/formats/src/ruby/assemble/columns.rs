//! The columns of the model: what each row is, what it is charged with, and its flags.

use deadweight_heap::{Edges, Flags, Kind, Objects};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::ruby::bytes;
use crate::ruby::edges::{Graph, Immediates};
use crate::ruby::facts::Facts;
use crate::ruby::layout::RubyLayout;
use crate::ruby::named::Immediate;
use crate::ruby::row::Bits;
use crate::ruby::rows::Piece;
use crate::ruby::tag::Tag;

/// All columns of objects, from facts and labels that are known.
pub(super) fn columns(
    graph: &Graph<'_>,
    edges: &Edges,
    immediates: &Immediates,
    layout: RubyLayout,
    engine: &[bool],
    facts: &Facts,
    (mut fact, label): (Vec<u32>, Vec<u32>),
) -> Objects {
    let all = graph.all;
    let rows = all.len();
    let mut small: Vec<u32> = (0..rows)
        .into_par_iter()
        .with_min_len(8192)
        .map(|row| u32::try_from(bytes::of(all, row, layout)).unwrap_or(u32::MAX))
        .collect();
    let large = small.iter().enumerate().filter(|&(_, &bytes)| bytes == u32::MAX);
    let large: FxHashMap<u32, u64> = large
        .map(|(row, _)| (row as u32, bytes::of(all, row, layout)))
        .collect();
    small.resize(label.len(), 0);
    let mut kind: Vec<Kind> = (0..rows)
        .into_par_iter()
        .with_min_len(8192)
        .map(|row| kind(graph, edges, engine, row))
        .collect();
    kind.extend(immediates.values.iter().map(|(_, value)| match value {
        Immediate::Number(_) => Kind::Number,
        _ => Kind::Runtime,
    }));
    for record in &facts.records {
        kind[record.object as usize] = Kind::Record;
    }
    // The hash of a set is a piece of it.
    for &(store, owner) in &facts.stores {
        if all.tag[store as usize] == Tag::Hash {
            kind[owner as usize] = Kind::Table;
            kind[store as usize] = Kind::Runtime;
        }
    }
    let mut flags: Vec<Flags> = engine
        .par_iter()
        .zip(&all.tag)
        .with_min_len(16_384)
        .map(|(&engine, &tag)| {
            if engine && tag != Tag::Root {
                Flags::ENGINE
            } else {
                Flags::default()
            }
        })
        .collect();
    flags.resize(label.len(), Flags::default());
    for &(store, owner) in &facts.stores {
        flags[store as usize] |= Flags::PART;
        fact[store as usize] = owner;
    }
    Objects::from_columns(kind, flags, small, large, label, fact)
}

/// The kind of a row. A class that holds no data is code.
fn kind(graph: &Graph<'_>, edges: &Edges, engine: &[bool], row: usize) -> Kind {
    let all = graph.all;
    let tag = all.tag[row];
    if !matches!(tag, Tag::Class | Tag::Module) {
        return tag.kind();
    }
    let data = |to: usize| {
        to < all.len()
            && !engine[to]
            && matches!(
                tag_kind(all, to),
                Kind::Record | Kind::String | Kind::Array | Kind::Table | Kind::Date | Kind::Opaque
            )
            && all.bits[to].has(Bits::CLASSED)
    };
    if edges.of(row as u32).any(|edge| data(edge.to as usize)) {
        Kind::Closure
    } else {
        Kind::Runtime
    }
}

fn tag_kind(all: &Piece, row: usize) -> Kind {
    all.tag[row].kind()
}
