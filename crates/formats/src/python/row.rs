//! One row: an object with its blocks, what is in it, and what it refers to.

use super::cursor::Cursor;
use super::outline::{Outline, WITH_STACKS};
use super::payload::{Keys, Payload};
use super::sort::Sort;
use crate::error::Malformed;

/// What a row's flags say.
pub(super) mod flag {
    /// No change of the program frees it.
    pub(crate) const SHARED: u8 = 2;
    /// It has a reference to its type that counts.
    pub(crate) const HOLDS_TYPE: u8 = 4;
    /// A module of the recorder's own.
    pub(crate) const RECORDER: u8 = 8;
    /// It says which stack asked for it.
    pub(crate) const STACK: u8 = 32;
}

/// What indices in rows are checked against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) names: u32,
    pub(super) types: u32,
    pub(super) rows: u32,
    pub(super) stacks: u32,
    /// The version of the format.
    pub(super) version: u32,
}

impl Limits {
    pub(super) fn of(outline: &Outline) -> Self {
        Self {
            names: outline.names.len() as u32,
            types: outline.types.len() as u32,
            rows: outline.rows,
            stacks: outline.stacks.len() as u32,
            version: outline.version,
        }
    }
}

/// A block of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) asked: u64,
    pub(super) charged: u64,
}

/// A row that was read, with room for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) sort: Sort,
    pub(super) flags: u8,
    pub(super) ty: u32,
    /// 0 where the object is immortal.
    pub(super) references: u64,
    pub(super) blocks: Vec<Block>,
    pub(super) payload: Payload,
    /// Names and rows.
    pub(super) attributes: Vec<(u32, u32)>,
    pub(super) elements: Vec<Option<u32>>,
    /// Keys and values.
    pub(super) entries: Vec<(Option<u32>, Option<u32>)>,
    pub(super) others: Vec<u32>,
    /// The stack that asked for its own block.
    pub(super) stack: Option<u32>,
}

impl Row {
    pub(super) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Bytes charged for all its blocks.
    pub(super) fn charged(&self) -> u64 {
        let charged = self.blocks.iter().map(|block| block.charged);
        charged.fold(0, u64::saturating_add)
    }

    /// All rows that it refers to by a reference that counts, its type left out.
    pub(super) fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let attributes = self.attributes.iter().map(|&(_, to)| to);
        let elements = self.elements.iter().copied().flatten();
        // Keys that stand elsewhere are referred to from there.
        let has_keys = !matches!(
            self.payload,
            Payload::Dict {
                keys: Keys::Split,
                ..
            }
        );
        let entries = self.entries.iter();
        let entries = entries.flat_map(move |&(key, value)| [key.filter(|_| has_keys), value]);
        let entries = entries.flatten();
        attributes
            .chain(elements)
            .chain(entries)
            .chain(self.others.iter().copied())
    }

    /// Whether it refers to anything.
    pub(super) fn refers(&self) -> bool {
        let Self {
            attributes,
            elements,
            entries,
            others,
            ..
        } = self;
        !(attributes.is_empty() && elements.is_empty() && entries.is_empty() && others.is_empty())
    }

    /// Reads the row that begins at the cursor in place of the one before. Every index is checked.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, limits: &Limits) -> Result<(), Malformed> {
        self.sort = Sort::read(cursor)?;
        self.flags = cursor.u8()?;
        self.ty = cursor.index(limits.types, "type")?;
        self.references = cursor.varint()?;
        self.blocks.clear();
        for _ in 0..cursor.varint()? {
            let (asked, charged) = (cursor.varint()?, cursor.varint()?);
            self.blocks.push(Block { asked, charged });
        }
        self.payload = Payload::read(self.sort, cursor, limits)?;
        self.attributes.clear();
        self.elements.clear();
        self.entries.clear();
        self.others.clear();
        if !cursor.pass_four_zeros() {
            self.read_references(cursor, limits)?;
        }
        self.stack = None;
        if self.has(flag::STACK) && limits.version >= WITH_STACKS {
            self.stack = cursor.optional(limits.stacks, "stack")?;
        }
        Ok(())
    }

    fn read_references(&mut self, cursor: &mut Cursor<'_>, limits: &Limits) -> Result<(), Malformed> {
        for _ in 0..cursor.varint()? {
            let name = cursor.index(limits.names, "name")?;
            self.attributes.push((name, cursor.index(limits.rows, "row")?));
        }
        for _ in 0..cursor.varint()? {
            self.elements.push(cursor.optional(limits.rows, "row")?);
        }
        for _ in 0..cursor.varint()? {
            let key = cursor.optional(limits.rows, "row")?;
            self.entries.push((key, cursor.optional(limits.rows, "row")?));
        }
        for _ in 0..cursor.varint()? {
            self.others.push(cursor.index(limits.rows, "row")?);
        }
        Ok(())
    }
}
