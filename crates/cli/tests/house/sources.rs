//! Sources, and what stands in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file, or what is left of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// From the root of the repository on.
    path: String,
    text: String,
}

/// All sources of a crate but the files that are tests alone.
pub fn of(krate: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![krate.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.file_stem().is_some_and(|name| name == "tests") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.to_string_lossy();
                let name = name.split_once("/../../").map_or(&*name, |(_, below)| below);
                sources.push(Source::new(name, &fs::read_to_string(&path).expect("text")));
            }
        }
    }
    assert!(!sources.is_empty(), "{} has no sources", krate.display());
    sources
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn folder(&self) -> Option<&str> {
        self.path.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Without the items that are there for tests: those behind `#[cfg(test)]` at the start of a line, up to where the
    /// formatter ends an item.
    pub fn without_tests(&self) -> Self {
        let mut skips = false;
        self.keeping(|line| {
            if *line == "#[cfg(test)]" {
                skips = true;
                return false;
            }
            let is_end = !line.starts_with([' ', '#']) && (*line == "}" || line.ends_with(';'));
            let keeps = !skips;
            skips &= !is_end;
            keeps
        })
    }

    /// Without the comment that the file begins with.
    pub fn without_head(&self) -> Self {
        let mut is_head = true;
        self.keeping(|line| {
            is_head &= line.starts_with("//!");
            !is_head
        })
    }

    /// Without whole lines of comment, and without what follows code on its line.
    pub fn without_comments(&self) -> Self {
        let mut code = self.keeping(|line| !line.trim_start().starts_with("//"));
        let lines = code
            .text
            .lines()
            .map(|line| line.split(" // ").next().unwrap_or(line));
        code.text = lines.collect::<Vec<_>>().join("\n");
        code
    }

    fn keeping(&self, keeps: impl FnMut(&&str) -> bool) -> Self {
        Self {
            path: self.path.clone(),
            text: self.text.lines().filter(keeps).collect::<Vec<_>>().join("\n"),
        }
    }
}

/// Words to look for.
#[derive(Debug, Default)]
pub struct Words {
    exact: BTreeSet<String>,
    anywhere: BTreeSet<String>,
}

impl Words {
    /// Words that stand alone, written just so.
    pub fn exact(words: &[&str]) -> Self {
        Self {
            exact: words.iter().map(|word| (*word).to_owned()).collect(),
            anywhere: BTreeSet::new(),
        }
    }

    /// Words in small letters that count in capitals and as a part of an identifier, too.
    pub fn or_anywhere(mut self, words: &[&str]) -> Self {
        self.anywhere = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Those of the text's words that are, or have in them, one that is looked for.
    pub fn named<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text.split(|character: char| !character.is_alphanumeric())
            .filter(|word| {
                self.exact.contains(*word)
                    || self.anywhere.contains(&word.to_lowercase())
                    || pieces(word).any(|piece| self.anywhere.contains(&piece.to_lowercase()))
            })
            .collect()
    }
}

/// The pieces of an identifier that begin with a capital letter.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let starts = word
        .char_indices()
        .filter(|(at, character)| *at > 0 && character.is_uppercase())
        .map(|(at, _)| at);
    let ends = starts.clone().chain([word.len()]);
    [0].into_iter()
        .chain(starts)
        .zip(ends)
        .map(|(start, end)| &word[start..end])
}

/// What reads, writes or prints in a piece of code.
pub fn input_or_output(code: &str) -> Vec<String> {
    const MODULES: [&str; 5] = ["fs", "io", "net", "process", "env"];
    const MACROS: [&str; 5] = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    let mut used = Vec::new();
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    for (at, _) in code.match_indices("std::") {
        let rest = &code[at + "std::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let group = group.split_once(';').map_or(group, |(group, _)| group);
            let words = group.split(|character| !is_name(character));
            let modules = words.filter(|word| MODULES.contains(word));
            used.extend(modules.map(|module| format!("std::{{{module}")));
        } else {
            let name = rest.split(|character| !is_name(character)).next();
            used.extend(
                name.filter(|name| MODULES.contains(name))
                    .map(|name| format!("std::{name}")),
            );
        }
    }
    for name in MACROS {
        let alone = |at: usize| !code[..at].ends_with(is_name);
        let found = code.match_indices(name).filter(|(at, _)| alone(*at));
        used.extend(found.map(|_| name.to_owned()));
    }
    used
}
