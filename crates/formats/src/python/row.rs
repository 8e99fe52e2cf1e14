//! One row: an object with its blocks, what is in it, and what it refers to.

use std::ops::Range;

use super::cursor::Cursor;
use super::outline::Outline;
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
}

/// What indices in rows are checked against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) names: u32,
    pub(super) types: u32,
    pub(super) rows: u32,
}

impl Limits {
    pub(super) fn of(outline: &Outline) -> Self {
        Self {
            names: outline.names.len() as u32,
            types: outline.types.len() as u32,
            rows: outline.rows,
        }
    }
}

/// A block of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) asked: u64,
    pub(super) charged: u64,
}

/// Bytes of which the dump has a digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) bytes: u64,
    pub(super) seen: Option<Seen>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) zeros: u64,
    pub(super) words_used: u64,
    pub(super) hash: u64,
}

/// How a dictionary keeps its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    Any,
    Texts,
    /// In a row that the instances of a class share.
    Split,
}

/// How an instance keeps the attributes outside its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attributes {
    OnlySlots,
    Within,
    Block,
    Dictionary,
}

/// What is in an object, by its sort.
#[derive(Clone, Debug, Default)]
pub(super) enum Payload {
    #[default]
    Nothing,
    Text {
        is_interned: bool,
        text: Range<usize>,
    },
    Integer {
        is_negative: bool,
        magnitude: Range<usize>,
    },
    Float(f64),
    List {
        room: u64,
    },
    Dict {
        used: u64,
        room: u64,
        keys: Keys,
    },
    Set {
        items: u64,
        slots: u64,
    },
    Deque {
        slots: u64,
    },
    Instance {
        room: u64,
        form: Attributes,
    },
    /// The type that it is.
    Type(u32),
    Module {
        name: Option<u32>,
        file: Option<u32>,
    },
    Code {
        file: u32,
        line: u64,
    },
    Frame {
        function: Option<u32>,
    },
    Bytes(Contents),
    Numbers {
        contents: Contents,
        code: u8,
        each: u64,
    },
    Ndarray {
        contents: Contents,
        kind: u8,
        each: u64,
        is_own: bool,
    },
    View {
        bytes: u64,
    },
    Date(f64),
    /// Blocks that no object shown owns, by what they are called.
    Blocks(u32),
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
        self.payload = payload(self.sort, cursor, limits)?;
        self.attributes.clear();
        for _ in 0..cursor.varint()? {
            let name = cursor.index(limits.names, "name")?;
            self.attributes.push((name, cursor.index(limits.rows, "row")?));
        }
        self.elements.clear();
        for _ in 0..cursor.varint()? {
            self.elements.push(cursor.optional(limits.rows, "row")?);
        }
        self.entries.clear();
        for _ in 0..cursor.varint()? {
            let key = cursor.optional(limits.rows, "row")?;
            self.entries.push((key, cursor.optional(limits.rows, "row")?));
        }
        self.others.clear();
        for _ in 0..cursor.varint()? {
            self.others.push(cursor.index(limits.rows, "row")?);
        }
        Ok(())
    }
}

fn payload(sort: Sort, cursor: &mut Cursor<'_>, limits: &Limits) -> Result<Payload, Malformed> {
    let names = limits.names;
    Ok(match sort {
        Sort::Other | Sort::Tuple | Sort::Function => Payload::Nothing,
        Sort::Str => {
            // Characters, and bytes of each: what they say is in the text, too.
            cursor.skip_varints(1)?;
            cursor.u8()?;
            Payload::Text {
                is_interned: cursor.u8()? & 1 != 0,
                text: cursor.text()?,
            }
        }
        Sort::Int => Payload::Integer {
            is_negative: cursor.u8()? != 0,
            magnitude: cursor.text()?,
        },
        Sort::Float => Payload::Float(f64::from_bits(cursor.u64()?)),
        Sort::List => Payload::List {
            room: cursor.varint()?,
        },
        Sort::Dict | Sort::OrderedDict => Payload::Dict {
            used: cursor.varint()?,
            room: cursor.varint()?,
            keys: cursor.one_of([Keys::Any, Keys::Texts, Keys::Split], "the form of a dictionary")?,
        },
        Sort::Set => {
            let (items, slots) = (cursor.varint()?, cursor.varint()?);
            cursor.u8()?;
            Payload::Set { items, slots }
        }
        Sort::Deque => Payload::Deque {
            slots: cursor.varint()?,
        },
        Sort::Instance => Payload::Instance {
            room: cursor.varint()?,
            form: cursor.one_of(
                [
                    Attributes::OnlySlots,
                    Attributes::Within,
                    Attributes::Block,
                    Attributes::Dictionary,
                ],
                "the form of an instance",
            )?,
        },
        Sort::Type => Payload::Type(cursor.index(limits.types, "type")?),
        Sort::Module => Payload::Module {
            name: cursor.optional(names, "name")?,
            file: cursor.optional(names, "name")?,
        },
        Sort::Code => {
            let file = cursor.index(names, "name")?;
            cursor.index(names, "name")?;
            Payload::Code {
                file,
                line: cursor.varint()?,
            }
        }
        Sort::Frame => Payload::Frame {
            function: cursor.optional(names, "name")?,
        },
        Sort::Bytes => {
            let contents = contents(cursor)?;
            cursor.u8()?;
            cursor.skip_varints(1)?;
            Payload::Bytes(contents)
        }
        Sort::Numbers => {
            let (contents, code, each) = (contents(cursor)?, cursor.u8()?, cursor.varint()?);
            cursor.skip_varints(1)?;
            Payload::Numbers { contents, code, each }
        }
        Sort::Ndarray => Payload::Ndarray {
            contents: contents(cursor)?,
            kind: cursor.u8()?,
            each: cursor.varint()?,
            is_own: cursor.u8()? != 0,
        },
        Sort::View => Payload::View {
            bytes: cursor.varint()?,
        },
        Sort::Date => Payload::Date(f64::from_bits(cursor.u64()?)),
        Sort::Keys => {
            cursor.skip_varints(2)?;
            Payload::Nothing
        }
        Sort::Blocks => Payload::Blocks(cursor.index(names, "name")?),
    })
}

fn contents(cursor: &mut Cursor<'_>) -> Result<Contents, Malformed> {
    let bytes = cursor.varint()?;
    let is_seen = cursor.u8()? != 0;
    let seen = if is_seen {
        Some(Seen {
            zeros: cursor.varint()?,
            words_used: cursor.varint()?,
            hash: cursor.u64()?,
        })
    } else {
        None
    };
    Ok(Contents { bytes, seen })
}
