//! What budgets and baselines look at.

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, Holdings, OTHERS, Tier, Weighing};

use super::config::Suppression;

/// Findings below this share of all bytes are no news.
const MATTERS: f64 = 0.001;

/// The figures of one or several weighings; of several that have a figure, the largest counts.
#[derive(Debug)]
pub(super) struct Measured<'w> {
    weighings: &'w [Weighing],
    suppressions: &'w [Suppression],
}

impl<'w> Measured<'w> {
    pub(super) fn new(weighings: &'w [Weighing], suppressions: &'w [Suppression]) -> Self {
        Self {
            weighings,
            suppressions,
        }
    }

    /// Findings that nobody has accepted, those of the churn ledger included.
    pub(super) fn findings(&self) -> impl Iterator<Item = &'w Finding> {
        let suppressions = self.suppressions;
        self.all().filter(move |finding| {
            !suppressions
                .iter()
                .any(|suppression| accepts(suppression, finding))
        })
    }

    fn all(&self) -> impl Iterator<Item = &'w Finding> + use<'w> {
        let weighings = self.weighings.iter();
        weighings.flat_map(|weighing| {
            let churned = weighing.churned.iter().flat_map(|churned| &churned.findings);
            weighing.findings.iter().chain(churned)
        })
    }

    /// Whether a suppression still accepts something.
    pub(super) fn is_used(&self, suppression: &Suppression) -> bool {
        self.all().any(|finding| accepts(suppression, finding))
    }

    fn with_a_heap(&self) -> impl Iterator<Item = &'w Weighing> {
        self.weighings
            .iter()
            .filter(|weighing| weighing.held.bytes > 0 || weighing.churned.is_none())
    }

    pub(super) fn held(&self) -> Option<u64> {
        self.with_a_heap().map(|weighing| weighing.held.bytes).max()
    }

    pub(super) fn external(&self) -> Option<u64> {
        self.with_a_heap().map(|weighing| weighing.external.bytes).max()
    }

    pub(super) fn dead_share(&self) -> Option<f64> {
        let share = |weighing: &Weighing| self.dead_of(weighing) as f64 / weighing.held.bytes.max(1) as f64;
        self.with_a_heap().map(share).max_by(f64::total_cmp)
    }

    fn is_accepted(&self, finding: &Finding) -> bool {
        self.suppressions
            .iter()
            .any(|suppression| accepts(suppression, finding))
    }

    /// The dead weight on the heap, without what is accepted.
    pub(super) fn dead(&self) -> Option<u64> {
        self.with_a_heap().map(|weighing| self.dead_of(weighing)).max()
    }

    fn dead_of(&self, weighing: &Weighing) -> u64 {
        let accepted = self.accepted_of(weighing, &Tier::ALL);
        weighing.held.dead.saturating_sub(accepted)
    }

    fn accepted_of(&self, weighing: &Weighing, tiers: &[Tier]) -> u64 {
        let findings = weighing.findings.iter();
        let accepted = findings.filter(|finding| !finding.external && self.is_accepted(finding));
        let accepted = accepted.filter(|finding| tiers.contains(&finding.tier));
        accepted.map(|finding| finding.saves).sum()
    }

    /// Bytes held, and of these what is dead weight by the data alone, without what is accepted; none when one
    /// of the weighings does not say it.
    fn sure(&self) -> Option<Vec<(u64, u64)>> {
        let sums = self.with_a_heap().map(|weighing| {
            let accepted = self.accepted_of(weighing, &[Tier::Sure]);
            let dead = weighing.held.dead_sure?.saturating_sub(accepted);
            Some((weighing.held.bytes, dead))
        });
        sums.collect()
    }

    /// The part of [`Self::dead`] that rests on the data alone; none when it is not known of every weighing.
    pub(super) fn dead_sure(&self) -> Option<u64> {
        self.sure()?.into_iter().map(|(_, dead)| dead).max()
    }

    pub(super) fn dead_sure_share(&self) -> Option<f64> {
        let sums = self.sure()?.into_iter();
        let shares = sums.map(|(held, dead)| dead as f64 / held.max(1) as f64);
        shares.max_by(f64::total_cmp)
    }

    /// Why [`Self::dead_sure`] is not known.
    pub(super) fn why_not_sure(&self) -> &'static str {
        if self.with_a_heap().next().is_some() {
            "a weighing is of version 1, which does not say what savings rest on; weigh the dump again"
        } else {
            "no weighing of a heap"
        }
    }

    /// The largest finding whose saving rests on the data alone.
    pub(super) fn largest_sure(&self) -> Option<&'w Finding> {
        let sure = self.findings().filter(|finding| finding.tier == Tier::Sure);
        let listed = sure.filter(|finding| finding.rule != OTHERS && !finding.external);
        listed.max_by_key(|finding| finding.saves)
    }

    /// All bytes that were made.
    pub(super) fn churned(&self) -> Option<u64> {
        let churned = self
            .weighings
            .iter()
            .filter_map(|weighing| weighing.churned.as_ref());
        churned.map(|churned| churned.bytes).max()
    }

    /// Findings below this many bytes are no news.
    pub(super) fn matters(&self) -> u64 {
        let all = self.weighings.iter().map(|weighing| {
            let churned = weighing.churned.as_ref().map_or(0, |churned| churned.bytes);
            (weighing.held.bytes + weighing.external.bytes).max(churned)
        });
        (all.max().unwrap_or(0) as f64 * MATTERS) as u64
    }

    /// The finding of what is on the heap or of what is outside that claims most; none where none is large enough to be listed.
    pub(super) fn largest_held(&self, external: bool) -> Option<&'w Finding> {
        let findings = self.weighings.iter().flat_map(|weighing| &weighing.findings);
        findings
            .filter(|finding| finding.external == external && finding.rule != OTHERS)
            .filter(|finding| !self.is_accepted(finding) && finding.saves >= self.matters())
            .max_by_key(|finding| finding.saves)
    }

    /// The finding of what was made that claims most; none where none is large enough to be listed.
    pub(super) fn largest_churned(&self) -> Option<&'w Finding> {
        let churned = self
            .weighings
            .iter()
            .filter_map(|weighing| weighing.churned.as_ref());
        churned
            .flat_map(|churned| &churned.findings)
            .filter(|finding| finding.rule != OTHERS && !self.is_accepted(finding))
            .filter(|finding| finding.saves >= self.matters())
            .max_by_key(|finding| finding.saves)
    }

    /// Bytes allocated by each operation; none when no weighing has both.
    pub(super) fn per_operation(&self) -> Option<u64> {
        let churned = self
            .weighings
            .iter()
            .filter_map(|weighing| weighing.churned.as_ref());
        let per = churned.filter(|churned| churned.operations > 0);
        per.map(|churned| churned.bytes.div_ceil(churned.operations))
            .max()
    }

    /// Why [`Self::per_operation`] is not known.
    pub(super) fn why_not_per_operation(&self) -> &'static str {
        if self.weighings.iter().any(|weighing| weighing.churned.is_some()) {
            "the program marked no operations"
        } else {
            "the weighing has no record of allocations"
        }
    }

    /// What a rule's findings claim; none when no weighing could measure it.
    pub(super) fn rule(&self, rule: &str) -> Option<u64> {
        let measured = self.weighings.iter().filter(|weighing| {
            let churn = rule.starts_with('T');
            let blind = weighing.not_measured.iter().any(|blind| blind.rule == rule);
            let found = weighing.findings.iter().any(|finding| finding.rule == rule);
            (!churn && (found || !blind)) || (churn && weighing.churned.is_some())
        });
        let claimed = |weighing: &Weighing| -> u64 {
            let churned = weighing.churned.iter().flat_map(|churned| &churned.findings);
            let findings = weighing.findings.iter().chain(churned);
            let of_rule = findings.filter(|finding| finding.rule == rule && !self.is_accepted(finding));
            of_rule.map(|finding| finding.saves).sum()
        };
        measured.map(claimed).max()
    }

    /// The first reason why a rule was not measured.
    pub(super) fn why_not(&self, rule: &str) -> String {
        let blind = self
            .weighings
            .iter()
            .flat_map(|weighing| &weighing.not_measured)
            .find(|blind| blind.rule == rule);
        blind.map_or_else(
            || "no weighing says so".to_owned(),
            |blind| format!("{} ({})", blind.why, blind.how),
        )
    }

    /// Bytes of one record at a place or of a type: its own with its parts, and what its fields hold.
    pub(super) fn per_record(&self, holder: &str) -> Result<u64, String> {
        let tables: Vec<&Holdings> = self
            .weighings
            .iter()
            .filter_map(|weighing| weighing.holdings.as_ref())
            .collect();
        if tables.is_empty() {
            return Err("the weighing was made before places were listed; weigh the dump again".to_owned());
        }
        let found = tables
            .iter()
            .filter_map(|holdings| per_record(holdings, holder))
            .max();
        found.ok_or_else(|| "nothing stands there, or it is too small to be listed".to_owned())
    }

    /// The findings of a rule, the largest first.
    pub(super) fn largest(&self, rule: Option<&str>) -> Option<&'w Finding> {
        let of_rule = self
            .findings()
            .filter(|finding| finding.rule != OTHERS && rule.is_none_or(|rule| finding.rule == rule));
        of_rule.max_by_key(|finding| finding.saves)
    }

    /// All findings of one fix, by fingerprint.
    pub(super) fn by_fingerprint(&self) -> BTreeMap<&'w str, &'w Finding> {
        self.findings()
            .filter(|finding| finding.rule != OTHERS)
            .map(|finding| (finding.fingerprint.as_str(), finding))
            .collect()
    }
}

fn accepts(suppression: &Suppression, finding: &Finding) -> bool {
    suppression.rule == finding.rule
        && suppression
            .holder
            .as_ref()
            .is_none_or(|holder| *holder == finding.holder)
}

fn per_record(holdings: &Holdings, holder: &str) -> Option<u64> {
    let rows = || holdings.places.iter().filter(|place| !place.runtime);
    let at_place: Vec<_> = rows().filter(|place| place.holder == holder).collect();
    let records: Vec<_> = if at_place.is_empty() {
        rows().filter(|place| place.holds == holder).collect()
    } else {
        at_place
    };
    let count: u64 = records.iter().map(|place| place.count).sum();
    let own: u64 = records.iter().map(|place| place.bytes + place.external).sum();
    let mut types: Vec<&str> = records.iter().map(|place| place.holds.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    let fields = rows().filter(|place| {
        place
            .of
            .as_deref()
            .is_some_and(|of| types.binary_search(&of).is_ok())
    });
    let held: u64 = fields.map(|place| place.bytes + place.external).sum();
    (count > 0).then(|| (own + held).div_ceil(count))
}
