//! For Debian: the binary with its manual pages and completions.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_tools::{debian, workspace};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, LICENSES, SUMMARY, VERSION, write, write_program};

/// The oldest release that still gets security updates, in which the package is tried.
const RELEASE: &str = "bullseye";

pub(super) fn pack(binary: &Binary, architecture: &str, place: &Path) -> anyhow::Result<PathBuf> {
    let glibc = binary
        .glibc
        .context("it is not known which glibc the binary needs")?;
    let root = place.join("root");
    write_program(&root.join("usr/bin/deadweight"), binary.bytes()?)?;
    let written = place.join("man");
    let pages = written.to_string_lossy().into_owned();
    Shell::new(&binary.path).args(["man", &pages]).output()?;
    let pages = root.join("usr/share/man/man1");
    fs::create_dir_all(&pages)?;
    for page in fs::read_dir(written)? {
        let page = page?;
        let name = page.file_name().to_string_lossy().into_owned() + ".gz";
        let mut packer = GzEncoder::new(File::create(pages.join(name))?, Compression::best());
        packer.write_all(&fs::read(page.path())?)?;
        packer.finish()?;
    }
    for (shell, path) in [
        ("bash", "usr/share/bash-completion/completions/deadweight"),
        ("zsh", "usr/share/zsh/vendor-completions/_deadweight"),
        ("fish", "usr/share/fish/vendor_completions.d/deadweight.fish"),
    ] {
        let text = Shell::new(&binary.path).args(["completions", shell]).output()?;
        write(&root.join(path), text)?;
    }
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: {HOMEPAGE}\n\n\
         Files: *\nCopyright: The Deadweight authors\nLicense: MIT or Apache-2.0\n\n{}\n\n\
         The Apache License stands in /usr/share/common-licenses/Apache-2.0.\n",
        LICENSES[0].1
    );
    write(&root.join("usr/share/doc/deadweight/copyright"), copyright)?;
    let size = binary.bytes()?.len() / 1024;
    let control = format!(
        "Package: deadweight\nVersion: {VERSION}\nArchitecture: {architecture}\n\
         Maintainer: The Deadweight authors <deadweight@users.noreply.github.com>\nInstalled-Size: {size}\n\
         Depends: libc6 (>= {glibc})\nSection: devel\nPriority: optional\nHomepage: {HOMEPAGE}\n\
         Description: {SUMMARY}\n Weighs heaps of Node.js, Ruby and native programs.\n"
    );
    write(&root.join("DEBIAN/control"), control)?;
    let package = place.join(format!("deadweight_{VERSION}_{architecture}.deb"));
    Shell::new("dpkg-deb")
        .args(["--build", "--root-owner-group"])
        .args([&root, &package])
        .output()?;
    Ok(package)
}

/// Installed by `apt-get` into a small Debian of that release; unpacked into an empty root where this user cannot do so.
pub(super) fn try_out(package: &Path, wasteful: &Wasteful) -> anyhow::Result<()> {
    if !debian::is_root() {
        let root = tempfile::tempdir()?;
        Shell::new("dpkg")
            .args(["--extract"])
            .args([package, root.path()])
            .output()?;
        let programs = root.path().join("usr/bin");
        return wasteful.weigh(&programs.join("deadweight"), &[], &programs);
    }
    let root = bootstrap()?;
    fs::copy(package, root.join("tmp/deadweight.deb"))?;
    within(&root)
        .args(["apt-get", "install", "--yes", "--quiet", "/tmp/deadweight.deb"])
        .output()?;
    let tried = check_installed(&root).and_then(|()| wasteful.weigh_within(&root));
    within(&root)
        .args(["apt-get", "purge", "--yes", "--quiet", "deadweight"])
        .output()?;
    tried
}

fn check_installed(root: &Path) -> anyhow::Result<()> {
    within(root)
        .args(["bash", "-n", "/usr/share/bash-completion/completions/deadweight"])
        .output()?;
    let page = within(root)
        .args(["zcat", "/usr/share/man/man1/deadweight-run.1.gz"])
        .output()?;
    ensure!(page.starts_with(b".ie"), "it has no page of `deadweight run`");
    Ok(())
}

/// A command in that system.
pub(super) fn within(root: &Path) -> Shell {
    Shell::new("unshare")
        .args(["--mount", "--pid", "--fork", "--mount-proc", "--root"])
        .args([root.as_os_str()])
        .args([
            "env",
            "-i",
            "HOME=/tmp/home",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND=noninteractive",
        ])
}

/// Downloaded once, and kept.
fn bootstrap() -> anyhow::Result<PathBuf> {
    let root = workspace::target()
        .join("tools")
        .join(format!("debian-{RELEASE}"));
    let done = root.join("etc/deadweight-complete");
    if done.is_file() {
        return Ok(root);
    }
    debian::ensure(&["debootstrap"])?;
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    eprintln!("downloading a small Debian {RELEASE} into {}", root.display());
    Shell::new("debootstrap")
        .args(["--variant=minbase", RELEASE])
        .args([&root])
        .output()?;
    fs::write(done, "")?;
    Ok(root)
}
