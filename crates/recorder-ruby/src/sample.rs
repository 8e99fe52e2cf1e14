//! Which stretches of a program's time are recorded, and what was made in them.
//!
//! At each tick a coin says whether what follows until the next one is recorded. So every object has the same chance to be
//! recorded, however long the interpreter takes to notice a tick: what happens between two ticks is recorded whole or not
//! at all. How many objects there were in all the interpreter counts itself.
//!
//! Recording makes a stretch slower, so that less of the program falls into it than into others. What recording an object
//! costs is measured by how long objects took with and without it, and a stretch goes on by as much as was lost.

use std::time::Duration;

use crate::interpreter::Value;

/// Stretches are put into so many windows at random: the differences between these say how sure the sums are.
pub const WINDOWS: usize = 64;

/// What one row made in one window.
#[derive(Clone, Copy, Default)]
pub struct Part {
    pub row: u32,
    pub window: u32,
    pub count: u64,
    pub bytes: u64,
}

/// Time and objects of stretches.
#[derive(Clone, Copy, Default)]
struct Pace {
    time: f64,
    objects: f64,
}

impl Pace {
    /// Seconds an object.
    fn each(self) -> Option<f64> {
        (self.objects > 0.0).then(|| self.time / self.objects)
    }
}

pub struct Sample {
    /// Whether the present stretch is recorded.
    pub on: bool,
    /// Its window.
    pub window: u32,
    /// What was made in it, the dead included.
    pub born: Vec<Value>,
    /// Objects of each window.
    pub seen: [u64; WINDOWS],
    /// The share of stretches that are recorded.
    share: f64,
    /// When the present stretch began, in the process's own time, and how many objects there were then.
    since: Option<(Duration, u64)>,
    with: Pace,
    without: Pace,
    state: u64,
    /// Objects made while anything could be recorded, and how many there had been when that began.
    pub made: u64,
    pub before: u64,
}

/// What becomes of the next stretch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It belongs to the one before.
    Same,
    /// It is recorded, in that window.
    On(u32),
    Off,
}

/// The most of a stretch that can have been lost to recording.
const LOST: f64 = 0.75;

impl Sample {
    pub fn new(share: f64, seed: u64) -> Self {
        Self {
            on: false,
            window: 0,
            born: Vec::new(),
            seen: [0; WINDOWS],
            share,
            since: None,
            with: Pace::default(),
            without: Pace::default(),
            state: seed | 1,
            made: 0,
            before: 0,
        }
    }

    /// A stretch ends at this time, with so many objects made since the process began.
    pub fn toss(&mut self, now: Duration, objects: u64) -> Next {
        let lost = self.since.replace((now, objects)).map_or(0.0, |(then, before)| {
            let time = now.saturating_sub(then).as_secs_f64();
            let made = objects.saturating_sub(before) as f64;
            let pace = if self.on {
                &mut self.with
            } else {
                &mut self.without
            };
            pace.time += time;
            pace.objects += made;
            let cost = self.with.each().zip(self.without.each());
            let cost = cost.map_or(0.0, |(with, without)| (with - without).max(0.0));
            if self.on && time > 0.0 {
                (cost * made / time).min(LOST)
            } else {
                0.0
            }
        });
        if self.on && self.random() < lost {
            return Next::Same;
        }
        if self.random() < self.share {
            Next::On((self.random() * WINDOWS as f64) as u32)
        } else {
            Next::Off
        }
    }

    /// What comes after an interruption belongs to no stretch.
    pub fn interrupt(&mut self) {
        self.since = None;
    }

    /// From 0 up to 1 (xorshift).
    fn random(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of two phases, one of which makes objects that take twice as long when they are recorded: of either
    /// as large a share is recorded.
    #[test]
    fn slower_stretches_go_on_for_longer() {
        let mut sample = Sample::new(0.1, 99);
        let (mut now, mut all) = (Duration::ZERO, 0_u64);
        let (mut recorded, mut made) = ([0.0_f64; 2], [0.0_f64; 2]);
        for tick in 0..400_000 {
            let phase = usize::from(tick / 50 % 2 == 1);
            // 4 ms; an object takes 1 µs and 1 µs more while it is recorded, or 100 µs.
            let each = match (phase, sample.on) {
                (0, false) => 1.0,
                (0, true) => 2.0,
                (_, false) => 100.0,
                (_, true) => 101.0,
            };
            let objects = 4_000.0 / each;
            made[phase] += objects;
            recorded[phase] += if sample.on { objects } else { 0.0 };
            now += Duration::from_millis(4);
            all += objects as u64;
            match sample.toss(now, all) {
                Next::Same => {}
                next => sample.on = next != Next::Off,
            }
        }
        let shares = [recorded[0] / made[0], recorded[1] / made[1]];
        assert!((shares[0] / shares[1] - 1.0).abs() < 0.08, "{shares:?}");
    }
}
