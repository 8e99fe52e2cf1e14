//! The lines that make most, so that a person sees where memory goes even when no rule objects.

use deadweight_rules::weighing::ChurnSite;

use super::Canvas;
use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::{bytes, count, share};
use crate::harmless::harmless;
use crate::palette::paint;

/// How many lines are shown unless all are asked for.
const SHOWN: usize = 8;

/// What is made there gets at least this many columns.
const WHAT: usize = 8;

/// Places get at most this many columns.
const PLACES: usize = 44;

struct Row {
    place: String,
    bytes: String,
    share: String,
    objects: String,
    kept: String,
    what: String,
}

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(churned) = &canvas.weighing.churned else {
        return Vec::new();
    };
    let shown = if canvas.limit.is_some() { SHOWN } else { usize::MAX };
    let rows: Vec<Row> = churned
        .sites
        .iter()
        .take(shown)
        .map(|site| row(site, churned.bytes))
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let widest = |of: fn(&Row) -> &String, title: &str| {
        let widest = rows.iter().map(|row| columns(of(row))).max();
        widest.unwrap_or_default().max(columns(title))
    };
    let heading = "which lines make most";
    let (made, shares) = (widest(|row| &row.bytes, "made"), widest(|row| &row.share, ""));
    let (objects, kept) = (
        widest(|row| &row.objects, "objects"),
        widest(|row| &row.kept, "kept"),
    );
    let figures = made + shares + objects + kept + 5 * 2;
    let places = widest(|row| &row.place, heading)
        .min(PLACES)
        .min(canvas.width.saturating_sub(figures + WHAT));
    let palette = &canvas.palette;
    let titles = format!(
        "  {}  {}  {}  {}  what",
        right("made", made),
        right("", shares),
        right("objects", objects),
        right("kept", kept)
    );
    let mut lines = vec![format!(
        "{}{}",
        paint(palette.strong, left(&cut(heading, places, Cut::End), places)),
        paint(palette.faint, titles)
    )];
    let room = canvas.width.saturating_sub(places + figures);
    for row in &rows {
        lines.push(format!(
            "{}  {}  {}  {}  {}  {}",
            left(&cut(&row.place, places, Cut::Start), places),
            paint(palette.strong, right(&row.bytes, made)),
            right(&row.share, shares),
            right(&row.objects, objects),
            right(&row.kept, kept),
            paint(palette.faint, cut(&row.what, room, Cut::End)),
        ));
    }
    lines
}

fn row(site: &ChurnSite, all: u64) -> Row {
    let place = if site.site.is_empty() {
        "(no line of the program)".to_owned()
    } else {
        harmless(&site.site)
    };
    let types: Vec<String> = site.types.iter().map(|share| harmless(&share.name)).collect();
    let what = match (site.function.is_empty(), types.is_empty()) {
        (true, _) => types.join(", "),
        (false, true) => harmless(&site.function),
        (false, false) => format!("{}: {}", harmless(&site.function), types.join(", ")),
    };
    let unknown = || "?".to_owned();
    Row {
        place,
        bytes: bytes(site.bytes),
        share: share(site.bytes, all),
        objects: site.objects.map_or_else(unknown, count),
        kept: site.kept_bytes.map_or_else(unknown, bytes),
        what,
    }
}
