//! The type of each object: its class, or for plain objects its fields.

use std::sync::atomic::{AtomicBool, Ordering};

use deadweight_heap::{Kind, NONE, TextId, Texts, TypeId, Types};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Assembly;
use super::facts::Facts;
use crate::v8::meta::{EdgeType, NodeType};

pub(super) struct Labels {
    /// Types of plain objects, by node, in the order of nodes.
    anonymous: Vec<(u32, TypeId)>,
}

pub(super) fn labels(assembly: &Assembly<'_>, facts: &Facts, types: &mut Types, texts: &Texts) -> Labels {
    let graph = assembly.graph;
    // Plain objects are told apart by their fields; equal lists meet by a hash before they are interned one by one.
    let lists: Vec<(u32, u64)> = facts
        .records
        .par_iter()
        .with_min_len(1024)
        .filter(|record| graph.name(record.object) == graph.known.object)
        .map(|record| {
            let fields = fields(assembly, record.object, record.shape);
            let hash = fields.iter().fold(0_u64, |hash, &field| {
                // Order does not matter: a dictionary shows its fields in no order.
                hash.wrapping_add(mix(u64::from(field)))
            });
            (record.object, hash ^ fields.len() as u64)
        })
        .collect();
    let mut by_hash: FxHashMap<u64, TypeId> = FxHashMap::default();
    let anonymous = lists
        .into_iter()
        .map(|(node, hash)| {
            let ty = *by_hash.entry(hash).or_insert_with(|| {
                let shape = graph.internal(node, graph.known.map).unwrap_or(NONE);
                types.anonymous(&fields(assembly, node, shape), texts)
            });
            (node, ty)
        })
        .collect();
    Labels { anonymous }
}

fn mix(value: u64) -> u64 {
    let value = (value.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The fields of a record: those that have an edge, and those its hidden class lists but whose numbers are not shown.
fn fields(assembly: &Assembly<'_>, node: u32, shape: u32) -> Vec<TextId> {
    let graph = assembly.graph;
    let known = &graph.known;
    let mut fields: Vec<TextId> = graph
        .edges(node)
        .filter(|edge| edge.kind == EdgeType::Property && edge.name != known.proto)
        .map(|edge| edge.name)
        .collect();
    if assembly.numbers_known || shape == NONE {
        return fields;
    }
    let Some(list) = graph.internal(shape, known.descriptors) else {
        return fields;
    };
    let dictionary = graph
        .internal(node, known.properties)
        .is_some_and(|of| graph.name(of) == known.object_properties);
    if dictionary {
        return fields;
    }
    let names = graph.edges(list).filter(|edge| {
        edge.kind == EdgeType::Internal && graph.index_name(edge.name).is_some_and(|index| index % 3 == 0)
    });
    let described: Vec<TextId> = names.map(|edge| graph.name(edge.to)).collect();
    if described.len() >= fields.len() {
        fields = described;
    }
    fields
}

/// Older versions give true, false, null and undefined one name and tell them apart by a string they refer to; newer
/// ones name them so.
fn oddball_name(assembly: &Assembly<'_>, node: u32) -> Option<TextId> {
    const VALUES: [&[u8]; 4] = [b"true", b"false", b"null", b"undefined"];
    let graph = assembly.graph;
    if graph.name(node) != graph.known.oddball || graph.kind(node) != NodeType::Hidden {
        return None;
    }
    let names = graph
        .edges(node)
        .filter(|edge| graph.kind(edge.to) == NodeType::String);
    names
        .map(|edge| graph.name(edge.to))
        .find(|&name| VALUES.contains(&graph.text(name)))
}

impl Labels {
    /// The column of labels: texts of strings, types of everything else.
    pub(super) fn column(self, assembly: &Assembly<'_>, types: &mut Types) -> Vec<u32> {
        let graph = assembly.graph;
        let name_of = |node: usize| match assembly.kinds[node] {
            Kind::String => None,
            _ => Some(oddball_name(assembly, node as u32).unwrap_or(graph.nodes.name[node])),
        };
        let used: Vec<AtomicBool> = (0..graph.strings.len()).map(|_| AtomicBool::new(false)).collect();
        (0..graph.len())
            .into_par_iter()
            .with_min_len(16_384)
            .filter_map(name_of)
            .for_each(|name| {
                // A plain look first: nearly every name was met before, and reading shares a cache line.
                if !used[name as usize].load(Ordering::Relaxed) {
                    used[name as usize].store(true, Ordering::Relaxed);
                }
            });
        let mut named = vec![NONE; graph.strings.len()];
        for (name, _) in used
            .iter()
            .enumerate()
            .filter(|(_, used)| used.load(Ordering::Relaxed))
        {
            let text = String::from_utf8_lossy(graph.text(name as u32));
            let shown: String = text.chars().take(80).collect();
            named[name] = types.named(&shown);
        }
        let mut column: Vec<u32> = (0..graph.len())
            .into_par_iter()
            .with_min_len(16_384)
            .map(|node| name_of(node).map_or(graph.nodes.name[node], |name| named[name as usize]))
            .collect();
        for (node, ty) in self.anonymous {
            column[node as usize] = ty;
        }
        column
    }
}
