//! Where in the source the program's functions and modules stand, and where classes are written.

use std::borrow::Cow;

use deadweight_heap::churn::Role;
use deadweight_heap::{Lines, SourceLine, Texts, TypeId};
use rustc_hash::FxHashMap;

use super::dicts::Dicts;
use super::outline::Outline;
use super::scan::Scanned;
use super::sort::Sort;
use super::values::Function;
use super::whose::{Whose, is_own_file};
use crate::churn::below;

/// The method that a person changes who changes what instances have.
const CONSTRUCTOR: &str = "__init__";

/// All that says where code is written.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) outline: &'a Outline,
    pub(super) scanned: &'a Scanned,
    pub(super) dicts: &'a Dicts,
    pub(super) whose: &'a Whose,
    pub(super) texts: &'a Texts,
    /// The text of each string, by row.
    pub(super) labels: &'a [u32],
    /// The program's directory.
    pub(super) root: &'a str,
}

/// A method of a class, and where it begins.
struct Method {
    is_constructor: bool,
    line: SourceLine,
}

impl Source<'_> {
    pub(super) fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        let codes: FxHashMap<u32, (u32, u64)> = self
            .scanned
            .values
            .codes
            .iter()
            .map(|&(row, file, line)| (row, (file, line)))
            .collect();
        let modules = self.modules(&mut lines);
        let classes = self.classes();
        let mut methods: FxHashMap<TypeId, Method> = FxHashMap::default();
        for function in &self.scanned.values.functions {
            let code = function.code.and_then(|code| codes.get(&code));
            let Some(line) = code.and_then(|&(file, line)| self.line(file, line)) else {
                continue;
            };
            if line.role == Role::Own && self.whose.is_own_function_row(function.row) {
                let start = SourceLine {
                    line: 1,
                    ..line.clone()
                };
                let (id, start) = (lines.add(line.clone()), lines.add(start));
                lines.note_function(function.row, id);
                // The interpreter takes the file away from the module in which the program began when that has run.
                let module = function.globals.and_then(|globals| self.dicts.owner(globals));
                let is_unplaced =
                    |module: &u32| modules.contains_key(module) && lines.module(*module).is_none();
                if let Some(module) = module.filter(is_unplaced) {
                    lines.note_module(module, start);
                }
            }
            if let Some((class, is_constructor)) = self.class_of(function, &modules, &classes) {
                let method = Method { is_constructor, line };
                let first = methods.entry(class);
                first.and_modify(|first| first.or(&method)).or_insert(method);
            }
        }
        for (class, method) in methods {
            let line = lines.add(method.line);
            lines.note_class(class, line);
        }
        lines
    }

    /// Notes where the program's modules are, and gives the names of all.
    fn modules(&self, lines: &mut Lines) -> FxHashMap<u32, String> {
        let mut names = FxHashMap::default();
        for &(row, name, file) in &self.scanned.values.modules {
            let file = file.and_then(|file| self.line(file, 1));
            if let Some(line) = file.filter(|line| line.role == Role::Own && self.whose.is_own_module(row)) {
                let line = lines.add(line);
                lines.note_module(row, line);
            }
            if let Some(name) = name {
                names.insert(row, self.outline.name(self.bytes, name).into_owned());
            }
        }
        names
    }

    /// Classes by their names; of several of one name nobody knows which a method is of.
    fn classes(&self) -> FxHashMap<String, Option<TypeId>> {
        let mut classes: FxHashMap<String, Option<TypeId>> = FxHashMap::default();
        for (number, ty) in (0..).zip(&self.outline.types).filter(|(_, ty)| ty.is_class()) {
            let name = self.outline.name(self.bytes, ty.name).into_owned();
            classes
                .entry(name)
                .and_modify(|one| *one = None)
                .or_insert(Some(number));
        }
        classes
    }

    /// The class in whose statement a function is written, and whether it is the class's constructor.
    fn class_of(
        &self,
        function: &Function,
        modules: &FxHashMap<u32, String>,
        classes: &FxHashMap<String, Option<TypeId>>,
    ) -> Option<(TypeId, bool)> {
        let qualified = self.text(function.qualified?)?;
        let (class, name) = qualified.rsplit_once('.')?;
        let module = modules.get(&self.dicts.owner(function.globals?)?)?;
        let class = (*classes.get(&format!("{module}.{class}"))?)?;
        Some((class, name == CONSTRUCTOR))
    }

    /// A string's text.
    fn text(&self, row: u32) -> Option<Cow<'_, str>> {
        let at = row as usize;
        if *self.scanned.sort.get(at)? != Sort::Str {
            return None;
        }
        Some(String::from_utf8_lossy(self.texts.raw(*self.labels.get(at)?)))
    }

    /// A line of a file; nothing for code that was made while the program ran, which has no file.
    pub(super) fn line(&self, file: u32, line: u64) -> Option<SourceLine> {
        let file = self.outline.name(self.bytes, file);
        let is_library = self.outline.header.is_library_file(&file);
        if !is_library && !is_own_file(&self.outline.header, &file) {
            return None;
        }
        Some(SourceLine {
            file: below(&file, self.root),
            line: u32::try_from(line).ok().filter(|&line| line > 0)?,
            role: if is_library { Role::Library } else { Role::Own },
            ..SourceLine::default()
        })
    }
}

impl Method {
    /// Of two methods the constructor, else the one that stands first.
    fn or(&mut self, other: &Self) {
        let order = |method: &Self| (!method.is_constructor, method.line.line);
        if order(other) < order(self) {
            self.is_constructor = other.is_constructor;
            self.line = other.line.clone();
        }
    }
}
