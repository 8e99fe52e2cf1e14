//! Numbers, and moments in time.

use deadweight_heap::{Allocator, Numeric};

use super::{COLLECTED, OBJECT, PythonLayout, SIZED, WORD};

/// Bits of one digit of an `int` (`PyLong_SHIFT`), which takes four bytes.
const DIGIT: u32 = 30;
/// Whole numbers of which there is one object each (`_PY_NSMALLNEGINTS`, `_PY_NSMALLPOSINTS`).
const SHARED: std::ops::RangeInclusive<i64> = -5..=256;

/// What the hash of a moment takes, and whether it has a time zone (`_PyTZINFO_HEAD`): nine bytes.
const MOMENT: u64 = OBJECT + 8 + 1;

impl<A: Allocator> PythonLayout<A> {
    /// An `int` whose magnitude has so many bits.
    #[must_use]
    pub fn integer(&self, bits: u32) -> u64 {
        let digits = bits.div_ceil(DIGIT).max(1);
        self.charge(&[SIZED + 4 * u64::from(digits)])
    }

    /// A `float`.
    #[must_use]
    pub fn float(&self) -> u64 {
        self.charge(&[OBJECT + 8])
    }

    /// A `complex`.
    #[must_use]
    pub fn complex(&self) -> u64 {
        self.charge(&[OBJECT + 2 * 8])
    }

    /// An object of that value; none for those of which there is one.
    pub(super) fn valued(&self, value: Numeric) -> u64 {
        match value {
            Numeric::Integer(value) if SHARED.contains(&value) => 0,
            Numeric::Integer(value) => self.integer(u64::BITS - value.unsigned_abs().leading_zeros()),
            Numeric::Unsigned(value) => self.integer(u64::BITS - value.leading_zeros()),
            Numeric::Float(_) => self.float(),
            Numeric::Unknown | Numeric::Beyond(_) => self.integer(u64::BITS),
        }
    }

    /// A `datetime`: ten bytes of digits and one for which of two equal hours it is (`_PyDateTime_DATETIMEHEAD`).
    #[must_use]
    pub fn datetime(&self, aware: bool) -> u64 {
        self.moment(10 + 1, aware)
    }

    /// A `time`: six bytes, and one for which of two equal hours it is.
    #[must_use]
    pub fn time(&self, aware: bool) -> u64 {
        self.moment(6 + 1, aware)
    }

    fn moment(&self, bytes: u64, aware: bool) -> u64 {
        let zone = if aware { WORD } else { 0 };
        self.charge(&[(MOMENT + bytes).next_multiple_of(WORD) + zone])
    }

    /// A `date`: four bytes.
    #[must_use]
    pub fn day(&self) -> u64 {
        self.moment(4, false)
    }

    /// A `timedelta`: a hash and three numbers of four bytes.
    #[must_use]
    pub fn timedelta(&self) -> u64 {
        self.charge(&[(OBJECT + 8 + 3 * 4).next_multiple_of(WORD)])
    }

    /// A `Decimal` of up to 76 digits: a hash, six words of `mpd_t` and four words for digits; since 3.13 the collector looks
    /// at it.
    #[must_use]
    pub fn decimal(&self) -> u64 {
        let collected = if self.minor >= 13 { COLLECTED } else { 0 };
        self.charge(&[collected + OBJECT + 8 + 6 * 8 + 4 * 8])
    }

    /// A `uuid.UUID`: slots for the number and how safe it is, with `__weakref__`, and the number.
    #[must_use]
    pub fn uuid(&self) -> u64 {
        self.slots(2, true) + self.integer(128)
    }
}
