//! What the recorder wrote of names and values: instance variables, members, constants, globals, entries of hashes that
//! are used as records, and strings whose characters the dump does not have.

use deadweight_heap::Numeric;
use deadweight_sidecar::RubyContents;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::row::Bits;
use super::rows::Piece;
use super::tag::Tag;

/// Stands for the table of global variables in the place of an owner.
pub(super) const GLOBALS: u64 = 1;

/// A value that stands in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Immediate {
    Number(Numeric),
    Nil,
    True,
    False,
    Symbol,
}

/// A word as Ruby keeps it: an address, or a value of its own.
pub(super) fn immediate(word: u64, pooled: bool) -> Option<Immediate> {
    let nil = if pooled { 4 } else { 8 };
    match word {
        0 => Some(Immediate::False),
        0x14 => Some(Immediate::True),
        _ if word == nil => Some(Immediate::Nil),
        _ if word & 1 == 1 => Some(Immediate::Number(Numeric::Integer(word.cast_signed() >> 1))),
        _ if word & 3 == 2 => Some(Immediate::Number(Numeric::of_float(flonum(word)))),
        _ if word & 0xFF == 0x0C => Some(Immediate::Symbol),
        _ => None,
    }
}

/// A double whose exponent is near zero, turned by three bits.
fn flonum(word: u64) -> f64 {
    if word == 0x8000_0000_0000_0002 {
        return 0.0;
    }
    let b63 = word >> 63;
    let bits = (2 - b63) | (word & !3);
    f64::from_bits(bits.rotate_right(3))
}

/// The records of the recorder by the row of their owner.
#[derive(Debug, Default)]
pub(super) struct Named<'a> {
    facts: Option<&'a RubyContents>,
    /// Where the record of each row begins, [`u32::MAX`] for none; empty without any.
    at: Vec<u32>,
}

/// One owner's names and values.
pub(super) struct Record<'a> {
    pub(super) group: u32,
    pub(super) values: &'a [u64],
}

impl<'a> Named<'a> {
    pub(super) fn new(
        all: &Piece,
        addresses: &Addresses,
        globals: Option<u32>,
        facts: Option<&'a RubyContents>,
    ) -> Self {
        let Some(facts) = facts else {
            return Self::default();
        };
        let mut at = vec![u32::MAX; all.len()];
        let mut next = 0;
        while let Some([owner, group]) = facts.fields.get(next..next + 2) {
            let Some(names) = facts.groups.get(*group as usize) else {
                break;
            };
            let end = next + 2 + names.len();
            if end > facts.fields.len() {
                break;
            }
            let row = if *owner == GLOBALS {
                globals
            } else {
                addresses.row(*owner)
            };
            if let Some(slot) = row.and_then(|row| at.get_mut(row as usize)) {
                *slot = next as u32;
            }
            next = end;
        }
        Self {
            facts: Some(facts),
            at,
        }
    }

    /// The record of a row that is a hash used as one: it still has as many entries as the recorder saw.
    pub(super) fn of_hash(&self, all: &Piece, row: usize) -> Option<Record<'a>> {
        let record = self.of(row)?;
        let whole = all.tag[row] == Tag::Hash && all.count[row] as usize == record.values.len();
        whole.then_some(record)
    }

    /// Keys and values of a hash in turn, where the recorder noted them as some are not in the dump.
    pub(super) fn of_slots(&self, all: &Piece, row: usize) -> Option<&'a [u64]> {
        let record = self.of(row)?;
        let entries = all.count[row] as usize;
        (entries.checked_mul(2) == Some(record.values.len())).then_some(record.values)
    }

    /// The record of a row.
    pub(super) fn of(&self, row: usize) -> Option<Record<'a>> {
        let at = *self.at.get(row)? as usize;
        let facts = self.facts?;
        let group = *facts.fields.get(at + 1)? as u32;
        let names = facts.groups.get(group as usize)?;
        let values = facts.fields.get(at + 2..at + 2 + names.len())?;
        Some(Record { group, values })
    }

    pub(super) fn any(&self) -> bool {
        !self.at.is_empty()
    }
}

/// A string as the recorder saw it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) bytes: u64,
    pub(super) hash: u64,
}

/// The strings the recorder looked at.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// Those whose text the dump does not have, by row.
    pub(super) hidden: FxHashMap<u32, Seen>,
    /// For the hash of each of these that equals a text of the dump: a row that has the text.
    pub(super) shown: FxHashMap<u64, u32>,
}

impl Strings {
    pub(super) fn new(all: &Piece, addresses: &Addresses, facts: Option<&RubyContents>) -> Self {
        let words = facts.map_or(&[][..], |facts| &facts.strings);
        let strings = || {
            let rows = words.chunks_exact(3).filter_map(|words| {
                let [address, bytes, hash] = [words[0], words[1], words[2]];
                Some((addresses.row(address)?, Seen { bytes, hash }))
            });
            rows.filter(|&(row, _)| all.tag[row as usize] == Tag::String)
        };
        let has_text = |row: u32| all.bits[row as usize].has(Bits::TEXT);
        let hidden: FxHashMap<u32, Seen> = strings().filter(|&(row, _)| !has_text(row)).collect();
        // Of all that have a text only those are kept that others equal: most strings of a program may be noted.
        let wanted: FxHashSet<u64> = hidden.values().map(|seen| seen.hash).collect();
        let shown = strings().filter(|(row, seen)| has_text(*row) && wanted.contains(&seen.hash));
        let shown = shown.map(|(row, seen)| (seen.hash, row)).collect();
        Self { hidden, shown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_values_or_addresses() {
        let number = |value: f64| Some(Immediate::Number(Numeric::of_float(value)));
        assert_eq!(immediate(1, true), number(0.0));
        assert_eq!(immediate(85, true), number(42.0));
        assert_eq!(immediate(u64::MAX, true), number(-1.0));
        // Two that one float would stand for.
        let largest = Numeric::Integer((1 << 62) - 1);
        assert_eq!(immediate(u64::MAX >> 1, true), Some(Immediate::Number(largest)));
        assert_ne!(
            immediate((u64::MAX >> 1) - 2, true),
            immediate(u64::MAX >> 1, true)
        );
        assert_eq!(immediate(0x8000_0000_0000_0002, false), number(0.0));
        // As `Fiddle.dlwrap` shows them.
        assert_eq!(immediate(0xffc0_0000_0000_0002, false), number(1.5));
        assert_eq!(immediate(0x0010_0000_0000_0006, true), number(-2.25));
        assert_eq!(immediate(0x02f6_e978_d4fd_f3ba, true), number(123.456));
        assert_eq!(immediate(8, false), Some(Immediate::Nil));
        assert_eq!(immediate(4, true), Some(Immediate::Nil));
        assert_eq!(immediate(0x14, true), Some(Immediate::True));
        assert_eq!(immediate(0x2f0c, true), Some(Immediate::Symbol));
        assert_eq!(immediate(0x7f00_0000_1000, true), None);
    }
}
