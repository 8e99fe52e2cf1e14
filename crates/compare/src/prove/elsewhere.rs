//! Findings that are reported at another place now: nobody mended them.

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, OTHERS, Weighing};

use super::outcome::{frees_most, is_same};
use crate::align::Names;
use crate::judging::{are_of_one_sort, equal_at};
use crate::places::{Name, Places, SAME};

/// Of several findings about records of one type the one with this share of all is the one that counts.
const NEARLY_ALL: f64 = 0.9;

/// Findings of the first side that the second side has under another name.
#[derive(Debug, Default)]
pub(super) struct Elsewhere<'w> {
    /// By the fingerprint of the first side's.
    of: BTreeMap<&'w str, &'w Finding>,
    /// By the fingerprint of the first side's those about a part of its objects, which stand at another place now.
    moved: BTreeMap<&'w str, Vec<&'w Finding>>,
    /// Those of the second side that the first has under no name, in its order.
    pub new: Vec<&'w Finding>,
}

impl<'w> Elsewhere<'w> {
    /// A finding that is gone, and one of the same sort that came with as many objects and as many bytes, brought to the
    /// records of the first side by `scale`, are one. Where several might be, none is taken for another. One that came at a
    /// place which was not there, about records of a type, is a part of the finding of its sort that has nearly all of these.
    pub fn find(
        before: &'w Weighing,
        after: &'w Weighing,
        names: &Names,
        places: Option<&Places>,
        scale: f64,
    ) -> Self {
        let (first, second) = (&before.findings, &after.findings);
        let is_listed = |finding: &&Finding| finding.rule != OTHERS;
        let gone = first.iter().filter(is_listed);
        let gone: Vec<&Finding> = gone
            .filter(|finding| !second.iter().any(|other| is_same(finding, other, names)))
            .collect();
        let come = second.iter().filter(is_listed);
        let mut come: Vec<&Finding> = come
            .filter(|finding| !first.iter().any(|other| is_same(other, finding, names)))
            .collect();
        let near = |a: u64, b: u64| (a as f64 - b as f64 * scale).abs() <= SAME * a as f64;
        let are_one = |a: &Finding, b: &Finding| {
            let are_alike = || near(a.count, b.count) && near(a.saves_alone, b.saves_alone);
            are_of_one_sort(a, b) && a.external == b.external && (are_turned(a, b, names) || are_alike())
        };
        let mut of = BTreeMap::new();
        for finding in &gone {
            let mut others = come.iter().filter(|other| are_one(finding, other));
            let (Some(other), None) = (others.next(), others.next()) else {
                continue;
            };
            if gone
                .iter()
                .filter(|finding| are_one(finding, other))
                .nth(1)
                .is_none()
            {
                of.insert(finding.fingerprint.as_str(), *other);
            }
        }
        come.retain(|finding| !of.values().any(|known| std::ptr::eq(*known, *finding)));
        let mut moved: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        if let Some(places) = places {
            come.retain(|other| {
                let Some(of) = moved_from(other, first, names, places) else {
                    return true;
                };
                moved.entry(of.fingerprint.as_str()).or_default().push(other);
                false
            });
        }
        Self { of, moved, new: come }
    }

    /// What the second side says of a finding's records at other places.
    pub fn moved(&self, finding: &Finding) -> &[&'w Finding] {
        let moved = self.moved.get(finding.fingerprint.as_str());
        moved.map_or(&[], Vec::as_slice)
    }

    /// What the second side says of a finding of the first.
    pub fn of(&self, finding: &Finding) -> Option<&'w Finding> {
        self.of.get(finding.fingerprint.as_str()).copied()
    }
}

/// Whether two findings name the same two places with equal strings, one as its holder and the other as the place beside it.
fn are_turned(a: &Finding, b: &Finding, names: &Names) -> bool {
    let (Some(first), Some(second)) = (equal_at(a), equal_at(b)) else {
        return false;
    };
    a.holder == names.place(second) && first == names.place(&b.holder)
}

/// The finding of the first side about the objects that one of the second side is about, where that is at a new place.
fn moved_from<'w>(
    other: &Finding,
    first: &'w [Finding],
    names: &Names,
    places: &Places,
) -> Option<&'w Finding> {
    let here = (names.place(&other.holder), String::new());
    // What left a place for this one is no more mended than it was.
    let left_for_here = |finding: &&Finding| {
        let mut frees = finding.frees.iter().filter_map(|freed| places.of(freed));
        let came = |name: &Name| {
            let went = places.gathered.get(name);
            went.is_some_and(|went| went.objects.iter().any(|(name, _)| *name == here))
        };
        are_of_one_sort(finding, other) && finding.external == other.external && frees.any(|name| came(&name))
    };
    if let Some(of) = first.iter().find(left_for_here) {
        return Some(of);
    }
    let is_new = places.all.get(&here).is_some_and(|both| both.count[0] == 0);
    let records = |finding: &Finding| {
        let (holder, holds) = frees_most(finding)?;
        (!holder.is_empty() && places.is_record(holds)).then(|| holds.to_owned())
    };
    let of = records(other).filter(|_| is_new)?;
    let kin = first.iter().filter(|finding| {
        are_of_one_sort(finding, other)
            && finding.external == other.external
            && records(finding).as_ref() == Some(&of)
    });
    let kin: Vec<&Finding> = kin.collect();
    let all: u64 = kin.iter().map(|finding| finding.saves_alone).sum();
    let most = kin.into_iter().max_by_key(|finding| finding.saves_alone)?;
    // Where others have a part of the records that counts, nobody knows whose these were.
    (most.saves_alone as f64 >= NEARLY_ALL * all as f64).then_some(most)
}
