//! All rows once, on all threads: their columns, what is in them, and how many references each has.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use siphasher::sip128::SipHasher13;

use super::cursor::Cursor;
use super::names::Names;
use super::outline::Outline;
use super::payload::Payload;
use super::row::{Limits, Row, flag};
use super::skim::Stretch;
use super::sort::Sort;
use super::values::{DictRow, Function, Values};
use crate::error::Malformed;
use crate::joined::joined;
use crate::progress;

/// A flag beside those of the file: an interned string.
pub(super) const INTERNED: u8 = 64;

/// Where a text stands, and its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) row: u32,
    pub(super) bytes: u32,
    pub(super) at: u64,
    pub(super) hash: u128,
}

/// What rows say, by row or as lists in the order of rows.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) sort: Vec<Sort>,
    pub(super) flags: Vec<u8>,
    pub(super) ty: Vec<u32>,
    /// Bytes charged, [`u32::MAX`] for those in `large`.
    pub(super) bytes: Vec<u32>,
    pub(super) large: Vec<(u32, u64)>,
    /// The reference count of the object; 0 for an immortal one.
    pub(super) counted: Vec<u32>,
    /// How many references all rows have to it.
    pub(super) shown: Vec<u32>,
    pub(super) texts: Vec<Text>,
    pub(super) values: Values,
    pub(super) sums: Sums,
}

/// Sums of the blocks of all objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Bytes charged for blocks that pools are asked for.
    pub(super) in_pools: u64,
    /// Those for larger ones.
    pub(super) beyond: u64,
    /// Bytes asked for of both.
    pub(super) asked: u64,
}

impl Sums {
    /// The largest block that stands in a pool.
    const LARGEST: u64 = 512;

    fn add(&mut self, row: &Row) {
        for block in &row.blocks {
            self.asked = self.asked.saturating_add(block.asked);
            let sum = if block.asked <= Self::LARGEST {
                &mut self.in_pools
            } else {
                &mut self.beyond
            };
            *sum = sum.saturating_add(block.charged);
        }
    }

    fn join(self, other: Self) -> Self {
        Self {
            in_pools: self.in_pools.saturating_add(other.in_pools),
            beyond: self.beyond.saturating_add(other.beyond),
            asked: self.asked.saturating_add(other.asked),
        }
    }
}

pub(super) fn scan(
    bytes: &[u8],
    outline: &Outline,
    names: &Names,
    stretches: &[Stretch],
    hash: SipHasher13,
) -> Result<Scanned, Malformed> {
    let shown: Vec<AtomicU32> = (0..outline.rows).map(|_| AtomicU32::new(0)).collect();
    let scan = Scan {
        bytes,
        outline,
        names,
        managed_buffer: outline.builtin(bytes, "managedbuffer"),
        limits: Limits::of(outline),
        shown: &shown,
        hash,
    };
    let found: Vec<Result<Scanned, Malformed>> = stretches
        .par_iter()
        .map(|stretch| scan.stretch(stretch))
        .collect();
    // Of several errors the first one in the file.
    let found: Vec<Scanned> = found.into_iter().collect::<Result<_, _>>()?;
    Ok(join(found, shown))
}

fn join(mut found: Vec<Scanned>, shown: Vec<AtomicU32>) -> Scanned {
    fn all<T: Copy + Send + Sync>(
        found: &mut [Scanned],
        none: T,
        column: impl Fn(&mut Scanned) -> &mut Vec<T>,
    ) -> Vec<T> {
        let parts = found.iter_mut().map(|part| std::mem::take(column(part)));
        joined(parts.collect(), none)
    }
    let mut whole = Scanned {
        sort: all(&mut found, Sort::Other, |part| &mut part.sort),
        flags: all(&mut found, 0, |part| &mut part.flags),
        ty: all(&mut found, 0, |part| &mut part.ty),
        bytes: all(&mut found, 0, |part| &mut part.bytes),
        counted: all(&mut found, 0, |part| &mut part.counted),
        shown: shown.into_iter().map(AtomicU32::into_inner).collect(),
        ..Scanned::default()
    };
    for part in found {
        whole.large.extend(part.large);
        whole.texts.extend(part.texts);
        whole.values.extend(part.values);
        whole.sums = whole.sums.join(part.sums);
    }
    whole
}

struct Scan<'s> {
    bytes: &'s [u8],
    outline: &'s Outline,
    names: &'s Names,
    /// The type of what views of one object share.
    managed_buffer: Option<u32>,
    limits: Limits,
    shown: &'s [AtomicU32],
    hash: SipHasher13,
}

impl Scan<'_> {
    fn stretch(&self, stretch: &Stretch) -> Result<Scanned, Malformed> {
        let mut cursor = Cursor::new(&self.bytes[..stretch.at.end], stretch.at.start);
        let mut found = Scanned::default();
        let mut row = Row::default();
        let mut seen = References::new(self.shown);
        for number in stretch.rows.clone() {
            let at = cursor.at;
            row.read(&mut cursor, &self.limits)?;
            for to in row.targets() {
                seen.add(to);
            }
            if row.has(flag::HOLDS_TYPE)
                && let Some(of_type) = self.outline.types[row.ty as usize].row
            {
                seen.add(of_type);
            }
            self.row(number, at, &row, &mut found)?;
        }
        progress::add(stretch.at.len());
        Ok(found)
    }

    fn row(&self, number: u32, at: usize, row: &Row, found: &mut Scanned) -> Result<(), Malformed> {
        let charged = row.charged();
        let small = u32::try_from(charged).unwrap_or(u32::MAX);
        if small == u32::MAX {
            found.large.push((number, charged));
        }
        if row.sort != Sort::Blocks {
            found.sums.add(row);
        }
        found.sort.push(row.sort);
        found.ty.push(row.ty);
        found.bytes.push(small);
        found
            .counted
            .push(u32::try_from(row.references).unwrap_or(u32::MAX));
        let mut flags = row.flags & !INTERNED;
        if let Payload::Text { is_interned, text } = &row.payload {
            if *is_interned {
                flags |= INTERNED;
            }
            let bytes = u32::try_from(text.len())
                .map_err(|_| Malformed::new(text.start, "a text of less than 4 GiB", "a longer one"))?;
            found.texts.push(Text {
                row: number,
                bytes,
                at: text.start as u64,
                hash: self.hash.hash(&self.bytes[text.clone()]).as_u128(),
            });
        }
        found.flags.push(flags);
        let attribute = |name: Option<u32>| {
            let of_name = row.attributes.iter().find(|&&(own, _)| Some(own) == name);
            of_name.map(|&(_, to)| to)
        };
        if let Some(dict) = attribute(self.names.dict) {
            found.values.own_dicts.push((number, dict));
        }
        match row.sort {
            Sort::Dict | Sort::OrderedDict => {
                found.values.dicts.extend(DictRow::of(number, at as u64, row));
            }
            Sort::Function => found.values.functions.push(Function {
                row: number,
                code: attribute(self.names.code),
                globals: attribute(self.names.globals),
                qualified: attribute(self.names.qualified),
                has_closure: attribute(self.names.closure).is_some(),
                has_data: attribute(self.names.defaults).is_some()
                    || attribute(self.names.keyword_defaults).is_some(),
            }),
            Sort::View => {
                let others = row.others.iter().map(|&to| (number, to));
                found.values.views.extend(others);
            }
            Sort::Ndarray => {
                let base = attribute(self.names.base).map(|to| (number, to));
                found.values.views.extend(base);
            }
            Sort::Other if self.managed_buffer == Some(row.ty) => {
                let viewed = attribute(self.names.object).map(|to| (number, to));
                found.values.managed.extend(viewed);
            }
            _ => {}
        }
        found.values.note(self.bytes, self.names, number, row);
        Ok(())
    }
}

/// Counts references. Many that stand side by side lead to one object: one addition for each run of them.
struct References<'s> {
    shown: &'s [AtomicU32],
    to: u32,
    count: u32,
}

impl<'s> References<'s> {
    const fn new(shown: &'s [AtomicU32]) -> Self {
        Self {
            shown,
            to: 0,
            count: 0,
        }
    }

    fn add(&mut self, to: u32) {
        if to != self.to {
            self.write();
            self.to = to;
        }
        self.count = self.count.saturating_add(1);
    }

    fn write(&mut self) {
        let count = std::mem::take(&mut self.count);
        if count > 0
            && let Some(shown) = self.shown.get(self.to as usize)
        {
            shown.fetch_add(count, Ordering::Relaxed);
        }
    }
}

impl Drop for References<'_> {
    fn drop(&mut self) {
        self.write();
    }
}
