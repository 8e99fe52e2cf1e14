//! The places that keep most alive, when they were asked for: a small cache in front of all that it holds.

use std::cmp::Reverse;

use deadweight_weighing::{Holding, harmless};

use super::places::{Places, Row};
use super::{Canvas, LIMIT};
use crate::cut::Cut;
use crate::figures::{bytes, count, share};

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
    let all = canvas.weighing.held.bytes + canvas.weighing.external.bytes;
    let rows: Vec<Row> = keepers
        .into_iter()
        .map(|(place, retained)| row(place, retained, all))
        .collect();
    Places {
        heading: "held by",
        cut: Cut::Middle,
        titles: ["retained", "", "own", "objects"],
        // Raw blocks have no types.
        what: if rows.iter().all(|row| row.what.is_empty()) {
            ""
        } else {
            "what"
        },
        rows,
    }
    .lines(canvas)
}

fn row(place: &Holding, retained: u64, all: u64) -> Row {
    Row {
        place: harmless(&place.holder),
        figures: [
            bytes(retained),
            share(retained, all),
            bytes(place.bytes + place.external),
            count(place.count),
        ],
        what: harmless(&place.holds),
    }
}
