//! The places that keep most alive, when they were asked for: a small cache in front of all that it holds.

use std::cmp::Reverse;

use deadweight_rules::weighing::Holding;

use super::{Canvas, LIMIT};
use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::{bytes, count, share};
use crate::harmless::harmless;
use crate::palette::paint;

/// What stands at a place gets at least this many columns.
const WHAT: usize = 8;

/// Places get at most this many columns.
const PLACES: usize = 44;

struct Row {
    place: String,
    retained: String,
    share: String,
    own: String,
    objects: String,
    what: String,
}

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let places = canvas
        .weighing
        .holdings
        .iter()
        .flat_map(|holdings| &holdings.places);
    let mut keepers: Vec<(&Holding, u64)> = places
        .filter_map(|place| Some((place, place.retained?)))
        .collect();
    // The table of places is in a stated order, which settles ties.
    keepers.sort_by_key(|(_, retained)| Reverse(*retained));
    keepers.truncate(LIMIT);
    if keepers.is_empty() {
        return Vec::new();
    }
    let all = canvas.weighing.held.bytes + canvas.weighing.external.bytes;
    let rows: Vec<Row> = keepers
        .into_iter()
        .map(|(place, retained)| row(place, retained, all))
        .collect();
    let widest = |of: fn(&Row) -> &String, title: &str| {
        let widest = rows.iter().map(|row| columns(of(row))).max();
        widest.unwrap_or_default().max(columns(title))
    };
    let heading = "held by";
    let (retained, shares) = (
        widest(|row| &row.retained, "retained"),
        widest(|row| &row.share, ""),
    );
    let (own, objects) = (
        widest(|row| &row.own, "own"),
        widest(|row| &row.objects, "objects"),
    );
    let figures = retained + shares + own + objects + 5 * 2;
    let places = widest(|row| &row.place, heading)
        .min(PLACES)
        .min(canvas.width.saturating_sub(figures + WHAT));
    let palette = &canvas.palette;
    let titles = format!(
        "  {}  {}  {}  {}  {}",
        right("retained", retained),
        right("", shares),
        right("own", own),
        right("objects", objects),
        // Raw blocks have no types.
        if rows.iter().all(|row| row.what.is_empty()) {
            ""
        } else {
            "what"
        }
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
            left(&cut(&row.place, places, Cut::Middle), places),
            paint(palette.strong, right(&row.retained, retained)),
            right(&row.share, shares),
            right(&row.own, own),
            right(&row.objects, objects),
            paint(palette.faint, cut(&row.what, room, Cut::End)),
        ));
    }
    lines
}

fn row(place: &Holding, retained: u64, all: u64) -> Row {
    Row {
        place: harmless(&place.holder),
        retained: bytes(retained),
        share: share(retained, all),
        own: bytes(place.bytes + place.external),
        objects: count(place.count),
        what: harmless(&place.holds),
    }
}
