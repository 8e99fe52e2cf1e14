//! Containers of the library: which rows are pieces of which, and how full each is.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{
    Array, Date, Implementation, Kind, NONE, Number, Numeric, Record, RowSet, Table, TableKind, UNKNOWN,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{Class, signed};
use super::cursor::OBJECT;
use super::decode::{Dump, Row};
use super::known::{Hash, List, Role};
use super::layout::of;
use super::sorts::Sort;

/// Rows that one thread takes at a time.
const PIECE: u32 = 1 << 14;

/// The slots of a map with its views.
const VIEWS: std::ops::Range<usize> = 2..5;

/// Which rows are pieces, and whose.
pub(super) struct Owners {
    owner: Vec<AtomicU32>,
    /// Rows that a reference leads to, and those that more than one does.
    once: RowSet,
    several: RowSet,
    /// Characters that several strings have in common.
    pub(super) shared_characters: RowSet,
}

impl Owners {
    /// Counts the references to all rows; `held` are those that the roots lead to.
    pub(super) fn new(dump: &Dump<'_>, held: &[u32]) -> Self {
        let rows = dump.rows();
        let (once, several) = (RowSet::none(rows as usize), RowSet::none(rows as usize));
        let note = |to: u32| {
            if !once.insert(to) {
                several.insert(to);
            }
        };
        each_piece(rows, |range| {
            for row in range {
                dump.each_target(row, note);
            }
        });
        held.iter().copied().for_each(note);
        Self {
            owner: (0..rows).into_par_iter().map(|_| AtomicU32::new(NONE)).collect(),
            once,
            several,
            shared_characters: RowSet::none(rows as usize),
        }
    }

    /// Makes a row a piece of another, where nothing else refers to it and it is nobody's yet.
    fn claim(&self, part: u32, owner: u32) -> bool {
        part != owner
            && !self.several.has(part)
            && self.owner[part as usize]
                .compare_exchange(NONE, owner, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Whether any reference leads to a row.
    pub(super) fn is_referred_to(&self, row: u32) -> bool {
        self.once.has(row)
    }

    /// Whose piece a row is.
    #[inline]
    pub(super) fn of(&self, row: u32) -> Option<u32> {
        let owner = self.owner[row as usize].load(Ordering::Relaxed);
        (owner != NONE).then_some(owner)
    }

    pub(super) fn into_column(self) -> Vec<u32> {
        self.owner.into_iter().map(AtomicU32::into_inner).collect()
    }
}

fn each_piece(rows: u32, look: impl Fn(std::ops::Range<u32>) + Sync) {
    (0..rows.div_ceil(PIECE)).into_par_iter().for_each(|piece| {
        look(piece * PIECE..((piece + 1) * PIECE).min(rows));
    });
}

/// What a list of arrays is made of.
#[derive(Clone, Copy)]
pub(super) enum Piece {
    /// An array, and what it is within.
    Array(u32, u32),
    Element(Option<u32>),
}

/// Of which type the numbers in the arrays of a container are, by its number among the known classes and the field.
pub(super) type OfNumbers = FxHashMap<(u16, usize), u8>;

/// Facts of rows, in their order.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) of_numbers: OfNumbers,
    pub(super) records: Vec<Record>,
    pub(super) arrays: Vec<Array>,
    pub(super) tables: Vec<Table>,
    pub(super) numbers: Vec<Number>,
    pub(super) dates: Vec<Date>,
}

/// An instance that has all its fields.
#[derive(Clone, Copy)]
pub(super) struct Instance<'d> {
    pub(super) row: u32,
    pub(super) class: &'d Class,
    pub(super) at: usize,
}

impl<'d> Dump<'d> {
    pub(super) fn instance(&self, row: u32) -> Option<Instance<'d>> {
        let class = self.whole_class(row)?;
        let at = self.fields_at(row);
        Some(Instance { row, class, at })
    }

    /// An instance of a class with a role.
    pub(super) fn instance_of(&self, row: u32, role: Role) -> Option<Instance<'d>> {
        self.is(row, role).then(|| self.instance(row)).flatten()
    }

    /// What a field that the role names refers to.
    pub(super) fn slot(&self, of: Instance<'_>, slot: usize) -> Option<u32> {
        self.target(of.at + of.class.slots[slot]? as usize)
    }

    /// A count in a field that the role names.
    pub(super) fn count(&self, of: Instance<'_>, slot: usize) -> Option<u32> {
        let at = of.at + of.class.slots[slot]? as usize;
        let count = signed(self.bytes.get(at..at + 4)?);
        u32::try_from(count).ok()
    }

    /// Place and length of an array of references.
    pub(super) fn objects(&self, row: u32) -> Option<(usize, u32)> {
        match self.row(row) {
            Row::Objects { at, count, .. } => Some((at, count)),
            _ => None,
        }
    }

    /// Slots of an array, whatever it is of.
    pub(super) fn room(&self, row: u32) -> Option<u32> {
        match self.row(row) {
            Row::Objects { count, .. } | Row::Numbers { count, .. } => Some(count),
            _ => None,
        }
    }

    /// The arrays of a table that stand beside that of its keys: its values first.
    pub(super) fn beside_keys(&self, of: Instance<'_>) -> impl Iterator<Item = u32> {
        let slots = (2..of.class.slots.len()).filter_map(move |slot| self.slot(of, slot));
        slots.filter(|&array| self.room(array).is_some())
    }

    /// The array of a list or a table of another library. Lists of the JDK have references.
    fn store(&self, of: Instance<'_>) -> Option<u32> {
        let store = self.slot(of, 0)?;
        let is_array = match self.sorts.get(store) {
            Sort::Objects(_) => true,
            Sort::Numbers(_) | Sort::NumbersWithout(_) => of.class.is_foreign(),
            _ => false,
        };
        is_array.then_some(store)
    }

    /// What an array's slot refers to.
    #[inline]
    pub(super) fn element(&self, at: usize, slot: u32) -> Option<u32> {
        self.target(at + slot as usize * self.id_bytes)
    }

    /// Shows `found` the nodes of a hash table, chain by chain, each as long as it says so.
    pub(super) fn each_node(&self, store: u32, mut found: impl FnMut(Instance<'d>) -> bool) {
        let Some((at, count)) = self.objects(store) else {
            return;
        };
        for slot in 0..count {
            self.each_in_chain(self.element(at, slot), &mut found);
        }
    }

    /// Shows `found` the arrays of a list of arrays, each with what it is within, and in the order of the list what stands in
    /// the innermost: slots without anything, too. What is within an array that is refused is not shown.
    pub(super) fn each_nested(&self, of: Instance<'_>, found: &mut impl FnMut(Piece) -> bool) {
        let depths = &self.classes.known.get(of.class.known).depths;
        for (slot, &depth) in depths.iter().enumerate() {
            if let Some(array) = self.slot(of, slot) {
                self.each_within(array, of.row, depth, found);
            }
        }
    }

    /// How many arrays stand around the elements of an array that a list of arrays refers to.
    pub(super) fn depth(&self, of: Instance<'_>, array: u32) -> Option<u8> {
        let depths = &self.classes.known.get(of.class.known).depths;
        let at = (0..depths.len()).find(|&slot| self.slot(of, slot) == Some(array))?;
        Some(depths[at])
    }

    fn each_within(&self, array: u32, within: u32, depth: u8, found: &mut impl FnMut(Piece) -> bool) {
        // Lists without some of their arrays share one that is empty.
        let Some((at, count)) = self.objects(array).filter(|&(_, count)| count > 0) else {
            return;
        };
        if !found(Piece::Array(array, within)) {
            return;
        }
        for slot in 0..count {
            let element = self.element(at, slot);
            if depth <= 1 {
                found(Piece::Element(element));
            } else if let Some(inner) = element {
                self.each_within(inner, array, depth - 1, found);
            }
        }
    }

    /// The same for the nodes from one on.
    pub(super) fn each_in_chain(&self, first: Option<u32>, found: &mut impl FnMut(Instance<'d>) -> bool) {
        let mut next = first;
        while let Some(node) = next.and_then(|row| self.instance_of(row, Role::Node)) {
            if !found(node) {
                break;
            }
            // Nothing but the first has another way to it than the chain, so that a ring of a broken file has that.
            next = self.slot(node, 2).filter(|&next| Some(next) != first);
        }
    }

    /// The same for the rows of the index of a list with shortcuts, from the highest one on.
    pub(super) fn each_in_index(&self, of: Instance<'_>, found: &mut impl FnMut(Instance<'d>) -> bool) {
        /// More rows above one another than any index has.
        const HIGHEST: usize = 64;
        let below = |&row: &u32| self.slot(self.instance_of(row, Role::Node)?, 3);
        for row in std::iter::successors(self.slot(of, 0), below).take(HIGHEST) {
            self.each_in_chain(Some(row), found);
        }
    }

    /// The first node of such a list, which has no entry.
    pub(super) fn first_of_index(&self, of: Instance<'_>) -> Option<u32> {
        let highest = self.instance_of(self.slot(of, 0)?, Role::Node)?;
        self.slot(highest, 0)
    }

    /// Whether a node of such a list has an entry that was not taken out.
    pub(super) fn has_entry(&self, node: Instance<'_>) -> bool {
        let has = |slot: usize| node.class.slots[slot].is_none() || self.slot(node, slot).is_some();
        has(0) && has(1)
    }

    /// The same for the entries of a tree.
    pub(super) fn each_in_tree(&self, root: Option<u32>, found: &mut impl FnMut(Instance<'d>) -> bool) {
        let mut next: Vec<u32> = root.into_iter().collect();
        while let Some(row) = next.pop() {
            let entry = self.instance_of(row, Role::Node);
            if let Some(entry) = entry.filter(|&entry| found(entry)) {
                next.extend([3, 2].into_iter().filter_map(|slot| self.slot(entry, slot)));
            }
        }
    }
}

/// Finds the pieces of all containers and what is in these. `base` has the bytes of an instance of the class itself whose
/// role a class has.
pub(super) fn collect(dump: &Dump<'_>, owners: &Owners) -> Facts {
    let rows = dump.rows();
    // A map within a set is the set's before it is looked at.
    each_piece(rows, |range| {
        for of in range.filter_map(|row| dump.instance(row)) {
            match of.class.role {
                Role::String | Role::Builder => claim_characters(dump, owners, of),
                Role::Wrapper => {
                    if let Some(map) = dump.slot(of, 0)
                        && is_map(dump, map)
                    {
                        owners.claim(map, of.row);
                    }
                }
                Role::Throwable => {
                    if let Some(trace) = dump.slot(of, 0) {
                        claim_backtrace(dump, owners, trace, of.row);
                    }
                }
                _ => {}
            }
        }
    });
    let pieces: Vec<Facts> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut facts = Facts::default();
            for row in piece * PIECE..((piece + 1) * PIECE).min(rows) {
                if let Some(of) = dump.instance(row) {
                    look(dump, owners, of, &mut facts);
                }
            }
            facts
        })
        .collect();
    let mut all = Facts::default();
    for piece in pieces {
        all.of_numbers.extend(piece.of_numbers);
        all.records.extend(piece.records);
        all.arrays.extend(piece.arrays);
        all.tables.extend(piece.tables);
        all.numbers.extend(piece.numbers);
        all.dates.extend(piece.dates);
    }
    rest(dump, owners, &mut all);
    all
}

/// Records and arrays that are no piece of another: known when all pieces are.
fn rest(dump: &Dump<'_>, owners: &Owners, facts: &mut Facts) {
    let rows = dump.rows();
    let pieces: Vec<(Vec<Record>, Vec<Array>)> = (0..rows.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let (mut records, mut arrays) = (Vec::new(), Vec::new());
            for row in piece * PIECE..((piece + 1) * PIECE).min(rows) {
                if owners.of(row).is_some() {
                    continue;
                }
                match dump.sorts.get(row) {
                    Sort::Instance(class) if dump.classes.all[class as usize].role.kind() == Kind::Record => {
                        let fields = dump.classes.all[class as usize].fields.len() as u32;
                        records.push(Record {
                            object: row,
                            shape: NONE,
                            used: fields,
                            available: fields,
                            dictionary: 0,
                            implementation: Implementation::USUAL,
                        });
                    }
                    Sort::Objects(_) => {
                        let (at, count) = dump.objects(row).unwrap_or_default();
                        let used = (0..count)
                            .rev()
                            .find(|&slot| dump.id(at + slot as usize * dump.id_bytes) != 0);
                        arrays.push(Array {
                            object: row,
                            store: row,
                            used: used.map_or(0, |last| last + 1),
                            capacity: count,
                            implementation: of::ARRAY,
                        });
                    }
                    _ => {}
                }
            }
            (records, arrays)
        })
        .collect();
    for (records, arrays) in pieces {
        facts.records.extend(records);
        facts.arrays.extend(arrays);
    }
}

fn is_map(dump: &Dump<'_>, row: u32) -> bool {
    dump.whole_class(row)
        .is_some_and(|class| matches!(class.role, Role::Hash(_) | Role::Tree))
}

/// Makes the arrays in which the machine notes where something was thrown its pieces: methods, places in them, classes, and
/// for a deep stack a further array of the same.
fn claim_backtrace(dump: &Dump<'_>, owners: &Owners, trace: u32, thrown: u32) {
    /// A longer array holds classes.
    const SLOTS: u32 = 8;
    let mut next = vec![(trace, thrown)];
    while let Some((array, whole)) = next.pop() {
        if !owners.claim(array, whole) {
            continue;
        }
        let Some((at, count)) = dump.objects(array).filter(|&(_, count)| count <= SLOTS) else {
            continue;
        };
        let parts = (0..count).filter_map(|slot| dump.element(at, slot));
        let is_array =
            |&part: &u32| dump.is_of_numbers(part) || matches!(dump.sorts.get(part), Sort::Objects(_));
        next.extend(parts.filter(is_array).map(|part| (part, array)));
    }
}

fn claim_characters(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>) {
    let Some(array) = dump.slot(of, 0) else { return };
    if dump.is_of_numbers(array) && !owners.claim(array, of.row) {
        owners.shared_characters.insert(array);
    }
}

/// A map has the views that it keeps of itself, where nobody else has them.
fn claim_views(dump: &Dump<'_>, owners: &Owners, map: Instance<'_>) {
    let claim = |view: u32| {
        let view = dump.instance_of(view, Role::View);
        if let Some(view) = view.filter(|&view| dump.slot(view, 0) == Some(map.row)) {
            owners.claim(view.row, map.row);
        }
    };
    if map.class.is_foreign() {
        let own = map
            .class
            .references
            .iter()
            .filter(|reference| reference.is_internal);
        own.filter_map(|reference| dump.target(map.at + reference.offset as usize))
            .for_each(claim);
    } else {
        VIEWS.filter_map(|slot| dump.slot(map, slot)).for_each(claim);
    }
}

/// Notes what is in a container, a number or a moment.
fn look(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, facts: &mut Facts) {
    if of.class.is_foreign() {
        note_numbers(dump, of, &mut facts.of_numbers);
    }
    if of.class.is_foreign() || matches!(of.class.role, Role::Hash(_) | Role::Tree) {
        claim_views(dump, owners, of);
    }
    match of.class.role {
        Role::Hash(hash) => facts.tables.push(hash_table(dump, owners, of, hash)),
        Role::Tree => {
            let mut counted = 0;
            let whole = whole(owners, of.row);
            dump.each_in_tree(dump.slot(of, 0), &mut |entry| {
                counted += 1;
                owners.claim(entry.row, of.row)
            });
            let used = dump.count(of, 1).unwrap_or(counted);
            facts.tables.push(Table {
                object: whole,
                store: of.row,
                used,
                capacity: used,
                set: whole != of.row,
                implementation: of::TREE,
            });
        }
        Role::Skips(kind) => facts.tables.push(skip_list(dump, owners, of, kind)),
        Role::Open(kind) => facts.tables.push(open_table(dump, owners, of, kind)),
        Role::List(list) => listed(dump, owners, of, list, facts),
        Role::Nested => facts.arrays.push(nested(dump, owners, of)),
        Role::Chain => {
            let (mut elements, mut is_whole) = (0, true);
            dump.each_in_chain(dump.slot(of, 0), &mut |node| {
                let is_own = owners.claim(node.row, of.row);
                is_whole &= is_own;
                elements += u32::from(dump.slot(node, 0).is_some());
                is_own
            });
            let (used, implementation) = if of.class.is_foreign() {
                (if is_whole { elements } else { UNKNOWN }, own_implementation(of))
            } else {
                (dump.count(of, 1).unwrap_or(UNKNOWN), of::CHAIN)
            };
            facts.arrays.push(Array {
                object: of.row,
                store: of.row,
                used,
                capacity: used,
                implementation,
            });
        }
        Role::Builder => facts.arrays.push(builder(dump, owners, of)),
        Role::Boxed => {
            if let Some(value) = boxed(dump, of) {
                facts.numbers.push(Number::new(of.row, value));
            }
        }
        Role::Date | Role::Instant => facts.dates.push(Date {
            object: of.row,
            value: moment(dump, of).unwrap_or(f64::NAN),
        }),
        _ => {}
    }
}

/// Notes of which type the numbers in the arrays of a container are.
fn note_numbers(dump: &Dump<'_>, of: Instance<'_>, of_numbers: &mut OfNumbers) {
    for slot in [0, 2] {
        if let Some(Row::Numbers { ty, .. }) = dump.slot(of, slot).map(|array| dump.row(array)) {
            of_numbers.insert((of.class.known, slot), ty);
        }
    }
}

/// The set that a map is within, or the map itself.
fn whole(owners: &Owners, map: u32) -> u32 {
    owners.of(map).unwrap_or(map)
}

fn hash_table(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, hash: Hash) -> Table {
    let other = match hash {
        Hash::Other(kind) => Some(kind),
        _ => None,
    };
    let object = if other.is_some() {
        of.row
    } else {
        whole(owners, of.row)
    };
    let store = dump.slot(of, 0).filter(|&store| dump.objects(store).is_some());
    let own = store.filter(|&store| owners.claim(store, of.row));
    let mut counted = 0;
    if let Some(store) = own {
        dump.each_node(store, |node| {
            let is_piece = owners.claim(node.row, store);
            // The root of a bin's tree is no entry.
            counted += u32::from(is_piece && node.class.slots[0].is_some());
            is_piece
        });
    }
    let noted = dump.count(of, 1);
    let used = match (noted, store) {
        (Some(used), _) => used,
        (None, Some(_)) if own.is_none() => UNKNOWN,
        (None, _) => counted,
    };
    let room = store
        .and_then(|store| dump.objects(store))
        .map_or(0, |(_, count)| count);
    Table {
        object,
        store: match (store, own) {
            (None, _) => of.row,
            (_, own) => own.unwrap_or(NONE),
        },
        used,
        // A table of the JDK grows when it is three quarters full.
        capacity: match other {
            Some(_) => entries_in(dump, of, room),
            None => room - room / 4,
        },
        set: other.map_or(object != of.row, |kind| kind == TableKind::Set),
        implementation: implementation(hash, of),
    }
}

const fn implementation(hash: Hash, of: Instance<'_>) -> Implementation {
    match hash {
        Hash::Plain => of::HASH,
        Hash::Linked => of::LINKED,
        Hash::Concurrent => of::CONCURRENT,
        Hash::Table => of::TABLE,
        Hash::Other(_) => own_implementation(of),
    }
}

/// The implementation that a class is of its own.
const fn own_implementation(of: Instance<'_>) -> Implementation {
    Implementation(of::CONTAINERS + of.class.known)
}

/// Entries by an object's own count; a container of another library that has none is as full as it has room.
fn counted(dump: &Dump<'_>, of: Instance<'_>, room: u32) -> u32 {
    match of.class.slots[1] {
        None if of.class.is_foreign() => room,
        _ => dump.count(of, 1).unwrap_or(UNKNOWN),
    }
}

/// Whether an array of references has none.
fn refers_to_nothing(dump: &Dump<'_>, row: u32) -> bool {
    let mut any = false;
    dump.each_target(row, |_| any = true);
    !any && !dump.is_of_numbers(row)
}

/// Entries that fit in a table of another library whose arrays have that number of slots.
fn entries_in(dump: &Dump<'_>, of: Instance<'_>, slots: u32) -> u32 {
    let growth = dump.classes.known.get(of.class.known).growth;
    growth.map_or(slots, |growth| growth.entries(slots))
}

/// A table with its keys and its values in an array each.
fn open_table(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, kind: TableKind) -> Table {
    let keys = dump.slot(of, 0).filter(|&keys| dump.room(keys).is_some());
    let room = keys.and_then(|keys| dump.room(keys)).unwrap_or(0);
    let own = keys.filter(|&keys| owners.claim(keys, of.row));
    if let Some(keys) = own {
        // The values are the store's, as the store is the table's.
        for array in dump.beside_keys(of) {
            owners.claim(array, keys);
        }
    }
    Table {
        object: of.row,
        store: match keys {
            None => of.row,
            Some(_) => own.unwrap_or(NONE),
        },
        used: counted(dump, of, room),
        capacity: entries_in(dump, of, room),
        set: kind == TableKind::Set,
        implementation: own_implementation(of),
    }
}

/// A sorted list of nodes with an index above it: both are its pieces, and its entries stand in it as in a tree.
fn skip_list(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, kind: TableKind) -> Table {
    dump.each_in_index(of, &mut |index| owners.claim(index.row, of.row));
    let first = dump.first_of_index(of);
    let mut used = 0;
    // Of another version's nodes nothing is known, nor of what comes behind one that somebody else holds.
    let mut is_whole = dump.slot(of, 0).is_none() || first.is_some_and(|row| dump.is(row, Role::Node));
    dump.each_in_chain(first, &mut |node| {
        let is_own = owners.claim(node.row, of.row);
        is_whole &= is_own;
        used += u32::from(dump.has_entry(node));
        is_own
    });
    let used = if is_whole { used } else { UNKNOWN };
    Table {
        object: of.row,
        store: of.row,
        used,
        capacity: used,
        set: kind == TableKind::Set,
        implementation: own_implementation(of),
    }
}

/// A list whose elements stand in arrays of arrays: all of these are its pieces.
fn nested(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>) -> Array {
    let (mut used, mut is_whole) = (0, true);
    dump.each_nested(of, &mut |piece| match piece {
        Piece::Array(array, within) => {
            let is_own = owners.claim(array, within);
            is_whole &= is_own;
            is_own
        }
        Piece::Element(_) => {
            used += 1;
            true
        }
    });
    // What it shares with another list is not its own.
    let used = if is_whole { used } else { UNKNOWN };
    Array {
        object: of.row,
        store: of.row,
        used,
        capacity: used,
        implementation: own_implementation(of),
    }
}

fn listed(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, list: List, facts: &mut Facts) {
    let object = of.row;
    let store = dump.store(of);
    let room = store.and_then(|store| dump.room(store)).unwrap_or(0);
    let own = store.filter(|&store| owners.claim(store, object));
    if let Some(lock) = dump.slot(of, 2).filter(|_| list == List::Copied) {
        owners.claim(lock, object);
    }
    let used = match list {
        List::Counted | List::Pairs | List::Keys => counted(dump, of, room),
        // Nobody counts what is in it: in a store without a reference there is nothing.
        List::Full if store.is_some_and(|store| refers_to_nothing(dump, store)) => 0,
        List::Full | List::Copied => room,
        List::Ring => match (dump.count(of, 1), dump.count(of, 2)) {
            (Some(head), Some(tail)) if tail >= head => tail - head,
            (Some(head), Some(tail)) => (tail + room).saturating_sub(head),
            _ => UNKNOWN,
        },
    };
    if matches!(list, List::Pairs | List::Keys) {
        let (capacity, implementation) = if of.class.is_foreign() {
            let slots = if list == List::Pairs { room / 2 } else { room };
            (entries_in(dump, of, slots), own_implementation(of))
        } else {
            (used, of::PAIRS)
        };
        facts.tables.push(Table {
            object,
            store: own.unwrap_or(NONE),
            used,
            capacity,
            set: list == List::Keys,
            implementation,
        });
        return;
    }
    facts.arrays.push(Array {
        object,
        store: own.unwrap_or(NONE),
        used,
        // One slot of a ring stays free.
        capacity: if list == List::Ring { room.max(1) - 1 } else { room },
        implementation: own_implementation(of),
    });
}

fn builder(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>) -> Array {
    let characters = dump.slot(of, 0);
    let own = characters.filter(|&array| owners.of(array) == Some(of.row));
    let width = match characters.map(|array| dump.row(array)) {
        Some(Row::Numbers { ty: 5, .. }) => 2,
        _ if coder(dump, of, 2) => 2,
        _ => 1,
    };
    let room = match characters.map(|array| dump.row(array)) {
        Some(Row::Numbers { ty: 5, count, .. }) => count.saturating_mul(2),
        Some(Row::Numbers { count, .. }) => count,
        _ => 0,
    };
    Array {
        object: of.row,
        store: own.unwrap_or(NONE),
        used: dump
            .count(of, 1)
            .map_or(UNKNOWN, |count| count.saturating_mul(width)),
        capacity: room,
        implementation: of::BUILDER,
    }
}

/// Whether a string has two bytes a character.
pub(super) fn coder(dump: &Dump<'_>, of: Instance<'_>, slot: usize) -> bool {
    of.class.slots[slot].is_some_and(|at| dump.bytes.get(of.at + at as usize) == Some(&1))
}

fn boxed(dump: &Dump<'_>, of: Instance<'_>) -> Option<Numeric> {
    let offset = of.class.slots[0]?;
    let field = of.class.fields.iter().find(|field| field.offset == offset)?;
    let bits = dump.number(field.ty, of.at + offset as usize);
    Some(match field.ty {
        6 => Numeric::of_float(f64::from(f32::from_bits(bits as u32))),
        7 => Numeric::of_float(f64::from_bits(bits)),
        8 => Numeric::Integer(i64::from((bits as u8).cast_signed())),
        9 => Numeric::Integer(i64::from((bits as u16).cast_signed())),
        10 => Numeric::Integer(i64::from((bits as u32).cast_signed())),
        11 => Numeric::Integer(bits.cast_signed()),
        OBJECT => return None,
        _ => Numeric::Unknown,
    })
}

/// Milliseconds since 1970.
fn moment(dump: &Dump<'_>, of: Instance<'_>) -> Option<f64> {
    let first = dump.number(11, of.at + of.class.slots[0]? as usize).cast_signed();
    if of.class.role == Role::Date {
        return Some(first as f64);
    }
    let nanoseconds = dump.count(of, 1)?;
    Some(first as f64 * 1e3 + f64::from(nanoseconds) / 1e6)
}
