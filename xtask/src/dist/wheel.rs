//! For pip and uv: a wheel with the binary.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use deadweight_tools::shell::Shell;
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime};

use super::binary::Binary;
use super::tried::Wasteful;
use super::{HOMEPAGE, LICENSE, LICENSES, README, SUMMARY, VERSION};

/// A wheel is a zip with a list of what is in it. `manylinux` names the glibc that its programs need (PEP 600).
pub(super) fn pack(binary: &Binary, place: &Path) -> anyhow::Result<PathBuf> {
    let tag = binary.platform.wheel(binary.glibc)?;
    let about = format!("deadweight-{VERSION}.dist-info");
    let licenses: String = LICENSES
        .map(|(name, _)| format!("License-File: {name}\n"))
        .concat();
    let metadata = format!(
        "Metadata-Version: 2.4\nName: deadweight\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense-Expression: {LICENSE}\n\
         {licenses}Project-URL: Source, {HOMEPAGE}\nKeywords: memory,heap,profiler\nRequires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{README}"
    );
    let kind =
        format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\nTag: {tag}\n");
    let mut files = vec![
        (
            format!("deadweight-{VERSION}.data/scripts/deadweight"),
            0o755,
            binary.bytes()?,
        ),
        (format!("{about}/METADATA"), 0o644, metadata.into_bytes()),
        (format!("{about}/WHEEL"), 0o644, kind.into_bytes()),
    ];
    for (name, text) in LICENSES {
        files.push((format!("{about}/licenses/{name}"), 0o644, text.into()));
    }
    fs::create_dir_all(place)?;
    let path = place.join(format!("deadweight-{VERSION}-{tag}.whl"));
    let mut wheel = ZipWriter::new(File::create(&path)?);
    let mut list = String::new();
    for (name, mode, bytes) in &files {
        wheel.start_file(name, options().unix_permissions(*mode))?;
        wheel.write_all(bytes)?;
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        writeln!(list, "{name},sha256={digest},{}", bytes.len())?;
    }
    writeln!(list, "{about}/RECORD,,")?;
    wheel.start_file(format!("{about}/RECORD"), options())?;
    wheel.write_all(list.as_bytes())?;
    wheel.finish()?;
    Ok(path)
}

/// The same bytes each time, whenever it is packed.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
}

pub(super) fn try_out(wheel: &Path, wasteful: &Wasteful) -> anyhow::Result<()> {
    let root = tempfile::tempdir()?;
    let place = root.path().join("environment");
    Shell::new("python3")
        .args(["-m", "venv"])
        .args([&place])
        .output()?;
    let programs = place.join("bin");
    Shell::new(programs.join("python"))
        .args(["-m", "pip", "install", "--no-index", "--no-deps", "--quiet"])
        .args([wheel])
        .env("HOME", root.path())
        .output()?;
    wasteful.weigh(&programs.join("deadweight"), &[], &programs)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use zip::ZipArchive;

    use super::*;
    use crate::dist::glibc::Version;
    use crate::dist::platform::Platform;

    #[test]
    fn a_wheel_lists_what_is_in_it_and_names_the_glibc_that_it_needs() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("program");
        fs::write(&path, "a program").unwrap();
        let glibc = Some(Version(2, 28));
        let packed = |folder: &str| {
            pack(
                &Binary {
                    path: path.clone(),
                    platform: Platform::own().unwrap(),
                    glibc,
                },
                &place.path().join(folder),
            )
            .unwrap()
        };
        let (wheel, again) = (packed("one"), packed("other"));
        let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            name.starts_with("deadweight-") && name.contains("-py3-none-manylinux_2_28_"),
            "{name}"
        );
        assert_eq!(fs::read(&wheel).unwrap(), fs::read(again).unwrap());

        let mut wheel = ZipArchive::new(File::open(wheel).unwrap()).unwrap();
        let mut files: Vec<(String, Vec<u8>, u32)> = Vec::new();
        for at in 0..wheel.len() {
            let mut file = wheel.by_index(at).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            files.push((file.name().to_owned(), bytes, file.unix_mode().unwrap() & 0o777));
        }
        let (list, files) = files.split_last().unwrap();
        let list = String::from_utf8(list.1.clone()).unwrap();
        let lines: Vec<&str> = list.lines().collect();
        assert_eq!(lines.len(), files.len() + 1);
        for ((name, bytes, _), line) in files.iter().zip(lines) {
            let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
            assert_eq!(line, format!("{name},sha256={digest},{}", bytes.len()));
        }
        assert!(files[0].0.ends_with(".data/scripts/deadweight"));
        assert_eq!((&*files[0].1, files[0].2), (&b"a program"[..], 0o755));
    }
}
