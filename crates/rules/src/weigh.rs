//! From a heap to a weighing.

use deadweight_heap::{Heap, Presence};
use rustc_hash::FxHashMap;

use crate::also_held::name_all_places;
use crate::books::{Books, finding};
use crate::groups::groups;
use crate::holdings::Totals;
use crate::others::others;
use crate::process::{garbage, process};
use crate::unseen::unseen;
use crate::{Candidate, Code, Rule, Verdict, lines, paths, rules};
use deadweight_weighing::{
    External, Finding, Held, NotMeasured, RuntimeInfo, SCHEMA, Source, Tier, Weighing, saved_by,
};

/// What a caller may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Findings that save less than this share are folded into one row, and options that save less are left out;
    /// 0 lists all. The share is of the held bytes; for a finding outside the heap, and for an option, which may
    /// touch both, it is of held and external bytes together.
    pub fold_below: f64,
    /// Findings and options that save fewer bytes are treated so, too.
    pub fold_bytes: u64,
    /// Whether to report what each place keeps alive, which takes a walk over all references.
    pub retained: bool,
    /// Whether to report in large heaps, too, how each finding's objects are reached, which takes another walk.
    pub paths: bool,
    /// Called before each rule looks, for who shows how far the work is.
    pub observer: Option<fn(Looking)>,
}

/// A rule that is about to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looking {
    /// Its code.
    pub rule: Code,
    /// Its number, from 1.
    pub nth: usize,
    /// How many there are.
    pub of: usize,
}

/// What saves less than a page gives none back: the smallest amount that a process's resident memory moves by.
const PAGE: u64 = 4096;

impl Options {
    /// Every finding and option, however small.
    #[must_use]
    pub const fn all() -> Self {
        Self {
            fold_below: 0.0,
            fold_bytes: 0,
            retained: false,
            paths: false,
            observer: None,
        }
    }

    fn matters(&self, saves: u64, of: u64) -> bool {
        saves >= self.fold_bytes && saves as f64 >= self.fold_below * of as f64
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fold_below: 0.001,
            fold_bytes: PAGE,
            retained: false,
            paths: false,
            observer: None,
        }
    }
}

/// Runs every rule, and adds everything up.
#[must_use]
pub fn weigh(heap: &Heap, source: Source, options: &Options) -> Weighing {
    // The walk goes step by step, on one thread, while the rules look.
    let wants_paths = options.paths || paths::are_cheap(heap);
    let (walk, books) = rayon::join(|| wants_paths.then(|| heap.root_paths()), || look(heap, options));
    let Totals {
        held: held_bytes,
        runtime,
        objects,
        external: external_bytes,
    } = books.table.totals;
    let Books {
        ledger,
        mut findings,
        advice,
        mut not_measured,
        mut table,
        mut fingerprints,
        mut typical,
        of,
        ..
    } = books;
    // Options are weighed on what all findings leave, each as if it were the only one taken.
    let mut offered: Vec<Finding> = advice
        .into_iter()
        .filter_map(|(rule, candidate)| {
            let relaid = ledger.relaid(&candidate);
            let booked = relaid.as_ref().unwrap_or(&candidate);
            let (saves, frees) = rayon::join(|| ledger.offer(booked), || table.frees(booked));
            let object = paths::typical(heap, &candidate);
            if saves == 0 {
                return None;
            }
            let line = lines::allocated(heap, &candidate);
            let found = finding(rule, candidate, &mut fingerprints, saves, frees, Vec::new(), line);
            typical.extend(object.map(|object| (found.fingerprint.clone(), object)));
            Some(found)
        })
        .collect();

    if options.retained {
        if heap.coverage.edges == Presence::Absent {
            not_measured.push(unknown_references(heap));
        } else {
            table.retain();
        }
    }

    let runtime = runtime - ledger.freed_of_runtime();
    let claimed = |external: bool, tiers: &[Tier]| saved_by(&findings, external, tiers);
    let (dead, dead_sure) = (claimed(false, &Tier::ALL), claimed(false, &[Tier::Sure]));
    let outside = External {
        bytes: external_bytes,
        dead: claimed(true, &Tier::ALL),
        dead_sure: Some(claimed(true, &[Tier::Sure])),
    };
    by_saving(&mut findings);
    by_saving(&mut offered);
    let mut findings = fold(findings, held_bytes, external_bytes, options);
    offered.retain(|option| options.matters(option.saves, held_bytes + external_bytes));
    let mut types = table.types_of(&findings, of);
    let of_options = table.types_of(&offered, FxHashMap::default());
    let groups = groups(&findings, &types);
    let sought = findings.iter_mut().chain(&mut offered).map(|finding| {
        let object = typical.get(&finding.fingerprint).copied();
        (finding, object)
    });
    types.extend(of_options);
    lines::of_holders(heap, &types, sought);
    if let Some(walk) = walk {
        let sought = findings.iter_mut().chain(&mut offered);
        let sought = sought.filter_map(|finding| {
            let object = *typical.get(&finding.fingerprint)?;
            Some((finding, object))
        });
        paths::describe(heap, &walk, sought);
    }
    Weighing {
        schema: SCHEMA.to_owned(),
        source,
        runtime: RuntimeInfo {
            name: heap.runtime.name.clone(),
            version: heap.runtime.version.clone(),
            word_bytes: heap.runtime.word_bytes,
            allocator: heap.runtime.allocator.clone(),
        },
        process: process(heap.totals),
        held: Held {
            bytes: held_bytes,
            content: held_bytes - runtime - dead,
            runtime,
            dead,
            dead_sure: Some(dead_sure),
            objects,
        },
        external: outside,
        findings,
        groups,
        options: offered,
        not_measured,
        churned: None,
        holdings: Some(table.into_holdings(&ledger)),
        partial: heap.partial.clone(),
        estimated: heap.layout.estimated().map(str::to_owned),
        unseen: unseen(heap, held_bytes, external_bytes),
        garbage: garbage(heap.dead()),
        curve: None,
        again: None,
    }
}

/// Lets every rule look, and settles their claims in the stated order.
fn look<'h>(heap: &'h Heap, options: &Options) -> Books<'h> {
    let mut books = Books::new(heap);
    // One rule's claims are settled while the next one looks, so that no more than two rules' claims are in memory.
    // Each rule uses all threads by itself.
    let mut looked: Option<(&'static dyn Rule, Verdict)> = None;
    let all = rules::all();
    for (at, rule) in all.iter().copied().enumerate() {
        if let Some(observer) = options.observer {
            observer(Looking {
                rule: rule.code(),
                nth: at + 1,
                of: all.len(),
            });
        }
        let (verdict, ()) = rayon::join(
            || {
                let mut verdict = rule.look(heap);
                if heap.layout.estimated().is_some() {
                    verdict.candidates.iter_mut().for_each(Candidate::estimate);
                }
                name_all_places(heap, &mut verdict.candidates);
                verdict
            },
            || {
                if let Some((rule, verdict)) = looked.take() {
                    books.settle(rule, verdict);
                }
            },
        );
        looked = Some((rule, verdict));
    }
    if let Some((rule, verdict)) = looked {
        books.settle(rule, verdict);
    }
    books
}

fn unknown_references(heap: &Heap) -> NotMeasured {
    NotMeasured::new(
        "the dump has no references between objects, so that what keeps what alive is unknown",
        heap.runtime.recapture.clone(),
    )
    .by(&"held by")
}

fn by_saving(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        b.saves
            .cmp(&a.saves)
            .then_with(|| (&a.rule, &a.holder, &a.fingerprint).cmp(&(&b.rule, &b.holder, &b.fingerprint)))
    });
}

/// Folds what is too small to matter into one row of each tier for held and for external bytes, so that rows still
/// add up.
fn fold(findings: Vec<Finding>, held: u64, external: u64, options: &Options) -> Vec<Finding> {
    let matters = |finding: &Finding| {
        // External memory is weighed against all the process holds: a few bytes of a tiny pool are no finding.
        let of = if finding.external { held + external } else { held };
        options.matters(finding.saves, of)
    };
    let (mut kept, small): (Vec<_>, Vec<_>) = findings.into_iter().partition(matters);
    for external in [false, true] {
        for tier in Tier::ALL {
            let rows = small.iter().filter(|finding| finding.external == external);
            let rows = rows.filter(|finding| finding.tier == tier);
            kept.extend(others(rows, "", tier, external));
        }
    }
    kept
}
