//! What findings free that others free as well.

use std::collections::BTreeMap;

use deadweight_weighing::Finding;

/// Bytes of a finding that earlier fixes freed, earlier in the ledger's order. `made` has the part of each fix that was made,
/// from 0 to 1, by fingerprint.
pub(crate) fn with_earlier(finding: &Finding, made: &BTreeMap<String, f64>) -> f64 {
    let shared = finding.shared.iter();
    let went = shared.map(|shared| {
        let parts = shared.earlier().filter_map(|earlier| made.get(earlier).copied());
        shared.bytes as f64 * parts.fold(0.0, f64::max)
    });
    went.sum()
}

/// The overlaps of all findings of one ledger.
#[derive(Debug)]
pub(crate) struct Overlaps {
    all: Vec<Overlap>,
    /// For each finding the overlaps that it is part of.
    of: Vec<Vec<usize>>,
}

/// Bytes that several findings free, which are numbered in the ledger's order.
#[derive(Debug)]
struct Overlap {
    earlier: Vec<usize>,
    last: usize,
    bytes: f64,
}

impl Overlaps {
    pub(crate) fn new<'f>(findings: impl Iterator<Item = &'f Finding> + Clone) -> Self {
        let numbers: BTreeMap<&str, usize> = findings.clone().map(|f| &*f.fingerprint).zip(0..).collect();
        let mut overlaps = Self {
            all: Vec::new(),
            of: vec![Vec::new(); findings.clone().count()],
        };
        for (last, finding) in findings.enumerate() {
            for shared in &finding.shared {
                let earlier = shared
                    .earlier()
                    .filter_map(|earlier| numbers.get(earlier).copied());
                let earlier: Vec<usize> = earlier.collect();
                for &finding in earlier.iter().chain([&last]) {
                    overlaps.of[finding].push(overlaps.all.len());
                }
                let bytes = shared.bytes as f64;
                overlaps.all.push(Overlap { earlier, last, bytes });
            }
        }
        overlaps
    }

    /// Bytes of a finding that other fixes freed, earlier or later ones. `shares` has the part of each that was made, from 0 to 1.
    pub(crate) fn with_others(&self, of: usize, shares: &[f64]) -> f64 {
        let went = self.of[of].iter().map(|&overlap| {
            let Overlap { earlier, last, bytes } = &self.all[overlap];
            let others = earlier.iter().filter(|earlier| **earlier != of);
            let with_earlier = others.map(|&other| shares[other]).fold(0.0, f64::max);
            // What earlier fixes freed as well is counted in the overlap in which the latest of them is the last.
            let part = if *last == of {
                with_earlier
            } else {
                (shares[*last] - with_earlier).max(0.0)
            };
            bytes * part
        });
        went.sum()
    }
}
