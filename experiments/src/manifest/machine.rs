//! Java virtual machines in manifests.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A machine that a program in Java runs on: `17`, or `25 -XX:+UseCompactObjectHeaders`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The major version of its JDK.
    pub jdk: u32,
    /// How it is started, as the manifest says it.
    pub options: Vec<String>,
}

impl Machine {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let jdk = words.next()?.parse().ok()?;
        let options: Vec<String> = words.map(str::to_owned).collect();
        let is_option = |option: &String| option.starts_with('-');
        options.iter().all(is_option).then_some(Self { jdk, options })
    }

    /// All that it is started with. The collector is named, as the machine takes another one where it finds fewer processors
    /// or less memory. The second compiler would take half of the time, and changes nothing of what is held.
    pub fn arguments(&self) -> Vec<String> {
        let is_collector = |option: &String| option.starts_with("-XX:+Use") && option.ends_with("GC");
        let collector = (!self.options.iter().any(is_collector)).then_some("-XX:+UseG1GC");
        let named = collector.into_iter().chain(["-XX:TieredStopAtLevel=1"]);
        named.map(str::to_owned).chain(self.options.clone()).collect()
    }
}

impl<'de> Deserialize<'de> for Machine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is no machine such as `17 -Xint`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_a_version_with_its_options() {
        let machine = Machine::parse("25 -XX:+UseZGC").expect("a machine");
        assert_eq!(machine.jdk, 25);
        assert_eq!(machine.arguments(), ["-XX:TieredStopAtLevel=1", "-XX:+UseZGC"]);
        let machine = Machine::parse("17").expect("a machine");
        assert_eq!(machine.arguments(), ["-XX:+UseG1GC", "-XX:TieredStopAtLevel=1"]);
        assert_eq!(Machine::parse("Java"), None);
        assert_eq!(Machine::parse("17 UseZGC"), None);
    }
}
