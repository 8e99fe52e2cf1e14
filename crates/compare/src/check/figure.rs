//! Figures as people write them: `400 MB`, `10 %`.

use serde::{Deserialize, Deserializer, de};

/// Whole bytes, from a number or from `400 MB`. Units are powers of ten; `KiB`, `MiB`, `GiB` are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// A share from 0 to 1, from a number or from `10 %`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Share(pub f64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Whole(i64),
    Broken(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        const WANTED: &str = "whole bytes, or a size such as \"400 MB\"";
        let wrong = || de::Error::custom(format!("expected {WANTED}"));
        match Written::deserialize(from).map_err(|_| wrong())? {
            Written::Whole(bytes) => u64::try_from(bytes).map(Self).map_err(|_| wrong()),
            Written::Broken(_) => Err(wrong()),
            Written::Text(text) => bytes(&text).map(Self).ok_or_else(wrong),
        }
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wrong = || de::Error::custom("expected a share from 0 to 1, or one such as \"10 %\"");
        let share = match Written::deserialize(from).map_err(|_| wrong())? {
            Written::Whole(share) => share as f64,
            Written::Broken(share) => share,
            Written::Text(text) => {
                let percent = text.trim().strip_suffix('%').ok_or_else(wrong)?;
                percent.trim().parse::<f64>().map_err(|_| wrong())? / 100.0
            }
        };
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            Err(wrong())
        }
    }
}

fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let times = match unit.trim() {
        "" | "B" => 1.0,
        "kB" | "KB" | "k" => 1e3,
        "MB" | "M" => 1e6,
        "GB" | "G" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = number.trim().replace(['_', ','], "").parse().ok()?;
    (number.is_finite() && number >= 0.0).then(|| (number * times).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let cases = [
            ("0", 0),
            ("17 B", 17),
            ("1.5 MB", 1_500_000),
            ("400MB", 400_000_000),
            ("2 KiB", 2_048),
            ("1_000", 1_000),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), Some(expected), "{text}");
        }
        for text in ["", "MB", "-1 MB", "4 parsecs", "1e400", "nan"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
