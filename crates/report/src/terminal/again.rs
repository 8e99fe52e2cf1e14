//! What several heaps of the run hold, each for itself.

use anstyle::Style;
use deadweight_weighing::{AgainAt, HeldAgain, harmless};

use super::Canvas;
use super::places::{Places, Row};
use crate::cut::Cut;
use crate::figures::{bytes, share};
use crate::palette::paint;
use crate::wrap::{Span, wrap, wrap_plain};

/// The rule that finds the same within one heap.
const RULE: &str = "R03";

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(again) = &canvas.weighing.again else {
        return Vec::new();
    };
    let mut rows: Vec<Row> = again.places.iter().map(|place| row(place, again.bytes)).collect();
    if again.elsewhere > 0 {
        rows.push(Row {
            place: "elsewhere".to_owned(),
            figures: [
                bytes(again.elsewhere),
                share(again.elsewhere, again.bytes),
                String::new(),
                String::new(),
            ],
            what: String::new(),
        });
    }
    let title = format!(
        "{RULE}  {} heaps of this run hold the same contents: {}{} would go if one of them alone held each.",
        again.heaps,
        if again.estimated { "about " } else { "" },
        bytes(again.bytes)
    );
    let mut lines: Vec<String> = wrap_plain(&title, canvas.width)
        .into_iter()
        .map(|line| paint(canvas.palette.strong, line))
        .collect();
    lines.extend(
        Places {
            heading: "held again at",
            cut: Cut::Middle,
            titles: ["saves", "", "heaps", ""],
            what: "what",
            rows,
        }
        .lines(canvas),
    );
    lines.extend(fix(canvas, again));
    lines
}

fn row(place: &AgainAt, all: u64) -> Row {
    Row {
        place: harmless(&place.holder),
        figures: [
            bytes(place.bytes),
            share(place.bytes, all),
            place.heaps.to_string(),
            String::new(),
        ],
        what: harmless(&place.holds),
    }
}

fn fix(canvas: &Canvas<'_>, again: &HeldAgain) -> Vec<String> {
    let indent = " ".repeat(4);
    let label = Span {
        style: canvas.palette.action,
        text: "fix:".to_owned(),
    };
    let text = Span {
        style: Style::new(),
        text: " keep it in one process that the others ask, or in a cache beside them; load what never changes before the \
               processes are forked"
            .to_owned(),
    };
    let mut lines = wrap(&[label, text], canvas.width, &indent, &indent);
    if let Some(shared) = again.shared.filter(|&shared| shared > 0) {
        let text = Span {
            style: Style::new(),
            text: format!(
                "of this up to {} may stand in pages that the processes still share and cost nothing",
                bytes(shared)
            ),
        };
        lines.extend(wrap(&[text], canvas.width, &indent, &indent));
    }
    lines
}
