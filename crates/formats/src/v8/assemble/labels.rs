//! The type of each object: its class, or for plain objects its fields.

use std::sync::atomic::{AtomicBool, Ordering};

use deadweight_heap::{Kind, NONE, TextId, Texts, TypeId, Types, rows_with};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Assembly;
use super::facts::Facts;
use crate::v8::edges::edge_type;
use crate::v8::graph::Graph;
use crate::v8::meta::{EdgeType, NodeType};

pub(super) struct Labels {
    /// Types of plain objects, by node, in the order of nodes.
    anonymous: Vec<(u32, TypeId)>,
}

pub(super) fn labels(assembly: &Assembly<'_>, facts: &Facts, types: &mut Types) -> Labels {
    let graph = assembly.graph;
    // Plain objects are told apart by their fields; equal lists meet by a hash before they are interned one by one.
    let shown = Shown::of(graph);
    let mut lists: Vec<(u32, bool, u64)> = facts
        .records
        .par_iter()
        .with_min_len(1024)
        .filter(|record| graph.name(record.object) == graph.known.object)
        .map_init(Described::default, |described, record| {
            let fields = Fields::of(assembly, &shown, described, record.object);
            (record.object, record.dictionary > 0, fields.signature.hash())
        })
        .collect();
    // Records that know the order of their fields name the type.
    lists.sort_by_key(|&(_, dictionary, _)| dictionary);
    let mut described = Described::default();
    let mut by_hash: FxHashMap<u64, TypeId> = FxHashMap::default();
    // Records of one type come in runs.
    let mut last: Option<(u64, TypeId)> = None;
    let anonymous = lists
        .into_iter()
        .map(|(node, dictionary, hash)| {
            if let Some((_, ty)) = last.filter(|(last, _)| *last == hash) {
                return (node, ty);
            }
            let ty = *by_hash.entry(hash).or_insert_with(|| {
                let mut names = Fields::of(assembly, &shown, &mut described, node).names(graph, node);
                if dictionary {
                    // Its order is another in each process, and the type's name must not be.
                    names.sort_by_key(|&name| graph.text(name));
                }
                types.anonymous(&names, &graph.texts)
            });
            last = Some((hash, ty));
            (node, ty)
        })
        .collect();
    Labels { anonymous }
}

fn mix(value: u64) -> u64 {
    let value = (value.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// How many fields, with a hash that does not know their order: a dictionary shows its fields in no order.
#[derive(Clone, Copy, Debug, Default)]
struct Signature {
    fields: usize,
    sum: u64,
}

impl Signature {
    fn of(names: impl Iterator<Item = TextId>) -> Self {
        names.fold(Self::default(), |so_far, name| Self {
            fields: so_far.fields + 1,
            sum: so_far.sum.wrapping_add(mix(u64::from(name))),
        })
    }

    fn hash(self) -> u64 {
        self.sum ^ self.fields as u64
    }
}

/// The signature of the fields that records with one list of names show; `None` where the targets have a say in it.
struct Shown(Vec<Option<Signature>>);

impl Shown {
    fn of(graph: &Graph) -> Self {
        Self(graph.by_edge_shape(|names| {
            let fields = names
                .iter()
                .filter(|name| edge_type(**name) == EdgeType::Property);
            let mut fields = fields
                .map(|name| name.name())
                .filter(|&name| name != graph.known.proto);
            let by_name = !fields.clone().any(|name| graph.is_accessor_alias(name));
            by_name.then(|| Signature::of(&mut fields))
        }))
    }

    fn signature(&self, graph: &Graph, node: u32) -> Signature {
        let of_list = self.0[graph.edges.edge_shape(node) as usize];
        of_list.unwrap_or_else(|| Signature::of(visible(graph, node)))
    }
}

/// The lists of fields that plain objects' hidden classes refer to, those met last: a program may have a million of
/// them, and its records come in runs of a few.
struct Described(Box<[(u32, Signature); Self::PLACES]>);

impl Described {
    const PLACES: usize = 256;

    fn signature(&mut self, graph: &Graph, list: u32) -> Signature {
        let place = &mut self.0[list as usize % Self::PLACES];
        if place.0 != list {
            *place = (list, Signature::of(listed(graph, list)));
        }
        place.1
    }
}

impl Default for Described {
    fn default() -> Self {
        Self(Box::new([(NONE, Signature::default()); Self::PLACES]))
    }
}

/// The fields of a record by which its type is recognized.
#[derive(Clone, Copy, Debug)]
struct Fields {
    signature: Signature,
    /// The list that names them; `None` when the record's own references do.
    list: Option<u32>,
}

impl Fields {
    /// The fields of a record: those that have an edge, or where its hidden class lists more, those whose numbers
    /// are not shown too.
    fn of(assembly: &Assembly<'_>, shown: &Shown, described: &mut Described, node: u32) -> Self {
        let visible = shown.signature(assembly.graph, node);
        let list = list_of(assembly, node);
        let listed = list.map(|list| described.signature(assembly.graph, list));
        match listed {
            Some(listed) if listed.fields > visible.fields => Self {
                signature: listed,
                list,
            },
            _ => Self {
                signature: visible,
                list: None,
            },
        }
    }

    fn names(self, graph: &Graph, node: u32) -> Vec<TextId> {
        match self.list {
            Some(list) => listed(graph, list).collect(),
            None => visible(graph, node).collect(),
        }
    }
}

/// Names of the fields that have an edge.
fn visible(graph: &Graph, node: u32) -> impl Iterator<Item = TextId> {
    graph
        .edges(node)
        .filter(|edge| edge.kind == EdgeType::Property && edge.name != graph.known.proto)
        .filter(|edge| graph.kind(edge.to) != NodeType::Closure || !graph.is_accessor_alias(edge.name))
        .map(|edge| edge.name)
}

/// Names of the fields that a hidden class's list has, three slots for each.
fn listed(graph: &Graph, list: u32) -> impl Iterator<Item = TextId> {
    graph
        .edges(list)
        .filter(|edge| {
            edge.kind == EdgeType::Internal && graph.index_name(edge.name).is_some_and(|index| index % 3 == 0)
        })
        .map(|edge| graph.name(edge.to))
}

/// The list of fields of a record's hidden class, when the record's own fields do not say all.
fn list_of(assembly: &Assembly<'_>, node: u32) -> Option<u32> {
    let graph = assembly.graph;
    let known = &graph.known;
    if assembly.numbers_known {
        return None;
    }
    let dictionary = graph
        .properties(node)
        .is_some_and(|of| graph.name(of) == known.object_properties);
    let shape = graph.map(node).filter(|_| !dictionary)?;
    graph.internal(shape, known.descriptors)
}

/// Older versions give true, false, null and undefined one name and distinguish them by a string they refer to; newer
/// ones name them so.
fn oddball_name(graph: &Graph, node: u32) -> Option<TextId> {
    const VALUES: [&[u8]; 4] = [b"true", b"false", b"null", b"undefined"];
    if graph.kind(node) != NodeType::Hidden {
        return None;
    }
    let names = graph
        .edges(node)
        .filter(|edge| graph.kind(edge.to) == NodeType::String);
    names
        .map(|edge| graph.name(edge.to))
        .find(|&name| VALUES.contains(&graph.text(name)))
}

/// The nodes that stand for a value, with the name that they go by.
pub(super) fn oddballs(assembly: &Assembly<'_>) -> Vec<(u32, TextId)> {
    let graph = assembly.graph;
    rows_with(&graph.nodes.name, |name| name == graph.known.oddball)
        .filter_map(|node| Some((node, oddball_name(graph, node)?)))
        .collect()
}

/// The name of a class as types have it.
pub(super) fn shown(texts: &Texts, name: TextId) -> String {
    texts.get(name).chars().take(80).collect()
}

impl Labels {
    /// Makes the column of names the column of labels: texts of strings, types of everything else. `named` are nodes that
    /// go by another name than their own.
    pub(super) fn column(
        self,
        mut column: Vec<u32>,
        kinds: &[Kind],
        named: &[(u32, TextId)],
        types: &mut Types,
        texts: &Texts,
    ) -> Vec<u32> {
        for &(node, name) in named {
            column[node as usize] = name;
        }
        let used: Vec<AtomicBool> = (0..texts.len()).map(|_| AtomicBool::new(false)).collect();
        let typed = |(name, kind): (&u32, &Kind)| (*kind != Kind::String).then_some(*name);
        let names = column.par_iter().zip(kinds).with_min_len(16_384);
        names.filter_map(typed).for_each(|name| {
            // A plain look first: nearly every name was met before, and reading shares a cache line.
            if !used[name as usize].load(Ordering::Relaxed) {
                used[name as usize].store(true, Ordering::Relaxed);
            }
        });
        let mut types_of = vec![NONE; texts.len()];
        for (name, _) in used
            .iter()
            .enumerate()
            .filter(|(_, used)| used.load(Ordering::Relaxed))
        {
            types_of[name] = types.named(&shown(texts, name as TextId));
        }
        let labels = column.par_iter_mut().zip(kinds).with_min_len(16_384);
        labels
            .filter(|(_, kind)| **kind != Kind::String)
            .for_each(|(label, _)| *label = types_of[*label as usize]);
        for (node, ty) in self.anonymous {
            column[node as usize] = ty;
        }
        column
    }
}
