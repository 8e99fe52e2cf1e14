//! The columns: one row for each object of the heap.

use rustc_hash::FxHashMap;

use crate::Kind;

/// A row of [`Objects`].
pub type ObjectId = u32;

/// No object.
pub const NONE: ObjectId = u32::MAX;

/// Bits that say how an object stands in the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// An internal piece of another object: its owner is its referrer.
    pub const PART: Self = Self(1);
    /// Held by the runtime or its own library alone: no change of the program removes it.
    pub const ENGINE: Self = Self(2);
    /// Charged outside the runtime's heap.
    pub const EXTERNAL: Self = Self(4);
    /// Made by a recorder for its own work.
    pub const RECORDER: Self = Self(8);
    /// The object's text or contents are cut in the dump.
    pub const INCOMPLETE: Self = Self(16);
    /// Its bytes count as the runtime's. Readers leave it alone: [`crate::Heap::new`] sets it.
    pub const RUNTIME: Self = Self(32);
    /// A string with its characters in the object itself. Readers leave it alone, too.
    pub const FLAT: Self = Self(64);
    /// Other rows are its parts. Readers leave it alone, too.
    pub const WHOLE: Self = Self(128);

    /// Whether every bit of `other` is set.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Columns of equal length, one row an object.
#[derive(Debug, Default)]
pub struct Objects {
    /// The neutral kind.
    pub kind: Vec<Kind>,
    /// How the object stands in the heap.
    pub flags: Vec<Flags>,
    /// Bytes charged for this row alone, its parts excluded; [`u32::MAX`] sends to `large`.
    bytes: Vec<u32>,
    /// Sizes of 4 GiB and more.
    large: FxHashMap<ObjectId, u64>,
    /// A string's text, every other kind's type.
    pub label: Vec<u32>,
    /// The row in the table of facts of this kind, or [`NONE`].
    pub fact: Vec<u32>,
}

impl Objects {
    /// Makes columns for `count` objects of kind [`Kind::Opaque`] and no bytes.
    #[must_use]
    pub fn with_len(count: usize) -> Self {
        Self {
            kind: vec![Kind::Opaque; count],
            flags: vec![Flags::default(); count],
            bytes: vec![0; count],
            large: FxHashMap::default(),
            label: vec![0; count],
            fact: vec![NONE; count],
        }
    }

    /// Takes columns that a reader filled; `large` holds the sizes of rows whose `bytes` is [`u32::MAX`].
    ///
    /// # Panics
    /// When the columns differ in length: a reader's mistake, never an input's.
    #[must_use]
    pub fn from_columns(
        kind: Vec<Kind>,
        flags: Vec<Flags>,
        bytes: Vec<u32>,
        large: FxHashMap<ObjectId, u64>,
        label: Vec<u32>,
        fact: Vec<u32>,
    ) -> Self {
        assert!(
            [flags.len(), bytes.len(), label.len(), fact.len()]
                .iter()
                .all(|&len| len == kind.len()),
            "columns of one heap have one length"
        );
        Self {
            kind,
            flags,
            bytes,
            large,
            label,
            fact,
        }
    }

    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.kind.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kind.is_empty()
    }

    /// Appends a row.
    pub fn push(&mut self, kind: Kind, flags: Flags, bytes: u64, label: u32) -> ObjectId {
        let id = self.kind.len() as ObjectId;
        self.kind.push(kind);
        self.flags.push(flags);
        self.bytes.push(0);
        self.label.push(label);
        self.fact.push(NONE);
        self.set_bytes(id, bytes);
        id
    }

    /// Bytes charged for the row alone; none for a row that is not there.
    #[must_use]
    #[inline]
    pub fn bytes(&self, id: ObjectId) -> u64 {
        match self.bytes.get(id as usize) {
            Some(&u32::MAX) => self.large.get(&id).copied().unwrap_or(u64::from(u32::MAX)),
            Some(&small) => u64::from(small),
            None => 0,
        }
    }

    /// Sets the bytes charged for the row alone.
    pub fn set_bytes(&mut self, id: ObjectId, bytes: u64) {
        self.bytes[id as usize] = u32::try_from(bytes).unwrap_or(u32::MAX);
        if bytes >= u64::from(u32::MAX) {
            self.large.insert(id, bytes);
        }
    }

    /// Whether the row has all of `flags`; a row that is not there has none.
    #[must_use]
    #[inline]
    pub fn has(&self, id: ObjectId, flags: Flags) -> bool {
        self.flags.get(id as usize).is_some_and(|own| own.has(flags))
    }

    /// The logical object a row belongs to: itself, or the owner of a part.
    #[must_use]
    #[inline]
    pub fn owner(&self, mut id: ObjectId) -> ObjectId {
        // A part of a part has one owner more; four is beyond any runtime's nesting and ends on a broken dump.
        for _ in 0..4 {
            let owner = self.fact.get(id as usize).copied().unwrap_or(NONE);
            if !self.has(id, Flags::PART) || owner as usize >= self.len() {
                break;
            }
            id = owner;
        }
        id
    }
}
