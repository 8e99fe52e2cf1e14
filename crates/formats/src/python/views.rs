//! Bytes and the views on them. Where views look on an object's bytes, these get a row of their own, as all of them share
//! what is charged for it.

use deadweight_heap::{Buffer, NONE, RowSet};
use rustc_hash::{FxHashMap, FxHashSet};

use super::scan::Scanned;
use super::sort::Sort;
use super::values::Bytes;

/// Views on views on views: more than any program has.
const DEEPEST: usize = 8;

/// Blocks with bytes on which views look.
#[derive(Debug, Default)]
pub(super) struct Backings {
    /// By the row of the object that owns the bytes, the row of these.
    rows: FxHashMap<u32, u32>,
    /// The objects, in the order of the rows that are added for their bytes.
    pub(super) owners: Vec<u32>,
    /// By view the object on whose bytes it looks.
    behind: FxHashMap<u32, u32>,
    /// What alone stands between views and that object, and these views.
    between: FxHashSet<u32>,
    direct: FxHashSet<u32>,
}

impl Backings {
    /// Finds them; the rows that are added begin at `first`.
    pub(super) fn new(scanned: &Scanned, first: u32) -> Self {
        let owns = RowSet::none(scanned.sort.len());
        let owners = scanned.values.buffers.iter().filter(|buffer| buffer.is_own);
        owns.extend(owners.map(|buffer| buffer.row));
        let managed: FxHashMap<u32, u32> = scanned.values.managed.iter().copied().collect();
        let mut next = managed.clone();
        for &(view, on) in &scanned.values.views {
            // Of what a view refers to, that counts by which it looks on bytes.
            let leads_there = managed.contains_key(&on) || owns.has(on) || is_array(scanned, on);
            if leads_there {
                next.entry(view).or_insert(on);
            }
        }
        let mut backings = Self::default();
        for &(view, _) in &scanned.values.views {
            let Some(owner) = end(view, &next, &owns).filter(|_| !owns.has(view)) else {
                continue;
            };
            if backings.behind.insert(view, owner).is_some() {
                continue;
            }
            let between = next.get(&view).filter(|on| managed.get(on) == Some(&owner));
            backings.between.extend(between);
            backings.direct.extend(between.map(|_| view));
            let added = first + backings.owners.len() as u32;
            backings.rows.entry(owner).or_insert_with(|| {
                backings.owners.push(owner);
                added
            });
        }
        backings
    }

    /// What a row leads to beside what it refers to: an object to its bytes, a view to what it looks on.
    pub(super) fn beside(&self, row: u32, sort: Sort) -> Option<u32> {
        match sort {
            Sort::Bytes | Sort::Numbers | Sort::Ndarray => self.of(row),
            Sort::View if self.direct.contains(&row) => self.behind(row),
            _ => None,
        }
    }

    /// The object on whose bytes a view looks.
    fn behind(&self, view: u32) -> Option<u32> {
        self.behind.get(&view).copied()
    }

    /// Whether a row stands between views and the object on which they look.
    pub(super) fn is_between(&self, row: u32) -> bool {
        self.between.contains(&row)
    }

    /// The row of the bytes of an object on which views look.
    fn of(&self, owner: u32) -> Option<u32> {
        self.rows.get(&owner).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    /// What is known of each buffer and view.
    pub(super) fn buffers(&self, all: &[Bytes]) -> Vec<Buffer> {
        let buffer = |bytes: &Bytes| {
            let owner = if bytes.is_own {
                Some(bytes.row)
            } else {
                self.behind(bytes.row)
            };
            let seen = bytes.contents.seen.filter(|_| bytes.is_own);
            Buffer {
                object: bytes.row,
                backing: owner.and_then(|owner| self.of(owner)).unwrap_or(NONE),
                bytes: bytes.contents.bytes,
                zeros: seen.map_or(u64::MAX, |seen| seen.zeros.min(bytes.contents.bytes)),
                words_used: seen.map_or(u64::MAX, |seen| {
                    seen.words_used.min(bytes.contents.bytes.div_ceil(8))
                }),
                // 0 stands for none.
                hash: seen.map_or(0, |seen| seen.hash.max(1)),
                is_backing: bytes.is_own,
                elements: bytes.elements,
                gives_way: bytes.is_memoryview,
            }
        };
        all.iter().map(buffer).collect()
    }
}

fn is_array(scanned: &Scanned, row: u32) -> bool {
    matches!(scanned.sort[row as usize], Sort::Ndarray | Sort::View)
}

/// The object with bytes of its own to which a view leads.
fn end(view: u32, next: &FxHashMap<u32, u32>, owns: &RowSet) -> Option<u32> {
    let mut at = *next.get(&view)?;
    for _ in 0..DEEPEST {
        if owns.has(at) {
            return Some(at);
        }
        at = *next.get(&at)?;
    }
    None
}
