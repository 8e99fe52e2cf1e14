//! Classes of the standard library whose objects are containers, with their entries in other objects.

use deadweight_heap::{Contents, Texts, Types};

use super::around::texts_named;
use super::outline::Outline;
use super::whose::Whose;

/// Classes, and the attributes that have nothing in them where the object is empty: a queue at which nobody waits has no list of
/// who does. Classes based on one of these are containers as well.
const CONTAINERS: [(&str, &[&str]); 9] = [
    ("_weakrefset.WeakSet", &["data"]),
    ("asyncio.queues.Queue", &["_queue", "_getters", "_putters"]),
    ("collections.ChainMap", &["maps"]),
    ("collections.UserDict", &["data"]),
    ("collections.UserList", &["data"]),
    ("contextlib._BaseExitStack", &["_exit_callbacks"]),
    (
        "queue.Queue",
        &["queue", "not_empty", "not_full", "all_tasks_done"],
    ),
    ("weakref.WeakKeyDictionary", &["data"]),
    ("weakref.WeakValueDictionary", &["data"]),
];

/// The same of classes whose objects are pieces of these alone.
const PIECES: [(&str, &[&str]); 1] = [("threading.Condition", &["_waiters"])];

/// What the reader knows by its name.
pub(super) fn attributes() -> impl Iterator<Item = &'static str> {
    let all = CONTAINERS.iter().chain(&PIECES);
    all.flat_map(|(_, attributes)| attributes.iter().copied())
}

/// Whether a class is one of them.
pub(super) fn is_one(name: &str) -> bool {
    CONTAINERS.iter().any(|(class, _)| *class == name)
}

/// Notes which types of the dump are. Classes of the program's are left out: their methods are its own.
pub(super) fn note(types: &mut Types, bytes: &[u8], outline: &Outline, whose: &Whose, texts: &Texts) {
    let all = CONTAINERS.iter().map(|known| (known, false));
    let all: Vec<_> = all.chain(PIECES.iter().map(|known| (known, true))).collect();
    let of_type = |ty: u32| {
        let name = outline.name(bytes, outline.types[ty as usize].name);
        all.iter().find(|((class, _), _)| *class == name)
    };
    let known: Vec<_> = (0..outline.types.len() as u32).map(of_type).collect();
    if known.iter().all(Option::is_none) {
        return;
    }
    let names: Vec<&str> = all.iter().flat_map(|((_, fields), _)| *fields).copied().collect();
    let ids = texts_named(texts, &names);
    let field = |wanted: &&str| {
        names
            .iter()
            .zip(&ids)
            .find(|(name, _)| *name == wanted)?
            .1
            .as_ref()
            .copied()
    };
    for class in (0..outline.types.len() as u32).filter(|&class| !whose.is_own_type(class)) {
        let found = outline.lineage(class).find_map(|base| known[base as usize]);
        let Some(((_, fields), is_piece)) = found else {
            continue;
        };
        // Where no object has one of the attributes there is nothing to be said.
        if let Some(fields) = fields.iter().map(field).collect() {
            let is_piece = *is_piece;
            types.note_contents(class, Contents { fields, is_piece });
        }
    }
}
