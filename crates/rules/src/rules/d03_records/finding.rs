//! The finding at one place.

use deadweight_heap::Heap;
use serde_json::json;

use super::copies::Place;
use crate::Candidate;
use crate::count::Count;

pub(super) fn candidate(heap: &Heap, holder: String, mut place: Place) -> Candidate {
    let mut candidate =
        Candidate::at(holder).assuming("the copies are never changed and not compared by identity");
    candidate = candidate.at_all_places();
    for &(row, bytes) in &place.claims {
        candidate.claim(row, bytes);
    }
    candidate.count = place.copies;
    candidate.unaffected = place.unaffected;
    candidate.bytes_now = place.now;
    let values = place.values.len();
    candidate.title = format!(
        "{} equal to {}",
        Count(place.copies).of("object", "objects"),
        match values as u64 {
            1 => "one other".to_owned(),
            many => format!("one of {} others", Count(many)),
        }
    );
    candidate.fix = match values as u64 {
        1 => "keep one object for the value that repeats".to_owned(),
        many => format!("keep one object for each of {} values", Count(many)),
    };
    candidate.show("copies", place.copies);
    candidate.show("values_that_repeat", values);
    if heap.layout.tables_compare_by_value() {
        candidate.show_kept_table(heap, place.unaffected);
    }
    place
        .values
        .sort_unstable_by_key(|&(first, each, copies)| (std::cmp::Reverse(each * copies), first));
    let examples: Vec<_> = place
        .values
        .iter()
        .take(3)
        .map(|&(first, each, copies)| {
            json!({"type": heap.type_name(first), "copies": copies, "bytes_each": each})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}
