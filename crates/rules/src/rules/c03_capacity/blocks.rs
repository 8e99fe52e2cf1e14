//! Raw blocks that end in room they never used.

use std::fmt::Write as _;

use deadweight_heap::{Heap, Presence};
use deadweight_infer::{Room, RoomAt, Rooms};
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

/// Raw blocks of one place that end in room they never used.
pub(super) fn of_blocks(heap: &Heap, place: &RoomAt) -> Candidate {
    let cut = |block: &Room| (block.row, block.slack(heap));
    let assumed = if heap.coverage.requests == Presence::Absent {
        ASSUMED_OF_USABLE
    } else {
        ASSUMED
    };
    let mut candidate = cut_blocks(heap, &place.holder, place.blocks.iter().map(cut)).assuming(assumed);
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
    candidate.fix = "ask for as much as is used, or cut them when they are complete".into();
    if empty > 0 {
        write!(candidate.title, "; nothing stands in {}", Count(empty))
            .expect("a text takes what is written");
        candidate
            .fix
            .push_str("; ask for nothing before the first value comes");
    }
    say_untouched(heap, &mut candidate, place.blocks.iter().map(|block| block.row));
    candidate.show("requested_bytes", requested);
    candidate.show("used_bytes", used);
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

#[cfg(test)]
mod tests {
    use deadweight_heap::HeapBuilder;

    use super::super::Capacity;
    use super::super::tests::{filled, look};
    use crate::Rule;

    #[test]
    fn blocks_whose_ends_were_never_used_are_cut_behind_what_stands_in_them() {
        let mut heap = HeapBuilder::new();
        for i in 0..20 {
            filled(&mut heap, "read_line", 4096, 100 + i);
        }
        for _ in 0..5 {
            filled(&mut heap, "read_line", 4096, 4000);
        }
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].holder.as_str(), found[0].count, found[0].unaffected),
            ("read_line", 20, 5)
        );
        let after: i64 = (100..120).map(|used: i64| (used + 8) / 8 * 8).sum();
        assert_eq!(found[0].net(), 20 * 4096 - after);
        assert_eq!(found[0].evidence["most_used_bytes"], 119);
    }

    #[test]
    fn what_doubles_what_is_mostly_full_and_what_is_a_table_keeps_its_room() {
        let mut heap = HeapBuilder::new();
        for i in 0..40_usize {
            // Doubled when full: more than half is in use.
            filled(&mut heap, "push_back", 256 << (i % 4), (128 << (i % 4)) + 8 + i);
            filled(&mut heap, "line", 1024, if i == 0 { 100 } else { 900 });
            filled(&mut heap, "node", 248, 8);
            filled(&mut heap, "zeros", 4096, 0);
            let mut table = vec![0; 4096];
            (0..2_usize).for_each(|entry| table[(i * 7 % 50 + entry * 100) * 8] = 1);
            heap.block("table", &table);
        }
        for _ in 0..15 {
            filled(&mut heap, "few", 4096, 100);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn values_end_where_their_words_do() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            let mut content = vec![0; 512];
            content[..24].fill(0x80);
            heap.block("edges", &content);
        }
        assert_eq!(look(heap)[0].net(), 20 * (512 - 24));
    }

    /// What 200 blocks of 512 bytes save, of which so many percent are full and so many hold one text of 40 bytes.
    fn mixed(full: usize, little: usize) -> (Vec<crate::Candidate>, i64) {
        let mut heap = HeapBuilder::new();
        let mut saves = 0;
        for at in 0..200_usize {
            let (used, saved) = match at * 37 % 100 {
                place if place < full => (512, 0),
                place if place < full + little => (40, 512 - 48),
                _ => (0, 512),
            };
            filled(&mut heap, "reserve", 512, used);
            saves += saved;
        }
        (look(heap), saves)
    }

    #[test]
    fn room_is_weighed_block_by_block_whatever_stands_in_the_others() {
        for full in [0, 1, 25, 50, 75, 88] {
            for little in [10, 25, 50, 75, 99, 100] {
                if full + little > 100 {
                    continue;
                }
                let (found, saves) = mixed(full, little);
                assert_eq!(found.len(), 1, "{full} {little}");
                assert_eq!(found[0].net(), saves, "{full} {little}");
                let affected = 200 - 2 * full as u64;
                assert_eq!((found[0].count, found[0].unaffected), (affected, 200 - affected));
            }
        }
        assert!(mixed(95, 5).0.is_empty(), "less than a tenth of the place");
        assert!(mixed(50, 0).0.is_empty(), "blocks that nobody began are E01's");
    }

    #[test]
    fn objects_of_which_some_are_short_are_no_buffers() {
        let mut heap = HeapBuilder::new();
        for at in 0..200_usize {
            // A header, and links at places of their own in half of them.
            let mut content = vec![0; 512];
            content[..16].fill(7);
            if at % 2 == 0 {
                content[300 + at % 20 * 8..][..8].fill(9);
            }
            heap.block("new_node", &content);
        }
        assert!(look(heap).is_empty());
    }

    #[test]
    fn small_lists_of_references_are_cut_and_objects_are_not() {
        let lists = |counts: [usize; 2], room: usize, strange: bool| {
            let mut heap = HeapBuilder::new();
            let file = heap.block("file", b"a name of a file");
            for at in 0..100 {
                let mut words = vec![HeapBuilder::address(file); counts[at % 2]];
                words.resize(room, 0);
                if strange && at == 50 {
                    words[9] = 7;
                }
                let words: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
                heap.block("list", &words);
            }
            look(heap)
        };
        let found = lists([1, 3], 16, false);
        assert_eq!((found.len(), found[0].count, found[0].unaffected), (1, 100, 0));
        assert_eq!(found[0].net(), 50 * (120 + 104));
        assert_eq!(lists([2, 16], 16, false).len(), 1);
        assert_eq!(lists([2, 2], 16, false).len(), 1);
        assert!(lists([2, 2], 9, false).is_empty(), "two fields of an object");
        assert!(lists([1, 3], 16, true).is_empty(), "a number among them");
    }

    #[test]
    fn a_single_block_counts_when_hardly_any_of_it_is_used() {
        let mut heap = HeapBuilder::new();
        filled(&mut heap, "index", 100_000, 10_000);
        filled(&mut heap, "growing", 100_000, 30_000);
        let found = look(heap);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].net(), 100_000 - 10_008);
    }

    #[test]
    fn without_requests_blocks_have_room_for_what_they_may_use() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            filled(&mut heap, "read_line", 4096, 100);
        }
        heap.hide_requests();
        let found = look(heap);
        assert_eq!(found[0].net(), 20 * (4096 - 104));
        assert!(
            found[0]
                .assumes
                .as_ref()
                .unwrap()
                .contains("all that they may use")
        );
    }

    #[test]
    fn without_contents_unused_room_is_not_measured() {
        let mut heap = HeapBuilder::new();
        for _ in 0..20 {
            filled(&mut heap, "read_line", 4096, 100);
        }
        heap.hide_contents();
        let verdict = Capacity.look(&heap.build());
        assert!(verdict.candidates.is_empty());
        assert_eq!(verdict.not_measured.len(), 1);
    }
}
