//! Programs that are installed packages: what a console script or `python -m` starts.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cursor::Cursor;
use super::dicts::Dicts;
use super::outline::Outline;
use super::row::{Limits, Row};
use super::scan::Scanned;
use super::sort::Sort;

/// Packages that run programs of others.
const HOSTS: [&str; 16] = [
    "_pytest",
    "celery",
    "coverage",
    "debugpy",
    "flask",
    "gunicorn",
    "hypercorn",
    "ipykernel",
    "ipykernel_launcher",
    "jupyter_core",
    "py",
    "pytest",
    "runpy",
    "streamlit",
    "uvicorn",
    "waitress",
];

/// The packages that a main module starts which keeps nothing itself: all that its variables lead to are modules, functions
/// and classes of others. Empty for every other main module, whose packages are its libraries.
pub(super) fn packages(
    bytes: &[u8],
    outline: &Outline,
    scanned: &Scanned,
    dicts: &Dicts,
    main: u32,
) -> FxHashSet<String> {
    let mut packages = FxHashSet::default();
    let Some((variables, _)) = dicts.owned().find(|&(_, owner)| owner == main) else {
        return packages;
    };
    let mut row = Row::default();
    // The row was read without an error before.
    let mut cursor = Cursor::new(bytes, variables.at as usize);
    if row.read(&mut cursor, &Limits::of(outline)).is_err() {
        return packages;
    }
    // Most main modules keep data, or define something.
    let values = || row.entries.iter().filter_map(|&(_, value)| value);
    let modules: FxHashMap<u32, String> = scanned
        .values
        .modules
        .iter()
        .filter_map(|&(row, name, _)| Some((row, outline.name(bytes, name?).into_owned())))
        .collect();
    let module_of_function = |row: u32| {
        let globals = scanned.values.function(row)?.globals?;
        modules.get(&dicts.owner(globals)?).cloned()
    };
    let module_of_type = |ty: u32| {
        let module = outline.types.get(ty as usize)?.module?;
        Some(outline.name(bytes, module).into_owned())
    };
    for value in values() {
        let at = value as usize;
        let module = match scanned.sort[at] {
            Sort::Module => modules.get(&value).cloned(),
            Sort::Function => module_of_function(value),
            Sort::Type => module_of_type(scanned.values.type_of(value)),
            Sort::Dict if dicts.get(value).is_some_and(|dict| dict.used == 0) => continue,
            // Texts, numbers, and objects of the interpreter's own types keep no data to speak of.
            Sort::Str | Sort::Int | Sort::Float | Sort::Bytes | Sort::Other => continue,
            Sort::Instance if module_of_type(scanned.ty[at]).is_some_and(|module| is_aside(&module)) => {
                continue;
            }
            _ => return FxHashSet::default(),
        };
        if let Some(module) = module {
            if module == "__main__" {
                return FxHashSet::default();
            }
            let package = module.split('.').next().unwrap_or_default().to_owned();
            if !HOSTS.contains(&package.as_str()) {
                packages.insert(package);
            }
        }
    }
    packages
}

/// Whether instances of a module's classes are no data: what imported the module, and its logger.
fn is_aside(module: &str) -> bool {
    ["_frozen_importlib", "_frozen_importlib_external", "logging"].contains(&module)
        || module.starts_with("importlib")
}
