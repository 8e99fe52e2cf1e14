//! `cargo xtask dist`: packages of the binary in target/dist, each tried where nothing else is.

mod binary;
mod crates;
mod debian;
mod gem;
mod glibc;
mod npm;
mod platform;
mod registry;
mod tried;
mod wheel;

use std::fs;
use std::path::Path;

use clap::Args;
use deadweight_tools::workspace;

use self::binary::Binary;
use self::platform::Platform;
use self::tried::Wasteful;

/// `cargo xtask dist`.
#[derive(Args, Debug)]
pub struct Dist {
    /// Pack a binary with less optimisation, which is built sooner: to try the packages
    #[arg(long)]
    pub quick: bool,
    /// Do not install the packages to try them
    #[arg(long)]
    pub untried: bool,
}

/// What every package says of itself.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const SUMMARY: &str =
    "Finds the dead weight in a program's memory, predicts what each fix saves, and proves it";
const HOMEPAGE: &str = "https://github.com/deadweight/deadweight";
const LICENSE: &str = "MIT OR Apache-2.0";
const README: &str = include_str!("../../../README.md");
const LICENSES: [(&str, &str); 2] = [
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
];

/// Makes the packages and tries each.
///
/// # Errors
/// When one cannot be made, or does not do its work where it is installed.
pub fn run(dist: &Dist) -> anyhow::Result<bool> {
    let place = workspace::target().join("dist");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let platform = Platform::own()?;
    let profile = if dist.quick { "quick" } else { "dist" };
    let binary = Binary::build(profile, platform, &place)?;
    let glibc = binary.glibc.map(|glibc| format!(", needs glibc {glibc}"));
    println!(
        "{}: {:.1} MB{}",
        binary.path.display(),
        binary.megabytes()?,
        glibc.unwrap_or_default()
    );

    let npm = npm::pack(&binary, &place.join("npm"))?;
    let wheel = wheel::pack(&binary, &place.join("pypi"))?;
    let gems = gem::pack(&binary, &place.join("gem"))?;
    let deb = match platform.debian {
        Some(architecture) => Some(debian::pack(&binary, architecture, &place.join("deb"))?),
        None => None,
    };
    for package in npm.iter().chain([&wheel]).chain(&gems).chain(&deb) {
        println!("{}", package.display());
    }
    crates::pack()?;
    println!("{}", workspace::target().join("package").display());
    if !dist.untried {
        let wasteful = Wasteful::compile(platform)?;
        tried("npm", || npm::try_out(&npm, &wasteful))?;
        tried("pip", || wheel::try_out(&wheel, &wasteful))?;
        tried("gem", || gem::try_out(&gems, &wasteful))?;
        if let Some(deb) = &deb {
            tried("apt", || debian::try_out(deb, &wasteful))?;
        }
        tried("cargo", || registry::try_out(dist.quick, &wasteful))?;
    }
    Ok(true)
}

fn tried(with: &str, check: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    check().map_err(|error| error.context(format!("the package for {with} does not work")))?;
    println!("installed with {with} into an empty root, it records and weighs a program");
    Ok(())
}

/// Writes a file, and the folders above it.
fn write(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(path, text)?)
}

/// Writes a program: a file that can be executed.
fn write_program(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    write(path, bytes)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

#[cfg(test)]
mod tests {
    use deadweight_tools::workspace::root;

    use super::*;

    /// What pre-commit installs names the wheel of this version, too.
    #[test]
    fn all_packages_have_one_version() {
        for (file, line) in [
            ("testing/node/package.json", format!("\"version\": \"{VERSION}\"")),
            (
                "testing/ruby/deadweight-testing.gemspec",
                format!("gem.version = '{VERSION}'"),
            ),
            ("pyproject.toml", format!("version = \"{VERSION}\"")),
            ("pyproject.toml", format!("\"deadweight=={VERSION}\"")),
        ] {
            let text = fs::read_to_string(root().join(file)).unwrap();
            assert!(text.contains(&line), "{file}: {line}");
        }
    }
}
