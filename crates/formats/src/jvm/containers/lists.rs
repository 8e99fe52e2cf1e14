//! Lists, and builders of texts: what they are made of, and how full they are.

use deadweight_heap::{Array, NONE, Table, UNKNOWN};

use super::tables::entries_in;
use super::{Facts, Instance, Owners, Piece, coder, counted, own_implementation};
use crate::jvm::decode::{Dump, Row};
use crate::jvm::known::List;
use crate::jvm::layout::of;

/// Whether an array of references has none.
fn refers_to_nothing(dump: &Dump<'_>, row: u32) -> bool {
    let mut any = false;
    dump.each_target(row, |_| any = true);
    !any && !dump.is_of_numbers(row)
}

/// A list whose elements stand in arrays of arrays: all of these are its pieces.
pub(super) fn nested(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>) -> Array {
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

pub(super) fn listed(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>, list: List, facts: &mut Facts) {
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

pub(super) fn builder(dump: &Dump<'_>, owners: &Owners, of: Instance<'_>) -> Array {
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
