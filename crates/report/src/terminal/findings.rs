//! What to fix, and the options beside it.

use super::Canvas;
use super::row::Whole;
use super::table::Table;
use crate::figures::bytes;
use crate::palette::paint;
use crate::wrap::wrap_plain;

pub(super) fn findings(canvas: &Canvas<'_>) -> Table {
    let whole = Whole("held", canvas.weighing.held.bytes);
    let weighing = canvas.weighing;
    Table::grouped(canvas, "what to fix", &weighing.findings, &weighing.groups, whole)
}

pub(super) fn options(canvas: &Canvas<'_>) -> Table {
    let whole = Whole("held", canvas.weighing.held.bytes);
    Table::new(
        canvas,
        "options, not counted",
        &canvas.weighing.options,
        false,
        whole,
    )
}

/// What stands in the place of findings when there are none.
pub(super) fn nothing(canvas: &Canvas<'_>) -> Vec<String> {
    let weighing = canvas.weighing;
    // A record of allocations alone says nothing about what is held.
    let unknown = weighing.held.bytes == 0 && weighing.churned.is_some();
    if unknown || !weighing.findings.is_empty() {
        return Vec::new();
    }
    let good = "Nothing to fix: no dead weight was found.";
    let held = &weighing.held;
    let gave_back = held.content + held.dead == 0 && weighing.external.bytes == 0;
    let limits = match (&weighing.partial, weighing.not_measured.is_empty()) {
        (Some(_), _) => "This is said only of the part of the dump that could be read.".to_owned(),
        (None, _) if gave_back => {
            "The program held nothing of its own any more: capture it while it works, by SIGUSR2 or with --when 'rss>500MB'."
                .to_owned()
        }
        (None, false) => "This is said only of what could be measured; see below.".to_owned(),
        (None, true) => format!(
            "Every rule looked; all {} held are what the program needs or the runtime's own.",
            bytes(weighing.held.bytes)
        ),
    };
    let mut lines = vec![paint(canvas.palette.action, good)];
    lines.extend(wrap_plain(&limits, canvas.width));
    lines
}
