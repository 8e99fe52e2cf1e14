//! How many values stand in slices whose text the dump does not show.
//!
//! A recorder compares a sample of all slices. What the compared ones of a place show stands for the others there.

use deadweight_heap::{Heap, ObjectId, StringForm};
use rustc_hash::FxHashMap;

use crate::equal_texts::TextsAt;

/// Fewer slices do not stand for others: of a hundred that all repeat, the next repeats in 97 of 100 cases (95 %).
const ENOUGH: u64 = 100;

/// More of a hundred that were met and not compared, as long ones are, make the compared ones a choice.
const CHOSEN_PERCENT: u64 = 1;

/// What is to be expected of the slices of a place that show no text.
#[derive(Debug)]
pub(super) struct Estimate {
    /// Slices whose text is known.
    pub(super) compared: u64,
    /// Slices whose text is not.
    pub(super) hidden: u64,
    /// Values that stand in these alone.
    pub(super) new: u64,
    /// The slices that a table of values would let go. All are of one price, so that it does not matter which.
    pub(super) gone: Vec<ObjectId>,
    /// One that stays, of a known value.
    pub(super) kept: ObjectId,
}

impl Estimate {
    /// Nothing where too few are known, or where nothing repeats.
    pub(super) fn of(heap: &Heap, texts: &TextsAt) -> Option<Self> {
        let is_slice = |row: &ObjectId| heap.string_form(*row) == Some(StringForm::Slice);
        let hidden: Vec<ObjectId> = texts.hidden.iter().copied().filter(is_slice).collect();
        let mut copies: FxHashMap<u32, u64> = FxHashMap::default();
        let mut kept = None;
        for (row, first) in texts.rows.iter().zip(&texts.firsts) {
            if is_slice(row) {
                *copies.entry(*first).or_default() += 1;
                kept = kept.or(Some(*row));
            }
        }
        let compared: u64 = copies.values().sum();
        // Who asked how long a slice is, met it.
        let met = hidden.iter().filter(|&&row| heap.length(row).is_some()).count() as u64;
        if hidden.is_empty() || compared < ENOUGH || met * 100 > compared * CHOSEN_PERCENT {
            return None;
        }
        let times = |times| copies.values().filter(|&&copies| copies == times).count() as f64;
        let new = new_values(compared as f64, times(1), times(2), hidden.len() as f64);
        let new = (new.ceil() as u64).min(hidden.len() as u64);
        // Those that stay are spread evenly.
        let all = hidden.len() as u64;
        let gone = (0..all)
            .zip(hidden)
            .filter(|(at, _)| (at + 1) * new / all == at * new / all);
        let gone: Vec<ObjectId> = gone.map(|(_, row)| row).collect();
        (!gone.is_empty()).then_some(Self {
            compared,
            hidden: all,
            new,
            gone,
            kept: kept?,
        })
    }
}

/// How many values are to be expected that only `hidden` strings have, when of a sample of `met` others `once` values were met
/// once and `twice` twice: the lower bound of Chao and Lin for samples that take no string a second time, which is near the
/// truth where values come about equally often.
fn new_values(met: f64, once: f64, twice: f64, hidden: f64) -> f64 {
    if once == 0.0 {
        return 0.0;
    }
    once * once / (2.0 * twice * met / (met - 1.0) + once * met / hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `all` strings that come in turn, `known` of them picked by a fixed sequence: expected and true new ones.
    fn tried(values: &[u64], known: usize) -> (f64, f64) {
        let mut order: Vec<u64> = values.to_vec();
        let mut seed = 0x2545_F491_4F6C_DD1D_u64;
        for at in (1..order.len()).rev() {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            order.swap(at, (seed % (at as u64 + 1)) as usize);
        }
        let mut copies: FxHashMap<u64, u64> = FxHashMap::default();
        for value in &order[..known] {
            *copies.entry(*value).or_default() += 1;
        }
        let mut new: Vec<u64> = order[known..]
            .iter()
            .copied()
            .filter(|value| !copies.contains_key(value))
            .collect();
        new.sort_unstable();
        new.dedup();
        let times = |times| copies.values().filter(|&&copies| copies == times).count() as f64;
        let more = (order.len() - known) as f64;
        (
            new_values(known as f64, times(1), times(2), more),
            new.len() as f64,
        )
    }

    #[test]
    fn new_values_are_expected_as_they_come() {
        let all = 100_000_u64;
        let evenly = |values: u64| (0..all).map(|at| at % values).collect::<Vec<_>>();
        // Half of the strings are of seven values, each other one has its own.
        let mixed: Vec<u64> = (0..all)
            .map(|at| if at % 2 == 0 { at % 7 } else { at + 10 })
            .collect();
        for (values, known) in [
            (evenly(40), 5_000),
            (evenly(1000), 5_000),
            (evenly(10_000), 5_000),
            (evenly(30_000), 20_000),
            (evenly(100_000), 5_000),
            (mixed, 5_000),
        ] {
            let (expected, is) = tried(&values, known);
            // Of the strings that are hidden, at most two of a hundred are taken for what they are not.
            let hidden = (values.len() - known) as f64;
            assert!((expected - is).abs() < 0.02 * hidden, "{expected} for {is}");
        }
    }

    #[test]
    fn where_all_repeat_nothing_is_new() {
        assert_eq!(new_values(500.0, 0.0, 3.0, 1e6).to_bits(), 0.0_f64.to_bits());
        // Where none does, each is new.
        assert!((new_values(100.0, 100.0, 0.0, 1000.0) - 1000.0).abs() < 1e-9);
    }
}
