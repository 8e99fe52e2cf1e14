//! The machines that packages are made for, and how each packager names them.

use std::env;

use anyhow::{Context, bail};

use super::glibc::Version;

/// The oldest glibc that Rust's standard library runs with.
const GLIBC: Version = Version(2, 17);

/// A machine.
#[derive(Debug)]
pub(super) struct Platform {
    /// As Rust names it.
    pub triple: &'static str,
    /// As Node.js names its system and its processor.
    pub node: (&'static str, &'static str),
    /// As Ruby names it.
    pub gem: &'static str,
    /// As wheels name it, behind the oldest system that is known when the binary is built.
    wheel: Wheel,
    /// As Debian names it.
    pub debian: Option<&'static str>,
}

#[derive(Debug)]
enum Wheel {
    /// By the glibc that is needed.
    Manylinux(&'static str),
    /// As a whole.
    Fixed(&'static str),
}

/// All that packages are made for.
pub(super) const PLATFORMS: [Platform; 4] = [
    Platform {
        triple: "x86_64-unknown-linux-gnu",
        node: ("linux", "x64"),
        gem: "x86_64-linux",
        wheel: Wheel::Manylinux("x86_64"),
        debian: Some("amd64"),
    },
    Platform {
        triple: "aarch64-unknown-linux-gnu",
        node: ("linux", "arm64"),
        gem: "aarch64-linux",
        wheel: Wheel::Manylinux("aarch64"),
        debian: Some("arm64"),
    },
    Platform {
        triple: "x86_64-apple-darwin",
        node: ("darwin", "x64"),
        gem: "x86_64-darwin",
        wheel: Wheel::Fixed("macosx_10_12_x86_64"),
        debian: None,
    },
    Platform {
        triple: "aarch64-apple-darwin",
        node: ("darwin", "arm64"),
        gem: "arm64-darwin",
        wheel: Wheel::Fixed("macosx_11_0_arm64"),
        debian: None,
    },
];

impl Platform {
    /// This machine.
    pub fn own() -> anyhow::Result<&'static Self> {
        let system = match env::consts::OS {
            "linux" => "unknown-linux-gnu",
            "macos" => "apple-darwin",
            other => bail!("there are no packages for {other}"),
        };
        let triple = format!("{}-{system}", env::consts::ARCH);
        let found = PLATFORMS.iter().find(|platform| platform.triple == triple);
        found.with_context(|| format!("there are no packages for {triple}"))
    }

    /// What the linker is asked for, where it is Zig.
    pub fn zig(&self) -> Option<String> {
        self.triple
            .contains("linux")
            .then(|| format!("{}.{GLIBC}", self.triple))
    }

    /// The package of npm with the binary.
    pub fn npm(&self) -> String {
        format!("@deadweight/{}-{}", self.node.0, self.node.1)
    }

    /// The tag of a wheel with the binary.
    pub fn wheel(&self, glibc: Option<Version>) -> anyhow::Result<String> {
        Ok(match self.wheel {
            Wheel::Manylinux(processor) => {
                let Version(major, minor) = glibc.context("it is not known which glibc the binary needs")?;
                format!("py3-none-manylinux_{major}_{minor}_{processor}")
            }
            Wheel::Fixed(system) => format!("py3-none-{system}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_without_a_known_glibc_gets_no_tag() {
        let linux = &PLATFORMS[0];
        assert!(linux.wheel(None).is_err());
        assert_eq!(
            linux.wheel(Some(Version(2, 17))).unwrap(),
            "py3-none-manylinux_2_17_x86_64"
        );
    }
}
