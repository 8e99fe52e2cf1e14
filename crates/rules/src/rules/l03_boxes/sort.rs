//! Sorts of text that a number can stand for: bits of a mask, and how the bytes of a text show them.

pub(super) const TIME: u8 = 1;
pub(super) const WHOLE: u8 = 2;
pub(super) const HEX: u8 = 4;
pub(super) const UUID: u8 = 8;
pub(super) const ALL: u8 = TIME | WHOLE | HEX | UUID;

/// The sorts a text is of, by its bytes.
pub(super) fn sorts_of(text: &[u8]) -> u8 {
    let is_hex = |text: &[u8]| text.iter().all(u8::is_ascii_hexdigit);
    if whole(text).is_some() {
        return WHOLE;
    }
    if text.len() >= 16 && text.len().is_multiple_of(2) && is_hex(text) {
        return HEX;
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
        return if pieces.into_iter().all(is_hex) { UUID } else { 0 };
    }
    if is_time(text) { TIME } else { 0 }
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
    fn sorts_of_text() {
        for time in [
            "2024-02-29T23:59:60Z",
            "2024-01-01T00:00:00.5+02:00",
            "1999-12-31T24:00:00.123456-11:30",
        ] {
            assert_eq!(sorts_of(time.as_bytes()), TIME, "{time}");
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
            assert_eq!(sorts_of(text.as_bytes()), 0, "{text}");
        }
        assert_eq!(whole(b"-12"), Some(-12));
        assert_eq!(whole(b"0"), Some(0));
        assert_eq!(whole(b""), None);
        assert_eq!(whole(b"9999999999999999"), None);
    }
}
