//! How far apart the means of two populations are, and how sure that is: the interval of Welch, who does not take for granted
//! that both scatter alike (B. L. Welch, *The generalization of "Student's" problem when several different population
//! variances are involved*, Biometrika 34, 1947).

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// A population: one value of each host.
#[derive(Clone, Copy, Debug, Default, Serialize, PartialEq)]
pub struct Population {
    /// Hosts.
    pub hosts: u64,
    /// The mean of their values.
    pub mean: f64,
    /// The variance of their values, with `hosts - 1` below the line; 0 for a single host.
    pub variance: f64,
}

/// Between which figures a difference lies.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub struct Interval {
    /// The difference of the means as measured.
    pub measured: f64,
    /// It is not less than this.
    pub low: f64,
    /// It is not more than this.
    pub high: f64,
    /// How probable both are.
    pub confidence: f64,
}

impl Population {
    /// The population of some values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let hosts = values.len() as u64;
        let mean = values.iter().sum::<f64>() / hosts.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            hosts,
            mean,
            variance: squares / hosts.saturating_sub(1).max(1) as f64,
        }
    }

    /// The variance of the mean.
    fn of_mean(self) -> f64 {
        self.variance / self.hosts.max(1) as f64
    }
}

/// The mean of `one` less that of `other`. `None` when one of them has less than two hosts: of a single host nobody knows how
/// much hosts differ.
#[must_use]
pub fn difference(one: Population, other: Population, confidence: f64) -> Option<Interval> {
    if one.hosts < 2 || other.hosts < 2 {
        return None;
    }
    let measured = one.mean - other.mean;
    let variance = one.of_mean() + other.of_mean();
    let exactly = Interval {
        measured,
        low: measured,
        high: measured,
        confidence,
    };
    if variance <= 0.0 {
        return Some(exactly);
    }
    let share = |of: Population| of.of_mean().powi(2) / (of.hosts - 1) as f64;
    let freedom = variance.powi(2) / (share(one) + share(other));
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let reach = student.inverse_cdf(f64::midpoint(1.0, confidence)) * variance.sqrt();
    Some(Interval {
        low: measured - reach,
        high: measured + reach,
        ..exactly
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(one: f64, other: f64) {
        assert!(
            (one - other).abs() < 1e-3 * other.abs().max(1.0),
            "{one} for {other}"
        );
    }

    #[test]
    fn the_interval_is_that_of_the_tables() {
        // Equal variances and numbers: 2 (n - 1) = 18 degrees, t(0.975, 18) = 2.100922.
        let population = |mean| Population {
            hosts: 10,
            mean,
            variance: 4.0,
        };
        let interval = difference(population(10.0), population(7.0), 0.95).unwrap();
        let reach = 2.100_922 * (0.4_f64 + 0.4).sqrt();
        is_near(interval.low, 3.0 - reach);
        is_near(interval.high, 3.0 + reach);
        // One population that does not scatter: n - 1 = 4 degrees, t(0.995, 4) = 4.604095.
        let still = Population {
            hosts: 100,
            mean: 0.0,
            variance: 0.0,
        };
        let few = Population {
            hosts: 5,
            mean: 1.0,
            variance: 5.0,
        };
        let interval = difference(few, still, 0.99).unwrap();
        is_near(interval.high, 1.0 + 4.604_095);
    }

    #[test]
    fn a_single_host_says_nothing_of_others() {
        let many = Population::of(&[1.0, 2.0, 3.0]);
        assert_eq!((many.mean, many.variance), (2.0, 1.0));
        assert!(difference(Population::of(&[1.0]), many, 0.95).is_none());
        let equal = difference(Population::of(&[5.0, 5.0]), Population::of(&[3.0, 3.0]), 0.95).unwrap();
        assert_eq!((equal.low, equal.high), (2.0, 2.0));
    }

    /// The true difference is within the interval as often as it says, in populations whose scatter differs.
    #[test]
    fn it_covers_the_truth_as_often_as_it_says() {
        let mut seed = 7_u64;
        let mut uniform = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let runs = 4_000;
        let covered = (0..runs).filter(|_| {
            let one: Vec<f64> = (0..6).map(|_| 10.0 + normal()).collect();
            let other: Vec<f64> = (0..15).map(|_| 7.0 + 4.0 * normal()).collect();
            let interval = difference(Population::of(&one), Population::of(&other), 0.95).unwrap();
            interval.low <= 3.0 && 3.0 <= interval.high
        });
        let share = covered.count() as f64 / f64::from(runs);
        assert!((0.94..0.96).contains(&share), "{share}");
    }
}
