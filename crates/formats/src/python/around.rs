//! Objects of the standard library that stand for what one of their attributes has: who says where the queue is says where its
//! items are.

use deadweight_heap::{Around, TextId, Texts, Types};
use rayon::prelude::*;

use super::outline::Outline;
use super::whose::Whose;

/// Classes, their attributes, and as what they have it. Classes based on one of these have it so as well.
const AROUND: [(&str, &str, Around); 16] = [
    ("_weakrefset.WeakSet", "data", Around::Whole),
    ("asyncio.queues.Queue", "_queue", Around::Whole),
    ("collections.ChainMap", "maps", Around::Whole),
    ("collections.UserDict", "data", Around::Whole),
    ("collections.UserList", "data", Around::Whole),
    ("collections.UserString", "data", Around::Whole),
    ("contextlib.AsyncExitStack", "_exit_callbacks", Around::Whole),
    ("contextlib.ExitStack", "_exit_callbacks", Around::Whole),
    ("functools.partial", "args", Around::Whole),
    ("functools.partial", "func", Around::Whole),
    ("functools.partial", "keywords", Around::Whole),
    ("method", "__func__", Around::Whole),
    ("method", "__self__", Around::Whole),
    ("queue.Queue", "queue", Around::Whole),
    ("weakref.WeakKeyDictionary", "data", Around::Whole),
    ("weakref.WeakValueDictionary", "data", Around::Whole),
];

/// What the reader knows by its name.
pub(super) fn attributes() -> impl Iterator<Item = &'static str> {
    AROUND.iter().map(|(_, attribute, _)| *attribute)
}

/// Notes which types of the dump do so.
pub(super) fn note(types: &mut Types, bytes: &[u8], outline: &Outline, whose: &Whose, texts: &Texts) {
    let named = |number: u32| {
        let is_library = !whose.is_own_type(number);
        is_library.then(|| outline.name(bytes, outline.types[number as usize].name))
    };
    let is_around: Vec<Vec<usize>> = (0..outline.types.len() as u32)
        .map(|number| {
            let name = named(number);
            let is = |at: &usize| name.as_deref() == Some(AROUND[*at].0);
            (0..AROUND.len()).filter(is).collect()
        })
        .collect();
    if is_around.iter().all(Vec::is_empty) {
        return;
    }
    let fields = texts_named(texts, &AROUND.map(|(_, field, _)| field));
    for number in 0..outline.types.len() as u32 {
        for base in outline.lineage(number) {
            for &at in &is_around[base as usize] {
                if let Some(field) = fields[at] {
                    types.note_around(number, field, AROUND[at].2);
                }
            }
        }
    }
}

/// The texts that are these names of attributes, in one look at all texts: equal ones are one.
pub(super) fn texts_named(texts: &Texts, names: &[&str]) -> Vec<Option<TextId>> {
    let all = (0..texts.len() as TextId).into_par_iter().with_min_len(65_536);
    let is_name = |id: &TextId| names.iter().any(|name| texts.raw(*id) == name.as_bytes());
    let found: Vec<TextId> = all.filter(is_name).collect();
    let of = |name: &&str| found.iter().copied().find(|&id| texts.raw(id) == name.as_bytes());
    names.iter().map(of).collect()
}
