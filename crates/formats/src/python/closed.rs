//! What becomes of the program's classes once they say which attributes their instances have.

use deadweight_heap::{Edges, OfLibrary, Relatives, Types};
use rustc_hash::FxHashMap;

use super::layout::implementations::WEAKLY_REFERRED;
use super::outline::Outline;
use super::scan::Scanned;
use super::whose::Whose;

/// What puts attributes into the dictionaries of instances when they are first read.
const FILLING: &str = "functools.cached_property";

/// Notes which classes have to stay open, and which need room for weak references when they are closed.
pub(super) fn note(
    bytes: &[u8],
    outline: &Outline,
    scanned: &Scanned,
    edges: &Edges,
    whose: &Whose,
    types: &mut Types,
) {
    let named = |ty: &u32| outline.name(bytes, outline.types[*ty as usize].name) == FILLING;
    let filling = (0..outline.types.len() as u32).find(named);
    let fills = |class: u32| {
        let row = outline.types[class as usize].row;
        let (Some(row), Some(filling)) = (row, filling) else {
            return false;
        };
        let mut values = edges.of(row).filter_map(|edge| scanned.ty.get(edge.to as usize));
        values.any(|ty| *ty == filling)
    };
    let families = Families::new(outline, scanned, whose);
    let own = (0..outline.types.len() as u32).filter(|&ty| whose.is_own_type(ty));
    for class in own.filter(|&class| outline.types[class as usize].is_open()) {
        if let Some(relatives) = families.relatives(outline, class) {
            types.note_relatives(class, relatives);
        }
        if outline.lineage(class).any(fills) {
            types.note_library(class, OfLibrary::default());
        }
        let mut bases = outline.lineage(class).skip(1);
        let is_weak = outline.types[class as usize].is_weakly_referred()
            || bases.any(|base| outline.types[base as usize].declares_weak());
        if is_weak {
            types.note_closed(class, WEAKLY_REFERRED);
        }
    }
}

/// Which of the program's classes are based on which.
struct Families {
    /// Classes that are based on one, directly or not.
    heirs: FxHashMap<u32, Vec<u32>>,
    /// Whether a type has instances.
    has_instances: Vec<bool>,
}

impl Families {
    fn new(outline: &Outline, scanned: &Scanned, whose: &Whose) -> Self {
        let mut has_instances = vec![false; outline.types.len()];
        for &ty in &scanned.ty {
            if let Some(has) = has_instances.get_mut(ty as usize) {
                *has = true;
            }
        }
        let mut heirs: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for class in (0..outline.types.len() as u32).filter(|&ty| whose.is_own_type(ty)) {
            for base in outline
                .lineage(class)
                .skip(1)
                .filter(|&base| whose.is_own_type(base))
            {
                heirs.entry(base).or_default().push(class);
            }
        }
        Self { heirs, has_instances }
    }

    /// The classes that change with a class once it and its bases have `__slots__`. Names in the slots of a base take room in the
    /// instances of all classes based on it. Where such a class has no slots, its instances also lose the inline values of their
    /// attributes (3.13). A base with `__slots__ = ()` changes nothing for a class without slots, but takes the dictionary from
    /// one that has slots.
    fn relatives(&self, outline: &Outline, class: u32) -> Option<Relatives> {
        let of = |class: u32| self.heirs.get(&class).into_iter().flatten().copied();
        let counts = |&other: &u32| self.has_instances[other as usize];
        if of(class).any(|heir| counts(&heir)) {
            return Some(Relatives::Together);
        }
        let bases = || {
            outline
                .lineage(class)
                .skip(1)
                .filter(|base| self.heirs.contains_key(base))
        };
        let is_ancestor = |other: u32| outline.lineage(class).any(|base| base == other);
        let siblings = || bases().flat_map(of).filter(|&other| !is_ancestor(other));
        if bases().any(|base| counts(&base)) {
            return Some(Relatives::Together);
        }
        let mut counted = siblings().filter(counts).peekable();
        counted.peek()?;
        let has_slots = |other: u32| !outline.types[other as usize].slots.is_empty();
        if siblings().any(has_slots) {
            return Some(Relatives::Together);
        }
        Some(Relatives::Siblings)
    }
}
