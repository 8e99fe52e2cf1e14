//! # L03 · dates and numbers in boxes
//!
//! ## What it is
//! A value that would fit a number, or a slot of its record, and is kept in an object of its own: a moment as a date
//! object, a whole number in a box, a timestamp or an id as text.
//!
//! ## Why it costs
//! A reference to an object costs the slot, the object's header and its content. The slot alone could hold the value,
//! when it is a small whole number, and a boxed number is still much smaller than a date or a text.
//!
//! ## How it is found
//! Three patterns, each from sixteen objects on.
//!
//! - *Dates*: date objects, grouped by the holder that names them.
//! - *Boxes*: fields in which every number is whole, some stand in boxes, and the largest is so near the smallest that
//!   the difference fits a slot. A field with dates counts with their milliseconds. A single fraction keeps the boxes.
//! - *Text*: fields in which at least 99 % of the values are texts of one sort and the others are nothing: ISO 8601
//!   timestamps with a zone, whole numbers of up to 15 digits, ids of one even length from 16 hex digits on, and UUIDs.
//!
//! ## How the saving is computed
//! - *Dates*: the date goes; a boxed number comes for every reference to it, unless all values fit a slot, as they do
//!   wherever slots hold numbers of 63 bits.
//! - *Boxes*: the box goes, or what the first pattern leaves of a date.
//! - *Text*: the text goes, unless another field holds it too; a boxed number comes for every field that refers to it
//!   (copies that are shared now are not shared then). An id's bytes stand in fields of the record instead of the one
//!   reference: the record grows.
//!
//! ## How to fix it
//! Keep the number, and make the date or the text where one is shown.
//!
//! - JavaScript: `Date.parse(text)` or `date.getTime()`; then `(ms - base) | 0` with one base for the whole batch, which
//!   is a small integer for 24 days. Without `| 0` or `Math.round`, compiled code may keep a whole result of arithmetic
//!   beyond 32 bits in a box. An id of 24 hex digits is three 32-bit integers (`| 0`).
//! - Ruby: `Time#to_i`. Java: `long` instead of `Instant` or `Long`. Python: an `array` or one `int` per row.
//!
//! ## When not to
//! When values repeat, one shared text is cheaper than a box per record (see D01). Where the numbers go beyond the
//! range that was seen, a slot no longer holds them: they get boxes again, nothing breaks.

use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{
    Edge, EdgeKind, Flags, Heap, Holders, Kind, NONE, ObjectId, Presence, Record, TextId, TypeId,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::elsewhere::{Rows, held_elsewhere};
use crate::fields::{Population, Tally, in_pieces, is_nothing, is_plain_text, naming_field, tally, type_of};
use crate::parts::{Parts, growth};
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Fewer objects than this are no pattern.
const LEAST: u32 = 16;

/// Milliseconds of any moment that a program would keep lie within this of 1970: 285,000 years, the range of
/// JavaScript's dates.
const MOMENTS: i64 = 9_000_000_000_000_000;

/// The rule.
pub struct Boxes;

impl Rule for Boxes {
    fn code(&self) -> Code {
        Code("L03")
    }

    fn source(&self) -> &'static str {
        include_str!("l03_boxes.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let fields = tally(heap, &Population::of(heap), LEAST, |seen: &mut Seen, _, edge| {
            seen.see(heap, edge);
        });
        let mut verdict = Verdict::from(dates(heap));
        verdict.candidates.extend(boxes(heap, &fields));
        verdict.candidates.extend(texts(heap, &fields));
        let unknown: u64 = fields.iter().map(|(_, seen)| seen.unknown_boxes).sum();
        let mut blind = |why: String| {
            let how = heap.runtime.recapture.clone();
            verdict.not_measured.push(NotMeasured { why, how });
        };
        if heap.coverage.numbers == Presence::Absent {
            blind("the dump has no values of numbers, so boxes that a slot could hold are not seen".into());
        } else if unknown > 0 {
            blind(format!(
                "the dump does not tell the values of {}",
                Count(unknown).of("boxed number", "boxed numbers")
            ));
        }
        if heap.coverage.texts == Presence::Absent {
            blind("the dump has no text of strings, so numbers in text are not seen".into());
        }
        verdict
    }
}

/// A sort of text that a number can stand for; bits of a mask.
mod sort {
    pub(super) const TIME: u8 = 1;
    pub(super) const WHOLE: u8 = 2;
    pub(super) const HEX: u8 = 4;
    pub(super) const UUID: u8 = 8;
    pub(super) const ALL: u8 = TIME | WHOLE | HEX | UUID;
}

/// What one field of one type holds.
#[derive(Debug)]
struct Seen {
    boxes: u64,
    unknown_boxes: u64,
    dates: u64,
    /// Every number is known and whole.
    whole: bool,
    least: f64,
    most: f64,
    nothing: u64,
    strings: u64,
    /// Sorts that every text is of.
    sorts: u8,
    /// Length of the texts, and which letters they have, for ids.
    length: usize,
    upper: bool,
    lower: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            boxes: 0,
            unknown_boxes: 0,
            dates: 0,
            whole: true,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            nothing: 0,
            strings: 0,
            sorts: sort::ALL,
            length: 0,
            upper: false,
            lower: false,
        }
    }
}

impl Tally for Seen {
    fn merge(&mut self, other: Self) {
        self.boxes += other.boxes;
        self.unknown_boxes += other.unknown_boxes;
        self.dates += other.dates;
        self.whole &= other.whole;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.nothing += other.nothing;
        self.strings += other.strings;
        self.sorts &= other.sorts;
        self.upper |= other.upper;
        self.lower |= other.lower;
        self.one_length(other.length);
        self.one_case();
    }
}

impl Seen {
    fn see(&mut self, heap: &Heap, edge: Edge) {
        let id = edge.to;
        // Of most objects their kind is all that is looked at.
        let kind = heap.kind(id);
        if kind == Kind::String {
            self.strings += 1;
            if self.sorts != 0 {
                self.text(heap, id);
            }
        } else if let Some(number) = heap.number(id) {
            self.sorts = 0;
            if heap.bytes(id) > 0 {
                self.boxes += 1;
                self.unknown_boxes += u64::from(number.value.is_nan());
            }
            self.value(number.value);
        } else if let Some(date) = heap.date(id) {
            self.sorts = 0;
            self.dates += 1;
            self.value(date.value);
        } else if is_nothing(heap, id) {
            self.nothing += 1;
        } else {
            self.sorts = 0;
        }
    }

    fn value(&mut self, value: f64) {
        self.whole &= value.is_finite() && value.fract() == 0.0;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn text(&mut self, heap: &Heap, id: ObjectId) {
        if !is_plain_text(heap, id) {
            self.sorts = 0;
            return;
        }
        let text = heap.texts.raw(heap.objects.label[id as usize]);
        self.sorts &= sorts_of(text);
        if self.sorts & sort::WHOLE != 0
            && let Some(value) = whole(text)
        {
            self.least = self.least.min(value as f64);
            self.most = self.most.max(value as f64);
        }
        if self.sorts & (sort::HEX | sort::UUID) != 0 {
            self.upper |= text.iter().any(u8::is_ascii_uppercase);
            self.lower |= text.iter().any(u8::is_ascii_lowercase);
            self.one_length(text.len());
            self.one_case();
        }
    }

    /// Ids of several lengths do not fit one number of fields.
    fn one_length(&mut self, length: usize) {
        if self.length == 0 {
            self.length = length;
        } else if length != 0 && length != self.length {
            self.sorts &= !(sort::HEX | sort::UUID);
        }
    }

    /// Bytes do not remember which letters were capital.
    fn one_case(&mut self) {
        if self.upper && self.lower {
            self.sorts &= !(sort::HEX | sort::UUID);
        }
    }

    fn text_sort(&self) -> Option<u8> {
        let enough = self.strings >= u64::from(LEAST) && self.nothing * 100 <= self.strings + self.nothing;
        let known = [sort::TIME, sort::WHOLE, sort::HEX, sort::UUID];
        known.into_iter().find(|&sort| enough && self.sorts & sort != 0)
    }

    /// Whether the numbers fit a slot as they are.
    fn fit(&self, heap: &Heap) -> bool {
        heap.layout
            .small_integers()
            .is_some_and(|(low, high)| self.least >= low as f64 && self.most <= high as f64)
    }
}

/// The sorts a text is of, by its bytes.
fn sorts_of(text: &[u8]) -> u8 {
    let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
    if whole(text).is_some() {
        return sort::WHOLE;
    }
    if text.len() >= 16 && text.len().is_multiple_of(2) && is_hex(text) {
        return sort::HEX;
    }
    let dashed = |at: &[usize]| at.iter().all(|&at| text[at] == b'-');
    if text.len() == 36 && dashed(&[8, 13, 18, 23]) {
        let pieces = [
            &text[..8],
            &text[9..13],
            &text[14..18],
            &text[19..23],
            &text[24..],
        ];
        return if pieces.into_iter().all(is_hex) {
            sort::UUID
        } else {
            0
        };
    }
    if is_time(text) { sort::TIME } else { 0 }
}

/// A whole number of up to 15 digits, as a program would write it.
fn whole(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let canonical = match digits {
        [b'0'] => digits.len() == text.len(),
        [b'1'..=b'9', ..] => digits.len() <= 15,
        _ => false,
    };
    if !canonical || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0_i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    Some(if digits.len() < text.len() { -value } else { value })
}

/// `2024-01-31T23:59:59.999Z`: a day, a time with up to six decimals, and a zone.
fn is_time(text: &[u8]) -> bool {
    let like = |text: &[u8], pattern: &[u8]| {
        text.len() == pattern.len()
            && text.iter().zip(pattern).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                b'+' => matches!(byte, b'+' | b'-'),
                _ => byte == wanted,
            })
    };
    let Some((moment, rest)) = text.split_at_checked(19) else {
        return false;
    };
    if !like(moment, b"0000-00-00T00:00:00") {
        return false;
    }
    let two = |at: usize| (moment[at] - b'0') * 10 + moment[at + 1] - b'0';
    let in_range = (1..=12).contains(&two(5))
        && (1..=31).contains(&two(8))
        && two(11) <= 24
        && two(14) <= 59
        && two(17) <= 60;
    let zone = match rest.strip_prefix(b".") {
        Some(decimals) => {
            let count = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if !(1..=6).contains(&count) {
                return false;
            }
            &decimals[count..]
        }
        None => rest,
    };
    in_range && (zone == b"Z" || like(zone, b"+00:00"))
}

// ---- dates ----

fn dates(heap: &Heap) -> Vec<Candidate> {
    if heap.dates.len() < LEAST as usize {
        return Vec::new();
    }
    let mut holders = Holders::new(heap);
    let mut groups = holders.group(|id| heap.date(id).is_some() && heap.in_program(id) && heap.bytes(id) > 0);
    groups.retain(|(_, dates)| dates.len() >= LEAST as usize);
    if groups.is_empty() {
        return Vec::new();
    }
    let references = references_to_dates(heap);
    groups
        .into_par_iter()
        .map(|(holder, dates)| of_dates(heap, holders.name(holder), &dates, &references))
        .collect()
}

fn of_dates(heap: &Heap, holder: String, dates: &[ObjectId], references: &[AtomicU32]) -> Candidate {
    let boxed = heap.layout.boxed_number();
    let mut candidate = Candidate::at(holder);
    candidate.variant = "date";
    let value = |&id: &ObjectId| heap.date(id).map_or(f64::NAN, |date| date.value);
    let fit = dates
        .par_iter()
        .with_min_len(4096)
        .all(|id| fits_slot(heap, value(id)));
    let pieces = in_pieces(dates, |dates| {
        let (mut found, mut parts) = (Candidate::at(""), Parts::default());
        for &id in dates {
            found.bytes_now += parts.claim_whole(heap, &mut found, id);
            if !fit {
                let count = references[heap.objects.fact[id as usize] as usize].load(Ordering::Relaxed);
                found.give(id, boxed * u64::from(count.max(1)));
            }
        }
        found
    });
    for found in pieces {
        candidate.absorb(found);
    }
    candidate.count = dates.len() as u64;
    candidate.title = format!("{} moments are date objects", Count(candidate.count));
    candidate.fix = "keep milliseconds as a number; make a date where one is shown".into();
    candidate.show("bytes_each", heap.whole_bytes(dates[0]));
    candidate.show("bytes_each_after", if fit { 0 } else { boxed });
    candidate
}

/// Whether a moment's milliseconds stand in a slot. Where slots hold all moments, its value need not be known.
fn fits_slot(heap: &Heap, value: f64) -> bool {
    let Some((low, high)) = heap.layout.small_integers() else {
        return false;
    };
    if low <= -MOMENTS && high >= MOMENTS {
        return true;
    }
    value >= low as f64 && value <= high as f64 && value.fract() == 0.0
}

/// How many fields, slots and variables refer to each date.
fn references_to_dates(heap: &Heap) -> Vec<AtomicU32> {
    let counts: Vec<AtomicU32> = heap.dates.iter().map(|_| AtomicU32::new(0)).collect();
    let is_date = |to: ObjectId| heap.objects.kind.get(to as usize) == Some(&Kind::Date);
    heap.edges.each_to(is_date, |from, at, to| {
        let names = !matches!(
            heap.edges.names(from)[at].kind(),
            EdgeKind::Internal | EdgeKind::Weak
        );
        if names && let Some(count) = counts.get(heap.objects.fact[to as usize] as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    counts
}

// ---- boxes ----

fn boxes(heap: &Heap, fields: &[((TypeId, TextId), Seen)]) -> Vec<Candidate> {
    let Some((_, high)) = heap.layout.small_integers() else {
        return Vec::new();
    };
    let wanted = |seen: &Seen| {
        let enough = seen.boxes + seen.dates >= u64::from(LEAST);
        // Dates whose milliseconds fit a slot are settled when they become numbers.
        let needed = seen.boxes > 0 || !seen.fit(heap);
        enough && needed && seen.whole && seen.strings == 0 && seen.most - seen.least <= high as f64
    };
    let chosen: Vec<_> = fields.iter().filter(|(_, seen)| wanted(seen)).collect();
    slots(heap, chosen.iter().map(|(key, _)| *key))
        .into_iter()
        .zip(&chosen)
        .map(|(slots, ((ty, name), seen))| {
            let mut holders = Holders::new(heap);
            let holder = holders.field(*ty, *name);
            let mut candidate = Candidate::at(holders.name(holder));
            candidate.variant = "box";
            candidate.step = 1;
            let pieces = in_pieces(&slots, |slots| {
                let (mut found, mut parts) = (Candidate::at(""), Parts::default());
                for slot in slots {
                    let boxed = matches!(heap.kind(slot.value), Kind::Number | Kind::Date)
                        && heap.bytes(slot.value) > 0
                        && heap.in_program(slot.value);
                    if boxed && slot.is_naming(heap, *name) {
                        found.bytes_now += parts.claim_whole(heap, &mut found, slot.value);
                        found.count += 1;
                    } else {
                        found.good += 1;
                    }
                }
                found
            });
            for found in pieces {
                candidate.absorb(found);
            }
            let as_they_are = seen.fit(heap);
            candidate.title = format!(
                "{} in boxes of their own",
                Count(candidate.count).of("whole number", "whole numbers")
            );
            candidate.fix = if as_they_are {
                "make them small integers before they are kept: no fraction or other sort of value".into()
            } else {
                format!(
                    "keep the difference to a base (smallest: {:.0}) as a small integer: it fits the slot",
                    seen.least
                )
            };
            let evidence = &mut candidate.evidence;
            evidence.insert("smallest".into(), json!(seen.least));
            evidence.insert("largest".into(), json!(seen.most));
            evidence.insert("base_needed".into(), json!(!as_they_are));
            candidate.assuming("values stay within the range seen")
        })
        .collect()
}

/// One field of one record, with what it refers to.
#[derive(Clone, Copy)]
struct Slot {
    record: ObjectId,
    value: ObjectId,
    fields: u32,
}

impl Slot {
    /// Whether the field is the one that names the value; a value with several owners is thus counted once.
    fn is_naming(&self, heap: &Heap, name: TextId) -> bool {
        heap.referrers.of(self.value).is_some_and(|(from, via)| {
            from == self.record && via.kind() == EdgeKind::Field && via.name() == name
        })
    }
}

/// The fields of all records at the places of `keys`, in the order of the keys.
fn slots(heap: &Heap, keys: impl Iterator<Item = (TypeId, TextId)>) -> Vec<Vec<Slot>> {
    let mut by_type: FxHashMap<TypeId, Vec<(TextId, usize)>> = FxHashMap::default();
    let mut count = 0;
    for (ty, name) in keys {
        by_type.entry(ty).or_default().push((name, count));
        count += 1;
    }
    let mut found = vec![Vec::new(); count];
    if count == 0 {
        return found;
    }
    let pieces = in_pieces(&heap.records, |records| {
        let mut of_piece = vec![Vec::new(); count];
        for record in records {
            let Some(names) = type_of(heap, record).and_then(|ty| by_type.get(&ty)) else {
                continue;
            };
            for &(name, at) in names {
                let edge = heap
                    .edges
                    .of(record.object)
                    .find(|edge| edge.field() == Some(name));
                if let Some(edge) = edge.filter(|edge| (edge.to as usize) < heap.objects.len()) {
                    of_piece[at].push(slot_of(record, edge));
                }
            }
        }
        of_piece
    });
    for piece in pieces {
        for (all, more) in found.iter_mut().zip(piece) {
            all.extend(more);
        }
    }
    found
}

fn slot_of(record: &Record, edge: Edge) -> Slot {
    Slot {
        record: record.object,
        value: edge.to,
        fields: record.used,
    }
}

// ---- text ----

fn texts(heap: &Heap, fields: &[((TypeId, TextId), Seen)]) -> Vec<Candidate> {
    let chosen: Vec<_> = fields
        .iter()
        .filter_map(|(key, seen)| seen.text_sort().map(|sort| (*key, seen, sort)))
        .collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let slots = slots(heap, chosen.iter().map(|(key, ..)| *key));
    let values = slots
        .par_iter()
        .flat_map(|slots| slots.par_iter().with_min_len(4096))
        .map(|slot| slot.value);
    let elsewhere = held_elsewhere(heap, values.filter(|&value| heap.kind(value) == Kind::String));
    slots
        .into_par_iter()
        .zip(&chosen)
        .filter_map(|(slots, &((ty, name), seen, sort))| {
            let mut holders = Holders::new(heap);
            let holder = holders.field(ty, name);
            let place = Place { ty, name, seen, sort };
            let candidate = text_candidate(heap, holders.name(holder), &place, slots, &elsewhere)?;
            (candidate.net() > 0).then_some(candidate)
        })
        .collect()
}

struct Place<'s> {
    ty: TypeId,
    name: TextId,
    seen: &'s Seen,
    sort: u8,
}

fn text_candidate(
    heap: &Heap,
    holder: String,
    place: &Place<'_>,
    mut slots: Vec<Slot>,
    elsewhere: &Rows,
) -> Option<Candidate> {
    let mut candidate = Candidate::at(holder);
    candidate.variant = "text";
    let packed = match place.sort {
        sort::HEX => Some(place.seen.length as u64 / 2),
        sort::UUID => Some(16),
        _ => None,
    };
    let new_slots = match packed {
        Some(bytes) => bytes.div_ceil(Some(heap.layout.small_integer_bytes()).filter(|&bytes| bytes > 0)?),
        None => 1,
    };
    if packed.is_some() && heap.layout.small_integers().is_none() {
        return None;
    }
    let boxed = match place.sort {
        sort::WHOLE if place.seen.fit(heap) => 0,
        sort::TIME | sort::WHOLE => heap.layout.boxed_number(),
        _ => 0,
    };
    if new_slots > 1 {
        for slot in &slots {
            candidate.give(slot.record, growth(heap, slot.fields, new_slots - 1));
        }
    }
    slots.retain(|slot| heap.kind(slot.value) == Kind::String);
    slots.par_sort_unstable_by_key(|slot| (slot.value, slot.record));
    let mut example = NONE;
    for same in slots.chunk_by(|a, b| a.value == b.value) {
        let id = same[0].value;
        let goes = naming_field(heap, id) == Some((place.ty, place.name))
            && !elsewhere.has(id)
            && heap.in_program(id)
            && heap.bytes(id) > 0
            && !heap.objects.has(id, Flags::EXTERNAL);
        if goes {
            candidate.claim(id, heap.bytes(id));
            candidate.bytes_now += heap.bytes(id);
            candidate.count += 1;
            example = example.min(id);
        } else {
            candidate.good += 1;
        }
        if boxed > 0 {
            candidate.give(id, boxed * same.len() as u64);
        }
    }
    if example == NONE {
        return None;
    }
    let (what, fix) = match place.sort {
        sort::TIME => (
            "timestamps",
            "keep milliseconds as a number; format where one is shown",
        ),
        sort::WHOLE => ("whole numbers", "parse them once and keep the number"),
        _ => (
            "ids",
            "keep the bytes in whole-number fields; format where one is shown",
        ),
    };
    candidate.title = format!("{} {what} kept as text", Count(candidate.count));
    candidate.fix = fix.into();
    let evidence = &mut candidate.evidence;
    evidence.insert("holds".into(), json!(what));
    evidence.insert("fields".into(), json!(slots.len()));
    evidence.insert("slots_each_after".into(), json!(new_slots));
    evidence.insert("box_each_after".into(), json!(boxed));
    let shown = heap.texts.shown(heap.objects.label[example as usize], 60);
    evidence.insert(
        "examples".into(),
        json!([{"value": shown, "bytes": heap.bytes(example)}]),
    );
    let assumption = match place.sort {
        sort::TIME => "the zone in which a time was written is not needed",
        sort::WHOLE => "the texts are only ever read as numbers",
        _ => "the ids keep their length and case",
    };
    Some(candidate.assuming(assumption))
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{BuilderLayout, HeapBuilder, Layout, TableKind, Width};

    use super::*;
    use crate::Ledger;

    const T: f64 = 1_700_000_000_000.0;

    fn look(heap: &Heap, variant: &str) -> Vec<Candidate> {
        let all = Boxes.look(heap).candidates;
        all.into_iter().filter(|c| c.variant == variant).collect()
    }

    fn with_dates(step: f64) -> Heap {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let date = heap.date(T + step * f64::from(i));
            let record = heap.record("M", &[("at", date)]);
            heap.variable("all", record);
        }
        heap.build()
    }

    #[test]
    fn dates_become_boxes_and_then_offsets() {
        let heap = with_dates(1000.0);
        let dates = look(&heap, "date");
        assert_eq!(dates.len(), 1);
        assert_eq!(dates[0].holder, "M.at");
        assert_eq!(dates[0].net(), 20 * 80);
        assert!(dates[0].assumes.is_none());
        let offsets = look(&heap, "box");
        assert_eq!(offsets[0].net(), 20 * 96);
        assert_eq!((dates[0].step, offsets[0].step), (0, 1));
        let mut ledger = Ledger::new(&heap);
        assert_eq!(ledger.book(&dates[0]).saves, 20 * 80);
        assert_eq!(ledger.book(&offsets[0]).saves, 20 * 16);
    }

    #[test]
    fn dates_too_far_apart_stay_boxes() {
        assert!(look(&with_dates(1e9), "box").is_empty());
    }

    #[test]
    fn dates_near_zero_need_no_box() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let date = heap.date(f64::from(i));
            heap.record("M", &[("at", date)]);
        }
        let heap = heap.build();
        assert_eq!(look(&heap, "date")[0].net(), 20 * 96);
        assert!(look(&heap, "box").is_empty());
    }

    #[test]
    fn a_shared_date_becomes_a_box_for_each_field() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let date = heap.date(T + f64::from(i));
            for _ in 0..10 {
                heap.record("M", &[("at", date)]);
            }
        }
        let heap = heap.build();
        assert_eq!(look(&heap, "date")[0].net(), 20 * (96 - 160));
        assert_eq!(look(&heap, "box")[0].net(), 20 * 96);
    }

    /// A layout whose slots hold numbers of 63 bits.
    #[derive(Debug)]
    struct WideSlots;

    impl Layout for WideSlots {
        fn small_integers(&self) -> Option<(i64, i64)> {
            Some((-(1 << 62), (1 << 62) - 1))
        }
        fn small_integer_bytes(&self) -> u64 {
            7
        }
        fn slot(&self) -> u64 {
            BuilderLayout.slot()
        }
        fn record(&self, fields: u64) -> u64 {
            BuilderLayout.record(fields)
        }
        fn shape(&self, fields: u64) -> u64 {
            BuilderLayout.shape(fields)
        }
        fn string(&self, units: u64, width: Width) -> u64 {
            BuilderLayout.string(units, width)
        }
        fn array(&self, slots: u64) -> u64 {
            BuilderLayout.array(slots)
        }
        fn table(&self, kind: TableKind, entries: u64) -> Option<u64> {
            BuilderLayout.table(kind, entries)
        }
        fn boxed_number(&self) -> u64 {
            BuilderLayout.boxed_number()
        }
        fn date(&self) -> u64 {
            BuilderLayout.date()
        }
        fn view(&self) -> u64 {
            BuilderLayout.view()
        }
    }

    #[test]
    fn where_slots_hold_all_moments_no_date_needs_a_box() {
        let mut heap = HeapBuilder::new();
        heap.layout(WideSlots);
        for _ in 0..20 {
            let date = heap.date(f64::NAN);
            heap.record("M", &[("at", date)]);
        }
        let heap = heap.build();
        assert_eq!(look(&heap, "date")[0].net(), 20 * 96);
    }

    #[test]
    fn a_date_of_unknown_value_is_a_date_all_the_same() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            let date = heap.date(f64::NAN);
            heap.record("M", &[("at", date)]);
        }
        let heap = heap.build();
        assert_eq!(look(&heap, "date")[0].net(), 20 * 80);
        assert!(look(&heap, "box").is_empty());
    }

    fn with_numbers(values: impl Iterator<Item = f64>) -> Heap {
        let mut heap = HeapBuilder::new();
        for value in values {
            let number = heap.number(value);
            heap.record("M", &[("n", number)]);
        }
        heap.build()
    }

    #[test]
    fn whole_numbers_near_each_other_need_no_box() {
        let found = look(&with_numbers((0..20).map(|i| T + f64::from(i))), "box");
        assert_eq!(found[0].net(), 20 * 16);
        assert_eq!(found[0].evidence["base_needed"], true);
        let small = look(&with_numbers((0..20).map(f64::from)), "box");
        assert_eq!(small[0].evidence["base_needed"], false);
    }

    #[test]
    fn fractions_infinities_and_unknown_values_keep_their_boxes() {
        for odd in [0.5, f64::INFINITY, f64::NAN, 1e15] {
            let values = (0..20).map(f64::from).chain([odd]);
            assert!(look(&with_numbers(values), "box").is_empty(), "{odd}");
        }
    }

    #[test]
    fn a_shared_box_counts_once() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let number = heap.number(T + f64::from(i));
            heap.record("M", &[("n", number)]);
            heap.record("M", &[("n", number)]);
        }
        assert_eq!(look(&heap.build(), "box")[0].net(), 20 * 16);
    }

    #[test]
    fn without_values_it_says_so() {
        let mut heap = HeapBuilder::new();
        heap.coverage(|coverage| {
            coverage.numbers = Presence::Absent;
            coverage.texts = Presence::Absent;
        });
        assert_eq!(Boxes.look(&heap.build()).not_measured.len(), 2);
    }

    fn with_texts(texts: impl Iterator<Item = String>) -> HeapBuilder {
        let mut heap = HeapBuilder::new();
        for text in texts {
            let string = heap.string(&text);
            heap.record("M", &[("s", string)]);
        }
        heap
    }

    #[test]
    fn timestamps_become_numbers() {
        let texts = (0..20).map(|i| format!("2024-01-31T10:00:{i:02}.123Z"));
        let found = look(&with_texts(texts).build(), "text");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net(), 20 * (40 - 16));
        assert_eq!(found[0].evidence["holds"], "timestamps");
    }

    #[test]
    fn ids_become_fields() {
        let texts = (0..20).map(|i| format!("65b2c3d4e5f60718293a{i:04x}"));
        let found = look(&with_texts(texts).build(), "text");
        assert_eq!(found[0].net(), 20 * (40 - 16));
        assert_eq!(found[0].evidence["slots_each_after"], 3);
        let texts = (0..20).map(|i| format!("65b2c3d4-e5f6-0718-293a-0000000000{i:02x}"));
        let found = look(&with_texts(texts).build(), "text");
        assert_eq!(found[0].net(), 20 * (56 - 24));
    }

    #[test]
    fn whole_numbers_in_text_fit_a_slot_or_a_box() {
        let found = look(&with_texts((100..120).map(|i| i.to_string())).build(), "text");
        assert_eq!(found[0].net(), 20 * 24);
        let found = look(
            &with_texts((100..120).map(|i| format!("{i}0000000000"))).build(),
            "text",
        );
        assert_eq!(found[0].net(), 20 * (32 - 16));
    }

    #[test]
    fn mixed_text_is_text() {
        let good = || (0..200).map(|i| format!("65b2c3d4e5f60718293a{i:04x}"));
        for odd in [
            "x",
            "",
            "65b2c3d4e5f60718293a00",
            "65B2C3D4E5F60718293A0000",
            "007",
        ] {
            let heap = with_texts(good().chain([odd.to_owned()])).build();
            assert!(look(&heap, "text").is_empty(), "{odd}");
        }
    }

    #[test]
    fn one_in_a_hundred_may_be_nothing() {
        for (nothing, found) in [(2, 1), (30, 0)] {
            let mut heap = with_texts((0..200).map(|i| format!("65b2c3d4e5f60718293a{i:04x}")));
            let null = heap.object(Kind::Runtime, "null", 0);
            for _ in 0..nothing {
                heap.record("M", &[("s", null)]);
            }
            assert_eq!(look(&heap.build(), "text").len(), found);
        }
    }

    #[test]
    fn shared_text_is_cheaper_than_boxes() {
        let mut heap = HeapBuilder::new();
        let text = heap.string("2024-01-31T10:00:00.000Z");
        for _ in 0..100 {
            heap.record("M", &[("s", text)]);
        }
        assert!(look(&heap.build(), "text").is_empty());
    }

    #[test]
    fn text_that_another_field_holds_stays() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let text = heap.string(&format!("2024-01-31T10:00:{i:02}.123Z"));
            heap.record("M", &[("s", text)]);
            heap.record("Other", &[("name", text)]);
        }
        assert!(look(&heap.build(), "text").is_empty());
    }

    #[test]
    fn sorts_of_text() {
        for time in [
            "2024-02-29T23:59:60Z",
            "2024-01-01T00:00:00.5+02:00",
            "1999-12-31T24:00:00.123456-11:30",
        ] {
            assert_eq!(sorts_of(time.as_bytes()), sort::TIME, "{time}");
        }
        for text in [
            "2024-13-01T00:00:00Z",
            "2024-01-01T00:00:00",
            "2024-01-01 00:00:00Z",
            "2024-01-01T00:00:00.Z",
            "-0",
            "1234567890123456.",
            "0x10",
            "é024-01-01T00:00:00Z",
        ] {
            assert_eq!(sorts_of(text.as_bytes()), 0, "{text}");
        }
        assert_eq!(whole(b"-12"), Some(-12));
        assert_eq!(whole(b"0"), Some(0));
        assert_eq!(whole(b""), None);
        assert_eq!(whole(b"9999999999999999"), None);
    }
}
