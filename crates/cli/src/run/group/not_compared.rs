//! What could not be compared between the heaps of a run.

use deadweight_compare::again::Beside;
use deadweight_report::bytes;
use deadweight_weighing::NotMeasured;

/// The rule that finds the same within one heap.
const RULE: &str = "R03";

/// One byte in so many that cannot be compared is worth saying.
const UNSEEN_SHARE: u64 = 10;

/// `None` where nearly everything of `all` heaps was compared.
pub(super) fn of(heaps: &[Beside], all: usize) -> Option<NotMeasured> {
    let held: u64 = heaps.iter().map(|heap| heap.contents.held()).sum();
    let known: u64 = heaps.iter().map(|heap| heap.contents.known()).sum();
    let unseen = held.saturating_sub(known);
    let why = if heaps.len() < all {
        format!(
            "{} of the {all} heaps of this run were not weighed, so that what they hold again is not measured",
            all - heaps.len()
        )
    } else if unseen > 0 && unseen >= held / UNSEEN_SHARE {
        format!(
            "{} of the {} in the {all} heaps of this run have contents that their dumps do not show whole: whether several \
             heaps hold these is not measured",
            bytes(unseen),
            bytes(held)
        )
    } else {
        return None;
    };
    let how = heaps.first().map_or("", |heap| heap.contents.recapture());
    Some(NotMeasured {
        rule: RULE.to_owned(),
        why,
        how: how.to_owned(),
    })
}
