//! All objects, from those the collector tracks to all that they refer to; a row is written for each as it is found.

use std::ffi::{c_int, c_void};

use crate::blocks::Blocks;
use crate::churn::Made;
use crate::classes::{Class, Classes};
use crate::index::Index;
use crate::interned::Interned;
use crate::layout::{Layout, class, object};
use crate::names::Names;
use crate::output::Output;
use crate::raw::{Address, half, word};
use crate::row::{Row, flag};
use crate::sort::Sort;
use crate::tables::Keys;
use crate::texts::Texts;

/// Marks the keys that instances share, which are no objects, among the addresses.
const SHARED_KEYS: Address = 1;

/// What the interpreter at hand is.
#[derive(Clone, Copy)]
pub struct Interpreter {
    pub layout: Layout,
    /// Gives a new reference to the dictionary of a type that has none in its field.
    pub type_dictionary: Option<unsafe extern "C" fn(Address) -> Address>,
}

/// The walk over all objects.
pub struct Walk {
    pub interpreter: Interpreter,
    pub texts: Texts,
    pub names: Names,
    pub classes: Classes,
    pub nodes: Index,
    pub blocks: Blocks,
    pub output: Output,
    pub row: Row,
    /// The interpreter's own table of texts.
    pub interned: Option<Interned>,
    /// What the process made, where that is recorded.
    pub made: Option<Made>,
    /// Whether the lines that made objects are wanted.
    pub has_lines: bool,
    pub visited: Vec<Address>,
    pub named: Vec<Address>,
}

impl Walk {
    pub fn layout(&self) -> &Layout {
        &self.interpreter.layout
    }

    /// The row of an object.
    #[inline]
    pub fn row_of(&mut self, at: Address) -> u32 {
        self.nodes.number(at).0
    }

    /// The row of the keys that instances of a type share.
    pub fn keys_row(&mut self, keys: Address) -> u32 {
        self.nodes.number(keys | SHARED_KEYS).0
    }

    pub fn class_of(&mut self, at: Address) -> Class {
        let nodes = &mut self.nodes;
        self.classes.of(at, &self.texts, &mut self.names, &mut |found| {
            nodes.number(found).0
        })
    }

    /// What is known of a type.
    pub fn class_at(&mut self, of: Address) -> Class {
        let nodes = &mut self.nodes;
        let mut row = |found| nodes.number(found).0;
        self.classes.get(of, &self.texts, &mut self.names, &mut row)
    }

    /// Writes the rows of all that is known and of all that is found on the way.
    pub fn run(&mut self) {
        let mut next = 0;
        while let Some(at) = self.nodes.key(next) {
            self.row.clear();
            self.named.clear();
            if at & SHARED_KEYS == 0 {
                self.write_object(at);
            } else {
                self.write_keys(at & !SHARED_KEYS);
            }
            self.row.write(&mut self.output);
            next += 1;
        }
    }

    fn write_object(&mut self, at: Address) {
        let class = self.class_of(at);
        self.row.sort = class.sort as u8;
        self.row.class = class.number;
        self.row.references = self.references(at);
        // What nobody but the record refers to is no object of the program's: it has the record as its holder.
        if class.sort == Sort::Code
            && self.row.references > 1
            && self.made.is_some_and(|made| made.has_code(at))
        {
            self.row.references -= 1;
        }
        // SAFETY: an object that the collector knows has its links before it.
        if class.knows_gc(at) && unsafe { word(at - object::GC) } != 0 {
            self.row.flags |= flag::TRACKED;
        }
        let before = self.before(at, &class);
        let size = self.size(at, &class);
        match self.blocks.charge(at - before, size + before) {
            Some(charged) => {
                self.row.blocks.push(((size + before) as u64, charged));
                self.row.stack = self.made_by(at - before, &class);
            }
            None => self.row.flags |= flag::SHARED,
        }
        if self.row.references == 0 {
            self.row.flags |= flag::SHARED;
        }
        if class.flags & class::HEAP_TYPE != 0 {
            self.row.flags |= flag::COUNTS_TYPE;
        }
        self.tell(at, &class);
        self.members(at, &class);
        self.dictionary(at, &class);
        self.others(at, &class);
        if class.sort == Sort::Places {
            self.tell_places();
        }
    }

    /// The stack that made the object of a block; 0 where that is not known.
    fn made_by(&self, block: Address, class: &Class) -> u32 {
        let has_free_list = class.flags & class::HEAP_TYPE == 0
            && matches!(class.sort, Sort::Float | Sort::List | Sort::Tuple | Sort::Dict);
        let made = self.made.filter(|_| self.has_lines);
        made.map_or(0, |made| made.stack(block, has_free_list))
    }

    /// Bytes of an object's block that stand before it.
    pub fn before(&self, at: Address, class: &Class) -> usize {
        let parts = usize::from(class.knows_gc(at)) + usize::from(class.has_preheader(self.layout()));
        parts * object::GC
    }

    /// References to an object; 0 when it is immortal.
    fn references(&self, at: Address) -> u64 {
        // SAFETY: an object begins with the count.
        let count = unsafe { word(at) };
        if self.layout().minor < 12 {
            return count as u64;
        }
        // SAFETY: as above.
        let count = unsafe { half(at) };
        if count.cast_signed() < 0 {
            0
        } else {
            u64::from(count)
        }
    }

    /// References that an object's type declares, and those of a function.
    fn members(&mut self, at: Address, class: &Class) {
        if class.sort == Sort::Function {
            for (name, offset) in self.interpreter.layout.function {
                self.attribute(name.as_bytes(), at + offset);
            }
        }
        for (name, offset) in class.members {
            // SAFETY: the type declares a reference there.
            let value = unsafe { word(at + offset) };
            if value != 0 && !(class.sort == Sort::Function && self.named.contains(&value)) {
                self.add(*name, value);
            }
        }
    }

    /// A reference with a name of its own.
    pub fn attribute(&mut self, name: &[u8], place: Address) {
        // SAFETY: the caller's place is one of a reference within the object.
        let value = unsafe { word(place) };
        if value != 0 {
            let name = self.names.of(name);
            self.add(name, value);
        }
    }

    pub fn add(&mut self, name: u32, value: Address) {
        let row = self.row_of(value);
        self.named.push(value);
        self.row.attributes.push((name, row));
    }

    pub fn other(&mut self, value: Address) {
        if value != 0 {
            let row = self.row_of(value);
            self.row.others.push(row);
        }
    }

    /// What a type shows to the collector beyond what has a name. The reference to the type itself is left out.
    fn others(&mut self, at: Address, class: &Class) {
        let is_exact = match class.sort {
            Sort::Other | Sort::Places | Sort::Module | Sort::Function | Sort::Frame | Sort::View => false,
            // The function of the type of types does not take those of C.
            Sort::Type => !class.knows_gc(at),
            _ => true,
        };
        if is_exact {
            return;
        }
        let Some(traverse) = class.traverse.filter(|_| class.knows_gc(at)) else {
            if class.sort == Sort::Other && class.members.is_empty() && class.basic_size > object::SIZED {
                self.row.flags |= flag::HIDDEN;
            }
            return;
        };
        let mut visited = std::mem::take(&mut self.visited);
        visited.clear();
        // SAFETY: the type's function for its object, which only hands over references; nothing else runs.
        unsafe { traverse(at, note, (&raw mut visited).cast()) };
        if class.flags & class::HEAP_TYPE != 0
            && let Some(place) = visited.iter().position(|found| *found == class.address)
        {
            visited.swap_remove(place);
        }
        for named in std::mem::take(&mut self.named) {
            if let Some(place) = visited.iter().position(|found| *found == named) {
                visited.swap_remove(place);
            }
        }
        for found in &visited {
            self.other(*found);
        }
        self.visited = visited;
    }

    fn write_keys(&mut self, at: Address) {
        let keys = Keys::read(self.layout(), at);
        self.row.sort = Sort::SharedKeys as u8;
        self.row.references = keys.references as u64;
        match self.blocks.charge(at, keys.size) {
            Some(charged) => self.row.blocks.push((keys.size as u64, charged)),
            None => self.row.flags |= flag::SHARED,
        }
        self.row.tell(keys.entries as u64);
        self.row.tell(keys.room as u64);
        for entry in 0..keys.entries {
            self.other(keys.key(entry));
        }
    }

    /// The block of an object beyond its own.
    pub fn block(&mut self, at: Address, asked: usize) {
        if at != 0
            && let Some(charged) = self.blocks.charge(at, asked)
        {
            self.row.blocks.push((asked as u64, charged));
        }
    }
}

/// Takes a reference from a type's function.
unsafe extern "C" fn note(found: Address, all: *mut c_void) -> c_int {
    if found != 0 {
        // SAFETY: what was handed to the type's function above.
        unsafe { &mut *all.cast::<Vec<Address>>() }.push(found);
    }
    0
}
