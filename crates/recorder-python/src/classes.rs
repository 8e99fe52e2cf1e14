//! Types: what their objects look like, found once for each.

use std::ffi::{c_int, c_void};

use crate::index::Index;
use crate::layout::{Layout, class, member, object};
use crate::names::Names;
use crate::output::Output;
use crate::raw::{Address, c_text, class_of, half, word};
use crate::sort::{NAMED, Sort, Variant};
use crate::tables;
use crate::texts::Texts;

pub type Visit = unsafe extern "C" fn(Address, *mut c_void) -> c_int;
pub type Traverse = unsafe extern "C" fn(Address, Visit, *mut c_void) -> c_int;
type IsGc = unsafe extern "C" fn(Address) -> c_int;

/// What is known of a type.
#[derive(Clone, Copy)]
pub struct Class {
    pub address: Address,
    pub number: u32,
    pub sort: Sort,
    pub variant: Variant,
    pub flags: usize,
    /// Made by a class statement, or a call that does the same.
    pub is_statement: bool,
    pub basic_size: usize,
    pub item_size: usize,
    pub dictionary_offset: isize,
    /// Where an object has the first weak reference to it; 0 where it can have none.
    pub weak_offset: isize,
    /// That of the first base that no class statement made.
    pub traverse: Option<Traverse>,
    is_gc: Option<IsGc>,
    /// Declared references, of all its bases, as name and offset.
    pub members: &'static [(u32, usize)],
    own_members: usize,
    name: u32,
    module: Option<u32>,
    base: Option<u32>,
    pub keys: Address,
}

impl Class {
    /// Whether objects have what managed dictionaries and weak references need before them.
    pub fn has_preheader(&self, layout: &Layout) -> bool {
        layout.has_preheader(self.flags)
    }

    /// Whether the collector knows an object of it.
    pub fn knows_gc(&self, of: Address) -> bool {
        self.flags & class::HAVE_GC != 0
            // SAFETY: the type's own answer for its object, which reads its flags.
            && self.is_gc.is_none_or(|is_gc| unsafe { is_gc(of) } != 0)
    }
}

/// All types met.
pub struct Classes {
    layout: Layout,
    index: Index,
    all: Vec<Class>,
    rows: Vec<u32>,
    /// Whether an object of each type is referred to weakly.
    weakly: Vec<bool>,
    natives: Vec<(Address, Sort, Variant)>,
}

impl Classes {
    /// `natives` are the exported types' addresses.
    pub fn new(layout: Layout, natives: Vec<(Address, Sort, Variant)>) -> Self {
        Self {
            layout,
            index: Index::new(),
            all: Vec::new(),
            rows: Vec::new(),
            weakly: Vec::new(),
            natives,
        }
    }

    /// What is known of an object's type. `row` gives the row of a type object, when the type is new.
    pub fn of(
        &mut self,
        of: Address,
        texts: &Texts,
        names: &mut Names,
        row: &mut dyn FnMut(Address) -> u32,
    ) -> Class {
        // SAFETY: the address is that of an object.
        self.get(unsafe { class_of(of) }, texts, names, row)
    }

    /// What is known of a type itself.
    pub fn get(
        &mut self,
        at: Address,
        texts: &Texts,
        names: &mut Names,
        row: &mut dyn FnMut(Address) -> u32,
    ) -> Class {
        let (number, is_new) = self.index.number(at);
        if !is_new {
            return self.all[number as usize];
        }
        let mut class = self.read(at, number, texts, names);
        self.all.push(class);
        self.rows.push(row(at));
        self.weakly.push(false);
        // SAFETY: a type's base is a type or nothing.
        let base = unsafe { word(at + class::BASE) };
        if base != 0 {
            class.base = Some(self.get(base, texts, names, row).number);
            self.all[number as usize] = class;
        }
        class
    }

    fn read(&self, at: Address, number: u32, texts: &Texts, names: &mut Names) -> Class {
        let layout = &self.layout;
        let native = self.native(at);
        let is_statement = native != at;
        // SAFETY: the fields of a type, and that of the one it is based on: objects of the one are of the other, too.
        let (flags, basic_size, item_size, traverse, is_gc, weak, dictionary) = unsafe {
            (
                word(at + class::FLAGS),
                word(at + class::BASIC_SIZE),
                word(at + class::ITEM_SIZE),
                std::mem::transmute::<usize, Option<Traverse>>(word(native + class::TRAVERSE)),
                std::mem::transmute::<usize, Option<IsGc>>(word(at + class::IS_GC)),
                word(at + class::WEAK_OFFSET),
                word(at + class::DICTIONARY_OFFSET),
            )
        };
        let (sort, variant) = self.sort(native, is_statement);
        let mut members = Vec::new();
        let mut own_members = 0;
        let mut base = at;
        while base != 0 {
            read_members(base, names, &mut members);
            if base == at {
                own_members = members.len();
            }
            // SAFETY: a type's base is a type or nothing.
            base = unsafe { word(base + class::BASE) };
        }
        let (name, module) = self.name(at, texts, names);
        Class {
            address: at,
            number,
            sort,
            variant,
            flags,
            is_statement,
            basic_size,
            item_size,
            dictionary_offset: dictionary.cast_signed(),
            weak_offset: weak.cast_signed(),
            traverse,
            is_gc,
            members: members.leak(),
            own_members,
            name,
            module,
            base: None,
            keys: if flags & class::HEAP_TYPE == 0 {
                0
            } else {
                // SAFETY: a type made at run time has the field.
                unsafe { word(at + layout.heap_keys) }
            },
        }
    }

    /// The first of a type and its bases that no class statement made: it has neither shared keys nor slots.
    fn native(&self, mut at: Address) -> Address {
        // SAFETY: types, whose fields these are.
        unsafe {
            while word(at + class::FLAGS) & class::HEAP_TYPE != 0
                && (word(at + self.layout.heap_keys) != 0 || word(at + self.layout.heap_slots) != 0)
            {
                let base = word(at + class::BASE);
                if base == 0 {
                    break;
                }
                at = base;
            }
        }
        at
    }

    fn sort(&self, native: Address, is_statement: bool) -> (Sort, Variant) {
        if let Some((_, sort, variant)) = self.natives.iter().find(|known| known.0 == native) {
            return (*sort, *variant);
        }
        // SAFETY: a type has a name; its base is a type or nothing.
        let (name, base) = unsafe { (c_text(word(native + class::NAME)), word(native + class::BASE)) };
        if let Some((_, sort, variant)) = NAMED.iter().find(|known| known.0 == name) {
            return (*sort, *variant);
        }
        let sort = if is_statement && base == 0 {
            Sort::Instance
        } else {
            Sort::Other
        };
        (sort, Variant::None)
    }

    /// A type's name, and that of its module.
    fn name(&self, at: Address, texts: &Texts, names: &mut Names) -> (u32, Option<u32>) {
        // SAFETY: the fields of a type.
        let (flags, own) = unsafe { (word(at + class::FLAGS), c_text(word(at + class::NAME))) };
        let split = own.iter().rposition(|&byte| byte == b'.');
        let mut module = split.map_or(&b"builtins"[..], |dot| &own[..dot]).to_vec();
        let mut name = own.to_vec();
        if flags & class::HEAP_TYPE != 0 {
            // SAFETY: a type made at run time has these fields.
            let (qualified, dictionary) = unsafe {
                (
                    word(at + self.layout.heap_qualified),
                    word(at + class::DICTIONARY),
                )
            };
            if let Some(text) = tables::find(&self.layout, texts, dictionary, b"__module__")
                .and_then(|found| texts.utf8(found))
            {
                module = text;
            }
            if let Some(text) = (qualified != 0).then(|| texts.utf8(qualified)).flatten() {
                name = if module == b"builtins" || module.is_empty() {
                    text
                } else {
                    [&module[..], b".", &text].concat()
                };
            }
        }
        (names.of(&name), Some(names.of(&module)))
    }

    /// Notes whether something refers weakly to an object of the type.
    pub fn note_weakly(&mut self, of: Address, class: &Class) {
        let is_weakly = class.weak_offset != 0 && {
            // SAFETY: its type says that each of its objects has the place, before it where the number is negative.
            unsafe { word(of.wrapping_add_signed(class.weak_offset)) != 0 }
        };
        if is_weakly {
            self.weakly[class.number as usize] = true;
        }
    }

    pub fn write(&self, output: &mut Output, layout: &Layout) {
        output.number(self.all.len() as u64);
        for ((class, row), is_weakly) in self.all.iter().zip(&self.rows).zip(&self.weakly) {
            let has = |flag: usize| class.flags & flag != 0;
            let has_weak = class.weak_offset != 0 || has(class::MANAGED_WEAK);
            let has_dictionary = class.dictionary_offset != 0 || has(class::MANAGED_DICTIONARY);
            let flags = u8::from(class.is_statement)
                | u8::from(has(class::HAVE_GC)) << 1
                | u8::from(has_dictionary) << 2
                | u8::from(has_weak) << 3
                | u8::from(class.has_preheader(layout)) << 4
                | u8::from(*is_weakly) << 5;
            output.number(u64::from(class.name));
            output.byte(flags);
            output.number(class.base.map_or(0, |base| u64::from(base) + 1));
            output.number(class.basic_size as u64);
            output.number(class.item_size as u64);
            output.number(class.module.map_or(0, |module| u64::from(module) + 1));
            output.number(u64::from(*row) + 1);
            let own = &class.members[..if class.is_statement { class.own_members } else { 0 }];
            output.number(own.len() as u64);
            for (name, offset) in own {
                output.number(u64::from(*name));
                output.number(*offset as u64);
            }
        }
    }
}

/// The references that a type declares, and where its objects have them.
fn read_members(at: Address, names: &mut Names, members: &mut Vec<(u32, usize)>) {
    // SAFETY: a type's members end with one without a name.
    unsafe {
        let mut one = word(at + class::MEMBERS);
        if one == 0 {
            return;
        }
        loop {
            let name = word(one + member::NAME);
            if name == 0 {
                return;
            }
            let offset = word(one + member::OFFSET);
            let is_new = members.iter().all(|(_, known)| *known != offset);
            if member::REFERENCES.contains(&half(one + member::SORT)) && is_new {
                members.push((names.of(c_text(name)), offset));
            }
            one += member::SIZE;
        }
    }
}

/// Where the dictionary of an object is kept, when its type has a place for one; counted from the end where it varies.
pub fn dictionary_place(of: Address, class: &Class, items: usize) -> Option<Address> {
    if class.flags & class::MANAGED_DICTIONARY != 0 {
        return None;
    }
    match class.dictionary_offset {
        0 => None,
        offset @ 1.. => Some(of + offset.unsigned_abs()),
        offset => {
            let size = (class.basic_size + items * class.item_size).next_multiple_of(8);
            (size >= object::HEADER + offset.unsigned_abs()).then(|| of + size - offset.unsigned_abs())
        }
    }
}
