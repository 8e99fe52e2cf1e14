//! # D03 · equal objects and arrays
//!
//! ## What it is
//! Records and arrays that are equal in every field, each an object of its own.
//!
//! ## Why it costs
//! A copy costs its header, its slots, and everything that only it refers to: strings, dates, boxes and further records.
//!
//! ## How it is found
//! Records of one type and arrays are equal when their fields or elements are: the same object, equal complete texts,
//! equal numbers and dates, or records and arrays that are themselves equal, four levels deep. What refers to itself is
//! equal to nothing else. Records and arrays with a value that the dump does not show are not compared. A holder counts
//! from 16 copies beyond the first of each value. A copy inside another copy is counted with the outer one. Empty
//! records and arrays belong to C01.
//!
//! ## How the saving is computed
//! For each holder: all copies but one of each value, with everything that only they refer to.
//!
//! ## How to fix it
//! Look each value up by its fields when it comes in, and keep the first one.
//!
//! - JavaScript: a `Map` from a key made of the fields to one `Object.freeze`d record.
//! - Ruby: a `Hash` from a `Data` or frozen `Struct` to itself.
//! - Java: a `HashMap` of records, which compare by their fields.
//! - C++, Rust: a table of values with ids, or shared pointers to constant values.
//!
//! ## When not to
//! When a copy is changed later, or serves as an identity of its own.

use deadweight_heap::{
    Edge, EdgeKind, Flags, Heap, HolderId, Holders, Kind, Marks, NONE, ObjectId, Presence, Soles, StringForm,
    UNKNOWN,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::count::Count;
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Fewer copies at one holder are a coincidence.
const FEWEST: u64 = 16;

/// How deep values are compared.
const DEPTH: u8 = 4;

/// Records and arrays that one thread takes at a time.
const PIECE: usize = 1 << 14;

/// One in so many records that cannot be compared is worth saying.
const UNSEEN_SHARE: u64 = 10;

/// The rule.
pub struct EqualRecords;

impl Rule for EqualRecords {
    fn code(&self) -> Code {
        Code("D03")
    }

    fn source(&self) -> &'static str {
        include_str!("d03_records.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        if heap.coverage.edges == Presence::Absent {
            return Verdict::blind("the dump has no references", heap.runtime.recapture.clone());
        }
        let digests = Digests::new(heap);
        let mut verdict: Verdict = at_holders(heap, &digests).into();
        let (seen, unseen) = (digests.seen, digests.unseen);
        if unseen >= FEWEST && unseen > (seen + unseen) / UNSEEN_SHARE {
            verdict.not_measured.push(NotMeasured {
                why: format!(
                    "{} of {} records and arrays have values that are not in the dump",
                    Count(unseen),
                    Count(seen + unseen)
                ),
                how: heap.runtime.recapture.clone(),
            });
        }
        verdict
    }
}

/// What is known of one record or array.
#[derive(Clone, Copy, Default)]
struct Digest {
    /// Equal for equal values; 0 for one that is not compared.
    value: u64,
    /// Levels of compared records and arrays, itself included.
    height: u8,
}

/// Digests of those records and arrays that can be compared, which are few in most heaps. All records have numbers by
/// their facts, and after them all arrays.
struct Digests<'h> {
    heap: &'h Heap,
    /// How many records and arrays there are.
    all: usize,
    /// The numbers of those that are compared, in order, and how to find the place of one among them.
    numbers: Vec<u32>,
    comparable: Marks,
    ranks: Vec<u32>,
    /// What is known of each.
    known: Vec<Digest>,
    seen: u64,
    unseen: u64,
}

impl<'h> Digests<'h> {
    fn new(heap: &'h Heap) -> Self {
        let all = heap.records.len() + heap.arrays.len();
        let mut digests = Self {
            heap,
            all,
            numbers: Vec::new(),
            comparable: Marks::none(all),
            ranks: Vec::new(),
            known: Vec::new(),
            seen: 0,
            unseen: 0,
        };
        let pieces: Vec<(Vec<u32>, u64)> = (0..all.div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let (mut comparable, mut unseen) = (Vec::new(), 0);
                for at in piece * PIECE..((piece + 1) * PIECE).min(all) {
                    if digests.is_comparable(at) {
                        digests.comparable.set(at as u32);
                        comparable.push(at as u32);
                    } else {
                        unseen += u64::from(digests.is_candidate(at));
                    }
                }
                (comparable, unseen)
            })
            .collect();
        digests.unseen = pieces.iter().map(|(_, unseen)| unseen).sum();
        digests.numbers = pieces.into_iter().flat_map(|(numbers, _)| numbers).collect();
        digests.ranks = digests.comparable.ranks();
        digests.seen = digests.numbers.len() as u64;
        digests.known = vec![Digest::default(); digests.numbers.len()];
        for _ in 0..DEPTH {
            let before = &digests;
            let step = |(&at, &old): (&u32, &Digest)| {
                let at = at as usize;
                // One level says all of what refers to no other record.
                let settled = old.value != 0 && old.height == 1 && before.deepest_inside(at) == 0;
                if settled { old } else { before.digest(at) }
            };
            let each = before.numbers.par_iter().zip(&before.known);
            let next: Vec<Digest> = each.with_min_len(4096).map(step).collect();
            let pairs = before.known.iter().zip(&next);
            let changed = pairs.into_iter().any(|(old, new)| old.value != new.value);
            digests.known = next;
            if !changed {
                break;
            }
        }
        digests
    }

    fn row(&self, at: usize) -> ObjectId {
        match at.checked_sub(self.heap.records.len()) {
            None => self.heap.records[at].object,
            Some(array) => self.heap.arrays[array].object,
        }
    }

    fn of(&self, id: ObjectId) -> Digest {
        let base = match self.heap.kind(id) {
            Kind::Record => 0,
            Kind::Array => self.heap.records.len(),
            _ => return Digest::default(),
        };
        let fact = self.heap.objects.fact[id as usize];
        let at = base.saturating_add(fact as usize);
        let is_fact = fact != NONE && at < self.all && !self.heap.objects.has(id, Flags::PART);
        if is_fact && self.comparable.has(at as u32) {
            self.known[self.comparable.rank(&self.ranks, at as u32)]
        } else {
            Digest::default()
        }
    }

    /// Slots in use and the row, beside the object's own, whose elements are its.
    fn used(&self, at: usize) -> (u32, ObjectId) {
        match at.checked_sub(self.heap.records.len()) {
            None => (self.heap.records[at].used, NONE),
            Some(array) => {
                let array = &self.heap.arrays[array];
                let is_apart = array.store != array.object;
                (array.used, if is_apart { array.store } else { NONE })
            }
        }
    }

    /// A record or array of the program that is not known to be empty.
    fn is_candidate(&self, at: usize) -> bool {
        let id = self.row(at);
        self.heap.in_program(id) && self.used(at).0 != 0 && self.heap.bytes(id) > 0
    }

    /// One whose every value the dump shows.
    fn is_comparable(&self, at: usize) -> bool {
        let (used, store) = self.used(at);
        if !self.is_candidate(at) || used == UNKNOWN {
            return false;
        }
        let is_record = at < self.heap.records.len();
        let (own, beside) = (self.heap.named(self.row(at)), self.heap.named(store));
        if is_record {
            own.fields + beside.fields >= used
        } else {
            own.elements + beside.elements == used
        }
    }

    /// The references that make the value.
    fn values(&self, at: usize) -> impl Iterator<Item = Edge> + '_ {
        let (id, (_, store)) = (self.row(at), self.used(at));
        let heap = self.heap;
        let own = heap.edges.of(id).filter(move |edge| {
            let behind = matches!(edge.via.kind(), EdgeKind::Internal | EdgeKind::Weak);
            let of_runtime = matches!(heap.kind(edge.to), Kind::Runtime | Kind::Shape);
            !behind || !(of_runtime || (heap.objects.has(edge.to, Flags::PART) && heap.owner(edge.to) == id))
        });
        let elements = heap.edges.of(store);
        own.chain(elements.filter(|edge| edge.via.kind() == EdgeKind::Element))
    }

    fn deepest_inside(&self, at: usize) -> u8 {
        let heights = self.values(at).map(|edge| self.of(edge.to).height);
        heights.max().unwrap_or(0)
    }

    /// The digest from what is known of the values so far. The order of fields does not matter.
    fn digest(&self, at: usize) -> Digest {
        let label = self.heap.objects.label[self.row(at) as usize];
        let is_array = at >= self.heap.records.len();
        let mut sum = mix(u64::from(is_array), u64::from(label));
        let mut inside = 0;
        for edge in self.values(at) {
            inside = inside.max(self.of(edge.to).height);
            sum = sum.wrapping_add(mix(u64::from(edge.via.0), self.value(edge.to)));
        }
        Digest {
            value: mix(sum, 1).max(1),
            height: (inside + 1).min(DEPTH + 1),
        }
    }

    fn value(&self, id: ObjectId) -> u64 {
        let heap = self.heap;
        let known = match heap.kind(id) {
            Kind::String => {
                let whole = heap.string_form(id) == Some(StringForm::Flat)
                    && !heap.objects.has(id, Flags::INCOMPLETE)
                    && heap.coverage.texts != Presence::Absent;
                whole.then(|| mix(mix(2, u64::from(heap.objects.label[id as usize])), heap.bytes(id)))
            }
            Kind::Number => known_number(3, heap.number(id).map(|number| number.value)),
            Kind::Date => known_number(4, heap.date(id).map(|date| date.value)),
            Kind::Record | Kind::Array => Some(self.of(id).value).filter(|&value| value != 0),
            _ => None,
        };
        // What is not compared is equal to itself alone.
        known.unwrap_or_else(|| mix(5, u64::from(id)))
    }
}

fn known_number(tag: u64, value: Option<f64>) -> Option<u64> {
    let value = value.filter(|value| !value.is_nan())?;
    Some(mix(tag, value.to_bits()))
}

/// Mixes two words so that every bit of either reaches every bit of the result.
fn mix(a: u64, b: u64) -> u64 {
    let product =
        u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b.rotate_left(32) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ (folded >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ a.rotate_left(17)
}

/// One record or array that may have equals.
struct Member {
    holder: HolderId,
    digest: Digest,
    row: ObjectId,
}

#[derive(Default)]
struct Place {
    claims: Vec<(ObjectId, u64)>,
    copies: u64,
    now: u64,
    /// Values that repeat, with their first object, its bytes with all it holds alone, and their copies.
    values: Vec<(ObjectId, u64, u64)>,
    good: u64,
}

fn at_holders(heap: &Heap, digests: &Digests<'_>) -> Vec<Candidate> {
    let mut holders = Holders::new(heap);
    let mut members = members(digests, &mut holders);
    // Outer before inner: a copy inside a copy goes with it. Within one value the first row stays.
    members.sort_unstable_by_key(|m| {
        (
            std::cmp::Reverse(m.digest.height),
            m.holder,
            m.digest.value,
            m.row,
        )
    });
    let same = |a: &Member, b: &Member| a.holder == b.holder && a.digest.value == b.digest.value;
    let mut copies: FxHashMap<HolderId, u64> = FxHashMap::default();
    for group in members.chunk_by(same) {
        *copies.entry(group[0].holder).or_default() += group.len() as u64 - 1;
    }
    let enough = |holder: HolderId| copies.get(&holder).is_some_and(|&copies| copies >= FEWEST);
    if !copies.values().any(|&copies| copies >= FEWEST) {
        return Vec::new();
    }
    let soles = Soles::among(heap, heap.rows());
    let mut gone = vec![false; heap.objects.len()];
    let mut places: FxHashMap<HolderId, Place> = FxHashMap::default();
    for group in members.chunk_by(same).filter(|group| enough(group[0].holder)) {
        let mut left = group
            .iter()
            .map(|member| member.row)
            .filter(|&row| !gone[row as usize]);
        let Some(first) = left.next() else { continue };
        let redundant: Vec<ObjectId> = left.collect();
        if redundant.is_empty() {
            continue;
        }
        let place = places.entry(group[0].holder).or_default();
        let mut freed = 0;
        for &copy in &redundant {
            freed += vanish(heap, &soles, copy, &mut gone, &mut place.claims);
        }
        let count = redundant.len() as u64;
        let each = freed / count;
        place.copies += count;
        place.now += freed + each;
        place.values.push((first, each, count));
    }
    places.retain(|_, place| place.copies >= FEWEST);
    for at in 0..digests.all {
        let id = digests.row(at);
        if digests.is_candidate(at)
            && !gone[id as usize]
            && let Some(place) = places.get_mut(&holders.of(id))
        {
            place.good += 1;
        }
    }
    places
        .into_iter()
        .map(|(holder, place)| candidate(heap, holders.name(holder), place))
        .collect()
}

/// Those whose digest occurs more than once, at places a person can change.
fn members(digests: &Digests<'_>, holders: &mut Holders<'_>) -> Vec<Member> {
    // Two bits a slot, by hash: most heaps have few equals, and the rest need no room.
    let slots = (digests.known.len().max(1) * 8).next_power_of_two();
    let slot = |digest: &Digest| digest.value as usize & (slots - 1);
    let mut once = vec![0_u64; slots.div_ceil(64)];
    let mut twice = vec![0_u64; slots.div_ceil(64)];
    for digest in digests.known.iter().filter(|digest| digest.value != 0) {
        let (word, bit) = (slot(digest) / 64, 1 << (slot(digest) % 64));
        twice[word] |= once[word] & bit;
        once[word] |= bit;
    }
    let repeats =
        |digest: &Digest| digest.value != 0 && twice[slot(digest) / 64] >> (slot(digest) % 64) & 1 == 1;
    let mut members = Vec::new();
    for (&at, &digest) in digests.numbers.iter().zip(&digests.known) {
        if repeats(&digest) {
            let row = digests.row(at as usize);
            let holder = holders.of(row);
            if holders.is_known(holder) {
                members.push(Member { holder, digest, row });
            }
        }
    }
    members
}

/// Claims an object with all it holds alone. Each row has one sole referrer, so the walk is a tree, and ends.
fn vanish(
    heap: &Heap,
    soles: &Soles,
    copy: ObjectId,
    gone: &mut [bool],
    claims: &mut Vec<(ObjectId, u64)>,
) -> u64 {
    let mut freed = 0;
    let mut open = vec![copy];
    gone[copy as usize] = true;
    while let Some(id) = open.pop() {
        let mut pieces = heap.parts_of(id);
        pieces.push(id);
        for &row in &pieces {
            let bytes = heap.bytes(row);
            if bytes > 0 && !heap.objects.has(row, Flags::EXTERNAL) {
                claims.push((row, bytes));
                freed += bytes;
            }
            for edge in heap.edges.of(row) {
                let kind = heap.kind(edge.to);
                let is_value = matches!(
                    kind,
                    Kind::String | Kind::Number | Kind::Date | Kind::Record | Kind::Array
                );
                if is_value
                    && heap.in_program(edge.to)
                    && soles.of(edge.to) == Some(id)
                    && !std::mem::replace(&mut gone[edge.to as usize], true)
                {
                    open.push(edge.to);
                }
            }
        }
    }
    freed
}

fn candidate(heap: &Heap, holder: String, mut place: Place) -> Candidate {
    let mut candidate =
        Candidate::at(holder).assuming("the copies are never changed and not compared by identity");
    for &(row, bytes) in &place.claims {
        candidate.claim(row, bytes);
    }
    candidate.count = place.copies;
    candidate.good = place.good;
    candidate.bytes_now = place.now;
    let values = place.values.len();
    candidate.title = format!(
        "{} equal to {}",
        Count(place.copies).of("object", "objects"),
        match values as u64 {
            1 => "one other".to_owned(),
            many => format!("one of {} others", Count(many)),
        }
    );
    candidate.fix = match values as u64 {
        1 => "keep one object for the value that repeats".to_owned(),
        many => format!("keep one object for each of {} values", Count(many)),
    };
    candidate.show("copies", place.copies);
    candidate.show("values_that_repeat", values);
    place
        .values
        .sort_unstable_by_key(|&(first, each, copies)| (std::cmp::Reverse(each * copies), first));
    let examples: Vec<_> = place
        .values
        .iter()
        .take(3)
        .map(|&(first, each, copies)| {
            json!({"type": heap.type_name(first), "copies": copies, "bytes_each": each})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::*;

    fn point(heap: &mut HeapBuilder, x: f64, name: &str) -> ObjectId {
        let x = heap.number(x);
        let name = heap.string(name);
        heap.record("Point", &[("x", x), ("name", name)])
    }

    fn keep(heap: &mut HeapBuilder, value: ObjectId) {
        let owner = heap.record("Shape", &[("at", value)]);
        let unique = heap.array(0, &[]);
        heap.edge(owner, EdgeKind::Internal, 9, unique);
        heap.variable("shapes", owner);
        heap.variable("shapes", unique);
    }

    fn look(heap: HeapBuilder) -> Vec<Candidate> {
        EqualRecords.look(&heap.build()).candidates
    }

    #[test]
    fn copies_go_with_all_they_hold_alone() {
        let mut heap = HeapBuilder::new();
        for _ in 0..17 {
            let at = point(&mut heap, 1.5, "origin");
            keep(&mut heap, at);
        }
        let other = point(&mut heap, 2.5, "origin");
        keep(&mut heap, other);
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Shape.at");
        assert_eq!((found[0].count, found[0].good), (16, 2));
        assert_eq!(found[0].net(), 16 * (32 + 16 + 24));
        assert_eq!(found[0].bytes_now, 17 * (32 + 16 + 24));
    }

    #[test]
    fn shared_values_stay() {
        let mut heap = HeapBuilder::new();
        let name = heap.string("shared");
        for _ in 0..20 {
            let point = heap.record("Point", &[("name", name)]);
            keep(&mut heap, point);
        }
        assert_eq!(look(heap)[0].net(), 19 * 24);
    }

    #[test]
    fn a_few_copies_are_a_coincidence() {
        let mut heap = HeapBuilder::new();
        for _ in 0..16 {
            let at = point(&mut heap, 1.5, "origin");
            keep(&mut heap, at);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn nested_copies_are_counted_once_with_the_outer() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            let inner = point(&mut heap, 3.0, "inner");
            let list = heap.array(1, &[inner]);
            let outer = heap.record("Outer", &[("list", list)]);
            keep(&mut heap, outer);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "Shape.at");
        assert_eq!(found[0].net(), 19 * (24 + 56 + 32 + 16 + 24));
    }

    /// As Ruby has them.
    #[test]
    fn arrays_without_a_store_of_their_own_are_compared() {
        let mut heap = HeapBuilder::new();
        for i in 0..40 {
            let text = heap.string(if i < 20 { "equal" } else { "as well" });
            let list = heap.array(0, &[]);
            heap.edge(list, EdgeKind::Element, 0, text);
            heap.change_array(list, |array| {
                (array.store, array.used, array.capacity) = (array.object, 1, 1);
            });
            keep(&mut heap, list);
        }
        let verdict = EqualRecords.look(&heap.build());
        assert!(verdict.not_measured.is_empty(), "{:?}", verdict.not_measured);
        assert_eq!((verdict.candidates[0].count, verdict.candidates[0].good), (38, 2));
    }

    #[test]
    fn different_types_texts_numbers_and_hidden_state_are_not_equal() {
        let mut heap = HeapBuilder::new();
        for i in 0..40 {
            let number = point(&mut heap, f64::from(i), "same");
            keep(&mut heap, number);
            let text = point(&mut heap, 1.0, &format!("name {i}"));
            keep(&mut heap, text);
            let date = heap.date(f64::NAN);
            let unknown = heap.record("Dated", &[("on", date)]);
            keep(&mut heap, unknown);
            let x = heap.small_number(1.0);
            let typed = heap.record(&format!("Type{i}"), &[("x", x)]);
            keep(&mut heap, typed);
            let hidden = heap.array(1, &[x]);
            let state = heap.record("State", &[("x", x)]);
            let own = heap.date(f64::from(i));
            heap.edge(state, EdgeKind::Internal, 3, own);
            keep(&mut heap, state);
            heap.edge(hidden, EdgeKind::Weak, 0, own);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn cycles_and_what_is_too_deep_are_equal_to_nothing() {
        let mut heap = HeapBuilder::new();
        for _ in 0..40 {
            let x = heap.small_number(1.0);
            let cycle = heap.record("Cycle", &[("x", x)]);
            let me = heap.text("me");
            heap.edge(cycle, EdgeKind::Field, me, cycle);
            keep(&mut heap, cycle);
            let mut chain = heap.record("Chain", &[("x", x)]);
            for _ in 0..8 {
                chain = heap.record("Chain", &[("next", chain)]);
            }
            keep(&mut heap, chain);
        }
        let found = look(heap);
        assert!(
            found.iter().all(|candidate| candidate.holder == "Chain.next"),
            "{found:?}"
        );
    }

    #[test]
    fn values_that_the_dump_does_not_show_are_said_to_be_unknown() {
        let mut heap = HeapBuilder::new();
        for _ in 0..40 {
            let at = point(&mut heap, 1.0, "same");
            heap.change_record(at, |record| record.used += 1);
            keep(&mut heap, at);
        }
        let verdict = EqualRecords.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }
}
