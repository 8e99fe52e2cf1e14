//! The highest moment: when a snapshot on the way is worth what it costs.
//!
//! What a program holds is counted all the time, so a fall below the highest is seen as it begins, before the block
//! whose freeing says so is gone. While the program climbs, snapshots are for the case that it is killed: each must
//! hold a quarter more than the last, and all together may take a twentieth of the time. What the last one held stands
//! in a file that a higher one replaces.

use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Relaxed},
};

use crate::counts;
use crate::curve::{CURVE, Moment};
use crate::snapshot::{self, clock};

/// Less is not looked at: it would cost more to write than it tells.
const LEAST: u64 = 1 << 20;
/// A fall is one part of so many of the highest.
const FALL: u64 = 64;
/// A program that has held no more for so long is at rest.
const REST_MS: u64 = 150;
/// What a snapshot costs, as long as none has said: a part that is always the same, and one for each KiB alive.
const FIXED_NS: u64 = 2_000_000;
const NS_A_KIB: u64 = 1_300;
/// Allocations that failed and are captured although there is no time for it.
const FAILURES: u32 = 3;

static WANTED: AtomicBool = AtomicBool::new(false);
static BEGAN: AtomicU64 = AtomicU64::new(0);
/// When there was a new highest, clearly above the one before, in milliseconds.
static HIGH_AT: AtomicU64 = AtomicU64::new(0);
static HIGH_TOLD: AtomicU64 = AtomicU64::new(0);
/// What the best snapshot holds that was written or is being written.
static CAPTURED: AtomicU64 = AtomicU64::new(0);
static SPENT_NS: AtomicU64 = AtomicU64::new(0);
static COST_NS_A_KIB: AtomicU64 = AtomicU64::new(NS_A_KIB);
static FAILED: AtomicU32 = AtomicU32::new(0);

/// Begins to look, if the settings say so.
pub fn prepare(wanted: bool) {
    BEGAN.store(clock(), Relaxed);
    WANTED.store(wanted, Relaxed);
}

/// Nanoseconds since the process began, or since it was forked.
pub fn elapsed() -> u64 {
    clock().saturating_sub(BEGAN.load(Relaxed))
}

/// Whether the highest moment is kept.
pub fn is_wanted() -> bool {
    WANTED.load(Relaxed)
}

/// What a forked child has of its parent is its parent's to show.
pub fn in_child() {
    BEGAN.store(clock(), Relaxed);
    HIGH_TOLD.store(0, Relaxed);
    CURVE.clear();
    CAPTURED.store(counts::live_bytes(), Relaxed);
    for sum in [&SPENT_NS, &HIGH_AT] {
        sum.store(0, Relaxed);
    }
    FAILED.store(0, Relaxed);
}

/// What is held now.
pub fn now() -> Moment {
    Moment {
        ms: elapsed() / 1_000_000,
        bytes: counts::live_bytes(),
    }
}

/// Why a snapshot is thought of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Live bytes climb: it is for the case that the program is killed.
    Climb,
    /// They have stopped to climb.
    Rest,
    /// They fall: it is what will be shown.
    Fall,
    /// The allocator has no memory.
    Failure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    No,
    /// At once.
    Now,
    /// It is taken, and written so many nanoseconds after the beginning, when there is time for it, or at the end.
    At(u64),
}

/// What a decision rests on.
#[derive(Clone, Copy, Debug)]
struct View {
    live: u64,
    captured: u64,
    elapsed_ns: u64,
    spent_ns: u64,
    ns_a_kib: u64,
    failed: u32,
}

impl View {
    fn of(live: u64) -> Self {
        Self {
            live,
            captured: captured(),
            elapsed_ns: elapsed(),
            spent_ns: SPENT_NS.load(Relaxed),
            ns_a_kib: COST_NS_A_KIB.load(Relaxed),
            failed: FAILED.load(Relaxed),
        }
    }

    /// Whether the snapshot holds so many percent more than the last.
    fn gains(&self, percent: u64) -> bool {
        gains(self.live, self.captured, percent)
    }

    /// When there is time for one more, if all may take one part of so many.
    fn affordable_at(&self, part: u64) -> u64 {
        let cost = FIXED_NS + self.live / 1024 * self.ns_a_kib;
        (self.spent_ns + cost) * part
    }

    fn affords(&self, part: u64) -> bool {
        self.affordable_at(part) <= self.elapsed_ns
    }

    fn verdict(&self, cause: Cause) -> Verdict {
        let when = |is_worth: bool| if is_worth { Verdict::Now } else { Verdict::No };
        if self.live < LEAST {
            return Verdict::No;
        }
        match cause {
            Cause::Climb => when(self.gains(25) && self.affords(20)),
            Cause::Rest => when(self.gains(2) && self.affords(20)),
            Cause::Fall if self.gains(5) && self.affords(10) => Verdict::Now,
            Cause::Fall if self.gains(5) => Verdict::At(self.affordable_at(10)),
            Cause::Fall => Verdict::No,
            Cause::Failure => when(self.gains(1) && (self.failed < FAILURES || self.affords(10))),
        }
    }
}

fn gains(live: u64, captured: u64, percent: u64) -> bool {
    captured == 0 || live >= captured.saturating_add(captured / 100 * percent)
}

/// After an allocation that told the total.
#[inline]
pub fn look_at_climb() {
    if is_wanted() {
        climb();
    }
}

#[cold]
fn climb() {
    let now = now();
    CURVE.note(now);
    let live = now.bytes;
    let told = HIGH_TOLD.load(Relaxed);
    if live > told + told / 32 {
        HIGH_TOLD.store(live, Relaxed);
        HIGH_AT.store(now.ms, Relaxed);
        // Whoever started the program hears of it also when it is killed.
        if live >= LEAST {
            snapshot::tell("heap", live);
        }
    }
    if live >= LEAST && gains(live, captured(), 25) && View::of(live).verdict(Cause::Climb) == Verdict::Now {
        snapshot::ask_for_highest();
    }
}

/// From time to time, by the count of allocations.
#[inline]
pub fn look_at_rest() {
    if is_wanted() {
        rest();
    }
}

#[cold]
fn rest() {
    let live = counts::live_bytes();
    let high = counts::peak_bytes();
    if live < LEAST || !gains(live, captured(), 2) || live < high - high / 32 {
        return;
    }
    if elapsed() / 1_000_000 > HIGH_AT.load(Relaxed) + REST_MS
        && View::of(live).verdict(Cause::Rest) == Verdict::Now
    {
        snapshot::ask_for_highest();
    }
}

/// Whether a block of `freed` bytes, in whose place `remains` will stand, takes the program clearly below its highest,
/// and what it held until now should be kept; then when that is to be written, by [`clock`]. It is forgotten already.
#[inline]
pub fn has_fallen(freed: u64, remains: usize) -> Option<u64> {
    if is_wanted() {
        fall(freed, remains as u64)
    } else {
        None
    }
}

#[cold]
fn fall(freed: u64, remains: u64) -> Option<u64> {
    let now = now();
    CURVE.note(now);
    let (live, high) = (now.bytes, counts::peak_bytes());
    let before = live + freed;
    if before < LEAST || live + remains >= high - high / FALL || !gains(before, captured(), 5) {
        return None;
    }
    match View::of(before).verdict(Cause::Fall) {
        Verdict::No => None,
        Verdict::Now => Some(0),
        Verdict::At(after) => Some(BEGAN.load(Relaxed) + after),
    }
}

/// Whether what is held should be kept now that the allocator has no memory.
pub fn is_worth_at_failure() -> bool {
    let is_worth = is_wanted() && View::of(counts::live_bytes()).verdict(Cause::Failure) == Verdict::Now;
    FAILED.fetch_add(u32::from(is_worth), Relaxed);
    is_worth
}

/// Live bytes of the best snapshot that was written, is being written or waits for it.
pub fn captured() -> u64 {
    CAPTURED.load(Relaxed)
}

/// A snapshot of so many bytes is being written.
pub fn begun(live: u64) {
    CAPTURED.store(live, Relaxed);
}

/// The program stood still for so long while a clone was made.
pub fn stood_still(nanoseconds: u64) {
    SPENT_NS.fetch_add(nanoseconds, Relaxed);
}

/// It has been written, or not: `standing` are the live bytes of what is there now, `cost_ns` what it took.
pub fn ended(standing: u64, cost_ns: u64) {
    let tried = CAPTURED.swap(standing, AcqRel);
    SPENT_NS.fetch_add(cost_ns, Relaxed);
    if standing == tried && standing >= LEAST {
        COST_NS_A_KIB.store(cost_ns.saturating_sub(FIXED_NS) / (standing / 1024), Relaxed);
    }
}

/// Whether the end holds nearly as much as what was kept, so that the end is shown.
pub fn is_end_as_high(end: u64, kept: u64) -> bool {
    end >= kept - kept / 20
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;
    const SECOND: u64 = 1_000_000_000;

    fn view(live: u64, captured: u64) -> View {
        View {
            live,
            captured,
            elapsed_ns: 60 * SECOND,
            spent_ns: 0,
            ns_a_kib: NS_A_KIB,
            failed: 0,
        }
    }

    #[test]
    fn while_a_program_climbs_each_must_hold_a_quarter_more() {
        assert_eq!(view(125 * MB, 100 * MB).verdict(Cause::Climb), Verdict::Now);
        assert_eq!(view(124 * MB, 100 * MB).verdict(Cause::Climb), Verdict::No);
        assert_eq!(view(103 * MB, 100 * MB).verdict(Cause::Rest), Verdict::Now);
        assert_eq!(view(MB, 0).verdict(Cause::Climb), Verdict::No, "too little");
    }

    #[test]
    fn all_together_take_a_part_of_the_time() {
        let brief = View {
            elapsed_ns: SECOND,
            ..view(200 * MB, 0)
        };
        assert_eq!(brief.verdict(Cause::Climb), Verdict::No);
        // What will be shown is taken all the same, and written when there is time, as the dump at the end is.
        let Verdict::At(when) = brief.verdict(Cause::Fall) else {
            panic!("{:?}", brief.verdict(Cause::Fall))
        };
        assert!((2 * SECOND..3 * SECOND).contains(&when), "{when}");
        assert_eq!(brief.verdict(Cause::Failure), Verdict::Now);
        let spent = View {
            spent_ns: 3 * SECOND,
            ..view(200 * MB, 100 * MB)
        };
        assert_eq!(spent.verdict(Cause::Climb), Verdict::No);
        assert_eq!(spent.verdict(Cause::Fall), Verdict::Now);
    }

    #[test]
    fn allocations_that_fail_again_and_again_are_captured_a_few_times() {
        let tired = View {
            failed: FAILURES,
            spent_ns: 10 * SECOND,
            ..view(200 * MB, 100 * MB)
        };
        assert_eq!(tired.verdict(Cause::Failure), Verdict::No);
    }

    #[test]
    fn an_end_that_holds_nearly_as_much_is_the_moment_to_show() {
        assert!(is_end_as_high(95, 100));
        assert!(!is_end_as_high(94, 100));
        assert!(is_end_as_high(0, 0));
    }
}
