//! Compiles the libraries that are loaded into programs, and leaves them compressed for `src/library.rs`.
//!
//! They are compiled by a cargo of their own: no stable feature of cargo hands a shared library to the crate that needs
//! it. Their packages say where their source is, so that a checkout and crates from a registry are built the same way.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// With this variable a library that cannot be compiled for another machine is an error, too.
const REQUIRED: &str = "DEADWEIGHT_LIBRARIES_REQUIRED";

/// Fixed here, because the profiles of a checkout do not reach crates from a registry. Whatever the tool is built as, what
/// runs inside other programs is optimised.
const PROFILE: [&str; 4] = [
    "profile.release.lto=\"fat\"",
    "profile.release.codegen-units=1",
    "profile.release.debug=false",
    "profile.release.strip=true",
];

struct Library {
    package: &'static str,
    source: &'static str,
    file: &'static str,
    packed: &'static str,
}

const LIBRARIES: [Library; 4] = [
    Library {
        package: "deadweight-recorder",
        source: deadweight_recorder::SOURCE,
        file: "libdeadweight_recorder.so",
        packed: "native.gz",
    },
    Library {
        package: "deadweight-recorder-java",
        source: deadweight_java::SOURCE,
        file: "libdeadweight_java.so",
        packed: "java.gz",
    },
    Library {
        package: "deadweight-recorder-python",
        source: deadweight_python::SOURCE,
        file: "libdeadweight_python.so",
        packed: "python.gz",
    },
    Library {
        package: "deadweight-recorder-ruby",
        source: deadweight_ruby::SOURCE,
        file: "libdeadweight_ruby.so",
        packed: "ruby.gz",
    },
];

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={REQUIRED}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for library in &LIBRARIES {
        let packed = out.join(library.packed);
        if !is_recorded()? {
            fs::write(packed, "")?;
            continue;
        }
        match compile(library, &out) {
            Ok(compiled) => pack(&compiled, &packed)?,
            // `cargo check` for another machine needs no linker for it, and this script is not told that it is a check.
            Err(error) if is_foreign()? && env::var_os(REQUIRED).is_none() => {
                println!("cargo::warning={} is left out: {error}", library.file);
                fs::write(packed, "")?;
            }
            Err(error) => return Err(format!("{} cannot be compiled: {error}", library.file).into()),
        }
    }
    Ok(())
}

/// Whether there are recorders of native code for where the tool is to run.
fn is_recorded() -> Result<bool> {
    let is = |name: &str, wanted: &[&str]| -> Result<bool> {
        Ok(wanted.contains(&env::var(format!("CARGO_CFG_TARGET_{name}"))?.as_str()))
    };
    Ok(is("OS", &["linux"])? && is("ENV", &["gnu"])? && is("ARCH", &["x86_64", "aarch64"])?)
}

fn is_foreign() -> Result<bool> {
    Ok(env::var("TARGET")? != env::var("HOST")?)
}

fn compile(library: &Library, out: &Path) -> Result<PathBuf> {
    let source = PathBuf::from(library.source);
    for part in ["Cargo.toml", "src"] {
        println!("cargo::rerun-if-changed={}", source.join(part).display());
    }
    let source = if source.join("Cargo.toml.orig").is_file() {
        copy_of_package(&source, &out.join(library.package))?
    } else {
        source
    };
    let target = env::var("TARGET")?;
    let built = out.join("target");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["rustc", "--release", "--lib", "--crate-type", "cdylib"])
        .args(["--package", library.package, "--target", &target])
        .args(PROFILE.iter().flat_map(|setting| ["--config", setting]))
        .arg("--manifest-path")
        .arg(source.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&built)
        // Under `cargo clippy` it is clippy.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CARGO_BUILD_BUILD_DIR");
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr)
            .replace('\n', " | ")
            .into());
    }
    Ok(built.join(target).join("release").join(library.file))
}

/// A crate from a registry, copied: cargo writes into no other's folder then, and takes no folder above for its workspace.
fn copy_of_package(from: &Path, to: &Path) -> Result<PathBuf> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    copy_folder(&from.join("src"), &to.join("src"))?;
    let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
    fs::write(to.join("Cargo.toml"), manifest + "\n[workspace]\n")?;
    let lock = from.join("Cargo.lock");
    if lock.is_file() {
        fs::copy(lock, to.join("Cargo.lock"))?;
    }
    Ok(to.to_owned())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &copy)?;
        } else {
            fs::write(copy, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn pack(compiled: &Path, packed: &Path) -> Result<()> {
    let mut packer = GzEncoder::new(File::create(packed)?, Compression::best());
    io::copy(&mut File::open(compiled)?, &mut packer)?;
    packer.finish()?;
    Ok(())
}
