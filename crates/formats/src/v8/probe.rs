//! The recorder's probe: an object that holds buffers, tables, arrays and strings in a known order while the snapshot is taken,
//! so that what the recorder saw of each can be told to its node.

use rustc_hash::FxHashMap;

use super::graph::Graph;
use super::hidden_texts::HiddenTexts;
use super::meta::{EdgeType, NodeType};
use crate::{BufferContents, Sidecar};

/// Bytes of the store that all empty arrays share.
const EMPTY_STORE: u64 = 16;

#[derive(Debug, Default)]
pub(super) struct Probe {
    /// What was seen in each buffer, by its node.
    pub contents: FxHashMap<u32, BufferContents>,
    /// Entries of each table, lengths of arrays and bytes of views that were counted, by their node.
    pub counts: FxHashMap<u32, u32>,
    /// Lengths of slices and ropes in UTF-16 units, by their node. Other strings show their text.
    pub strings: FxHashMap<u32, u32>,
    /// Which strings are equal whose text the snapshot does not show.
    pub hidden_texts: HiddenTexts,
    /// Nodes the recorder made for its own work.
    pub own: Vec<u32>,
    /// Those among them that hold the program's objects, and by which nobody else does.
    pub lists: Vec<u32>,
}

pub(super) fn find(graph: &Graph, sidecar: &Sidecar) -> Probe {
    let mut probe = Probe::default();
    if graph.known.probe == u32::MAX {
        return probe;
    }
    for node in 0..graph.len() as u32 {
        if graph.kind(node) != NodeType::Object || graph.name(node) != graph.known.probe {
            continue;
        }
        probe.own.push(node);
        for field in graph.edges(node).filter(|edge| edge.kind == EdgeType::Property) {
            if graph.name(field.to) != graph.known.array || graph.kind(field.to) != NodeType::Object {
                continue;
            }
            probe.lists.push(field.to);
            // The store of an empty list is everybody's.
            let store = graph.internal(field.to, graph.known.elements);
            probe
                .lists
                .extend(store.filter(|&store| graph.self_size(store) > EMPTY_STORE));
            let elements = graph
                .edges(field.to)
                .filter(|edge| edge.kind == EdgeType::Element);
            let known = &graph.known;
            if field.name == known.buffers {
                let seen = |at: u32| sidecar.buffers.get(at as usize).copied();
                let seen = elements.filter_map(|edge| Some((edge.to, seen(edge.name)?)));
                probe.contents.extend(seen);
            } else if field.name == known.texts {
                let hides_text = |node| matches!(graph.kind(node), NodeType::Slice | NodeType::Rope);
                let list: Vec<_> = elements.collect();
                probe.hidden_texts.note(graph, &list, sidecar);
                let strings = list.into_iter().filter(|edge| hides_text(edge.to));
                let length = |at: u32| sidecar.texts.get(at as usize).copied();
                let lengths = strings.filter_map(|edge| Some((edge.to, length(edge.name)?)));
                probe.strings.extend(lengths);
            } else if let Some(counts) = match field.name {
                name if name == known.tables => Some(&sidecar.tables),
                name if name == known.arrays => Some(&sidecar.arrays),
                name if name == known.views => Some(&sidecar.views),
                _ => None,
            } {
                let counted = elements.filter_map(|edge| Some((edge.to, *counts.get(edge.name as usize)?)));
                probe.counts.extend(counted);
            }
        }
    }
    probe.own.extend(&probe.lists);
    probe
}
