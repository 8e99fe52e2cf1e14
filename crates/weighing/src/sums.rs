//! Whether the figures of a weighing add up, as those of every whole one do.

use crate::{Finding, Weighing};

/// What does not add up.
pub(crate) fn off(weighing: &Weighing) -> Option<String> {
    let held = &weighing.held;
    let parts = [held.content, held.runtime, held.dead];
    let parts = parts
        .into_iter()
        .fold(0_u128, |sum, bytes| sum + u128::from(bytes));
    if parts != u128::from(held.bytes) {
        return Some(format!(
            "content, runtime and dead weight are {parts} bytes together, but {} are held",
            held.bytes
        ));
    }
    for (what, external, dead) in [
        ("on the heap", false, held.dead),
        ("outside the heap", true, weighing.external.dead),
    ] {
        let saves = sum(&weighing.findings, external);
        if saves != u128::from(dead) {
            return Some(format!(
                "its findings {what} save {saves} bytes together, but {dead} are dead weight"
            ));
        }
    }
    None
}

fn sum(findings: &[Finding], external: bool) -> u128 {
    let of = findings.iter().filter(|finding| finding.external == external);
    of.map(|finding| u128::from(finding.saves)).sum()
}
