//! Texts that numbers could stand for: moments, whole numbers and ids.

/// Forms of text, as a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForms(u8);

impl TextForms {
    /// `2024-01-31T23:59:59.999Z`.
    pub const TIME: Self = Self(1);
    /// `-42`, of up to 15 digits, as a program would write it.
    pub const WHOLE: Self = Self(2);
    /// An even number of hexadecimal digits, at least 16.
    pub const HEX: Self = Self(4);
    /// `65b2c3d4-e5f6-0718-293a-000000000000`.
    pub const UUID: Self = Self(8);
    /// Either form of an id.
    pub const ID: Self = Self(Self::HEX.0 | Self::UUID.0);
    /// No form.
    pub const NONE: Self = Self(0);
    /// Every form.
    pub const ALL: Self = Self(15);

    /// The forms that a text has, by its bytes.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
        if whole(text).is_some() {
            return Self::WHOLE;
        }
        if text.len() >= 16 && text.len().is_multiple_of(2) && is_hex(text) {
            return Self::HEX;
        }
        let dashed = |at: &[usize]| at.iter().all(|&at| text[at] == b'-');
        if text.len() == 36 && dashed(&[8, 13, 18, 23]) {
            let pieces = [
                &text[..8],
                &text[9..13],
                &text[14..18],
                &text[19..23],
                &text[24..],
            ];
            return if pieces.into_iter().all(is_hex) {
                Self::UUID
            } else {
                Self::NONE
            };
        }
        if is_time(text) { Self::TIME } else { Self::NONE }
    }

    /// Whether it has one of these forms.
    #[must_use]
    pub const fn has(self, forms: Self) -> bool {
        self.0 & forms.0 != 0
    }

    /// The forms that both have.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The forms that the other does not have.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// A whole number of up to 15 digits, as a program would write it.
pub(super) fn whole(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let canonical = match digits {
        [b'0'] => digits.len() == text.len(),
        [b'1'..=b'9', ..] => digits.len() <= 15,
        _ => false,
    };
    if !canonical || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0_i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    Some(if digits.len() < text.len() { -value } else { value })
}

/// `2024-01-31T23:59:59.999Z`: a day, a time with up to six decimals, and a zone.
fn is_time(text: &[u8]) -> bool {
    let like = |text: &[u8], pattern: &[u8]| {
        text.len() == pattern.len()
            && text.iter().zip(pattern).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                b'+' => matches!(byte, b'+' | b'-'),
                _ => byte == wanted,
            })
    };
    let Some((moment, rest)) = text.split_at_checked(19) else {
        return false;
    };
    if !like(moment, b"0000-00-00T00:00:00") {
        return false;
    }
    let two = |at: usize| (moment[at] - b'0') * 10 + moment[at + 1] - b'0';
    let in_range = (1..=12).contains(&two(5))
        && (1..=31).contains(&two(8))
        && two(11) <= 24
        && two(14) <= 59
        && two(17) <= 60;
    let zone = match rest.strip_prefix(b".") {
        Some(decimals) => {
            let count = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if !(1..=6).contains(&count) {
                return false;
            }
            &decimals[count..]
        }
        None => rest,
    };
    in_range && (zone == b"Z" || like(zone, b"+00:00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_text() {
        for time in [
            "2024-02-29T23:59:60Z",
            "2024-01-01T00:00:00.5+02:00",
            "1999-12-31T24:00:00.123456-11:30",
        ] {
            assert_eq!(TextForms::of(time.as_bytes()), TextForms::TIME, "{time}");
        }
        for text in [
            "2024-13-01T00:00:00Z",
            "2024-01-01T00:00:00",
            "2024-01-01 00:00:00Z",
            "2024-01-01T00:00:00.Z",
            "-0",
            "1234567890123456.",
            "0x10",
            "é024-01-01T00:00:00Z",
        ] {
            assert_eq!(TextForms::of(text.as_bytes()), TextForms::NONE, "{text}");
        }
        assert_eq!(whole(b"-12"), Some(-12));
        assert_eq!(whole(b"0"), Some(0));
        assert_eq!(whole(b""), None);
        assert_eq!(whole(b"9999999999999999"), None);
    }
}
