//! What the built-in `split` makes, apart from what it makes of its text to read it.
//!
//! V8 keeps text that was put together by `+` as a tree of its pieces. A call that looks at the characters first makes
//! one flat copy of them, which is booked to the call, though any other call that reads the text would make it as well.
//!
//! A sample does not say what its object is, but as good as gives its size. Pieces that `split` cuts out are small
//! whatever they hold: references to a part of the text from 13 characters on, copies below. The rest is lists, with a
//! slot for each piece, and flat copies. Lists are taken to have as many slots as pieces were seen. Of pieces without
//! or with a single character, which V8 does not make anew, nothing is seen: their slots count as flat copies here.

use super::nodes::CallFrame;

/// Bytes that pieces take: those of a reference to a part are 32, short copies in one or two bytes a character 24 to 40.
const PIECES: [u64; 3] = [40, 32, 24];

/// Bytes of a slot in a list.
const SLOT: u64 = 8;

/// A part of what a stack made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub bytes: u64,
    pub samples: u64,
    /// Whether it may be a copy of what the call was handed.
    pub operand: bool,
}

/// Whether a frame is the engine's `split`, and not a function of the program by that name.
pub(super) fn reads_text(call: &CallFrame) -> bool {
    call.function_name == "split" && call.url.is_empty() && matches!(&*call.script_id, "" | "0")
}

/// Samples of one stack in two parts: what was made of the pieces, and what may be flat copies of the text. `every`: the
/// average distance of samples in bytes; without it, nothing is known to be pieces.
pub(super) fn split(sizes: &[u64], every: Option<u64>) -> [Part; 2] {
    let (mut made, mut other, mut slots) = (Part::default(), Part::default(), 0);
    for &size in sizes {
        let is_piece = |piece: &u64| every.is_some_and(|every| counted(*piece, every) == size);
        let part = match PIECES.into_iter().find(is_piece) {
            Some(piece) => {
                slots += size / piece * SLOT;
                &mut made
            }
            None => &mut other,
        };
        part.bytes += size;
        part.samples += 1;
    }
    let lists = other.bytes.min(slots);
    let samples = (other.samples as f64 * lists as f64 / other.bytes.max(1) as f64).round() as u64;
    made.bytes += lists;
    made.samples += samples;
    [
        made,
        Part {
            bytes: other.bytes - lists,
            samples: (other.samples - samples).max(1),
            operand: true,
        },
    ]
}

/// What V8 writes of a sample of an object of that size: how many of them it stands for, in whole numbers, times the size.
fn counted(size: u64, every: u64) -> u64 {
    let seen = 1.0 - (-(size as f64) / every as f64).exp();
    size * (1.0 / seen + 0.5).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: u64 = 131_072;

    #[test]
    fn samples_are_counted_as_the_engine_does() {
        // As seen on Node 24 at that distance.
        assert_eq!([24, 32].map(|size| counted(size, EVERY)), [131_088, 131_104]);
        assert_eq!(
            [40_024, 188_912].map(|size| counted(size, EVERY)),
            [160_096, 188_912]
        );
    }

    #[test]
    fn lists_have_a_slot_for_each_piece_and_the_rest_may_be_flat_copies() {
        let pieces = vec![131_104; 469];
        let lists = vec![160_096; 112];
        let flat = vec![188_912; 302];
        let all = [&pieces[..], &lists, &flat].concat();
        let [made, copies] = split(&all, Some(EVERY));
        let slots = 469 * 131_104 / 4;
        assert_eq!(made.bytes, 469 * 131_104 + slots);
        assert_eq!(made.bytes + copies.bytes, all.iter().sum::<u64>());
        assert_eq!(made.samples + copies.samples, all.len() as u64);
        assert!(copies.operand && !made.operand);
        // Within the error of so few lists it is what was flat.
        let truth = flat.iter().sum::<u64>() as f64;
        assert!((copies.bytes as f64 / truth - 1.0).abs() < 0.06, "{copies:?}");
    }

    #[test]
    fn text_that_was_flat_leaves_nothing_over() {
        let all = [vec![131_104; 500], vec![160_096; 90]].concat();
        let [made, copies] = split(&all, Some(EVERY));
        assert_eq!((made.bytes, copies.bytes), (all.iter().sum(), 0));
    }

    #[test]
    fn without_a_distance_nothing_is_known() {
        let [made, copies] = split(&[131_104], None);
        assert_eq!((made.bytes, copies.bytes), (0, 131_104));
    }

    #[test]
    fn functions_of_the_program_read_nothing() {
        let call = |script: &str, url: &str| CallFrame {
            function_name: "split".into(),
            script_id: script.into(),
            url: url.into(),
            ..CallFrame::default()
        };
        assert!(reads_text(&call("0", "")) && reads_text(&call("", "")));
        assert!(!reads_text(&call("109", "")) && !reads_text(&call("7", "file:///a.js")));
    }
}
