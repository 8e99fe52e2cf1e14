//! What is said of the buffers of one place.

use deadweight_heap::Heap;
use serde_json::json;

use super::place::{Place, Sparse};
use crate::Candidate;
use crate::count::Count;
use crate::untouched::say_untouched;

/// What to do about a buffer in which nothing stands.
const MADE_LATE: &str = "create the buffer when the first value comes";

const ASSUMES_EMPTY: &str = "what is zero now stays zero, and nothing needs the buffer before a value comes";

/// A table of indices and values takes far more than the pairs that are priced.
fn each_with_its_index(heap: &Heap) -> String {
    let pairs = heap.layout.wording().pairs;
    let pairs = pairs.map(|pairs| format!(", {pairs}")).unwrap_or_default();
    format!("store only the non-zero words, each with its index{pairs}")
}

/// The objects on the heap of buffers outside of it that are not made.
pub(super) fn objects_of(heap: &Heap, holder: String, place: &Place) -> Option<Candidate> {
    let mut candidate = Candidate::at(holder).assuming(ASSUMES_EMPTY);
    let gone = place.sparse.iter().filter(|buffer| !buffer.beside.is_empty());
    for buffer in gone {
        buffer.claim_beside(heap, &mut candidate);
        candidate.count += 1;
    }
    candidate.unaffected = place.sparse.len() as u64 + place.unaffected - candidate.count;
    candidate.title = format!(
        "the objects of {} of zeros",
        Count(candidate.count).of("buffer", "buffers")
    );
    candidate.fix = MADE_LATE.into();
    (!candidate.claims.is_empty()).then(|| candidate.at_all_places())
}

/// The finding about the bytes.
pub(super) fn candidate(heap: &Heap, holder: String, external: bool, mut place: Place) -> Candidate {
    place
        .sparse
        .sort_unstable_by_key(|buffer| (std::cmp::Reverse(buffer.now), buffer.row));
    let sum = |of: fn(&Sparse) -> u64| place.sparse.iter().map(of).sum::<u64>();
    let (now, zeros, words) = (sum(|b| b.now), sum(|b| b.zeros), sum(|b| b.words));
    let bytes = sum(|b| b.bytes).max(1);
    let rounded = (zeros as f64 / bytes as f64 * 1000.0).round() / 10.0;
    // All of a buffer is only said to be zero where nothing stands in it.
    let share = if zeros < bytes { rounded.min(99.9) } else { rounded };
    let mut candidate = Candidate::at(holder).assuming(if words == 0 {
        ASSUMES_EMPTY
    } else if place.cut * 2 > now {
        "what is zero now stays zero, and nobody relies on the zeros at their ends"
    } else {
        "what is zero now stays zero, and the buffer can be kept as pairs of an index and a value"
    });
    candidate.external = external;
    candidate = candidate.at_all_places();
    candidate.count = place.sparse.len() as u64;
    candidate.unaffected = place.unaffected;
    candidate.bytes_now = now;
    for buffer in &place.sparse {
        candidate.claim(buffer.row, buffer.now - buffer.after);
        if !external {
            buffer.claim_beside(heap, &mut candidate);
        }
    }
    let memory = if external {
        " (external memory, not RSS)"
    } else {
        ""
    };
    candidate.title = format!(
        "{} {} {share} % zeros{memory}",
        Count(candidate.count).of("buffer", "buffers"),
        if candidate.count == 1 { "is" } else { "are" }
    );
    if !external {
        say_untouched(heap, &mut candidate, place.sparse.iter().map(|buffer| buffer.row));
    }
    candidate.fix = if words == 0 {
        MADE_LATE.to_owned()
    } else if place.cut * 2 > now {
        "allocate each only as large as the part in use, and let it grow".to_owned()
    } else {
        match words {
            1 => "store only the non-zero word and its index".to_owned(),
            _ => each_with_its_index(heap),
        }
    };
    candidate.show("bytes", now);
    candidate.show("zero_percent", share);
    candidate.show("words_used", words);
    let all = candidate.bytes_now;
    let (saves, saves_external) = if external { (0, all) } else { (all, 0) };
    candidate.show(
        "dropped",
        json!({"saves": saves, "saves_external": saves_external}),
    );
    if external {
        candidate.show(
            "memory",
            "external as the runtime counts it; pages never touched are not resident",
        );
    }
    let examples: Vec<_> = place
        .sparse
        .iter()
        .take(3)
        .map(|b| json!({"bytes": b.now, "zeros": b.zeros, "words_used": b.words, "bytes_after": b.after}))
        .collect();
    candidate.show("examples", examples);
    candidate
}
