//! Which modules, types and functions are the program's, and which are the standard library's or an installed package's.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dicts::Dicts;
use super::header::Header;
use super::launched::packages;
use super::outline::Outline;
use super::scan::Scanned;
use super::values::Function;

/// The module in which a program begins, in a process of its own and in a worker of `multiprocessing`.
const MAIN: [&str; 2] = ["__main__", "__mp_main__"];

/// From this many functions of one code on, objects made them, not modules.
const MANY: u32 = 16;

/// Whose code what is.
#[derive(Debug, Default)]
pub(super) struct Whose {
    /// Rows of modules, and whether each is the program's.
    modules: FxHashMap<u32, bool>,
    /// Whether each type is the program's.
    types: Vec<bool>,
    /// Whether each type is of a class statement in the standard library.
    standard: Vec<bool>,
    /// The rows of the program's functions, and those of all others that hold nothing of their own.
    functions: FxHashSet<u32>,
    closed: FxHashSet<u32>,
    /// Codes that have many functions.
    of_many: FxHashSet<u32>,
}

impl Whose {
    pub(super) fn of(bytes: &[u8], outline: &Outline, scanned: &Scanned, dicts: &Dicts) -> Self {
        let mut whose = Self::default();
        let mut by_name: FxHashMap<String, bool> = FxHashMap::default();
        let mut standard: FxHashSet<String> = FxHashSet::default();
        let name_of = |name: Option<u32>| name.map(|name| outline.name(bytes, name)).unwrap_or_default();
        let mains = scanned
            .values
            .modules
            .iter()
            .filter(|module| MAIN.contains(&&*name_of(module.1)));
        let launched: FxHashSet<String> = mains
            .flat_map(|main| packages(bytes, outline, scanned, dicts, main.0))
            .collect();
        for &(row, name, file) in &scanned.values.modules {
            let name = name_of(name).into_owned();
            let is_launched = || launched.contains(name.split('.').next().unwrap_or_default());
            let is_own = MAIN.contains(&name.as_str())
                || file.is_some_and(|file| {
                    let file = outline.name(bytes, file);
                    is_own_file(&outline.header, &file)
                        || outline.header.is_installed_file(&file) && is_launched()
                });
            whose.modules.insert(row, is_own);
            let is_standard = file.is_some_and(|file| {
                let file = outline.name(bytes, file);
                outline.header.is_library_file(&file) && !outline.header.is_installed_file(&file)
            });
            if is_standard {
                standard.insert(name.clone());
            }
            *by_name.entry(name).or_default() |= is_own;
        }
        for ty in &outline.types {
            let module = ty.module.map(|module| outline.name(bytes, module));
            let is_own = module
                .as_ref()
                .is_none_or(|module| is_own_module(&by_name, module));
            let is_standard = module.is_some_and(|module| standard.contains(module.as_ref()));
            whose.types.push(ty.is_class() && is_own);
            whose.standard.push(ty.is_class() && is_standard);
        }
        let files: FxHashMap<u32, u32> = scanned
            .values
            .codes
            .iter()
            .map(|&(row, file, _)| (row, file))
            .collect();
        whose.of_many = of_many(&scanned.values.functions);
        for function in &scanned.values.functions {
            if whose.is_own_function(bytes, outline, dicts, &files, function) {
                whose.functions.insert(function.row);
            } else if !function.has_closure && !whose.is_of_many(function) {
                whose.closed.insert(function.row);
            }
        }
        whose
    }

    /// Whether a function is one of many that code made while it ran, for an object each: no module's.
    pub(super) fn is_of_many(&self, function: &Function) -> bool {
        function.code.is_some_and(|code| self.of_many.contains(&code))
    }

    /// A function is of the module whose variables it sees; where these are no module's, of the file of its code.
    fn is_own_function(
        &self,
        bytes: &[u8],
        outline: &Outline,
        dicts: &Dicts,
        files: &FxHashMap<u32, u32>,
        function: &Function,
    ) -> bool {
        let module = function.globals.and_then(|globals| dicts.owner(globals));
        if let Some(&is_own) = module.and_then(|module| self.modules.get(&module)) {
            return is_own;
        }
        let file = function.code.and_then(|code| files.get(&code));
        file.is_some_and(|&file| is_own_file(&outline.header, &outline.name(bytes, file)))
    }

    pub(super) fn is_own_module(&self, row: u32) -> bool {
        self.modules.get(&row).copied().unwrap_or(false)
    }

    pub(super) fn is_own_type(&self, ty: u32) -> bool {
        self.types.get(ty as usize).copied().unwrap_or(false)
    }

    pub(super) fn is_standard_class(&self, ty: u32) -> bool {
        self.standard.get(ty as usize).copied().unwrap_or(false)
    }

    pub(super) fn is_own_function_row(&self, row: u32) -> bool {
        self.functions.contains(&row)
    }

    /// Whether a function of a library has captured nothing: what it leads to is its module alone.
    pub(super) fn is_closed_function(&self, row: u32) -> bool {
        self.closed.contains(&row)
    }
}

/// Codes with many functions: each function belongs to an object, not to a module.
fn of_many(functions: &[Function]) -> FxHashSet<u32> {
    let mut made: FxHashMap<u32, u32> = FxHashMap::default();
    for code in functions.iter().filter_map(|function| function.code) {
        *made.entry(code).or_default() += 1;
    }
    made.retain(|_, functions| *functions >= MANY);
    made.into_keys().collect()
}

/// Whether a module is the program's: one that is not there goes with its package. A class of no module that is there was
/// made by code that ran without one.
fn is_own_module(by_name: &FxHashMap<String, bool>, name: &str) -> bool {
    let packages = name.rmatch_indices('.').map(|(end, _)| &name[..end]);
    let mut names = std::iter::once(name).chain(packages);
    names.find_map(|name| by_name.get(name).copied()).unwrap_or(true)
}

/// Whether a file is the program's. Code that was made while the program ran has no file.
pub(super) fn is_own_file(header: &Header, file: &str) -> bool {
    !file.is_empty() && !file.starts_with('<') && !header.is_library_file(file)
}
