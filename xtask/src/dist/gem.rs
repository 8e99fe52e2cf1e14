//! For Ruby: a gem with the binary, and one for test suites.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use deadweight_tools::shell::{Shell, path_with};
use deadweight_tools::workspace;

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, LICENSES, SUMMARY, VERSION, write, write_program};

const ENTRY: &str = include_str!("../../../packaging/gem/deadweight");

/// A suite with a limit that holds and one that breaks.
const SUITE: &str = r#"
require 'minitest/autorun'
require 'deadweight/minitest'
class Limits < Minitest::Test
  include Deadweight::MinitestAssertions
  def rows(number) = Array.new(20_000) { |i| +"a text that is long enough to be one: #{i % number}" }
  def test_limits
    expect_held(bytes: '9 MB') { rows(20_000) }
    error = assert_raises(Minitest::Assertion) { expect_held(findings: []) { rows(4) } }
    assert_match(/D01 is not allowed here/, error.message)
  end
end
"#;

/// Both gems, the one with the binary first.
pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<[PathBuf; 2]> {
    Ok([
        pack_binary(binary, &place.join("binary"))?,
        pack_testing(&place.join("testing"))?,
    ])
}

fn pack_binary(binary: &Binary, place: &Path) -> anyhow::Result<PathBuf> {
    let platform = binary.platform.gem;
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
  gem.files = ['exe/deadweight', 'libexec/deadweight', 'LICENSE-MIT', 'LICENSE-APACHE']
end
"
    );
    write(&place.join("deadweight.gemspec"), description)?;
    build(
        place,
        "deadweight",
        &format!("deadweight-{VERSION}-{platform}.gem"),
    )
}

/// With the recorder in it, which stands elsewhere in the checkout.
fn pack_testing(place: &Path) -> anyhow::Result<PathBuf> {
    let (testing, recorder) = (
        workspace::root().join("testing/ruby"),
        workspace::root().join("recorders/ruby"),
    );
    for (from, to) in [
        (testing.join("lib"), place.join("lib")),
        (recorder, place.join("recorder")),
    ] {
        copy(&from, &to)?;
    }
    for name in ["README.md", "deadweight-testing.gemspec"] {
        fs::copy(testing.join(name), place.join(name))?;
    }
    build(
        place,
        "deadweight-testing",
        &format!("deadweight-testing-{VERSION}.gem"),
    )
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A gem of what stands in a folder.
fn build(place: &Path, name: &str, file: &str) -> anyhow::Result<PathBuf> {
    for (license, text) in LICENSES {
        write(&place.join(license), text)?;
    }
    let package = place.with_file_name(file);
    Shell::new("gem")
        .args(["build", "--quiet", &format!("{name}.gemspec"), "--output"])
        .args([&package])
        .current_dir(place)
        .output()?;
    Ok(package)
}

pub(super) fn try_out(packages: &[PathBuf; 2], wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    let (gems, programs) = (root.path().join("gems"), root.path().join("bin"));
    Shell::new("gem")
        .args(["install", "--local", "--no-document", "--install-dir"])
        .args([&gems])
        .args(["--bindir"])
        .args([&programs])
        .args(packages)
        .env("HOME", root.path())
        .output()?;
    // The stub that gem writes looks for gems where this says.
    let env = format!("GEM_PATH={}", gems.display());
    let command = programs.join("deadweight");
    wasteful.weigh(Path::new("env"), &[&env, &command.to_string_lossy()], &programs)?;
    let suite = root.path().join("limits.rb");
    fs::write(&suite, SUITE)?;
    // minitest is one of those that come with Ruby, whose folder this adds.
    let said = Shell::new("ruby")
        .args([
            "-e",
            "ENV['GEM_PATH'] = ([ARGV.shift] + Gem.path).join(':'); exec('ruby', *ARGV)",
        ])
        .args([&gems, &suite])
        .env("HOME", root.path())
        .env("PATH", path_with(&programs))
        .output()?;
    let said = String::from_utf8_lossy(&said);
    ensure!(
        said.contains("0 failures, 0 errors"),
        "limits in test suites do not hold: {said}"
    );
    Ok(())
}
