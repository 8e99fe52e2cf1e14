//! The type of each object: its class, or for plain objects its fields.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use deadweight_heap::{Kind, NONE, TextId, Texts, TypeId, Types};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Assembly;
use super::facts::{Facts, is_accessor_alias};
use crate::v8::meta::{EdgeType, NodeType};

pub(super) struct Labels {
    /// Types of plain objects, by node, in the order of nodes.
    anonymous: Vec<(u32, TypeId)>,
}

pub(super) fn labels(assembly: &Assembly<'_>, facts: &Facts, types: &mut Types, texts: &Texts) -> Labels {
    let graph = assembly.graph;
    // Plain objects are told apart by their fields; equal lists meet by a hash before they are interned one by one.
    let described = described(assembly, facts);
    let mut lists: Vec<(u32, bool, u64)> = facts
        .records
        .par_iter()
        .with_min_len(1024)
        .filter(|record| graph.name(record.object) == graph.known.object)
        .map(|record| {
            let fields = Fields::of(assembly, &described, record.object);
            (record.object, record.dictionary > 0, fields.hash)
        })
        .collect();
    // Records that know the order of their fields name the type.
    lists.sort_by_key(|&(_, dictionary, _)| dictionary);
    let mut by_hash: FxHashMap<u64, TypeId> = FxHashMap::default();
    let anonymous = lists
        .into_iter()
        .map(|(node, dictionary, hash)| {
            let ty = *by_hash.entry(hash).or_insert_with(|| {
                let mut names = Fields::of(assembly, &described, node).names;
                if dictionary {
                    // Its order is another in each process, and the type's name must not be.
                    names.to_mut().sort_by_key(|&name| graph.text(name));
                }
                types.anonymous(&names, texts)
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

/// Names of fields, with a hash that does not know their order: a dictionary shows its fields in no order.
#[derive(Clone, Debug)]
struct Fields<'f> {
    names: Cow<'f, [TextId]>,
    hash: u64,
}

impl<'f> Fields<'f> {
    fn new(names: Vec<TextId>) -> Self {
        let sum = names
            .iter()
            .fold(0_u64, |sum, &name| sum.wrapping_add(mix(u64::from(name))));
        Self {
            hash: sum ^ names.len() as u64,
            names: names.into(),
        }
    }

    /// The fields of a record: those that have an edge, or where its hidden class lists more, those whose numbers
    /// are not shown too.
    fn of(assembly: &Assembly<'_>, described: &'f FxHashMap<u32, Fields<'static>>, node: u32) -> Self {
        let graph = assembly.graph;
        let visible: Vec<TextId> = graph
            .edges(node)
            .filter(|edge| edge.kind == EdgeType::Property && edge.name != graph.known.proto)
            .filter(|edge| graph.kind(edge.to) != NodeType::Closure || !is_accessor_alias(graph, edge.name))
            .map(|edge| edge.name)
            .collect();
        let listed = list_of(assembly, node).and_then(|list| described.get(&list));
        match listed {
            Some(listed) if listed.names.len() > visible.len() => Self {
                names: Cow::Borrowed(&listed.names),
                hash: listed.hash,
            },
            _ => Self::new(visible),
        }
    }
}

/// The list of fields of a record's hidden class, when the record's own fields do not tell all.
fn list_of(assembly: &Assembly<'_>, node: u32) -> Option<u32> {
    let graph = assembly.graph;
    let known = &graph.known;
    if assembly.numbers_known {
        return None;
    }
    let dictionary = graph
        .internal(node, known.properties)
        .is_some_and(|of| graph.name(of) == known.object_properties);
    let shape = graph.internal(node, known.map).filter(|_| !dictionary)?;
    graph.internal(shape, known.descriptors)
}

/// Each list of fields that a plain object uses, read once however many hidden classes share it.
fn described(assembly: &Assembly<'_>, facts: &Facts) -> FxHashMap<u32, Fields<'static>> {
    let graph = assembly.graph;
    let mut lists: Vec<u32> = facts
        .records
        .par_iter()
        .with_min_len(1024)
        .filter(|record| graph.name(record.object) == graph.known.object)
        .filter_map(|record| list_of(assembly, record.object))
        .collect();
    lists.par_sort_unstable();
    lists.dedup();
    lists
        .into_par_iter()
        .map(|list| {
            let names = graph.edges(list).filter(|edge| {
                edge.kind == EdgeType::Internal
                    && graph.index_name(edge.name).is_some_and(|index| index % 3 == 0)
            });
            (list, Fields::new(names.map(|edge| graph.name(edge.to)).collect()))
        })
        .collect()
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
    pub(super) fn column(self, assembly: &Assembly<'_>, types: &mut Types, texts: &Texts) -> Vec<u32> {
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
            let shown: String = texts.get(name as TextId).chars().take(80).collect();
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
