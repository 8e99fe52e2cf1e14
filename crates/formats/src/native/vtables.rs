//! Types of blocks that begin with the address of a virtual table, as the Itanium C++ ABI lays them out: before the
//! table's first function stand the offset to the whole object and the address of the type's description, whose second
//! word is the address of its name. Names stay in stripped programs, as `dynamic_cast` and exceptions need them.

use object::{Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget};
use rustc_hash::FxHashMap;

use super::allocated::Allocated;
use super::demangle::type_of_block;
use super::modules::Modules;
use super::{Dump, noted};

/// What stands in a word of an object once it is loaded.
enum Word {
    /// An address in the same object.
    Address(u64),
    /// A symbol of any object.
    Symbol(String),
}

/// Finds types by the addresses of virtual tables.
pub struct Vtables<'a> {
    modules: &'a Modules,
    relocated: FxHashMap<usize, FxHashMap<u64, Word>>,
    types: FxHashMap<u64, Option<Allocated>>,
}

impl<'a> Vtables<'a> {
    /// The tables of these objects, and those that the dump itself names.
    pub fn new(dump: &Dump, modules: &'a Modules) -> Self {
        Self {
            modules,
            relocated: FxHashMap::default(),
            types: noted::types(dump.facts()),
        }
    }

    /// Whether there may be a virtual table at an address: most first words are no address of a program at all.
    pub fn may_be_at(&self, address: u64) -> bool {
        self.modules.at(address).is_some() || self.types.contains_key(&address)
    }

    /// The type whose virtual table is at an address.
    pub fn type_of(&mut self, address: u64) -> Option<&Allocated> {
        // Nothing is kept of what is no address of a program.
        if self.modules.at(address).is_some() && !self.types.contains_key(&address) {
            let found = self.look(address);
            self.types.insert(address, found);
        }
        self.types.get(&address)?.as_ref()
    }

    fn look(&mut self, address: u64) -> Option<Allocated> {
        let index = self.modules.at(address)?;
        let module = self.modules.get(index);
        let object = module.object()?;
        let words = self.relocated.entry(index).or_insert_with(|| relocated(&object));
        let own = address.wrapping_sub(module.bias);
        let whole = own.checked_sub(16)?;
        if words.contains_key(&whole) || stored(&object, whole)? != 0 {
            return None;
        }
        let description = match words.get(&(own - 8)) {
            Some(Word::Symbol(name)) => return type_of_block(name.strip_prefix("_ZTI")?),
            Some(Word::Address(address)) => *address,
            None => stored(&object, own - 8)?,
        };
        let name = match words.get(&description.checked_add(8)?) {
            Some(Word::Symbol(name)) => return type_of_block(name.strip_prefix("_ZTS")?),
            Some(Word::Address(address)) => *address,
            None => stored(&object, description.checked_add(8)?)?,
        };
        type_of_block(text(&object, name)?)
    }
}

fn relocated(object: &object::File<'_>) -> FxHashMap<u64, Word> {
    let symbols = object.dynamic_symbol_table();
    let relocations = object.dynamic_relocations().into_iter().flatten();
    let words = relocations.filter_map(|(address, relocation)| {
        let word = match relocation.target() {
            RelocationTarget::Absolute => Word::Address(relocation.addend().cast_unsigned()),
            RelocationTarget::Symbol(index) => {
                let symbol = symbols.as_ref()?.symbol_by_index(index).ok()?;
                if symbol.is_definition() {
                    Word::Address(symbol.address().wrapping_add_signed(relocation.addend()))
                } else {
                    Word::Symbol(symbol.name().ok()?.to_owned())
                }
            }
            _ => return None,
        };
        Some((address, word))
    });
    words.collect()
}

/// The bytes of the file from an address of the object on, up to the end of its section.
fn bytes<'f>(object: &object::File<'f>, address: u64) -> Option<&'f [u8]> {
    let section = object.sections().find(|section| {
        let start = section.address();
        start != 0 && address >= start && address - start < section.size()
    })?;
    let data = section.data().ok()?;
    data.get(usize::try_from(address - section.address()).ok()?..)
}

fn stored(object: &object::File<'_>, address: u64) -> Option<u64> {
    let word = bytes(object, address)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*word))
}

/// A text that ends with a zero, as names of types do; none is longer than a page.
fn text<'f>(object: &object::File<'f>, address: u64) -> Option<&'f str> {
    let bytes = bytes(object, address)?;
    let end = bytes.iter().take(4096).position(|&byte| byte == 0)?;
    let text = str::from_utf8(&bytes[..end]).ok()?;
    // Types of one file alone are marked.
    Some(text.strip_prefix('*').unwrap_or(text))
}
