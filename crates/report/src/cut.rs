//! Text cut and padded to a number of terminal columns.

use unicode_width::UnicodeWidthStr;

/// Where text that is too long loses a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At its start: for paths, whose end says most.
    Start,
    /// In its middle: for places, whose type and field both matter.
    Middle,
    /// At its end: for sentences.
    End,
}

/// Columns the text takes.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text in at most `room` columns, with `…` where a piece is missing.
#[must_use]
pub fn cut(text: &str, room: usize, at: Cut) -> String {
    // Bytes bound columns closely enough to spare measuring a text of megabytes.
    if text.len() <= room.saturating_mul(32) && columns(text) <= room {
        return text.to_owned();
    }
    let Some(left) = room.checked_sub(1) else {
        return String::new();
    };
    match at {
        Cut::Start => format!("…{}", end(text, left)),
        Cut::Middle => {
            let tail = end(text, left / 2);
            format!("{}…{tail}", start(text, left - columns(tail)).trim_end())
        }
        Cut::End => format!("{}…", start(text, left).trim_end()),
    }
}

/// The text followed by blanks, `room` columns in all.
#[must_use]
pub fn left(text: &str, room: usize) -> String {
    let blanks = room.saturating_sub(columns(text));
    format!("{text}{:blanks$}", "")
}

/// Blanks followed by the text, `room` columns in all.
#[must_use]
pub fn right(text: &str, room: usize) -> String {
    let blanks = room.saturating_sub(columns(text));
    format!("{:blanks$}{text}", "")
}

/// The longest start that fits.
fn start(text: &str, room: usize) -> &str {
    let mut fits = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        if columns(&text[..next]) > room {
            break;
        }
        fits = next;
    }
    &text[..fits]
}

/// The longest end that fits.
fn end(text: &str, room: usize) -> &str {
    let mut fits = text.len();
    for (at, _) in text.char_indices().rev() {
        if columns(&text[at..]) > room {
            break;
        }
        fits = at;
    }
    &text[fits..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_whole() {
        assert_eq!(cut("abc", 3, Cut::End), "abc");
    }

    #[test]
    fn each_cut_keeps_what_matters() {
        assert_eq!(cut("/a/long/path/x.dump", 8, Cut::Start), "…/x.dump");
        assert_eq!(cut("Measurement.field", 9, Cut::Middle), "Meas…ield");
        assert_eq!(cut("a long sentence", 7, Cut::End), "a long…");
        assert_eq!(cut("abc", 0, Cut::End), "");
        assert_eq!(cut("abc", 1, Cut::Middle), "…");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(cut("数据数据", 5, Cut::End), "数据…");
        assert_eq!(cut("数据数据", 4, Cut::End), "数…");
        assert_eq!(left("数据", 6), "数据  ");
        assert_eq!(right("数据", 6), "  数据");
    }
}
