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
    /// The whole path of the file, as the compiler got it; empty when it is not known.
    pub file: String,
    /// The line in that file; 0 when it is not known.
    pub line: u32,
}

/// Names code, once for each object and address.
#[derive(Default)]
pub struct Symbols {
    tables: FxHashMap<usize, Table>,
}

/// What one object shows.
struct Table {
    lines: Option<Loader>,
    /// First address, bytes, name; by address.
    functions: Vec<(u64, u64, String)>,
}

impl Symbols {
    /// The functions at a return address, innermost first; never empty.
    pub fn functions(&mut self, modules: &Modules, return_address: u64) -> Vec<Function> {
        // The call stands before the address to which it returns.
        let address = return_address.wrapping_sub(1);
        let Some(index) = modules.at(address) else {
            let name = format!("0x{return_address:x}");
            return vec![Function::at(name.clone(), name)];
        };
        let module = modules.get(index);
        let own = address.wrapping_sub(module.bias);
        let place = format!("{}+0x{own:x}", module.name());
        let table = self.tables.entry(index).or_insert_with(|| Table::of(module));
        let mut found = table.inlined(own, &place);
        if found.is_empty() {
            let name = table.symbol(own).map(demangle::function);
            found.push(Function::at(name.unwrap_or_else(|| place.clone()), place));
        }
        found
    }

    /// The symbol of the function that was compiled to what lies before a return address, as the table has it.
    pub fn symbol(&mut self, modules: &Modules, return_address: u64) -> Option<&str> {
        let address = return_address.wrapping_sub(1);
        let index = modules.at(address)?;
        let module = modules.get(index);
        let table = self.tables.entry(index).or_insert_with(|| Table::of(module));
        table.symbol(address.wrapping_sub(module.bias))
    }
}

impl Function {
    /// A function of which no line is known.
    pub fn at(name: String, location: String) -> Self {
        Self {
            name,
            location,
            file: String::new(),
            line: 0,
        }
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
            let name = demangle::function(&name);
            let place_of_line = frame
                .location
                .and_then(|location| Some((location.file?.to_owned(), location.line?)));
            let Some((file, line)) = place_of_line else {
                found.push(Function::at(name, place.to_owned()));
                continue;
            };
            let short = Path::new(&file)
                .file_name()
                .map_or_else(|| file.clone().into(), |name| name.to_string_lossy());
            found.push(Function {
                name,
                location: format!("{short}:{line}"),
                line,
                file,
            });
        }
        found
    }

    /// By the table of symbols.
    fn symbol(&self, address: u64) -> Option<&str> {
        let after = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, bytes, name) = self.functions.get(after.checked_sub(1)?)?;
        (address - start < *bytes).then_some(name.as_str())
    }
}

fn functions(object: &object::File<'_>) -> Vec<(u64, u64, String)> {
    let mut found = of_table(object.symbols());
    // Where both tables have a function, the one for dynamic linking may have its name cut: what follows an `@` is a
    // version to the linker, and a part of the name to Crystal.
    found.extend(of_table(object.dynamic_symbols()));
    found.sort_by_key(|(start, ..)| *start);
    found.dedup_by_key(|(start, ..)| *start);
    found
}

fn of_table<'d>(symbols: impl Iterator<Item = impl ObjectSymbol<'d>>) -> Vec<(u64, u64, String)> {
    let mut found: Vec<_> = symbols
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0 && symbol.is_definition())
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?.to_owned())))
        .collect();
    found.sort();
    found
}
