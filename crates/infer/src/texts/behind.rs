//! Texts behind a header that says how long they are.

use std::cmp::Reverse;

use deadweight_heap::{Heap, ObjectId, TextHeader};
use rustc_hash::{FxHashMap, FxHashSet};
use siphasher::sip128::SipHasher13;

use super::BlockText;
use super::form::LARGEST;
use super::sorted::{FEWEST, SHARE, SIZES};

/// A number may be the length of a shorter text by chance.
const SHORTEST: u64 = 4;

/// Fewer zeros and other bytes behind a text are what rounds its size up.
const ROUNDED: usize = 8;

/// A first number counts references where at least half of them are equal and this many texts have few different ones.
const COUNTS: (u64, usize) = (2, 16);

/// Blocks of one place by the headers that they may have.
#[derive(Default)]
pub(super) struct Behind(FxHashMap<TextHeader, Vec<ObjectId>>);

impl Behind {
    /// Adds a block that is no text from its first byte on.
    pub fn add(&mut self, heap: &Heap, row: ObjectId, requested: u64) {
        if requested > LARGEST {
            return;
        }
        let Some(content) = heap.blocks.content(row) else {
            return;
        };
        for (header, text) in TextHeader::all(&content) {
            // Behind a name in an object others of its fields stand.
            let rest = &content[text.end..];
            if rest.len() < ROUNDED || rest.iter().all(|&byte| byte == 0) {
                self.0.entry(header).or_default().push(row);
            }
        }
    }

    pub fn append(&mut self, later: Self) {
        for (header, mut rows) in later.0 {
            self.0.entry(header).or_default().append(&mut rows);
        }
    }

    /// The texts, where `all` is how many blocks the place has. One number of the header must be the length of texts of several lengths.
    pub fn texts(self, heap: &Heap, all: u64, hasher: &SipHasher13) -> Vec<BlockText> {
        let mut shapes: Vec<(TextHeader, Vec<ObjectId>)> = self.0.into_iter().collect();
        shapes.sort_unstable_by_key(|(header, rows)| (Reverse(rows.len()), *header));
        let mut taken: FxHashSet<ObjectId> = FxHashSet::default();
        let mut found = Vec::new();
        for (header, mut rows) in shapes {
            rows.retain(|row| !taken.contains(row));
            let texts = of_shape(heap, header, &rows, all, hasher);
            taken.extend(texts.iter().map(|text| text.row));
            found.extend(texts);
        }
        found
    }
}

fn of_shape(
    heap: &Heap,
    header: TextHeader,
    rows: &[ObjectId],
    all: u64,
    hasher: &SipHasher13,
) -> Vec<BlockText> {
    let unit = u64::from(header.unit);
    let is_count = counts_references(heap, header, rows);
    let mut texts: Vec<BlockText> = rows
        .iter()
        .filter_map(|&row| one(heap, header, is_count, row, hasher))
        .collect();
    let are_all = texts.len() as u64 * SHARE.1 >= all * SHARE.0;
    let is_long = |text: &BlockText| text.bytes >= SHORTEST * unit;
    let long = texts.iter().filter(|text| is_long(text));
    let lengths: FxHashSet<u64> = long.clone().map(|text| text.bytes).collect();
    if (long.count() as u64) < FEWEST || lengths.len() < SIZES {
        return Vec::new();
    }
    texts.retain(|text| are_all || is_long(text));
    texts
}

/// A text is equal to one of the same shape whose header is equal, too, but for the count of references.
fn one(
    heap: &Heap,
    header: TextHeader,
    is_count: bool,
    row: ObjectId,
    hasher: &SipHasher13,
) -> Option<BlockText> {
    let mut content = heap.blocks.content(row)?.into_owned();
    let text = header.text(&content)?;
    content.truncate(text.end);
    // The text itself has its length; the flags below it are no part of what it says.
    let length = usize::from(header.length_at);
    content[length..length + 4].fill(0);
    if is_count {
        content[..4].fill(0);
    }
    content.extend([header.bytes, header.length_at, header.flags, header.unit]);
    Some(BlockText {
        row,
        text: hasher.hash(&content).into(),
        bytes: text.len() as u64,
        header: Some(header),
    })
}

/// Whether the first number of headers counts the references to each text: a small one, and mostly the same.
fn counts_references(heap: &Heap, header: TextHeader, rows: &[ObjectId]) -> bool {
    if header.length_at == 0 {
        return false;
    }
    let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
    for &row in rows {
        let content = heap.blocks.content(row);
        let first = content.as_deref().and_then(|content| content.first_chunk());
        *counts
            .entry(first.map_or(0, |first| u32::from_le_bytes(*first)))
            .or_default() += 1;
    }
    let commonest = counts
        .iter()
        .max_by_key(|&(&value, &count)| (count, Reverse(value)));
    commonest.is_some_and(|(&value, &count)| {
        value > 0 && count * COUNTS.0 >= rows.len() as u64 && counts.len() * COUNTS.1 <= rows.len() + COUNTS.1
    })
}
