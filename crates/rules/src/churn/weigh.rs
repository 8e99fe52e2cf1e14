//! From what was made to its place in a weighing.

use deadweight_heap::Churn;
use deadweight_heap::churn::{Compiler, Sampling};

use super::allocated::Table;
use super::sites::sites;
use super::{ChurnCandidate, ChurnLedger, ChurnRule};
use crate::count::Count;
use crate::fingerprint::{Fingerprints, Identity};
use crate::others::others;
use crate::process::process;
use crate::{Options, rules};
use deadweight_weighing::{
    Churned, External, Finding, Held, Line, LineOf, NotMeasured, Rewritten, RuntimeInfo, SCHEMA, Sampled,
    Shared, Source, Tier, Weighing,
};

/// A weighing of a record of allocations alone: nothing is known of what is held.
#[must_use]
pub fn weigh_churn(churn: &Churn, source: Source, options: &Options) -> Weighing {
    let (churned, not_measured) = churned(churn, options);
    Weighing {
        holdings: None,
        schema: SCHEMA.to_owned(),
        source,
        runtime: RuntimeInfo {
            name: churn.runtime.name.clone(),
            version: churn.runtime.version.clone(),
            word_bytes: churn.runtime.word_bytes,
            allocator: churn.runtime.allocator.clone(),
        },
        process: process(churn.totals),
        held: Held::default(),
        external: External::default(),
        findings: Vec::new(),
        groups: Vec::new(),
        options: Vec::new(),
        not_measured,
        churned: Some(churned),
        partial: churn.partial.clone(),
        estimated: None,
        unseen: None,
        garbage: None,
        curve: None,
        again: None,
    }
}

/// Runs every rule about churn and settles their claims in the stated order; says too what could not be measured.
#[must_use]
pub fn churned(churn: &Churn, options: &Options) -> (Churned, Vec<NotMeasured>) {
    let mut ledger = ChurnLedger::new(churn);
    let mut booked: Vec<(&dyn ChurnRule, ChurnCandidate, Granted)> = Vec::new();
    let mut advice: Vec<(&dyn ChurnRule, ChurnCandidate)> = Vec::new();
    let mut not_measured = Vec::new();
    for rule in rules::churn() {
        let mut verdict = rule.look(churn);
        // Among one rule's candidates the larger goes first; the place settles ties, so that runs agree.
        verdict.candidates.sort_by(|a, b| {
            let by_size = b.net().cmp(&a.net());
            by_size.then_with(|| (&a.place, a.variant).cmp(&(&b.place, b.variant)))
        });
        let found = verdict.candidates.len();
        verdict
            .candidates
            .retain(|candidate| is_certain(churn, candidate));
        let uncertain = found - verdict.candidates.len();
        if uncertain > 0 {
            verdict.blind(
                format!(
                    "{} may save nothing, as too little was recorded",
                    Count(uncertain as u64).of("finding", "findings")
                ),
                "record for longer, or every object",
            );
        }
        for candidate in verdict.candidates {
            if candidate.option {
                advice.push((rule, candidate));
                continue;
            }
            let shared = ledger.shared(&candidate);
            let saves = ledger.book(&candidate);
            if saves > 0 {
                booked.push((rule, candidate, Granted { saves, shared }));
            }
        }
        let unknown = verdict.not_measured.into_iter();
        not_measured.extend(unknown.map(|unknown| unknown.by(&rule.code())));
    }
    let all = churn.all();
    let mut writing = Writing::new(churn);
    let mut findings = Vec::with_capacity(booked.len());
    for (rule, candidate, granted) in booked {
        findings.push(writing.finding(rule, candidate, &granted));
    }
    let mut offered = Vec::new();
    // What an option saves is said for all findings being mended and no other option taken; what two of them would both
    // spare is told apart.
    let mut taken = ledger.clone();
    for (rule, candidate) in advice {
        let saves = ledger.offer(&candidate);
        if saves > 0 && saves as f64 >= options.fold_below * all.bytes as f64 {
            let shared = taken.shared(&candidate);
            // One that others leave nothing of has no booking, but its place among them.
            if taken.book(&candidate) == 0 {
                taken.pass();
            }
            offered.push(writing.finding(rule, candidate, &Granted { saves, shared }));
        }
    }
    let Writing { rewrites, table, .. } = writing;
    let mut rewrites = rewrites;
    let dead = findings.iter().map(|finding| finding.saves).sum();
    let by_saving = |a: &Finding, b: &Finding| {
        b.saves
            .cmp(&a.saves)
            .then_with(|| (&a.rule, &a.site, &a.fingerprint).cmp(&(&b.rule, &b.site, &b.fingerprint)))
    };
    findings.sort_by(by_saving);
    offered.sort_by(by_saving);
    let findings = fold(findings, all.bytes, options.fold_below);
    let shown = |rewritten: &Rewritten| {
        let mut listed = findings.iter().chain(&offered);
        listed.any(|finding| finding.fingerprint == rewritten.fingerprint)
    };
    rewrites.retain(shown);
    let sampled = match &churn.sampling {
        Sampling::Exact => None,
        Sampling::Bytes(every) => Some((Some(*every), None, None)),
        Sampling::Objects(every) => Some((None, Some(*every), None)),
        Sampling::Windows(windows) => Some((None, None, Some(windows.count() as u64))),
    };
    let churned = Churned {
        bytes: all.bytes,
        objects: churn.objects(),
        kept_bytes: churn.rows.iter().map(|row| row.kept_bytes).sum(),
        operations: churn.operations,
        dead,
        sampled: sampled.map(|(every_bytes, every_objects, windows)| Sampled {
            every_bytes,
            every_objects,
            windows,
            samples: all.samples,
            low: all.low,
            high: all.high,
        }),
        findings,
        options: offered,
        sites: sites(churn),
        rewrites,
        allocated: Some(table.listed()),
    };
    (churned, not_measured)
}

/// What each of these savings rests on, whatever else it assumes.
const AS_RECORDED: &str = "the program goes on as it was recorded";

/// Whether the fix saves anything at all, for all that was not seen.
fn is_certain(churn: &Churn, candidate: &ChurnCandidate) -> bool {
    if churn.sampling == Sampling::Exact {
        return true;
    }
    let claims = candidate.claims.iter();
    let rows = claims.filter_map(|claim| Some((claim.row, churn.rows.get(claim.row)?)));
    let bounds = churn.bounds(rows);
    candidate.net() > bounds.high - bounds.bytes
}

/// What the ledger granted.
struct Granted {
    saves: u64,
    /// Bytes that earlier ones spare as well, by their number.
    shared: Vec<(usize, u64)>,
}

/// From candidates to findings, in the order in which they were booked.
struct Writing<'c> {
    churn: &'c Churn,
    names: Fingerprints,
    /// Those given so far.
    fingerprints: Vec<String>,
    rewrites: Vec<Rewritten>,
    table: Table<'c>,
}

impl<'c> Writing<'c> {
    fn new(churn: &'c Churn) -> Self {
        Self {
            churn,
            names: Fingerprints::default(),
            fingerprints: Vec::new(),
            rewrites: Vec::new(),
            table: Table::new(churn),
        }
    }

    fn finding(&mut self, rule: &dyn ChurnRule, mut candidate: ChurnCandidate, granted: &Granted) -> Finding {
        let (churn, saves) = (self.churn, granted.saves);
        let code = rule.code().to_string();
        let fingerprint = self.names.give(Identity {
            rule: &code,
            holder: &candidate.function,
            variant: candidate.variant,
            site: Some(&candidate.file),
            external: false,
        });
        let shared = granted.shared.iter().filter_map(|&(with, bytes)| {
            Some(Shared {
                with: self.fingerprints.get(with)?.clone(),
                also: Vec::new(),
                bytes: bytes.cast_signed(),
            })
        });
        let shared = shared.collect();
        self.fingerprints.push(fingerprint.clone());
        if !candidate.variant.is_empty() {
            candidate.show("variant", candidate.variant);
        }
        if churn.sampling != Sampling::Exact {
            let rows = candidate
                .claims
                .iter()
                .filter_map(|claim| Some((claim.row, churn.rows.get(claim.row)?)));
            let bounds = churn.bounds(rows);
            let margin = bounds.high - bounds.bytes;
            candidate.show("samples", bounds.samples);
            candidate.show("saves_low", saves.saturating_sub(margin));
            if !candidate.at_least {
                candidate.show("saves_high", saves.saturating_add(margin));
            }
            let share = (100.0 * margin as f64 / bounds.bytes.max(1) as f64).ceil();
            let others = candidate.assumes.take();
            candidate.assume(format!(
                "what {} stand for, ± {share} % (95 %)",
                Count(bounds.samples).of("sample", "samples")
            ));
            if let Some(others) = others {
                candidate.assume(others);
            }
        }
        if candidate.in_dependency {
            candidate.title.push_str(", at a line of a dependency");
            candidate.assume("that the dependency can be changed, or called less often");
        }
        if churn.compiler == Compiler::Eliminates {
            candidate.assume("that the compiler eliminates as many allocations as in this run");
        }
        let alone = candidate.net();
        let line = line(churn, &candidate);
        if let Some(rewrite) = candidate.rewrite {
            self.rewrites.push(Rewritten {
                fingerprint: fingerprint.clone(),
                file: rewrite.file,
                line: rewrite.line,
                before: rewrite.before,
                after: rewrite.after,
                conditions: Some(rewrite.conditions),
            });
        }
        Finding {
            frees: self.table.frees(&candidate.claims),
            shared,
            path: Vec::new(),
            line,
            rule: code,
            holder: name(candidate.function, candidate.position),
            site: Some(candidate.place),
            count: candidate.count,
            unaffected: candidate.unaffected,
            bytes_now: candidate.bytes_now,
            bytes_after: candidate.bytes_now.saturating_sub(alone),
            saves,
            saves_alone: alone,
            external: false,
            confidence: candidate.confidence,
            tier: Tier::Likely,
            assumes: Some(candidate.assumes.unwrap_or_else(|| AS_RECORDED.to_owned())),
            fingerprint,
            title: candidate.title,
            fix: candidate.fix,
            evidence: candidate.evidence,
        }
    }
}

/// A function without a name is known by its place. The fingerprint has none: lines are added before it.
fn name(function: String, (line, column): (u32, u32)) -> String {
    if function == Line::NAMELESS && line > 0 {
        Line::of_nameless(line, column)
    } else {
        function
    }
}

/// The line of a candidate, with its column where the record has it.
fn line(churn: &Churn, candidate: &ChurnCandidate) -> Option<Line> {
    let (line, column) = candidate.position;
    // What was found in the source has its own line, whatever the record tells.
    let is_call = churn.has_lines() || candidate.place != candidate.at;
    (line > 0 && !candidate.file.is_empty()).then(|| Line {
        file: candidate.file.clone(),
        line: u64::from(line),
        column: (column > 0).then(|| u64::from(column)),
        is: if is_call {
            LineOf::Allocation
        } else {
            LineOf::AllocatingFunction
        },
        name: match candidate.function.as_str() {
            Line::NAMELESS => String::new(),
            name => name.to_owned(),
        },
        share: None,
        through: None,
        around: Vec::new(),
        around_from: None,
    })
}

/// Folds what is too small to matter into one row, so that rows still add up.
fn fold(findings: Vec<Finding>, allocated: u64, share: f64) -> Vec<Finding> {
    let matters = |finding: &Finding| finding.saves as f64 >= share * allocated as f64;
    let (mut kept, small): (Vec<_>, Vec<_>) = findings.into_iter().partition(matters);
    kept.extend(others(small.iter(), "churned", Tier::Likely, false));
    kept
}
