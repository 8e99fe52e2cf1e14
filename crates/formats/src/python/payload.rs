//! What is in an object, by its sort.

use std::ops::Range;

use super::cursor::Cursor;
use super::extent::Extent;
use super::outline::WITH_EXTENTS;
use super::row::Limits;
use super::sort::Sort;
use crate::error::Malformed;

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
        /// How long it may get, where it has a limit and the dump says it.
        longest: Option<u64>,
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
        extent: Option<Extent>,
    },
    /// Numbers of columns.
    Places(Vec<u64>),
    View {
        bytes: u64,
    },
    Date(f64),
    /// Blocks that no object shown owns, by what they are called.
    Blocks(u32),
}

impl Payload {
    /// Reads what a row of a sort has between its blocks and its references.
    pub(super) fn read(sort: Sort, cursor: &mut Cursor<'_>, limits: &Limits) -> Result<Self, Malformed> {
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
                longest: if limits.version >= 2 {
                    cursor.varint()?.checked_sub(1)
                } else {
                    None
                },
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
                extent: if limits.version >= WITH_EXTENTS {
                    Extent::read(cursor)?
                } else {
                    None
                },
            },
            Sort::Places => {
                let mut places = Vec::new();
                for _ in 0..cursor.varint()? {
                    places.push(cursor.varint()?);
                }
                Payload::Places(places)
            }
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
