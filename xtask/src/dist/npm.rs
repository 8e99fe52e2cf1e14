//! For npm: a thin package, and one with the binary that it has as an optional dependency.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::{npm, workspace};
use serde_json::json;

use super::binary::Binary;
use super::platform::PLATFORMS;
use super::tried::Wasteful;
use super::{HOMEPAGE, LICENSE, LICENSES, README, SUMMARY, VERSION, write, write_program};

const ENTRY: &str = include_str!("../../../packaging/npm/deadweight.js");

/// Writes the packages and packs them: the one with the binary, the thin one, and that for test suites.
pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (system, processor) = binary.platform.node;
    let with_binary = place.join(format!("{system}-{processor}"));
    write_program(&with_binary.join("bin/deadweight"), binary.bytes()?)?;
    let mut manifest = json!({
        "name": binary.platform.npm(),
        "version": VERSION,
        "description": format!("The binary of deadweight for {system} on {processor}"),
        "license": LICENSE,
        "repository": HOMEPAGE,
        "os": [system],
        "cpu": [processor],
        "files": ["bin", "LICENSE-*"],
    });
    if binary.glibc.is_some() {
        manifest["libc"] = json!(["glibc"]);
    }
    write(
        &with_binary.join("package.json"),
        serde_json::to_vec_pretty(&manifest)?,
    )?;

    let thin = place.join("deadweight");
    write_program(&thin.join("bin/deadweight.js"), ENTRY)?;
    let platforms: BTreeMap<String, &str> = PLATFORMS
        .iter()
        .map(|platform| (platform.npm(), VERSION))
        .collect();
    let manifest = json!({
        "name": "deadweight",
        "version": VERSION,
        "description": SUMMARY,
        "keywords": ["memory", "heap", "heapsnapshot", "profiler", "leak"],
        "license": LICENSE,
        "repository": HOMEPAGE,
        "bin": { "deadweight": "bin/deadweight.js" },
        "files": ["bin", "LICENSE-*"],
        "engines": { "node": ">=18" },
        "optionalDependencies": platforms,
    });
    write(&thin.join("package.json"), serde_json::to_vec_pretty(&manifest)?)?;
    write(&thin.join("README.md"), README)?;
    for folder in [&with_binary, &thin] {
        for (name, text) in LICENSES {
            write(&folder.join(name), text)?;
        }
    }
    let testing = workspace::root().join("testing/node");
    [with_binary, thin, testing]
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

/// A suite with a limit that holds and one that breaks.
const SUITE: &str = "
const test = require('node:test');
const assert = require('node:assert');
const { expectHeld } = require('@deadweight/testing');
const rows = (of) => Array.from({ length: 20000 }, (_, i) => ({ id: i, text: Buffer.from(`a text: ${i % of}`).toString() }));
test('limits', async () => {
  await expectHeld(() => rows(20000), { bytes: '9 MB' });
  await assert.rejects(expectHeld(() => rows(4), { findings: [] }), /D01 is not allowed here/);
});
";

/// Without a network, so that nothing but these files can have been installed: packages for other machines stay away.
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
    wasteful.weigh(Path::new("npx"), &npx, root.path())?;
    fs::write(root.path().join("limits.test.js"), SUITE)?;
    let said = Shell::new("node")
        .args(["--test", "limits.test.js"])
        .current_dir(root.path())
        .env("HOME", root.path())
        .env("PATH", path_with(&root.path().join("node_modules/.bin")))
        .output()?;
    let said = String::from_utf8_lossy(&said);
    ensure!(
        said.contains("# pass 1"),
        "limits in test suites do not hold: {said}"
    );
    Ok(())
}
