//! How a column would be kept, and the bytes of its values.

use super::column::Column;

/// How a column would be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// A slot each, and what it refers to stays.
    References,
    /// Numbers, with their boxes and dates gone: bytes each.
    Numbers(u64),
    /// Codes of bytes each, for so many different texts.
    Codes(u64, u64),
}

impl Plan {
    pub(super) fn of(column: &Column, records: u32) -> Self {
        let unseen = records.saturating_sub(column.seen);
        let numbers = column.numbers + column.dates + unseen;
        let sorts = [numbers, column.texts, column.truths];
        let mixed = sorts.iter().filter(|&&count| count > 0).count() > 1;
        if mixed || column.others > 0 || column.many {
            return Self::References;
        }
        let has_nothing = column.nothing > 0;
        if numbers > 0 {
            let known = column.whole && unseen == 0;
            if known && !has_nothing && column.least >= column.most {
                return Self::Numbers(0);
            }
            // A value that never comes stands for nothing.
            let range = column.most - column.least + f64::from(u8::from(has_nothing));
            return Self::Numbers(if known { width(range) } else { 8 });
        }
        if column.texts > 0 {
            let values = column.values.len() as u64;
            return Self::Codes(code_width(values + u64::from(has_nothing)), values);
        }
        Self::Numbers(u64::from(column.truths > 0))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::References => "references",
            Self::Numbers(0) => "one value",
            Self::Numbers(1) => "bytes",
            Self::Numbers(_) => "numbers",
            Self::Codes(..) => "codes",
        }
    }

    /// Bytes each outside the heap.
    pub(super) fn external(self) -> u64 {
        match self {
            Self::References => 0,
            Self::Numbers(bytes) | Self::Codes(bytes, _) => bytes,
        }
    }
}

fn width(range: f64) -> u64 {
    match range {
        range if range < 256.0 => 1,
        range if range < 65_536.0 => 2,
        range if range < 4_294_967_296.0 => 4,
        _ => 8,
    }
}

fn code_width(values: u64) -> u64 {
    match values {
        0..=1 => 0,
        2..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_takes_a_value_that_never_comes() {
        let column = |values: f64, nothing: u32| Column {
            seen: 10,
            numbers: 10 - nothing,
            nothing,
            least: 0.0,
            most: values,
            ..Column::default()
        };
        let plans = [(255.0, 0), (254.0, 1), (255.0, 1), (1e12, 1)];
        let bytes = plans.map(|(most, nothing)| Plan::of(&column(most, nothing), 10).external());
        assert_eq!(bytes, [1, 1, 2, 8]);
    }

    #[test]
    fn widths() {
        assert_eq!(
            [width(255.0), width(256.0), width(1e9), width(1e10)],
            [1, 2, 4, 8]
        );
        assert_eq!(
            [
                code_width(1),
                code_width(256),
                code_width(257),
                code_width(65_537)
            ],
            [0, 1, 2, 4]
        );
    }
}
