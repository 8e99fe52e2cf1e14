//! # L03 · dates and numbers in boxes
//!
//! ## What it is
//! A value that would fit a number, or a slot of its record, and is kept in an object of its own: a time as a date
//! object, a whole number in a *box* (an object that holds one number), a timestamp or an id as text.
//!
//! ## Why it costs
//! A reference to an object costs the slot, the object's header and its content. The slot alone could hold the value,
//! when it is a small whole number, and a boxed number is still much smaller than a date or a text.
//!
//! ## How it is found
//! Five patterns, each from sixteen objects on.
//!
//! - *Dates*: date objects, grouped by the holder that names them.
//! - *Boxes*: fields in which every number is whole, some stand in boxes, and the largest is so near the smallest that
//!   the difference fits a slot. A field with dates counts with their milliseconds. A single fraction keeps the boxes.
//! - *Typed fields*: where types declare how wide their fields are, fields that refer to a number or a date of one class in
//!   every record.
//! - *Arrays*: arrays in which every element is a number of one class in a box.
//! - *Text*: fields in which at least 99 % of the values are texts of one sort and the others are nothing: ISO 8601
//!   timestamps with a zone, whole numbers of up to 15 digits, ids of one even length from 16 hex digits on, and UUIDs.
//!
//! ## How the saving is computed
//! - *Dates*: the date goes; a boxed number comes for every reference to it, unless all values fit a slot, as they do
//!   wherever slots hold numbers of 63 bits.
//! - *Boxes*: the box goes, or what the first pattern leaves of a date.
//! - *Typed fields*: the box goes where no other field needs it; the record is laid out again with the number in place of the
//!   reference, which may cost nothing where it had a hole. Where several fields of a record change it by another number of bytes
//!   together than one by one, they are one finding.
//! - *Arrays*: the boxes go that nothing else holds, each once; the array is laid out again with the numbers in it, of 8 bytes
//!   each where their class does not say how wide they are. A list that can hold references alone goes with them, and so does
//!   room that nothing stands in: C03 has none left there.
//! - *Text*: the text goes, unless another field holds it too; a boxed number comes for every field that refers to it
//!   (copies that are shared now are not shared then). Where types declare how wide their fields are, the record is laid out
//!   with the number itself in place of the reference. An id's bytes stand in fields of the record instead of the one
//!   reference: the record grows.
//!
//! ## How to fix it
//! Keep the number, and make the date or the text where one is shown.
//!
//! - JavaScript: `Date.parse(text)` or `date.getTime()`; then `(ms - base) | 0` with one base for the whole batch, which
//!   is a small integer for 24 days. Without `| 0` or `Math.round`, compiled code may keep a whole result of arithmetic
//!   beyond 32 bits in a box. An id of 24 hex digits is three 32-bit integers (`| 0`).
//! - Ruby: `Time#to_i`. Java: `long` instead of `Instant`, `Date`, `Long` or the text of a number or a moment, `int`
//!   instead of `Integer`, two `long` instead of the text of a UUID; Kotlin: `Long` instead of `Long?`, and no type parameter.
//! - Python: `array("q", numbers)` or `array("d", numbers)` in place of a list of numbers; `moment.timestamp()` in place of a
//!   `datetime`, `span.total_seconds()` in place of a `timedelta`. A whole number that is a sum or a product keeps room for
//!   one digit more than it needs, 48 bytes in place of 32 for milliseconds; one that `int` makes of a float, or `//`, does not. An
//!   array has no limit as a `deque` with `maxlen` has: where the next number goes is kept beside it.
//!
//! ## When not to
//! When values repeat, one shared text is cheaper than a box per record (see D01). Where the numbers go beyond the
//! range that was seen, a slot no longer holds them: they get boxes again, nothing breaks.

mod arrays;
mod boxes;
mod dates;
#[cfg(test)]
mod tests;
mod texts;
mod typed;

use std::cmp::Ordering;

use deadweight_heap::{Heap, Numeric, Presence};
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Code, Rule, Verdict};

use arrays::arrays;
use boxes::boxes;
use dates::dates;
use texts::texts;
use typed::typed;

/// Fewer objects than this are no pattern.
const LEAST: u32 = 16;

/// The rule.
pub struct Boxes;

impl Rule for Boxes {
    fn code(&self) -> Code {
        Code("L03")
    }

    fn source(&self) -> &'static str {
        include_str!("l03_boxes.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("every value stays of the kind seen")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let fields = heap.field_profiles();
        let mut verdict = Verdict::from(dates(heap));
        verdict.candidates.extend(boxes(heap, &fields));
        verdict.candidates.extend(typed(heap, &fields));
        verdict.candidates.extend(arrays(heap));
        verdict.candidates.extend(texts(heap, &fields));
        let unknown: u64 = fields
            .iter()
            .map(|(_, field)| u64::from(field.unknown_boxes))
            .sum();
        let mut blind = |why: String| {
            let how = heap.runtime.recapture.clone();
            verdict.not_measured.push(NotMeasured::new(why, how));
        };
        if heap.coverage.numbers == Presence::Absent {
            blind("the dump has no values of numbers, so boxes that a slot could hold are not seen".into());
        } else if unknown > 0 {
            blind(format!(
                "the dump does not show the values of {}",
                Count(unknown).of("boxed number", "boxed numbers")
            ));
        }
        if heap.coverage.texts == Presence::Absent {
            blind("the dump has no text of strings, so numbers in text are not seen".into());
        }
        verdict
    }
}

/// Whether numbers from `least` to `most` stand in a slot as they are.
fn fit_slot(heap: &Heap, least: Numeric, most: Numeric) -> bool {
    heap.layout.small_integers().is_some_and(|(low, high)| {
        least.order(Numeric::Integer(low)) != Some(Ordering::Less)
            && most.order(Numeric::Integer(high)) != Some(Ordering::Greater)
    })
}
