//! # L06 · many equal records that would be columns
//!
//! ## What it is
//! Thousands of records with the same fields: a table, kept row by row.
//!
//! ## Why it costs
//! Each record has a header and a full slot for a truth value, each date and fraction an object of its own. A column
//! keeps a field of all records in one array, with as many bytes as its values need.
//!
//! ## How it is found
//! Types with at least 1,000 records that all have the same fields, those left out that extend a class of the runtime's
//! own library. It is an *option*: the records are not waste, and
//! the program must be written around columns. Its saving is what it would free after all findings are mended, and
//! counts in no sum.
//!
//! ## How the saving is computed
//! The records go, with their stores, the shapes they alone use, the boxes and dates in their fields, and the copies of
//! text in columns of up to 65,536 different values. When one list holds all of them, it goes too: the number of a row
//! takes the place of the reference. Other references to the records stay as they are, slots that hold a number then.
//! Added is for each column and record:
//!
//! - truth values: 1 byte; a field with one value everywhere: nothing;
//! - whole numbers: 1, 2 or 4 bytes, as the range from the smallest to the largest needs; other numbers and moments: 8;
//! - where some values are nothing, a value that never comes stands for it, which makes the range larger by one; 8 bytes
//!   have room for it (a number that is none);
//! - text of few different values: a code of 1 or 2 bytes; each value stays once, in a list;
//! - all else (text of many values, nested objects, mixtures): a slot, and the object stays.
//!
//! The columns are taken to be complete: cut to their length, and without the table that finds the code of a text, which
//! only adding rows needs. One that still grows has up to twice the room, and each such table costs as much as a map of
//! its values. Numbers that the dump does not show count as 8 bytes. Columns of numbers, truth values and codes are
//! memory outside the heap: the evidence has both sides, `held_saved` and `external_added`.
//!
//! ## How to fix it
//! One array per field, an index instead of a reference, and a small object that shows a row where one is needed.
//!
//! - JavaScript: typed arrays, and a `Map` from text to code. Python: `array`, `numpy`. Java, C++, Rust: a struct of
//!   arrays.
//!
//! ## When not to
//! When rows come and go one by one, or are passed to code that wants objects: each row is then made again each time.

use deadweight_heap::{Edge, EdgeKind, Heap, Kind, ObjectId, Presence, Record, TextId, TypeId, UNKNOWN};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use super::l01_shapes::ShapeOwners;
use crate::candidate::sum;
use crate::count::Count;
use crate::elsewhere::{Rows, held_elsewhere};
use crate::equal_texts::{EqualTexts, TextsAt};
use crate::fields::{Population, Tally, in_pieces, is_nothing, is_plain_text, is_truth, tally_of, type_of};
use crate::parts::{Parts, claim_each, has_numbered_slots};
use crate::{Candidate, Code, Rule, Verdict};

/// Fewer records are not worth a program's change.
const LEAST: u32 = 1000;
/// More different texts than this do not fit a code of two bytes.
const CODES: usize = 1 << 16;

/// The rule.
pub struct Columns;

impl Rule for Columns {
    fn code(&self) -> Code {
        Code("L06")
    }

    fn source(&self) -> &'static str {
        include_str!("l06_columns.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        // No rule after this one asks which texts are equal.
        let texts = EqualTexts::last(heap);
        as_columns(heap, texts).into()
    }
}

/// Each type that could be a table.
fn as_columns(heap: &Heap, texts: EqualTexts) -> Vec<Candidate> {
    let population = Population::of(heap);
    let alike = Alike::of(heap, &population);
    if alike.0.is_empty() {
        return Vec::new();
    }
    let wanted = |ty| alike.0.contains_key(&ty);
    let many = texts.fields_of_many(heap, CODES);
    let new = |ty, name| Column {
        many: many.contains(&(ty, name)),
        ..Column::default()
    };
    let fields = tally_of(heap, wanted, new, |column, _, edge| column.see(heap, edge));
    let hidden = heap.coverage.numbers != Presence::Present;
    let mut tables: FxHashMap<TypeId, Table> = FxHashMap::default();
    for ((ty, name), column) in fields {
        let Some(&used) = alike.0.get(&ty) else { continue };
        let table = tables
            .entry(ty)
            .or_insert_with(|| Table::new(population.count(ty), used));
        table.regular &= hidden || column.seen == table.records;
        table.boxed |= column.numbers + column.dates > 0;
        table.columns.insert(name, Plan::of(&column, table.records));
    }
    tables.retain(|_, table| table.regular && table.columns.len() <= table.fields as usize);
    if tables.is_empty() {
        return Vec::new();
    }
    let mut candidates = Claims::of(heap, &mut tables, texts);
    candidates.sort_by(|a, b| a.holder.cmp(&b.holder));
    candidates
}

/// Types whose records all have as many fixed fields, with their number.
struct Alike(FxHashMap<TypeId, u32>);

impl Alike {
    fn of(heap: &Heap, population: &Population) -> Self {
        let note = |found: &mut FxHashMap<TypeId, Option<u32>>, ty: TypeId, used: Option<u32>| {
            let known = found.entry(ty).or_insert(used);
            if *known != used {
                *known = None;
            }
        };
        let pieces = in_pieces(&heap.records, |records| {
            let mut found = FxHashMap::default();
            for record in records {
                // What extends a class of the runtime's library has to stay an object.
                let could_be_columns =
                    |&ty: &TypeId| population.count(ty) >= LEAST && heap.types.of_library(ty).is_none();
                let ty = type_of(heap, record).filter(could_be_columns);
                if let Some(ty) = ty {
                    let used = (record.used != UNKNOWN && record.used > 0).then_some(record.used);
                    note(&mut found, ty, used);
                }
            }
            found
        });
        let mut found = FxHashMap::default();
        for (ty, used) in pieces.into_iter().flatten() {
            note(&mut found, ty, used);
        }
        Self(
            found
                .into_iter()
                .filter_map(|(ty, used)| Some((ty, used?)))
                .collect(),
        )
    }
}

/// What the fields of one name hold.
#[derive(Debug)]
struct Column {
    seen: u32,
    numbers: u32,
    dates: u32,
    /// All numbers are known and whole.
    whole: bool,
    least: f64,
    most: f64,
    truths: u32,
    nothing: u32,
    texts: u32,
    /// Different texts; empty when there are too many.
    values: FxHashSet<TextId>,
    many: bool,
    others: u32,
}

impl Default for Column {
    fn default() -> Self {
        Self {
            seen: 0,
            numbers: 0,
            dates: 0,
            whole: true,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            truths: 0,
            nothing: 0,
            texts: 0,
            values: FxHashSet::default(),
            many: false,
            others: 0,
        }
    }
}

impl Column {
    fn see(&mut self, heap: &Heap, edge: Edge) {
        let id = edge.to;
        self.seen += 1;
        if is_plain_text(heap, id) {
            self.texts += 1;
            if !self.many {
                self.values.insert(heap.objects.label[id as usize]);
                self.cut();
            }
        } else if let Some(number) = heap.number(id) {
            self.numbers += 1;
            self.value(number.value);
        } else if let Some(date) = heap.date(id) {
            self.dates += 1;
            self.value(date.value);
        } else if is_nothing(heap, id) {
            self.nothing += 1;
        } else if is_truth(heap, id) {
            self.truths += 1;
        } else {
            self.others += 1;
        }
    }

    fn value(&mut self, value: f64) {
        self.whole &= value.is_finite() && value.fract() == 0.0;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn cut(&mut self) {
        if self.values.len() > CODES {
            self.many = true;
            self.values = FxHashSet::default();
        }
    }
}

impl Tally for Column {
    fn merge(&mut self, other: Self) {
        self.seen += other.seen;
        self.numbers += other.numbers;
        self.dates += other.dates;
        self.whole &= other.whole;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.truths += other.truths;
        self.nothing += other.nothing;
        self.texts += other.texts;
        self.others += other.others;
        self.many |= other.many;
        if self.many {
            self.values = FxHashSet::default();
        } else {
            self.values.extend(other.values);
            self.cut();
        }
    }
}

/// How a column would be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// A slot each, and what it refers to stays.
    References,
    /// Numbers, with their boxes and dates gone: bytes each.
    Numbers(u64),
    /// Codes of bytes each, for so many different texts.
    Codes(u64, u64),
}

impl Plan {
    fn of(column: &Column, records: u32) -> Self {
        let unseen = records.saturating_sub(column.seen);
        let numbers = column.numbers + column.dates + unseen;
        let sorts = [numbers, column.texts, column.truths];
        let mixed = sorts.iter().filter(|&&count| count > 0).count() > 1;
        if mixed || column.others > 0 || column.many {
            return Self::References;
        }
        let has_nothing = column.nothing > 0;
        if numbers > 0 {
            let known = column.whole && unseen == 0;
            if known && !has_nothing && column.least >= column.most {
                return Self::Numbers(0);
            }
            // A value that never comes stands for nothing.
            let range = column.most - column.least + f64::from(u8::from(has_nothing));
            return Self::Numbers(if known { width(range) } else { 8 });
        }
        if column.texts > 0 {
            let values = column.values.len() as u64;
            return Self::Codes(code_width(values + u64::from(has_nothing)), values);
        }
        Self::Numbers(u64::from(column.truths > 0))
    }

    fn name(self) -> &'static str {
        match self {
            Self::References => "references",
            Self::Numbers(0) => "one value",
            Self::Numbers(1) => "bytes",
            Self::Numbers(_) => "numbers",
            Self::Codes(..) => "codes",
        }
    }

    /// Bytes each outside the heap.
    fn external(self) -> u64 {
        match self {
            Self::References => 0,
            Self::Numbers(bytes) | Self::Codes(bytes, _) => bytes,
        }
    }
}

fn width(range: f64) -> u64 {
    match range {
        range if range < 256.0 => 1,
        range if range < 65_536.0 => 2,
        range if range < 4_294_967_296.0 => 4,
        _ => 8,
    }
}

fn code_width(values: u64) -> u64 {
    match values {
        0..=1 => 0,
        2..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    }
}

/// One type as a table.
struct Table {
    records: u32,
    fields: u32,
    regular: bool,
    /// Whether some column holds numbers or dates.
    boxed: bool,
    columns: FxHashMap<TextId, Plan>,
}

impl Table {
    fn new(records: u32, fields: u32) -> Self {
        Self {
            records,
            fields,
            regular: true,
            boxed: false,
            columns: FxHashMap::default(),
        }
    }
}

/// What the rows of one table own, beside themselves.
struct Claims {
    candidate: Candidate,
    numbered_slots: bool,
    /// The list that names the records seen so far, or what is known of several.
    list: List,
}

/// The lists that name the records of a table.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum List {
    #[default]
    Unseen,
    One(ObjectId),
    Several,
}

impl List {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, seen) | (seen, Self::Unseen) => seen,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }

    /// The list whose slot names a record.
    fn naming(heap: &Heap, record: ObjectId) -> Self {
        let slot = heap
            .referrers
            .of(record)
            .filter(|(_, via)| via.kind() == EdgeKind::Element);
        let list = slot.map(|(from, _)| heap.owner(from));
        list.filter(|&list| heap.kind(list) == Kind::Array && heap.in_program(list))
            .map_or(Self::Several, Self::One)
    }

    /// The one list of all `records`, when it holds nothing else.
    fn of_all(self, heap: &Heap, records: u64) -> Option<ObjectId> {
        let Self::One(list) = self else { return None };
        let used = heap.array(list)?.used;
        (u64::from(used) == records).then_some(list)
    }
}

impl Claims {
    fn of(heap: &Heap, tables: &mut FxHashMap<TypeId, Table>, texts: EqualTexts) -> Vec<Candidate> {
        let mut parts = Parts::default();
        let new = |ty: TypeId| Self {
            candidate: Candidate::at(heap.types.name(ty)),
            numbered_slots: false,
            list: List::Unseen,
        };
        let pieces = in_pieces(&heap.records, |records| {
            let mut parts = Parts::default();
            let mut of_piece: FxHashMap<TypeId, Self> = FxHashMap::default();
            for record in records {
                let Some((ty, table)) = type_of(heap, record).and_then(|ty| Some((ty, tables.get(&ty)?)))
                else {
                    continue;
                };
                let claim = of_piece.entry(ty).or_insert_with(|| new(ty));
                if claim.numbered_slots || has_numbered_slots(heap, record.object) {
                    claim.numbered_slots = true;
                } else {
                    claim.row(heap, table, record, &mut parts);
                }
            }
            of_piece
        });
        let mut claims: FxHashMap<TypeId, Self> = FxHashMap::default();
        for (ty, found) in pieces.into_iter().flatten() {
            claims.entry(ty).or_insert_with(|| new(ty)).absorb(found);
        }
        claims.retain(|_, claim| !claim.numbered_slots);
        tables.retain(|ty, _| claims.contains_key(ty));
        let mut texts = texts_of(heap, texts, tables);
        let columns = texts.par_iter().flat_map(|(_, columns)| columns.par_iter());
        let rows = columns.flat_map(|column| column.rows.par_iter().with_min_len(4096).copied());
        let elsewhere = held_elsewhere(heap, rows);
        let mut shapes: FxHashMap<TypeId, Vec<ObjectId>> = FxHashMap::default();
        let owners = ShapeOwners::of(heap);
        for (index, shape) in heap.shapes.iter().enumerate() {
            if let Some(ty) = owners.owner(index, shape).filter(|ty| claims.contains_key(ty)) {
                shapes.entry(ty).or_default().push(shape.object);
            }
        }
        claims
            .into_iter()
            .map(|(ty, mut claim)| {
                let shapes = shapes.get(&ty).map_or(&[][..], Vec::as_slice);
                claim_each(heap, &mut claim.candidate, shapes, |&shape| Some(shape));
                if let Some(list) = claim.list.of_all(heap, u64::from(tables[&ty].records)) {
                    claim.candidate.bytes_now += parts.claim_whole(heap, &mut claim.candidate, list);
                }
                claim.texts(heap, texts.remove(&ty).unwrap_or_default(), &elsewhere);
                claim.finish(heap, &tables[&ty])
            })
            .collect()
    }

    fn row(&mut self, heap: &Heap, table: &Table, record: &Record, parts: &mut Parts) {
        let candidate = &mut self.candidate;
        candidate.bytes_now += parts.claim_whole(heap, candidate, record.object);
        if self.list != List::Several {
            self.list = self.list.and(List::naming(heap, record.object));
        }
        if !table.boxed {
            return;
        }
        for edge in heap.edges.of(record.object) {
            let plan = edge.field().and_then(|name| table.columns.get(&name));
            let in_numbers = matches!(plan, Some(Plan::Numbers(_)));
            let id = edge.to;
            if !in_numbers || !matches!(heap.kind(id), Kind::Number | Kind::Date) || !heap.in_program(id) {
                continue;
            }
            // What several rows refer to is booked at the one that names it.
            if heap.referrers.of(id) == Some((record.object, edge.via)) {
                let candidate = &mut self.candidate;
                candidate.bytes_now += parts.claim_whole(heap, candidate, id);
            }
        }
    }

    fn absorb(&mut self, more: Self) {
        self.numbered_slots |= more.numbered_slots;
        self.list = self.list.and(more.list);
        self.candidate.absorb(more.candidate);
    }

    /// Claims the copies of texts. What is known of a column is let go as soon as its copies are claimed.
    fn texts(&mut self, heap: &Heap, columns: Vec<TextsAt>, elsewhere: &Rows) {
        let copies_of = |column: &TextsAt| column.rows.len() - column.values;
        let claims = columns.iter().map(copies_of).sum();
        self.candidate.claims.reserve_exact(claims);
        self.candidate
            .kept
            .reserve_exact(self.candidate.claims.len() + claims);
        for column in columns {
            let rows = column.rows.par_chunks(PIECE).zip(column.firsts.par_chunks(PIECE));
            let found: Vec<Candidate> = rows
                .enumerate()
                .map(|(piece, rows)| copies(heap, &column.rows, piece * PIECE, rows, elsewhere))
                .collect();
            for found in found {
                self.candidate.absorb(found);
            }
        }
    }

    fn finish(self, heap: &Heap, table: &Table) -> Candidate {
        let mut candidate = self.candidate;
        let records = u64::from(table.records);
        let held_claimed: u64 = sum(&candidate.claims);
        let hidden = u64::from(table.fields) - table.columns.len() as u64;
        let mut columns: Vec<_> = table.columns.iter().map(|(&name, &plan)| (name, plan)).collect();
        columns.sort_unstable_by_key(|(name, _)| *name);
        let mut external = 8 * hidden * records;
        let mut held = 0;
        for &(_, plan) in &columns {
            external += plan.external() * records;
            held += match plan {
                Plan::References => heap.layout.array(records),
                Plan::Numbers(0) | Plan::Codes(0, _) => 0,
                Plan::Numbers(_) => heap.layout.view(),
                Plan::Codes(_, values) => heap.layout.view() + heap.layout.array(values),
            };
        }
        held += hidden * heap.layout.view();
        candidate.option = true;
        candidate.count = records;
        candidate.added = held + external;
        candidate.title = format!(
            "{} with the same {}",
            Count(records).of("record", "records"),
            Count(table.fields.into()).of("field", "fields")
        );
        candidate.fix = "keep each field of all records in one array, and read rows by index".into();
        let shown: Vec<_> = columns
            .iter()
            .map(|&(name, plan)| {
                let bytes = if plan == Plan::References {
                    heap.layout.slot()
                } else {
                    plan.external()
                };
                json!({"field": heap.texts.shown(name, 48), "as": plan.name(), "bytes_each": bytes})
            })
            .collect();
        let evidence = &mut candidate.evidence;
        evidence.insert(
            "held_saved".into(),
            json!(held_claimed.cast_signed() - held.cast_signed()),
        );
        evidence.insert("external_added".into(), json!(external));
        evidence.insert("bytes_each".into(), json!(held_claimed / records.max(1)));
        evidence.insert(
            "bytes_each_after".into(),
            json!((held + external) / records.max(1)),
        );
        evidence.insert("columns".into(), json!(shown));
        evidence.insert("fields_not_shown".into(), json!(hidden));
        let hidden_note = if hidden > 0 {
            "; fields the dump does not show are numbers"
        } else {
            ""
        };
        candidate.assuming(format!(
            "no other part of the program needs each row as an object of its own{hidden_note}"
        ))
    }
}

/// The texts that codes would replace, by table, and of each table column by column in the order of names.
fn texts_of(
    heap: &Heap,
    mut texts: EqualTexts,
    tables: &FxHashMap<TypeId, Table>,
) -> FxHashMap<TypeId, Vec<TextsAt>> {
    let of_table = |(&ty, table): (&TypeId, &Table)| {
        let plans = table.columns.iter();
        let coded = plans.filter(|(_, plan)| matches!(plan, Plan::Codes(..)));
        let mut names: Vec<TextId> = coded.map(|(&name, _)| name).collect();
        names.sort_unstable();
        let names = names.into_iter();
        let texts = names.filter_map(|name| texts.take_field(heap, ty, name));
        (ty, texts.collect())
    };
    tables.iter().map(of_table).collect()
}

/// Strings that one thread takes at a time.
const PIECE: usize = 1 << 16;

/// The copies of texts among some strings of a column, from the place `start` on: all but the first of each text, without
/// those that something else holds as well.
fn copies(
    heap: &Heap,
    column: &[ObjectId],
    start: usize,
    (rows, firsts): (&[ObjectId], &[u32]),
    elsewhere: &Rows,
) -> Candidate {
    let mut found = Candidate::at("");
    for (place, (&id, &first)) in (start..).zip(rows.iter().zip(firsts)) {
        if place != first as usize && !elsewhere.has(id) {
            found.bytes_now += found.claim_copy(heap, column[first as usize], id);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{EdgeKind, HeapBuilder};

    use super::*;

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        Columns.look(&heap.build()).candidates
    }

    #[test]
    fn records_become_columns() {
        let mut heap = HeapBuilder::new();
        let words = [
            heap.object(Kind::Runtime, "true", 0),
            heap.object(Kind::Runtime, "false", 0),
        ];
        for i in 0..1000_u32 {
            let city = heap.string(["Bern", "Rome"][i as usize % 2]);
            let unique = heap.object(Kind::Record, "Nested", 32);
            let ms = heap.number(1.7e12 + f64::from(i));
            let ratio = heap.number(f64::from(i) / 7.0);
            let date = heap.date(1.7e12 + 1e9 * f64::from(i));
            let fields = [
                ("city", city),
                ("nested", unique),
                ("ms", ms),
                ("ratio", ratio),
                ("ok", words[i as usize % 2]),
                ("date", date),
            ];
            heap.record("M", &fields);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        let found = &found[0];
        assert!(found.option);
        assert_eq!(found.holder, "M");
        let records = 1000 * (64 + 16 + 16 + 96);
        let shape = 72 + 24 * 6;
        let strings = 998 * 24;
        let held = (48 + 8 * 1000) + 5 * 96 + (48 + 16);
        let external = 1000 * (1 + 2 + 8 + 1 + 8);
        assert_eq!(found.net(), records + shape + strings - held - external);
        assert_eq!(found.evidence["external_added"], external);
        assert_eq!(found.evidence["held_saved"], records + shape + strings - held);
    }

    #[test]
    fn text_of_many_values_stays() {
        let mut heap = HeapBuilder::new();
        for i in 0..70_000 {
            let own = heap.string(&format!("{i}"));
            heap.record("M", &[("id", own)]);
        }
        let found = look(heap);
        assert_eq!(found[0].evidence["columns"][0]["as"], "references");
        assert_eq!(found[0].net(), 70_000 * (24 - 8) - 48 + 96);
    }

    #[test]
    fn what_extends_the_runtimes_library_stays_an_object() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for _ in 0..1000 {
            heap.record("Own", &[("a", null)]);
            heap.record("Job", &[("events", null), ("a", null)]);
        }
        heap.library("Job", false, &["events"]);
        let holders: Vec<String> = look(heap).into_iter().map(|found| found.holder).collect();
        assert_eq!(holders, ["Own"]);
    }

    #[test]
    fn few_records_and_unequal_ones_are_silent() {
        let mut heap = HeapBuilder::new();
        let null = heap.object(Kind::Runtime, "null", 0);
        for i in 0..2000 {
            if i < 999 {
                heap.record("Few", &[("a", null)]);
            }
            let name = if i % 2 == 0 { "a" } else { "b" };
            heap.record("Mixed", &[(name, null)]);
            let fields = [("a", null), ("b", null)];
            heap.record("Optional", &fields[..=i % 2]);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn hidden_numbers_are_columns_of_eight_bytes() {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| coverage.numbers = Presence::Absent);
        let null = heap.object(Kind::Runtime, "null", 0);
        for _ in 0..1000 {
            let id = heap.record("M", &[("a", null)]);
            heap.used(id, 3);
        }
        let found = look(heap);
        assert_eq!(found[0].evidence["external_added"], 2 * 8 * 1000);
        assert_eq!(found[0].evidence["fields_not_shown"], 2);
    }

    #[test]
    fn text_held_elsewhere_and_numbered_slots_are_left() {
        let mut heap = HeapBuilder::new();
        for _ in 0..1000 {
            let text = heap.string("same");
            heap.record("M", &[("a", text)]);
            heap.record("Other", &[("b", text)]);
        }
        for _ in 0..1000 {
            let text = heap.string("same");
            let id = heap.record("Numbered", &[("a", text)]);
            heap.edge(id, EdgeKind::Element, 0, text);
        }
        let found = look(heap);
        let names: Vec<_> = found.iter().map(|c| c.holder.as_str()).collect();
        assert_eq!(names, ["M", "Other"]);
        assert_eq!(found[0].claims.len(), 1000 + 1);
    }

    fn rows(lists: usize, more: Option<&str>) -> i64 {
        let mut heap = HeapBuilder::new();
        let nothing = heap.object(Kind::Runtime, "null", 0);
        let mut records = Vec::new();
        for i in 0..1000_u32 {
            let value = if i % 2 == 0 {
                heap.number(f64::from(i % 255))
            } else {
                nothing
            };
            records.push(heap.record("M", &[("value", value)]));
        }
        for rows in records.chunks(records.len() / lists) {
            let mut rows = rows.to_vec();
            rows.extend(more.map(|text| heap.string(text)));
            let list = heap.array(2000, &rows);
            heap.variable("list", list);
        }
        look(heap)[0].net()
    }

    #[test]
    fn the_one_list_of_all_goes_with_its_records() {
        let several = rows(2, None);
        assert_eq!(rows(1, None) - several, 48 + 8 * 2000);
        assert_eq!(rows(1, Some("one more")), several);
    }

    #[test]
    fn nothing_takes_a_value_that_never_comes() {
        let column = |values: f64, nothing: u32| Column {
            seen: 10,
            numbers: 10 - nothing,
            nothing,
            least: 0.0,
            most: values,
            ..Column::default()
        };
        let plans = [(255.0, 0), (254.0, 1), (255.0, 1), (1e12, 1)];
        let bytes = plans.map(|(most, nothing)| Plan::of(&column(most, nothing), 10).external());
        assert_eq!(bytes, [1, 1, 2, 8]);
    }

    #[test]
    fn widths() {
        assert_eq!(
            [width(255.0), width(256.0), width(1e9), width(1e10)],
            [1, 2, 4, 8]
        );
        assert_eq!(
            [
                code_width(1),
                code_width(256),
                code_width(257),
                code_width(65_537)
            ],
            [0, 1, 2, 4]
        );
    }
}
