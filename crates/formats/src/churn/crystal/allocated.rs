//! What a block is, by who asked for it.
//!
//! An object is allocated in the `new` of its class; what an object keeps its contents in, by `Pointer#malloc` or
//! `GC.malloc` in a method of its class. A block that a method without either asks for holds the variables of a block
//! (closure).

use deadweight_heap::Kind;
use deadweight_heap::churn::{Frame, Role};

use super::names::last;

/// The first word of every String.
const STRING: u32 = 1;

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::churn) struct Allocated {
    /// The class, with `store` behind it for what an object keeps its contents in.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// An object with a type of its own, not a store.
    pub is_object: bool,
}

/// Bytes that a Hash takes at least: its two stores, its block, and what counts its entries.
const HASH: u64 = 48;

/// Tells by the frames, innermost first, the first word of the block, and its size in bytes.
pub(in crate::churn) fn allocated<'f>(
    frames: impl Iterator<Item = &'f Frame>,
    head: Option<u32>,
    size: Option<u64>,
) -> Allocated {
    let mut frames = frames.peekable();
    let mut by_compiler = false;
    let mut for_pointer = false;
    while let Some(frame) = frames.next_if(|frame| allocates(frame)) {
        by_compiler |= frame.function.contains("__crystal_malloc");
        for_pointer |= frame.file.ends_with("/primitives.cr") || frame.file.ends_with("/pointer.cr");
    }
    let Some(first) = frames.peek() else {
        return unknown();
    };
    let owner = owner(&first.function).to_owned();
    let is_new = last(&first.function) == "new";
    // A builder's store becomes the text: its first word says so when it did.
    if head == Some(STRING)
        && matches!(&*owner, "String" | "String::Builder")
        && !(is_new && owner != "String")
    {
        return Allocated {
            name: "String".to_owned(),
            kind: Kind::String,
            is_object: true,
        };
    }
    if by_compiler && !for_pointer {
        // `Hash.new(0)` keeps the 0 in the variables of a block.
        let is_too_small = plain(&owner) == "Hash" && size.is_some_and(|size| size < HASH);
        return if is_new && !owner.is_empty() && !is_too_small {
            Allocated {
                kind: object(&owner),
                name: owner,
                is_object: true,
            }
        } else {
            Allocated {
                name: "closure".to_owned(),
                kind: Kind::Closure,
                is_object: false,
            }
        };
    }
    store(&owner, first.role == Role::Own)
}

fn unknown() -> Allocated {
    Allocated {
        name: String::new(),
        kind: Kind::Opaque,
        is_object: false,
    }
}

/// Whether a frame only passes an allocation on.
fn allocates(frame: &Frame) -> bool {
    let of_collector = ["/gc.cr", "/gc/boehm.cr"]
        .iter()
        .any(|file| frame.file.ends_with(file));
    let of_pointer = ["/primitives.cr", "/pointer.cr"]
        .iter()
        .any(|file| frame.file.ends_with(file))
        && matches!(last(&frame.function), "malloc" | "realloc" | "malloc_atomic");
    of_collector
        || of_pointer
        || frame.function.starts_with("__crystal_malloc")
        || frame.function.starts_with("GC_")
}

/// The class before a method.
fn owner(function: &str) -> &str {
    function.rfind(['#', '.']).map_or("", |at| &function[..at])
}

/// The class without what it holds.
fn plain(class: &str) -> &str {
    class.find('(').map_or(class, |at| &class[..at])
}

fn object(class: &str) -> Kind {
    match plain(class) {
        "String" => Kind::String,
        "Array" | "Deque" => Kind::Array,
        "Hash" => Kind::Table,
        _ => Kind::Record,
    }
}

/// What an object of that class keeps its contents in. Of the classes of the language's own library only streams have
/// buffers that a program could hand them.
fn store(class: &str, is_own: bool) -> Allocated {
    let (name, kind) = match plain(class) {
        "Slice" => ("Bytes".to_owned(), Kind::Buffer),
        "String" | "String::Builder" => ("String".to_owned(), Kind::String),
        "" | "Pointer" => ("buffer".to_owned(), Kind::Buffer),
        "Array" | "Deque" => (format!("{class} store"), Kind::Array),
        "Hash" => (format!("{class} store"), Kind::Table),
        _ if is_own || class.starts_with("IO::") => (format!("{class} store"), Kind::Buffer),
        _ => (format!("{class} store"), Kind::Opaque),
    };
    Allocated {
        name,
        kind,
        is_object: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognize(frames: &[(&str, &str)], head: Option<u32>) -> (String, Kind, bool) {
        let frames: Vec<Frame> = frames
            .iter()
            .map(|(function, file)| Frame {
                function: (*function).to_owned(),
                file: format!("/usr/lib/crystal/lib/{file}"),
                ..Frame::default()
            })
            .collect();
        let allocated = allocated(frames.iter(), head, None);
        (allocated.name, allocated.kind, allocated.is_object)
    }

    const OBJECT: [(&str, &str); 2] = [("GC.malloc", "gc/boehm.cr"), ("__crystal_malloc64", "gc.cr")];
    const BYTES: [(&str, &str); 2] = [("GC.malloc_atomic", "gc/boehm.cr"), ("GC.malloc_atomic", "gc.cr")];

    #[test]
    fn objects_are_made_by_new() {
        let call = |function, head| {
            recognize(
                &[&OBJECT[..], &[(function, "x.cr"), ("work", "a.cr")]].concat(),
                head,
            )
        };
        assert_eq!(
            call("Array(UInt8).new", Some(19)),
            ("Array(UInt8)".into(), Kind::Array, true)
        );
        assert_eq!(
            call("Cache::Response.new", Some(7)),
            ("Cache::Response".into(), Kind::Record, true)
        );
        assert_eq!(
            call("Client#each", Some(7)),
            ("closure".into(), Kind::Closure, false)
        );
        assert_eq!(
            call("String::Builder.new", Some(1)),
            ("String::Builder".into(), Kind::Record, true)
        );
    }

    #[test]
    fn stores_belong_to_their_class() {
        let pointer = [("Pointer.malloc", "primitives.cr")];
        let call = |function| recognize(&[&OBJECT[..], &pointer, &[(function, "x.cr")]].concat(), None);
        assert_eq!(
            call("Hash#malloc_entries"),
            ("Hash store".into(), Kind::Table, false)
        );
        assert_eq!(call("Slice.new"), ("Bytes".into(), Kind::Buffer, false));
        assert_eq!(call("Array.new"), ("Array store".into(), Kind::Array, false));
    }

    #[test]
    fn the_default_of_a_hash_is_no_hash() {
        let frames =
            [("__crystal_malloc64", "gc.cr"), ("Hash.new", "hash.cr")].map(|(function, file)| Frame {
                function: function.to_owned(),
                file: format!("/usr/lib/crystal/lib/{file}"),
                ..Frame::default()
            });
        let kind = |size| allocated(frames.iter(), Some(0), Some(size)).kind;
        assert_eq!((kind(16), kind(64)), (Kind::Closure, Kind::Table));
    }

    #[test]
    fn buffers_are_those_that_a_program_could_use_again() {
        let kind = |function: &str, role| {
            let of = |function: &str, file: &str, role| Frame {
                function: function.to_owned(),
                file: file.to_owned(),
                role,
                ..Frame::default()
            };
            let pointer = of("Pointer.malloc", "/crystal/src/primitives.cr", Role::Runtime);
            allocated([pointer, of(function, "x.cr", role)].iter(), None, None).kind
        };
        assert_eq!(kind("StringPool#initialize", Role::Runtime), Kind::Opaque);
        assert_eq!(kind("IO::Memory#initialize", Role::Runtime), Kind::Buffer);
        assert_eq!(kind("Ring#initialize", Role::Own), Kind::Buffer);
    }

    #[test]
    fn texts_say_so_in_their_first_word() {
        let call = |function, head| recognize(&[&BYTES[..], &[(function, "string.cr")]].concat(), head);
        assert_eq!(call("String.new", Some(1)), ("String".into(), Kind::String, true));
        assert_eq!(
            call("String::Builder#initialize", Some(1)),
            ("String".into(), Kind::String, true)
        );
        assert_eq!(
            call("IO::Memory#initialize", Some(9)),
            ("IO::Memory store".into(), Kind::Buffer, false)
        );
    }

    #[test]
    fn without_frames_nothing_is_known() {
        assert_eq!(recognize(&OBJECT, Some(1)).1, Kind::Opaque);
    }
}
