//! Columns of `pandas` whose values are codes into a list of categories.

use deadweight_allocators::Glibc;
use deadweight_heap::Allocator;

use super::{COLLECTED, OBJECT, PythonLayout, SIZED, WORD};

/// Which `pandas` a program uses, as far as its objects differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pandas {
    /// 1.3 to 1.5.
    First,
    /// 2.0 to 2.3, whose indexes and blocks note who shares their values.
    Second,
    /// 3.0 and later, which have a type of their own for texts.
    Third,
}

/// Fewer categories than this have codes of one byte, of two bytes, of four bytes (`coerce_indexer_dtype`).
const CODES: [(u64, u64); 3] = [(0x7F, 1), (0x7FFF, 2), (0x7FFF_FFFF, 4)];

/// Names for which instances of these classes have room, since 3.11.
const NAMES_OF_TYPE: u64 = 17;
const NAMES_OF_INDEX: u64 = 5;

/// Bytes of a code, by the number of categories.
const fn code(categories: u64) -> u64 {
    let mut at = 0;
    while at < CODES.len() {
        if categories < CODES[at].0 {
            return CODES[at].1;
        }
        at += 1;
    }
    8
}

/// What `numpy` is charged for the items of an array: it asks the C library.
fn items(bytes: u64) -> u64 {
    Glibc::default().charged(bytes)
}

/// What the C library is charged for a table of `khash` with `values` values. Each place has a key, a number and two bits. The
/// places double as soon as 77 in 100 are taken.
fn table(values: u64) -> u64 {
    /// The fewest places.
    const FEWEST: u64 = 4;
    let mut places = FEWEST;
    while (places * 77 + 50) / 100 < values && places < 1 << 56 {
        places *= 2;
    }
    2 * items(WORD * places) + items((places / 32).max(1) * 4)
}

impl<A: Allocator> PythonLayout<A> {
    /// A column of categories: codes, the list of categories, and what `pandas` finds out of that list while it makes the
    /// column.
    pub(super) fn categorical(&self, pandas: Pandas, rows: u64, categories: u64, are_texts: bool) -> u64 {
        let codes = self.ndarray(items(rows.saturating_mul(code(categories))));
        let list = self.ndarray(items(categories.saturating_mul(WORD)));
        // Which of them are missing: an array, and a view on it.
        let missing = self.ndarray(items(categories)) + self.ndarray(0);
        // Two references and what finds the methods of a class of C, a dictionary and weak references.
        let column = self.charge(&[COLLECTED + OBJECT + 5 * WORD]);
        let ty = self.instance(0, if self.minor >= 11 { NAMES_OF_TYPE } else { 2 });
        let index = self.instance(0, NAMES_OF_INDEX) + self.dict(6, true) + self.charge(&[OBJECT]);
        let beside = self.sharers(pandas) + self.finder(pandas, categories, are_texts);
        codes + list + missing + column + ty + index + beside
    }

    /// A list of weak references to those who share the categories.
    fn sharers(&self, pandas: Pandas) -> u64 {
        if pandas == Pandas::First {
            return 0;
        }
        let weak = self.charge(&[COLLECTED + OBJECT + 5 * WORD]);
        let more = if pandas == Pandas::Third { WORD } else { 0 };
        self.charge(&[COLLECTED + SIZED + WORD + more]) + self.list(4) + weak
    }

    /// What finds the number of a category. That of texts of the third one gets its table when a category is looked for first.
    fn finder(&self, pandas: Pandas, categories: u64, are_texts: bool) -> u64 {
        if pandas == Pandas::Third && are_texts {
            // And what the type of the texts keeps. The column had an object of that type, as the list of categories has.
            return self.charge(&[104]) + self.dict(1, true);
        }
        self.charge(&[96, OBJECT + 2 * WORD]) + table(categories)
    }

    /// An `ndarray` of one dimension and its items.
    fn ndarray(&self, items: u64) -> u64 {
        self.charge(&[OBJECT + 10 * WORD]) + Glibc::default().charged(2 * WORD) + items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_wide_as_categories_need() {
        let wide = [126, 127, 32_766, 32_767, (1 << 31) - 2, (1 << 31) - 1].map(code);
        assert_eq!(wide, [1, 2, 2, 4, 4, 8]);
    }

    #[test]
    fn a_table_has_more_places_than_values() {
        // As `sizeof` says it, without the object and rounded.
        let bytes = [4, 10, 30, 90, 125, 400, 1000, 5000].map(table);
        let charged = |places: u64| 2 * items(8 * places) + items((places / 8).max(4));
        assert_eq!(bytes, [8, 16, 64, 128, 256, 1024, 2048, 8192].map(charged));
    }

    /// Beside codes, references, flags and the table of the categories, as the objects of a column were counted in real
    /// programs.
    #[test]
    fn objects_around_a_column_take_what_was_measured() {
        let around = |minor, pandas, are_texts| {
            let layout = PythonLayout::of(minor);
            let price = layout.categorical(pandas, 100_000, 100, are_texts);
            price - items(100_000) - items(800) - items(100)
        };
        assert_eq!(around(9, Pandas::First, true) - table(100), 1424);
        assert_eq!(around(9, Pandas::Second, true) - table(100), 1648);
        assert_eq!(around(12, Pandas::Third, true), 1760);
        assert_eq!(around(13, Pandas::Third, true), 1760);
    }
}
