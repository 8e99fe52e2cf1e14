//! What the process said of its own memory, as the result shows it.

use deadweight_heap::Totals;
use deadweight_weighing::Process;

/// What it said, if it said anything.
pub(crate) fn process(totals: Totals) -> Option<Process> {
    let Totals {
        heap_used,
        heap_asked,
        heap_total,
        external,
        rss,
        rss_peak,
        heap_peak,
        ..
    } = totals;
    let said = [
        heap_used, heap_asked, heap_total, external, rss, rss_peak, heap_peak,
    ];
    said.iter().any(Option::is_some).then_some(Process {
        heap_used,
        heap_asked,
        heap_total,
        external,
        rss,
        rss_peak,
        heap_peak,
    })
}
