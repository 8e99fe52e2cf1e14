//! For Ruby: a gem with the binary.

use std::path::{Path, PathBuf};

use deadweight_tools::shell::Shell;

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, SUMMARY, VERSION, write, write_program};

const ENTRY: &str = include_str!("../../../packaging/gem/deadweight");

pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<PathBuf> {
    let platform = format!("{}-linux", std::env::consts::ARCH);
    write_program(&place.join("libexec/deadweight"), binary.bytes()?)?;
    write_program(&place.join("exe/deadweight"), ENTRY)?;
    let description = format!(
        "Gem::Specification.new do |gem|
  gem.name = 'deadweight'
  gem.version = '{VERSION}'
  gem.platform = '{platform}'
  gem.summary = {SUMMARY:?}
  gem.homepage = '{HOMEPAGE}'
  gem.authors = ['The Deadweight authors']
  gem.licenses = ['MIT', 'Apache-2.0']
  gem.required_ruby_version = '>= 3.1'
  gem.bindir = 'exe'
  gem.executables = ['deadweight']
  gem.files = ['exe/deadweight', 'libexec/deadweight']
end
"
    );
    write(&place.join("deadweight.gemspec"), description)?;
    let package = place.join(format!("deadweight-{VERSION}-{platform}.gem"));
    Shell::new("gem")
        .args(["build", "--quiet", "deadweight.gemspec", "--output"])
        .args([&package])
        .current_dir(place)
        .output()?;
    Ok(package)
}

pub(super) fn try_out(package: &Path, wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    let (gems, programs) = (root.path().join("gems"), root.path().join("bin"));
    Shell::new("gem")
        .args(["install", "--local", "--no-document", "--install-dir"])
        .args([&gems])
        .args(["--bindir"])
        .args([&programs])
        .args([package])
        .env("HOME", root.path())
        .output()?;
    // The stub that gem writes looks for gems where this says.
    let env = format!("GEM_PATH={}", gems.display());
    let command = programs.join("deadweight").to_string_lossy().into_owned();
    wasteful.weigh(Path::new("env"), &[&env, &command], &programs)
}
