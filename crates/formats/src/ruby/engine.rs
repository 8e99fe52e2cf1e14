//! What the interpreter and its own library hold.
//!
//! A walk from the roots stops at what the interpreter keeps for itself: its own lists, the package manager and the
//! like, and whatever the recorder saw alive before the program began. What the walk does not reach is the
//! interpreter's: no change of the program removes it.

use deadweight_heap::Edges;
use deadweight_sidecar::RubyContents;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::cursor::of;
use super::edges::Root;
use super::rows::Piece;
use super::tag::Tag;

/// Classes and modules that come with the interpreter and hold tables of their own.
const LIBRARIES: [&[u8]; 14] = [
    b"Gem",
    b"RubyVM",
    b"RbConfig",
    b"DidYouMean",
    b"ErrorHighlight",
    b"SyntaxSuggest",
    b"Bundler",
    b"Monitor",
    b"MonitorMixin",
    b"UnicodeNormalize",
    b"Encoding",
    b"Errno",
    b"Fiddle",
    b"Deadweight",
];

/// For each row whether only the interpreter holds it.
pub(super) fn held(
    all: &Piece,
    bytes: &[u8],
    edges: &Edges,
    addresses: &Addresses,
    roots: &FxHashMap<u32, Root>,
    facts: Option<&RubyContents>,
) -> Vec<bool> {
    let mut closed = vec![false; all.len()];
    let mut libraries: FxHashSet<u64> = FxHashSet::default();
    for &(row, span) in &all.names {
        let is_class = matches!(all.tag[row as usize], Tag::Class | Tag::Module);
        if is_class && is_library(of(bytes, span)) {
            closed[row as usize] = true;
            libraries.insert(all.address[row as usize]);
        }
    }
    for (closed, class) in closed.iter_mut().zip(&all.class) {
        *closed |= libraries.contains(class);
    }
    let before = facts.map_or(&[][..], |facts| &facts.before);
    for row in before.iter().filter_map(|&address| addresses.row(address)) {
        // Classes and the main object are there before the program, and hold what it puts into them.
        let container = matches!(
            all.tag[row as usize],
            Tag::String
                | Tag::Array
                | Tag::Hash
                | Tag::Struct
                | Tag::Regexp
                | Tag::Float
                | Tag::Bignum
                | Tag::Time
        );
        closed[row as usize] |= container;
    }
    // Doors the interpreter's own lists go through.
    let door = |row: u32| {
        matches!(
            all.tag[row as usize],
            Tag::Class | Tag::Module | Tag::Object | Tag::Thread | Tag::Proc | Tag::Root
        )
    };
    for (&root, &sort) in roots {
        if sort == Root::Machine {
            for edge in edges
                .of(root)
                .filter(|edge| (edge.to as usize) < all.len() && !door(edge.to))
            {
                closed[edge.to as usize] = true;
            }
        }
    }
    let mut stands: Vec<Stands> = closed
        .into_iter()
        .map(|closed| if closed { Stands::Closed } else { Stands::Unknown })
        .collect();
    let mut next: Vec<u32> = roots.keys().copied().collect();
    for &root in &next {
        stands[root as usize] = Stands::Reached;
    }
    while let Some(row) = next.pop() {
        for edge in edges.of(row) {
            if let Some(stands) = stands.get_mut(edge.to as usize)
                && *stands == Stands::Unknown
            {
                *stands = Stands::Reached;
                next.push(edge.to);
            }
        }
    }
    stands
        .into_iter()
        .map(|stands| stands != Stands::Reached)
        .collect()
}

/// How a row stands to the walk: in one byte, as most of it is waiting for these.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Unknown,
    Reached,
    /// The walk does not go there.
    Closed,
}

pub(super) fn is_library(name: &[u8]) -> bool {
    LIBRARIES.iter().any(|library| {
        name.strip_prefix(*library)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"::"))
    })
}
