//! What holds of any snapshot, and of any change of one.

use proptest::prelude::*;

use crate::any::{graphs, styles};
use crate::crafted::{Style, read};
use crate::fixtures::fixtures;
use crate::plain::{as_read, plainly};
use crate::{small, weighed};

fn mutated(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, how, byte) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match how % 5 {
            0 => bytes[at] = *byte,
            1 => bytes.insert(at, *byte),
            2 => {
                bytes.remove(at);
            }
            // Digits and marks are what keeps a file nearly right.
            3 => bytes[at] = b"0123456789,[]{}\"\\-."[usize::from(*byte) % 19],
            _ => {
                let end = (at + usize::from(*byte)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_bytes_breaks_the_reader_or_a_rule(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<u8>()), 1..12),
    ) {
        let _ = weighed(&mutated(small().into_bytes(), &changes));
    }

    #[test]
    fn no_change_of_a_real_snapshot_breaks_the_reader_or_a_rule(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), Just(3_u8), any::<u8>()), 1..6),
    ) {
        let all = fixtures();
        let _ = weighed(&mutated(which.get(&all).clone(), &changes));
    }

    #[test]
    fn no_graph_breaks_the_reader_or_a_rule(made in graphs(true)) {
        weighed(made.write(&Style::default()).as_bytes()).unwrap();
    }

    #[test]
    fn a_plain_reading_sees_the_same(made in graphs(false), style in styles()) {
        let text = made.write(&style);
        let heap = read(text.as_bytes()).unwrap().heap;
        prop_assert_eq!(as_read(&heap), plainly(&text, &style));
    }
}
