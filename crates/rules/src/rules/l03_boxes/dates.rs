//! Moments that are date objects and would be numbers.

use std::sync::atomic::Ordering;

use deadweight_heap::{EdgeKind, Heap, Holders, Kind, Numeric, ObjectId, Parts, RowSet, in_pieces};
use rayon::prelude::*;

use super::LEAST;
use super::typed::is_typed;
use crate::Candidate;
use crate::count::Count;
use crate::parts::ClaimWhole;

/// Milliseconds of any moment that a program would keep lie within this of 1970: 285,000 years, the widest range
/// of date objects.
pub(super) const MOMENTS: i64 = 9_000_000_000_000_000;

pub(super) fn dates(heap: &Heap) -> Vec<Candidate> {
    if heap.dates.len() < LEAST as usize {
        return Vec::new();
    }
    let holders = Holders::new(heap);
    let mut groups = holders.group(|id| {
        heap.date(id).is_some() && heap.in_program(id) && heap.bytes(id) > 0 && !is_typed(heap, id)
    });
    groups.retain(|(_, dates)| dates.len() >= LEAST as usize);
    if groups.is_empty() {
        return Vec::new();
    }
    let rows = RowSet::of(heap.objects.len(), |id| heap.date(id).is_some()).ranked();
    // How many fields, slots and variables refer to each date.
    let references = heap.tally_references(&rows, 0, |count, reference| {
        if !matches!(reference.via.kind(), EdgeKind::Internal | EdgeKind::Weak) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let references = |id| rows.rank(id).map_or(0, |rank| references[rank]);
    groups
        .into_par_iter()
        .map(|(holder, dates)| of_dates(heap, holders.name(holder), &dates, references))
        .collect()
}

fn of_dates(
    heap: &Heap,
    holder: String,
    dates: &[ObjectId],
    references: impl Fn(ObjectId) -> u32 + Sync,
) -> Candidate {
    let mut candidate = Candidate::at(holder).at_all_places();
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
                found.add_to(id, boxed(heap, value(&id)) * u64::from(references(id).max(1)));
            }
        }
        found
    });
    for found in pieces {
        candidate.absorb(found);
    }
    candidate.count = dates.len() as u64;
    let is_span = |&id: &ObjectId| heap.types.is_span(heap.objects.label[id as usize]);
    let (all, one) = if dates.iter().all(is_span) {
        ("spans of time are kept as objects", "a span")
    } else {
        ("dates are kept as date objects", "a date")
    };
    candidate.title = format!("{} {all}", Count(candidate.count));
    let is_finer = |value: f64| value.is_finite() && value.fract() != 0.0;
    let unit = if dates.iter().map(value).any(is_finer) {
        "microseconds, or whatever is finest,"
    } else {
        "milliseconds"
    };
    let zone = match zones(heap, dates) {
        Zones::None => "",
        Zones::One => " and the time zone of all of them once",
        Zones::Several => {
            candidate = candidate.assuming("the time zone of each is not needed");
            " in one time zone"
        }
    };
    let tight = heap.layout.wording().tight_number.filter(|_| !fit);
    let tight = tight.map(|said| format!(" ({said})")).unwrap_or_default();
    candidate.fix = format!("store the {unit} as a number{tight}{zone}, and create {one} only to show it");
    candidate.show("bytes_each", heap.whole_bytes(dates[0]));
    let after = if fit { 0 } else { boxed(heap, value(&dates[0])) };
    candidate.show("bytes_each_after", after);
    candidate
}

/// The time zones that dates refer to.
enum Zones {
    None,
    One,
    Several,
}

/// Those of dates whose fields belong to their value.
fn zones(heap: &Heap, dates: &[ObjectId]) -> Zones {
    if !heap.layout.are_typed(Kind::Date) {
        return Zones::None;
    }
    let zone = |&id: &ObjectId| {
        heap.edges
            .of(id)
            .find(|edge| edge.field().is_some())
            .map(|edge| edge.to)
    };
    let first = zone(&dates[0]);
    match first {
        _ if dates.iter().any(|id| zone(id) != first) => Zones::Several,
        Some(_) => Zones::One,
        None => Zones::None,
    }
}

/// What a moment's milliseconds take as a number of their own; those of a moment that is not known may be of any.
fn boxed(heap: &Heap, value: f64) -> u64 {
    let value = if value.is_nan() { MOMENTS } else { value as i64 };
    heap.layout.number(Numeric::Integer(value))
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

#[cfg(test)]
mod tests {
    use deadweight_heap::{BuilderLayout, HeapBuilder, Layout, OtherIntegers};

    use super::super::tests::{T, look};
    use super::*;
    use crate::Ledger;

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
    fn zones_and_parts_of_a_millisecond_are_not_lost_unsaid() {
        let fix = |step: f64, zones: usize| {
            let mut heap = HeapBuilder::new();
            heap.layout(OtherIntegers {
                in_slots: BuilderLayout.small_integers(),
                bytes: BuilderLayout.small_integer_bytes(),
                typed_dates: true,
            });
            let all: Vec<ObjectId> = (0..zones).map(|_| heap.record("Zone", &[])).collect();
            for i in 0..20 {
                let date = heap.date(T + step * f64::from(i));
                if zones > 0 {
                    let name = heap.text("zone");
                    heap.edge(date, EdgeKind::Field, name, all[i as usize % zones]);
                }
                let record = heap.record("M", &[("at", date)]);
                heap.variable("all", record);
            }
            let found = look(&heap.build(), "date");
            let is_sure = found[0].assumes.is_none();
            (found[0].fix.clone(), is_sure)
        };
        let (plain, is_sure) = fix(1000.0, 0);
        assert!(plain.starts_with("store the milliseconds as a number, and") && is_sure);
        let (one, is_sure) = fix(1000.0, 1);
        assert!(one.contains("and the time zone of all of them once") && is_sure);
        let (several, is_sure) = fix(1000.0, 2);
        assert!(several.contains("in one time zone") && !is_sure);
        assert!(fix(0.001, 0).0.starts_with("store the microseconds"));
    }

    #[test]
    fn spans_of_time_are_no_dates() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            let span = heap.date(f64::from(i));
            heap.record("M", &[("lasts", span)]);
        }
        heap.spans("Date");
        let found = look(&heap.build(), "date");
        assert_eq!(found[0].title, "20 spans of time are kept as objects");
        assert!(found[0].fix.ends_with("create a span only to show it"));
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

    /// Slots hold numbers of 63 bits.
    const WIDE_SLOTS: OtherIntegers = OtherIntegers {
        in_slots: Some((-(1 << 62), (1 << 62) - 1)),
        bytes: 7,
        typed_dates: false,
    };

    #[test]
    fn a_number_just_beyond_a_slot_does_not_fit_it() {
        let mut heap = HeapBuilder::new();
        heap.layout(WIDE_SLOTS);
        let heap = heap.build();
        // As floats the two largest of these are one number.
        let last = (1_i64 << 62) - 1;
        for (value, fits) in [
            (last, true),
            (last + 1, false),
            (-last - 1, true),
            (-last - 2, false),
        ] {
            let value = Numeric::Integer(value);
            assert_eq!(super::super::fit_slot(&heap, value, value), fits, "{value}");
        }
    }

    #[test]
    fn where_slots_hold_all_moments_no_date_needs_a_box() {
        let mut heap = HeapBuilder::new();
        heap.layout(WIDE_SLOTS);
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
}
