//! Where a fix was made, when that is not where its finding says, or not at all places that it names.

use deadweight_weighing::{Finding, Freed};

use super::outcome::Second;
use crate::gathered::INSIDE;
use crate::judging::{LEAST, REST, WENT, equal_at};
use crate::places::{Name, Places, SAME, is_field_of, weight};

/// Where a fix was made.
#[derive(Clone, Debug)]
pub(crate) enum MadeAt {
    /// For the same objects, some of them at another place.
    Across(Vec<Freed>),
    /// At these of its places alone, for less than it frees there.
    Inside(Vec<Freed>),
}

impl MadeAt {
    pub fn frees(&self) -> &[Freed] {
        match self {
            Self::Across(frees) | Self::Inside(frees) => frees,
        }
    }
}

/// Where the bytes of a finding went that is about objects equal to those of another place. The table of its fix keeps the
/// object that it meets first, and where that is this place's, those of the other place went. `gone` are bytes that other
/// findings that are gone save at a place. None where as much as all of them promise went from this place, or no more than
/// others promise from the other.
pub(super) fn across(finding: &Finding, places: &Places, gone: impl Fn(&Name) -> i64) -> Option<Vec<Freed>> {
    let equal_at = equal_at(finding)?;
    let [own, rest @ ..] = finding.frees.as_slice() else {
        return None;
    };
    let name = places.of(own)?;
    let more = |name: &Name| {
        let saved = places.saved(name);
        let saved = if finding.external {
            saved.external
        } else {
            saved.held
        };
        saved - gone(name)
    };
    let other = (equal_at.to_owned(), String::new());
    // What is not there any more at all was dropped, and no table keeps it, unless its containers are as full as they were: they
    // hold this place's objects then.
    let both = places.all.get(&other);
    let both = both.filter(|both| both.count[1] > 0 || containers_stay(equal_at, places))?;
    let granted = finding.saves.max(1) as f64;
    let missing = (granted - more(&name).max(0) as f64) / granted;
    let there = ((own.bytes as f64 * missing) as i64).min(more(&other));
    if (there as f64) < LEAST.max(REST * own.bytes as f64) {
        return None;
    }
    let moved = Freed {
        holder: equal_at.to_owned(),
        holds: both.holds.clone(),
        site: None,
        bytes: there,
    };
    let stays = Freed {
        bytes: own.bytes - there,
        ..own.clone()
    };
    let both = [stays, moved].into_iter().filter(|freed| freed.bytes > 0);
    Some(both.chain(rest.iter().cloned()).collect())
}

/// Whether a place is within containers that are all there, and as large as they were.
fn containers_stay(place: &str, places: &Places) -> bool {
    let container = INSIDE.iter().find_map(|inside| place.strip_suffix(inside));
    let container = container.and_then(|holder| places.all.get(&(holder.to_owned(), String::new())));
    container.is_some_and(|both| {
        let (before, after) = (weight(both.bytes[0]) as f64, weight(both.after()) as f64);
        before > 0.0 && (before - after).abs() <= SAME * before
    })
}

/// What went from inside the objects of a finding that are all still there: objects that they alone held are fewer, as when the
/// texts of equal lists were made one and the lists were not. The second side says of these places that less is to be freed.
pub(super) fn inside(
    finding: &Finding,
    second: &Second<'_, '_>,
    places: &Places,
    scale: f64,
) -> Option<Vec<Freed>> {
    let left = second.untouched(finding, scale)?;
    let left_at = |freed: &Freed| {
        let frees = left.iter().flat_map(|other| &other.frees);
        let here = frees.filter(|other| second.names.place(&other.holder) == freed.holder);
        let bytes: i64 = here.map(|other| other.bytes).sum();
        (bytes as f64 * scale) as i64
    };
    let is_inside = |freed: &Freed| {
        finding.frees.iter().any(|other| {
            let in_container = INSIDE
                .iter()
                .any(|inside| freed.holder.strip_suffix(inside) == Some(other.holder.as_str()));
            in_container || is_field_of(&freed.holder, &other.holds)
        })
    };
    let parts = finding.frees.iter().filter(|freed| is_inside(freed));
    let parts = parts.filter_map(|freed| {
        let name = places.of(freed).filter(|name| !name.0.is_empty())?;
        let both = &places.all[&name];
        let after = both.count[1] as f64 * both.scale;
        let are_fewer = after < both.count[0] as f64 * (1.0 - SAME);
        let saved = places.saved(&name);
        let went = if finding.external {
            saved.external
        } else {
            saved.held
        };
        let less = freed.bytes - left_at(freed);
        let is_part =
            are_fewer && less as f64 > REST * freed.bytes as f64 && went as f64 >= WENT * less as f64;
        is_part.then(|| Freed {
            bytes: less,
            ..freed.clone()
        })
    });
    let parts: Vec<Freed> = parts.collect();
    (!parts.is_empty()).then_some(parts)
}
