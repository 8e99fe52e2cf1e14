//! Whether words beside the address of a text are its length and its capacity, and no numbers of the record's own.

use deadweight_heap::{Heap, ObjectId, TextLength};
use rustc_hash::FxHashMap;

use super::{Member, word};
use crate::place::Place;

/// What the members at one place of blocks of one size show.
#[derive(Default)]
pub(super) struct Evidence {
    /// How many texts of which place they hold.
    pub places: FxHashMap<Place, u64>,
    /// Texts of which others take the place.
    copies: u64,
    /// Other texts that they hold.
    others: u64,
    /// Texts that end where the length says.
    ends: u64,
    /// Those with a capacity that is larger than the length.
    roomy: u64,
    /// Those with a capacity before the address.
    before: u64,
}

/// What debug information says of the words of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfMember {
    /// All are of one field.
    One,
    /// They are several fields.
    Several,
    /// Nothing.
    Unknown,
}

impl OfMember {
    pub fn of(heap: &Heap, row: ObjectId, member: Member) -> Self {
        let words = member.first..member.first + member.words;
        let names = words.map(|word| heap.blocks.field(row, word as u64 * 8));
        let names: Option<Vec<&str>> = names.collect();
        match names {
            None => Self::Unknown,
            Some(names) if names.iter().all(|name| *name == names[0]) => Self::One,
            Some(_) => Self::Several,
        }
    }
}

impl Evidence {
    /// Adds a text that a member holds by the address in the word `at`.
    pub fn see(
        &mut self,
        heap: &Heap,
        place: Place,
        text: ObjectId,
        (at, length): (usize, TextLength),
        words: &[[u8; 8]],
        is_copy: bool,
    ) {
        *self.places.entry(place).or_default() += 1;
        self.copies += u64::from(is_copy);
        self.ends += u64::from(ends_at(heap, text, length.bytes));
        self.roomy += u64::from(word(words, length.capacity_at) > length.bytes);
        self.before += u64::from(length.capacity_at < at);
    }

    pub fn append(&mut self, later: Self) {
        for (place, count) in later.places {
            *self.places.entry(place).or_default() += count;
        }
        self.copies += later.copies;
        self.others += later.others;
        self.ends += later.ends;
        self.roomy += later.roomy;
        self.before += later.before;
    }

    /// Notes a text that no fix is about.
    pub fn see_other(&mut self) {
        self.others += 1;
    }

    /// Whether most of what they hold are copies: nobody changes the type of a member for few of its values.
    pub fn is_repeated<'e>(all: impl IntoIterator<Item = &'e Self>) -> bool {
        let (mut copies, mut texts) = (0, 0);
        for evidence in all {
            copies += evidence.copies;
            texts += evidence.texts() + evidence.others;
        }
        copies * 2 >= texts
    }

    /// Those of them that are no copies.
    pub fn kept(&self) -> u64 {
        self.texts() - self.copies
    }

    /// Texts that they hold.
    pub fn texts(&self) -> u64 {
        self.places.values().sum()
    }

    /// Whether all words are the text's. Its length is: most texts show where they end, as few have something left
    /// behind them. So is the number that fits the block, where it is ever larger than the length, where it stands
    /// before the address, which nobody does by chance, or where short texts stand in place of such numbers.
    pub fn is_known(&self, of: OfMember, has_in_place: bool) -> bool {
        let is_length = self.ends * 2 >= self.texts();
        let is_capacity = match of {
            OfMember::One => true,
            // Where a text ends and how much of it was read or sent are equal in the end.
            OfMember::Several => self.roomy > 0,
            OfMember::Unknown => self.roomy > 0 || self.before > 0 || has_in_place,
        };
        is_length && is_capacity
    }
}

/// Whether so many bytes of a block are text up to its end, or to a zero.
fn ends_at(heap: &Heap, row: ObjectId, bytes: u64) -> bool {
    let content = heap.blocks.content(row).unwrap_or_default();
    let Some((text, rest)) = usize::try_from(bytes)
        .ok()
        .and_then(|bytes| content.split_at_checked(bytes))
    else {
        return false;
    };
    !text.is_empty() && !text.contains(&0) && rest.first().is_none_or(|&byte| byte == 0)
}
