//! What an address of code is called.

use std::path::Path;

use addr2line::Loader;
use object::{Object, ObjectSymbol, SymbolKind};
use rustc_hash::FxHashMap;

use super::demangle;
use super::modules::{Module, Modules};

/// One function at an address; where functions are inlined, several have the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, without parameters.
    pub name: String,
    /// File and line, or the module and the offset in it.
    pub location: String,
}

/// Names code, once for each object and address.
pub struct Symbols<'a> {
    modules: &'a Modules,
    tables: FxHashMap<usize, Table>,
}

/// What one object tells.
struct Table {
    lines: Option<Loader>,
    /// First address, bytes, name; by address.
    functions: Vec<(u64, u64, String)>,
}

impl<'a> Symbols<'a> {
    /// Names for the code of these objects.
    pub fn new(modules: &'a Modules) -> Self {
        Self {
            modules,
            tables: FxHashMap::default(),
        }
    }

    /// The functions at a return address, innermost first; never empty.
    pub fn functions(&mut self, return_address: u64) -> Vec<Function> {
        // The call stands before the address to which it returns.
        let address = return_address.wrapping_sub(1);
        let Some(index) = self.modules.at(address) else {
            let name = format!("0x{return_address:x}");
            return vec![Function {
                location: name.clone(),
                name,
            }];
        };
        let module = self.modules.get(index);
        let own = address.wrapping_sub(module.bias);
        let place = format!("{}+0x{own:x}", module.name());
        let table = self.tables.entry(index).or_insert_with(|| Table::of(module));
        let mut found = table.inlined(own, &place);
        if found.is_empty() {
            found.push(Function {
                name: table.function(own).unwrap_or_else(|| place.clone()),
                location: place,
            });
        }
        found
    }
}

impl Table {
    fn of(module: &Module) -> Self {
        let Some(object) = module.object() else {
            return Self {
                lines: None,
                functions: Vec::new(),
            };
        };
        Self {
            lines: module.debug_path().and_then(|path| Loader::new(path).ok()),
            functions: functions(&object),
        }
    }

    /// By debug information.
    fn inlined(&self, address: u64, place: &str) -> Vec<Function> {
        let mut found = Vec::new();
        let Some(mut frames) = self
            .lines
            .as_ref()
            .and_then(|lines| lines.find_frames(address).ok())
        else {
            return found;
        };
        while let Ok(Some(frame)) = frames.next() {
            let raw = frame
                .function
                .as_ref()
                .and_then(|function| function.raw_name().ok());
            let Some(name) = raw else { continue };
            let line = frame.location.and_then(|location| {
                let file = Path::new(location.file?)
                    .file_name()?
                    .to_string_lossy()
                    .into_owned();
                Some(format!("{file}:{}", location.line?))
            });
            found.push(Function {
                name: demangle::function(&name),
                location: line.unwrap_or_else(|| place.to_owned()),
            });
        }
        found
    }

    /// By the table of symbols.
    fn function(&self, address: u64) -> Option<String> {
        let after = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, bytes, name) = self.functions.get(after.checked_sub(1)?)?;
        (address - start < *bytes).then(|| demangle::function(name))
    }
}

fn functions(object: &object::File<'_>) -> Vec<(u64, u64, String)> {
    let symbols = object.symbols().chain(object.dynamic_symbols());
    let mut found: Vec<_> = symbols
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0 && symbol.is_definition())
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?.to_owned())))
        .collect();
    found.sort();
    found.dedup_by_key(|(start, ..)| *start);
    found
}
