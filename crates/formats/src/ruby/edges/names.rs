//! What edges are called: names by the recorder, and those of the shapes.

use deadweight_heap::TextId;
use deadweight_sidecar::RubyContents;
use rustc_hash::FxHashMap;

use crate::ruby::cursor::of;
use crate::ruby::rows::Piece;

/// Text ids of what edges are called.
#[derive(Debug)]
pub(in crate::ruby) struct Names {
    /// Of the recorder's groups, name by name.
    pub(in crate::ruby) groups: Vec<Vec<TextId>>,
    /// Of the instance variables of each shape that objects have, in the order of their slots.
    pub(in crate::ruby) shapes: FxHashMap<u32, Vec<TextId>>,
    /// What stands for the instance variables of each type when their names are not known.
    pub(in crate::ruby) members: Vec<TextId>,
    pub(in crate::ruby) constant: TextId,
    pub(in crate::ruby) local: TextId,
    pub(in crate::ruby) global: TextId,
}

/// The names of instance variables of each shape, from the first slot to the last.
pub(in crate::ruby) fn shape_names(
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
pub(in crate::ruby) fn group_names(
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
