//! How much of what was made was seen, and what that leaves open.

use super::{Row, RowId, Windows};

/// 97.5 % of a normal distribution lie below this many standard deviations, so 95 % within it on both sides.
const NORMAL_95: f64 = 1.96;

/// How objects were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// Every object was seen.
    #[default]
    Exact,
    /// One sample each so many bytes on average, at distances that are random (a Poisson process): large objects are
    /// seen more often than small ones.
    Bytes(u64),
    /// One of so many objects on average, chosen at random.
    Objects(u64),
    /// All objects of some stretches of time, chosen at random.
    Windows(Windows),
}

/// A figure with the range in which the true one lies with a probability of 95 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The best guess, in bytes.
    pub bytes: u64,
    /// Not less than this.
    pub low: u64,
    /// Not more than this.
    pub high: u64,
    /// Samples behind it.
    pub samples: u64,
}

impl Sampling {
    /// How likely an object of that size is seen.
    #[must_use]
    pub fn probability(&self, size: u64) -> f64 {
        match self {
            Self::Exact => 1.0,
            Self::Bytes(every) => -(-(size as f64) / (*every).max(1) as f64).exp_m1(),
            Self::Objects(every) => 1.0 / (*every).max(1) as f64,
            Self::Windows(windows) => 1.0 / windows.scale(),
        }
    }

    /// The variance of the bytes of one row, in bytes squared: each of its samples stands for 1/p objects of the mean
    /// size, so (1 − p)/p² · size² a sample. Without a count, samples stand for the distance between them.
    fn variance(&self, row: &Row) -> f64 {
        let samples = row.samples as f64;
        match self {
            Self::Exact => 0.0,
            Self::Bytes(every) if row.count == 0 => samples * (*every as f64).powi(2),
            _ => {
                let size = row.bytes as f64 / row.count.max(1) as f64;
                let p = self.probability(size as u64).max(f64::MIN_POSITIVE);
                samples * size.powi(2) * (1.0 - p) / p.powi(2)
            }
        }
    }

    /// Bytes of rows with what is left open. What was seen itself is the least there can be, but the reader has
    /// scaled it up: the lower bound never goes below 0.
    pub fn bounds<'r>(&self, rows: impl IntoIterator<Item = (RowId, &'r Row)>) -> Bounds {
        if let Self::Windows(windows) = self {
            return windows.bounds(rows);
        }
        let (mut bytes, mut variance, mut samples) = (0_u64, 0.0, 0_u64);
        for (_, row) in rows {
            bytes = bytes.saturating_add(row.bytes);
            samples = samples.saturating_add(row.samples);
            variance += self.variance(row);
        }
        let margin = (NORMAL_95 * variance.sqrt()).ceil() as u64;
        Bounds {
            bytes,
            low: bytes.saturating_sub(margin),
            high: bytes.saturating_add(margin),
            samples,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_records_leave_nothing_open() {
        let row = Row {
            count: 3,
            bytes: 96,
            samples: 3,
            ..Row::default()
        };
        let bounds = Sampling::Exact.bounds([(0, &row)]);
        assert_eq!((bounds.low, bounds.bytes, bounds.high), (96, 96, 96));
    }

    /// Objects of one size, sampled again and again: the true figure must lie within the bounds in about 95 of 100
    /// runs. The seed is fixed, so the test is too.
    #[test]
    fn bounds_hold_what_they_promise() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for (sampling, size) in [
            (Sampling::Bytes(4096), 48_u64),
            (Sampling::Bytes(4096), 6000),
            (Sampling::Objects(50), 100),
        ] {
            let (objects, runs) = (20_000_u64, 400);
            let p = sampling.probability(size);
            let truth = objects * size;
            let mut inside = 0;
            for _ in 0..runs {
                let samples = (0..objects).filter(|_| random() < p).count() as u64;
                let count = (samples as f64 / p).round() as u64;
                let row = Row {
                    count,
                    bytes: count * size,
                    samples,
                    ..Row::default()
                };
                let bounds = sampling.bounds([(0, &row)]);
                inside += u32::from((bounds.low..=bounds.high).contains(&truth));
            }
            assert!(
                (365..=396).contains(&inside),
                "{sampling:?} {size}: {inside} of {runs}"
            );
        }
    }
}
