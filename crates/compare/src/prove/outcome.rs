//! What became of each finding of the first side.

use std::collections::{BTreeMap, BTreeSet};

use deadweight_weighing::{Finding, OTHERS, Weighing};

use super::elsewhere::Elsewhere;
use super::made_at::{self, MadeAt};
use super::went::{gone_beside, went};
use super::{Draft, Options, fields, pairing};
use crate::align::Names;
use crate::judging::{Judged, Left, REST, WENT, are_of_one_sort, settle};
use crate::places::{Name, Places, SAME};
use crate::proof::{Fix, Outcome, Saving};

/// What a fix saves beside others that free the same bytes, as a part of these: bytes do not show whether a fix that saves
/// less was made, and no figure depends on it.
const NEXT_TO_NOTHING: f64 = 0.001;

/// An option counts as taken where this share of what it promises went: nobody asked for it, and what is left over from fixes
/// is soon half of a small one.
const TAKEN: f64 = 0.8;

/// From what is left of a finding is read.
pub(super) struct Second<'a, 'w> {
    pub before: &'w Weighing,
    pub weighing: &'w Weighing,
    pub names: &'a Names,
    pub elsewhere: &'a Elsewhere<'w>,
}

impl<'w> Second<'_, 'w> {
    /// What it says of a finding of the first side, where it has as many of its objects and as large a part of them is dead.
    pub fn untouched(&self, finding: &Finding, scale: f64) -> Option<Vec<&'w Finding>> {
        let sides = [&self.before.findings[..], &self.weighing.findings];
        let same = counterparts(finding, sides, self.names);
        (!same.is_empty() && is_untouched(finding, &same, scale)).then_some(same)
    }

    /// What it would save of a finding of the first side, brought to the records of that.
    pub fn remaining(&self, finding: &Finding, scale: f64) -> Option<u64> {
        let sides = [&self.before.findings[..], &self.weighing.findings];
        let here = remaining(finding, sides, self.names, scale).or_else(|| {
            let moved = self.elsewhere.of(finding)?;
            Some((moved.saves_alone as f64 * scale).round() as u64)
        });
        let moved = self.elsewhere.moved(finding).iter();
        let moved: u64 = moved.map(|other| other.saves_alone).sum();
        let is_left = here.is_some() || moved > 0;
        is_left.then(|| here.unwrap_or(0) + (moved as f64 * scale).round() as u64)
    }

    /// What its own report says that the same fix would save now, brought to the records of the first side.
    fn saves(&self, finding: &Finding, scale: f64) -> u64 {
        let sides = [&self.before.findings[..], &self.weighing.findings];
        let mut left = counterparts(finding, sides, self.names);
        if left.is_empty() {
            left.extend(self.elsewhere.of(finding));
        }
        left.extend(self.elsewhere.moved(finding));
        let saves: u64 = left
            .iter()
            .map(|other| fields::saves_of(finding, other, other.saves))
            .sum();
        (saves as f64 * scale).round() as u64
    }
}

/// Every finding of the first side.
pub(super) fn findings<'w>(
    before: &'w Weighing,
    second: &Second<'_, '_>,
    places: Option<&Places>,
    scale: f64,
    options: &Options,
) -> Vec<Draft<'w>> {
    let listed = before.findings.iter().filter(|finding| finding.rule != OTHERS);
    let mut drafts: Vec<Draft<'w>> = listed.map(|finding| draft(finding, false)).collect();
    // A buffer of one size does not grow with the records.
    let scale = |finding: &Finding| {
        let largest = finding.frees.first().and_then(|freed| {
            let places = places?;
            Some(places.all[&places.of(freed)?].scale)
        });
        largest.unwrap_or(scale)
    };
    if let Some(places) = places {
        for draft in &mut drafts {
            let finding = draft.finding;
            // Who names a fix made all of it.
            let inside = match options.mended {
                Some(_) => None,
                None => made_at::inside(finding, second, places, scale(finding)).map(MadeAt::Inside),
            };
            let across = || {
                let gone = |name: &Name| gone_beside(finding, second, places, name);
                made_at::across(finding, places, gone).map(MadeAt::Across)
            };
            draft.made_at = inside.or_else(across);
        }
    }
    settle(
        &mut drafts,
        options.mended.as_deref(),
        |_, draft| {
            let left = second.remaining(draft.finding, scale(draft.finding))?;
            let went: i64 = match &draft.made_at {
                Some(MadeAt::Inside(frees)) => frees.iter().map(|freed| freed.bytes).sum(),
                _ => 0,
            };
            Some(left.saturating_add_signed(-went))
        },
        |draft, left| {
            let folded = folded(second.weighing, draft.finding, scale(draft.finding));
            otherwise(draft, left, folded, places)
        },
    );
    for draft in &mut drafts {
        draft.report.remaining = second.saves(draft.finding, scale(draft.finding));
    }
    drafts
}

/// The options of the first side. One is taken when the second side does not offer it any more and more bytes went
/// from where it frees some than the findings explain.
pub(super) fn taken_options<'w>(
    before: &'w Weighing,
    after: &Weighing,
    names: &Names,
    places: Option<&Places>,
    scale: f64,
    options: &Options,
    findings: &[Draft<'_>],
) -> Vec<Draft<'w>> {
    let mut explained: BTreeMap<_, i64> = BTreeMap::new();
    for draft in findings.iter().filter(|draft| draft.is_made()) {
        // Slots that get blocks of their own all go from their nodes.
        let goes = draft.moved.map_or(draft.report.predicted.sum() as f64, |moved| {
            moved.bytes as f64 * draft.share
        });
        let given = draft.given(goes.round() as i64);
        for freed in draft.frees() {
            let name = places.and_then(|places| places.of(freed));
            *explained.entry(name).or_default() += (freed.bytes as f64 * given) as i64;
        }
    }
    let taken = |option: &Finding| {
        let (Some(places), false) = (places, options.mended.is_some()) else {
            let mended = options.mended.as_ref();
            return mended.is_some_and(|mended| mended.contains(&option.fingerprint));
        };
        let sides = [&before.options[..], &after.options];
        if remaining(option, sides, names, scale).is_some() {
            return false;
        }
        let mut seen = BTreeSet::new();
        let went: i64 = option
            .frees
            .iter()
            .filter_map(|freed| places.of(freed))
            .filter(|name| seen.insert(name.clone()))
            .map(|name| {
                let explained = explained.get(&Some(name.clone())).copied().unwrap_or(0);
                let more = places.saved(&name).sum() - explained;
                // Promises are not exact: a little more than fixes promise of a place is theirs.
                let is_theirs = explained > 0 && more as f64 <= REST * explained as f64;
                if is_theirs { more.min(0) } else { more }
            })
            .sum();
        // What an option takes from one place and saves not comes elsewhere: objects that are just gone took no option.
        let elsewhere = places.all.iter().filter(|(name, _)| !seen.contains(*name));
        let came: i64 = elsewhere.map(|(_, both)| (-both.saved().sum()).max(0)).sum();
        let stays = went - option.saves.cast_signed();
        if (came as f64) < WENT * stays as f64 && stays > option.saves.cast_signed() {
            return false;
        }
        // Records that are there under another name were not turned into columns.
        let came_again = places.all.iter().any(|(_, both)| {
            both.count[0] == 0 && 2 * both.count[1] >= option.count && places.is_record(&both.holds)
        });
        if came_again {
            return false;
        }
        let sure = went.min(option.saves.cast_signed()) - places.unsure(option).cast_signed();
        option.saves > 0 && sure as f64 >= TAKEN * option.saves as f64
    };
    let mut drafts = Vec::new();
    for option in &before.options {
        let mut draft = draft(option, true);
        if taken(option) {
            draft.set(Outcome::Mended, 1.0);
            drafts.push(draft);
        }
    }
    drafts
}

fn draft(finding: &Finding, option: bool) -> Draft<'_> {
    Draft {
        finding,
        option,
        share: 0.0,
        ways: BTreeMap::new(),
        moved: None,
        made_at: None,
        report: Fix {
            rule: finding.rule.clone(),
            holder: finding.holder.clone(),
            site: finding.site.clone(),
            fingerprint: finding.fingerprint.clone(),
            title: finding.title.clone(),
            fix: finding.fix.clone(),
            external: finding.external,
            outcome: Outcome::Open,
            way: None,
            promised: finding.saves_alone.cast_signed(),
            predicted: Saving::default(),
            measured: None,
            error: None,
            remaining: 0,
        },
    }
}

/// What the bytes that went say of a finding, where that is another thing than what is left of it.
fn otherwise(draft: &Draft<'_>, left: Left, folded: u64, places: Option<&Places>) -> Option<Outcome> {
    let finding = draft.finding;
    // What another fix that was made frees as well went with that one.
    let alone = finding.saves_alone as f64;
    let own = |went: f64| {
        if left.promised < NEXT_TO_NOTHING * alone {
            return went;
        }
        (went * alone - (alone - left.promised)) / left.promised
    };
    let went = places.and_then(|places| went(draft, places)).map(own);
    let is_gone = left.bytes.is_none();
    let enough = WENT * (1.0 - left.rest);
    let least = |went: f64| went - places.map_or(0.0, |places| places.unsure(finding) as f64) / left.promised;
    match went {
        // What is gone under its name may still be there under none.
        Some(went) if is_gone && went >= enough && least(went) < enough => Some(Outcome::Unknown),
        // A rule may lose sight of a finding for what another change did: its bytes say whether it was mended.
        Some(went) if went < enough => Some(Outcome::Hidden),
        None if is_gone && folded as f64 > REST * left.promised => Some(Outcome::Unknown),
        _ => None,
    }
}

/// What the second side finds of the same fix at the same place. Several of one rule may stand in one function: each is the one
/// whose figures it has. Where these do not tell, what has the fingerprint of another finding of the first side is that one, and
/// so is what frees most of its bytes where that one does, as lines move when code changes.
fn counterparts<'w>(
    finding: &Finding,
    [first, second]: [&'w [Finding]; 2],
    names: &Names,
) -> Vec<&'w Finding> {
    let is_anothers = |other: &'w Finding| {
        if let Some(known) = pairing::of_several(other, [first, second], names) {
            return known.fingerprint != finding.fingerprint;
        }
        let mut others = first
            .iter()
            .filter(|known| known.fingerprint != finding.fingerprint);
        let frees_elsewhere = frees_most(other).is_some() && frees_most(other) != frees_most(finding);
        other.fingerprint != finding.fingerprint
            && others.any(|known| {
                let is_beside = known.rule == finding.rule && known.holder == finding.holder;
                known.fingerprint == other.fingerprint
                    || is_beside && frees_elsewhere && frees_most(known) == frees_most(other)
            })
    };
    let same = second.iter().filter(|other| is_same(finding, other, names));
    same.filter(|&other| !is_anothers(other)).collect()
}

/// The place at which a finding frees most: they come largest first.
pub(super) fn frees_most(finding: &Finding) -> Option<(&str, &str)> {
    let most = finding.frees.first()?;
    Some((&most.holder, &most.holds))
}

/// What the second side's findings of the same fix would save, brought to the records of the first.
fn remaining(finding: &Finding, sides: [&[Finding]; 2], names: &Names, scale: f64) -> Option<u64> {
    let same = counterparts(finding, sides, names);
    if same.is_empty() {
        return None;
    }
    if is_untouched(finding, &same, scale) {
        return Some(finding.saves_alone);
    }
    let left: u64 = same
        .iter()
        .map(|other| fields::saves_of(finding, other, other.saves_alone))
        .sum();
    Some((left as f64 * scale).round() as u64)
}

/// Whether the second side finds as many objects, of which the same share is dead: if these take less, another fix has
/// made them smaller.
fn is_untouched(finding: &Finding, after: &[&Finding], scale: f64) -> bool {
    let sum = |of: fn(&Finding) -> u64| after.iter().map(|other| of(other)).sum::<u64>() as f64;
    let is_same = |before: f64, after: f64| (after - before).abs() <= SAME * before;
    let share = |saves: f64, now: f64| saves / now.max(1.0);
    // Of several fields fewer may be left, in as many records.
    let named: usize = after.iter().map(|other| fields::count(other)).sum();
    named == fields::count(finding)
        && is_same(finding.count as f64, sum(|other| other.count) * scale)
        && is_same(
            share(finding.saves_alone as f64, finding.bytes_now as f64),
            share(sum(|other| other.saves_alone), sum(|other| other.bytes_now)),
        )
}

/// What the second side may not list.
fn folded(after: &Weighing, finding: &Finding, scale: f64) -> u64 {
    let rows = after
        .findings
        .iter()
        .filter(|other| other.rule == OTHERS && other.external == finding.external);
    (rows.map(|row| row.saves_alone).sum::<u64>() as f64 * scale) as u64
}

/// Whether two findings, one of each side, ask for the same fix at the same place.
pub(super) fn is_same(first: &Finding, second: &Finding, names: &Names) -> bool {
    if first.fingerprint == second.fingerprint {
        return true;
    }
    let is_at_place = || are_of_one_sort(first, second) && first.holder == names.place(&second.holder);
    first.external == second.external
        && (is_at_place() || first.rule == second.rule && fields::overlap(first, second, names))
        // Lines move when code changes: the place is what stays. Without one, the site is all there is.
        && (!first.holder.is_empty() || first.site == second.site)
}
