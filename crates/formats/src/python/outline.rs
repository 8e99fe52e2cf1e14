//! What stands around the rows: the header, names, types and roots, and the mark that the file is whole.

use deadweight_heap::Implementation;

use super::layout::implementations;
use std::ops::Range;

use deadweight_heap::NONE;

use super::cursor::Cursor;
use super::format::MAGIC;
use super::header::Header;
use crate::error::Malformed;

/// What every whole file ends with.
const END: &[u8] = b"DWPYDONE";

/// The versions that are read. The second one says of a deque how long it may get, the third one of an object which stack asked for
/// it, the fourth one of an array where its items stand.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=4;

/// The first version with stacks.
pub(super) const WITH_STACKS: u32 = 3;

/// The first version with extents of arrays.
pub(super) const WITH_EXTENTS: u32 = 4;

/// Where the first row begins.
pub(super) const FIRST_ROW: usize = 16;

/// Rows, names and types are fewer than this: a few more rows are added, and names have 29 bits in a reference.
const MOST_ROWS: u64 = NONE as u64 - (1 << 20);
const MOST_NAMES: u64 = 1 << 28;

/// A type of objects.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) name: u32,
    /// See the constants of [`Type`].
    pub(super) flags: u8,
    pub(super) base: Option<u32>,
    /// The name of the module that defines it.
    pub(super) module: Option<u32>,
    /// The row of the type as an object.
    pub(super) row: Option<u32>,
    /// Names of the slots that the class itself declares, and their offsets.
    pub(super) slots: Vec<(u32, u64)>,
}

impl Type {
    /// A class statement made it.
    pub(super) const CLASS: u8 = 1;
    /// Its objects can have attributes of any name.
    const DICTIONARY: u8 = 4;
    /// Its objects can be referred to weakly.
    const WEAK: u8 = 8;
    /// One of them was at capture.
    const WEAKLY: u8 = 32;

    pub(super) const fn is_class(&self) -> bool {
        self.flags & Self::CLASS != 0
    }

    /// Whether its objects take attributes of any name.
    pub(super) const fn is_open(&self) -> bool {
        self.flags & Self::DICTIONARY != 0
    }

    /// Whether classes based on it can be referred to weakly because it says so.
    pub(super) const fn declares_weak(&self) -> bool {
        self.is_class() && !self.is_open() && self.flags & Self::WEAK != 0
    }

    /// Whether one of its objects was referred to weakly at capture.
    pub(super) const fn is_weakly_referred(&self) -> bool {
        self.flags & Self::WEAKLY != 0
    }

    /// How its instances keep their attributes, unless something asked for their dictionary.
    pub(super) const fn keeps(&self) -> Implementation {
        if self.is_open() {
            implementations::ORDINARY
        } else if self.flags & Self::WEAK != 0 {
            implementations::WEAKLY_REFERRED
        } else {
            implementations::SLOTS
        }
    }
}

/// Who holds a row from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A local variable of a running frame.
    Local,
    Interpreter,
    /// A local variable of the recorder's own frames.
    Recorder,
}

/// What holds a row from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) holder: Holder,
    pub(super) function: Option<u32>,
    pub(super) variable: Option<u32>,
    pub(super) row: u32,
}

/// A line of code that ran.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Names of its file and its function.
    pub(super) file: u32,
    pub(super) function: u32,
    /// 0 for one of the recorder's own.
    pub(super) line: u64,
}

/// A frame and the stack that called it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    pub(super) caller: Option<u32>,
    pub(super) frame: u32,
}

/// All but the rows.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) version: u32,
    pub(super) header: Header,
    /// Where the header stands, its length before it.
    pub(super) header_at: Range<usize>,
    /// Where each name stands.
    pub(super) names: Vec<Range<usize>>,
    pub(super) types: Vec<Type>,
    pub(super) roots: Vec<Root>,
    /// What ran while objects were made; empty where that was not recorded. Callers stand before whom they call.
    pub(super) frames: Vec<Frame>,
    pub(super) stacks: Vec<Stack>,
    pub(super) rows: u32,
}

/// A chain of base classes is never this long; a broken dump may make a ring of types.
const LONGEST_LINEAGE: usize = 256;

impl Outline {
    /// A type, the one it is based on, and so on.
    pub(super) fn lineage(&self, ty: u32) -> impl Iterator<Item = u32> + '_ {
        let base = |&ty: &u32| self.types.get(ty as usize)?.base;
        std::iter::successors(Some(ty), base).take(self.types.len().min(LONGEST_LINEAGE))
    }

    /// A name as text.
    pub(super) fn name<'b>(&self, bytes: &'b [u8], name: u32) -> std::borrow::Cow<'b, str> {
        let span = self.names.get(name as usize).cloned();
        String::from_utf8_lossy(span.and_then(|span| bytes.get(span)).unwrap_or_default())
    }

    /// The type of that name that no class statement made.
    pub(super) fn builtin(&self, bytes: &[u8], name: &str) -> Option<u32> {
        let mut types = (0..).zip(&self.types);
        let found = types.find(|(_, ty)| !ty.is_class() && self.name(bytes, ty.name) == name);
        found.map(|(number, _)| number)
    }

    /// The rows' part of the file.
    pub(super) fn rows_at(&self) -> Range<usize> {
        FIRST_ROW..self.header_at.start
    }
}

pub(super) fn outline(bytes: &[u8]) -> Result<Outline, Malformed> {
    let mut start = Cursor::new(bytes, MAGIC.len());
    let version = start.u32()?;
    if !VERSIONS.contains(&version) {
        let expected = format!(
            "a version of the format from {} to {}",
            VERSIONS.start(),
            VERSIONS.end()
        );
        return Err(Malformed::new(
            MAGIC.len(),
            expected,
            format!("version {version}"),
        ));
    }
    start.u32()?;
    let cut = || {
        let found = "a dump that was cut off";
        Malformed::new(bytes.len(), "DWPYDONE at the end of the file", found)
    };
    let end = bytes
        .len()
        .checked_sub(END.len())
        .filter(|&end| bytes[end..] == *END);
    let place_at = end
        .and_then(|end| end.checked_sub(8))
        .filter(|&at| at >= FIRST_ROW);
    let place_at = place_at.ok_or_else(cut)?;
    let place = Cursor::new(bytes, place_at).u64()?;
    let header_at = usize::try_from(place)
        .ok()
        .filter(|at| (FIRST_ROW..place_at).contains(at));
    let Some(header_at) = header_at else {
        let expected = format!("where the header begins, between {FIRST_ROW} and {place_at}");
        return Err(Malformed::new(place_at, expected, place.to_string()));
    };
    let mut cursor = Cursor::new(&bytes[..place_at], header_at);
    let length = cursor.u32()?;
    let json = cursor.skip(length.into())?;
    let header = serde_json::from_slice(&bytes[json.clone()])
        .map_err(|error| Malformed::new(json.start, "the header in JSON", error.to_string()))?;
    let names = names(&mut cursor)?;
    let count = names.len() as u32;
    // The number of rows stands behind all that refers to them.
    let (mut ahead, most) = (cursor, NONE);
    types(&mut ahead, count, most)?;
    roots(&mut ahead, count, most)?;
    let (frames, stacks) = if version >= WITH_STACKS {
        let frames = frames(&mut ahead, count)?;
        let stacks = stacks(&mut ahead, frames.len() as u32)?;
        (frames, stacks)
    } else {
        (Vec::new(), Vec::new())
    };
    let rows_at = ahead.at;
    let rows = ahead.varint()?;
    if rows >= MOST_ROWS {
        let expected = format!("fewer than {MOST_ROWS} rows");
        return Err(Malformed::new(rows_at, expected, rows.to_string()));
    }
    if ahead.at != place_at {
        let expected = "the place of the header behind the number of rows";
        return Err(Malformed::at(bytes, ahead.at, expected));
    }
    let types = types(&mut cursor, count, rows as u32)?;
    let roots = roots(&mut cursor, count, rows as u32)?;
    Ok(Outline {
        version,
        header,
        header_at: header_at..json.end,
        names,
        types,
        roots,
        frames,
        stacks,
        rows: rows as u32,
    })
}

fn names(cursor: &mut Cursor<'_>) -> Result<Vec<Range<usize>>, Malformed> {
    let count = count_below(cursor, "names")?;
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(cursor.text()?);
    }
    Ok(names)
}

fn types(cursor: &mut Cursor<'_>, names: u32, rows: u32) -> Result<Vec<Type>, Malformed> {
    let all = count_below(cursor, "types")?;
    let mut types = Vec::new();
    for _ in 0..all {
        let (name, flags) = (cursor.index(names, "name")?, cursor.u8()?);
        let base = cursor.optional(all, "type")?;
        // Bytes of an object and of an item: rows tell what theirs take.
        cursor.skip_varints(2)?;
        let module = cursor.optional(names, "name")?;
        let row = cursor.optional(rows, "row")?;
        let mut slots = Vec::new();
        for _ in 0..cursor.varint()? {
            slots.push((cursor.index(names, "name")?, cursor.varint()?));
        }
        types.push(Type {
            name,
            flags,
            base,
            module,
            row,
            slots,
        });
    }
    Ok(types)
}

fn roots(cursor: &mut Cursor<'_>, names: u32, rows: u32) -> Result<Vec<Root>, Malformed> {
    let mut roots = Vec::new();
    for _ in 0..cursor.varint()? {
        let holders = [Holder::Local, Holder::Interpreter, Holder::Recorder];
        roots.push(Root {
            holder: cursor.one_of(holders, "the sort of a root")?,
            function: cursor.optional(names, "name")?,
            variable: cursor.optional(names, "name")?,
            row: cursor.index(rows, "row")?,
        });
    }
    Ok(roots)
}

fn frames(cursor: &mut Cursor<'_>, names: u32) -> Result<Vec<Frame>, Malformed> {
    let mut frames = Vec::new();
    for _ in 0..count_below(cursor, "frames")? {
        frames.push(Frame {
            file: cursor.index(names, "name")?,
            function: cursor.index(names, "name")?,
            line: cursor.varint()?,
        });
    }
    Ok(frames)
}

fn stacks(cursor: &mut Cursor<'_>, frames: u32) -> Result<Vec<Stack>, Malformed> {
    let mut stacks: Vec<Stack> = Vec::new();
    for number in 0..count_below(cursor, "stacks")? {
        stacks.push(Stack {
            caller: cursor.optional(number, "stack before it")?,
            frame: cursor.index(frames, "frame")?,
        });
    }
    Ok(stacks)
}

fn count_below(cursor: &mut Cursor<'_>, what: &str) -> Result<u32, Malformed> {
    let at = cursor.at;
    let count = cursor.varint()?;
    u32::try_from(count)
        .ok()
        .filter(|&count| u64::from(count) < MOST_NAMES)
        .ok_or_else(|| Malformed::new(at, format!("fewer than {MOST_NAMES} {what}"), count.to_string()))
}
