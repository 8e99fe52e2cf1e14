//! # R01 · a small slice pins a large buffer or string
//!
//! ## What it is
//! A few characters cut out of a large text, or a few bytes out of a large buffer, that keep all of it alive.
//!
//! ## Why it costs
//! A slice is a window: cheap to make, but what it looks on cannot go while the slice is there. An id cut out of a
//! page of text holds the page.
//!
//! ## How it is found
//! Texts that nothing but slices refers to, and buffers that nothing but views refers to, where copies of the slices
//! would take less than half of what they pin. A holder counts from 64 KiB of waste; for buffers that waste must stand
//! in four or more of them, or one must waste 1 MiB, as a pool that is still being filled is no waste. A pool that is
//! nearly full is healthy.
//! At such a holder all slices are copied, so that what is gained at the texts that are mostly in use is a part of it.
//! A text whose slices stand at several places is named by the one with most of them; the fix names the others, since
//! all must be copied before the text can go.
//!
//! Some dumps do not say how long a slice is, but a recorder may have noted the lengths of a sample. From 30 noted
//! lengths at a holder on, their mean copy stands for the slices there that nobody noted. A text whose slices are all
//! noted is judged by them; any other counts only if its bytes for each slice are more than twice what such a copy takes
//! beyond the slice, and the mean is that of the noted slices on such texts, so that the many slices of small texts do
//! not speak for the few of large ones. Without 30 noted lengths, 1,024 characters of two bytes are taken for each.
//!
//! ## How the saving is computed
//! What is pinned, less a copy of each slice. The width of the characters is taken to stay what it is; where the dump shows
//! the length of a slice alone, and its text has two bytes a character, the finding is an estimate that says so. It is one
//! in Ruby, too, where a string that something is cut out of becomes a slice itself, of a hidden one with all its characters. Copies of views are charged
//! where the buffer is. Outside the heap they need objects inside it, which are shown in the evidence, and a finding that saves less than twice
//! their bytes is dropped; on the JVM each is an array in the heap. A `memoryview` of Python gives way to its copy, so what it takes itself is saved, too.
//!
//! ## How to fix it
//! Copy what you keep.
//!
//! - JavaScript: `new Uint8Array(view)` for bytes; where a Buffer is wanted,
//!   `const own = Buffer.alloc(view.length); view.copy(own)`. A Buffer's own `slice` is one more window, and
//!   `Buffer.from(view)` puts few bytes into a pool of 8 KiB that all of them pin. For text a round trip such as
//!   `Buffer.from(text).toString()`, as `slice` and `split` give windows from 13 characters on.
//! - Ruby: `-part`, which is frozen and stays as it is when something is cut out of it; `part + ""` where it is to be
//!   changed. `String.new(part)` and `part.dup` share what they copy.
//! - Java: `new String(part)` on old runtimes; for a window on bytes
//!   `ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to))`, as `slice`, `duplicate` and `asReadOnlyBuffer` make one more.
//! - Python: `bytes(view)` of a `memoryview`, and `copy` of a view of numpy. Slices of `str` and `bytes` are copies.
//! - C++, Rust: an owned string instead of a view with a shared owner.
//!
//! ## When not to
//! When most of what is pinned is in use, or the slices live for a moment only.

mod finding;
mod held;
mod pins;
mod places;
#[cfg(test)]
mod tests;

use deadweight_heap::{Flags, Heap};
use deadweight_infer::{Backings, SliceCopies};
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use held::held_otherwise;
pub(super) use pins::OfViews;
use pins::{Healthy, Pin, pinned_buffer, pinned_text, windows};
use places::at_holders;

/// Less waste at one holder is no finding.
const LEAST_WASTE: u64 = 64 << 10;

/// The rule.
pub struct Slices;

impl Rule for Slices {
    fn code(&self) -> Code {
        Code("R01")
    }

    fn source(&self) -> &'static str {
        include_str!("r01_slices.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Data
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let windows = windows(heap);
        let mut copies = SliceCopies::new(heap, &windows);
        let backings = Backings::new(heap);
        let of_views = OfViews::new(heap);
        let mut pins = Vec::new();
        let mut unaffected = Vec::new();
        let mut unsure = Vec::new();
        let mut small = Vec::new();
        for of_one in windows.chunk_by(|a, b| a.0 == b.0) {
            match pinned_text(heap, &mut copies, of_one) {
                Ok(pin) => pins.push(pin),
                Err(Healthy::Small(Some(pin))) => small.push(*pin),
                Err(Healthy::Small(None)) => unaffected.push((of_one[0].1, false)),
                Err(Healthy::Unknown) => unsure.push(of_one[0].0),
            }
        }
        for on_one in backings.iter() {
            match pinned_buffer(heap, &of_views, on_one) {
                Some(pin) => pins.push(pin),
                None if on_one.len() > 1 => {
                    let external = heap.objects.has(on_one[0].backing, Flags::EXTERNAL);
                    unaffected.push((on_one[1].object, external));
                }
                None => {}
            }
        }
        let held = held_otherwise(heap, pins.iter().chain(&small), &unsure);
        let (freed, healthy): (Vec<Pin>, Vec<Pin>) = small.into_iter().partition(|pin| !held.has(pin.row));
        unaffected.extend(healthy.iter().map(|pin| (pin.window, false)));
        pins.retain(|pin| !held.has(pin.row) && !pin.own.is_some_and(|own| held.has(own)));
        unsure.retain(|row| !held.has(*row));

        let mut verdict: Verdict = at_holders(heap, &copies, pins, freed, &unaffected).into();
        let bytes: u64 = unsure.iter().map(|&row| heap.bytes(row)).sum();
        if bytes >= LEAST_WASTE {
            verdict.not_measured.push(NotMeasured::new(
                format!(
                    "slices of unknown length are all that refers to {} ({} bytes)",
                    Count(unsure.len() as u64).of("text", "texts"),
                    Count(bytes)
                ),
                if heap.lengths.is_empty() {
                    heap.runtime.recapture.clone()
                } else {
                    // Another capture would know no more: these slices are few, or stand where the recorder cannot look.
                    "check in the program whether the slices are much shorter than the text they are cut from"
                        .into()
                },
            ));
        }
        verdict
    }
}
