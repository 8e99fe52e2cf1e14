//! Who calls what in a file, by name alone: enough to know which calls could have made a row.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{QueryCursor, StreamingIterator};

use crate::queries::Queries;
use crate::source::{DEEPEST, Source};

/// Calls of a file.
pub(crate) struct Calls<'t> {
    /// Name, first line from 1, and where the function around it begins.
    calls: Vec<(&'t str, u32, (u32, u32))>,
    /// Names of functions by where they begin.
    names: FxHashMap<(u32, u32), &'t str>,
}

impl<'t> Calls<'t> {
    pub fn of(source: &Source<'t>) -> Self {
        let mut calls = Vec::new();
        let mut names = FxHashMap::default();
        if let Some(query) = Queries::of(source.language).calls() {
            let mut cursor = QueryCursor::new();
            cursor.set_max_start_depth(Some(DEEPEST));
            let mut matches = cursor.matches(query, source.tree.root_node(), source.text.as_bytes());
            let name_at = query.capture_index_for_name("name");
            while let Some(found) = matches.next() {
                let Some(name) = found
                    .captures()
                    .iter()
                    .find(|capture| Some(capture.index) == name_at)
                else {
                    continue;
                };
                let function = source.function(name.node);
                let begins = source.begins(function);
                let line = name.node.start_position().row as u32 + 1;
                calls.push((source.of(name.node), line, begins));
                if let Some(function) = function {
                    let named = function
                        .child_by_field_name("name")
                        .or_else(|| function.parent()?.child_by_field_name("name"));
                    if let Some(named) = named {
                        names.insert(begins, source.of(named));
                    }
                }
            }
        }
        Self { calls, names }
    }

    /// Calls of one of these names on those lines.
    pub fn on_lines(&self, makers: &[&str], lines: (u32, u32)) -> usize {
        let on = |line: &u32| (lines.0..=lines.1).contains(line);
        self.calls
            .iter()
            .filter(|(name, line, _)| makers.contains(name) && on(line))
            .count()
    }

    /// Calls of one of these names in those functions.
    pub fn in_functions(&self, makers: &[&str], functions: &[(u32, u32)]) -> usize {
        self.calls
            .iter()
            .filter(|(name, _, begins)| makers.contains(name) && functions.contains(begins))
            .count()
    }

    /// Calls of that name in the file.
    pub fn anywhere(&self, name: &str) -> usize {
        self.calls.iter().filter(|(called, ..)| *called == name).count()
    }

    /// The names of those functions, as far as they have one.
    pub fn names(&self, functions: &[(u32, u32)]) -> Vec<String> {
        let named = functions.iter().filter_map(|begins| self.names.get(begins));
        named.map(|&name| name.to_owned()).collect()
    }

    /// The function itself, and those that call it, directly or not, without calling a maker of their own: an engine
    /// may have moved the function's code into any of them, and names only where it moved it.
    pub fn may_be_in(&self, function: (u32, u32), makers: &[&str]) -> Vec<(u32, u32)> {
        let mut found = vec![function];
        let mut seen: FxHashSet<(u32, u32)> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            let Some(name) = self.names.get(&at) else {
                continue;
            };
            for (called, _, caller) in &self.calls {
                if called == name && self.in_functions(makers, &[*caller]) == 0 && seen.insert(*caller) {
                    found.push(*caller);
                }
            }
        }
        found
    }
}
