//! Node.js in the versions that everything is tested on: exact releases, kept below the target directory.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail, ensure};

use crate::shell::Shell;
use crate::{npm, workspace};

/// The releases, oldest first.
pub const VERSIONS: [&str; 5] = ["18.20.8", "20.20.2", "22.23.3", "24.21.0", "25.9.0"];

/// The versions that predictions are proven on.
pub const PROVEN: [u32; 3] = [20, 22, 24];

/// The oldest and the newest of these, on which the whole test run proves predictions; `--full` takes all.
pub const OUTERMOST: [u32; 2] = [PROVEN[0], PROVEN[2]];

/// Says where to find versions that are there already: `n20/node_modules/…` below it.
const OVERRIDE: &str = "DEADWEIGHT_NODES_DIR";

/// One Node.js.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its exact version.
    pub version: String,
    /// The program.
    pub binary: PathBuf,
}

impl Node {
    /// The directory of the program, for PATH.
    pub fn directory(&self) -> &Path {
        self.binary.parent().unwrap_or(Path::new("."))
    }

    /// A command of this Node.js, which its children find first too.
    pub fn shell(&self) -> Shell {
        Shell::new(&self.binary)
            .env("PATH", crate::shell::path_with(self.directory()))
            .env_remove("NODE_OPTIONS")
    }
}

/// The Node.js of a major version, installed if it is not there.
///
/// # Errors
/// When it is not one of [`VERSIONS`] or cannot be installed.
pub fn node(major: u32) -> anyhow::Result<Node> {
    static FOUND: Mutex<BTreeMap<u32, Node>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(node) = found.get(&major) {
        return Ok(node.clone());
    }
    let node = find_or_install(major)?;
    found.insert(major, node.clone());
    Ok(node)
}

/// All of [`VERSIONS`].
///
/// # Errors
/// When one cannot be installed.
pub fn all() -> anyhow::Result<Vec<Node>> {
    VERSIONS.iter().map(|version| node(major_of(version))).collect()
}

/// The programs as a list in the form of PATH.
///
/// # Errors
/// When a path has the separator in it.
pub fn path_list(nodes: &[Node]) -> anyhow::Result<OsString> {
    Ok(env::join_paths(nodes.iter().map(|node| &node.binary))?)
}

fn major_of(version: &str) -> u32 {
    version
        .split('.')
        .next()
        .and_then(|major| major.parse().ok())
        .unwrap_or(0)
}

fn find_or_install(major: u32) -> anyhow::Result<Node> {
    let Some(version) = VERSIONS.iter().find(|version| major_of(version) == major) else {
        bail!(
            "Node.js {major} is not one of those tested: {}",
            VERSIONS.join(", ")
        );
    };
    let package = package()?;
    let program = |home: &Path| home.join("node_modules").join(&package).join("bin/node");
    let binary = if let Some(directory) = env::var_os(OVERRIDE) {
        program(&Path::new(&directory).join(format!("n{major}")))
    } else {
        let home = workspace::target().join("tools").join(format!("node-{major}"));
        let binary = program(&home);
        if !is_version(&binary, version) {
            install(&home, &package, version)?;
        }
        binary
    };
    ensure!(
        is_version(&binary, version),
        "{} is not Node.js {version}",
        binary.display()
    );
    Ok(Node {
        version: (*version).to_owned(),
        binary,
    })
}

fn is_version(binary: &Path, version: &str) -> bool {
    let said = Shell::new(binary)
        .args(["--version"])
        .env_remove("NODE_OPTIONS")
        .output();
    said.is_ok_and(|said| String::from_utf8_lossy(&said).trim() == format!("v{version}"))
}

fn install(home: &Path, package: &str, version: &str) -> anyhow::Result<()> {
    npm::ensure()?;
    eprintln!(
        "Node.js {version} is missing: installing it below {}",
        home.display()
    );
    std::fs::create_dir_all(home).with_context(|| format!("{} could not be made", home.display()))?;
    npm::npm()
        .args(["install", "--no-save", "--no-package-lock", "--prefix"])
        .args([home.as_os_str()])
        .args([format!("{package}@{version}")])
        .output()
        .with_context(|| format!("Node.js {version} could not be installed"))?;
    Ok(())
}

/// The package with Node.js for this machine.
fn package() -> anyhow::Result<String> {
    let os = match env::consts::OS {
        "macos" => "darwin",
        os => os,
    };
    let arch = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        arch => bail!("there is no package with Node.js for {arch}"),
    };
    Ok(format!("node-{os}-{arch}"))
}
