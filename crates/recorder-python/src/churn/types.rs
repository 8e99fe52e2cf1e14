//! What an object is, by the block that it lies in.

use rustc_hash::FxHashMap;

use crate::layout::{Layout, class, object};
use crate::live;
use crate::raw::{Address, byte, c_text, class_of, word};
use crate::sort::{NAMED, Sort};
use crate::symbols::Symbols;

/// Bytes of a type that are read to see whether it is one.
const SEEN: usize = class::IS_GC;
/// Words that are no types, as seen lately.
const REFUSED: usize = 1 << 10;
/// Answers after which those are asked for again: another type may have come to lie there.
const RENEWED: u32 = 1 << 16;
/// Classes of classes of classes.
const DEEPEST: u32 = 4;

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub name: Vec<u8>,
    pub kind: &'static str,
}

/// What is known of a type by its address.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Where its name is and how that begins: another type at this address has another.
    name: Address,
    begins: [u8; 8],
    id: u32,
    /// Bytes of a block before the object in it.
    before: usize,
    /// Bytes of an object at least.
    basic: usize,
}

/// An object of a block: how far inside of it, and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub before: usize,
    pub class: Address,
    pub id: u32,
}

pub struct Types {
    layout: Layout,
    pub all: Vec<Type>,
    ids: FxHashMap<Type, u32>,
    known: FxHashMap<Address, Known>,
    refused: Box<[Address; REFUSED]>,
    asked: u32,
    sorts: FxHashMap<Address, Sort>,
    class_of_classes: Address,
}

impl Types {
    /// `None` where the interpreter lacks one of its own types.
    pub fn new(layout: Layout) -> Option<Self> {
        let sorts: FxHashMap<Address, Sort> = Symbols::types()
            .ok()?
            .into_iter()
            .map(|(at, sort, _)| (at, sort))
            .collect();
        let class_of_classes = *sorts.iter().find(|(_, sort)| **sort == Sort::Type)?.0;
        Some(Self {
            layout,
            all: Vec::new(),
            ids: FxHashMap::default(),
            known: FxHashMap::default(),
            refused: Box::new([0; REFUSED]),
            asked: 0,
            sorts,
            class_of_classes,
        })
    }

    /// The number of a type that is written so.
    pub fn named(&mut self, name: &[u8], kind: &'static str) -> u32 {
        let of = Type {
            name: name.to_vec(),
            kind,
        };
        let next = self.all.len() as u32;
        let id = *self.ids.entry(of.clone()).or_insert(next);
        if id == next {
            self.all.push(of);
        }
        id
    }

    /// What lies in a block of so many bytes; `None` where no object is recognized.
    ///
    /// # Safety
    /// The block is alive, and no other thread changes it.
    pub unsafe fn of(&mut self, block: Address, bytes: usize) -> Option<Found> {
        // Alone, behind the collector's links, or with two references before these.
        for before in [0, object::GC, 2 * object::GC] {
            if bytes < before + object::HEADER {
                break;
            }
            // SAFETY: within the block.
            let class = unsafe { class_of(block + before) };
            // SAFETY: as above.
            let Some(known) = (unsafe { self.known(class) }) else {
                continue;
            };
            if known.before == before && bytes >= before + known.basic {
                return Some(Found {
                    before,
                    class,
                    id: known.id,
                });
            }
        }
        None
    }

    /// What is known of a type, where the word is the address of one.
    unsafe fn known(&mut self, word_of_class: Address) -> Option<Known> {
        let at = word_of_class;
        if !at.is_multiple_of(8) || !(4096..1 << 47).contains(&at) {
            return None;
        }
        if let Some(known) = self.known.get(&at) {
            // SAFETY: a word of an object that was a type's address, while that object is there.
            let is_same = unsafe { word(at + class::NAME) == known.name && begins(known.name, known.begins) };
            if is_same {
                return Some(*known);
            }
        }
        self.asked += 1;
        if self.asked.is_multiple_of(RENEWED) {
            self.refused.fill(0);
        }
        let place = (at >> 4) % REFUSED;
        if self.refused[place] == at {
            return None;
        }
        if !self.is_type(at, 0) {
            self.refused[place] = at;
            return None;
        }
        // SAFETY: it is a type.
        let known = unsafe { self.describe(at) };
        self.known.insert(at, known);
        Some(known)
    }

    /// Whether a word is the address of a type. It may be anything: the system reads what is there.
    fn is_type(&self, at: Address, depth: u32) -> bool {
        if at == self.class_of_classes {
            return true;
        }
        let mut bytes = [0; SEEN];
        if !at.is_multiple_of(8) || depth > DEEPEST || !live::is_there(at, &mut bytes) {
            return false;
        }
        let of = |place: usize| {
            let word = bytes[place..place + 8].first_chunk().copied();
            usize::from_ne_bytes(word.unwrap_or_default())
        };
        let of_class = of(8);
        let mut first = [0; 1];
        if !live::is_there(of(class::NAME), &mut first) || first[0] == 0 {
            return false;
        }
        if of_class == self.class_of_classes {
            return true;
        }
        let mut flags = [0; 8];
        let is_class_of_types = live::is_there(of_class.wrapping_add(class::FLAGS), &mut flags)
            && usize::from_ne_bytes(flags) & class::TYPE != 0;
        is_class_of_types && self.is_type(of_class, depth + 1)
    }

    /// # Safety
    /// The address is that of a type.
    unsafe fn describe(&mut self, at: Address) -> Known {
        // SAFETY: the caller's promise.
        let (flags, basic, name) = unsafe {
            (
                word(at + class::FLAGS),
                word(at + class::BASIC_SIZE),
                word(at + class::NAME),
            )
        };
        // SAFETY: a type has a name.
        let name_text = unsafe { c_text(name) }.to_vec();
        let mut begins = [0; 8];
        let count = name_text.len().min(begins.len());
        begins[..count].copy_from_slice(&name_text[..count]);
        let mut before = 0;
        if flags & class::HAVE_GC != 0 {
            before += object::GC;
        }
        if self.layout.has_preheader(flags) {
            before += object::GC;
        }
        let kind = self.kind(at, flags, &name_text);
        Known {
            name,
            begins,
            id: self.named(&name_text, kind),
            before,
            // A `str` of ASCII is smaller than its type says.
            basic: if flags & class::STR == 0 {
                basic
            } else {
                object::SIZED
            },
        }
    }

    fn kind(&self, at: Address, flags: usize, name: &[u8]) -> &'static str {
        let sort = self.sorts.get(&at).copied().or_else(|| {
            let named = NAMED.iter().find(|(known, ..)| *known == name);
            named.map(|(_, sort, _)| *sort)
        });
        let is = |any: usize| flags & any != 0;
        if sort == Some(Sort::Array) || name == b"bytearray" {
            return "buffer";
        }
        match sort {
            Some(Sort::Str | Sort::Bytes) => "string",
            Some(Sort::Int | Sort::Float) => "number",
            Some(Sort::List | Sort::Tuple | Sort::Deque) => "array",
            Some(Sort::Dict | Sort::Set | Sort::OrderedDict) => "table",
            Some(Sort::Date) => "date",
            Some(Sort::Function) => "closure",
            None if is(class::STR | class::BYTES) => "string",
            None if is(class::INT) || name == b"complex" => "number",
            None if is(class::LIST | class::TUPLE) => "array",
            None if is(class::DICT) => "table",
            None if is(class::HEAP_TYPE | class::EXCEPTION) && !is(class::TYPE) => "record",
            _ => "opaque",
        }
    }
}

/// Whether a text begins with these characters, or is as short and the same.
///
/// # Safety
/// The address is that of a text that ends with zero.
unsafe fn begins(at: Address, expected: [u8; 8]) -> bool {
    for (place, expected) in expected.into_iter().enumerate() {
        // SAFETY: the caller's promise; what stands before was not the zero.
        if unsafe { byte(at + place) } != expected {
            return false;
        }
        if expected == 0 {
            break;
        }
    }
    true
}
