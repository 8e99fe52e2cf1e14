//! Text from a dump, made safe to print.
//!
//! A dump holds whatever its program held, so a field's name or a string's value may carry escape sequences that
//! move the cursor, line ends that forge rows, or characters that turn the reading direction round.

/// Marks that may follow one character: enough for every script, too few to climb over the line above.
const MARKS: usize = 3;

/// The text on one line, with every character that could act on the terminal written out.
#[must_use]
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        let width = unicode_width::UnicodeWidthChar::width(c);
        marks = if width == Some(0) { marks + 1 } else { 0 };
        if acts(c) || marks > MARKS {
            shown.extend(written_out(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// `\n`, `\t`, `\x1b`, `\u{202e}`.
fn written_out(c: char) -> Vec<char> {
    match c {
        '\n' | '\r' | '\t' => c.escape_default().collect(),
        '\0'..='\x7f' => format!("\\x{:02x}", c as u32).chars().collect(),
        _ => c.escape_unicode().collect(),
    }
}

/// Controls, separators of lines, and characters that are invisible or change how their neighbours are shown.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn plain_text_of_any_script_stays() {
        for text in ["Measurement.cid", "größe", "数据", "ไม่ได้", "C:\\dumps", "🦀"] {
            assert_eq!(harmless(text), text);
        }
    }

    #[test]
    fn what_acts_on_a_terminal_is_written_out() {
        assert_eq!(harmless("a\x1b[31mb"), "a\\x1b[31mb");
        assert_eq!(harmless("a\r\nb\tc\0"), "a\\r\\nb\\tc\\x00");
        assert_eq!(harmless("a\u{9b}31m"), "a\\u{9b}31m");
        assert_eq!(harmless("a\u{202e}b\u{2028}c"), "a\\u{202e}b\\u{2028}c");
        assert_eq!(harmless("a\u{200b}b"), "a\\u{200b}b");
    }

    #[test]
    fn marks_do_not_pile_up() {
        let tower = format!("a{}", "\u{301}".repeat(1_000));
        assert!(harmless(&tower).starts_with("a\u{301}\u{301}\u{301}\\u{301}"));
    }
}
