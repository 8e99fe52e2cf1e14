//! All rows once, on all threads: their columns, what is in them, and how many references each has.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use siphasher::sip128::SipHasher13;

use super::cursor::Cursor;
use super::names::Names;
use super::outline::Outline;
use super::payload::Payload;
use super::row::{Limits, Row, flag};
use super::skim::{PIECE, Skim, Stretch};
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

impl Text {
    /// Where its bytes stand.
    pub(super) fn span(&self) -> Range<usize> {
        self.at as usize..self.at as usize + self.bytes as usize
    }
}

/// A row that may refer to others, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Referring {
    pub(super) row: u32,
    pub(super) at: usize,
}

/// Rows that stand side by side, and those of them that may refer to others: of many dumps a quarter.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) stretch: Stretch,
    pub(super) referring: Vec<Referring>,
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
    /// Rows with the stack that asked for them.
    pub(super) made: Vec<(u32, u32)>,
    pub(super) sums: Sums,
}

/// The columns of rows that stand side by side.
struct Columns<'c> {
    sort: &'c mut [Sort],
    flags: &'c mut [u8],
    ty: &'c mut [u32],
    bytes: &'c mut [u32],
    counted: &'c mut [u32],
}

impl Scanned {
    fn with_rows(rows: usize) -> Self {
        Self {
            sort: vec![Sort::Other; rows],
            flags: vec![0; rows],
            ty: vec![0; rows],
            bytes: vec![0; rows],
            counted: vec![0; rows],
            ..Self::default()
        }
    }

    /// The columns of one stretch after the other.
    fn columns(&mut self) -> impl Iterator<Item = Columns<'_>> + Send {
        let piece = PIECE as usize;
        let sorts = self.sort.chunks_mut(piece).zip(self.flags.chunks_mut(piece));
        let bytes = self.bytes.chunks_mut(piece).zip(self.counted.chunks_mut(piece));
        let all = sorts.zip(self.ty.chunks_mut(piece)).zip(bytes);
        all.map(|(((sort, flags), ty), (bytes, counted))| Columns {
            sort,
            flags,
            ty,
            bytes,
            counted,
        })
    }
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

/// Bytes of a row with nothing in it: its sort, flags, type, references, and how many blocks, attributes, elements, entries
/// and others it has.
const SMALLEST: usize = 9;

/// Reads all rows.
pub(super) fn scan(
    bytes: &[u8],
    outline: &Outline,
    names: &Names,
    hash: SipHasher13,
) -> Result<(Scanned, Vec<Piece>), Malformed> {
    if outline.rows == 0 {
        let at = outline.rows_at().start;
        return Err(Malformed::new(at, "objects of a heap", "none"));
    }
    if outline.rows_at().len() / SMALLEST < outline.rows as usize {
        // Memory is taken for rows that can be there. Passing over them finds where the file lacks one.
        Skim::new(bytes, outline).try_for_each(|stretch| stretch.map(drop))?;
    }
    let counters = (0..outline.rows).into_par_iter().map(|_| AtomicU32::new(0));
    let shown: Vec<AtomicU32> = counters.collect();
    let mut whole = Scanned::with_rows(outline.rows as usize);
    let scan = Scan {
        bytes,
        outline,
        names,
        managed_buffer: outline.builtin(bytes, "managedbuffer"),
        limits: Limits::of(outline),
        shown: &shown,
        hash,
    };
    // What one thread passes over is at hand when it reads it.
    let stretches = Skim::new(bytes, outline).zip(whole.columns()).par_bridge();
    let found: Vec<Result<_, Malformed>> = stretches
        .map(|(stretch, columns)| stretch.map(|stretch| (stretch.rows.start, scan.stretch(stretch, columns))))
        .collect();
    let mut found: Vec<_> = found.into_iter().collect::<Result<_, _>>()?;
    found.sort_unstable_by_key(|&(first, _)| first);
    // Of several errors the first one in the file.
    let found: Result<Vec<_>, _> = found.into_iter().map(|(_, found)| found).collect();
    let (pieces, found): (Vec<Piece>, Vec<Found>) = found?.into_iter().unzip();
    whole.shown = shown.into_iter().map(AtomicU32::into_inner).collect();
    whole.join(found);
    Ok((whole, pieces))
}

/// What is not said of every row, of one stretch.
#[derive(Debug, Default)]
struct Found {
    large: Vec<(u32, u64)>,
    texts: Vec<Text>,
    values: Values,
    made: Vec<(u32, u32)>,
    sums: Sums,
}

impl Scanned {
    fn join(&mut self, mut found: Vec<Found>) {
        fn all<T: Copy + Send + Sync>(
            found: &mut [Found],
            list: impl Fn(&mut Found) -> &mut Vec<T>,
        ) -> Vec<T> {
            let parts: Vec<Vec<T>> = found.iter_mut().map(|part| std::mem::take(list(part))).collect();
            let first = parts.iter().flatten().next().copied();
            first.map_or_else(Vec::new, |first| joined(parts, first))
        }
        self.large = all(&mut found, |part| &mut part.large);
        self.texts = all(&mut found, |part| &mut part.texts);
        self.made = all(&mut found, |part| &mut part.made);
        self.values = Values {
            own_dicts: all(&mut found, |part| &mut part.values.own_dicts),
            dicts: all(&mut found, |part| &mut part.values.dicts),
            instances: all(&mut found, |part| &mut part.values.instances),
            arrays: all(&mut found, |part| &mut part.values.arrays),
            limited: all(&mut found, |part| &mut part.values.limited),
            sets: all(&mut found, |part| &mut part.values.sets),
            numbers: all(&mut found, |part| &mut part.values.numbers),
            dates: all(&mut found, |part| &mut part.values.dates),
            buffers: all(&mut found, |part| &mut part.values.buffers),
            references: all(&mut found, |part| &mut part.values.references),
            places: all(&mut found, |part| &mut part.values.places),
            views: all(&mut found, |part| &mut part.values.views),
            managed: all(&mut found, |part| &mut part.values.managed),
            types: all(&mut found, |part| &mut part.values.types),
            modules: all(&mut found, |part| &mut part.values.modules),
            functions: all(&mut found, |part| &mut part.values.functions),
            codes: all(&mut found, |part| &mut part.values.codes),
            locals: all(&mut found, |part| &mut part.values.locals),
            blocks: all(&mut found, |part| &mut part.values.blocks),
            unseen: 0,
        };
        for part in found {
            self.values.unseen = self.values.unseen.saturating_add(part.values.unseen);
            self.sums = self.sums.join(part.sums);
        }
    }
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
    fn stretch(&self, stretch: Stretch, mut columns: Columns<'_>) -> Result<(Piece, Found), Malformed> {
        let mut cursor = Cursor::new(&self.bytes[..stretch.at.end], stretch.at.start);
        let mut found = Found::default();
        let mut referring = Vec::new();
        let mut row = Row::default();
        let mut seen = References::new(self.shown);
        for number in stretch.rows.clone() {
            let at = cursor.at;
            row.read(&mut cursor, &self.limits)?;
            for to in row.targets() {
                seen.add(to);
            }
            if row.refers() || row.sort.has_bytes() {
                referring.push(Referring { row: number, at });
            }
            if row.has(flag::HOLDS_TYPE)
                && let Some(of_type) = self.outline.types[row.ty as usize].row
            {
                seen.add(of_type);
            }
            self.row(number, at, &row, &mut columns, &mut found)?;
        }
        progress::add(stretch.at.len());
        Ok((Piece { stretch, referring }, found))
    }

    fn row(
        &self,
        number: u32,
        at: usize,
        row: &Row,
        columns: &mut Columns<'_>,
        found: &mut Found,
    ) -> Result<(), Malformed> {
        let place = (number % PIECE) as usize;
        let charged = row.charged();
        let small = u32::try_from(charged).unwrap_or(u32::MAX);
        if small == u32::MAX {
            found.large.push((number, charged));
        }
        found.made.extend(row.stack.map(|stack| (number, stack)));
        if row.sort != Sort::Blocks {
            found.sums.add(row);
        }
        // A text with attributes is more than its characters: no other can stand for it.
        let is_more = row.sort == Sort::Str && !row.attributes.is_empty();
        columns.sort[place] = match row.sort {
            Sort::Places => Sort::Other,
            _ if is_more => Sort::Other,
            sort => sort,
        };
        columns.ty[place] = row.ty;
        columns.bytes[place] = small;
        columns.counted[place] = u32::try_from(row.references).unwrap_or(u32::MAX);
        let mut flags = row.flags & !INTERNED;
        if let Payload::Text { is_interned, text } = &row.payload
            && !is_more
        {
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
        columns.flags[place] = flags;
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
            Sort::Places => found.values.places.push((number, at as u64)),
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
