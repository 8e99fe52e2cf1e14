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
    if let Some(used) = contradicted(weighing) {
        return Some(format!(
            "its objects take {} bytes together, but the process itself counts {used}",
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

/// What the process counts itself, where that is so much less than the sum of its objects that their sizes cannot be right. A
/// few per cent are the difference of two moments and of what either leaves out.
#[must_use]
pub fn contradicted(weighing: &Weighing) -> Option<u64> {
    /// Processes of a few megabytes count what they began with, or not, as they please.
    const SMALL: u64 = 16 << 20;
    let used = weighing.process.as_ref()?.heap_used?;
    let most = used.saturating_mul(4).saturating_add(SMALL);
    (weighing.held.bytes > most).then_some(used)
}

fn sum(findings: &[Finding], external: bool) -> u128 {
    let of = findings.iter().filter(|finding| finding.external == external);
    of.map(|finding| u128::from(finding.saves)).sum()
}
