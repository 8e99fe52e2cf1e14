//! Who else reads dumps of the JVM. Eclipse's Memory Analyzer and `JOverflow` were not found as packages: the page says so.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::contestants::{Command, Contestant};
use super::inputs::Dump;
use deadweight_tools::shell::Shell;
use deadweight_tools::{jars, workspace};

/// A program of crates.io, with its version.
const SLURP: (&str, &str) = ("hprof-slurp", "0.10.0");

/// Installs them all.
///
/// # Errors
/// When one of them cannot be installed.
pub fn all(dump: &Dump) -> anyhow::Result<Vec<Contestant>> {
    let home = workspace::target().join("bench").join("jvm-peers");
    installed(&home, SLURP.0, SLURP.1)?;
    let libraries = libraries(&home)?;
    let path = OsString::from(&dump.path);
    let of_java = |class: &str| {
        let arguments = ["-Xmx14g".into(), "-cp".into(), libraries.clone(), class.into()];
        Command::new("java", arguments.into_iter().chain([path.clone()]))
    };
    let peer = |name: String, does, command| Contestant {
        name,
        does,
        command,
        is_ours: false,
    };
    Ok(vec![
        peer(
            format!("{} {}", SLURP.0, SLURP.1),
            "a histogram (Rust)",
            Command::new(home.join("bin").join(SLURP.0), [path.clone()]),
        ),
        peer(
            "Shark 2.14".to_owned(),
            "LeakCanary's reader: indexes the objects",
            of_java("Shark"),
        ),
        peer(
            "hprof-heap 0.16".to_owned(),
            "the heap library of NetBeans and VisualVM: its index, a histogram",
            of_java("HeapLibrary"),
        ),
    ])
}

fn installed(home: &Path, name: &str, version: &str) -> anyhow::Result<()> {
    if home.join("bin").join(name).is_file() {
        return Ok(());
    }
    eprintln!("installing {name} {version}");
    Shell::new(workspace::cargo())
        .args(["install", "--quiet", "--locked", "--root"])
        .args([home.as_os_str(), format!("{name}@{version}").as_ref()])
        .inherit()
}

/// The class path of the libraries, and of the programs in `bench/peers/jvm` that call them.
fn libraries(home: &Path) -> anyhow::Result<OsString> {
    let sources = workspace::root().join("bench").join("peers").join("jvm");
    let classes = home.join("classes");
    let jars = jars::fetched(&sources.join("pom.xml"), home)?;
    let all = env::join_paths([jars.join("*"), classes.clone()])?;
    let programs = fs::read_dir(&sources)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<PathBuf>>>()?;
    let programs = programs
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"));
    Shell::new("javac")
        .args([OsString::from("-cp"), all.clone(), "-d".into(), classes.into()])
        .args(programs)
        .output()?;
    Ok(all)
}
