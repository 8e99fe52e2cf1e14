//! How much of the process's memory the dump does not show, and where that may be.

use deadweight_heap::{Heap, Totals};
use deadweight_weighing::{Unseen, UnseenOf, UnseenPlace};

/// What is missing where it is most of the process's memory; `held` and `external` are the bytes that the dump shows.
pub(crate) fn unseen(heap: &Heap, held: u64, external: u64) -> Option<Unseen> {
    let mut totals = heap.totals;
    if heap.partial.is_some() {
        // That it is not whole is said already, and why.
        totals.rss_base = None;
    }
    compare(&totals, held, external)
}

fn compare(totals: &Totals, held: u64, external: u64) -> Option<Unseen> {
    let base = totals.rss_base.unwrap_or(0);
    let outside = external.max(totals.external.unwrap_or(0));
    let compared = |of, whole: Option<u64>| {
        let whole = whole?;
        let (shown, base) = match of {
            // What live objects had at their most is on the heap alone, where no runtime was before the program.
            UnseenOf::HeldPeak => (held.max(totals.heap_asked.unwrap_or(0)), 0),
            // Both sides have the runtime's own.
            UnseenOf::InUse => (held + outside, 0),
            _ => (held + outside, base),
        };
        let unseen = Unseen {
            of,
            whole,
            shown: shown.min(whole),
            base: base.min(whole),
            places: Vec::new(),
        };
        unseen.is_most().then_some(unseen)
    };
    // Without its base, what is resident cannot be compared: it may all be the runtime's own.
    let of_process = |bytes: Option<u64>| bytes.filter(|_| totals.rss_base.is_some());
    let mut unseen = compared(UnseenOf::HeldPeak, totals.heap_peak)
        .or_else(|| compared(UnseenOf::Resident, of_process(totals.rss)))
        .or_else(|| compared(UnseenOf::ResidentPeak, of_process(totals.rss_peak)))
        .or_else(|| compared(UnseenOf::InUse, totals.in_use_before))?;
    unseen.places = places(&unseen, totals);
    Some(unseen)
}

fn places(unseen: &Unseen, totals: &Totals) -> Vec<UnseenPlace> {
    let mut places = Vec::new();
    let threads = totals.other_heaps.unwrap_or(0);
    if threads > 0 && unseen.of != UnseenOf::HeldPeak {
        places.push(UnseenPlace {
            what: format!(
                "the heaps of worker threads ({threads} {} started)",
                if threads == 1 { "was" } else { "were" }
            ),
            bytes: None,
            how: format!(
                "weigh their captures, which lie beside this one; for threads that had ended by then: {}",
                earlier("rss", unseen.whole)
            ),
        });
    }
    let free = totals.heap_total.zip(totals.heap_used);
    let free = free.map_or(0, |(total, used)| total.saturating_sub(used));
    match unseen.of {
        UnseenOf::HeldPeak => places.push(UnseenPlace {
            what: "objects that were gone before the capture, such as those that only local variables held"
                .to_owned(),
            bytes: None,
            how: earlier("heap", unseen.whole),
        }),
        UnseenOf::InUse => places.push(UnseenPlace {
            what: "objects that the program had let go by its end, and garbage".to_owned(),
            bytes: None,
            how: "deadweight run --when peak -- PROGRAM".to_owned(),
        }),
        UnseenOf::ResidentPeak => places.push(UnseenPlace {
            what: "objects that were gone before the capture, and garbage".to_owned(),
            bytes: None,
            how: earlier("rss", unseen.whole),
        }),
        UnseenOf::Resident | UnseenOf::Run => {
            if free > unseen.bytes() / 2 {
                places.push(UnseenPlace {
                    what: "free room of the heap, where objects were before the capture".to_owned(),
                    bytes: Some(free),
                    how: earlier("rss", totals.rss_peak.unwrap_or(unseen.whole)),
                });
            } else if places.is_empty() {
                places.push(UnseenPlace {
                    what: "memory that libraries or the runtime map beside the heap, or that was freed and not given back"
                        .to_owned(),
                    bytes: None,
                    how: "/proc/PID/smaps names each mapping while the process runs".to_owned(),
                });
            }
        }
    }
    places
}

/// A capture while there was still nearly as much.
fn earlier(measure: &str, most: u64) -> String {
    format!("deadweight run --when '{measure}>{}' -- PROGRAM", threshold(most))
}

/// Three quarters of the most there was, in a unit that people read.
fn threshold(most: u64) -> String {
    let bytes = most / 4 * 3;
    match bytes {
        10_000_000.. => format!("{}MB", bytes / 1_000_000),
        10_000.. => format!("{}KB", bytes / 1_000),
        _ => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(rss: u64, base: u64) -> Totals {
        Totals {
            rss: Some(rss),
            rss_base: Some(base),
            ..Totals::default()
        }
    }

    #[test]
    fn a_bare_runtime_hides_nothing() {
        assert_eq!(
            compare(&totals(47_000_000, 42_000_000), 3_700_000, 1_500_000),
            None
        );
        assert_eq!(compare(&Totals::default(), 3_700_000, 0), None);
    }

    #[test]
    fn what_is_resident_without_a_base_is_not_compared() {
        let unknown = Totals {
            rss_base: None,
            ..totals(139_000_000, 0)
        };
        assert_eq!(compare(&unknown, 3_700_000, 0), None);
    }

    #[test]
    fn the_heaps_of_threads_are_named_first() {
        let said = Totals {
            other_heaps: Some(1),
            ..totals(139_000_000, 42_000_000)
        };
        let unseen = compare(&said, 3_700_000, 1_500_000).expect("most is not there");
        assert_eq!((unseen.of, unseen.bytes()), (UnseenOf::Resident, 91_800_000));
        let place = &unseen.places[0];
        assert!(place.what.contains("worker threads"), "{unseen:?}");
        assert!(
            place.how.contains("beside this one") && place.how.contains("--when 'rss>"),
            "{unseen:?}"
        );
    }

    #[test]
    fn what_was_gone_is_caught_by_a_threshold_that_was_reached() {
        let said = Totals {
            heap_peak: Some(284_000_000),
            ..totals(4_000_000, 3_500_000)
        };
        let unseen = compare(&said, 77_000, 0).expect("most is not there");
        assert_eq!((unseen.of, unseen.bytes()), (UnseenOf::HeldPeak, 283_923_000));
        assert_eq!(
            unseen.places[0].how,
            "deadweight run --when 'heap>213MB' -- PROGRAM"
        );
    }

    #[test]
    fn what_a_short_program_let_go_before_its_end_is_not_nothing() {
        // 50,000 records of a variable of the main module: resident memory is mostly the runtime's own.
        let said = Totals {
            rss_peak: Some(65_900_000),
            in_use_before: Some(18_000_000),
            ..totals(59_300_000, 49_100_000)
        };
        let unseen = compare(&said, 3_900_000, 1_600_000).expect("most is not there");
        assert_eq!((unseen.of, unseen.bytes()), (UnseenOf::InUse, 12_500_000));
        assert!(unseen.places[0].how.contains("--when peak"), "{unseen:?}");
        let little = Totals {
            in_use_before: Some(7_000_000),
            ..said
        };
        assert_eq!(compare(&little, 3_900_000, 1_600_000), None);
    }

    #[test]
    fn what_malloc_kept_is_free_room() {
        let said = Totals {
            heap_used: Some(80_000),
            heap_total: Some(200_000_000),
            rss_peak: Some(205_000_000),
            ..totals(204_000_000, 3_000_000)
        };
        let unseen = compare(&said, 77_000, 0).expect("most is not there");
        assert_eq!(unseen.of, UnseenOf::Resident);
        assert_eq!(unseen.places[0].bytes, Some(199_920_000));
        assert!(unseen.places[0].how.contains("rss>153MB"), "{unseen:?}");
    }
}
