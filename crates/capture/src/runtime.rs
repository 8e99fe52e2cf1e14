//! Which runtime a program will run on.

use std::{
    env,
    ffi::OsStr,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// A runtime that has a recorder, or will have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Runtime {
    /// Node.js.
    Node,
    /// Ruby, its reference implementation.
    Ruby,
    /// Python, its reference implementation.
    Python,
    /// The Java virtual machine: Java, Kotlin, Scala and others.
    Java,
}

impl Runtime {
    /// The runtime of a program, by its name, its extension, the same of the file that a link leads to, or its `#!` line.
    /// `None` for a shell, a wrapper or anything else; recorders that travel in the environment reach what those start all
    /// the same.
    pub fn detect(program: &OsStr) -> Option<Self> {
        let path = Path::new(program);
        by_name(path).or_else(|| {
            let file = find(path)?.canonicalize().ok()?;
            by_name(&file).or_else(|| {
                let mut line = [0; 128];
                let length = File::open(file).ok()?.read(&mut line).ok()?;
                by_shebang(&line[..length])
            })
        })
    }

    /// Its name in captures and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Ruby => "ruby",
            Self::Python => "python",
            Self::Java => "java",
        }
    }
}

fn by_name(path: &Path) -> Option<Runtime> {
    match path.extension().and_then(OsStr::to_str) {
        Some("js" | "cjs" | "mjs" | "ts") => return Some(Runtime::Node),
        Some("rb") => return Some(Runtime::Ruby),
        Some("py") => return Some(Runtime::Python),
        Some("jar") => return Some(Runtime::Java),
        _ => {}
    }
    match without_version(path.file_name()?.to_str()?) {
        "node" | "nodejs" | "npm" | "npx" | "yarn" | "pnpm" | "corepack" | "tsx" | "ts-node" => {
            Some(Runtime::Node)
        }
        "java" | "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "kotlin" | "scala" | "groovy"
        | "clojure" => Some(Runtime::Java),
        "ruby" | "bundle" | "rake" | "rails" | "irb" => Some(Runtime::Ruby),
        "uv" | "uvx" | "poetry" | "pipenv" | "pdm" | "hatch" | "tox" | "nox" | "pytest" | "gunicorn"
        | "uvicorn" | "celery" | "ipython" | "jupyter" | "python" => Some(Runtime::Python),
        _ => None,
    }
}

/// `python3.12`, `node-22` and `ruby3.1` stand beside others under such names.
fn without_version(name: &str) -> &str {
    let plain = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    if plain == name {
        name
    } else {
        plain.strip_suffix('-').unwrap_or(plain)
    }
}

fn by_shebang(start: &[u8]) -> Option<Runtime> {
    let line = start.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    std::str::from_utf8(line)
        .ok()?
        .split_ascii_whitespace()
        .find_map(|word| by_name(Path::new(word)))
}

/// The file a shell would start for this name.
pub(crate) fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_show() {
        let detect = |name: &str| Runtime::detect(OsStr::new(name));
        assert_eq!(detect("/opt/node 20/bin/node"), Some(Runtime::Node));
        assert_eq!(detect("npx"), Some(Runtime::Node));
        assert_eq!(detect("./server.mjs"), Some(Runtime::Node));
        assert_eq!(detect("bundle"), Some(Runtime::Ruby));
        assert_eq!(detect("/opt/jdk-17/bin/java"), Some(Runtime::Java));
        assert_eq!(detect("./mvnw"), Some(Runtime::Java));
        for node in ["node22", "node-22", "/opt/node-v22/bin/nodejs"] {
            assert_eq!(detect(node), Some(Runtime::Node), "{node}");
        }
        assert_eq!(detect("ruby3.1"), Some(Runtime::Ruby));
        assert_eq!(detect("node-gyp"), None);
        for python in [
            "python",
            "/usr/bin/python3",
            "python3.12",
            "./app.py",
            "pytest",
            "uv",
        ] {
            assert_eq!(detect(python), Some(Runtime::Python), "{python}");
        }
        assert_eq!(detect("python-config"), None);
        assert_eq!(detect("sh"), None);
        assert_eq!(detect("no such program"), None);
    }

    /// What a version manager or an administrator calls as it likes.
    #[test]
    fn links_lead_to_what_they_run() {
        let home = tempfile::tempdir().unwrap();
        let node = home.path().join("node");
        std::fs::write(&node, "").unwrap();
        let link = home.path().join("n22");
        std::os::unix::fs::symlink(&node, &link).unwrap();
        assert_eq!(Runtime::detect(link.as_os_str()), Some(Runtime::Node));
    }

    #[test]
    fn the_first_line_shows() {
        assert_eq!(by_shebang(b"#!/usr/bin/env node\nlet x"), Some(Runtime::Node));
        assert_eq!(
            by_shebang(b"#!/usr/bin/env -S node --flag\n"),
            Some(Runtime::Node)
        );
        assert_eq!(by_shebang(b"#!/usr/bin/ruby"), Some(Runtime::Ruby));
        assert_eq!(by_shebang(b"#!/bin/sh\nnode x"), None);
        assert_eq!(by_shebang(b"\x7fELF"), None);
        assert_eq!(by_shebang(b"#!\xff\xff"), None);
    }
}
