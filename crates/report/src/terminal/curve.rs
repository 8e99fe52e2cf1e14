//! What was held over time: a small curve, with the moment of the capture on it.

use anstyle::Style;
use deadweight_weighing::{Curve, Moment, harmless};

use super::Canvas;
use crate::cut::{Cut, cut};
use crate::figures::{bytes, elapsed};
use crate::palette::paint;
use crate::wrap::{Span, wrap, wrap_plain};

const LABEL: &str = "over time  ";
/// No curve has more columns.
const WIDEST: usize = 40;
/// What is left for the words beside it.
const CAPTION: usize = 37;
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// That the capture came after the highest moment: before all else, as the rest is said of what was left.
pub(super) fn past(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(curve) = canvas.weighing.curve.as_ref().filter(|curve| curve.is_past()) else {
        return Vec::new();
    };
    let text = format!(
        "PAST THE HIGHEST: the process held at least {} {} after its start; this capture shows {}.",
        bytes(curve.highest.bytes),
        elapsed(curve.highest.ms),
        bytes(curve.captured.bytes)
    );
    let lines = wrap_plain(&text, canvas.width).into_iter();
    let mut lines: Vec<String> = lines.map(|line| paint(canvas.palette.caution, line)).collect();
    if let Some(how) = &curve.how {
        let label = Span {
            style: canvas.palette.action,
            text: "how:".to_owned(),
        };
        let text = format!(" {}", harmless(how));
        let indent = " ".repeat(4);
        let style = Style::new();
        lines.extend(wrap(
            &[label, Span { style, text }],
            canvas.width,
            &indent,
            &indent,
        ));
    }
    lines
}

/// The curve: each column as high as the most that was held in its time.
pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(curve) = &canvas.weighing.curve else {
        return Vec::new();
    };
    let wide = canvas
        .width
        .saturating_sub(LABEL.len() + CAPTION)
        .clamp(1, WIDEST);
    let Some((columns, captured)) = columns(curve, wide) else {
        return Vec::new();
    };
    let most = columns.iter().copied().max().unwrap_or(0).max(1);
    let drawn: String = columns.iter().map(|&held| LEVELS[level(held, most)]).collect();
    let caption = |text: &str, moment: Moment| {
        let text = format!("  {text} {} after {}", bytes(moment.bytes), elapsed(moment.ms));
        paint(
            canvas.palette.faint,
            cut(&text, canvas.width - LABEL.len() - wide, Cut::End),
        )
    };
    let mark = format!("{:captured$}▲{:rest$}", "", "", rest = wide - 1 - captured);
    vec![
        format!(
            "{LABEL}{}{}",
            paint(canvas.palette.content, drawn),
            caption("at most", curve.highest)
        ),
        format!(
            "{:indent$}{}{}",
            "",
            paint(canvas.palette.strong, mark),
            caption("captured with", curve.captured),
            indent = LABEL.len()
        ),
    ]
}

/// The bytes of each column, and the column of the capture; none of a curve that says nothing.
fn columns(curve: &Curve, wide: usize) -> Option<(Vec<u64>, usize)> {
    let mut moments: Vec<Moment> = curve.points.clone();
    moments.extend([curve.highest, curve.captured]);
    moments.sort_by_key(|moment| moment.ms);
    let end = moments.last()?.ms;
    if curve.points.is_empty() || end == 0 {
        return None;
    }
    let column = |ms: u64| (ms as f64 / end as f64 * wide as f64) as usize;
    let column = |ms: u64| column(ms).min(wide - 1);
    let mut highest = vec![None::<u64>; wide];
    for moment in &moments {
        let at = column(moment.ms);
        highest[at] = highest[at].max(Some(moment.bytes));
    }
    // Between two moments it is not known; the earlier one stands until the next.
    let mut held = 0;
    let columns = highest.iter().map(|highest| {
        held = highest.unwrap_or(held);
        held
    });
    Some((columns.collect(), column(curve.captured.ms)))
}

fn level(held: u64, most: u64) -> usize {
    let level = (held as f64 / most as f64 * LEVELS.len() as f64).ceil() as usize;
    level.clamp(1, LEVELS.len()) - 1
}
