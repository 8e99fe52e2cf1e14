//! `cargo xtask dist`: packages of the binary in target/dist, each tried where nothing else is.

mod binary;
mod crates;
mod debian;
mod gem;
mod glibc;
mod npm;
mod tried;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use deadweight_tools::workspace::{self, Profile};

use self::binary::Binary;
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

/// Makes the packages and tries each.
///
/// # Errors
/// When one cannot be made, or does not do its work where it is installed.
pub fn run(dist: &Dist) -> anyhow::Result<bool> {
    let place = workspace::target().join("dist");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let profile = if dist.quick {
        Profile::Quick
    } else {
        Profile::Release
    };
    let binary = Binary::build(profile, &place)?;
    println!(
        "{}: {:.1} MB, needs glibc {}",
        binary.path.display(),
        binary.megabytes()?,
        binary.glibc
    );

    let npm = npm::pack(&binary, &place.join("npm"))?;
    let wheel = wheel::pack(&binary, &place.join("pypi"))?;
    let gem = gem::pack(&binary, &place.join("gem"))?;
    let deb = debian::pack(&binary, &place.join("deb"))?;
    let packages: Vec<&PathBuf> = npm.iter().chain([&wheel, &gem, &deb]).collect();
    for package in packages {
        println!("{}", package.display());
    }
    crates::pack()?;
    println!("{}", workspace::target().join("package").display());
    if !dist.untried {
        let wasteful = Wasteful::compile()?;
        tried("npm", || npm::try_out(&npm, &wasteful))?;
        tried("pip", || wheel::try_out(&wheel, &wasteful))?;
        tried("gem", || gem::try_out(&gem, &wasteful))?;
        tried("dpkg", || debian::try_out(&deb, &wasteful))?;
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
