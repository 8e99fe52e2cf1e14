//! How far predictions are off, of many rows.

use crate::compare::{Row, median};

/// Median and worst of some errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many.
    pub count: usize,
    /// The middle.
    pub median: f64,
    /// The largest.
    pub worst: f64,
}

/// The spread of errors; none of no rows.
pub fn spread<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<Spread> {
    let errors: Vec<f64> = rows.into_iter().map(Row::error).collect();
    Some(Spread {
        count: errors.len(),
        median: median(&errors)?,
        worst: errors.iter().copied().fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::row;

    #[test]
    fn the_spread_of_errors() {
        let rows = [row("a", 101, 100), row("b", 100, 100), row("c", 96, 100)];
        assert_eq!(
            spread(&rows),
            Some(Spread {
                count: 3,
                median: 0.01,
                worst: 0.04
            })
        );
        assert_eq!(spread(&[]), None);
    }
}
