//! # D02 · equal buffers
//!
//! ## What it is
//! The same bytes kept several times, each copy in a buffer of its own.
//!
//! ## Why it costs
//! A copy costs its bytes, and the object or objects through which the program reads them.
//!
//! ## How it is found
//! Buffers of equal length and equal hash of their contents, grouped by the holder that names them. One copy of each
//! value stays. Buffers of nothing but zeros belong to E01. A holder counts from 1 KiB of copies. Raw blocks with
//! references to eight or more places in them are pools, whose cells are others' objects, and those where less than
//! a quarter is in use are equal because they are empty: E01 and C03 look at them. Raw blocks that C03 finds too large are left to it, as what
//! stands in their room may be anything; and nobody can share a node that a library's container makes for itself.
//!
//! Raw blocks are strings when they are text of eight bytes or more from their first byte on, and nine in ten blocks of
//! their place of allocation are so: to their end, or with nothing but zeros behind it, or, where blocks of several
//! sizes are asked for, with what a longer text left. Where a block refers to the text with its length and a capacity
//! beside the address, as `String` and `std::string` do, the text ends there, whatever stands behind it. Texts of unknown
//! length with something behind them are not compared, and the weighing says how many. Shorter texts in blocks of at most
//! eight bytes are strings where at least a quarter of the place is longer ones, or where nine in ten blocks end in the
//! only zero they have and a quarter have three characters or more, which no numbers and flags do. Where other blocks come
//! from the same place, as from a wrapper of `malloc`, strings are those of at least four sizes that were made for their
//! text and one zero. Texts behind a header of 8 to 32 bytes, as those of Qt, in UTF-8 or in Latin letters of UTF-16,
//! are strings where one number of the header is the length of each, lengths of four characters or more differ at
//! least fourfold, and nothing but zeros stands behind; they are equal when their headers are, too, but for a first
//! number that seems to count references. Neither way count blocks with references that have other
//! sizes than the texts: containers that grow on the line that makes their strings. Such strings are equal when their
//! texts are, whatever room they have and wherever they were allocated: of all copies in the program one stays, and a
//! place counts from 16 of the others on. Texts that are fields of larger blocks are not looked for: what their room
//! becomes is decided by the whole object.
//!
//! ## How the saving is computed
//! For each holder: the bytes of all copies but one of each value. Where the bytes stand outside the runtime's heap
//! that is external memory; the objects that vanish with them are a finding of their own, as the heap is weighed apart.
//! No more views of a copy count as vanishing than the copy that stays has. Of strings in raw blocks the blocks vanish.
//! What holds them gets shorter where it does so by an address with its length and its capacity: with the fix it holds a
//! view, of two words. A `String` has three and a `std::string` four, which is known where the program has the library of
//! C++, one has a short text in place or debug information says that all four are one field.
//! Such a member stands at one place of nearly all blocks of a place and size, sixteen texts at least, or blocks of several sizes are
//! arrays of them. A record gets shorter only by words that are known to be the text's: most of its texts must end where
//! the length says, and the number that fits the block must be its capacity, as it is larger than the length in one of them, stands
//! before the address, or belongs to one field with it by debug information, or as the program keeps short texts in place. An
//! address, a zero and a length in a record of C are its own fields, which stay. They save what the allocator charges less: sizes fall by steps, so that two fixes of one record
//! may save more or less than both alone, which the weighing knows. `holders` in the evidence says how many bytes that is.
//! Where records get shorter, what owns the texts then is taken off: in C++ a node of a hash set with its bucket for each value, in
//! Rust two counts of references before each text. A member gets shorter only where most of its texts are copies. Where the type of
//! values in arrays is known, they get shorter there as well, with the room for more of them; chunks of a `std::deque` stay as
//! large as they are. Else what a fix adds to find a copy is not taken off.
//!
//! ## How to fix it
//! Look the contents up by hash when they come in, and keep the first copy.
//!
//! - JavaScript: a `Map` from the hash (or the hex text of a short buffer) to the buffer.
//! - Java: a `HashMap<ByteBuffer, ByteBuffer>` of read-only buffers.
//! - Ruby: frozen binary strings, which `-string` makes one.
//! - Python: `seen.setdefault(data, data)` with `bytes`.
//! - C++, Rust: a table from hash to a shared pointer; for strings, a set of `std::string` or `Arc<str>` that gives views
//!   and clones out. Fields become `std::string_view` or `Arc<str>`; where they stay a `std::string` or a `String`, each
//!   has a text of its own again.
//!
//! ## When not to
//! When somebody writes to a buffer, its copies must stay apart.

mod buffers;
mod holders;
#[cfg(test)]
mod tests;
mod texts;

use deadweight_heap::{Heap, Presence};
use deadweight_infer::block_texts;
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use buffers::of_buffers;
use texts::of_texts;

/// Copies of fewer bytes at one holder are no finding.
const FEWEST_BYTES: u64 = 1024;

/// The rule.
pub struct EqualBuffers;

impl Rule for EqualBuffers {
    fn code(&self) -> Code {
        Code("D02")
    }

    fn source(&self) -> &'static str {
        include_str!("d02_buffers.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("the contents are never written to")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let texts = block_texts(heap);
        let rows = texts
            .places
            .iter()
            .flat_map(|(_, texts)| texts)
            .map(|text| text.row);
        let is_text = heap.row_set(rows);
        // Each goes over its tables alone.
        let (of_texts, of_buffers) =
            rayon::join(|| of_texts(heap, &texts.places), || of_buffers(heap, &is_text));
        let mut verdict = Verdict::from(of_texts);
        if heap.blocks.any() && heap.coverage.contents == Presence::Absent {
            verdict.not_measured.push(NotMeasured::new(
                "the contents of blocks are not in the dump, so equal ones are not seen",
                heap.runtime.recapture.clone(),
            ));
        }
        if texts.uncompared > 0 {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "{} with a text whose end is not known, as other data follows it; they were not compared",
                    Count(texts.uncompared).of("block begins", "blocks begin")
                ),
                String::new(),
            ));
        }
        verdict.candidates.extend(of_buffers.candidates);
        verdict.not_measured.extend(of_buffers.not_measured);
        verdict
    }
}
