//! Slices and joined strings, whose text a snapshot does not show, and which of them the recorder found to be equal.

use deadweight_heap::{TextId, Texts};
use rustc_hash::FxHashMap;

use super::graph::{Graph, RawEdge};
use super::meta::NodeType;
use crate::Sidecar;

/// How many UTF-16 units of a string a snapshot has where nobody asked for more.
pub(super) const USUAL_LIMIT: u64 = 1024;

#[derive(Debug, Default)]
pub(super) struct HiddenTexts {
    /// By a string's node the place of the first string in the recorder's list that is equal.
    hidden: FxHashMap<u32, u32>,
    /// By that place the text, where one of the equal strings shows it.
    shown: FxHashMap<u32, TextId>,
}

impl HiddenTexts {
    /// Takes down what is known of the recorder's list of strings.
    pub(super) fn note(&mut self, graph: &Graph, list: &[RawEdge], sidecar: &Sidecar) {
        let limit = sidecar.string_limit.unwrap_or(USUAL_LIMIT);
        for edge in list {
            let (at, node) = (edge.name as usize, edge.to);
            let first = sidecar.equal.get(at).copied();
            let Some(first) = first.filter(|&first| (first as usize) < sidecar.equal.len()) else {
                continue;
            };
            let is_whole = sidecar
                .texts
                .get(at)
                .is_some_and(|&units| u64::from(units) <= limit);
            match graph.kind(node) {
                NodeType::Slice | NodeType::Rope if is_whole => _ = self.hidden.insert(node, first),
                NodeType::String if is_whole => _ = self.shown.insert(first, graph.name(node)),
                _ => {}
            }
        }
    }

    /// Whether the recorder compared a string that shows no text.
    pub(super) fn has(&self, string: u32) -> bool {
        self.hidden.contains_key(&string)
    }

    /// The strings whose text is known, each with its text: those that the recorder compared, and those that their pieces
    /// show. A text that no string shows becomes an empty entry of `texts`, whose number differs from that of every other text.
    pub(super) fn named(self, shown_by_pieces: Vec<(u32, TextId)>, texts: &mut Texts) -> Vec<(u32, TextId)> {
        let Self {
            mut hidden,
            mut shown,
        } = self;
        for (rope, text) in &shown_by_pieces {
            if let Some(first) = hidden.remove(rope) {
                shown.entry(first).or_insert(*text);
            }
        }
        let mut hidden: Vec<(u32, u32)> = hidden.into_iter().collect();
        hidden.sort_unstable();
        let named = hidden.into_iter().map(|(string, first)| {
            let text = shown.entry(first).or_insert_with(|| texts.add(""));
            (string, *text)
        });
        named.chain(shown_by_pieces).collect()
    }
}
