//! What nothing held any more at the capture: it is in no figure of the report, and the process has it all the same.

use super::Canvas;
use crate::figures::{bytes, counted};
use crate::palette::paint;
use crate::wrap::wrap_plain;

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let weighing = canvas.weighing;
    let beside = weighing.held.bytes.saturating_add(weighing.external.bytes);
    let Some(garbage) = weighing.garbage.filter(|garbage| garbage.matters(beside)) else {
        return Vec::new();
    };
    let outside = if garbage.external > 0 {
        format!(", {} outside the heap", bytes(garbage.external))
    } else {
        String::new()
    };
    let text = format!(
        "garbage: nothing held {} any more at the capture ({}{outside}), and no collection had taken it yet. It is in no other figure.",
        bytes(garbage.bytes),
        counted(garbage.objects, "object"),
    );
    let lines = wrap_plain(&text, canvas.width).into_iter();
    lines.map(|line| paint(canvas.palette.faint, line)).collect()
}
