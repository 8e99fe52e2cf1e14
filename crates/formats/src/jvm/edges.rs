//! References between rows, by names that a program writes: entries of a map are its store's keys and values, whatever
//! nodes they stand in.

use deadweight_heap::{EdgeKind, Edges, Gathered, GatheredPiece, TableKind, TextId, Texts, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::containers::{Instance, Owners, Piece as Nested};
use super::cursor::OBJECT;
use super::decode::{Dump, Row};
use super::known::{Hash, List, Role};
use super::roots::Held;

/// Rows that one thread takes at a time: all threads have some in a small dump, and in a large one few pieces have to be
/// joined.
const PIECE: std::ops::RangeInclusive<u32> = 1 << 14..=1 << 18;
const PIECES: u32 = 64;

/// Names of fields, by their ids.
pub(super) struct Names {
    of: FxHashMap<u64, TextId>,
    constants: TextId,
}

impl Names {
    pub(super) fn new(dump: &Dump<'_>, texts: &mut Texts) -> Self {
        let mut by_name: FxHashMap<&str, TextId> = FxHashMap::default();
        let mut all: Vec<(u64, &str)> = dump.classes.name_ids().collect();
        all.sort_unstable();
        let of = all
            .into_iter()
            .map(|(id, name)| (id, *by_name.entry(name).or_insert_with(|| texts.add(name))));
        Self {
            of: of.collect(),
            constants: texts.add("(constants)"),
        }
    }

    /// The text of a field's name, where some class has such a field.
    pub(super) fn named(&self, dump: &Dump<'_>, name: &str) -> Option<TextId> {
        let id = dump.classes.name_ids().find(|(_, known)| *known == name)?.0;
        self.of.get(&id).copied()
    }

    pub(super) fn get(&self, id: u64) -> TextId {
        self.of.get(&id).copied().unwrap_or_default()
    }
}

/// What one row refers to.
#[derive(Default)]
struct Found {
    via: Vec<Via>,
    to: Vec<u32>,
}

impl Found {
    fn push(&mut self, kind: EdgeKind, name: u32, to: Option<u32>) {
        if let Some(to) = to {
            self.via.push(Via::new(kind, name));
            self.to.push(to);
        }
    }
}

/// What rows that follow one another refer to.
struct Piece {
    first: usize,
    /// The list of each row.
    of: Vec<u32>,
    to: Vec<u32>,
    lists: GatheredPiece,
    len: usize,
}

impl Piece {
    fn of(rows: std::ops::Range<u32>, mut from: impl FnMut(u32, &mut Found)) -> Self {
        let mut of = vec![0; rows.len()];
        let mut gathered = Gathered::growing(&mut of);
        let (mut found, mut len) = (Found::default(), 0);
        for row in rows.clone() {
            from(row, &mut found);
            gathered.push(&found.via, &found.to);
            len += found.to.len();
            found.via.clear();
            found.to.clear();
        }
        let (lists, to) = gathered.finish_with_targets();
        Self {
            first: rows.start as usize,
            of,
            to,
            lists,
            len,
        }
    }
}

/// The references of all rows, and of one more that stands for what holds them from outside.
pub(super) fn edges(dump: &Dump<'_>, owners: &Owners, names: &Names, held: &[Held]) -> Edges {
    let rows = dump.rows();
    let piece = (rows / PIECES).clamp(*PIECE.start(), *PIECE.end());
    let mut pieces: Vec<Piece> = (0..rows.div_ceil(piece))
        .into_par_iter()
        .map(|at| {
            let rows = at * piece..((at + 1) * piece).min(rows);
            Piece::of(rows, |row, found| from(dump, owners, names, row, found))
        })
        .collect();
    pieces.push(Piece::of(rows..rows + 1, |_, found| {
        found.via.extend(held.iter().map(|held| held.via));
        found.to.extend(held.iter().map(|held| held.row));
    }));
    let len = pieces.iter().map(|piece| piece.len).sum();
    let mut of = Vec::with_capacity(rows as usize + 1);
    let mut to = Vec::with_capacity(pieces.iter().map(|piece| piece.to.len()).sum());
    let mut lists = Vec::with_capacity(pieces.len());
    for mut piece in pieces {
        piece.lists.move_by(to.len());
        of.extend(piece.of);
        to.extend(piece.to);
        lists.push((piece.first, piece.lists));
    }
    Edges::join(of, to, lists, Vec::new(), len)
}

fn from(dump: &Dump<'_>, owners: &Owners, names: &Names, row: u32, found: &mut Found) {
    match dump.row(row) {
        Row::Instance { .. } => {
            if let Some(of) = dump.instance(row) {
                from_instance(dump, owners, names, of, found);
            }
        }
        Row::Objects { .. } | Row::Numbers { .. }
            if dump.classes.has_open && from_array_of_open(dump, owners, row, found) => {}
        Row::Objects { .. } if dump.classes.has_nested && is_innermost(dump, owners, row) => {}
        Row::Objects { at, count, .. } => {
            let whole = owners.of(row).and_then(|owner| dump.instance(owner));
            from_array(dump, owners, (row, at, count), whole, found);
        }
        Row::Class(class) => {
            let class = &dump.classes.all[class as usize];
            found.push(EdgeKind::Internal, 0, dump.addresses.row(class.loader));
            for of in class.statics.iter().filter(|of| of.ty == OBJECT) {
                let name = match dump.classes.name(of.name) {
                    "<resolved_references>" => names.constants,
                    _ => names.get(of.name),
                };
                found.push(EdgeKind::Field, name, dump.target(of.at));
            }
        }
        Row::Numbers { .. } => {}
    }
}

fn from_instance(dump: &Dump<'_>, owners: &Owners, names: &Names, of: Instance<'_>, found: &mut Found) {
    let is_piece = owners.of(of.row).is_some();
    match of.class.role {
        // The container has what its nodes refer to.
        Role::Node | Role::View if is_piece => return,
        // Somebody else keeps the view, and with it the map.
        Role::View => {
            let back = of.class.slots[0];
            let field = of.class.fields.iter().find(|field| Some(field.offset) == back);
            let name = field.map_or(0, |field| names.get(field.name));
            found.push(EdgeKind::Field, name, dump.slot(of, 0));
        }
        Role::Tree => {
            let mut entry = 0;
            dump.each_in_tree(dump.slot(of, 0), &mut |node| {
                let is_own = owners.of(node.row) == Some(of.row);
                if is_own {
                    push_entry(dump, node, is_piece, entry, found);
                    entry += 1;
                } else {
                    found.push(EdgeKind::Internal, 0, Some(node.row));
                }
                is_own
            });
        }
        Role::Skips(kind) => {
            dump.each_in_index(of, &mut |index| {
                found.push(EdgeKind::Internal, 0, Some(index.row));
                owners.of(index.row) == Some(of.row)
            });
            let mut entry = 0;
            let first = dump.first_of_index(of);
            dump.each_in_chain(first, &mut |node| {
                let is_own = owners.of(node.row) == Some(of.row);
                if is_own && dump.has_entry(node) {
                    push_entry(dump, node, kind == TableKind::Set, entry, found);
                    entry += 1;
                } else {
                    found.push(EdgeKind::Internal, 0, Some(node.row));
                    // What was taken out is held as long as its node is.
                    let left = is_own.then(|| dump.slot(node, 0)).flatten();
                    found.push(EdgeKind::Internal, 0, left);
                }
                is_own
            });
            if !first.is_some_and(|row| dump.is(row, Role::Node)) {
                found.push(EdgeKind::Internal, 0, first);
            }
        }
        Role::Chain => {
            let mut element = 0;
            dump.each_in_chain(dump.slot(of, 0), &mut |node| {
                let is_own = owners.of(node.row) == Some(of.row);
                if is_own {
                    found.push(EdgeKind::Internal, 0, Some(node.row));
                    found.push(EdgeKind::Element, element, dump.slot(node, 0));
                    element += 1;
                } else {
                    found.push(EdgeKind::Internal, 0, Some(node.row));
                }
                is_own
            });
        }
        Role::Open(_) => from_open_table(dump, owners, of, found),
        Role::Nested => {
            let mut element = 0;
            dump.each_nested(of, &mut |piece| match piece {
                Nested::Array(array, within) => owners.of(array) == Some(within),
                Nested::Element(to) => {
                    found.push(EdgeKind::Element, element, to);
                    element += 1;
                    true
                }
            });
        }
        _ => {}
    }
    let is_container = matches!(
        of.class.role,
        Role::Hash(_)
            | Role::Tree
            | Role::Skips(_)
            | Role::Wrapper
            | Role::Open(_)
            | Role::List(_)
            | Role::Chain
            | Role::Nested
            | Role::Window
            | Role::String
            | Role::Builder
    );
    for reference in &of.class.references {
        let to = dump.target(of.at + reference.offset as usize);
        let of_library = reference.is_internal || dump.classes.all[reference.by as usize].is_library;
        let is_own = |to| owners.of(to) == Some(of.row);
        let is_internal = is_container && of_library || to.is_some_and(is_own);
        let kind = match (reference.is_weak, is_internal) {
            (true, _) => EdgeKind::Weak,
            (_, true) => EdgeKind::Internal,
            _ => EdgeKind::Field,
        };
        // The nodes of a tree and of a list are there already.
        let is_view = |to| dump.is(to, Role::View);
        let is_known = kind == EdgeKind::Internal
            && to.is_some_and(|to| is_own(to) && !is_view(to))
            && matches!(of.class.role, Role::Tree | Role::Skips(_) | Role::Chain);
        if !is_known {
            let name = if kind == EdgeKind::Field {
                names.get(reference.name)
            } else {
                0
            };
            found.push(kind, name, to);
        }
    }
}

/// Keys and values of a table that has an array of each.
fn from_open_table(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, found: &mut Found) {
    let keys = dump.slot(of, 0).filter(|&keys| owners.of(keys) == Some(of.row));
    let Some(keys) = keys else { return };
    let values = dump.slot(of, 2).filter(|&values| owners.of(values) == Some(keys));
    for (kind, array) in [(EdgeKind::Key, Some(keys)), (EdgeKind::Value, values)] {
        let Some((at, count)) = array.and_then(|array| dump.objects(array)) else {
            continue;
        };
        for slot in 0..count {
            found.push(kind, slot, dump.element(at, slot));
        }
    }
}

/// The array of keys has the other arrays of such a table, and what stands in them is the table's. Whether the row is an
/// array of one.
fn from_array_of_open(dump: &Dump<'_>, owners: &Owners, row: u32, found: &mut Found) -> bool {
    let table = |of: u32| {
        dump.instance(of)
            .filter(|of| matches!(of.class.role, Role::Open(_)))
    };
    let Some(owner) = owners.of(row) else { return false };
    if let Some(table) = table(owner) {
        let beside = dump
            .beside_keys(table)
            .filter(|&array| owners.of(array) == Some(row));
        for array in beside {
            found.push(EdgeKind::Internal, 0, Some(array));
        }
        return true;
    }
    owners.of(owner).and_then(table).is_some()
}

/// Whether an array has elements of a list of arrays, which are the list's.
fn is_innermost(dump: &Dump<'_>, owners: &Owners, row: u32) -> bool {
    let (mut top, mut level) = (row, 1);
    while let Some(owner) = owners.of(top) {
        if let Some(list) = dump.instance(owner) {
            return list.class.role == Role::Nested && dump.depth(list, top) == Some(level);
        }
        (top, level) = (owner, level + 1);
    }
    false
}

/// A node with its key and its value.
fn push_entry(dump: &Dump<'_>, node: Instance<'_>, is_set: bool, entry: u32, found: &mut Found) {
    found.push(EdgeKind::Internal, 0, Some(node.row));
    found.push(EdgeKind::Key, entry, dump.slot(node, 0));
    // The values of a set's map are one object that says nothing.
    if !is_set {
        found.push(EdgeKind::Value, entry, dump.slot(node, 1));
    }
}

fn from_array(
    dump: &Dump<'_>,
    owners: &Owners,
    (row, at, count): (u32, usize, u32),
    whole: Option<Instance<'_>>,
    found: &mut Found,
) {
    let elements = 0..count;
    match whole.map(|whole| (whole, whole.class.role)) {
        Some((map, Role::Hash(hash))) => {
            let is_set = match hash {
                Hash::Other(kind) => kind == TableKind::Set,
                _ => owners.of(map.row).is_some(),
            };
            let mut entry = 0;
            dump.each_node(row, |node| {
                let is_own = owners.of(node.row) == Some(row);
                if is_own {
                    push_entry(dump, node, is_set, entry, found);
                    entry += u32::from(node.class.slots[0].is_some());
                } else {
                    found.push(EdgeKind::Internal, 0, Some(node.row));
                }
                is_own
            });
        }
        Some((_, Role::List(List::Pairs))) => {
            for slot in elements {
                let kind = if slot % 2 == 0 {
                    EdgeKind::Key
                } else {
                    EdgeKind::Value
                };
                found.push(kind, slot / 2, dump.element(at, slot));
            }
        }
        Some((_, Role::List(List::Keys))) => {
            for slot in elements {
                found.push(EdgeKind::Key, slot, dump.element(at, slot));
            }
        }
        _ => {
            for slot in elements {
                let to = dump.element(at, slot);
                let is_own = to.is_some_and(|to| owners.of(to) == Some(row));
                let kind = if is_own {
                    EdgeKind::Internal
                } else {
                    EdgeKind::Element
                };
                found.push(kind, slot, to);
            }
        }
    }
}
