//! Memory that the dump does not show: before all else, as the rest is said of what it shows.

use anstyle::Style;
use deadweight_weighing::{UnseenPlace, harmless};

use super::Canvas;
use crate::figures::bytes;
use crate::palette::paint;
use crate::unseen::sentence;
use crate::wrap::{Span, wrap, wrap_plain};

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(unseen) = &canvas.weighing.unseen else {
        return Vec::new();
    };
    let text = format!("NOT SEEN: {}.", sentence(unseen));
    let lines = wrap_plain(&text, canvas.width).into_iter();
    let mut lines: Vec<String> = lines.map(|line| paint(canvas.palette.caution, line)).collect();
    for place in &unseen.places {
        lines.extend(entry(canvas, place));
    }
    lines
}

fn entry(canvas: &Canvas<'_>, place: &UnseenPlace) -> Vec<String> {
    let indent = " ".repeat(4);
    let labelled = |style: Style, label: &str, text: &str| {
        let label = Span {
            style,
            text: label.to_owned(),
        };
        let text = format!(" {}", harmless(text));
        let style = Style::new();
        wrap(&[label, Span { style, text }], canvas.width, &indent, &indent)
    };
    let what = match place.bytes {
        Some(there) => format!("{}, {}", place.what, bytes(there)),
        None => place.what.clone(),
    };
    let mut lines = labelled(canvas.palette.strong, "where:", &what);
    if !place.how.is_empty() {
        lines.extend(labelled(canvas.palette.action, "how:", &place.how));
    }
    lines
}
