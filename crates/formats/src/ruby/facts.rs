//! Facts by kind: how full containers are, which values numbers have, which strings are windows on others.

use deadweight_heap::{
    Array, Date, Edges, Implementation, Layout as _, NONE, Number, Numeric, Record, StringForm, StringLength,
    StringRoom, Table, UNKNOWN, Width,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bytes::{self, beside_slot, open_capacity};
use super::cursor::of;
use super::edges::{Graph, Immediates};
use super::layout::RubyLayout;
use super::named::{self, Immediate, Seen};
use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;

/// Entries of a hash that is a plain list.
const LIST: u32 = 8;

/// Room of the smallest open table of a hash that was a list before.
const SMALLEST_OPEN: u64 = 16;

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) records: Vec<Record>,
    pub(super) arrays: Vec<Array>,
    pub(super) tables: Vec<Table>,
    pub(super) numbers: Vec<Number>,
    pub(super) dates: Vec<Date>,
    pub(super) lengths: Vec<StringLength>,
    pub(super) string_rooms: Vec<StringRoom>,
    /// The row in its table for each row, the form for a string.
    pub(super) fact: Vec<u32>,
    /// Hidden stores of arrays, hashes of sets, and classes of one object with their pieces, with what alone uses each.
    pub(super) stores: Vec<(u32, u32)>,
    /// Strings that show all of another's characters, with that other.
    pub(super) whole: Vec<(u32, u32)>,
    /// Bytes of strings whose characters nobody saw.
    pub(super) unseen: u64,
}

pub(super) fn collect(
    graph: &Graph<'_>,
    edges: &Edges,
    immediates: &Immediates,
    seen: &FxHashMap<u32, Seen>,
    sets: &FxHashMap<u32, u32>,
    layout: RubyLayout,
) -> Facts {
    let all = graph.all;
    let mut facts = Facts {
        fact: vec![NONE; all.len() + immediates.values.len()],
        ..Facts::default()
    };
    let texts: FxHashMap<u32, usize> = all
        .texts
        .iter()
        .enumerate()
        .filter(|&(_, &(row, _))| all.tag[row as usize] == Tag::Float)
        .map(|(at, &(row, _))| (row, at))
        .collect();
    let sharers = sharers(all, edges);
    facts.stores.extend(graph.own_classes.owned());
    let of_sets: FxHashSet<u32> = sets.values().copied().collect();
    for row in 0..all.len() {
        let object = row as u32;
        if let Some(&hash) = sets.get(&object) {
            facts.fact[row] = facts.tables.len() as u32;
            facts.stores.push((hash, object));
            facts.tables.push(Table {
                object,
                set: true,
                ..table(all, hash as usize, layout)
            });
            continue;
        }
        match all.tag[row] {
            Tag::Hash if of_sets.contains(&object) => {}
            Tag::Object | Tag::Struct => {
                facts.fact[row] = facts.records.len() as u32;
                facts.records.push(record(graph, row, layout));
            }
            Tag::Array => {
                facts.fact[row] = facts.arrays.len() as u32;
                let array = array(all, row, edges, &sharers);
                if array.store != NONE && array.store != object {
                    facts.stores.push((array.store, object));
                }
                facts.arrays.push(array);
            }
            Tag::Hash => {
                let table = table(all, row, layout);
                if let Some(record) = graph.named.of_hash(all, row) {
                    facts.fact[row] = facts.records.len() as u32;
                    facts.records.push(hash_record(&table, &record));
                } else {
                    facts.fact[row] = facts.tables.len() as u32;
                    facts.tables.push(table);
                }
            }
            Tag::Float => {
                facts.fact[row] = facts.numbers.len() as u32;
                let text = texts.get(&object).map(|&at| of(graph.bytes, all.texts[at].1));
                let value = text.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
                let value = value.map_or(Numeric::Unknown, Numeric::of_float);
                facts.numbers.push(Number::new(object, value));
            }
            Tag::Bignum | Tag::Rational | Tag::Complex => {
                facts.fact[row] = facts.numbers.len() as u32;
                facts.numbers.push(Number::new(object, Numeric::Unknown));
            }
            Tag::Time => {
                facts.fact[row] = facts.dates.len() as u32;
                facts.dates.push(Date {
                    object,
                    value: f64::NAN,
                });
            }
            Tag::String => {
                string(&mut facts, all, row, edges, seen.get(&object));
                facts.string_rooms.extend(string_room(all, row, layout));
            }
            _ => {}
        }
    }
    for (at, &(_, value)) in immediates.values.iter().enumerate() {
        if let Immediate::Number(value) = value {
            let row = all.len() + at;
            facts.fact[row] = facts.numbers.len() as u32;
            facts.numbers.push(Number::new(row as u32, value));
        }
    }
    facts
}

/// How many rows use each hidden store of an array; two stands for all more.
fn sharers(all: &Piece, edges: &Edges) -> FxHashMap<u32, u8> {
    let mut sharers: FxHashMap<u32, u8> = FxHashMap::default();
    let shared = |row: &usize| all.tag[*row] == Tag::Array && all.bits[*row].has(Bits::SHARED);
    for row in (0..all.len()).filter(shared) {
        for edge in edges.of(row as u32) {
            let count = sharers.entry(edge.to).or_default();
            *count = count.saturating_add(1).min(2);
        }
    }
    sharers
}

fn record(graph: &Graph<'_>, row: usize, layout: RubyLayout) -> Record {
    let all = graph.all;
    let count = all.count[row];
    let used = match graph.named.of(row) {
        Some(record) => record.values.len() as u32,
        // Before slots of several sizes the dump says how much room there is, not how much of it is used.
        None if layout.pools && all.tag[row] == Tag::Object => count,
        None => UNKNOWN,
    };
    let beside = beside_slot(all, row);
    // What is free in a slot cannot be given back.
    let available = if beside > 0 {
        (beside / 8).min(u64::from(u32::MAX - 1)) as u32
    } else {
        used
    };
    let complex = all.bits[row].has(Bits::COMPLEX);
    Record {
        object: row as u32,
        shape: NONE,
        used,
        available: if complex { UNKNOWN } else { available },
        dictionary: if complex {
            (beside / 24).min(u64::from(u32::MAX - 1)) as u32
        } else {
            0
        },
        implementation: Implementation::USUAL,
    }
}

/// A hash that is used as a record, with the keys as its fields.
fn hash_record(table: &Table, record: &named::Record<'_>) -> Record {
    Record {
        object: table.object,
        shape: NONE,
        used: record.values.len() as u32,
        available: UNKNOWN,
        dictionary: match table.capacity {
            0 | UNKNOWN => LIST,
            capacity => capacity,
        },
        implementation: Implementation::USUAL,
    }
}

fn array(all: &Piece, row: usize, edges: &Edges, sharers: &FxHashMap<u32, u8>) -> Array {
    let object = row as u32;
    // An empty one does not say its length.
    let used = if all.count[row] == u32::MAX {
        0
    } else {
        all.count[row]
    };
    if all.bits[row].has(Bits::SHARED) {
        let store = edges.of(object).next().map(|edge| edge.to);
        let own = store.filter(|&store| {
            let hidden = !all.bits[store as usize].has(Bits::CLASSED);
            hidden && all.tag[store as usize] == Tag::Array && sharers.get(&store) == Some(&1)
        });
        return Array {
            object,
            store: own.unwrap_or(NONE),
            used,
            capacity: own.map_or(UNKNOWN, |store| {
                room(all, store as usize).unwrap_or(all.count[store as usize])
            }),
            implementation: Implementation::USUAL,
        };
    }
    Array {
        object,
        store: object,
        used,
        capacity: room(all, row).unwrap_or(used),
        implementation: Implementation::USUAL,
    }
}

/// Slots of an array's block; `None` when it stands in its slot.
fn room(all: &Piece, row: usize) -> Option<u32> {
    let beside = beside_slot(all, row);
    (beside > 0).then(|| (beside / 8).min(u64::from(u32::MAX - 1)) as u32)
}

fn table(all: &Piece, row: usize, layout: RubyLayout) -> Table {
    let object = row as u32;
    let beside = beside_slot(all, row);
    let used = if all.count[row] == u32::MAX {
        0
    } else {
        all.count[row]
    };
    let capacity = match open_capacity(beside, layout) {
        // Only hashes that compare by identity begin as open tables: they never are lists, and there is no smaller one.
        Some(capacity) if capacity < SMALLEST_OPEN => used,
        Some(capacity) => capacity.min(u64::from(u32::MAX - 1)) as u32,
        None if beside == 0 && !layout.pools => 0,
        None if beside == 0 || (beside == 128 && !layout.pools) => LIST,
        None => UNKNOWN,
    };
    Table {
        object,
        store: object,
        used,
        capacity,
        set: false,
        implementation: Implementation::USUAL,
    }
}

fn string(facts: &mut Facts, all: &Piece, row: usize, edges: &Edges, seen: Option<&Seen>) {
    let object = row as u32;
    let bits = all.bits[row];
    if bits.has(Bits::TEXT) {
        facts.fact[row] = StringForm::Flat as u32;
        return;
    }
    let Some(seen) = seen else {
        facts.unseen += all.memsize[row];
        return;
    };
    if !bits.has(Bits::SHARED) {
        facts.fact[row] = StringForm::Flat as u32;
        return;
    }
    let root = edges.of(object).next().map(|edge| edge.to);
    let Some(root) = root.filter(|&root| all.tag.get(root as usize) == Some(&Tag::String)) else {
        return;
    };
    let of_root = all.count[root as usize];
    if of_root != u32::MAX && seen.bytes >= u64::from(of_root) {
        // All of it: two objects for one text.
        facts.fact[row] = StringForm::Flat as u32;
        facts.whole.push((object, root));
    } else {
        facts.fact[row] = StringForm::Slice as u32;
        facts.lengths.push(StringLength {
            object,
            units: seen.bytes.min(u64::from(u32::MAX - 1)) as u32,
            width: Width::One,
        });
    }
}

/// A string of the program's own with characters beside its slot, and room for more of them than a new one has.
fn string_room(all: &Piece, row: usize, layout: RubyLayout) -> Option<StringRoom> {
    let (bits, used) = (all.bits[row], all.count[row]);
    let beside = beside_slot(all, row);
    // A string that shares its characters leaves their room to the one it shares them with, which no program sees.
    if beside == 0 || used == u32::MAX || bits.has(Bits::SHARED) || !bits.has(Bits::CLASSED) {
        return None;
    }
    let object_bytes = bytes::slot(all, row);
    let needed = layout.cut_string(object_bytes, u64::from(used), Width::One);
    (needed < bytes::of(all, row, layout)).then(|| StringRoom {
        object: row as u32,
        object_bytes: object_bytes as u32,
        used,
        // A zero byte is behind them.
        capacity: (beside - 1).min(u64::from(u32::MAX - 1)) as u32,
        width: Width::One,
    })
}
