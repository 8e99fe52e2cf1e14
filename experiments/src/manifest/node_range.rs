//! Versions of Node.js.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Versions: `<22`, `>=20`, `20`, or several of them with spaces between. Empty: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRange(Vec<(Comparison, Vec<u32>)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Is,
    AtLeast,
    More,
}

impl NodeRange {
    /// Whether a version is among them. `22` speaks of all of 22, `20.19` of all of 20.19.
    pub fn contains(&self, version: &str) -> bool {
        let version = numbers(version).unwrap_or_default();
        self.0.iter().all(|(comparison, bound)| {
            let order = version[..bound.len().min(version.len())].cmp(bound);
            match comparison {
                Comparison::Less => order.is_lt(),
                Comparison::AtMost => order.is_le(),
                Comparison::Is => order.is_eq(),
                Comparison::AtLeast => order.is_ge(),
                Comparison::More => order.is_gt(),
            }
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let one = |word: &str| {
            let signs = [
                ("<=", Comparison::AtMost),
                (">=", Comparison::AtLeast),
                ("<", Comparison::Less),
                (">", Comparison::More),
                ("", Comparison::Is),
            ];
            signs
                .iter()
                .find_map(|(sign, comparison)| word.strip_prefix(sign).map(|rest| (*comparison, rest)))
                .and_then(|(comparison, rest)| Some((comparison, numbers(rest)?)))
        };
        text.split_whitespace().map(one).collect::<Option<_>>().map(Self)
    }
}

/// The parts of a version.
fn numbers(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

impl<'de> Deserialize<'de> for NodeRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is no range of versions such as `<22`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_versions() {
        let contains = |range: &str, version| NodeRange::parse(range).expect("a range").contains(version);
        assert!(contains("<22", "20.20.2") && !contains("<22", "22.23.3"));
        assert!(contains(">=22", "22.23.3") && !contains(">=22", "20.20.2"));
        assert!(contains(">18 <=24", "24.21.0"));
        assert!(!contains(">18 <=24", "18.20.8") && !contains(">18 <=24", "25.9.0"));
        assert!(contains("20", "20.20.2") && !contains("20", "22.23.3"));
        assert!(
            contains(">=20.19", "20.20.2")
                && contains(">=20.19", "22.1.0")
                && !contains(">=20.19", "18.20.8")
        );
        assert!(contains("", "20.20.2"));
        assert_eq!(NodeRange::parse("newer"), None);
    }
}
