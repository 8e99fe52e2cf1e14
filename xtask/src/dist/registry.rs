//! A registry in a folder, with the crates as packed and all that they need: to install from as others will.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::workspace;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::tried::Wasteful;
use super::{VERSION, crates, write};

/// What `cargo metadata` says.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// None for those of the checkout.
    source: Option<String>,
    dependencies: Vec<Dependency>,
    features: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    kind: Option<String>,
    rename: Option<String>,
    optional: bool,
    uses_default_features: bool,
    features: Vec<String>,
    target: Option<String>,
}

/// Installs the packed crate with nothing but that registry at hand, and uses what was installed.
pub(super) fn try_out(quick: bool, wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    let registry = root.path().join("registry");
    fill(&registry)?;
    let home = root.path().join("cargo");
    let config = format!(
        "[source.crates-io]\nreplace-with = 'folder'\n[source.folder]\nlocal-registry = '{}'\n",
        registry.display()
    );
    write(&home.join("config.toml"), config)?;
    let toolchain = String::from_utf8(Shell::new("rustc").args(["--print", "sysroot"]).output()?)?;
    let programs = Path::new(toolchain.trim_end()).join("bin");
    let installed = root.path().join("installed");
    Shell::new(programs.join("cargo"))
        .args([
            "install",
            "--quiet",
            "--offline",
            "deadweight",
            "--version",
            VERSION,
            "--root",
        ])
        .args([&installed])
        .args(quick.then_some("--debug"))
        // Nothing of the checkout, nor what the cargo around this one has set.
        .current_dir(root.path())
        .env("CARGO_HOME", &home)
        .env("CARGO_TARGET_DIR", root.path().join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("PATH", path_with(&programs))
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()?;
    let programs = installed.join("bin");
    wasteful.weigh(&programs.join("deadweight"), &[], &programs)
}

fn fill(registry: &Path) -> anyhow::Result<()> {
    let said = Shell::new(workspace::cargo())
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()?;
    let metadata: Metadata = serde_json::from_slice(&said)?;
    let caches = caches()?;
    let mut index: BTreeMap<&str, String> = BTreeMap::new();
    for package in &metadata.packages {
        let file = format!("{}-{}.crate", package.name, package.version);
        let found = match &package.source {
            None if crates::is_own(&package.name) => continue,
            None => Some(workspace::target().join("package").join(&file)),
            Some(_) => caches
                .iter()
                .map(|cache| cache.join(&file))
                .find(|path| path.is_file()),
        };
        let found = found.with_context(|| format!("cargo has not downloaded {file}"))?;
        let bytes = fs::read(&found).with_context(|| found.display().to_string())?;
        write(&registry.join(&file), &bytes)?;
        let line = entry(package, &bytes).to_string() + "\n";
        index.entry(&package.name).or_default().push_str(&line);
    }
    for (name, lines) in index {
        write(&registry.join("index").join(folder(name)).join(name), lines)?;
    }
    Ok(())
}

/// Where cargo keeps what it downloaded, a folder for each registry.
fn caches() -> anyhow::Result<Vec<PathBuf>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let cache = home.context("cargo has no home")?.join("registry/cache");
    let entries = fs::read_dir(&cache).with_context(|| cache.display().to_string())?;
    let folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    ensure!(!folders.is_empty(), "{} is empty", cache.display());
    Ok(folders)
}

/// A line of the index. What tests of ours need is left out, as some of it is never published; features of others may name
/// what theirs need.
fn entry(package: &Package, bytes: &[u8]) -> Value {
    let needs = package.dependencies.iter();
    let is_kept =
        |dependency: &&Dependency| package.source.is_some() || dependency.kind.as_deref() != Some("dev");
    let needs = needs.filter(is_kept);
    let needs: Vec<Value> = needs
        .map(|dependency| {
            json!({
                "name": dependency.rename.as_ref().unwrap_or(&dependency.name),
                "package": dependency.rename.as_ref().map(|_| &dependency.name),
                "req": dependency.req,
                "features": dependency.features,
                "optional": dependency.optional,
                "default_features": dependency.uses_default_features,
                "target": dependency.target,
                "kind": dependency.kind.as_deref().unwrap_or("normal"),
            })
        })
        .collect();
    json!({
        "name": package.name,
        "vers": package.version,
        "deps": needs,
        "cksum": format!("{:x}", Sha256::digest(bytes)),
        "features": package.features,
        "yanked": false,
        "v": 2,
    })
}

/// The folder in which an index has the lines of a crate.
fn folder(name: &str) -> String {
    match name.len() {
        length @ 1..=2 => length.to_string(),
        3 => format!("3/{}", &name[..1]),
        _ => format!("{}/{}", &name[..2], &name[2..4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_where_cargo_looks_for_them_and_leave_out_what_our_tests_need() {
        assert_eq!(
            [folder("a"), folder("cc"), folder("nix"), folder("deadweight")],
            ["1", "2", "3/n", "de/ad"]
        );
        let dependency = |name: &str, kind: Option<&str>, rename: Option<&str>| Dependency {
            name: name.to_owned(),
            req: "^1".to_owned(),
            kind: kind.map(str::to_owned),
            rename: rename.map(str::to_owned),
            optional: false,
            uses_default_features: true,
            features: Vec::new(),
            target: None,
        };
        let package = Package {
            name: "one".to_owned(),
            version: "1.0.0".to_owned(),
            source: None,
            dependencies: vec![
                dependency("two", None, Some("second")),
                dependency("tests", Some("dev"), None),
            ],
            features: BTreeMap::new(),
        };
        let others = Package {
            source: Some("registry".to_owned()),
            ..package
        };
        assert_eq!(entry(&others, b"")["deps"].as_array().unwrap().len(), 2);
        let package = Package {
            source: None,
            ..others
        };
        let line = entry(&package, b"");
        assert_eq!(line["deps"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&line["deps"][0]["name"], &line["deps"][0]["package"]),
            (&json!("second"), &json!("two"))
        );
        assert_eq!(line["deps"][0]["kind"], "normal");
    }
}
