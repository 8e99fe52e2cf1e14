//! Reports of a [`Diff`]: what grew from moment to moment.

use std::io::Write;

use deadweight_compare::diff::{Course, Diff, MOMENTS};

use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::bytes;
use crate::palette::{Palette, paint};
use crate::proof::change;
use crate::wrap::wrap_plain;
use crate::{Look, WriteError};
use deadweight_weighing::harmless;

/// Moments whose figures have room on the screen: the first and the last of more.
const SHOWN: usize = 5;

/// Writes what grew for a person at a terminal: the first `limit` places, or all.
///
/// # Errors
/// When the output takes no more.
pub fn terminal(
    diff: &Diff,
    look: Look,
    limit: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    Ok(out.write_all(screen(diff, look, limit).as_bytes())?)
}

/// Writes what grew as JSON.
///
/// # Errors
/// When the output takes no more.
pub fn json(diff: &Diff, out: &mut dyn Write) -> Result<(), WriteError> {
    crate::json::pretty(diff, out)
}

/// The directory of a capture where the path leads into one: there all dumps have one name.
fn capture(path: &str) -> &str {
    let directory = path.rsplit_once('/').map(|(directory, _)| directory);
    let directory = directory.filter(|directory| directory.ends_with(".deadweight"));
    directory.unwrap_or(path)
}

fn screen(diff: &Diff, look: Look, limit: Option<usize>) -> String {
    let palette = Palette::new(look.colour);
    let width = look.width.clamp(72, 120);
    let mut text = String::new();
    let mut say = |line: &str| {
        text.push_str(line.trim_end());
        text.push('\n');
    };
    for (at, moment) in diff.moments.iter().enumerate() {
        let figures = format!(
            "held {} · external {} · dead weight {}",
            bytes(moment.bytes.held),
            bytes(moment.bytes.external),
            bytes(moment.dead)
        );
        let room = width.saturating_sub(columns(&figures) + 6);
        let path = cut(&harmless(capture(&moment.source.path)), room, Cut::Start);
        say(&format!(
            "{}  {}  {}",
            right(&(at + 1).to_string(), 2),
            left(&path, room),
            paint(palette.faint, figures)
        ));
    }
    say("");
    let grown = paint(palette.strong, change(-diff.grown.sum()));
    say(&format!("from the first to the last: {grown}"));

    let (grew, shrank): (Vec<&Course>, Vec<&Course>) = diff.places.iter().partition(|place| place.grown > 0);
    let columns_shown = shown(diff.moments.len());
    let figures = columns_shown.len() * 11 + 12;
    let room = width.saturating_sub(figures + 10).max(20);
    for (title, mut places) in [("what grew", grew), ("what shrank", shrank)] {
        if places.is_empty() {
            continue;
        }
        places.sort_by_key(|place| std::cmp::Reverse((place.suspect, place.grown.unsigned_abs())));
        let all = places.len();
        places.truncate(limit.unwrap_or(all));
        let heads: String = columns_shown
            .iter()
            .map(|at| right(&format!("({})", at + 1), 11))
            .collect();
        say("");
        let head = format!(
            "{}{heads}{}",
            left("", room + 10 - title.len()),
            right("change", 12)
        );
        say(&format!(
            "{}{}",
            paint(palette.strong, title),
            paint(palette.faint, head)
        ));
        for place in &places {
            let name = if place.holder.is_empty() {
                format!("(runtime: {})", harmless(&place.holds))
            } else {
                harmless(&place.holder)
            };
            let mark = if place.suspect {
                paint(palette.dead, "leak?   ")
            } else {
                left("", 8)
            };
            let figures: String = columns_shown
                .iter()
                .map(|at| right(&place.bytes[*at].map_or_else(|| "–".to_owned(), bytes), 11))
                .collect();
            let name = left(&cut(&name, room, Cut::Middle), room);
            say(&format!(
                "{mark}{name}  {figures}{}",
                right(&change(-place.grown), 12)
            ));
        }
        if all > places.len() {
            say(&paint(
                palette.faint,
                format!("        {} more: --all", all - places.len()),
            ));
        }
    }
    let mut notes = diff.notes.clone();
    if diff.can_suspect {
        if !diff.places.iter().any(|place| place.suspect) {
            notes.push("no place grew from every capture to the next: no leak is suspected".to_owned());
        }
    } else {
        notes.push(format!(
            "growth between two captures is not yet a leak: compare at least {MOMENTS} to see one"
        ));
    }
    say("");
    for note in notes {
        for line in wrap_plain(&harmless(&note), width) {
            say(&paint(palette.faint, line));
        }
    }
    text
}

/// The moments that have a column.
fn shown(moments: usize) -> Vec<usize> {
    if moments <= SHOWN {
        return (0..moments).collect();
    }
    (0..SHOWN).map(|at| at * (moments - 1) / (SHOWN - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_named_by_its_directory() {
        assert_eq!(
            capture("x/app-1-1.deadweight/heap.heapsnapshot"),
            "x/app-1-1.deadweight"
        );
        for other in ["x/app.heapsnapshot", "app.deadweight", "heap.json"] {
            assert_eq!(capture(other), other);
        }
    }
}
