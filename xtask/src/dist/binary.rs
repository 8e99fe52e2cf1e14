//! The binary that all packages hold.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use deadweight_tools::shell::Shell;
use deadweight_tools::{workspace, zig};

use super::glibc::{self, Version};
use super::platform::Platform;

/// The libraries that a binary for Linux carries.
const LIBRARIES: [&str; 3] = [
    "libdeadweight_recorder.so",
    "libdeadweight_python.so",
    "libdeadweight_ruby.so",
];

/// The binary, without what only a debugger reads.
#[derive(Debug)]
pub(super) struct Binary {
    pub path: PathBuf,
    pub platform: &'static Platform,
    /// The oldest glibc that it and the libraries it carries run with; `None` where there is none.
    pub glibc: Option<Version>,
}

impl Binary {
    /// Builds it, on Linux for systems older than this one.
    pub fn build(profile: &str, platform: &'static Platform, place: &Path) -> anyhow::Result<Self> {
        let zig = platform.zig();
        let cargo = match &zig {
            Some(target) => zig::cargo()?.args(["zigbuild", "--target", target]),
            None => Shell::new(workspace::cargo()).args(["build", "--target", platform.triple]),
        };
        cargo
            .args(["--profile", profile, "--package", "deadweight"])
            .env("DEADWEIGHT_LIBRARIES_REQUIRED", "1")
            .inherit()?;
        let built = workspace::target().join(platform.triple).join(profile);
        let folder = place.join("bin").join(platform.triple);
        fs::create_dir_all(&folder)?;
        let path = folder.join("deadweight");
        strip(&built.join("deadweight"), &path)?;
        let glibc = match zig {
            Some(_) => Some(needed(&path, &built)?),
            None => None,
        };
        Ok(Self {
            path,
            platform,
            glibc,
        })
    }

    pub fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        Ok(fs::read(&self.path)?)
    }

    pub fn megabytes(&self) -> anyhow::Result<f64> {
        Ok(self.path.metadata()?.len() as f64 / 1e6)
    }
}

/// Leaves what only a debugger reads in a file beside the binary, which names it.
fn strip(built: &Path, to: &Path) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        return Shell::new("strip").args([Path::new("-o"), to, built]).inherit();
    }
    let debug = to.with_extension("debug");
    objcopy()?
        .args(["--only-keep-debug", "--compress-debug-sections=zlib"])
        .args([built, &debug])
        .output()?;
    let mut link = std::ffi::OsString::from("--add-gnu-debuglink=");
    link.push(&debug);
    objcopy()?
        .args(["--strip-all"])
        .args([link.as_os_str(), built.as_os_str(), to.as_os_str()])
        .output()?;
    Ok(())
}

/// The one of Rust's own, which knows files of other processors. It is linked with a library of the compiler.
fn objcopy() -> anyhow::Result<Shell> {
    let said = |what| -> anyhow::Result<PathBuf> {
        let said = Shell::new("rustc").args(["--print", what]).output()?;
        Ok(PathBuf::from(String::from_utf8(said)?.trim_end()))
    };
    let objcopy = said("target-libdir")?.with_file_name("bin").join("rust-objcopy");
    ensure!(objcopy.is_file(), "Rust has no {}", objcopy.display());
    Ok(Shell::new(objcopy).env("LD_LIBRARY_PATH", said("sysroot")?.join("lib")))
}

/// The newest glibc that the binary or one of its libraries asks for.
fn needed(binary: &Path, built: &Path) -> anyhow::Result<Version> {
    let mut newest = glibc::needed(&fs::read(binary)?)?;
    for library in LIBRARIES {
        let mut found = false;
        for folder in fs::read_dir(built.join("build"))? {
            let target = folder?.path().join("out/target");
            for triple in fs::read_dir(target).into_iter().flatten() {
                let path = triple?.path().join("release").join(library);
                if let Ok(bytes) = fs::read(&path) {
                    found = true;
                    newest = newest.max(glibc::needed(&bytes).with_context(|| path.display().to_string())?);
                }
            }
        }
        ensure!(found, "{library} was not compiled");
    }
    Ok(newest)
}
