//! Values as the program sees them, without loss.

use std::cmp::Ordering;
use std::fmt;

use crate::ObjectId;

/// A number. Equal numbers are equal here whatever they were kept in: a float that is whole is that whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Numeric {
    /// The dump does not tell.
    #[default]
    Unknown,
    /// A whole number that 64 bits have no room for, by a digest of its digits: equal for equal numbers.
    Beyond(u64),
    /// A whole number.
    Integer(i64),
    /// A whole number beyond all that have a sign.
    Unsigned(u64),
    /// Any other number.
    Float(f64),
}

impl Numeric {
    /// The value of a float; NaN is unknown.
    #[must_use]
    pub fn of_float(value: f64) -> Self {
        const BEYOND: f64 = 9_223_372_036_854_775_808.0;
        let is_whole = value.fract() == 0.0 && (-BEYOND..BEYOND).contains(&value);
        let is_negative_zero = value == 0.0 && value.is_sign_negative();
        if value.is_nan() {
            Self::Unknown
        } else if is_whole && !is_negative_zero {
            Self::Integer(value as i64)
        } else {
            Self::Float(value)
        }
    }

    /// A whole number without a sign.
    #[must_use]
    pub fn of_unsigned(value: u64) -> Self {
        i64::try_from(value).map_or(Self::Unsigned(value), Self::Integer)
    }

    /// Whether the value is known.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown | Self::Beyond(_))
    }

    /// The [key](Self::key), where it is known which others are equal.
    #[must_use]
    pub const fn known_key(self) -> Option<(u8, u64)> {
        match self {
            Self::Unknown => None,
            known => Some(known.key()),
        }
    }

    /// Which of two known numbers is less.
    #[must_use]
    pub fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Unsigned(a), Self::Unsigned(b)) => Some(a.cmp(&b)),
            _ => self.nearest().partial_cmp(&other.nearest()),
        }
    }

    /// The lesser of two numbers, where both are known; else the one that is.
    #[must_use]
    pub fn lesser(self, other: Self) -> Self {
        let is_less = self.is_known() && self.order(other) != Some(Ordering::Greater);
        if is_less { self } else { other }
    }

    /// The larger of two numbers, where both are known; else the one that is.
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        let is_larger = self.is_known() && self.order(other) != Some(Ordering::Less);
        if is_larger { self } else { other }
    }

    /// The nearest float; NaN for a number whose value is not known.
    #[must_use]
    pub const fn nearest(self) -> f64 {
        match self {
            Self::Unknown | Self::Beyond(_) => f64::NAN,
            Self::Integer(value) => value as f64,
            Self::Unsigned(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Two words that are equal for equal numbers and for no others.
    #[must_use]
    pub const fn key(self) -> (u8, u64) {
        match self {
            Self::Unknown => (0, 0),
            Self::Integer(value) => (1, value.cast_unsigned()),
            Self::Unsigned(value) => (2, value),
            Self::Float(value) => (3, value.to_bits()),
            Self::Beyond(digest) => (4, digest),
        }
    }

    /// The number with that key.
    #[must_use]
    pub const fn of_key(sort: u8, bits: u64) -> Self {
        match sort {
            1 => Self::Integer(bits.cast_signed()),
            2 => Self::Unsigned(bits),
            3 => Self::Float(f64::from_bits(bits)),
            4 => Self::Beyond(bits),
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for Numeric {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown | Self::Beyond(_) => f64::NAN.fmt(to),
            Self::Integer(value) => value.fmt(to),
            Self::Unsigned(value) => value.fmt(to),
            Self::Float(value) => value.fmt(to),
        }
    }
}

/// What stands in a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A reference to no object.
    Nothing,
    /// A reference to an object, and how many bytes behind its beginning it leads.
    Reference(ObjectId, u64),
    /// A number.
    Number(Numeric),
    /// True or false.
    Boolean(bool),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_64_bits_differ_where_floats_do_not() {
        let (a, b) = ((1_i64 << 62) - 1, (1 << 62) - 2);
        assert_eq!((a as f64).to_bits(), (b as f64).to_bits());
        assert_ne!(Numeric::Integer(a).key(), Numeric::Integer(b).key());
        assert_eq!(Numeric::of_unsigned(u64::MAX).to_string(), "18446744073709551615");
    }

    #[test]
    fn the_lesser_of_two_is_found_without_loss() {
        let (a, b) = (Numeric::Integer((1 << 62) - 1), Numeric::Integer((1 << 62) - 2));
        assert_eq!((a.lesser(b), a.larger(b)), (b, a));
        assert_eq!((b.lesser(a), b.larger(a)), (b, a));
        for known in [a, Numeric::Float(0.5), Numeric::Unsigned(u64::MAX)] {
            assert_eq!(
                (known.lesser(Numeric::Unknown), Numeric::Unknown.larger(known)),
                (known, known)
            );
        }
        assert_eq!(
            Numeric::Float(0.5).lesser(Numeric::Integer(1)),
            Numeric::Float(0.5)
        );
    }

    #[test]
    fn a_number_is_itself_whatever_it_was_kept_in() {
        assert_eq!(Numeric::of_float(5.0), Numeric::Integer(5));
        assert_eq!(Numeric::of_unsigned(5), Numeric::Integer(5));
        assert_eq!(Numeric::of_float(-0.0), Numeric::Float(-0.0));
        assert!(!Numeric::of_float(f64::NAN).is_known());
        let floats = [
            0.0,
            -0.0,
            1.5,
            -3.0,
            1e18,
            9.3e18,
            -9.3e18,
            1e300,
            f64::INFINITY,
            f64::MIN,
        ];
        for value in floats {
            let number = Numeric::of_float(value);
            assert_eq!(number.nearest().to_bits(), value.to_bits(), "{value}");
            assert_eq!(number.to_string(), value.to_string());
            let (sort, bits) = number.key();
            assert_eq!(Numeric::of_key(sort, bits), number);
        }
    }
}
