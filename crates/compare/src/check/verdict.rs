//! Figures against budgets and baseline.

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, OTHERS, Unseen, Weighing};
use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::config::{Config, Limit};
use super::measured::Measured;

/// Bytes by which runs of one program differ however small it is.
const NOISE: u64 = 64_000;

/// Findings below this many bytes are no news for an allow-list, however small the program.
const SMALL: u64 = 4_096;

/// What came of a check.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Check {
    /// Budgets that are broken or not measurable, and what is worse than the baseline.
    pub broken: Vec<Broken>,
    /// How many budgets and figures hold.
    pub held: usize,
    /// What was measured.
    pub figures: Figures,
    /// Suppressions that accept nothing any more.
    pub stale: Vec<Stale>,
    /// The baseline as it would be kept now; null when none is asked for.
    pub baseline: Option<Baseline>,
    /// Whether the baseline is better than the one before it.
    pub better: bool,
    /// Memory that the dumps do not show, of each where that is most of what its process had: budgets say nothing of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
}

/// What budgets look at; null where none of the weighings has it. All sizes are whole bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Figures {
    /// Held on the heap.
    pub held: Option<u64>,
    /// Held outside of it.
    pub external: Option<u64>,
    /// Dead weight on the heap, without what is accepted.
    pub dead: Option<u64>,
    /// Of it, what rests on the data alone.
    #[serde(default)]
    pub dead_sure: Option<u64>,
    /// Made in all, kept or not.
    pub churned: Option<u64>,
    /// Made by each operation.
    pub bytes_per_operation: Option<u64>,
}

/// A broken budget.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Broken {
    /// The key in `deadweight.toml`, such as `budget.rules.D01`; `baseline` for what is worse than it was.
    pub key: String,
    /// What is wrong, in one line, with the figures.
    pub what: What,
    /// Its line in `deadweight.toml`, from 1; null for the baseline.
    pub line: Option<usize>,
    /// The finding to look at first.
    pub finding: Option<Finding>,
}

/// What is wrong.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// More bytes than allowed.
    Bytes {
        /// Of what.
        of: String,
        /// What was found.
        found: u64,
        /// The most that is allowed.
        most: u64,
    },
    /// A larger share than allowed.
    Share {
        /// Of what.
        of: String,
        /// What was found, from 0 to 1.
        found: f64,
        /// The most that is allowed.
        most: f64,
    },
    /// A finding that the baseline does not know, or whose rule is not in the list of those allowed.
    New {
        /// What it claims.
        saves: u64,
    },
    /// What the budget limits was not measured.
    NotMeasurable {
        /// Of what.
        of: String,
        /// Why not.
        why: String,
    },
}

/// A suppression that accepts nothing any more.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Stale {
    /// The rule's code.
    pub rule: String,
    /// The place, if it names one.
    pub holder: Option<String>,
    /// Its line in `deadweight.toml`, from 1.
    pub line: usize,
}

/// Checks weighings of one program against what it must keep to. Of several weighings that have a figure, the largest
/// counts. A budget that none of them can measure is broken: it guards nothing.
#[must_use]
pub fn check(weighings: &[Weighing], config: &Config, baseline: Option<&Baseline>) -> Check {
    let measured = Measured::new(weighings, &config.suppressions);
    let mut round = Round {
        measured: &measured,
        broken: Vec::new(),
        held: 0,
    };
    round.budgets(config);
    let now = Baseline::of(&measured);
    let mut kept = None;
    if config.baseline.is_some() {
        kept = Some(match baseline {
            Some(before) => {
                round.against(before, &now, config.tolerance);
                before.ratchet(&now, |rule| measured.rule(rule).is_some())
            }
            None => now,
        });
    }
    let stale = config
        .suppressions
        .iter()
        .filter(|suppression| !measured.is_used(suppression));
    let stale = stale.map(|suppression| Stale {
        rule: suppression.rule.clone(),
        holder: suppression.holder.clone(),
        line: suppression.line,
    });
    Check {
        stale: stale.collect(),
        better: kept.is_some() && kept.as_ref() != baseline,
        baseline: kept,
        held: round.held,
        figures: Figures {
            held: measured.held(),
            external: measured.external(),
            dead: measured.dead(),
            dead_sure: measured.dead_sure(),
            churned: measured.churned(),
            bytes_per_operation: measured.per_operation(),
        },
        broken: round.broken,
        unseen: weighings
            .iter()
            .filter_map(|weighing| weighing.unseen.clone())
            .collect(),
    }
}

struct Round<'m, 'w> {
    measured: &'m Measured<'w>,
    broken: Vec<Broken>,
    held: usize,
}

impl Round<'_, '_> {
    fn budgets(&mut self, config: &Config) {
        let measured = self.measured;
        let no_heap = "no weighing of a heap";
        if let Some(limit) = config.dead_share {
            let found = measured.dead_share().ok_or(no_heap);
            let of = "dead weight of what is held";
            self.share("budget.dead_share", limit, of, found, measured.largest(None));
        }
        if let Some(limit) = config.dead_sure_share {
            let found = measured.dead_sure_share();
            let found = found.ok_or_else(|| measured.why_not_sure());
            let of = "sure dead weight of what is held";
            self.share(
                "budget.dead_sure_share",
                limit,
                of,
                found,
                measured.largest_sure(),
            );
        }
        for (key, limit, of, found, external) in [
            ("budget.held", config.held, "held bytes", measured.held(), false),
            (
                "budget.external",
                config.external,
                "external bytes",
                measured.external(),
                true,
            ),
        ] {
            if let Some(limit) = limit {
                let found = found.ok_or_else(|| no_heap.to_owned());
                self.bytes(key, limit, of, found, measured.largest_held(external));
            }
        }
        if let Some(limit) = config.churned {
            let found = measured.churned();
            let found = found.ok_or_else(|| measured.why_not_per_operation().to_owned());
            self.bytes(
                "budget.churned",
                limit,
                "bytes made",
                found,
                measured.largest_churned(),
            );
        }
        if let Some(limit) = config.bytes_per_operation {
            let found = measured.per_operation();
            let found = found.ok_or_else(|| measured.why_not_per_operation().to_owned());
            self.bytes(
                "budget.bytes_per_operation",
                limit,
                "bytes per operation",
                found,
                measured.largest_churned(),
            );
        }
        if let Some(allowed) = &config.findings {
            self.allowed(allowed);
        }
        for (rule, limit) in &config.rules {
            let found = measured.rule(rule).ok_or_else(|| measured.why_not(rule));
            let key = format!("budget.rules.{rule}");
            self.bytes(
                &key,
                *limit,
                &format!("{rule} in all"),
                found,
                measured.largest(Some(rule)),
            );
        }
        for records in &config.records {
            let of = format!("bytes per record at {}", records.holder);
            self.bytes(
                "budget.records",
                records.bytes,
                &of,
                measured.per_record(&records.holder),
                None,
            );
        }
    }

    /// Nothing may be there but findings of the rules in the list.
    fn allowed(&mut self, allowed: &Limit<Vec<String>>) {
        let matters = self.measured.matters().max(SMALL);
        let mut findings: Vec<&Finding> = self.measured.by_fingerprint().into_values().collect();
        findings.retain(|finding| finding.saves >= matters && !allowed.most.contains(&finding.rule));
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.saves));
        for finding in &findings {
            let what = What::New { saves: finding.saves };
            self.broke("budget.findings", what, Some(allowed.line), Some(finding));
        }
        self.held += usize::from(findings.is_empty());
    }

    fn share(
        &mut self,
        key: &str,
        limit: Limit<f64>,
        of: &str,
        found: Result<f64, &str>,
        finding: Option<&Finding>,
    ) {
        let of = of.to_owned();
        let most = limit.most;
        match found {
            Ok(found) if found <= most => self.held += 1,
            Ok(found) => self.broke(key, What::Share { of, found, most }, Some(limit.line), finding),
            Err(why) => self.unmeasured(key, of, why, limit.line),
        }
    }

    fn bytes(
        &mut self,
        key: &str,
        limit: Limit<u64>,
        of: &str,
        found: Result<u64, String>,
        finding: Option<&Finding>,
    ) {
        match found {
            Ok(found) if found <= limit.most => self.held += 1,
            Ok(found) => {
                let what = What::Bytes {
                    of: of.to_owned(),
                    found,
                    most: limit.most,
                };
                self.broke(key, what, Some(limit.line), finding);
            }
            Err(why) => self.unmeasured(key, of.to_owned(), &why, limit.line),
        }
    }

    fn unmeasured(&mut self, key: &str, of: String, why: &str, line: usize) {
        let what = What::NotMeasurable {
            of,
            why: why.to_owned(),
        };
        self.broke(key, what, Some(line), None);
    }

    fn broke(&mut self, key: &str, what: What, line: Option<usize>, finding: Option<&Finding>) {
        self.broken.push(Broken {
            key: key.to_owned(),
            what,
            line,
            finding: finding.cloned(),
        });
    }

    /// Nothing may be worse than the best so far.
    fn against(&mut self, before: &Baseline, now: &Baseline, tolerance: f64) {
        let room = |best: u64, noise: u64| best + ((best as f64 * tolerance) as u64).max(noise);
        for (of, best, found, noise) in [
            ("held bytes", before.held, now.held, NOISE),
            ("external bytes", before.external, now.external, NOISE),
            (
                "bytes per operation",
                before.bytes_per_operation,
                now.bytes_per_operation,
                0,
            ),
        ] {
            let (Some(best), Some(found)) = (best, found) else {
                continue;
            };
            let most = room(best, noise);
            if found > most {
                self.broke(
                    "baseline",
                    What::Bytes {
                        of: of.to_owned(),
                        found,
                        most,
                    },
                    None,
                    None,
                );
            } else {
                self.held += 1;
            }
        }
        let matters = self.measured.matters();
        let pairs = before.pairs(now);
        let mut findings: Vec<(&str, &Finding)> = self.measured.by_fingerprint().into_iter().collect();
        findings.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.saves));
        for (fingerprint, finding) in findings.into_iter().filter(|(_, finding)| finding.rule != OTHERS) {
            let known = pairs.get(fingerprint).and_then(|old| before.findings.get(*old));
            match known {
                Some(known) => {
                    let most = room(known.saves, NOISE.min(matters));
                    if finding.saves > most {
                        let what = What::Bytes {
                            of: "dead weight".to_owned(),
                            found: finding.saves,
                            most,
                        };
                        self.broke("baseline", what, None, Some(finding));
                    } else {
                        self.held += 1;
                    }
                }
                None if finding.saves > matters => {
                    self.broke(
                        "baseline",
                        What::New { saves: finding.saves },
                        None,
                        Some(finding),
                    );
                }
                None => {}
            }
        }
    }
}

/// Fingerprints of findings now, with those they had in the baseline.
pub(super) type Pairs<'b> = BTreeMap<&'b str, &'b str>;
