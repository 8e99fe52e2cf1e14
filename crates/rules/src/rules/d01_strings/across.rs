//! Strings that are equal to those of another place.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Flags, Heap, HolderId, Holders, ObjectId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Doubts, assuming, hidden_at, intern, is_cut};
use crate::Candidate;
use crate::count::Count;
use crate::equal_texts::{EqualTexts, TextsAt};

/// Fewer strings at one place are a coincidence.
const FEWEST: u64 = 16;

/// No place has the text.
const NOWHERE: u32 = u32::MAX;

/// The places that have a name, those with the most values first, and the place to which each text belongs.
struct Homes<'h> {
    heap: &'h Heap,
    holders: Holders<'h>,
    places: Vec<&'h TextsAt>,
    /// The number of each place's first string, counted over all places.
    starts: Vec<u32>,
    /// For each text the lowest number of a string that has it.
    numbers: Vec<AtomicU32>,
}

pub(super) fn candidates(heap: &Heap, texts: &EqualTexts) -> Vec<Candidate> {
    let holders = Holders::new(heap);
    let is_known = |place: &&TextsAt| holders.is_known(holders.of(place.rows[0]));
    let mut places: Vec<&TextsAt> = texts.places.iter().filter(is_known).collect();
    // Of places with equally many values that one is home whose strings keep no others alive.
    let made_of_others = |place: &TextsAt| {
        let rows = place.rows.iter();
        rows.filter(|&&row| !heap.objects.has(row, Flags::FLAT)).count()
    };
    // The next by name: where strings stand in memory changes from one moment to the next. Places with fewer values are nobody's
    // finding, and need no name.
    let name = |place: &TextsAt| {
        let matters = place.values as u64 >= FEWEST;
        matters.then(|| holders.name(holders.of(place.rows[0])))
    };
    places.sort_by_cached_key(|place| {
        (
            std::cmp::Reverse(place.values),
            made_of_others(place),
            name(place),
            place.rows[0],
        )
    });
    let starts = places.iter().scan(0_u32, |next, place| {
        let start = *next;
        *next = next.saturating_add(place.rows.len() as u32);
        Some(start)
    });
    let homes = Homes {
        heap,
        holders,
        starts: starts.collect(),
        places,
        numbers: (0..heap.texts.len())
            .into_par_iter()
            .map(|_| AtomicU32::new(NOWHERE))
            .collect(),
    };
    let all = homes.places.par_iter().zip(&homes.starts);
    all.for_each(|(place, &start)| homes.settle(place, start));
    let all = homes.places.par_iter().zip(&homes.starts);
    all.filter_map(|(place, &start)| homes.away(place, start))
        .collect()
}

impl Homes<'_> {
    fn home(&self, row: ObjectId) -> Option<&AtomicU32> {
        self.numbers.get(self.heap.objects.label[row as usize] as usize)
    }

    fn settle(&self, place: &TextsAt, start: u32) {
        for (at, (&row, &first)) in (0..).zip(place.rows.iter().zip(&place.firsts)) {
            if at == first
                && let Some(home) = self.home(row)
            {
                home.fetch_min(start.saturating_add(at), Ordering::Relaxed);
            }
        }
    }

    /// The string that has a row's text at another place, before `start`, and the number of that place. Texts that the dump cuts off
    /// are equal in one size alone.
    fn elsewhere(&self, row: ObjectId, start: u32) -> Option<(ObjectId, usize)> {
        let number = self.home(row)?.load(Ordering::Relaxed);
        let place = self.starts[..].partition_point(|&start| start <= number) - 1;
        let at_home = self.places[place].rows[(number - self.starts[place]) as usize];
        let is_equal = || {
            !is_cut(self.heap, row) && !is_cut(self.heap, at_home)
                || self.heap.bytes(at_home) == self.heap.bytes(row)
        };
        (number < start && is_equal()).then_some((at_home, place))
    }

    /// The strings of a place that are at home elsewhere.
    fn away(&self, place: &TextsAt, start: u32) -> Option<Candidate> {
        let heap = self.heap;
        let away = place
            .rows
            .iter()
            .filter_map(|&row| Some((row, self.elsewhere(row, start)?)));
        let away: Vec<(ObjectId, (ObjectId, usize))> = away.collect();
        if (away.len() as u64) < FEWEST {
            return None;
        }
        let holder = self.holders.of(place.rows[0]);
        let mut candidate = Candidate::at(self.holders.name(holder)).at_all_places();
        candidate.variant = if place.is_behind {
            "behind, across"
        } else {
            "across"
        };
        candidate.step = 1;
        candidate.claims.reserve_copies(away.len());
        let mut of: FxHashMap<HolderId, u64> = FxHashMap::default();
        let mut cut_off = false;
        for &(row, (at_home, _)) in &away {
            candidate.claim_copy(heap, at_home, row);
            *of.entry(self.holders.of(at_home)).or_default() += 1;
            cut_off = cut_off || is_cut(heap, row) || is_cut(heap, at_home);
        }
        candidate.count = away.len() as u64;
        candidate.unaffected = place.rows.len() as u64 - candidate.count;
        candidate.bytes_now = candidate.claims.bytes();
        if heap.fixed.interned.is_some() {
            let homes: BTreeSet<usize> = away.iter().map(|(_, (_, place))| *place).collect();
            let homes = homes.into_iter().map(|place| self.places[place]);
            let all = std::iter::once(place).chain(homes);
            intern(
                heap,
                all.map(|place| place.new_texts(heap)).collect(),
                &mut candidate,
            );
        }
        let mut of: Vec<(u64, String)> = of
            .into_iter()
            .map(|(holder, count)| (count, self.holders.name(holder)))
            .collect();
        of.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let others = match of.len() - 1 {
            0 => String::new(),
            others => format!(
                " or at {}",
                Count(others as u64).of("other place", "other places")
            ),
        };
        let (most, first) = &of[0];
        candidate.title = format!(
            "{} equal to one at {first}{others}",
            Count(candidate.count).of("string", "strings")
        );
        candidate.fix = format!("use one table for these and those at {first}{others}");
        candidate.show("strings", candidate.count);
        candidate.show("equal_at", first.as_str());
        candidate.show("equal_there", *most);
        candidate.show("other_places", of.len() - 1);
        let doubts = Doubts {
            cut_off,
            estimate: None,
            hidden: hidden_at(place),
            unlike: false,
        };
        Some(assuming(heap, candidate, &doubts))
    }
}
