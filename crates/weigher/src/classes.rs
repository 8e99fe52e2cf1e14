//! Lines of findings of a runtime whose dumps say nothing of source: the class of that name, where its file is at hand.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use deadweight_idioms::{Language, class_line};
use deadweight_weighing::{Line, LineOf, Weighing};

use crate::sources::text_of;

/// The runtime whose dumps name classes alone.
const OF_CLASSES: &str = "jvm";

/// How its source ends.
const EXTENSION: &str = "java";

/// Files and folders that are looked at: a larger tree is no project of one program.
const MOST: usize = 50_000;

/// Folders of what was built.
const BUILT: [&str; 4] = ["build", "node_modules", "out", "target"];

/// Gives each finding without a line that of its class. Files are looked for below `root`.
pub(crate) fn place(weighing: &mut Weighing, root: &Path, may_read: &dyn Fn(&Path) -> bool) {
    // A service that was started at the root of all folders has its source elsewhere.
    if weighing.runtime.name != OF_CLASSES || root.parent().is_none() {
        return;
    }
    let files = LazyCell::new(|| Files::below(root));
    let mut known: HashMap<String, Option<(String, u64)>> = HashMap::new();
    let findings = weighing.findings.iter_mut().chain(&mut weighing.options);
    for finding in findings.filter(|finding| finding.line.is_none()) {
        let Some((class, is)) = class_of(&finding.holder) else {
            continue;
        };
        let found = known
            .entry(class.to_owned())
            .or_insert_with(|| files.place(root, class, may_read));
        finding.line = found.as_ref().map(|(file, line)| Line {
            file: file.clone(),
            line: *line,
            column: None,
            is,
            name: class.to_owned(),
            share: None,
            through: None,
            around: Vec::new(),
            around_from: None,
        });
    }
}

/// The class in `com.example.Shop$Row.name[]`, and what it is of the finding: objects behind a further step are held through
/// others.
fn class_of(holder: &str) -> Option<(&str, LineOf)> {
    let end = holder.find(['[', '{']).unwrap_or(holder.len());
    let (class, field) = holder[..end].rsplit_once('.')?;
    let is_class = class
        .rsplit('.')
        .next()
        .is_some_and(|name| name.starts_with(|first: char| first.is_uppercase()));
    let is = if end == holder.len() {
        LineOf::Class
    } else {
        LineOf::HoldingClass
    };
    (is_class && !field.is_empty()).then_some((class, is))
}

/// Files of source by the names of the classes that they are called after.
struct Files(HashMap<String, Vec<PathBuf>>);

impl Files {
    fn below(root: &Path) -> Self {
        let mut files: HashMap<String, Vec<PathBuf>> = HashMap::new();
        let mut folders = vec![root.to_owned()];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MOST {
                    return Self(files);
                }
                // Links may lead in a circle, and out.
                let Ok(kind) = entry.file_type() else { continue };
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                if kind.is_dir() && !name.starts_with('.') && !BUILT.contains(&&*name) {
                    folders.push(path);
                } else if kind.is_file() && path.extension().is_some_and(|extension| extension == EXTENSION) {
                    let class = path
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned();
                    files.entry(class).or_default().push(path);
                }
            }
        }
        Self(files)
    }

    /// The file below `root` and the line of a class; nothing where several files have such a class.
    fn place(&self, root: &Path, class: &str, may_read: &dyn Fn(&Path) -> bool) -> Option<(String, u64)> {
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let outer = name.split('$').next()?;
        let places = self.0.get(outer)?.iter().filter(|path| may_read(path));
        let mut places = places.filter_map(|path| {
            let text = text_of(path)?;
            let line = (package_of(&text) == package).then(|| class_line(&text, Language::Java, name))??;
            let file = path.strip_prefix(root).ok()?.to_string_lossy().into_owned();
            Some((file, u64::from(line)))
        });
        let first = places.next()?;
        places.next().is_none().then_some(first)
    }
}

/// The package that a file says its classes are in.
fn package_of(text: &str) -> &str {
    let said = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("package "));
    said.and_then(|rest| rest.split(';').next())
        .unwrap_or_default()
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_begins_with_its_class() {
        for (holder, expected) in [
            ("Rental$Car.events", Some(("Rental$Car", LineOf::Class))),
            (
                "com.shop.App.ROWS[]{}",
                Some(("com.shop.App", LineOf::HoldingClass)),
            ),
            ("(elsewhere)[]", None),
            ("rows[]", None),
            ("java.lang", None),
        ] {
            assert_eq!(class_of(holder), expected, "{holder}");
        }
    }

    #[test]
    fn a_class_is_found_by_its_package_and_name() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let shop = "package com.shop;\n\nclass App {\n  static class Row {\n  }\n  record Pair(int a, int b) {}\n}\n";
        write("src/main/java/com/shop/App.java", shop);
        write(
            "src/main/java/com/other/App.java",
            "package com.other;\nclass App {}\n",
        );
        write("target/com/shop/App.java", shop);
        let files = Files::below(root);
        let place = |class: &str| files.place(root, class, &|_| true);
        let shop = || "src/main/java/com/shop/App.java".to_owned();
        assert_eq!(place("com.shop.App"), Some((shop(), 3)));
        assert_eq!(place("com.shop.App$Row"), Some((shop(), 4)));
        assert_eq!(place("com.shop.App$Pair"), Some((shop(), 6)));
        assert_eq!(place("com.shop.App$1"), None);
        assert_eq!(place("com.shop.Missing"), None);
        assert_eq!(files.place(root, "com.shop.App", &|_| false), None);
        // Which of two it is nobody can say.
        write("copy/App.java", "package com.shop;\nclass App {}\n");
        assert_eq!(Files::below(root).place(root, "com.shop.App", &|_| true), None);
    }
}
