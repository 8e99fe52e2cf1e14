//! Where the items of an array stand.

use super::cursor::Cursor;
use crate::error::Malformed;

/// Bytes of a reference.
const WORD: i64 = 8;

/// Where the items of an array of one or two dimensions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Bytes from the first byte of the array that owns them.
    offset: i64,
    /// Lines, and bytes from one to the next. An array of one dimension is one line.
    lines: (u64, i64),
    /// Items of a line, and bytes from one to the next.
    items: (u64, i64),
}

/// Slots of the owner at even distances: the first, the distance and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) first: u32,
    pub(super) step: u32,
    pub(super) slots: u32,
}

impl Extent {
    /// Reads it; `None` for one of no or more than two dimensions.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<Self>, Malformed> {
        let rank = cursor.varint()?;
        let mut dimensions = [(1, 0); 2];
        for _ in 0..rank {
            dimensions = [dimensions[1], (cursor.varint()?, signed(cursor.varint()?))];
        }
        let offset = signed(cursor.varint()?);
        Ok((1..=2).contains(&rank).then_some(Self {
            offset,
            lines: dimensions[0],
            items: dimensions[1],
        }))
    }

    pub(super) const fn lines(self) -> u64 {
        self.lines.0
    }

    /// The slots of one line in the array that owns them, where all of them are among its slots.
    pub(super) fn line(self, line: u64, slots: u32) -> Option<Stretch> {
        let (count, stride) = self.items;
        let line = i64::try_from(line).ok()?.checked_mul(self.lines.1)?;
        let last = i64::try_from(count.checked_sub(1)?).ok()?.checked_mul(stride)?;
        let begins = self.offset.checked_add(line)?;
        // A line that is read from its end has the same slots.
        let first = begins.min(begins.checked_add(last)?);
        let step = if count == 1 { WORD } else { stride.checked_abs()? };
        let end = first.checked_add(last.checked_abs()?)?;
        let is_inside = first >= 0 && end / WORD < i64::from(slots) && step > 0;
        (is_inside && first % WORD == 0 && step % WORD == 0).then_some(Stretch {
            first: (first / WORD) as u32,
            step: (step / WORD) as u32,
            slots: count as u32,
        })
    }
}

/// The number that was written so that those near zero are small.
const fn signed(written: u64) -> i64 {
    (written >> 1).cast_signed() ^ -((written & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(offset: i64, lines: (u64, i64), items: (u64, i64)) -> Extent {
        Extent { offset, lines, items }
    }

    fn stretch(first: u32, step: u32, slots: u32) -> Stretch {
        Stretch { first, step, slots }
    }

    #[test]
    fn numbers_below_zero_come_back() {
        assert_eq!([0, 1, 2, 3, 16].map(signed), [0, -1, 1, -2, 8]);
        assert_eq!(signed(u64::MAX), i64::MIN);
    }

    #[test]
    fn lines_lie_behind_one_another_or_between_one_another() {
        let behind = extent(0, (3, 800), (100, 8));
        assert_eq!(behind.line(1, 300), Some(stretch(100, 1, 100)));
        let between = extent(0, (2, 8), (100, 16));
        assert_eq!(between.line(1, 200), Some(stretch(1, 2, 100)));
        let rest = extent(800, (2, 800), (100, 8));
        assert_eq!(rest.line(1, 300), Some(stretch(200, 1, 100)));
        let backwards = extent(792, (1, 0), (100, -8));
        assert_eq!(backwards.line(0, 100), Some(stretch(0, 1, 100)));
    }

    #[test]
    fn slots_that_the_owner_does_not_have_are_refused() {
        assert_eq!(extent(0, (2, 800), (100, 8)).line(1, 199), None);
        assert_eq!(extent(-8, (1, 0), (2, 8)).line(0, 100), None);
        assert_eq!(extent(0, (1, 0), (0, 8)).line(0, 100), None);
        assert_eq!(
            extent(0, (1, 0), (100, 0)).line(0, 100),
            None,
            "one slot many times"
        );
        assert_eq!(extent(4, (1, 0), (2, 8)).line(0, 100), None);
        assert_eq!(
            extent(i64::MAX, (u64::MAX, i64::MIN), (u64::MAX, i64::MIN)).line(3, 9),
            None
        );
    }
}
