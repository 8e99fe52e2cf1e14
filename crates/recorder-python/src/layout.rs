//! Where objects of each version of `CPython` have what: offsets in bytes, of default builds for 64 bits.
//!
//! Source: `offsetof` on the installed headers of 3.9.18, 3.10.13, 3.11.7, 3.12.1, 3.13.0 and 3.14.10. What has one place in
//! all of them is a constant.

/// A type's fields.
pub mod class {
    pub const NAME: usize = 24;
    pub const BASIC_SIZE: usize = 32;
    pub const ITEM_SIZE: usize = 40;
    pub const FLAGS: usize = 168;
    pub const TRAVERSE: usize = 184;
    pub const WEAK_OFFSET: usize = 208;
    pub const MEMBERS: usize = 240;
    pub const BASE: usize = 256;
    pub const DICTIONARY: usize = 264;
    pub const DICTIONARY_OFFSET: usize = 288;
    pub const IS_GC: usize = 328;
    pub const BASES: usize = 336;
    pub const SUBCLASSES: usize = 360;

    /// Bits of the flags.
    pub const INLINE_VALUES: usize = 1 << 2;
    pub const MANAGED_WEAK: usize = 1 << 3;
    pub const MANAGED_DICTIONARY: usize = 1 << 4;
    pub const HEAP_TYPE: usize = 1 << 9;
    pub const HAVE_GC: usize = 1 << 14;
    pub const INT: usize = 1 << 24;
    pub const LIST: usize = 1 << 25;
    pub const TUPLE: usize = 1 << 26;
    pub const BYTES: usize = 1 << 27;
    pub const STR: usize = 1 << 28;
    pub const DICT: usize = 1 << 29;
    pub const EXCEPTION: usize = 1 << 30;
    pub const TYPE: usize = 1 << 31;
}

/// One member that a type declares (`PyMemberDef`).
pub mod member {
    pub const SIZE: usize = 40;
    pub const NAME: usize = 0;
    pub const SORT: usize = 8;
    pub const OFFSET: usize = 16;
    /// Sorts that are references: `T_OBJECT` and `T_OBJECT_EX`.
    pub const REFERENCES: [u32; 2] = [6, 16];
}

/// Objects that have one layout in all versions.
pub mod object {
    pub const HEADER: usize = 16;
    /// Before objects that the collector knows.
    pub const GC: usize = 16;
    pub const SIZED: usize = 24;
    pub const LIST_ITEMS: usize = 24;
    pub const LIST_ROOM: usize = 32;
    pub const SET_USED: usize = 24;
    pub const SET_MASK: usize = 32;
    pub const SET_TABLE: usize = 40;
    pub const SET_SMALL: usize = 64;
    pub const BYTES: usize = 32;
    pub const BYTEARRAY_ROOM: usize = 24;
    pub const BYTEARRAY_BLOCK: usize = 32;
    pub const BYTEARRAY_START: usize = 40;
    pub const DIGITS: usize = 24;
    pub const DICT_USED: usize = 16;
    pub const DICT_KEYS: usize = 32;
    pub const DICT_VALUES: usize = 40;
    pub const MODULE_DICT: usize = 16;
}

/// `collections.deque`, `collections.OrderedDict`, `array.array`, `datetime`, `memoryview`, `numpy.ndarray`.
pub mod library {
    pub const DEQUE_LEFT: usize = 24;
    pub const DEQUE_LEFT_INDEX: usize = 40;
    pub const DEQUE_LONGEST: usize = 64;
    pub const DEQUE_ITEMS: usize = 8;
    pub const DEQUE_NEXT: usize = 520;
    pub const DEQUE_BLOCK: usize = 528;
    pub const DEQUE_SLOTS: usize = 64;
    pub const ORDERED_NODES: usize = 64;
    pub const ORDERED_NODES_SIZE: usize = 72;
    pub const ORDERED_FIRST: usize = 48;
    pub const ORDERED_NODE: usize = 32;
    pub const ORDERED_NEXT: usize = 16;
    pub const ARRAY_ITEMS: usize = 24;
    pub const ARRAY_ROOM: usize = 32;
    pub const ARRAY_SORT: usize = 40;
    pub const DATE_HAS_ZONE: usize = 24;
    pub const DATE_DATA: usize = 25;
    pub const DELTA_DAYS: usize = 24;
    pub const BUFFER_OBJECT: usize = 40;
    pub const VIEW_BYTES: usize = 72;
    pub const NUMPY_DATA: usize = 16;
    pub const NUMPY_RANK: usize = 24;
    pub const NUMPY_SHAPE: usize = 32;
    pub const NUMPY_STRIDES: usize = 40;
    pub const NUMPY_BASE: usize = 48;
    pub const NUMPY_SORT: usize = 56;
    pub const NUMPY_FLAGS: usize = 64;
    pub const NUMPY_KIND: usize = 24;
}

/// What differs between versions.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The minor version, 9 for 3.9.
    pub minor: u8,
    /// A `str` of ASCII alone, without its characters.
    pub ascii: usize,
    /// A compact `str` of others, without its characters; a `str` whose characters stand apart has their place there.
    pub compact: usize,
    pub utf8_length: usize,
    pub utf8: usize,
    /// Where a type made at run time has its name; the qualified name, slots and shared keys follow.
    pub heap_name: usize,
    pub heap_slots: usize,
    pub heap_qualified: usize,
    pub heap_keys: usize,
    /// References of a function that no member names.
    pub function: &'static [(&'static str, usize)],
    pub code_file: usize,
    pub code_name: usize,
    pub code_line: usize,
    /// The tuple of the names of a function's variables, cells apart up to 3.10.
    pub code_variables: usize,
    /// Where a running function has its code, the caller's frame, whose frame it is and its variables.
    pub frame: Frame,
    /// Of a frame object from 3.11 on: the running function's frame.
    pub frame_inner: usize,
    /// Bytes of a pool of pymalloc.
    pub pool: usize,
    /// Since 3.14 a tuple keeps its hash before its items.
    pub tuple_items: usize,
    /// Behind the collector's generations, where the first one is; not since 3.14.
    pub has_youngest: bool,
    /// Where a code object has its instructions; 0 up to 3.10, where frames count instructions.
    pub code_start: usize,
}

/// A running function, as the interpreter keeps it.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub code: usize,
    pub previous: usize,
    /// 0 up to 3.10, where every frame is an object.
    pub owner: usize,
    pub variables: usize,
    /// The instruction that runs: its address, or up to 3.10 its number (of bytes in 3.9, of pairs of them in 3.10).
    pub instruction: usize,
}

const OLD: Layout = Layout {
    minor: 9,
    ascii: 48,
    compact: 72,
    utf8_length: 48,
    utf8: 56,
    heap_name: 840,
    heap_slots: 848,
    heap_qualified: 856,
    heap_keys: 864,
    function: &[
        ("__code__", 16),
        ("__globals__", 24),
        ("__defaults__", 32),
        ("__kwdefaults__", 40),
        ("__closure__", 48),
        ("__doc__", 56),
        ("__name__", 64),
        ("__dict__", 72),
        ("__module__", 88),
        ("__annotations__", 96),
        ("__qualname__", 104),
    ],
    code_file: 104,
    code_name: 112,
    code_line: 40,
    code_variables: 72,
    frame: Frame {
        code: 32,
        previous: 24,
        owner: 0,
        variables: 360,
        instruction: 104,
    },
    frame_inner: 0,
    pool: 4096,
    tuple_items: 24,
    has_youngest: true,
    code_start: 0,
};

const FUNCTION: &[(&str, usize)] = FUNCTION_OF_3_14.split_at(12).0;

const FUNCTION_OF_3_14: &[(&str, usize)] = &[
    ("__globals__", 16),
    ("__builtins__", 24),
    ("__name__", 32),
    ("__qualname__", 40),
    ("__code__", 48),
    ("__defaults__", 56),
    ("__kwdefaults__", 64),
    ("__closure__", 72),
    ("__doc__", 80),
    ("__dict__", 88),
    ("__module__", 104),
    ("__annotations__", 112),
    // Since 3.14.
    ("__annotate__", 120),
];

const V3_10: Layout = Layout {
    minor: 10,
    heap_name: 848,
    heap_slots: 856,
    heap_qualified: 864,
    heap_keys: 872,
    function: FUNCTION,
    frame: Frame {
        code: 32,
        previous: 24,
        owner: 0,
        variables: 352,
        instruction: 96,
    },
    pool: 16384,
    ..OLD
};

const V3_11: Layout = Layout {
    minor: 11,
    code_file: 112,
    code_name: 120,
    code_line: 72,
    code_variables: 96,
    frame: Frame {
        code: 32,
        previous: 48,
        owner: 69,
        variables: 72,
        instruction: 56,
    },
    frame_inner: 24,
    code_start: 184,
    ..V3_10
};

const V3_12: Layout = Layout {
    minor: 12,
    ascii: 40,
    compact: 56,
    utf8_length: 40,
    utf8: 48,
    heap_name: 856,
    heap_slots: 864,
    heap_qualified: 872,
    heap_keys: 880,
    code_line: 68,
    frame: Frame {
        code: 0,
        previous: 8,
        owner: 70,
        variables: 72,
        instruction: 56,
    },
    code_start: 192,
    ..V3_11
};

const V3_14: Layout = Layout {
    minor: 14,
    function: FUNCTION_OF_3_14,
    frame: Frame {
        code: 0,
        previous: 8,
        owner: 74,
        variables: 80,
        instruction: 56,
    },
    tuple_items: 32,
    has_youngest: false,
    code_start: 208,
    ..V3_12
};

impl Layout {
    /// Whether objects of a type with these flags have two references before them: their attributes, and who refers to them
    /// weakly.
    pub fn has_preheader(&self, flags: usize) -> bool {
        let wanted = if self.minor >= 12 {
            class::MANAGED_DICTIONARY | class::MANAGED_WEAK
        } else {
            class::MANAGED_DICTIONARY
        };
        self.minor >= 11 && flags & wanted != 0
    }

    /// That of a version of 3; `None` for one that is not known.
    pub fn of(minor: u8) -> Option<Self> {
        Some(match minor {
            9 => OLD,
            10 => V3_10,
            11 => V3_11,
            12 => V3_12,
            13 => Self {
                minor: 13,
                code_start: 200,
                ..V3_12
            },
            14 => V3_14,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn versions_are_known_from_the_first_to_the_last() {
        let known: Vec<u8> = (0..=20).filter(|minor| Layout::of(*minor).is_some()).collect();
        assert_eq!(known, [9, 10, 11, 12, 13, 14]);
        for minor in known {
            let layout = Layout::of(minor).unwrap();
            assert_eq!(layout.minor, minor);
            assert!(layout.ascii < layout.compact && layout.utf8 < layout.compact);
        }
    }
}
