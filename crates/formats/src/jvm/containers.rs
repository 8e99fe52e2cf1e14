//! Containers of the library: which rows are pieces of which, and how full each is.

mod lists;
mod owners;
mod tables;
mod values;
mod walks;

use deadweight_heap::{Array, Date, Implementation, Kind, NONE, Number, Record, Table, UNKNOWN};
use rayon::prelude::*;

pub(super) use owners::Owners;
pub(super) use values::{OfNumbers, coder};
pub(super) use walks::{Instance, Piece};

use super::decode::Dump;
use super::known::Role;
use super::layout::of;
use super::sorts::Sort;
use lists::{builder, listed, nested};
use owners::{PIECE, each_piece};
use tables::{claim_views, hash_table, is_map, open_table, skip_list, whole};
use values::{boxed, moment, note_numbers};

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
