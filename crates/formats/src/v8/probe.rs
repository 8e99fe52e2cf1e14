//! The recorder's probe: an object that holds every buffer in a known order while the snapshot is taken, so that
//! what the recorder saw in each can be told to its node.

use rustc_hash::FxHashMap;

use super::graph::Graph;
use super::meta::{EdgeType, NodeType};
use crate::{Beside, BufferContents};

#[derive(Debug, Default)]
pub(super) struct Probe {
    /// What was seen in each buffer, by its node.
    pub contents: FxHashMap<u32, BufferContents>,
    /// Nodes the recorder made for its own work.
    pub own: Vec<u32>,
}

pub(super) fn find(graph: &Graph, beside: &Beside) -> Probe {
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
            probe.own.push(field.to);
            probe.own.extend(graph.internal(field.to, graph.known.elements));
            for element in graph
                .edges(field.to)
                .filter(|edge| edge.kind == EdgeType::Element)
            {
                if let Some(&contents) = beside.buffers.get(element.name as usize) {
                    probe.contents.insert(element.to, contents);
                }
            }
        }
    }
    probe
}
