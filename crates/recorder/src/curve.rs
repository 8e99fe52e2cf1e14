//! Live bytes over time, in few points: `curve.json` beside a dump.

use std::fmt::Write as _;
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::spin::SpinLock;

/// Points that are kept; twice as many are taken before each two become one.
const KEPT: usize = 60;

/// What was held at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since the process began, or since it was forked.
    pub ms: u64,
    /// Live bytes.
    pub bytes: u64,
}

struct Place {
    ms: AtomicU64,
    bytes: AtomicU64,
}

impl Place {
    fn get(&self) -> Moment {
        Moment {
            ms: self.ms.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }

    fn set(&self, moment: Moment) {
        self.ms.store(moment.ms, Relaxed);
        self.bytes.store(moment.bytes, Relaxed);
    }
}

/// The points of a process.
pub struct Curve {
    lock: SpinLock,
    places: [Place; 2 * KEPT],
    len: AtomicUsize,
    /// A point stands for at least so many milliseconds.
    stretch_ms: AtomicU64,
    highest: Place,
}

/// The curve of this process.
pub static CURVE: Curve = Curve::new();

const fn place() -> Place {
    Place {
        ms: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
    }
}

impl Curve {
    const fn new() -> Self {
        Self {
            lock: SpinLock::new(),
            places: [const { place() }; 2 * KEPT],
            len: AtomicUsize::new(0),
            stretch_ms: AtomicU64::new(1),
            highest: place(),
        }
    }

    /// A forked child begins its own.
    pub fn clear(&self) {
        self.len.store(0, Relaxed);
        self.stretch_ms.store(1, Relaxed);
        self.highest.set(Moment::default());
        self.lock.unlock();
    }

    /// Notes what is held now. Passed over where another thread is at it.
    pub fn note(&self, now: Moment) {
        if self.lock.try_lock() {
            self.add(now);
            self.lock.unlock();
        }
    }

    fn add(&self, now: Moment) {
        if now.bytes > self.highest.bytes.load(Relaxed) {
            self.highest.set(now);
        }
        let len = self.len.load(Relaxed);
        if let Some(last) = len.checked_sub(1).map(|last| &self.places[last]) {
            let before = last.get();
            // Of each stretch the highest stands.
            if now.ms / self.stretch_ms.load(Relaxed) <= before.ms / self.stretch_ms.load(Relaxed) {
                if now.bytes > before.bytes {
                    last.set(now);
                }
                return;
            }
        }
        self.places[len].set(now);
        self.len.store(len + 1, Release);
        if len + 1 == self.places.len() {
            self.thin();
        }
    }

    fn thin(&self) {
        for pair in 0..KEPT {
            let (one, other) = (self.places[2 * pair].get(), self.places[2 * pair + 1].get());
            self.places[pair].set(if other.bytes > one.bytes { other } else { one });
        }
        self.len.store(KEPT, Release);
        self.stretch_ms.store(self.stretch_ms.load(Relaxed) * 2, Relaxed);
    }

    /// The side file, for a dump that shows `captured`; `last` is what is held now.
    pub fn json(&self, captured: Moment, last: Moment) -> String {
        let mut out = String::from("{\"schema\":\"deadweight/curve/1\",\"of\":\"live\"");
        let highest = self.highest.get();
        let highest = if last.bytes > highest.bytes { last } else { highest };
        for (name, moment) in [("highest", highest), ("captured", captured)] {
            // Writing to a text does not fail.
            let _ = write!(out, ",\"{name}\":");
            push(&mut out, moment);
        }
        out.push_str(",\"points\":[");
        for place in &self.places[..self.len.load(Acquire)] {
            push(&mut out, place.get());
            out.push(',');
        }
        push(&mut out, last);
        out.push_str("]}\n");
        out
    }
}

fn push(out: &mut String, Moment { ms, bytes }: Moment) {
    let _ = write!(out, "{{\"ms\":{ms},\"bytes\":{bytes}}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(curve: &Curve) -> Vec<Moment> {
        curve.places[..curve.len.load(Relaxed)]
            .iter()
            .map(Place::get)
            .collect()
    }

    #[test]
    fn few_points_keep_the_highest_of_a_long_life() {
        let curve = Curve::new();
        for ms in 0..1_000_000 {
            let bytes = if ms == 777_777 { 1_000 } else { ms % 10 };
            curve.note(Moment { ms, bytes });
        }
        let points = points(&curve);
        assert!((KEPT..2 * KEPT).contains(&points.len()), "{}", points.len());
        assert!(points.contains(&Moment {
            ms: 777_777,
            bytes: 1_000
        }));
        assert!(points.is_sorted_by_key(|point| point.ms));
        assert!(points.last().unwrap().ms > 980_000, "{points:?}");
    }

    #[test]
    fn the_file_says_what_is_held_last() {
        let curve = Curve::new();
        curve.note(Moment { ms: 1, bytes: 50 });
        curve.note(Moment { ms: 5, bytes: 40 });
        let captured = Moment { ms: 2, bytes: 49 };
        let text = curve.json(captured, Moment { ms: 9, bytes: 3 });
        assert_eq!(
            text.trim(),
            concat!(
                r#"{"schema":"deadweight/curve/1","of":"live","highest":{"ms":1,"bytes":50},"#,
                r#""captured":{"ms":2,"bytes":49},"points":[{"ms":1,"bytes":50},{"ms":5,"bytes":40},{"ms":9,"bytes":3}]}"#
            )
        );
    }
}
