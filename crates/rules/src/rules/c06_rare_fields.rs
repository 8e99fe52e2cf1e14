//! # C06 · records with fields that few of them use
//!
//! ## What it is
//! Records with room for values that hardly any of them has: optional values, texts that are mostly empty, a large
//! variant that is rare.
//!
//! ## Why it costs
//! In C++, Rust and C a field stands in the record whether it is in use or not. An empty `std::string` takes 32 bytes, a
//! missing `std::optional<std::string>` 40, and each record is as large as its largest variant.
//!
//! ## How it is found
//! From the contents of raw blocks that are one record each. Of at least 100 blocks of one type (or, without one, of one
//! place of allocation) and one size, from 48 bytes to 4 KiB, words of eight bytes are rare when at most a quarter of the
//! blocks use them. A word is not in use when it is zero, when it says as in most of the others that there is no `String` (Rust), or when it
//! refers to the record's own place for a short text (C++) as in most of the others. Rare words that follow each other
//! and are in use together are a field; what no record uses is one from 64 bytes on, as less may be padding. Words that
//! are the end of an array within the record are none: each is in use less often than the one before it. Nor are those of
//! a text that is in use: its place for the few that are long, and what goes on from the word before it.
//!
//! Without a known type, something must stand in one word of nine in ten blocks, and at least half of those that use
//! rare fields must use others than the first ones alone, and half of them at most: what is filled from its beginning on is
//! C03's, what differs as a whole may be of another type, and what another use of the memory left stands all over a block. What was
//! left behind counts as in use all the same. Equal slots at even distances are C02's.
//!
//! Values of an array are no fields, as any of them may be in use: where the program's symbols say that a container asked for several
//! values of one type, whose size debug information has, and for the chunks of a `std::deque`, whose size is the library's.
//! Where nobody says it, blocks are arrays if, for values of any size, what stands at each place in the rare ones is as
//! in all others, by the shares of references, small numbers and large ones: buckets of a table, counters that are mostly
//! zero. A record has something in front that its rare fields have not. Records that stand side by side in one block are
//! not looked at, but one that has a block of a vector for itself is. Objects of a runtime with types are not looked at: their
//! fields are C03's and L05's.
//!
//! ## How the saving is computed
//! Both ways are priced for each record, as the heap's allocator charges, and the one that saves more is taken: the rare
//! fields in one record beside, which exists where any of them is in use, behind one reference of eight bytes; or each
//! rare field in a block of its own, behind a reference for each. Which fields are worth it is chosen by what they save.
//! A finding must save a tenth of the records and at least 4 KiB.
//!
//! ## How to fix it
//! Keep the common fields in the record and the rare ones beside it.
//!
//! - C++: `std::unique_ptr<Rare> rare;`, made when the first of its fields gets a value; or
//!   `std::unique_ptr<std::string>` in place of `std::optional<std::string>`.
//! - Rust: `rare: Option<Box<Rare>>`; `Option<Box<T>>` for a field by itself, and `Box<T>` in a variant that is rare
//!   and large.
//! - C: a pointer to a second struct, null where it is not needed.
//! - Any: a map from the record's id to the rare value, where there are few of them. It needs no reference in the record,
//!   and costs a look-up.
//!
//! ## When not to
//! When the fields fill up later, or are read so often that another access counts.

mod forms;
#[cfg(test)]
mod tests;

use deadweight_heap::{Heap, ObjectId};
use deadweight_infer::{RareField, SparseRecords, sparse_records};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::count::Count;
use crate::{Basis, Candidate, Code, Rule, Verdict};

use forms::{Form, best};

/// A finding saves one in so many bytes…
const SHARE: u64 = 10;
/// … and at least this.
const LEAST: u64 = 4096;

/// The rule.
pub struct RareFields;

impl Rule for RareFields {
    fn code(&self) -> Code {
        Code("C06")
    }

    fn source(&self) -> &'static str {
        include_str!("c06_rare_fields.rs")
    }

    fn basis(&self) -> Basis {
        Basis::Behaviour("fields that are rarely in use do not fill up later")
    }

    fn look(&self, heap: &Heap) -> Verdict {
        let found = sparse_records(heap);
        let candidates: Vec<Option<Candidate>> =
            found.par_iter().map(|records| candidate(heap, records)).collect();
        candidates.into_iter().flatten().collect::<Vec<_>>().into()
    }
}

fn candidate(heap: &Heap, records: &SparseRecords) -> Option<Candidate> {
    let form = best(heap, records)?;
    let mut candidate =
        Candidate::at(&*records.holder).assuming("fields that are rarely in use do not fill up later");
    candidate.site.clone_from(&records.site);
    for (&row, &used) in records.rows.iter().zip(&records.used) {
        let (now, after) = (heap.bytes(row), form.charged(heap, records, used));
        candidate.bytes_now += now;
        if after < now {
            candidate.claim(row, now - after);
            candidate.count += 1;
        } else {
            candidate.unaffected += 1;
            candidate.add_to(row, after - now);
        }
    }
    let net = u64::try_from(candidate.net()).ok()?;
    if net < LEAST || net < candidate.bytes_now / SHARE {
        return None;
    }
    let all = records.rows.len() as u64;
    let any = records
        .used
        .iter()
        .filter(|&&used| used & form.fields != 0)
        .count() as u64;
    let moved: Vec<_> = form.moved(records).collect();
    let names = members(heap, records.rows[0], &moved);
    let count = moved.len().max(names.len()) as u64;
    candidate.title = format!(
        "{} of {} bytes have {} of {} bytes{} that {:.1} % of them use",
        Count(all).of("record", "records"),
        records.requested,
        Count(count).of("rare field", "rare fields"),
        moved.iter().map(|field| field.bytes).sum::<u64>(),
        if count > 1 { " together" } else { "" },
        any as f64 / all as f64 * 100.0
    );
    candidate.fix = if form.is_apart {
        "keep each rare field in a block of its own behind a reference, which is null where there is no value"
    } else {
        "keep the rare fields in a record beside, which is made when the first of them gets a value"
    }
    .into();
    let shown: Vec<Value> = moved
        .iter()
        .map(|field| {
            let mut shown = json!({"offset": field.offset, "bytes": field.bytes, "used_in": field.used});
            if let Some(name) = heap.blocks.field(records.rows[0], field.offset) {
                shown["field"] = json!(name);
            }
            shown
        })
        .collect();
    if !names.is_empty() {
        candidate.fix.push_str(": ");
        candidate.fix.push_str(&names.join(", "));
    }
    candidate.show("record_bytes", records.requested);
    candidate.show("rare_fields", shown);
    candidate.show("records_with_any", any);
    candidate.show("record_bytes_after", form.record(records));
    candidate.show(
        "form",
        if form.is_apart {
            "a block for each field"
        } else {
            "one record beside"
        },
    );
    Some(candidate)
}

/// The members that rare fields are, as the program's source names them; none where nobody said.
fn members<'h>(heap: &'h Heap, record: ObjectId, fields: &[&RareField]) -> Vec<&'h str> {
    let words = fields
        .iter()
        .flat_map(|field| (field.offset..field.offset + field.bytes).step_by(8));
    let mut names: Vec<&str> = Vec::new();
    for name in words.filter_map(|offset| heap.blocks.field(record, offset)) {
        // `note._M_payload` is of the member `note`.
        let name = name.split(['.', '[']).next().unwrap_or(name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Form {
    /// The fields that leave the record.
    fn moved<'r>(&self, records: &'r SparseRecords) -> impl Iterator<Item = &'r RareField> {
        let fields = self.fields;
        let moved = records.fields.iter().enumerate();
        moved
            .filter(move |(bit, _)| fields >> bit & 1 != 0)
            .map(|(_, field)| field)
    }
}
