//! Who takes part: Deadweight, the peers that registries offer, and how fast a file can be read at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::inputs::{Dump, Format};
use super::jvm_peers;
use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, nodes, npm, workspace};

/// A program with its arguments.
#[derive(Clone, Debug)]
pub struct Command {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(&'static str, OsString)>,
}

impl Command {
    pub fn new<S: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
        }
    }

    fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((name, value.into()));
        self
    }
}

/// One that takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    pub name: String,
    /// What it does with the dump.
    pub does: &'static str,
    pub command: Command,
    /// Whether it must not fail.
    pub is_ours: bool,
}

/// Everybody who reads a format; Deadweight comes first.
///
/// # Errors
/// When a peer cannot be installed.
pub fn of(format: Format, dump: &Dump, deadweight: &Path, alone: bool) -> anyhow::Result<Vec<Contestant>> {
    let mut all = ours(format, dump, deadweight);
    if alone {
        return Ok(all);
    }
    match format {
        Format::V8 => all.extend(of_v8(dump)?),
        Format::Ruby => all.extend(of_ruby(dump)?),
        // Nobody else reads the recorder's dumps: what recording costs beside heaptrack is in the recorder's README.
        Format::Native => {}
        Format::Jvm => all.extend(jvm_peers::all(dump)?),
    }
    all.extend(floors(dump));
    Ok(all)
}

fn ours(format: Format, dump: &Dump, deadweight: &Path) -> Vec<Contestant> {
    let weigh = |name: &str, does, more: &[&str]| {
        let arguments = ["--quiet", "weigh", "--format", "json"].iter().chain(more);
        let arguments = arguments.map(OsString::from).chain([dump.path.clone().into()]);
        Contestant {
            name: name.to_owned(),
            does,
            command: Command::new(deadweight, arguments),
            is_ours: true,
        }
    };
    let mut all = vec![weigh("deadweight", "the whole weighing", &[])];
    if format == Format::V8 {
        all.push(weigh(
            "deadweight --retained",
            "with dominators and retained sizes",
            &["--retained"],
        ));
    }
    if matches!(format, Format::V8 | Format::Jvm) {
        all.push(weigh(
            "deadweight --memory-limit 512MB",
            "the same weighing in less memory",
            &["--memory-limit", "512MB"],
        ));
    }
    all
}

/// How fast the file can be read at all.
fn floors(dump: &Dump) -> Vec<Contestant> {
    let floor = |name: &str, does, arguments: &[&str]| Contestant {
        name: name.to_owned(),
        does,
        command: Command::new(
            arguments[0],
            arguments[1..]
                .iter()
                .map(OsString::from)
                .chain([dump.path.clone().into()]),
        ),
        is_ours: false,
    };
    vec![
        floor("cat", "reads the file", &["cat"]),
        floor("wc -l", "counts its lines", &["wc", "-l"]),
    ]
}

fn of_v8(dump: &Dump) -> anyhow::Result<Vec<Contestant>> {
    let home = workspace::root().join("bench").join("peers");
    let node = nodes::node(22)?;
    let packages = home.join("node");
    npm::ensure()?;
    if !packages.join("node_modules").is_dir() {
        eprintln!("installing the packages of {}", packages.display());
        // Their own scripts would fetch a browser.
        npm::npm()
            .args(["ci", "--ignore-scripts"])
            .current_dir(&packages)
            .output()?;
    }
    let built = workspace::target().join("bench").join("v8-heap-parser");
    Shell::new(workspace::cargo())
        .args(["build", "--release", "--quiet", "--locked"])
        .current_dir(home.join("v8-heap-parser"))
        .env("CARGO_TARGET_DIR", &built)
        .inherit()?;
    let of_node = |arguments: Vec<OsString>| {
        Command::new(&node.binary, arguments).env("NODE_OPTIONS", "--max-old-space-size=14000")
    };
    let path = OsString::from(&dump.path);
    let memlab = packages.join("node_modules").join(".bin").join("memlab");
    Ok(vec![
        Contestant {
            name: "v8-heap-parser 1.1.0".to_owned(),
            does: "loads the graph (Rust)",
            command: Command::new(built.join("release").join("peer-v8-heap-parser"), [path.clone()]),
            is_ours: false,
        },
        Contestant {
            name: "heap-snapshot-toolkit 1.1.3".to_owned(),
            does: "loads it as the developer tools do, and its statistics",
            command: of_node(vec![packages.join("toolkit.mjs").into(), path.clone()]),
            is_ours: false,
        },
        Contestant {
            name: "memlab 2.0.5".to_owned(),
            does: "its analysis of strings",
            command: of_node(vec![
                memlab.into(),
                "analyze".into(),
                "string".into(),
                "--snapshot".into(),
                path,
            ]),
            is_ours: false,
        },
    ])
}

fn of_ruby(dump: &Dump) -> anyhow::Result<Vec<Contestant>> {
    debian::ensure(&["ruby", "ruby-heapy"])?;
    Ok(vec![Contestant {
        name: "heapy 0.2.0".to_owned(),
        does: "objects and memory by generation",
        command: Command::new("heapy", [OsString::from("read"), dump.path.clone().into()]),
        is_ours: false,
    }])
}
