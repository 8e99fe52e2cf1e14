//! Names of classes, and the type of each row.

use deadweight_heap::{TypeId, Types};
use rustc_hash::FxHashMap;

use super::cursor::of;
use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;

/// The types of one dump.
#[derive(Debug)]
pub(super) struct Classes {
    /// The type of instances, by the class's address; one of a single object is that of its superclass.
    instances: FxHashMap<u64, TypeId>,
    /// What a row without a class is, by its tag or its C structure.
    structs: FxHashMap<u32, TypeId>,
    hidden: TypeId,
    root: TypeId,
    shape: TypeId,
}

impl Classes {
    pub(super) fn new(all: &Piece, bytes: &[u8], types: &mut Types) -> Self {
        let names: FxHashMap<u32, &[u8]> = all
            .names
            .iter()
            .map(|&(row, span)| (row, of(bytes, span)))
            .collect();
        let superclasses: FxHashMap<u32, u64> = all.superclasses.iter().copied().collect();
        let mut classes: FxHashMap<u64, u32> = FxHashMap::default();
        for (row, tag) in all.tag.iter().enumerate() {
            if matches!(tag, Tag::Class | Tag::Module | Tag::IncludedClass) {
                classes.entry(all.address[row]).or_insert(row as u32);
            }
        }
        let mut instances = FxHashMap::default();
        for (&address, &row) in &classes {
            let name = named(row, &names, &superclasses, &classes, all);
            instances.insert(address, types.named(&name));
        }
        let mut structs = FxHashMap::default();
        for &(row, span) in &all.structs {
            if !all.bits[row as usize].has(Bits::CLASSED) {
                let name = String::from_utf8_lossy(of(bytes, span)).into_owned();
                structs.insert(row, types.named(&name));
            }
        }
        Self {
            instances,
            structs,
            hidden: types.named("(hidden)"),
            root: types.named("(root)"),
            shape: types.named("(shape)"),
        }
    }

    /// The type of a row: for a class its own name, for all others that of the class.
    pub(super) fn of(&self, all: &Piece, row: usize) -> TypeId {
        let instance = |address: u64| self.instances.get(&address).copied();
        match all.tag[row] {
            Tag::Root => self.root,
            Tag::Shape => self.shape,
            Tag::Class | Tag::Module | Tag::IncludedClass => {
                instance(all.address[row]).unwrap_or(self.hidden)
            }
            _ if all.bits[row].has(Bits::CLASSED) => instance(all.class[row]).unwrap_or(self.hidden),
            Tag::Data => self.structs.get(&(row as u32)).copied().unwrap_or(self.hidden),
            _ => self.hidden,
        }
    }
}

fn named(
    row: u32,
    names: &FxHashMap<u32, &[u8]>,
    superclasses: &FxHashMap<u32, u64>,
    classes: &FxHashMap<u64, u32>,
    all: &Piece,
) -> String {
    let mut at = row;
    // Classes of single objects may be stacked; a broken dump may make a ring of them.
    for _ in 0..16 {
        if let Some(name) = names.get(&at) {
            return String::from_utf8_lossy(name).into_owned();
        }
        // Modules that the object was extended with stand between its own class and the one that made it.
        let is_between = all.bits[at as usize].has(Bits::SINGLETON)
            || (at != row && all.tag[at as usize] == Tag::IncludedClass);
        if !is_between {
            break;
        }
        match superclasses.get(&at).and_then(|above| classes.get(above)) {
            Some(&above) => at = above,
            None => break,
        }
    }
    "(nameless class)".to_owned()
}
