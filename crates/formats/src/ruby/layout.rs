//! What Ruby charges for objects. Sources: `docs/formats/ruby.md`; `tests/ruby_layout.rs` measures every constant on
//! real interpreters.

use deadweight_allocators::Glibc;
use deadweight_heap::{
    Allocator, Exact, Implementation, Layout, RecordShape, Representation, Runtime, TableKind, Width, Wording,
};

/// Bytes of a slot as it was in all versions before 3.2, and of the smallest since.
const SLOT: u64 = 40;

/// What a slot begins with: flags and class.
const HEADER: u64 = 16;

/// Entries a hash keeps as a plain list.
const LIST: u64 = 8;

/// References an array has room for within a slot of 40 bytes.
const WITHIN: u64 = 3;

/// The least room an array's store gains when it grows (`ARY_DEFAULT_SIZE` in `array.c`).
const GAIN: u64 = 16;

/// Ruby's layout, as observed in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RubyLayout<A = Glibc> {
    /// Whether slots come in five sizes, 40 to 640 bytes (since 3.2), or are 40 bytes all.
    pub pools: bool,
    /// The allocator of what does not fit a slot.
    pub malloc: A,
}

impl RubyLayout {
    /// Ruby 3.1: slots of 40 bytes.
    pub fn fixed() -> Self {
        Self {
            pools: false,
            malloc: Glibc::default(),
        }
    }

    /// Ruby 3.2 and later: slots of 40, 80, 160, 320 and 640 bytes.
    pub fn pooled() -> Self {
        Self {
            pools: true,
            malloc: Glibc::default(),
        }
    }
}

/// What a record of allocations charges by: slots, and stores as they were asked for (`memsize` of an object). `None`
/// for another runtime.
pub(crate) fn as_asked(runtime: &Runtime) -> Option<Box<dyn Layout>> {
    (runtime.name == "ruby").then(|| {
        Box::new(RubyLayout {
            pools: !runtime.version.starts_with("3.1."),
            malloc: Exact,
        }) as Box<dyn Layout>
    })
}

impl<A: Allocator + Copy> RubyLayout<A> {
    /// The slot that has room for `bytes`, header included, when there is one.
    fn pool(self, bytes: u64) -> Option<u64> {
        let largest = if self.pools { 640 } else { SLOT };
        (bytes <= largest).then(|| SLOT * bytes.div_ceil(SLOT).next_power_of_two().max(1))
    }

    /// An object of `words` words: in its slot while they fit, else in a block of their own.
    fn words(self, words: u64) -> u64 {
        let bytes = words.saturating_mul(8);
        self.pool(HEADER.saturating_add(bytes))
            .unwrap_or_else(|| SLOT + self.malloc.charged(bytes))
    }

    /// An array that `parts` lists were appended to. A new one has room within its slot. Where what is appended does not
    /// fit, the store gets room for all that is there then and half of the room that there was, at least 16, beside it
    /// (`ary_double_capa`).
    fn grown(self, entries: u64, parts: u64) -> u64 {
        if entries <= WITHIN {
            return SLOT;
        }
        let (all, parts) = (u128::from(entries), u128::from(parts.clamp(1, entries)));
        let mut room = WITHIN;
        while room < entries {
            // The first part with which there is more than room for, and how much there is then.
            let part = u128::from(room) * parts / all + 1;
            let filled = (part * all / parts) as u64;
            room = filled.saturating_add((room / 2).max(GAIN));
        }
        SLOT + self.malloc.charged(room.saturating_mul(8))
    }

    /// What stands before a string's characters in its slot, and the bytes of these with the zero behind them.
    fn characters(self, units: u64, width: Width) -> (u64, u64) {
        let bytes = units.saturating_mul(width.bytes());
        // 3.1 keeps the length of short strings in the header; later versions in a word of its own.
        let header = if self.pools { HEADER + 8 } else { HEADER };
        (header, bytes.saturating_add(1))
    }

    /// Room of a hash's open table that has grown to hold `entries`.
    pub(super) fn table_capacity(self, entries: u64) -> u64 {
        if entries <= LIST {
            return LIST;
        }
        // 3.1 makes the first open table for 32 entries, later versions for 16.
        entries.next_power_of_two().max(if self.pools { 16 } else { 32 })
    }

    /// Bytes asked for by the bins that find the entries of an open table.
    fn bins(capacity: u64) -> u64 {
        let width = match capacity {
            0..=128 => 1,
            129..=32_768 => 2,
            32_769..=0x8000_0000 => 4,
            _ => 8,
        };
        2 * capacity * width
    }

    /// What may be allocated beside the slot of a hash with an open table, as requests, the least first: up to 16
    /// entries are searched without bins where the table grew to that size, and with bins where it was made with all
    /// its entries at once, as literals of more than 8 are, and copies of a hash.
    pub(super) fn open_requests(self, capacity: u64) -> Vec<[u64; 3]> {
        // Since 3.3 the table's own fields are in the slot.
        let with = |bins| [if self.pools { 0 } else { 56 }, 24 * capacity, bins];
        match capacity {
            0..16 => vec![with(0)],
            16 => vec![with(0), with(Self::bins(capacity))],
            _ => vec![with(Self::bins(capacity))],
        }
    }

    /// What an open table that grew to hold `entries` allocates.
    fn grown_table(self, entries: u64) -> u64 {
        let requests = self.open_requests(self.table_capacity(entries));
        requests.first().map_or(0, |requests| self.charge(requests))
    }

    /// The charge of blocks; nothing is allocated for none.
    pub(super) fn charge(self, requests: &[u64]) -> u64 {
        let blocks = requests.iter().filter(|&&bytes| bytes > 0);
        blocks.map(|&bytes| self.malloc.charged(bytes)).sum()
    }
}

impl<A: Allocator + Copy + std::fmt::Debug> Layout for RubyLayout<A> {
    fn wording(&self) -> Wording {
        Wording {
            pairs: Some("in a packed string (`pack`, then `freeze`), not in a `Hash`"),
            ..Wording::default()
        }
    }

    /// A word a field, whatever stands in it, and room for three at least.
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        self.words(shape.count().max(3))
    }

    /// Ruby's classes and shapes are shared by all records of one class, and small.
    fn shape(&self, _: u64) -> u64 {
        SLOT
    }

    fn string(&self, units: u64, width: Width) -> u64 {
        let (header, characters) = self.characters(units, width);
        self.pool(header.saturating_add(characters))
            .unwrap_or_else(|| SLOT + self.malloc.charged(characters))
    }

    /// `freeze` moves the characters into the slot when they fit, or gives back the end of their block, when more of it
    /// is free than in use (`rb_str_resize`).
    fn cut_string(&self, object_bytes: u64, units: u64, width: Width) -> u64 {
        let (header, characters) = self.characters(units, width);
        if header.saturating_add(characters) <= object_bytes {
            object_bytes
        } else {
            object_bytes + self.malloc.charged(characters)
        }
    }

    fn elements(&self, _: Representation, count: u64) -> u64 {
        8 * count
    }

    fn array(&self, _: Implementation, _: Representation, count: u64) -> u64 {
        self.words(count)
    }

    /// `flat_map` hands its block on in an object of its own, for arrays as for all others.
    fn joined(&self, entries: u64, parts: u64) -> Option<u64> {
        Some(SLOT + self.grown(entries, parts))
    }

    fn table(&self, _: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        // A `Set` is an object around a hash.
        let around = if kind == TableKind::Set { SLOT } else { 0 };
        let hash = match (self.pools, entries) {
            (true, 0..=LIST) => 160,
            (true, _) => 160 + self.grown_table(entries),
            (false, 0) => SLOT,
            (false, 1..=LIST) => SLOT + self.malloc.charged(128),
            (false, _) => SLOT + self.grown_table(entries),
        };
        Some(around + hash)
    }

    /// `Hash` calls `hash` and `eql?`.
    fn tables_compare_by_value(&self) -> bool {
        true
    }

    fn boxed(&self, _: Representation) -> u64 {
        SLOT
    }

    /// The slot and a structure beside it; since 3.3 both in one slot.
    fn date(&self) -> u64 {
        if self.pools {
            80
        } else {
            SLOT + self.malloc.charged(46)
        }
    }

    /// 63 bits stand in a slot.
    fn small_integers(&self) -> Option<(i64, i64)> {
        Some((-(1 << 62), (1 << 62) - 1))
    }

    fn small_integer_bytes(&self) -> u64 {
        7
    }

    fn view(&self) -> u64 {
        SLOT
    }
}
