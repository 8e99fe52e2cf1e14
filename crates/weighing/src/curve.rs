//! What a process held over time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much the process held, from its start on, with the moment of the capture on it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Curve {
    /// What was counted.
    pub of: CurveOf,
    /// The highest moment that was seen; the process may have held more between two looks.
    pub highest: Moment,
    /// The capture that was weighed.
    pub captured: Moment,
    /// At most 120 moments, in order. Where there were more, the highest of each stretch stand here.
    pub points: Vec<Moment>,
    /// How to capture the highest moment; absent where the capture shows it nearly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

/// What a curve counts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum CurveOf {
    /// The managed heap in use right after a full garbage collection, and what it keeps outside.
    Collected,
    /// The bytes of live blocks, as the program requested them.
    Live,
}

/// What was held at one time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Moment {
    /// Milliseconds since the recorder began, before the program's first line.
    pub ms: u64,
    /// The bytes.
    pub bytes: u64,
}

/// A difference below this is nothing to capture anew for.
const LITTLE: u64 = 1_000_000;

impl Curve {
    /// No curve has more points.
    pub const MOST_POINTS: usize = 120;

    /// How the highest moment of any program is captured.
    pub const HOW: &str = "deadweight run --when peak -- PROGRAM";

    /// A curve through these moments, in order of time; `highest` may be one that is not among them.
    #[must_use]
    pub fn new(of: CurveOf, points: &[Moment], highest: Moment, captured: Moment) -> Self {
        let all = points.iter().chain([&captured]).copied();
        let highest = all.fold(
            highest,
            |most, one| if one.bytes > most.bytes { one } else { most },
        );
        Self {
            of,
            highest,
            captured,
            points: thinned(points),
            how: None,
        }
    }

    /// Whether the capture shows much less than was held before: less than three quarters.
    #[must_use]
    pub fn is_past(&self) -> bool {
        let (highest, shown) = (self.highest.bytes, self.captured.bytes);
        let less = highest.saturating_sub(shown);
        less > LITTLE && less > highest / 4
    }
}

/// Of each stretch the highest moment, and the last of all.
fn thinned(points: &[Moment]) -> Vec<Moment> {
    let Some((last, before)) = points.split_last() else {
        return Vec::new();
    };
    let each = before.len().div_ceil(Curve::MOST_POINTS - 1).max(1);
    let highest = |stretch: &[Moment]| stretch.iter().copied().max_by_key(|moment| moment.bytes);
    before.chunks(each).filter_map(highest).chain([*last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(bytes: impl IntoIterator<Item = u64>, captured: u64) -> Curve {
        let moments = (0..).zip(bytes).map(|(ms, bytes)| Moment { ms, bytes });
        let points: Vec<Moment> = moments.collect();
        let last = Moment {
            ms: points.len() as u64,
            bytes: captured,
        };
        Curve::new(CurveOf::Collected, &points, Moment { ms: 0, bytes: 0 }, last)
    }

    #[test]
    fn a_long_curve_keeps_its_highest_and_its_last_moment() {
        for length in [0, 1, 2, 119, 120, 121, 240, 5_000] {
            let drawn = curve(
                (0..length).map(|at| if at == length / 3 { 9_000 } else { at % 7 }),
                1,
            );
            assert!(drawn.points.len() <= Curve::MOST_POINTS, "{length}");
            assert!(drawn.points.is_sorted_by_key(|moment| moment.ms), "{length}");
            let most = drawn.points.iter().map(|moment| moment.bytes).max();
            assert_eq!(most, (length > 0).then_some(9_000), "{length}");
            let last = drawn.points.last().map(|moment| moment.ms + 1);
            assert_eq!(last.unwrap_or(0), length, "{length}");
            assert_eq!(drawn.highest.bytes, most.unwrap_or(1), "{length}");
        }
        assert_eq!(curve(0..120, 1).points.len(), 120);
    }

    #[test]
    fn a_capture_is_past_the_highest_when_it_shows_much_less() {
        assert!(curve([100_000_000], 74_000_000).is_past());
        assert!(!curve([100_000_000], 76_000_000).is_past());
        assert!(!curve([4_000_000], 3_100_000).is_past());
        assert!(!curve([900_000], 0).is_past(), "too little to matter");
        assert!(!curve([5], 100_000_000).is_past());
    }
}
