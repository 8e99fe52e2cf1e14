//! Moments and spans of `datetime`, in milliseconds.

use crate::layout::library;
use crate::raw::{Address, byte, half};
use crate::sort::Variant;

const DAY: f64 = 86_400_000.0;

/// Milliseconds since 1970, of a span, or of a time of any day since its midnight. NaN in the second of two equal hours: what
/// stands in the data is the first one, too.
pub fn milliseconds(at: Address, variant: Variant) -> f64 {
    // SAFETY: the object is of the variant's type, which has its data from these places on.
    let data = |index: usize| unsafe { f64::from(byte(at + library::DATE_DATA + index)) };
    let year = || data(0) * 256.0 + data(1);
    let time = |hour: usize| {
        /// Behind hour, minute, second and three bytes of microseconds stands which of two equal hours it is (`fold`).
        const FOLD: usize = 6;
        if data(hour + FOLD) > 0.0 {
            return f64::NAN;
        }
        let seconds = (data(hour) * 60.0 + data(hour + 1)) * 60.0 + data(hour + 2);
        let microseconds = (data(hour + 3) * 256.0 + data(hour + 4)) * 256.0 + data(hour + 5);
        seconds * 1000.0 + microseconds / 1000.0
    };
    match variant {
        Variant::Date => days(year(), data(2), data(3)) * DAY,
        Variant::DateTime => days(year(), data(2), data(3)) * DAY + time(4),
        Variant::Time => time(0),
        Variant::Delta => {
            // SAFETY: a span has days, seconds and microseconds, one behind the other.
            let part = |index: usize| unsafe { half(at + library::DELTA_DAYS + index * 4) }.cast_signed();
            f64::from(part(0)) * DAY + f64::from(part(1)) * 1000.0 + f64::from(part(2)) / 1000.0
        }
        _ => f64::NAN,
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
fn days(year: f64, month: f64, day: f64) -> f64 {
    // Years begin in March here, so that the leap day is the last one.
    let year = if month <= 2.0 { year - 1.0 } else { year };
    let months = if month <= 2.0 { month + 9.0 } else { month - 3.0 };
    let of_year = ((153.0 * months + 2.0) / 5.0).floor() + day - 1.0;
    let leap = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
    year * 365.0 + leap + of_year - 719_468.0
}

#[cfg(test)]
mod tests {
    use super::days;

    #[test]
    fn days_are_counted_from_1970() {
        for ((year, month, day), expected) in [
            ((1970.0, 1.0, 1.0), 0.0),
            ((1969.0, 12.0, 31.0), -1.0),
            ((2000.0, 2.0, 29.0), 11016.0),
            ((2024.0, 3.0, 1.0), 19783.0),
        ] {
            assert!(
                (days(year, month, day) - expected).abs() < 0.5,
                "{year}-{month}-{day}"
            );
        }
    }
}
