//! The JDK that the recorder for Java is compiled with, and those that programs in Java run on.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::shell::Shell;

/// The oldest that writes the bytes of the recorder that is kept.
const OLDEST: u32 = 17;

/// Debian's package of the JDK that each of its releases prefers: 17 and later since bookworm.
const PACKAGES: &[&str] = &["default-jdk-headless"];

/// What must be installed: nothing where a JDK that is new enough is in `PATH`, whoever has put it there.
pub fn packages() -> &'static [&'static str] {
    let said = Shell::new("javac").args(["-version"]).output();
    let is_there = said.is_ok_and(|said| is_new_enough(&String::from_utf8_lossy(&said)));
    if is_there { &[] } else { PACKAGES }
}

/// Of what `javac -version` says, such as `javac 17.0.15`; `javac 1.8.0_392` before 9.
fn is_new_enough(said: &str) -> bool {
    let version = said.trim().strip_prefix("javac ").unwrap_or_default();
    let major = version.split(['.', '-', '+']).next().unwrap_or_default();
    major.parse::<u32>().is_ok_and(|major| major >= OLDEST)
}

/// One JDK of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its exact version.
    pub version: String,
    /// The program that runs programs.
    pub java: PathBuf,
}

/// Where systems keep their JDKs, each in a folder of its own.
const KEPT_IN: &str = "/usr/lib/jvm";

/// The JDK of a major version, where this machine has one: the one that `JAVA_HOME` names, or one of the system's.
pub fn find(major: u32) -> Option<Jdk> {
    let named = env::var_os("JAVA_HOME").map(PathBuf::from);
    let kept = fs::read_dir(KEPT_IN).into_iter().flatten().flatten();
    let mut kept: Vec<PathBuf> = kept.map(|entry| entry.path()).collect();
    kept.sort();
    let mut all = named.into_iter().chain(kept).filter_map(|home| jdk_in(&home));
    all.find(|jdk| major_of(&jdk.version) == Some(major))
}

fn jdk_in(home: &Path) -> Option<Jdk> {
    let java = home.join("bin").join(format!("java{}", env::consts::EXE_SUFFIX));
    let version = version_in(&fs::read_to_string(home.join("release")).ok()?)?;
    java.is_file().then_some(Jdk { version, java })
}

/// What a JDK's file `release` says of its version.
fn version_in(release: &str) -> Option<String> {
    let said = |line: &str| Some(line.strip_prefix("JAVA_VERSION=")?.trim_matches('"').to_owned());
    release.lines().find_map(said)
}

fn major_of(version: &str) -> Option<u32> {
    version.split(['.', '-', '+']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jdk_says_which_it_is() {
        let release = "IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"17.0.15\"\nJAVA_VERSION_DATE=\"2025-04-15\"\n";
        let version = version_in(release);
        assert_eq!(version.as_deref(), Some("17.0.15"));
        assert_eq!(major_of("17.0.15"), Some(17));
        assert_eq!(major_of("25"), Some(25));
        assert_eq!(version_in("nothing of this kind"), None);
    }

    #[test]
    fn an_old_compiler_is_none() {
        for (said, is) in [
            ("javac 17.0.15\n", true),
            ("javac 25\n", true),
            ("javac 26-ea\n", true),
            ("javac 11.0.13\n", false),
            ("javac 1.8.0_392\n", false),
            ("", false),
        ] {
            assert_eq!(is_new_enough(said), is, "{said}");
        }
    }
}
