//! Classes that serve one object: what `def object.name`, `extend` and `OpenStruct` make.
//!
//! The dump says of an object which class it has, but lists no reference to it. Such a class lives and dies with its
//! object, and so do the methods, blocks and captured variables that only it refers to: all of them are pieces of it.

use deadweight_heap::OwnClass;
use deadweight_sidecar::RubyContents;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;

/// More than this a class of one object does not have: a broken dump may lead anywhere.
const MOST_PIECES: usize = 4096;

/// The classes of single objects, each with its object and with what it alone refers to.
#[derive(Debug, Default)]
pub(super) struct OwnClasses {
    /// By row of the object.
    pub(super) all: Vec<OwnClass>,
    class_of: FxHashMap<u32, u32>,
    pieces: FxHashMap<u32, Vec<u32>>,
    object_of: FxHashMap<u32, u32>,
}

impl OwnClasses {
    pub(super) fn find(all: &Piece, addresses: &Addresses, facts: Option<&RubyContents>) -> Self {
        let objects = objects(all, addresses, facts);
        if objects.is_empty() {
            return Self::default();
        }
        let graph = References { all, addresses };
        let mut reached: Vec<(u32, u32, Vec<u32>)> = objects
            .into_iter()
            .map(|(class, object)| (class, object, graph.reached_from(class)))
            .collect();
        reached.sort_unstable_by_key(|&(_, object, _)| object);
        let counts = graph.counts(reached.iter().flat_map(|(_, _, rows)| rows));
        let mut codes: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut own = Self::default();
        for (class, object, rows) in reached {
            let pieces = graph.held_alone(class, rows, &counts);
            let next = codes.len() as u32;
            let code = *codes.entry(graph.code(class, &pieces)).or_insert(next);
            own.object_of.insert(class, object);
            own.object_of.extend(pieces.iter().map(|&piece| (piece, object)));
            own.class_of.insert(object, class);
            own.pieces.insert(class, pieces);
            own.all.push(OwnClass { object, class, code });
        }
        own
    }

    /// The class that serves only this object.
    pub(super) fn class_of(&self, object: u32) -> Option<u32> {
        self.class_of.get(&object).copied()
    }

    /// What only the class of one object refers to.
    pub(super) fn pieces_of(&self, class: u32) -> &[u32] {
        self.pieces.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The object whose class it is, or a piece of that.
    pub(super) fn object_of(&self, row: u32) -> Option<u32> {
        self.object_of.get(&row).copied()
    }

    /// Each piece with the row it is a piece of.
    pub(super) fn owned(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.all.iter().flat_map(|own| {
            let pieces = self.pieces_of(own.class).iter();
            std::iter::once((own.class, own.object)).chain(pieces.map(|&piece| (piece, own.class)))
        })
    }
}

/// The one object of each class that has one. Classes and modules, whose own methods are written once for all, are none
/// of these, nor is what was there before the program.
fn objects(all: &Piece, addresses: &Addresses, facts: Option<&RubyContents>) -> FxHashMap<u32, u32> {
    let mut single: FxHashMap<u64, Option<u32>> = (0..all.len())
        .filter(|&row| all.tag[row] == Tag::Class && all.bits[row].has(Bits::SINGLETON))
        .map(|row| (all.address[row], None))
        .collect();
    if single.is_empty() {
        return FxHashMap::default();
    }
    let mut several: FxHashSet<u64> = FxHashSet::default();
    for row in 0..all.len() {
        if let Some(object) = single.get_mut(&all.class[row])
            && !is_machinery(all.tag[row])
            && object.replace(row as u32).is_some()
        {
            several.insert(all.class[row]);
        }
    }
    let before = facts.map_or(&[][..], |facts| &facts.before).iter();
    let before: FxHashSet<u32> = before.filter_map(|&address| addresses.row(address)).collect();
    let found = single.into_iter().filter_map(|(address, object)| {
        let object = object.filter(|object| !several.contains(&address) && !before.contains(object))?;
        let is_class = matches!(all.tag[object as usize], Tag::Class | Tag::Module);
        (!is_class).then_some((addresses.row(address)?, object))
    });
    found.collect()
}

/// Method entries, caches and the like say the class that they are of.
fn is_machinery(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Internal | Tag::Code | Tag::Environment | Tag::IncludedClass | Tag::Root | Tag::Shape
    )
}

struct References<'a> {
    all: &'a Piece,
    addresses: &'a Addresses,
}

impl References<'_> {
    fn of(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        let references = &self.all.references[self.all.range(row as usize)];
        references
            .iter()
            .filter_map(|&address| self.addresses.row(address))
    }

    /// The machinery that a class leads to: no code, which all share, and no value of the program's. The blocks that are
    /// methods are the class's; those that variables hold are the program's.
    fn reached_from(&self, class: u32) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = [class].into_iter().collect();
        let mut found = Vec::new();
        let mut next = vec![class];
        while let Some(row) = next.pop() {
            let holds_variables = self.all.tag[row as usize] == Tag::Environment;
            for to in self.of(row) {
                let is_piece = match self.all.tag[to as usize] {
                    Tag::Internal | Tag::Environment | Tag::IncludedClass => true,
                    Tag::Proc => !holds_variables,
                    // Where a method is written that runs no code of Ruby.
                    Tag::Array => self.all.tag[row as usize] == Tag::Internal,
                    _ => false,
                };
                if is_piece && found.len() < MOST_PIECES && seen.insert(to) {
                    found.push(to);
                    next.push(to);
                }
            }
        }
        found
    }

    /// How many references lead to each of some rows.
    fn counts<'r>(&self, rows: impl Iterator<Item = &'r u32>) -> FxHashMap<u32, u32> {
        let mut by_address: FxHashMap<u64, (u32, u32)> = rows
            .map(|&row| (self.all.address[row as usize], (row, 0)))
            .collect();
        for address in &self.all.references {
            if let Some((_, count)) = by_address.get_mut(address) {
                *count = count.saturating_add(1);
            }
        }
        by_address.into_values().collect()
    }

    /// The rows that go with a class: its method entries and their caches, which others keep no longer than the class, and
    /// what only these refer to.
    fn held_alone(&self, class: u32, mut rows: Vec<u32>, counts: &FxHashMap<u32, u32>) -> Vec<u32> {
        let address = self.all.address[class as usize];
        let says_class = |row: &u32| self.all.class[*row as usize] == address;
        loop {
            let mut own: FxHashMap<u32, u32> = rows.iter().map(|&row| (row, 0)).collect();
            for from in rows.iter().copied().chain([class]) {
                for to in self.of(from) {
                    if let Some(count) = own.get_mut(&to) {
                        *count += 1;
                    }
                }
            }
            let before = rows.len();
            rows.retain(|row| own.get(row) == counts.get(row) || says_class(row));
            if rows.len() == before {
                return rows;
            }
        }
    }

    /// What the methods run and which modules are included: equal for classes that differ in nothing but their object.
    fn code(&self, class: u32, pieces: &[u32]) -> Vec<u32> {
        let rows = pieces.iter().copied().chain([class]);
        let mut code: Vec<u32> = rows
            .flat_map(|row| {
                let is_module = self.all.tag[row as usize] == Tag::IncludedClass;
                let module = is_module
                    .then(|| self.addresses.row(self.all.class[row as usize]))
                    .flatten();
                let code = self.of(row).filter(|&to| self.all.tag[to as usize] == Tag::Code);
                code.chain(module)
            })
            .collect();
        code.sort_unstable();
        code.dedup();
        code
    }
}
