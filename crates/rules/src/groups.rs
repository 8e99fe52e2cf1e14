//! Findings that one edit fixes: the same fix in several fields of one type.

use std::collections::BTreeMap;

use crate::also_held::{ALSO_HELD_AT, AT_OTHERS};
use deadweight_weighing::{Finding, Group, OTHERS, Tier};
use rustc_hash::FxHashMap;

/// What the findings of a group have in common.
type Key<'f> = (&'f str, &'f str, String, Tier, bool);

/// The groups of two or more among `findings`, the largest first. `of` has by fingerprint the type whose field a finding
/// names.
pub(crate) fn groups(findings: &[Finding], of: &FxHashMap<String, String>) -> Vec<Group> {
    let mut alike: BTreeMap<Key<'_>, Vec<&Finding>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.rule != OTHERS) {
        if let Some(of) = of.get(&finding.fingerprint) {
            let key = (
                finding.rule.as_str(),
                of.as_str(),
                without_figures(own_fix(finding)),
                finding.tier,
                finding.external,
            );
            alike.entry(key).or_default().push(finding);
        }
    }
    let groups = alike.into_iter().filter(|(_, members)| members.len() > 1);
    let mut groups: Vec<Group> = groups
        .map(|((rule, of, kind, tier, external), members)| {
            let first = own_fix(members[0]);
            let is_one = members.iter().all(|finding| own_fix(finding) == first);
            Group {
                rule: rule.to_owned(),
                of: of.to_owned(),
                fix: if is_one {
                    first.to_owned()
                } else {
                    kind.replace("each of … values", "each value")
                },
                tier,
                external,
                saves: members.iter().map(|finding| finding.saves).sum(),
                findings: members
                    .iter()
                    .map(|finding| finding.fingerprint.clone())
                    .collect(),
            }
        })
        .collect();
    groups.sort_by(|a, b| b.saves.cmp(&a.saves).then_with(|| a.findings.cmp(&b.findings)));
    groups
}

/// What to do at the finding's own place: the other places to which it extends are each member's own.
fn own_fix(finding: &Finding) -> &str {
    let fix = finding.fix.as_str();
    let extends = finding.evidence.contains_key(ALSO_HELD_AT);
    let own = fix.rsplit_once(AT_OTHERS).filter(|_| extends);
    own.map_or(fix, |(own, _)| own)
}

/// A sentence with `…` in the place of each figure: what is left is the kind of the fix.
fn without_figures(fix: &str) -> String {
    let mut kind = String::with_capacity(fix.len());
    let mut figure = false;
    for (at, c) in fix.char_indices() {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        // A comma or a point within a figure belongs to it.
        let within = matches!(c, ',' | '.') && figure && digit(fix[at + 1..].chars().next());
        if c.is_ascii_digit() || within {
            if !figure {
                kind.push('…');
            }
            figure = true;
        } else {
            kind.push(c);
            figure = false;
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::without_figures;

    #[test]
    fn figures_are_left_out_of_the_kind_of_a_fix() {
        for (fix, kind) in [
            (
                "keep one copy of each of 1,275 values (intern them)",
                "keep one copy of each of … values (intern them)",
            ),
            ("(smallest: 1692586753391), 2.5 of 3.", "(smallest: …), … of …."),
            ("no figure", "no figure"),
        ] {
            assert_eq!(without_figures(fix), kind);
        }
    }
}
