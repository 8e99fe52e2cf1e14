//! Dumps of Python as tests want them: objects with blocks as an interpreter of version 3.12 asks for them. Reference counts
//! are those of the references that the dump has, unless a test says otherwise.

#![allow(dead_code, reason = "each test uses a part")]

mod program;
mod tables;

use std::collections::BTreeMap;

pub use program::{Program, program};
pub use tables::{block, frame};

/// Sorts of rows, by their numbers in the file.
pub mod sort {
    pub const OTHER: u8 = 0;
    pub const STR: u8 = 1;
    pub const INT: u8 = 2;
    pub const FLOAT: u8 = 3;
    pub const LIST: u8 = 4;
    pub const TUPLE: u8 = 5;
    pub const DICT: u8 = 6;
    pub const SET: u8 = 7;
    pub const DEQUE: u8 = 8;
    pub const INSTANCE: u8 = 9;
    pub const TYPE: u8 = 10;
    pub const MODULE: u8 = 11;
    pub const FUNCTION: u8 = 12;
    pub const CODE: u8 = 13;
    pub const FRAME: u8 = 14;
    pub const BYTES: u8 = 15;
    pub const NUMBERS: u8 = 16;
    pub const NDARRAY: u8 = 17;
    pub const VIEW: u8 = 18;
    pub const DATE: u8 = 19;
    pub const KEYS: u8 = 20;
    pub const BLOCKS: u8 = 21;
    pub const ORDERED_DICT: u8 = 22;
    pub const PLACES: u8 = 23;
}

/// Flags of rows.
pub const TRACKED: u8 = 1;
pub const SHARED: u8 = 2;
pub const HOLDS_TYPE: u8 = 4;
pub const RECORDER: u8 = 8;

/// Forms of dictionaries.
pub const ANY: u8 = 0;
pub const TEXTS: u8 = 1;
pub const SPLIT: u8 = 2;

/// Forms of instances.
pub const ONLY_SLOTS: u8 = 0;
pub const BLOCK: u8 = 2;
pub const OWN_DICT: u8 = 3;

/// An object under construction.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub sort: u8,
    pub flags: u8,
    pub ty: u32,
    /// References that no row shows.
    pub hidden_references: u64,
    /// What the blocks are asked for.
    pub blocks: Vec<u64>,
    pub payload: Vec<u8>,
    pub attributes: Vec<(u32, u32)>,
    pub elements: Vec<Option<u32>>,
    pub entries: Vec<(u32, u32)>,
    pub others: Vec<u32>,
    /// The stack that asked for it, from version 3 on.
    pub stack: Option<u32>,
}

/// A type under construction.
#[derive(Clone, Debug, Default)]
pub struct Type {
    pub name: u32,
    pub flags: u8,
    pub base: Option<u32>,
    pub module: Option<u32>,
    pub row: Option<u32>,
    pub slots: Vec<u32>,
}

/// A file under construction.
#[derive(Clone, Debug, Default)]
pub struct Dump {
    pub rows: Vec<Row>,
    pub types: Vec<Type>,
    pub names: Vec<Vec<u8>>,
    numbers: BTreeMap<String, u32>,
    builtins: BTreeMap<String, u32>,
    /// Sort, function, variable and row.
    pub roots: Vec<(u8, Option<u32>, Option<u32>, u32)>,
    pub header: String,
    pub version: u8,
    /// File, function and line.
    pub frames: Vec<(u32, u32, u32)>,
    /// The caller's stack, and a frame.
    pub stacks: Vec<(Option<u32>, u32)>,
}

/// The first version with extents of arrays.
pub const WITH_EXTENTS: u8 = 4;
/// The first version with stacks.
pub const WITH_STACKS: u8 = 3;
pub const STACK: u8 = 32;

pub fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// The number that stands for an index that may be none.
fn optional(index: Option<u32>, to: &mut Vec<u8>) {
    varint(index.map_or(0, |index| u64::from(index) + 1), to);
}

fn text(text: &[u8], to: &mut Vec<u8>) {
    varint(text.len() as u64, to);
    to.extend(text);
}

/// What the allocator charges: a size class, or a chunk of the C library.
pub fn charge(asked: u64) -> u64 {
    if asked <= 512 {
        asked.max(1).next_multiple_of(16)
    } else {
        (asked + 8).next_multiple_of(16)
    }
}

impl Dump {
    pub fn new() -> Self {
        Self {
            header: r#""python": [3, 12, 1], "moment": "exit", "process": 7, "parent": 6, "program": "shop.py", "unix_ms": 1, "resident_bytes": 50000000, "standard_library": "/usr/lib/python3.12", "site_packages": ["/srv/env/site-packages"]"#.to_owned(),
            version: 1,
            ..Self::default()
        }
    }

    pub fn name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.as_bytes().to_vec());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// A type that no class statement made.
    pub fn builtin(&mut self, name: &str) -> u32 {
        if let Some(&ty) = self.builtins.get(name) {
            return ty;
        }
        let number = self.types.len() as u32;
        let name_of = self.name(name);
        self.types.push(Type {
            name: name_of,
            ..Type::default()
        });
        self.builtins.insert(name.to_owned(), number);
        number
    }

    /// A type that a class statement of a module made, with its type object.
    pub fn class(&mut self, module: &str, name: &str, slots: &[&str], attributes: &[(&str, u32)]) -> u32 {
        let ty = self.types.len() as u32;
        let full = format!("{module}.{name}");
        let made = Type {
            name: self.name(&full),
            flags: 1,
            base: None,
            module: Some(self.name(module)),
            row: None,
            slots: slots.iter().map(|slot| self.name(slot)).collect(),
        };
        self.types.push(made);
        let dict = self.dict_of(attributes);
        let own = self.name("__dict__");
        let meta = self.builtin("type");
        let mut payload = Vec::new();
        varint(ty.into(), &mut payload);
        let row = self.add(Row {
            sort: sort::TYPE,
            ty: meta,
            blocks: vec![1704],
            payload,
            attributes: vec![(own, dict)],
            ..Row::default()
        });
        self.types[ty as usize].row = Some(row);
        ty
    }

    pub fn type_row(&self, ty: u32) -> u32 {
        self.types[ty as usize].row.expect("classes have type objects")
    }

    pub fn add(&mut self, row: Row) -> u32 {
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    pub fn object(&mut self, ty: &str, asked: u64, others: &[u32]) -> u32 {
        let ty = self.builtin(ty);
        self.add(Row {
            ty,
            blocks: vec![asked],
            others: others.to_vec(),
            ..Row::default()
        })
    }

    pub fn str(&mut self, characters: &str) -> u32 {
        self.str_of(characters.as_bytes(), characters, false)
    }

    pub fn interned(&mut self, characters: &str) -> u32 {
        self.str_of(characters.as_bytes(), characters, true)
    }

    /// A string whose bytes in the file are `raw`; `like` is one of the same width.
    pub fn str_of(&mut self, raw: &[u8], like: &str, is_interned: bool) -> u32 {
        let widest = like.chars().map(u32::from).max().unwrap_or(0);
        let (width, header, each) = match widest {
            0..0x80 => (0, 41, 1),
            0x80..0x100 => (1, 57, 1),
            0x100..0x1_0000 => (2, 58, 2),
            _ => (4, 60, 4),
        };
        let count = like.chars().count() as u64;
        let mut payload = Vec::new();
        varint(count, &mut payload);
        payload.extend([width, u8::from(is_interned)]);
        text(raw, &mut payload);
        let ty = self.builtin("str");
        self.add(Row {
            sort: sort::STR,
            ty,
            blocks: vec![header + each * count],
            payload,
            ..Row::default()
        })
    }

    pub fn int(&mut self, value: i128) -> u32 {
        let magnitude = value.unsigned_abs().to_le_bytes();
        let mut payload = vec![u8::from(value < 0)];
        text(
            &magnitude[..16 - value.unsigned_abs().leading_zeros() as usize / 8],
            &mut payload,
        );
        let ty = self.builtin("int");
        self.add(Row {
            sort: sort::INT,
            ty,
            blocks: vec![28],
            payload,
            ..Row::default()
        })
    }

    pub fn float(&mut self, value: f64) -> u32 {
        let ty = self.builtin("float");
        self.add(Row {
            sort: sort::FLOAT,
            ty,
            blocks: vec![24],
            payload: value.to_le_bytes().to_vec(),
            ..Row::default()
        })
    }

    pub fn list(&mut self, items: &[u32], room: u64) -> u32 {
        let mut payload = Vec::new();
        varint(room, &mut payload);
        let ty = self.builtin("list");
        let block = (room > 0).then_some(8 * room);
        self.add(Row {
            sort: sort::LIST,
            ty,
            blocks: std::iter::once(56).chain(block).collect(),
            payload,
            elements: items.iter().copied().map(Some).collect(),
            ..Row::default()
        })
    }

    pub fn tuple(&mut self, items: &[u32]) -> u32 {
        let ty = self.builtin("tuple");
        self.add(Row {
            sort: sort::TUPLE,
            ty,
            blocks: vec![40 + 8 * items.len() as u64],
            elements: items.iter().copied().map(Some).collect(),
            ..Row::default()
        })
    }

    /// An `ndarray` of references, whose dimensions have so many items at such distances. It has elements, or a base in which
    /// it begins so many bytes behind the first.
    pub fn references(
        &mut self,
        dimensions: &[(u64, i64)],
        elements: &[u32],
        base: Option<(u32, i64)>,
    ) -> u32 {
        let zigzag = |number: i64| ((number << 1) ^ (number >> 63)).cast_unsigned();
        let items: u64 = dimensions.iter().map(|(items, _)| items).product();
        let mut payload = Vec::new();
        varint(8 * items, &mut payload);
        payload.extend([0, b'O', 8, u8::from(base.is_none())]);
        self.version = self.version.max(WITH_EXTENTS);
        varint(dimensions.len() as u64, &mut payload);
        for &(items, stride) in dimensions {
            varint(items, &mut payload);
            varint(zigzag(stride), &mut payload);
        }
        varint(zigzag(base.map_or(0, |(_, offset)| offset)), &mut payload);
        let (ty, name) = (self.builtin("numpy.ndarray"), self.name("base"));
        self.add(Row {
            sort: sort::NDARRAY,
            ty,
            blocks: std::iter::once(96)
                .chain(base.is_none().then_some(8 * items))
                .collect(),
            payload,
            attributes: base.map(|(base, _)| (name, base)).into_iter().collect(),
            elements: elements.iter().copied().map(Some).collect(),
            ..Row::default()
        })
    }

    /// What says which columns a block has: by numbers, or by a `slice` where there are none.
    pub fn places(&mut self, numbers: &[u64], slice: Option<[i128; 3]>) -> u32 {
        let mut payload = Vec::new();
        varint(numbers.len() as u64, &mut payload);
        for &number in numbers {
            varint(number, &mut payload);
        }
        let others = slice.map(|slice| {
            let numbers = slice.map(|number| self.int(number));
            let names = ["start", "stop", "step"].map(|name| self.name(name));
            let ty = self.builtin("slice");
            self.add(Row {
                ty,
                blocks: vec![56],
                attributes: names.into_iter().zip(numbers).collect(),
                ..Row::default()
            })
        });
        let ty = self.builtin("pandas._libs.internals.BlockPlacement");
        self.version = self.version.max(WITH_EXTENTS);
        self.add(Row {
            sort: sort::PLACES,
            ty,
            blocks: vec![72],
            payload,
            others: others.into_iter().collect(),
            ..Row::default()
        })
    }

    /// A dictionary of this form, with room for as many entries as its keys have.
    pub fn dict(&mut self, form: u8, entries: &[(u32, u32)]) -> u32 {
        let slots = (entries.len() as u64 * 3).div_ceil(2).next_power_of_two().max(8);
        let room = if entries.is_empty() { 0 } else { slots * 2 / 3 };
        let mut payload = Vec::new();
        varint(entries.len() as u64, &mut payload);
        varint(room, &mut payload);
        payload.push(form);
        let keys = match (form, room) {
            (_, 0) => None,
            (TEXTS, _) => Some(32 + slots + 16 * room),
            (SPLIT, _) => Some(8 * room),
            _ => Some(32 + slots + 24 * room),
        };
        let ty = self.builtin("dict");
        self.add(Row {
            sort: sort::DICT,
            flags: TRACKED,
            ty,
            blocks: std::iter::once(64).chain(keys).collect(),
            payload,
            entries: entries.to_vec(),
            ..Row::default()
        })
    }

    /// One with interned keys.
    pub fn dict_of(&mut self, entries: &[(&str, u32)]) -> u32 {
        let entries: Vec<(u32, u32)> = entries
            .iter()
            .map(|&(key, value)| (self.interned(key), value))
            .collect();
        self.dict(TEXTS, &entries)
    }

    pub fn set(&mut self, items: &[u32], slots: u64, is_frozen: bool) -> u32 {
        let mut payload = Vec::new();
        varint(items.len() as u64, &mut payload);
        varint(slots, &mut payload);
        payload.push(u8::from(is_frozen));
        let ty = self.builtin(if is_frozen { "frozenset" } else { "set" });
        let table = (slots > 8).then_some(16 * slots);
        self.add(Row {
            sort: sort::SET,
            ty,
            blocks: std::iter::once(216).chain(table).collect(),
            payload,
            elements: items.iter().copied().map(Some).collect(),
            ..Row::default()
        })
    }

    /// An instance that has its attributes in this form; a dictionary of its own is one of them.
    pub fn instance(&mut self, ty: u32, form: u8, room: u64, attributes: &[(&str, u32)]) -> u32 {
        let mut payload = Vec::new();
        varint(room, &mut payload);
        payload.push(form);
        let attributes: Vec<(u32, u32)> = attributes
            .iter()
            .map(|&(name, to)| (self.name(name), to))
            .collect();
        let own = if form == ONLY_SLOTS {
            32 + 8 * attributes.len() as u64
        } else {
            48
        };
        let block = (form == BLOCK).then_some(8 * room + 8);
        self.add(Row {
            sort: sort::INSTANCE,
            flags: TRACKED | HOLDS_TYPE,
            ty,
            blocks: std::iter::once(own).chain(block).collect(),
            payload,
            attributes,
            ..Row::default()
        })
    }

    /// A module with its variables.
    pub fn module(&mut self, name: &str, file: Option<&str>, variables: &[(&str, u32)]) -> u32 {
        let dict = self.dict_of(variables);
        self.module_around(name, file, dict)
    }

    pub fn module_around(&mut self, name: &str, file: Option<&str>, dict: u32) -> u32 {
        let mut payload = Vec::new();
        let name = self.name(name);
        optional(Some(name), &mut payload);
        let file = file.map(|file| self.name(file));
        optional(file, &mut payload);
        let (ty, own) = (self.builtin("module"), self.name("__dict__"));
        self.add(Row {
            sort: sort::MODULE,
            flags: TRACKED,
            ty,
            blocks: vec![72],
            payload,
            attributes: vec![(own, dict)],
            ..Row::default()
        })
    }

    /// A function that sees the variables in `globals`, written in a file.
    pub fn function(&mut self, name: &str, file: &str, globals: u32, more: &[(&str, u32)]) -> u32 {
        let mut payload = Vec::new();
        for name in [file, name] {
            let name = self.name(name);
            varint(name.into(), &mut payload);
        }
        varint(10, &mut payload);
        let ty = self.builtin("code");
        let code = self.add(Row {
            sort: sort::CODE,
            ty,
            blocks: vec![200],
            payload,
            ..Row::default()
        });
        let ty = self.builtin("function");
        let own = [("__code__", code), ("__globals__", globals)];
        let attributes = own
            .iter()
            .chain(more)
            .map(|&(name, to)| (self.name(name), to))
            .collect();
        self.add(Row {
            sort: sort::FUNCTION,
            flags: TRACKED,
            ty,
            blocks: vec![160],
            attributes,
            ..Row::default()
        })
    }

    /// `bytes` of so many bytes, or a `bytearray`.
    pub fn bytes(&mut self, bytes: u64, zeros: u64, hash: u64, is_mutable: bool) -> u32 {
        let mut payload = contents(bytes, zeros, hash);
        payload.push(u8::from(is_mutable));
        varint(bytes, &mut payload);
        let ty = self.builtin(if is_mutable { "bytearray" } else { "bytes" });
        self.add(Row {
            sort: sort::BYTES,
            ty,
            blocks: if is_mutable {
                vec![56, bytes + 1]
            } else {
                vec![33 + bytes]
            },
            payload,
            ..Row::default()
        })
    }

    pub fn view(&mut self, of: u32, bytes: u64) -> u32 {
        let mut payload = Vec::new();
        varint(bytes, &mut payload);
        let (ty, object) = (self.builtin("managedbuffer"), self.name("obj"));
        let managed = self.add(Row {
            flags: TRACKED,
            ty,
            blocks: vec![144],
            attributes: vec![(object, of)],
            ..Row::default()
        });
        let ty = self.builtin("memoryview");
        self.add(Row {
            sort: sort::VIEW,
            flags: TRACKED,
            ty,
            blocks: vec![184],
            payload,
            others: vec![managed],
            ..Row::default()
        })
    }

    /// Adds a line that ran, called by a stack, and gives the stack of both.
    pub fn ran(&mut self, caller: Option<u32>, file: &str, function: &str, line: u32) -> u32 {
        if self.version == 1 {
            // Since the second version a deque says how long it may get.
            let deques = self.rows.iter_mut().filter(|row| row.sort == sort::DEQUE);
            deques.for_each(|deque| deque.payload.push(0));
        }
        self.version = self.version.max(WITH_STACKS);
        let frame = (self.name(file), self.name(function), line);
        self.frames.push(frame);
        self.stacks.push((caller, self.frames.len() as u32 - 1));
        self.stacks.len() as u32 - 1
    }

    /// Says which stack asked for a row.
    pub fn made(&mut self, row: u32, stack: u32) {
        self.rows[row as usize].stack = Some(stack);
    }

    /// What the interpreter holds.
    pub fn held_by_interpreter(&mut self, row: u32) {
        self.roots.push((1, None, None, row));
    }

    /// A local variable of a function that runs.
    pub fn local(&mut self, function: &str, variable: &str, row: u32) {
        let (function, variable) = (self.name(function), self.name(variable));
        self.roots.push((0, Some(function), Some(variable), row));
    }

    /// The references that rows and roots have to each row.
    fn shown(&self) -> Vec<u64> {
        let mut shown = vec![0; self.rows.len()];
        let mut add = |row: u32| shown[row as usize] += 1;
        for row in &self.rows {
            row.attributes.iter().for_each(|&(_, to)| add(to));
            row.elements.iter().flatten().for_each(|&to| add(to));
            let is_split = row.sort == sort::DICT && row.payload.last() == Some(&SPLIT);
            for &(key, value) in &row.entries {
                if !is_split {
                    add(key);
                }
                add(value);
            }
            row.others.iter().for_each(|&to| add(to));
            if row.flags & HOLDS_TYPE != 0 {
                self.types[row.ty as usize].row.into_iter().for_each(&mut add);
            }
        }
        self.roots.iter().for_each(|root| add(root.3));
        shown
    }

    pub fn file(&self) -> Vec<u8> {
        let mut file = [b"DWPYHEAP", &[self.version, 0, 0, 0, 0, 0, 0, 0][..]].concat();
        let (mut pools, mut in_pools) = (0, 0);
        let (mut of_objects, mut object_bytes) = (0, 0);
        for (row, shown) in self.rows.iter().zip(self.shown()) {
            let references = if row.flags & SHARED != 0 {
                0
            } else {
                shown + row.hidden_references
            };
            let stack = row.stack.filter(|_| self.version >= WITH_STACKS);
            file.extend([row.sort, row.flags | if stack.is_some() { STACK } else { 0 }]);
            varint(row.ty.into(), &mut file);
            varint(references, &mut file);
            varint(row.blocks.len() as u64, &mut file);
            for &asked in &row.blocks {
                varint(asked, &mut file);
                varint(charge(asked), &mut file);
                if asked <= 512 {
                    pools += charge(asked);
                    in_pools += 1;
                    if row.sort != sort::BLOCKS {
                        object_bytes += charge(asked);
                        of_objects += 1;
                    }
                }
            }
            file.extend(&row.payload);
            varint(row.attributes.len() as u64, &mut file);
            for &(name, to) in &row.attributes {
                varint(name.into(), &mut file);
                varint(to.into(), &mut file);
            }
            varint(row.elements.len() as u64, &mut file);
            row.elements.iter().for_each(|&to| optional(to, &mut file));
            varint(row.entries.len() as u64, &mut file);
            for &(key, value) in &row.entries {
                optional(Some(key), &mut file);
                optional(Some(value), &mut file);
            }
            varint(row.others.len() as u64, &mut file);
            row.others.iter().for_each(|&to| varint(to.into(), &mut file));
            if stack.is_some() {
                optional(stack, &mut file);
            }
        }
        let place = file.len() as u64;
        let header = format!(
            r#"{{{}, "blocks": {in_pools}, "allocator": {{"name": "pymalloc", "pools": 1, "pool_blocks": {in_pools}, "pool_block_bytes": {pools}, "object_blocks": {of_objects}, "object_block_bytes": {object_bytes}, "unused_bytes": 48}}}}"#,
            self.header
        );
        file.extend((header.len() as u32).to_le_bytes());
        file.extend(header.bytes());
        varint(self.names.len() as u64, &mut file);
        self.names.iter().for_each(|name| text(name, &mut file));
        varint(self.types.len() as u64, &mut file);
        for ty in &self.types {
            varint(ty.name.into(), &mut file);
            file.push(ty.flags);
            optional(ty.base, &mut file);
            varint(16, &mut file);
            varint(0, &mut file);
            optional(ty.module, &mut file);
            optional(ty.row, &mut file);
            varint(ty.slots.len() as u64, &mut file);
            for (at, &slot) in ty.slots.iter().enumerate() {
                varint(slot.into(), &mut file);
                varint(16 + 8 * at as u64, &mut file);
            }
        }
        varint(self.roots.len() as u64, &mut file);
        for &(sort, function, variable, row) in &self.roots {
            file.push(sort);
            optional(function, &mut file);
            optional(variable, &mut file);
            varint(row.into(), &mut file);
        }
        if self.version >= WITH_STACKS {
            varint(self.frames.len() as u64, &mut file);
            for &(of_file, function, line) in &self.frames {
                for number in [of_file, function, line] {
                    varint(number.into(), &mut file);
                }
            }
            varint(self.stacks.len() as u64, &mut file);
            for &(caller, frame) in &self.stacks {
                optional(caller, &mut file);
                varint(frame.into(), &mut file);
            }
        }
        varint(self.rows.len() as u64, &mut file);
        file.extend(place.to_le_bytes());
        file.extend(b"DWPYDONE");
        file
    }
}

/// Bytes that were read.
pub fn contents(bytes: u64, zeros: u64, hash: u64) -> Vec<u8> {
    let mut payload = Vec::new();
    varint(bytes, &mut payload);
    payload.push(1);
    varint(zeros, &mut payload);
    varint((bytes - zeros).div_ceil(8), &mut payload);
    payload.extend(hash.to_le_bytes());
    payload
}
