//! What the rules proposed, booked in their order.

use deadweight_heap::{Heap, ObjectId};
use deadweight_weighing::{Finding, Freed, Line, NotMeasured, Shared, Tier};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::fingerprint::{Fingerprints, Identity};
use crate::holdings::Table;
use crate::takers::{Earlier, Takers};
use crate::{Candidate, Code, Ledger, Rule, Verdict, lines, paths};

/// A fix that another one leaves nothing to is named there when it saves one part in so many of what that saves.
const WORTH: u64 = 4;

/// So many of them are named.
const MOST_COVERED: usize = 3;

/// The ledger with what it granted.
pub(crate) struct Books<'h> {
    pub(crate) ledger: Ledger<'h>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) advice: Vec<(&'static dyn Rule, Candidate)>,
    pub(crate) not_measured: Vec<NotMeasured>,
    pub(crate) table: Table<'h>,
    pub(crate) takers: Takers,
    pub(crate) heap: &'h Heap,
    pub(crate) fingerprints: Fingerprints,
    /// An object that stands for each finding, by its fingerprint.
    pub(crate) typical: FxHashMap<String, ObjectId>,
    /// The type whose field a finding names, by its fingerprint, where its rule says it.
    pub(crate) of: FxHashMap<String, String>,
}

impl<'h> Books<'h> {
    pub(crate) fn new(heap: &'h Heap) -> Self {
        Self {
            ledger: Ledger::new(heap),
            findings: Vec::new(),
            advice: Vec::new(),
            not_measured: Vec::new(),
            table: Table::new(heap),
            takers: Takers::new(heap),
            heap,
            fingerprints: Fingerprints::default(),
            typical: FxHashMap::default(),
            of: FxHashMap::default(),
        }
    }

    pub(crate) fn settle(&mut self, rule: &'static dyn Rule, verdict: Verdict) {
        let mut candidates: Vec<(i64, Candidate)> = verdict
            .candidates
            .into_iter()
            .map(|mut candidate| {
                self.ledger.admit(&mut candidate);
                (candidate.net(), candidate)
            })
            .filter(|(net, _)| *net > 0)
            .collect();
        // Among one rule's candidates the larger goes first; the name settles ties, so that runs agree.
        // A fix that builds on another of its rule comes after it, however large.
        candidates.sort_by(|(net_a, a), (net_b, b)| {
            let by_size = a.step.cmp(&b.step).then(net_b.cmp(net_a));
            by_size.then_with(|| (&a.holder, a.variant).cmp(&(&b.holder, b.variant)))
        });
        for (_, candidate) in candidates {
            if candidate.option {
                self.advice.push((rule, candidate));
                continue;
            }
            let relaid = self.ledger.relaid(&candidate);
            let booked = relaid.as_ref().unwrap_or(&candidate);
            let taken = self.takers.before(&self.ledger, booked);
            let interned = self.takers.interned(&self.ledger, booked);
            let (grant, sums) = rayon::join(|| self.ledger.book(booked), || self.table.sums_of(booked));
            self.note_covered(rule.code(), &candidate, grant.saves, &taken);
            if grant.saves > 0 {
                self.takers.mark(booked, self.findings.len());
                let fingerprint = |&earlier: &u16| self.findings[usize::from(earlier)].fingerprint.clone();
                let shared = taken.iter().chain(&interned).filter_map(|(earlier, bytes)| {
                    let mut earlier = earlier.iter().map(fingerprint);
                    Some(Shared {
                        with: earlier.next()?,
                        also: earlier.collect(),
                        bytes: *bytes,
                    })
                });
                let shared = shared.collect();
                let frees = self.table.largest_frees(sums);
                let object = paths::typical(self.heap, &candidate);
                let line = lines::allocated(self.heap, &candidate);
                let of = candidate.of.map(|ty| self.heap.types.name(ty).to_owned());
                let found = finding(
                    rule,
                    candidate,
                    &mut self.fingerprints,
                    grant.saves,
                    frees,
                    shared,
                    line,
                );
                self.typical
                    .extend(object.map(|object| (found.fingerprint.clone(), object)));
                self.of.extend(of.map(|of| (found.fingerprint.clone(), of)));
                self.findings.push(found);
            }
        }
        let unknown = verdict.not_measured.into_iter();
        self.not_measured
            .extend(unknown.map(|unknown| unknown.by(&rule.code())));
    }

    /// Notes at a finding that rests on what the program does which other fix it leaves next to nothing to.
    fn note_covered(&mut self, rule: Code, candidate: &Candidate, saves: u64, taken: &[(Earlier, i64)]) {
        let alone = candidate.net().max(0) as u64;
        if saves * 2 >= alone {
            return;
        }
        let most = taken.iter().max_by_key(|(_, bytes)| *bytes);
        let first = most.and_then(|(earlier, _)| earlier.first());
        let Some(covering) = first.and_then(|&first| self.findings.get_mut(usize::from(first))) else {
            return;
        };
        // What is about the same objects in the same way rests on the same.
        let is_of_one_sort = covering.rule == rule.to_string() && covering.holder == candidate.holder;
        if covering.tier == Tier::Sure || alone * WORTH < covering.saves || is_of_one_sort {
            return;
        }
        let others = covering.evidence.entry("instead").or_insert_with(|| json!([]));
        if let Some(others) = others.as_array_mut().filter(|others| others.len() < MOST_COVERED) {
            others.push(json!({
                "rule": rule.to_string(),
                "place": candidate.holder,
                "saves": alone,
            }));
        }
    }
}

pub(crate) fn finding(
    rule: &dyn Rule,
    mut candidate: Candidate,
    fingerprints: &mut Fingerprints,
    saves: u64,
    frees: Vec<Freed>,
    shared: Vec<Shared>,
    line: Option<Line>,
) -> Finding {
    if !candidate.variant.is_empty() {
        candidate.show("variant", candidate.variant);
    }
    let adds = candidate.adds();
    if adds > 0 {
        candidate.show("adds_bytes", adds);
    }
    let basis = candidate.basis.unwrap_or_else(|| rule.basis());
    let (tier, assumes) = basis.settle(candidate.assumes.take());
    let code = rule.code().to_string();
    let alone = candidate.net().max(0) as u64;
    let fingerprint = fingerprints.give(Identity {
        rule: &code,
        holder: &candidate.holder,
        variant: candidate.variant,
        site: candidate.site.as_deref(),
        external: candidate.external,
    });
    Finding {
        rule: code,
        fingerprint,
        holder: candidate.holder,
        site: candidate.site,
        count: candidate.count,
        unaffected: candidate.unaffected,
        bytes_now: candidate.bytes_now,
        bytes_after: candidate.bytes_now.saturating_sub(alone),
        saves,
        saves_alone: alone,
        external: candidate.external,
        confidence: candidate.confidence,
        tier,
        assumes,
        title: candidate.title,
        fix: candidate.fix,
        evidence: candidate.evidence,
        frees,
        shared,
        path: Vec::new(),
        line,
    }
}
