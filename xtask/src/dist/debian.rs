//! For Debian: the binary with its manual pages and completions.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use deadweight_tools::shell::Shell;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, SUMMARY, VERSION, write, write_program};

fn architecture() -> anyhow::Result<&'static str> {
    Ok(match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("Debian has no name for {other} here"),
    })
}

pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<PathBuf> {
    let architecture = architecture()?;
    let root = place.join("root");
    write_program(&root.join("usr/bin/deadweight"), binary.bytes()?)?;
    let written = place.join("man");
    let pages = written.to_string_lossy().into_owned();
    binary.prints(&["man", &pages])?;
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
        write(&root.join(path), binary.prints(&["completions", shell])?)?;
    }
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: {HOMEPAGE}\n\n\
         Files: *\nCopyright: The Deadweight authors\nLicense: MIT or Apache-2.0\n"
    );
    write(&root.join("usr/share/doc/deadweight/copyright"), copyright)?;
    let size = binary.bytes()?.len() / 1024;
    let control = format!(
        "Package: deadweight\nVersion: {VERSION}\nArchitecture: {architecture}\n\
         Maintainer: The Deadweight authors <deadweight@users.noreply.github.com>\nInstalled-Size: {size}\n\
         Depends: libc6 (>= {}), libgcc-s1\nSection: devel\nPriority: optional\nHomepage: {HOMEPAGE}\n\
         Description: {SUMMARY}\n Weighs heaps of Node.js, Ruby and native programs.\n",
        binary.glibc
    );
    write(&root.join("DEBIAN/control"), control)?;
    let package = place.join(format!("deadweight_{VERSION}_{architecture}.deb"));
    Shell::new("dpkg-deb")
        .args(["--build", "--root-owner-group"])
        .args([&root, &package])
        .output()?;
    Ok(package)
}

/// Unpacked into an empty root: to configure packages there dpkg would need the whole of Debian in it.
pub(super) fn try_out(package: &Path, wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    Shell::new("dpkg")
        .args(["--extract"])
        .args([package, root.path()])
        .output()?;
    anyhow::ensure!(
        root.path()
            .join("usr/share/man/man1/deadweight-run.1.gz")
            .is_file(),
        "it has no page of `deadweight run`"
    );
    let programs = root.path().join("usr/bin");
    wasteful.weigh(&programs.join("deadweight"), &[], &programs)
}
