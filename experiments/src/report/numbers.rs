//! How figures are written.

/// 10^6 bytes.
pub(super) fn megabytes(bytes: i64) -> String {
    let megabytes = bytes as f64 / 1e6;
    if megabytes.abs() >= 100.0 {
        format!("{megabytes:.1}")
    } else {
        format!("{megabytes:.2}")
    }
}

/// A share; one that is no number is of no saving.
pub(super) fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{:.2} %", share * 100.0)
    } else {
        "no saving".into()
    }
}

/// 200000 as `200,000`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(200_000), "200,000");
        assert_eq!(thousands(1_500_000), "1,500,000");
    }
}
