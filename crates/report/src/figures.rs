//! Figures as people read them: decimal units, thousands separators, shares in percent.

/// Bytes in the unit that shows them best: `236.1 MB`. Units are powers of ten.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    // Each limit is where the rounded figure would reach the next unit.
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..99_950 => format!("{:.1} kB", bytes as f64 / 1e3),
        99_950..999_950_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => {
            let hundredths = (bytes / 5_000_000).div_ceil(2);
            format!("{}.{:02} GB", count(hundredths / 100), hundredths % 100)
        }
    }
}

/// A whole number with thousands separators: `1,500,000`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A stretch of time: `0.3 s`, `12.0 s`, `4 min 10 s`, `3 h 20 min`.
#[must_use]
pub fn elapsed(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0..100 => format!("{:.1} s", ms as f64 / 1e3),
        100..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", count(seconds / 3_600), seconds / 60 % 60),
    }
}

/// A share in percent: `26.4 %`; a dash when there is nothing to take a share of.
#[must_use]
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let percent = part as f64 * 100.0 / whole as f64;
    if part > 0 && percent < 0.05 {
        "< 0.1 %".to_owned()
    } else if percent > 999.9 {
        // Only a weighing that does not add up comes here; its figures must not push the columns apart.
        "> 999 %".to_owned()
    } else {
        format!("{percent:.1} %")
    }
}

/// A count with its noun, which takes an `s` unless the count is one.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_change_unit_where_rounding_would_overflow_it() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (99_949, "99.9 kB"),
            (99_950, "0.1 MB"),
            (236_140_000, "236.1 MB"),
            (999_949_999, "999.9 MB"),
            (999_950_000, "1.00 GB"),
            (4_215_000_000, "4.22 GB"),
            (u64::MAX, "18,446,744,073.71 GB"),
        ];
        for (given, expected) in cases {
            assert_eq!(bytes(given), expected);
        }
    }

    #[test]
    fn times_have_the_unit_that_shows_them() {
        let cases = [
            (0, "0.0 s"),
            (1_250, "1.2 s"),
            (99_949, "99.9 s"),
            (250_000, "4 min 10 s"),
            (12_060_000, "3 h 21 min"),
        ];
        for (given, expected) in cases {
            assert_eq!(elapsed(given), expected);
        }
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(1_500_000), "1,500,000");
    }

    #[test]
    fn a_share_is_never_a_false_zero() {
        assert_eq!(share(0, 100), "0.0 %");
        assert_eq!(share(1, 1_000_000), "< 0.1 %");
        assert_eq!(share(1, 4), "25.0 %");
        assert_eq!(share(1, 0), "–");
        assert_eq!(share(u64::MAX, 1), "> 999 %");
    }
}
