//! # L02 · a hash table for fields
//!
//! ## What it is
//! Records that all have the same fields, and that each keep them in a hash table of their own.
//!
//! ## Why it costs
//! A table holds the name, the value and more for every field, and room for others; a record of a fixed shape holds
//! the values alone, and the names stand once for all of them. The table is often ten times the record.
//!
//! ## How it is found
//! Records in dictionary mode (their fields stand in a hash table), and hashes whose keys are all symbols, or several texts, and the same in 16 or more of
//! them, grouped by the holder that names them, at least sixteen. They look like records, not like maps, when all of them
//! together have at most twice as many names as one has. Records that stand one each at many holders, as the values of
//! objects that are used as maps do, are grouped by their type, that is, by the fields that all of them have. A lone table with
//! thousands of keys is a map doing a map's work, and so are tables whose keys differ; both are left alone. Where a runtime's
//! maps are no records, maps of two entries and more whose keys are all whole texts are taken in the same way, where four in
//! five fields of all of them are there. Where a key could be no name, or two differ in their numbers alone, the keys are data for all
//! that is seen, and the finding is an option.
//!
//! ## How the saving is computed
//! The tables go. Each record is laid out with as many fixed fields as it has now, and one shape for all is added. A map
//! goes with its table and the objects of its entries, and a record of all its holder's keys takes its place; values
//! stay, but for numbers where the type of a field can say that it is one: their objects go as well, and so do keys that nothing
//! but these maps holds.
//! A shape that these records alone use goes as well. Where the records are of a class to which any code may add fields, that
//! class is there already, and only what it takes more to name its fields is added.
//!
//! ## How to fix it
//! Make the records in one place with the same fields in the same order, and never take a field away.
//!
//! - JavaScript: `delete record.field` is the usual cause: assign `undefined`, or build a new object without it
//!   (`const {field, ...rest} = record` before anything is added). Objects made by `Object.create(null)` or filled key by
//!   key beyond the limit for fast fields become plain in a class. `Object.defineProperty` with a getter for each object
//!   gives each a table, too: one getter in the class serves all, and its closures, which are not counted, go as well.
//! - Ruby: a `Struct` or `Data` instead of a `Hash` with the same symbols as keys everywhere.
//! - Java: a `record` or a class in place of a `HashMap<String, Object>`, with `int`, `long` and `double` for numbers.
//!   JavaScript: an object literal in place of a `Map` whose keys are known.
//! - Python: a class with `__slots__ = ("id", "name")`, or `@dataclass(slots=True)` since 3.10, instead of a `dict` per row.
//!   A named tuple takes 8 to 16 bytes more. An ordinary class whose instances have 30 attributes or more keeps them in a
//!   table for each instance, too, and so does one whose instances get their attributes as keys of `__dict__`.
//!
//! ## When not to
//! When the keys are data (ids, words, paths), the table is right; a `Map` says so. Nor where hashes go on as they are to
//! code that asks for hashes: a `Struct` has `to_h`, but that makes them again. Nor for the instances of a library that fills
//! their fields as a table, as object-relational mappers in Python do.

use deadweight_heap::{
    EdgeKind, Heap, HolderId, Holders, Parts, Presence, Record, Representation, TextId, TypeId, UNKNOWN, Via,
};
use deadweight_weighing::NotMeasured;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

mod maps;

use super::l01_shapes::shape_index;
use crate::count::Count;
use crate::parts::{ClaimWhole, has_numbered_slots};
use crate::{Basis, Candidate, Code, Rule, Verdict};
use maps::maps;

/// Fewer records than this at a holder are no pattern.
const LEAST: usize = 16;

/// Of records of a class: libraries that map objects to a database, for one, fill their fields as a table.
const NOT_A_TABLE: &str =
    "no code fills the records' fields as a table, gives them other fields, or refers to them weakly";

/// The rule.
pub struct DictionaryRecords;

impl Rule for DictionaryRecords {
    fn code(&self) -> Code {
        Code("L02")
    }

    fn source(&self) -> &'static str {
        include_str!("l02_dictionaries.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if let Some(blind) = Verdict::of_blocks(heap) {
            return blind;
        }
        let groups = groups(heap);
        let mut verdict = Verdict::from(maps(heap));
        let mut unnamed = 0_usize;
        for (holder, records) in groups {
            match likeness(heap, &records) {
                Likeness::Records {
                    names,
                    numbers_hidden,
                } => {
                    let found = candidate(heap, holder, &records, &names, numbers_hidden);
                    verdict.candidates.push(found);
                }
                Likeness::Unnamed => unnamed += records.len(),
                Likeness::Maps => {}
            }
        }
        if unnamed > 0 {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "the dump does not name the fields of {} in dictionary mode",
                    Count(unnamed as u64).of("record", "records")
                ),
                heap.runtime.recapture.clone(),
            ));
        }
        verdict
    }
}

/// Records in dictionary mode that may be alike, with what names them: the holder that has several of them, else their type.
fn groups(heap: &Heap) -> Vec<(String, Vec<Record>)> {
    let holders = Holders::new(heap);
    let mut by_holder: FxHashMap<HolderId, Vec<Record>> = FxHashMap::default();
    for record in &heap.records {
        let is_record = record.dictionary > 0 && record.used > 0 && heap.record_type(record).is_some();
        if is_record {
            by_holder
                .entry(holders.of(record.object))
                .or_default()
                .push(*record);
        }
    }
    let (at_holders, scattered): (Vec<_>, Vec<_>) = by_holder
        .into_iter()
        .partition(|(_, records)| records.len() >= LEAST);
    let mut by_type: FxHashMap<TypeId, Vec<Record>> = FxHashMap::default();
    for record in scattered.into_iter().flat_map(|(_, records)| records) {
        let ty = heap.objects.label[record.object as usize];
        by_type.entry(ty).or_default().push(record);
    }
    let of_types = by_type.into_iter().filter(|(_, records)| records.len() >= LEAST);
    let at_holders = at_holders
        .into_iter()
        .map(|(holder, records)| (holders.name(holder), records));
    let of_types = of_types.map(|(ty, mut records)| {
        records.sort_unstable_by_key(|record| record.object);
        (heap.types.name(ty).to_owned(), records)
    });
    let mut groups: Vec<_> = at_holders.chain(of_types).collect();
    groups.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    groups
}

enum Likeness {
    Records {
        names: Vec<TextId>,
        numbers_hidden: bool,
    },
    /// The dump shows too few names to judge.
    Unnamed,
    Maps,
}

/// Counts so many records more that have these fields.
fn note(counts: &mut FxHashMap<TextId, u64>, fields: &FxHashSet<TextId>, records: u64) {
    for &name in fields {
        *counts.entry(name).or_default() += records;
    }
}

fn likeness(heap: &Heap, records: &[Record]) -> Likeness {
    let mut counts: FxHashMap<TextId, u64> = FxHashMap::default();
    let mut own: FxHashSet<TextId> = FxHashSet::default();
    // Records that are alike stand side by side: their names are looked at once, and how many records have them.
    let (mut last, mut alike): (&[Via], u64) = (&[], 0);
    let mut shown = 0_u64;
    let mut used = 0_u64;
    let (mut fewest, mut most) = (u32::MAX, 0);
    for record in records {
        let names = heap.edges.names(record.object);
        if names != last {
            note(&mut counts, &own, std::mem::take(&mut alike));
            own.clear();
            let fields = names.iter().filter(|name| name.kind() == EdgeKind::Field);
            own.extend(fields.map(|name| name.name()));
            last = names;
        }
        alike += 1;
        shown += own.len() as u64;
        let fields = fields_of(record, own.len());
        used += u64::from(fields);
        fewest = fewest.min(fields);
        most = most.max(fields);
    }
    note(&mut counts, &own, alike);
    let all = counts.len() as u64;
    if all * records.len() as u64 > 2 * shown {
        return Likeness::Maps;
    }
    let numbers_hidden = shown < used && heap.coverage.numbers != Presence::Present;
    if shown == 0 {
        return if numbers_hidden {
            Likeness::Unnamed
        } else {
            Likeness::Maps
        };
    }
    // When most names are hidden, the records are alike only if they at least have about as many.
    if 2 * shown < used && most > 2 * fewest {
        return if numbers_hidden {
            Likeness::Unnamed
        } else {
            Likeness::Maps
        };
    }
    let mut names: Vec<TextId> = counts.keys().copied().collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(counts[name]), *name));
    Likeness::Records {
        names,
        numbers_hidden,
    }
}

fn fields_of(record: &Record, shown: usize) -> u32 {
    if record.used == UNKNOWN {
        shown as u32
    } else {
        record.used
    }
}

/// The class of records that have one, where any code may give these other fields.
fn class_of(heap: &Heap, records: &[Record]) -> Option<TypeId> {
    let label = |record: &Record| heap.objects.label[record.object as usize];
    let first = label(records.first()?);
    let are_open =
        |record: &Record| heap.layout.takes_fields(record.implementation) && label(record) == first;
    records.iter().all(are_open).then_some(first)
}

fn candidate(
    heap: &Heap,
    holder: String,
    records: &[Record],
    names: &[TextId],
    numbers_hidden: bool,
) -> Candidate {
    let mut candidate = Candidate::at(holder);
    let mut parts = Parts::default();
    let mut users: FxHashMap<u32, u32> = FxHashMap::default();
    let (mut unknown, mut most) = (false, 0);
    for record in records {
        if has_numbered_slots(heap, record.object) {
            candidate.unaffected += 1;
            continue;
        }
        let shown = heap
            .edges
            .of(record.object)
            .filter(|edge| edge.field().is_some())
            .count();
        let fields = fields_of(record, shown);
        unknown |= record.used == UNKNOWN;
        most = most.max(fields);
        let after = heap.layout.record_of(Representation::Any, u64::from(fields));
        candidate.bytes_now += parts.lay_out(heap, &mut candidate, record.object, after);
        candidate.count += 1;
        if let Some(shape) = shape_index(heap, record) {
            *users.entry(shape).or_default() += 1;
        }
    }
    let mut gone: Vec<u32> = users
        .iter()
        .filter(|&(&shape, &users)| users >= heap.shapes[shape as usize].instances)
        .map(|(&shape, _)| shape)
        .collect();
    gone.sort_unstable();
    for index in gone {
        let shape = heap.shapes[index as usize].object;
        candidate.bytes_now += parts.claim_whole(heap, &mut candidate, shape);
    }
    let fields = u64::from(most);
    candidate.overhead = heap.layout.shape(fields);
    if let Some(class) = class_of(heap, records) {
        let described = heap.layout.shape_as(records[0].implementation, fields);
        candidate.overhead = candidate.overhead.saturating_sub(described);
        candidate.of = Some(class);
    }
    let slots: u64 = records.iter().map(|record| u64::from(record.dictionary)).sum();
    candidate.title = format!(
        "{} keep the same fields in hash tables",
        Count(candidate.count).of("record", "records")
    );
    // What is priced is a record of a fixed shape, which not every class has.
    let wanted = heap.layout.wording().fields;
    candidate.fix = if candidate.of.is_some() {
        candidate.basis = Some(Basis::Behaviour(NOT_A_TABLE));
        let by_name = "and set each by its name, not as a key of a table";
        match wanted {
            Some(said) => format!("say in {said} of the class which fields its records have, {by_name}"),
            None => format!("say in the class which fields its records have, {by_name}"),
        }
    } else {
        match wanted {
            Some(said) => format!("use a class that says its fields in {said}"),
            None => "use a class or struct that sets every field from the start and deletes none".into(),
        }
    };
    let shown: Vec<_> = names
        .iter()
        .take(8)
        .map(|&name| heap.texts.shown(name, 32))
        .collect();
    let examples: Vec<_> = records
        .iter()
        .take(3)
        .map(|record| {
            json!({
                "bytes": heap.whole_bytes(record.object),
                "fields": record.used,
                "slots": record.dictionary,
                "bytes_after": heap.layout.record_of(Representation::Any, u64::from(fields_of(record, 0))),
            })
        })
        .collect();
    let evidence = &mut candidate.evidence;
    evidence.insert("fields".into(), json!(shown));
    evidence.insert("fields_at_most".into(), json!(most));
    evidence.insert("slots_each".into(), json!(slots / records.len().max(1) as u64));
    evidence.insert("examples".into(), json!(examples));
    if unknown {
        candidate = candidate.assuming("records have only the fields that the dump names");
    } else if numbers_hidden {
        candidate =
            candidate.assuming("fields that hold numbers, which the dump does not name, are the same in all");
    }
    candidate
}

#[cfg(test)]
mod tests;
