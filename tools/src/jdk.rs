//! The JDK that the recorder for Java is compiled with, and that its tests run on.

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

#[cfg(test)]
mod tests {
    use super::*;

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
