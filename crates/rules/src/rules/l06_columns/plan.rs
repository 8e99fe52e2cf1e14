//! How a column would be kept, and the bytes of its values.

use deadweight_heap::FieldProfile;

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
    /// How a field of so many records would be kept, where `texts` says how many different ones it holds, if they are
    /// few.
    pub(super) fn of(field: &FieldProfile, records: u32, texts: Option<u64>) -> Self {
        let unseen = records.saturating_sub(field.records);
        let numbers = field.numbers + field.dates + unseen;
        let sorts = [numbers, field.texts, field.truths];
        let mixed = sorts.iter().filter(|&&count| count > 0).count() > 1;
        if mixed || field.others > 0 {
            return Self::References;
        }
        let has_nothing = field.nothing > 0;
        if numbers > 0 {
            let known = field.whole && unseen == 0;
            if known && !has_nothing && field.least == field.most {
                return Self::Numbers(0);
            }
            // A value that never comes stands for nothing.
            let range = field.most.nearest() - field.least.nearest() + f64::from(u8::from(has_nothing));
            return Self::Numbers(if known { width(range) } else { 8 });
        }
        if field.texts > 0 {
            return texts.map_or(Self::References, |texts| {
                Self::Codes(code_width(texts + u64::from(has_nothing)), texts)
            });
        }
        Self::Numbers(u64::from(field.truths > 0))
    }

    /// Whether a field of so many records holds nothing but texts.
    pub(super) fn is_of_texts(field: &FieldProfile, records: u32) -> bool {
        let rest = field.numbers + field.dates + field.truths + field.others;
        field.texts > 0 && rest == 0 && field.records >= records
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
    use deadweight_heap::Numeric;

    use super::*;

    #[test]
    fn nothing_takes_a_value_that_never_comes() {
        let field = |values: f64, nothing: u32| FieldProfile {
            records: 10,
            numbers: 10 - nothing,
            nothing,
            least: Numeric::Integer(0),
            most: Numeric::of_float(values),
            ..FieldProfile::default()
        };
        let plans = [(255.0, 0), (254.0, 1), (255.0, 1), (1e12, 1)];
        let bytes = plans.map(|(most, nothing)| Plan::of(&field(most, nothing), 10, None).external());
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
