//! What one moment of a program holds more than an earlier one, as a weighing of its own: a budget then limits what
//! came in between, such as the work of one test.

use std::collections::BTreeMap;

use deadweight_weighing::{
    External, Finding, Group, Held, Holding, Holdings, OTHERS, Tier, Weighing, saved_by,
};

/// What `after` holds beyond `before`. Findings are matched by fingerprint and count with what they grew by, their
/// titles speak of `after` as a whole. What one of a rule's findings lost and another one gained has only moved: an
/// object that two places hold is reported at one of them, and at which of them the order of the heap decides, which a
/// collection changes.
///
/// The heap's net growth is no less than the dead weight that came with it: a program that lets go of good content
/// meanwhile has grown by the dead weight all the same.
#[must_use]
pub fn growth(before: &Weighing, after: &Weighing) -> Weighing {
    let findings = grown_findings(&before.findings, &after.findings);
    let claimed = |external: bool, tiers: &[Tier]| saved_by(&findings, external, tiers);
    let (dead, dead_outside) = (claimed(false, &Tier::ALL), claimed(true, &Tier::ALL));
    let bytes = after.held.bytes.saturating_sub(before.held.bytes).max(dead);
    let runtime = after.held.runtime.saturating_sub(before.held.runtime);
    let runtime = runtime.min(bytes - dead);
    let outside = after.external.bytes.saturating_sub(before.external.bytes);
    Weighing {
        held: Held {
            bytes,
            dead,
            dead_sure: after.held.dead_sure.map(|_| claimed(false, &[Tier::Sure])),
            runtime,
            content: bytes - dead - runtime,
            objects: after.held.objects.saturating_sub(before.held.objects),
        },
        external: External {
            bytes: outside.max(dead_outside),
            dead: dead_outside,
            dead_sure: after.external.dead_sure.map(|_| claimed(true, &[Tier::Sure])),
        },
        groups: grown_groups(&after.groups, &findings),
        options: grown_findings(&before.options, &after.options),
        // What was made is recorded over the whole life of a process, not between two moments.
        churned: None,
        process: None,
        holdings: match (&before.holdings, &after.holdings) {
            (Some(before), Some(after)) => Some(grown_holdings(before, after)),
            _ => None,
        },
        partial: before.partial.clone().or_else(|| after.partial.clone()),
        // What came between two moments is not compared with what the process had in all.
        unseen: None,
        garbage: None,
        curve: None,
        again: None,
        findings,
        ..after.clone()
    }
}

fn grown_findings(before: &[Finding], after: &[Finding]) -> Vec<Finding> {
    let known: BTreeMap<&str, &Finding> = before
        .iter()
        .map(|finding| (finding.fingerprint.as_str(), finding))
        .collect();
    let mut grown: Vec<Finding> = after
        .iter()
        // The row of the small ones has no fixed members.
        .filter(|finding| finding.rule != OTHERS)
        .map(|finding| match known.get(finding.fingerprint.as_str()) {
            Some(old) => Finding {
                count: finding.count.saturating_sub(old.count),
                unaffected: finding.unaffected.saturating_sub(old.unaffected),
                bytes_now: finding.bytes_now.saturating_sub(old.bytes_now),
                bytes_after: finding.bytes_after.saturating_sub(old.bytes_after),
                saves: finding.saves.saturating_sub(old.saves),
                saves_alone: finding.saves_alone.saturating_sub(old.saves_alone),
                ..finding.clone()
            },
            None => finding.clone(),
        })
        .filter(|finding| finding.saves > 0)
        .collect();
    grown.sort_by_key(|finding| finding.saves);
    let mut lost = lost(before, after);
    grown.retain_mut(|finding| {
        let moved = lost.entry((finding.rule.clone(), finding.external)).or_default();
        came(finding, moved)
    });
    for finding in &mut grown {
        // They speak of places as they are in the end.
        finding.frees.clear();
        finding.shared.clear();
    }
    grown.sort_by_key(|finding| std::cmp::Reverse(finding.saves));
    grown
}

/// Bytes that the findings of each rule claim no more, on the heap and outside of it.
fn lost(before: &[Finding], after: &[Finding]) -> BTreeMap<(String, bool), u64> {
    let now: BTreeMap<&str, u64> = after
        .iter()
        .map(|finding| (finding.fingerprint.as_str(), finding.saves))
        .collect();
    let mut lost = BTreeMap::new();
    for old in before.iter().filter(|finding| finding.rule != OTHERS) {
        let left = now.get(old.fingerprint.as_str()).copied().unwrap_or(0);
        *lost.entry((old.rule.clone(), old.external)).or_default() += old.saves.saturating_sub(left);
    }
    lost
}

/// Takes from a finding what came from other places, which `moved` has less of then; false when nothing remains. The
/// small ones go first: what moves by chance is little beside what a program adds.
fn came(finding: &mut Finding, moved: &mut u64) -> bool {
    let from_elsewhere = finding.saves.min(*moved);
    *moved -= from_elsewhere;
    let share = 1.0 - from_elsewhere as f64 / finding.saves as f64;
    if from_elsewhere > 0 {
        let rest = |figure: u64| (figure as f64 * share).round() as u64;
        finding.count = rest(finding.count);
        finding.unaffected = rest(finding.unaffected);
        finding.bytes_after = rest(finding.bytes_after);
        finding.saves_alone = rest(finding.saves_alone);
        finding.saves -= from_elsewhere;
        finding.bytes_now = finding.bytes_after + finding.saves;
    }
    finding.saves > 0
}

/// The groups as far as two or more of their findings have grown.
fn grown_groups(groups: &[Group], grown: &[Finding]) -> Vec<Group> {
    let grown: BTreeMap<&str, u64> = grown
        .iter()
        .map(|finding| (finding.fingerprint.as_str(), finding.saves))
        .collect();
    let mut kept: Vec<Group> = groups.to_vec();
    kept.retain_mut(|group| {
        group
            .findings
            .retain(|member| grown.contains_key(member.as_str()));
        group.saves = group.findings.iter().map(|member| grown[member.as_str()]).sum();
        group.findings.len() > 1
    });
    kept.sort_by_key(|group| std::cmp::Reverse(group.saves));
    kept
}

fn grown_holdings(before: &Holdings, after: &Holdings) -> Holdings {
    let known: BTreeMap<(&str, &str), &Holding> = before
        .places
        .iter()
        .map(|place| ((place.holder.as_str(), place.holds.as_str()), place))
        .collect();
    let places = after.places.iter().map(|place| {
        let old = known.get(&(place.holder.as_str(), place.holds.as_str()));
        let minus = |of: fn(&Holding) -> u64| of(place).saturating_sub(old.map_or(0, |old| of(old)));
        Holding {
            count: minus(|place| place.count),
            bytes: minus(|place| place.bytes),
            external: minus(|place| place.external),
            left: None,
            external_left: None,
            ..place.clone()
        }
    });
    let mut places: Vec<Holding> = places
        .filter(|place| place.count > 0 || place.bytes + place.external > 0)
        .collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.bytes + place.external));
    Holdings {
        places,
        ..Holdings::default()
    }
}
