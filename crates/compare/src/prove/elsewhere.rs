//! Findings that are reported at another place now: nobody mended them.

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, OTHERS, Weighing};

use super::outcome::is_same;
use crate::align::Names;
use crate::judging::are_of_one_sort;

/// Counts and bytes this close are the same.
const SAME: f64 = 0.01;

/// Findings of the first side that the second side has under another name.
#[derive(Debug, Default)]
pub(super) struct Elsewhere<'w> {
    /// By the fingerprint of the first side's.
    of: BTreeMap<&'w str, &'w Finding>,
    /// Those of the second side that the first has under no name, in its order.
    pub new: Vec<&'w Finding>,
}

impl<'w> Elsewhere<'w> {
    /// A finding that is gone, and one of the same sort that came with as many objects and as many bytes, brought to the
    /// records of the first side by `scale`, are one. Where several might be, none is taken for another.
    pub fn find(before: &'w Weighing, after: &'w Weighing, names: &Names, scale: f64) -> Self {
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
            are_of_one_sort(a, b)
                && a.external == b.external
                && near(a.count, b.count)
                && near(a.saves_alone, b.saves_alone)
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
        Self { of, new: come }
    }

    /// What the second side says of a finding of the first.
    pub fn of(&self, finding: &Finding) -> Option<&'w Finding> {
        self.of.get(finding.fingerprint.as_str()).copied()
    }
}
