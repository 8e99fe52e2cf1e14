//! Raw blocks that end in room they never used.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use deadweight_heap::{Heap, Presence};
use deadweight_infer::{End, Room, RoomAt, Rooms};
use deadweight_weighing::NotMeasured;
use serde_json::json;

use super::UNSEEN_SHARE;
use super::cut::{cut_blocks, most_cut};
use crate::count::Count;
use crate::untouched::say_untouched;
use crate::{Basis, Candidate};

/// What cutting a block rests on.
const ASSUMED: &str = "they no longer grow, and nobody relies on the zeros at their ends";

/// The same where the dump says only what blocks may use.
const ASSUMED_OF_USABLE: &str = "they no longer grow, nobody relies on the zeros at their ends, and blocks asked for all that they may use";

/// What is added where nothing says where the last value in a block ends.
const ASSUMED_OF_ENDS: &str = ", and the last value in each does not end in zeros";

/// Raw blocks of one place that end in room they never used.
pub(super) fn of_blocks(heap: &Heap, place: &RoomAt) -> Candidate {
    let cut = |block: &Room| (block.row, block.slack(heap));
    let assumed = if heap.coverage.requests == Presence::Absent {
        ASSUMED_OF_USABLE
    } else {
        ASSUMED
    };
    let are_known = place.blocks.iter().all(|block| block.end != End::InUse);
    let assumed_of_ends = format!("{assumed}{}", if are_known { "" } else { ASSUMED_OF_ENDS });
    let mut candidate =
        cut_blocks(heap, &place.holder, place.blocks.iter().map(cut)).assuming(assumed_of_ends);
    // Room that a container has beside what is in it is plain to see; that nobody needs the end of a block is not.
    candidate.basis = Some(Basis::Behaviour(assumed));
    candidate.variant = "block";
    candidate.site.clone_from(&place.site);
    candidate.unaffected = place.unaffected;
    let sum = |of: fn(&Room) -> u64| place.blocks.iter().map(of).sum::<u64>();
    let (requested, used) = (sum(|block| block.requested), sum(|block| block.used));
    let empty = place.blocks.iter().filter(|block| block.used == 0).count() as u64;
    candidate.title = format!(
        "{} {} {:.1} % of their room",
        Count(candidate.count).of("block", "blocks"),
        if candidate.count == 1 { "uses" } else { "use" },
        used as f64 / requested as f64 * 100.0
    );
    candidate.fix = if place.are_of_library {
        // Nobody asks a container for smaller ones.
        "keep the values in a container whose blocks fit them, such as a growing array; this also frees the container's own \
         bookkeeping, which the saving leaves out"
    } else {
        "ask for as much as is used, or cut them when they are complete"
    }
    .into();
    if empty > 0 {
        write!(candidate.title, "; nothing stands in {}", Count(empty))
            .expect("a text takes what is written");
        if !place.are_of_library {
            candidate
                .fix
                .push_str("; ask for nothing before the first value comes");
        }
    }
    say_untouched(heap, &mut candidate, place.blocks.iter().map(|block| block.row));
    candidate.show("requested_bytes", requested);
    candidate.show("used_bytes", used);
    candidate.show("ends_are_known", are_known);
    candidate.show("empty_blocks", empty);
    candidate.show(
        "most_used_bytes",
        place.blocks.iter().map(|block| block.used).max(),
    );
    let examples: Vec<_> = most_cut(&place.blocks, cut)
        .map(|block| {
            json!({"requested_bytes": block.requested, "used_bytes": block.used, "slack_bytes": block.slack(heap)})
        })
        .collect();
    candidate.show("examples", examples);
    candidate
}

/// Why room of raw blocks is not seen.
pub(super) fn unseen_room(heap: &Heap, room: &Rooms) -> Option<NotMeasured> {
    if !heap.blocks.any() {
        return None;
    }
    let why = if room.hidden > 0 {
        format!(
            "the contents of {} are not in the dump, so room that they never used is not seen",
            Count(room.hidden).of("block", "blocks")
        )
    } else if heap.coverage.untouched != Presence::Present
        && room.behind_others > heap.held_bytes() / UNSEEN_SHARE
    {
        format!(
            "what others left behind in {} bytes of blocks may hide room that these never used",
            Count(room.behind_others)
        )
    } else {
        return None;
    };
    Some(NotMeasured::new(why, heap.runtime.recapture.clone()))
}
