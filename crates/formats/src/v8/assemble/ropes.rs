//! Joined strings. One that was flattened has the whole text in its first piece and nothing in its second; the text of others is
//! put together from their pieces.

use deadweight_heap::{Layout, TextId, Texts, Width, rows_with};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Assembly;
use crate::v8::meta::NodeType;

/// The node of the flat text behind a joined string; `None` for one that is still in pieces.
pub(super) fn flat_text(assembly: &Assembly<'_>, rope: u32) -> Option<u32> {
    let graph = assembly.graph;
    let string = |name| {
        graph
            .internal(rope, name)
            .filter(|&piece| piece != rope && graph.kind(piece) == NodeType::String)
    };
    let second = string(graph.known.second)?;
    let is_empty = graph.name_text(second).is_empty()
        && graph.self_size(second) <= assembly.layout.string(0, Width::One);
    is_empty.then(|| string(graph.known.first)).flatten()
}

/// The joined strings that were flattened, with the text that each shows.
pub(super) fn flattened(assembly: &Assembly<'_>) -> Vec<(u32, TextId)> {
    let graph = assembly.graph;
    rows_with(&graph.nodes.kind, |kind| kind == NodeType::Rope)
        .filter_map(|rope| Some((rope, graph.name(flat_text(assembly, rope)?))))
        .collect()
}

/// Longer texts are not put together, in bytes: what is built of many pieces is seldom there twice.
const MOST_BYTES: usize = 512;

/// Strings that are joined of more pieces one within another are not put together.
const DEEPEST: u32 = 8;

/// The joined strings that are still in pieces and whose pieces show their texts, each with its text as the snapshot has it,
/// escapes included. `is_cut` says of a string in one piece that it does not show all of its text.
pub(super) fn joined(
    assembly: &Assembly<'_>,
    is_cut: impl Fn(u32) -> bool + Sync,
) -> FxHashMap<u32, Vec<u8>> {
    rows_with(&assembly.graph.nodes.kind, |kind| kind == NodeType::Rope)
        .filter(|&rope| flat_text(assembly, rope).is_none())
        .filter_map(|rope| {
            let mut text = Vec::new();
            append_pieces(assembly, &is_cut, rope, 0, &mut text)?;
            // Half a character is no text that others could have.
            let is_whole = !text.contains(&b'\\') || decoded(&text).is_some();
            is_whole.then_some((rope, text))
        })
        .collect()
}

/// Appends the text of a string; `None` where it is not shown, or too long.
fn append(
    assembly: &Assembly<'_>,
    is_cut: &dyn Fn(u32) -> bool,
    string: u32,
    depth: u32,
    text: &mut Vec<u8>,
) -> Option<()> {
    let graph = assembly.graph;
    match graph.kind(string) {
        NodeType::String if !is_cut(string) && is_as_large_as_shown(assembly, string) => {
            text.extend_from_slice(graph.name_text(string));
            (text.len() <= MOST_BYTES).then_some(())
        }
        NodeType::Rope if depth < DEEPEST => match flat_text(assembly, string) {
            Some(flat) => append(assembly, is_cut, flat, depth + 1, text),
            None => append_pieces(assembly, is_cut, string, depth, text),
        },
        _ => None,
    }
}

/// The same of a joined string that was not flattened.
fn append_pieces(
    assembly: &Assembly<'_>,
    is_cut: &dyn Fn(u32) -> bool,
    rope: u32,
    depth: u32,
    text: &mut Vec<u8>,
) -> Option<()> {
    let graph = assembly.graph;
    [graph.known.first, graph.known.second]
        .into_iter()
        .try_for_each(|name| {
            let piece = graph.internal(rope, name).filter(|&piece| piece != rope)?;
            append(assembly, is_cut, piece, depth + 1, text)
        })
}

/// Whether a string takes what its text does: in a dump without texts all are empty.
fn is_as_large_as_shown(assembly: &Assembly<'_>, string: u32) -> bool {
    let raw = assembly.graph.name_text(string);
    let units = if raw.contains(&b'\\') || !raw.is_ascii() {
        decoded(raw).map(|text| text.encode_utf16().count())
    } else {
        Some(raw.len())
    };
    let bytes = assembly.graph.self_size(string);
    units.is_some_and(|units| {
        [Width::One, Width::Two]
            .iter()
            .any(|&width| assembly.layout.string(units as u64, width) == bytes)
    })
}

/// The same with the number that each text has among all texts: that of an equal one, if there is any.
pub(super) fn named(joined: &FxHashMap<u32, Vec<u8>>, texts: &mut Texts) -> Vec<(u32, TextId)> {
    if joined.is_empty() {
        return Vec::new();
    }
    let mut numbers: FxHashMap<&[u8], Option<TextId>> =
        joined.values().map(|text| (text.as_slice(), None)).collect();
    let known: Vec<(TextId, &[u8])> = {
        let texts = &*texts;
        let all = (0..texts.len() as TextId).into_par_iter().with_min_len(16_384);
        all.filter_map(|id| Some((id, *numbers.get_key_value(texts.raw(id))?.0)))
            .collect()
    };
    for (id, text) in known {
        numbers
            .entry(text)
            .and_modify(|number| *number = number.or(Some(id)));
    }
    let mut ropes: Vec<(u32, &[u8])> = joined
        .iter()
        .map(|(&rope, text)| (rope, text.as_slice()))
        .collect();
    ropes.sort_unstable();
    let named = ropes.into_iter().filter_map(|(rope, text)| {
        let number = numbers.entry(text).or_default();
        if number.is_none() {
            *number = Some(texts.add(decoded(text)?));
        }
        Some((rope, (*number)?))
    });
    named.collect()
}

/// A text without its escapes; `None` where it has half a character.
fn decoded(text: &[u8]) -> Option<String> {
    serde_json::from_slice(&[b"\"", text, b"\""].concat()).ok()
}
