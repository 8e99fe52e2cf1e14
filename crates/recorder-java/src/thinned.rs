//! Which of the objects that the machine has chosen are recorded.
//!
//! `HotSpot` draws the distances between samples by a generator of each thread's own, whose seed is where the thread lies in
//! memory. Threads that come one after the other lie in the same place, so that the first of each is chosen at the same
//! distance from its start: with one sample each 131,072 bytes five thousand threads that allocated 40,800 bytes each seemed to
//! allocate half as much again (JDK 17), or a fifth (JDK 25). So the machine is asked for more samples than are wanted, and
//! those that are kept are drawn here: what the start of a thread distorts is as much smaller as its distances are. Each of the
//! machine's samples costs about 0.2 microseconds, so that it is asked for many only where a program starts many threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The machine is asked for this many times as many samples.
const TIMES: u64 = 16;

/// The same once a program has started [`MANY`] threads.
const TIMES_OF_MANY: u64 = 128;
const MANY: u64 = 256;

/// Whether the machine's distances may be short.
static MAY_BE_SHORT: AtomicBool = AtomicBool::new(true);

/// Below this distance nearly every object would be one.
const CLOSEST: u64 = 256;

/// Bytes from one recorded sample to the next, and from one of the machine's; 0 where all are recorded.
static WANTED: AtomicU64 = AtomicU64::new(0);
static ASKED: AtomicU64 = AtomicU64::new(0);

/// Threads that have begun.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// From where the next thread that draws begins.
static NEXT: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// The distance to ask of the machine, for one recorded sample each `every` bytes; `seed` differs from run to run.
///
/// The first versions that sample (11 to 16) take the rest of the object that was sampled off the next distance where that is
/// longer, and leave it whole where it is shorter. So after an object that is about as large as a distance the next sample comes
/// too early: distances there may not be short.
pub fn ask(every: u64, seed: u64, may_be_short: bool) -> u64 {
    MAY_BE_SHORT.store(may_be_short, Ordering::Relaxed);
    WANTED.store(every, Ordering::Relaxed);
    NEXT.store(seed | 1, Ordering::Relaxed);
    let asked = distance(TIMES);
    is_asked(asked);
    asked
}

/// From now on the machine samples at that distance.
pub fn is_asked(asked: u64) {
    ASKED.store(asked, Ordering::Relaxed);
}

/// Notes that a thread has begun, and gives the distance that is to be asked for, where it is another.
pub fn thread_begins() -> Option<u64> {
    let is_many = BEGUN.fetch_add(1, Ordering::Relaxed) + 1 == MANY;
    (is_many && WANTED.load(Ordering::Relaxed) > 1).then(|| distance(TIMES_OF_MANY))
}

fn distance(times: u64) -> u64 {
    let every = WANTED.load(Ordering::Relaxed);
    if !MAY_BE_SHORT.load(Ordering::Relaxed) {
        return every;
    }
    (every / times).max(CLOSEST.min(every))
}

/// Whether an object of that size is recorded, which the machine has chosen.
pub fn is_kept(bytes: u64) -> bool {
    let (wanted, asked) = (WANTED.load(Ordering::Relaxed), ASKED.load(Ordering::Relaxed));
    wanted <= 1 || chance() < share(bytes, wanted, asked)
}

/// How likely an object is seen once each `wanted` bytes, of those that are seen once each `asked` bytes.
fn share(bytes: u64, wanted: u64, asked: u64) -> f64 {
    let seen = |every: u64| -(-(bytes as f64) / every as f64).exp_m1();
    seen(wanted) / seen(asked)
}

/// A number from 0 up to 1.
fn chance() -> f64 {
    STATE.with(|state| {
        let mut next = state.get();
        if next == 0 {
            // Weyl's sequence, mixed: neighbours have nothing in common.
            next = NEXT.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            next = (next ^ (next >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            next = (next ^ (next >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) | 1;
        }
        next ^= next << 13;
        next ^= next >> 7;
        next ^= next << 17;
        state.set(next);
        (next >> 11) as f64 / (1_u64 << 53) as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_as_likely_as_if_the_machine_had_chosen_so() {
        let (wanted, asked) = (131_072, 4096);
        for bytes in [16_u64, 400, 5000, 200_000] {
            let by_machine = -(-(bytes as f64) / asked as f64).exp_m1();
            let both = by_machine * share(bytes, wanted, asked);
            let alone = -(-(bytes as f64) / wanted as f64).exp_m1();
            assert!((both - alone).abs() < 1e-12, "{bytes}: {both} of {alone}");
        }
    }

    #[test]
    fn many_threads_are_asked_for_more() {
        assert_eq!(ask(131_072, 7, true), 8192);
        let asked: Vec<u64> = (0..1000).filter_map(|_| thread_begins()).collect();
        assert_eq!(asked, [1024]);
        let ask_for = |every| ask(every, 7, true);
        assert_eq!((ask_for(1), ask_for(100), ask_for(1000)), (1, 100, 256));
        assert_eq!(ask(131_072, 7, false), 131_072);
    }

    #[test]
    fn threads_draw_from_the_whole_range_by_themselves() {
        let first: Vec<f64> = (0..200)
            .map(|_| std::thread::spawn(chance).join().unwrap())
            .collect();
        let mean = first.iter().sum::<f64>() / 200.0;
        assert!((0.4..0.6).contains(&mean), "{mean}");
        let mut sorted = first;
        sorted.sort_by(f64::total_cmp);
        assert!(sorted[5] < 0.1 && sorted[194] > 0.9, "{sorted:?}");
    }
}
