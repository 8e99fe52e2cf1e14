//! Lists by page.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use crate::Refused;
use crate::budget::size;

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Page<T> {
    /// What is on it.
    pub rows: Vec<T>,
    /// What stands for the next page; nothing on the last.
    pub next: Option<String>,
}

/// The page at a cursor: at most `limit` rows, and no more than fit. One row is always on it, so that a list comes to its
/// end. `of` is what the list is of: a cursor of another list is none of this one.
pub(crate) fn page<T: Serialize>(
    rows: impl ExactSizeIterator<Item = T>,
    of: &impl Hash,
    cursor: Option<&str>,
    limit: usize,
    bytes: usize,
) -> Result<Page<T>, Refused> {
    let mark = mark(of);
    let begin = match cursor {
        None => 0,
        Some(cursor) => begin(cursor, mark)
            .filter(|&at| at < rows.len())
            .ok_or(Refused::Cursor)?,
    };
    let all = rows.len();
    let mut page = Vec::new();
    let mut left = bytes;
    for row in rows.skip(begin).take(limit.max(1)) {
        let bytes = size(&row) + 1;
        if !page.is_empty() && bytes > left {
            break;
        }
        left = left.saturating_sub(bytes);
        page.push(row);
    }
    let end = begin + page.len();
    Ok(Page {
        next: (end < all).then(|| format!("{end}-{mark:016x}")),
        rows: page,
    })
}

/// What a list is of, in 64 bits; the same in each process.
fn mark(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

fn begin(cursor: &str, mark: u64) -> Option<usize> {
    let (at, of) = cursor.split_once('-')?;
    let is_of = of.len() == 16 && u64::from_str_radix(of, 16).is_ok_and(|of| of == mark);
    is_of.then(|| at.parse().ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn walk(all: usize, limit: usize, bytes: usize) -> Vec<usize> {
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let page = page(0..all, &"list", cursor.as_deref(), limit, bytes).unwrap();
            seen.extend(page.rows);
            match page.next {
                Some(next) => cursor = Some(next),
                None => return seen,
            }
        }
    }

    #[test]
    fn each_row_is_on_one_page() {
        for limit in [0, 1, 7, 1_000] {
            for bytes in [0, 10, 10_000] {
                assert_eq!(walk(100, limit, bytes), (0..100).collect::<Vec<_>>());
            }
        }
        assert!(walk(0, 10, 10).is_empty());
    }

    #[test]
    fn a_cursor_belongs_to_its_list() {
        let first = page(0..10, &("w1", "D01"), None, 3, 100).unwrap();
        let next = first.next.unwrap();
        assert_eq!(
            page(0..10, &("w1", "D01"), Some(&next), 3, 100).unwrap().rows,
            [3, 4, 5]
        );
        for other in ["w2", "w3"] {
            assert!(page(0..10, &(other, "D01"), Some(&next), 3, 100).is_err());
        }
    }

    proptest! {
        #[test]
        fn garbage_is_no_cursor(cursor in "\\PC{0,40}") {
            prop_assert!(page(0..10, &"list", Some(&cursor), 3, 100).is_err());
        }
    }
}
