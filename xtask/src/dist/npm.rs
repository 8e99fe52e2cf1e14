//! For npm: a thin package, and one with the binary that it has as an optional dependency.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use deadweight_tools::npm;
use serde_json::json;

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, LICENSE, SUMMARY, VERSION, write, write_program};

const ENTRY: &str = include_str!("../../../packaging/npm/deadweight.js");

/// How Node.js names the processor.
fn processor() -> anyhow::Result<&'static str> {
    Ok(match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => bail!("Node.js has no name for {other} here"),
    })
}

/// Writes both packages and packs them, the one with the binary first.
pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let platform = format!("linux-{}", processor()?);
    let with_binary = place.join(&platform);
    write_program(&with_binary.join("bin/deadweight"), binary.bytes()?)?;
    let manifest = json!({
        "name": format!("@deadweight/{platform}"),
        "version": VERSION,
        "description": format!("The binary of deadweight for {platform}"),
        "license": LICENSE,
        "repository": HOMEPAGE,
        "os": ["linux"],
        "cpu": [processor()?],
        "libc": ["glibc"],
        "files": ["bin"],
    });
    write(
        &with_binary.join("package.json"),
        serde_json::to_vec_pretty(&manifest)?,
    )?;

    let thin = place.join("deadweight");
    write_program(&thin.join("bin/deadweight.js"), ENTRY)?;
    let manifest = json!({
        "name": "deadweight",
        "version": VERSION,
        "description": SUMMARY,
        "keywords": ["memory", "heap", "heapsnapshot", "profiler", "leak"],
        "license": LICENSE,
        "repository": HOMEPAGE,
        "bin": { "deadweight": "bin/deadweight.js" },
        "files": ["bin"],
        "engines": { "node": ">=18" },
        "optionalDependencies": { (format!("@deadweight/{platform}")): VERSION },
    });
    write(&thin.join("package.json"), serde_json::to_vec_pretty(&manifest)?)?;
    let readme = include_str!("../../../README.md");
    write(&thin.join("README.md"), readme)?;
    [with_binary, thin]
        .iter()
        .map(|folder| {
            let said = npm::npm()
                .args(["pack", "--silent", "--pack-destination"])
                .args([place])
                .current_dir(folder)
                .output()?;
            let name = String::from_utf8(said)?;
            let name = name.lines().last().context("npm names no file")?;
            Ok(place.join(name.trim()))
        })
        .collect()
}

/// Without a network, so that nothing but the two files can have been installed.
pub(super) fn try_out(packages: &[PathBuf], wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    fs::write(root.path().join("package.json"), "{}")?;
    npm::npm()
        .args(["install", "--offline"])
        .args(packages)
        .current_dir(root.path())
        .env("HOME", root.path())
        .output()?;
    let command = root.path().join("node_modules/.bin/deadweight");
    wasteful.weigh(&command, &[], root.path())?;
    let prefix = root.path().to_string_lossy().into_owned();
    let npx = ["--prefix", &prefix, "--offline", "--no", "deadweight"];
    wasteful.weigh(Path::new("npx"), &npx, root.path())
}
