//! What the process said of its own memory, as the result shows it.

use deadweight_heap::{Dead, Totals};
use deadweight_weighing::{Garbage, Process};

/// What the dump shows that nothing held any more, if there is any.
pub(crate) fn garbage(dead: Dead) -> Option<Garbage> {
    let Dead {
        objects,
        bytes,
        external,
    } = dead;
    (objects > 0).then_some(Garbage {
        objects,
        bytes,
        external,
    })
}

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
