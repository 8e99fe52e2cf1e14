//! What a snapshot says when it is read plainly, and what the reader made of it.

use deadweight_heap::{EdgeKind, Heap, Kind};

use crate::crafted::{EDGE_TYPES, Style};

/// What a plain reading of the file says: bytes and text of each node, kind, name and target of each edge.
pub(super) type Plain = (Vec<(u64, String)>, Vec<Vec<(EdgeKind, String, u32)>>);

pub(super) fn plainly(text: &str, style: &Style) -> Plain {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    let fields = &style.node_fields;
    let field = |name: &str| fields.iter().position(|field| *field == name).unwrap();
    let [name, size, edge_count] = ["name", "self_size", "edge_count"].map(field);
    let numbers = |name: &str| -> Vec<usize> {
        let list = file[name].as_array().unwrap().iter();
        list.map(|number| number.as_u64().unwrap() as usize).collect()
    };
    let strings: Vec<&str> = file["strings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    let (nodes, edges) = (numbers("nodes"), numbers("edges"));
    let mut rows = edges.chunks(3);
    let mut objects = Vec::new();
    let mut references = Vec::new();
    for node in nodes.chunks(fields.len()) {
        objects.push((node[size] as u64, strings[node[name]].to_owned()));
        let mine = rows.by_ref().take(node[edge_count]).map(|edge| {
            let (kind, named) = match EDGE_TYPES[edge[0]] {
                "property" => (EdgeKind::Field, true),
                "context" => (EdgeKind::Variable, true),
                "element" => (EdgeKind::Element, false),
                "weak" => (EdgeKind::Weak, true),
                "hidden" => (EdgeKind::Internal, false),
                _ => (EdgeKind::Internal, true),
            };
            let name = if named {
                strings[edge[1]].to_owned()
            } else {
                edge[1].to_string()
            };
            (kind, name, (edge[2] / fields.len()) as u32)
        });
        references.push(mine.collect());
    }
    (objects, references)
}

pub(super) fn as_read(heap: &Heap) -> Plain {
    let objects = heap.rows().map(|id| {
        let text = if heap.kind(id) == Kind::String {
            heap.texts.get(heap.objects.label[id as usize]).into_owned()
        } else {
            heap.type_name(id).to_owned()
        };
        (heap.bytes(id), text)
    });
    let references = heap.rows().map(|id| {
        let mine = heap.edges.of(id).map(|edge| {
            let (kind, name) = (edge.via.kind(), edge.via.name());
            let text = if kind == EdgeKind::Element {
                name.to_string()
            } else {
                heap.texts.get(name).into_owned()
            };
            (kind, text, edge.to)
        });
        mine.collect()
    });
    (objects.collect(), references.collect())
}
