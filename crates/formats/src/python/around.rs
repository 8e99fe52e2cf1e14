//! Objects of the standard library that stand for what one of their attributes has: who says where the queue is says where its
//! items are.

use deadweight_heap::{Around, TextId, Texts, Types};
use rayon::prelude::*;

use super::outline::Outline;
use super::whose::Whose;

/// Classes, their attributes, and as what they have it. Classes based on one of these have it so as well.
const AROUND: [(&str, &str, Around); 14] = [
    ("_weakrefset.WeakSet", "data", Around::Whole),
    ("asyncio.queues.Queue", "_queue", Around::Whole),
    ("collections.ChainMap", "maps", Around::Whole),
    ("collections.UserDict", "data", Around::Whole),
    ("collections.UserList", "data", Around::Whole),
    ("collections.UserString", "data", Around::Whole),
    ("functools.partial", "args", Around::Whole),
    ("functools.partial", "func", Around::Whole),
    ("functools.partial", "keywords", Around::Whole),
    ("method", "__func__", Around::Whole),
    ("method", "__self__", Around::Whole),
    ("queue.Queue", "queue", Around::Whole),
    ("weakref.WeakKeyDictionary", "data", Around::Whole),
    ("weakref.WeakValueDictionary", "data", Around::Whole),
];

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
    let fields = fields(texts);
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

/// The texts that are the names of these attributes, in one look at all texts: equal ones are one.
fn fields(texts: &Texts) -> [Option<TextId>; AROUND.len()] {
    let all = (0..texts.len() as TextId).into_par_iter().with_min_len(65_536);
    let is_field = |id: &TextId| {
        AROUND
            .iter()
            .any(|(_, field, _)| texts.raw(*id) == field.as_bytes())
    };
    let found: Vec<TextId> = all.filter(is_field).collect();
    AROUND.map(|(_, field, _)| {
        let mut ids = found.iter().copied();
        ids.find(|&id| texts.raw(id) == field.as_bytes())
    })
}
