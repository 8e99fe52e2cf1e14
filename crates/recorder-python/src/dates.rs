//! Moments and spans of `datetime`, in milliseconds.

use crate::layout::library;
use crate::raw::{Address, byte, half};
use crate::sort::Variant;

/// Microseconds of a second, and of a day.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Milliseconds since 1970, of a span, or of a time of any day since its midnight. NaN where that is not all of the value: in the
/// second of two equal hours, as what stands in the data is the first one, too; and for a moment so far away, or a span so long,
/// that its microseconds are lost.
pub fn milliseconds(at: Address, variant: Variant) -> f64 {
    // SAFETY: the object is of the variant's type, which has its data from these places on.
    let data = |index: usize| unsafe { i64::from(byte(at + library::DATE_DATA + index)) };
    let day = || days(data(0) * 256 + data(1), data(2), data(3)) * DAY;
    let time = |hour: usize| {
        /// Behind hour, minute, second and three bytes of microseconds stands which of two equal hours it is (`fold`).
        const FOLD: usize = 6;
        let seconds = (data(hour) * 60 + data(hour + 1)) * 60 + data(hour + 2);
        let microseconds = (data(hour + 3) * 256 + data(hour + 4)) * 256 + data(hour + 5);
        (data(hour + FOLD) == 0).then_some(seconds * SECOND + microseconds)
    };
    let microseconds = match variant {
        Variant::Date => Some(day()),
        Variant::DateTime => time(4).map(|time| day() + time),
        Variant::Time => time(0),
        Variant::Delta => {
            // SAFETY: a span has days, seconds and microseconds, one behind the other.
            let part = |index: usize| unsafe { half(at + library::DELTA_DAYS + index * 4) }.cast_signed();
            let [days, seconds, microseconds] = [0, 1, 2].map(|index| i64::from(part(index)));
            // The longest span has fewer than 64 bits.
            Some(days * DAY + seconds * SECOND + microseconds)
        }
        _ => None,
    };
    microseconds.map_or(f64::NAN, exact)
}

/// Milliseconds of so many microseconds; NaN where a float cannot have them.
fn exact(microseconds: i64) -> f64 {
    let milliseconds = microseconds as f64 / 1000.0;
    if (milliseconds * 1000.0).round() as i64 == microseconds {
        milliseconds
    } else {
        f64::NAN
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let months = if month <= 2 { month + 9 } else { month - 3 };
    let of_year = (153 * months + 2) / 5 + day - 1;
    let leap = year / 4 - year / 100 + year / 400;
    year * 365 + leap + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{days, exact};

    #[test]
    fn days_are_counted_from_1970() {
        for ((year, month, day), expected) in [
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((2000, 2, 29), 11016),
            ((2024, 3, 1), 19783),
            ((1, 1, 1), -719_162),
        ] {
            assert_eq!(days(year, month, day), expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn what_a_float_cannot_have_is_not_known() {
        let now = 1_700_000_000_123_456;
        assert!((exact(now) - 1_700_000_000_123.456).abs() < 1e-6);
        assert!(exact(now) < exact(now + 1) && exact(-now) < exact(1 - now));
        // A span of 999,999 days is exact where it is whole, and else not known: its neighbours would be equal to it.
        let long = 999_999 * 86_400_000_000;
        assert!(exact(long) > 0.0 && exact(long + 1).is_nan());
    }
}
