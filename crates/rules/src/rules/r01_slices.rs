//! # R01 · a small slice pins a large buffer or string
//!
//! ## What it is
//! A few characters cut out of a large text, or a few bytes out of a large buffer, that keep all of it alive.
//!
//! ## Why it costs
//! A slice is a window: cheap to make, but what it looks on cannot go while the slice is there. An id cut out of a
//! page of text holds the page.
//!
//! ## How it is found
//! Texts that nothing but slices refers to, and buffers that nothing but views refers to, where copies of the slices
//! would take less than half of what they pin. A holder counts from 64 KiB of waste; for buffers that waste must stand
//! in four or more of them, or one must waste 1 MiB, as a pool that is still being filled is no waste. A pool that is
//! nearly full is healthy.
//! A text whose slices stand at several places is named by the one with most of them; the fix tells the others, since
//! all must be copied before the text can go.
//!
//! Some dumps do not tell how long a slice is, but a recorder may have noted the lengths of a sample. From 30 noted
//! lengths at a holder on, their mean copy stands for the slices there that nobody noted. A text whose slices are all
//! noted is judged by them; any other counts only if its bytes for each slice are more than twice what such a copy takes
//! beyond the slice, and the mean is that of the noted slices on such texts, so that the many slices of small texts do
//! not speak for the few of large ones. Without 30 noted lengths, 1,024 characters of two bytes are taken for each.
//!
//! ## How the saving is computed
//! What is pinned, less a copy of each slice. The width of the characters stays what it is. Copies of views are charged
//! outside the heap; the objects they need inside it are shown in the evidence, and a finding that saves less than twice
//! their bytes is dropped.
//!
//! ## How to fix it
//! Copy what you keep.
//!
//! - JavaScript: `Buffer.from(view)` or `bytes.slice()` for bytes; for text a round trip such as
//!   `Buffer.from(text).toString()`, as `slice` and `split` give windows from 13 characters on.
//! - Ruby: `+""` and `<<`, or `String.new(part)`.
//! - Java: `new String(part)` on old runtimes, `Arrays.copyOfRange` for bytes.
//! - C++, Rust: an owned string instead of a view with a shared owner.
//!
//! ## When not to
//! When most of what is pinned is in use, or the slices live for a moment only.

use deadweight_heap::{EdgeKind, Flags, Heap, HolderId, Holders, Kind, NONE, ObjectId, StringForm};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::backings::{Backings, OnOne};
use crate::count::Count;
use crate::slice_copies::{SliceCopies, Source, UNITS_AT_MOST};
use crate::{Candidate, Code, NotMeasured, Rule, Verdict};

/// Less waste at one holder is no finding.
const LEAST_WASTE: u64 = 64 << 10;

/// A single buffer counts from here: below it may be a pool that is being filled.
const ONE_LARGE: u64 = 1 << 20;

/// Fewer smaller buffers than these are no habit.
const SEVERAL: u64 = 4;

/// The rule.
pub struct Slices;

impl Rule for Slices {
    fn code(&self) -> Code {
        Code("R01")
    }

    fn source(&self) -> &'static str {
        include_str!("r01_slices.rs")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let windows = windows(heap);
        let mut copies = SliceCopies::new(heap, &windows);
        let backings = Backings::new(heap);
        let mut pins = Vec::new();
        let mut good = Vec::new();
        let mut unsure = Vec::new();
        for of_one in windows.chunk_by(|a, b| a.0 == b.0) {
            match pinned_text(heap, &mut copies, of_one) {
                Ok(pin) => pins.push(pin),
                Err(Healthy::Small) => good.push((of_one[0].1, false)),
                Err(Healthy::Unknown) => unsure.push(of_one[0].0),
            }
        }
        for on_one in backings.iter() {
            match pinned_buffer(heap, on_one) {
                Some(pin) => pins.push(pin),
                None if on_one.len() > 1 => {
                    let external = heap.objects.has(on_one[0].backing, Flags::EXTERNAL);
                    good.push((on_one[1].object, external));
                }
                None => {}
            }
        }
        let held = held_otherwise(heap, &pins, &unsure);
        pins.retain(|pin| !held.contains(&pin.row) && !pin.own.is_some_and(|own| held.contains(&own)));
        unsure.retain(|row| !held.contains(row));

        let mut verdict: Verdict = at_holders(heap, copies, pins, &good).into();
        let bytes: u64 = unsure.iter().map(|&row| heap.bytes(row)).sum();
        if bytes >= LEAST_WASTE {
            verdict.not_measured.push(NotMeasured {
                why: format!(
                    "slices of unknown length are all that refers to {} ({} bytes)",
                    Count(unsure.len() as u64).of("text", "texts"),
                    Count(bytes)
                ),
                how: if heap.lengths.is_empty() {
                    heap.runtime.recapture.clone()
                } else {
                    // Another capture would know no more: these slices are few, or stand where the recorder cannot look.
                    "see in the program whether the slices are much shorter than what they are cut out of"
                        .into()
                },
            });
        }
        verdict
    }
}

/// Something large that only windows keep.
struct Pin {
    /// The row that is charged for the characters or bytes.
    row: ObjectId,
    /// The object of a buffer's backing, which goes with it.
    own: Option<ObjectId>,
    /// A window on it, to name the place.
    window: ObjectId,
    /// How many windows stand where, the most first; told of texts whose windows stand at several places alone.
    stand: Vec<(HolderId, u64)>,
    windows: u64,
    /// What copies of all windows take.
    copies: u64,
    /// For texts, what each slice's row becomes.
    slices: Vec<(ObjectId, u64)>,
    /// Slices for which a mean stands.
    estimated: u64,
    /// A length was assumed.
    assumed: bool,
    text: bool,
}

enum Healthy {
    Small,
    Unknown,
}

/// Slices of the program with the flat string each looks on, in the order of those strings.
fn windows(heap: &Heap) -> Vec<(ObjectId, ObjectId)> {
    let is_slice = |&id: &ObjectId| heap.string_form(id) == Some(StringForm::Slice) && heap.in_program(id);
    let mut windows: Vec<(ObjectId, ObjectId)> = heap
        .rows()
        .into_par_iter()
        .with_min_len(16_384)
        .filter(is_slice)
        .filter_map(|slice| {
            let mut edges = heap.edges.of(slice);
            let parent = edges.find(|edge| edge.via.kind() == EdgeKind::Internal)?.to;
            // Characters outside the runtime's heap are weighed apart from the slices, which are inside.
            let is_flat = heap.string_form(parent) == Some(StringForm::Flat)
                && heap.in_program(parent)
                && !heap.objects.has(parent, Flags::EXTERNAL);
            is_flat.then_some((parent, slice))
        })
        .collect();
    windows.par_sort_unstable();
    windows
}

fn pinned_text(
    heap: &Heap,
    of: &mut SliceCopies<'_>,
    windows: &[(ObjectId, ObjectId)],
) -> Result<Pin, Healthy> {
    let row = windows[0].0;
    let now = heap.bytes(row);
    let (mut copies, mut in_doubt) = (0_u64, 0_u64);
    let (mut estimated, mut assumed) = (0, false);
    let mut slices = Vec::with_capacity(windows.len());
    for &(_, slice) in windows {
        let copy = of.of(slice);
        estimated += u64::from(copy.source == Source::Mean);
        assumed |= copy.source == Source::Assumed;
        // What the window itself takes is taken already.
        copies += copy.bytes.saturating_sub(heap.bytes(slice));
        in_doubt += copy.more_in_doubt;
        if in_doubt >= now / 2 {
            return Err(if assumed { Healthy::Unknown } else { Healthy::Small });
        }
        slices.push((slice, copy.bytes));
    }
    Ok(Pin {
        row,
        own: None,
        window: windows[0].1,
        stand: Vec::new(),
        windows: windows.len() as u64,
        copies,
        slices,
        estimated,
        assumed,
        text: true,
    })
}

fn pinned_buffer(heap: &Heap, on_one: OnOne<'_, '_>) -> Option<Pin> {
    let row = on_one[0].backing;
    let own = on_one[0].is_backing.then_some(on_one[0]);
    let views = &on_one[usize::from(own.is_some())..];
    if row == NONE || views.is_empty() || heap.objects.has(row, Flags::PART) {
        return None;
    }
    let now = heap.bytes(row);
    let mut copies = 0_u64;
    for view in views {
        if view.bytes == u64::MAX {
            return None;
        }
        copies = copies.saturating_add(heap.allocator.charged(view.bytes.min(now)));
    }
    (copies < now / 2).then(|| Pin {
        row,
        own: own.map(|own| own.object),
        window: views[0].object,
        stand: Vec::new(),
        windows: views.len() as u64,
        copies,
        slices: Vec::new(),
        estimated: 0,
        assumed: false,
        text: false,
    })
}

/// Of what is pinned, that which something beside windows keeps, too.
fn held_otherwise(heap: &Heap, pins: &[Pin], unsure: &[ObjectId]) -> FxHashSet<ObjectId> {
    if pins.is_empty() && unsure.is_empty() {
        return FxHashSet::default();
    }
    let mut asked = vec![false; heap.objects.len()];
    let rows = pins.iter().flat_map(|pin| [Some(pin.row), pin.own]).flatten();
    for row in rows.chain(unsure.iter().copied()) {
        if let Some(asked) = asked.get_mut(row as usize) {
            *asked = true;
        }
    }
    let is_window = |from: ObjectId| {
        let owner = heap.owner(from);
        let form = heap.string_form(owner);
        heap.in_program(owner) && (form == Some(StringForm::Slice) || heap.kind(owner) == Kind::Buffer)
    };
    heap.rows()
        .into_par_iter()
        .with_min_len(4096)
        .flat_map_iter(|from| {
            let asked = &asked;
            heap.edges
                .of(from)
                .filter(move |edge| {
                    edge.via.kind() != EdgeKind::Weak
                        && edge.to != from
                        && asked.get(edge.to as usize).is_some_and(|&asked| asked)
                        && !is_window(from)
                })
                .map(|edge| edge.to)
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

#[derive(Default)]
struct Place {
    pins: Vec<Pin>,
    good: u64,
    /// Slices that stand for those of unknown length here.
    known: usize,
}

fn at_holders(
    heap: &Heap,
    mut copies: SliceCopies<'_>,
    pins: Vec<Pin>,
    good: &[(ObjectId, bool)],
) -> Vec<Candidate> {
    let mut places: FxHashMap<(HolderId, bool), Place> = FxHashMap::default();
    let mut names: FxHashMap<HolderId, String> = FxHashMap::default();
    for mut pin in pins {
        let external = heap.objects.has(pin.row, Flags::EXTERNAL);
        let holder = stand_most(&mut copies.holders, &mut names, &mut pin);
        let place = places.entry((holder, external)).or_default();
        place.pins.push(pin);
    }
    if places.is_empty() {
        return Vec::new();
    }
    for &(window, external) in good {
        if let Some(place) = places.get_mut(&(copies.holders.of(window), external)) {
            place.good += 1;
        }
    }
    places
        .into_iter()
        .filter_map(|((holder, external), mut place)| {
            place.known = copies.mean(holder).map_or(0, |mean| mean.slices);
            candidate(heap, &copies.holders, holder, external, place)
        })
        .collect()
}

/// Where most windows on what is pinned stand; of several such places the first by name, so that every dump of a
/// program says the same.
fn stand_most(holders: &mut Holders<'_>, names: &mut FxHashMap<HolderId, String>, pin: &mut Pin) -> HolderId {
    let first = holders.of(pin.window);
    let mut stand: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &(slice, _) in &pin.slices {
        *stand.entry(holders.of(slice)).or_default() += 1;
    }
    if stand.len() < 2 {
        return first;
    }
    for &holder in stand.keys() {
        names.entry(holder).or_insert_with(|| holders.name(holder));
    }
    pin.stand = stand.into_iter().collect();
    pin.stand
        .sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| names[&a.0].cmp(&names[&b.0])));
    pin.stand[0].0
}

/// The other places where windows on what is pinned at one stand, with how many there are, the most first.
fn others(holders: &Holders<'_>, holder: HolderId, pins: &[Pin]) -> Vec<(String, u64)> {
    let mut others: FxHashMap<HolderId, u64> = FxHashMap::default();
    for &(at, windows) in pins.iter().flat_map(|pin| &pin.stand) {
        if at != holder {
            *others.entry(at).or_default() += windows;
        }
    }
    let mut others: Vec<_> = others
        .into_iter()
        .map(|(at, windows)| (holders.name(at), windows))
        .collect();
    others.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    others
}

fn candidate(
    heap: &Heap,
    holders: &Holders<'_>,
    holder: HolderId,
    external: bool,
    mut place: Place,
) -> Option<Candidate> {
    let waste = |pin: &Pin| heap.bytes(pin.row).saturating_sub(pin.copies);
    place
        .pins
        .sort_unstable_by_key(|pin| (std::cmp::Reverse(waste(pin)), pin.row));
    let total: u64 = place.pins.iter().map(waste).sum();
    let texts = place.pins.iter().any(|pin| pin.text);
    let several = place.pins.len() as u64 >= SEVERAL || waste(&place.pins[0]) >= ONE_LARGE;
    let objects: u64 = place.pins.iter().map(|pin| objects_of_copies(heap, pin)).sum();
    if total < LEAST_WASTE || !(texts || several) || total < objects.saturating_mul(2) {
        return None;
    }
    let mut candidate = Candidate::at(holders.name(holder));
    let estimated: u64 = place.pins.iter().map(|pin| pin.estimated).sum();
    if place.pins.iter().any(|pin| pin.assumed) {
        candidate = candidate.assuming(format!(
            "slices whose length the dump does not tell have at most {UNITS_AT_MOST} characters"
        ));
    } else if estimated > 0 {
        candidate = candidate.assuming(format!(
            "the {} whose length was recorded stand for {} more",
            Count(place.known as u64).of("slice", "slices"),
            Count(estimated)
        ));
    } else if !texts {
        candidate = candidate
            .assuming("the views do not overlap, and nobody writes through one to be read by another");
    }
    candidate.external = external;
    candidate.count = place.pins.len() as u64;
    candidate.good = place.good;
    let mut windows = 0;
    for pin in &place.pins {
        windows += pin.windows;
        let now = heap.bytes(pin.row);
        candidate.bytes_now += now;
        if !pin.text {
            candidate.claim(pin.row, now - pin.copies);
            continue;
        }
        candidate.claim(pin.row, now);
        for &(slice, copy) in &pin.slices {
            let slice_now = heap.bytes(slice);
            candidate.bytes_now += slice_now;
            if copy > slice_now {
                candidate.give(slice, copy - slice_now);
            } else if copy < slice_now {
                candidate.claim(slice, slice_now - copy);
            }
        }
    }
    let pinned: u64 = place.pins.iter().map(|pin| heap.bytes(pin.row)).sum();
    let what = if texts {
        ("text", "texts")
    } else {
        ("buffer", "buffers")
    };
    candidate.title = format!(
        "{} {} {}",
        Count(windows).of("slice", "slices"),
        if windows == 1 { "pins" } else { "pin" },
        Count(place.pins.len() as u64).of(what.0, what.1)
    );
    candidate.fix = "copy what is kept, so that the rest can go".into();
    let others = others(holders, holder, &place.pins);
    if let [(most, _), more @ ..] = &others[..] {
        let more = match more.len() as u64 {
            0 => String::new(),
            more => format!(" and {}", Count(more).of("more place", "more places")),
        };
        candidate.fix = format!("{}; at {most}{more}, too", candidate.fix);
        let also: Vec<_> = others
            .iter()
            .take(5)
            .map(|(place, slices)| json!({"place": place, "slices": slices}))
            .collect();
        candidate.show("also_pinned_from", also);
    }
    candidate.show("slices", windows);
    if estimated > 0 {
        candidate.show("slices_of_estimated_length", estimated);
    }
    candidate.show("pinned_bytes", pinned);
    candidate.show("copies_bytes", pinned - total);
    if objects > 0 {
        candidate.show("objects_of_copies_bytes", objects);
    }
    let examples: Vec<_> = place
        .pins
        .iter()
        .take(3)
        .map(|pin| json!({"pinned_bytes": heap.bytes(pin.row), "slices": pin.windows, "copies_bytes": pin.copies}))
        .collect();
    candidate.show("examples", examples);
    Some(candidate)
}

/// Bytes of the objects inside the heap that copies of views need beside the one that is there.
fn objects_of_copies(heap: &Heap, pin: &Pin) -> u64 {
    pin.own
        .map_or(0, |own| heap.bytes(own).saturating_mul(pin.windows - 1))
}

#[cfg(test)]
mod tests {
    use deadweight_heap::{HeapBuilder, Width};

    use super::*;

    fn keep(heap: &mut HeapBuilder, value: ObjectId) {
        let user = heap.record("User", &[("id", value)]);
        heap.variable("users", user);
    }

    #[test]
    fn the_place_with_most_slices_is_named_and_the_others_are_told() {
        let mut heap = HeapBuilder::new();
        for line in 0..20 {
            let page = heap.string(&"x".repeat(10_000));
            let mut fields: Vec<_> = ["at", "ref", "ref", "at", "name"]
                .iter()
                .map(|&field| (field, heap.slice(page, "twenty characters ..")))
                .collect();
            fields.rotate_left(line % 5);
            for (field, slice) in fields {
                let row = heap.record("Row", &[(field, slice)]);
                heap.variable("rows", row);
            }
        }
        let found = Slices.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].holder.as_str(), found[0].count), ("Row.at", 20));
        assert_eq!(
            found[0].fix,
            "copy what is kept, so that the rest can go; at Row.ref and 1 more place, too"
        );
        assert_eq!(found[0].evidence["also_pinned_from"][0]["slices"], 40);
    }

    #[test]
    fn texts_that_only_slices_keep_are_claimed_less_the_copies() {
        let mut heap = HeapBuilder::new();
        let page = heap.string(&"x".repeat(100_000));
        for id in ["an id of twenty char", "another, also twenty", "short"] {
            let slice = heap.slice(page, id);
            keep(&mut heap, slice);
        }
        let found = Slices.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].holder, "User.id");
        // 20 characters take 40 bytes, 8 more than the slice; five take 24, 8 fewer.
        assert_eq!(found[0].net(), 100_016 - 2 * 8 + 8);
        assert_eq!(found[0].assumes, None);
    }

    #[test]
    fn a_text_that_somebody_else_holds_is_not_pinned() {
        let mut heap = HeapBuilder::new();
        let page = heap.string(&"x".repeat(100_000));
        let slice = heap.slice(page, "an id of twenty char");
        keep(&mut heap, slice);
        heap.variable("page", page);
        assert!(Slices.look(&heap.build()).candidates.is_empty());
    }

    #[test]
    fn unknown_lengths_are_assumed_or_said_to_be_unknown() {
        let mut heap = HeapBuilder::new();
        let large = heap.string(&"x".repeat(100_000));
        let slice = heap.slice(large, "");
        keep(&mut heap, slice);
        let cut_up = heap.string(&"y".repeat(70_000));
        for _ in 0..100 {
            let slice = heap.slice(cut_up, "");
            keep(&mut heap, slice);
        }
        let verdict = Slices.look(&heap.build());
        assert_eq!(verdict.candidates.len(), 1);
        assert_eq!(verdict.candidates[0].count, 1);
        assert_eq!(verdict.candidates[0].net(), 100_016 + 32 - (16 + 2 * 1024));
        assert!(verdict.candidates[0].assumes.is_some());
        assert_eq!(verdict.not_measured.len(), 1);
    }

    /// One slice in `Import.names[]` of each of 900 lines of `line` characters. Of every third slice
    /// the length is recorded.
    fn cells(line: usize, units: impl Fn(u32) -> u32) -> Heap {
        let mut heap = HeapBuilder::new();
        let slices: Vec<_> = (0..900)
            .map(|i| {
                let parent = heap.string(&format!("{i:0line$}"));
                if i % 3 == 0 {
                    heap.slice_of_length(parent, units(i), Width::One)
                } else {
                    heap.slice(parent, "")
                }
            })
            .collect();
        let names = heap.array(900, &slices);
        let import = heap.record("Import", &[("names", names)]);
        heap.variable("table", import);
        heap.build()
    }

    #[test]
    fn recorded_lengths_stand_for_the_others_at_their_holder() {
        let verdict = Slices.look(&cells(304, |i| 16 + 32 * (i % 2)));
        let [found] = &verdict.candidates[..] else {
            panic!("{verdict:?}")
        };
        assert_eq!(found.holder, "Import.names[]");
        assert_eq!((found.count, found.good), (900, 0));
        // Half of the copies take 32 bytes, half 64: 48 in the mean, in place of slices of 32.
        assert_eq!(found.net(), 900 * (320 + 32 - 48));
        assert_eq!(
            found.assumes.as_deref(),
            Some("the 300 slices whose length was recorded stand for 600 more")
        );
        assert!(verdict.not_measured.is_empty());
    }

    #[test]
    fn a_slice_pays_for_a_part_of_its_copy_whether_its_length_is_recorded_or_not() {
        // Texts of 136 bytes; copies of 88 in place of slices of 32 take less than half of that.
        let verdict = Slices.look(&cells(114, |_| 72));
        let [found] = &verdict.candidates[..] else {
            panic!("{verdict:?}")
        };
        assert_eq!((found.count, found.good), (900, 0));
        assert_eq!(found.net(), 900 * (136 + 32 - 88));
    }

    #[test]
    fn where_recorded_slices_are_most_of_their_texts_all_are_healthy() {
        let verdict = Slices.look(&cells(304, |_| 200));
        assert!(verdict.candidates.is_empty(), "{verdict:?}");
        assert!(verdict.not_measured.is_empty(), "{verdict:?}");
    }

    #[test]
    fn a_few_recorded_lengths_do_not_stand_for_others() {
        let mut heap = HeapBuilder::new();
        for i in 0..300 {
            let parent = heap.string(&format!("{i:0304}"));
            let slice = if i < 20 {
                heap.slice_of_length(parent, 16, Width::Two)
            } else {
                heap.slice(parent, "")
            };
            keep(&mut heap, slice);
        }
        let verdict = Slices.look(&heap.build());
        assert!(verdict.candidates.is_empty(), "the known ones waste too little");
        let [blind] = &verdict.not_measured[..] else {
            panic!("{verdict:?}")
        };
        assert!(blind.why.contains("280 texts"), "{}", blind.why);
        assert!(blind.how.contains("in the program"), "{}", blind.how);
    }

    #[test]
    fn a_weak_reference_holds_nothing() {
        let mut heap = HeapBuilder::new();
        let page = heap.string(&"x".repeat(100_000));
        let slice = heap.slice_of_length(page, 20, Width::Two);
        keep(&mut heap, slice);
        let list = heap.array(0, &[]);
        heap.edge(list, EdgeKind::Weak, 0, page);
        let found = Slices.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net(), 100_016 + 32 - (16 + 40));
    }

    #[test]
    fn views_that_pin_backings_are_claimed_outside() {
        let mut heap = HeapBuilder::new();
        for _ in 0..10 {
            let pool = heap.buffer(65_536, 0, 1);
            let view = heap.view(pool, 100);
            keep(&mut heap, view);
        }
        let full = heap.buffer(65_536, 0, 1);
        let view = heap.view(full, 60_000);
        keep(&mut heap, view);
        let found = Slices.look(&heap.build()).candidates;
        assert_eq!(found.len(), 1);
        assert!(found[0].external);
        assert_eq!((found[0].count, found[0].good), (10, 1));
        assert_eq!(found[0].net(), 10 * (65_536 - 100));
    }

    #[test]
    fn the_pool_being_filled_and_buffers_in_use_are_no_waste() {
        let mut heap = HeapBuilder::new();
        let pool = heap.buffer(65_536 * 2, 0, 1);
        let view = heap.view(pool, 12);
        keep(&mut heap, view);
        for _ in 0..10 {
            let in_use = heap.buffer(65_536, 0, 1);
            heap.variable("all", in_use);
            let view = heap.view(in_use, 12);
            keep(&mut heap, view);
        }
        assert!(Slices.look(&heap.build()).candidates.is_empty());
    }
}
