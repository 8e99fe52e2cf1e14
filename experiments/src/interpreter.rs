//! What runs a program: Node.js, Python or a Java virtual machine, of one version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use deadweight_tools::jdk::Jdk;
use deadweight_tools::nodes::Node;
use deadweight_tools::pythons::Python;
use deadweight_tools::shell::{Shell, path_with};

/// One version of what runs programs.
#[derive(Clone, Debug)]
pub struct Interpreter {
    /// The word that commands begin with.
    word: &'static str,
    /// What it is called.
    name: &'static str,
    /// Its exact version.
    pub version: String,
    binary: PathBuf,
}

impl Interpreter {
    /// Its name and version.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// The program that a command begins with, when that is this interpreter.
    pub fn program<'a>(&'a self, first: &'a str) -> &'a Path {
        if first == self.word {
            &self.binary
        } else {
            Path::new(first)
        }
    }

    /// A command of a case or a proof, whose children find this interpreter first, too.
    pub fn shell(&self, first: &str) -> Shell {
        Shell::new(self.program(first))
            .env("PATH", self.path())
            .env_remove("NODE_OPTIONS")
    }

    /// The path on which its name is its own.
    pub fn path(&self) -> OsString {
        path_with(self.binary.parent().unwrap_or(Path::new(".")))
    }
}

impl From<&Node> for Interpreter {
    fn from(node: &Node) -> Self {
        Self {
            word: "node",
            name: "Node.js",
            version: node.version.clone(),
            binary: node.binary.clone(),
        }
    }
}

impl From<&Jdk> for Interpreter {
    fn from(jdk: &Jdk) -> Self {
        Self {
            word: "java",
            name: "JDK",
            version: jdk.version.clone(),
            binary: jdk.java.clone(),
        }
    }
}

impl From<&Python> for Interpreter {
    fn from(python: &Python) -> Self {
        let (minor, patch) = python.version;
        Self {
            word: "python3",
            name: "CPython",
            version: format!("3.{minor}.{patch}"),
            binary: python.binary.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_other_programs_stay_as_they_are() {
        let python = Interpreter::from(&Python {
            version: (12, 1),
            binary: "/opt/python/bin/python3.12".into(),
        });
        assert_eq!(python.title(), "CPython 3.12.1");
        assert_eq!(python.program("python3"), Path::new("/opt/python/bin/python3.12"));
        assert_eq!(python.program("java"), Path::new("java"));
    }
}
