//! The binary that all packages hold.

use std::fs;
use std::path::{Path, PathBuf};

use deadweight_tools::shell::Shell;
use deadweight_tools::workspace::{self, Profile};

use super::glibc::{self, Version};

/// The binary, without what only a debugger reads.
#[derive(Debug)]
pub(super) struct Binary {
    pub path: PathBuf,
    /// The oldest glibc that it and the libraries it carries run with.
    pub glibc: Version,
}

impl Binary {
    pub fn build(profile: Profile, place: &Path) -> anyhow::Result<Self> {
        let built = workspace::build_deadweight(profile)?;
        let folder = place.join("bin");
        fs::create_dir_all(&folder)?;
        let path = folder.join("deadweight");
        Shell::new("strip")
            .args([Path::new("-o"), &path, &built])
            .output()?;
        let mut files = vec![path.clone()];
        let home = tempfile::tempdir()?;
        for of in ["native", "ruby"] {
            let said = Shell::new(&path)
                .args(["library", of])
                .env("XDG_CACHE_HOME", home.path())
                .output()?;
            files.push(PathBuf::from(String::from_utf8(said)?.trim_end()));
        }
        let mut glibc = Version::default();
        for file in &files {
            glibc = glibc.max(glibc::needed(&fs::read(file)?)?);
        }
        Ok(Self { path, glibc })
    }

    pub fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        Ok(fs::read(&self.path)?)
    }

    pub fn megabytes(&self) -> anyhow::Result<f64> {
        Ok(self.path.metadata()?.len() as f64 / 1e6)
    }

    /// A page, a completion or another text that the binary prints.
    pub fn prints(&self, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
        Shell::new(&self.path).args(arguments).output()
    }
}
