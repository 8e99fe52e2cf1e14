//! Which package needs which, as their manifests say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The packages that are needed, by the package that needs them.
#[derive(Debug, Default)]
pub struct Dependencies {
    built: BTreeMap<String, BTreeSet<String>>,
    tested: BTreeMap<String, BTreeSet<String>>,
}

impl Dependencies {
    /// Those of all members of a workspace.
    pub fn of_workspace(root: &Path) -> Self {
        let text = |path: &Path| fs::read_to_string(path.join("Cargo.toml")).expect("a manifest");
        let workspace: Table = text(root).parse().expect("TOML");
        let members = workspace["workspace"]["members"].as_array().expect("members");
        let mut dependencies = Self::default();
        for member in members {
            dependencies.read(&text(&root.join(member.as_str().expect("a path"))));
        }
        dependencies
    }

    /// Takes in those of one manifest.
    pub fn read(&mut self, manifest: &str) {
        let manifest: Table = manifest.parse().expect("TOML");
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        let of = |kinds: &[&str]| -> BTreeSet<String> {
            let targets = manifest.get("target").and_then(Value::as_table);
            let tables = targets.into_iter().flat_map(Table::values);
            let tables = tables.filter_map(Value::as_table).chain([&manifest]);
            tables
                .flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()))
                .flatten()
                .map(|(name, on)| {
                    let renamed = on.get("package").and_then(Value::as_str);
                    renamed.unwrap_or(name).to_owned()
                })
                .collect()
        };
        self.built
            .insert(name.clone(), of(&["dependencies", "build-dependencies"]));
        self.tested.insert(name, of(&["dev-dependencies"]));
    }

    /// What a package names itself, tests aside.
    ///
    /// # Panics
    /// When there is no such package: a check of it would never fail.
    pub fn direct(&self, from: &str) -> impl Iterator<Item = &str> {
        let direct = self
            .built
            .get(from)
            .unwrap_or_else(|| panic!("no package {from}"));
        direct.iter().map(String::as_str)
    }

    /// Whether the tests of one package name another.
    pub fn in_tests(&self, from: &str, on: &str) -> bool {
        self.tested.get(from).is_some_and(|tested| tested.contains(on))
    }

    /// How one package comes to need another, directly or by others.
    pub fn way(&self, from: &str, to: &str) -> Option<String> {
        self.direct(from).find_map(|on| {
            if on == to {
                Some(format!("{from} → {to}"))
            } else if self.built.contains_key(on) {
                self.way(on, to).map(|rest| format!("{from} → {rest}"))
            } else {
                None
            }
        })
    }
}
