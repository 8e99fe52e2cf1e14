//! The lines that make most, so that a person sees where memory goes even when no rule objects.

use deadweight_weighing::{ChurnSite, Line, harmless};

use super::Canvas;
use super::places::{Places, Row};
use crate::cut::Cut;
use crate::figures::{bytes, count, share};

/// How many lines are shown unless all are asked for.
const SHOWN: usize = 8;

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(churned) = &canvas.weighing.churned else {
        return Vec::new();
    };
    let shown = if canvas.limit.is_some() { SHOWN } else { usize::MAX };
    let sites = churned.sites.iter().take(shown);
    Places {
        heading: "which lines allocate most",
        cut: Cut::Start,
        titles: ["made", "", "objects", "kept"],
        what: "what",
        rows: sites.map(|site| row(site, churned.bytes)).collect(),
    }
    .lines(canvas)
}

/// The share of everything, with what samples leave open of the line itself.
fn open(site: &ChurnSite, all: u64) -> String {
    let part = share(site.bytes, all);
    match site.high.saturating_sub(site.bytes) {
        0 => part,
        margin => format!("{part} ± {}", share(margin, site.bytes)),
    }
}

fn row(site: &ChurnSite, all: u64) -> Row {
    let place = if site.site.is_empty() {
        "(no line of the program)".to_owned()
    } else {
        harmless(&site.site)
    };
    let types: Vec<String> = site.types.iter().map(|share| harmless(&share.name)).collect();
    let has_no_name = site.function.is_empty() || site.function == Line::NAMELESS;
    let what = match (has_no_name, types.is_empty()) {
        (true, _) => types.join(", "),
        (false, true) => harmless(&site.function),
        (false, false) => format!("{}: {}", harmless(&site.function), types.join(", ")),
    };
    let unknown = || "?".to_owned();
    Row {
        place,
        figures: [
            bytes(site.bytes),
            open(site, all),
            site.objects.map_or_else(unknown, count),
            site.kept_bytes.map_or_else(unknown, bytes),
        ],
        what,
    }
}
