//! Maps and sets: what they are made of, and how full they are.

use deadweight_heap::{Implementation, NONE, Table, TableKind, UNKNOWN};

use super::{Instance, Owners, counted, own_implementation};
use crate::jvm::decode::Dump;
use crate::jvm::known::{Hash, Role};
use crate::jvm::layout::of;

/// The slots of a map with its views.
const VIEWS: std::ops::Range<usize> = 2..5;

pub(super) fn is_map(dump: &Dump<'_>, row: u32) -> bool {
    dump.whole_class(row)
        .is_some_and(|class| matches!(class.role, Role::Hash(_) | Role::Tree))
}

/// A map has the views that it keeps of itself, where nobody else has them.
pub(super) fn claim_views(dump: &Dump<'_>, owners: &Owners, map: Instance<'_>) {
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

/// The set that a map is within, or the map itself.
pub(super) fn whole(owners: &Owners, map: u32) -> u32 {
    owners.of(map).unwrap_or(map)
}

pub(super) fn hash_table(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, hash: Hash) -> Table {
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

/// Entries that fit in a table of another library whose arrays have that number of slots.
pub(super) fn entries_in(dump: &Dump<'_>, of: Instance<'_>, slots: u32) -> u32 {
    let growth = dump.classes.known.get(of.class.known).growth;
    growth.map_or(slots, |growth| growth.entries(slots))
}

/// A table with its keys and its values in an array each.
pub(super) fn open_table(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, kind: TableKind) -> Table {
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
pub(super) fn skip_list(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, kind: TableKind) -> Table {
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
