//! Lines broken at blanks. Words may hold several styles; widths count what is seen.

use anstyle::Style;

use crate::cut::columns;
use crate::palette::paint;

/// A piece of a text in one style.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) style: Style,
    pub(crate) text: String,
}

/// The spans as lines of at most `room` columns; a longer word stands alone on its line. `first` and `rest` go before
/// the first and the further lines and count as columns.
pub(crate) fn wrap(spans: &[Span], room: usize, first: &str, rest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut used = columns(first);
    let mut fresh = true;
    for word in words(spans) {
        let width: usize = word.iter().map(|piece| columns(&piece.text)).sum();
        if !fresh && used + 1 + width > room {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            used = columns(rest);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
            used += 1;
        }
        line.extend(word.iter().map(|piece| paint(piece.style, &piece.text)));
        used += width;
        fresh = false;
    }
    lines.push(line);
    lines
}

/// Plain text as lines of at most `room` columns.
pub(crate) fn wrap_plain(text: &str, room: usize) -> Vec<String> {
    let style = Style::new();
    let text = text.to_owned();
    wrap(&[Span { style, text }], room, "", "")
}

fn words(spans: &[Span]) -> Vec<Vec<Span>> {
    let mut words: Vec<Vec<Span>> = vec![Vec::new()];
    for span in spans {
        for (nth, piece) in span.text.split(' ').enumerate() {
            if nth > 0 {
                words.push(Vec::new());
            }
            if !piece.is_empty()
                && let Some(word) = words.last_mut()
            {
                let (style, text) = (span.style, piece.to_owned());
                word.push(Span { style, text });
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap_plain("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap_plain("unbreakable x", 4), ["unbreakable", "x"]);
        assert_eq!(wrap_plain("", 4), [""]);
    }

    #[test]
    fn further_lines_hang() {
        let text = "one two three".to_owned();
        let span = Span {
            style: Style::new(),
            text,
        };
        assert_eq!(wrap(&[span], 9, "- ", "  "), ["- one two", "  three"]);
    }
}
