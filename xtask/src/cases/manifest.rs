//! What cases say of themselves: `case.toml`, `proof.toml` and `healthy.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use regex::Regex;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::published::Claim;

/// A whole system: one variant for each fix, and all of them one after the other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its folder's name.
    pub name: String,
    /// What it is written for.
    pub runtime: Runtime,
    /// One line.
    pub description: String,
    /// How its packages come in; `npm ci` is known.
    #[serde(default)]
    pub install: Vec<String>,
    /// Writes the input on standard output. Without it the programs make their own.
    #[serde(default)]
    pub generate: Vec<String>,
    /// Its own tests, for those who read the file: `cargo xtask test` finds them by their folder.
    #[serde(default)]
    #[expect(dead_code, reason = "said, and not used")]
    pub test: Vec<String>,
    /// The versions it runs on when none are asked for.
    #[serde(default = "first_proven")]
    pub nodes: Vec<u32>,
    /// How much input.
    pub sizes: Sizes,
    /// The program as it was.
    pub before: Program,
    /// How far predictions may be off.
    #[serde(default)]
    pub bounds: Bounds,
    /// What the programs print.
    #[serde(default)]
    pub output: Output,
    /// One fix each, against `before`.
    #[serde(default)]
    pub fixes: Vec<Fix>,
    /// One fix after the other.
    #[serde(default)]
    pub chain: Vec<Fix>,
    /// Advice that is no dead weight.
    #[serde(default)]
    pub options: Vec<Fix>,
    /// All of it.
    pub after: Option<Program>,
    /// What a run at full size must show.
    pub full: Option<Full>,
    /// How native programs say what they hold.
    pub measure: Option<Measure>,
    /// How programs are run of which is recorded what they make.
    #[serde(default)]
    pub made: Made,
    /// Other allocators under the same programs.
    #[serde(default)]
    pub allocators: Vec<Preloaded>,
    /// Figures that must be smaller after a fix.
    #[serde(default)]
    pub demands: Vec<Demand>,
    /// The same programs on input of another kind.
    #[serde(default)]
    pub shapes: Vec<Shape>,
    /// What else is measured for the table of what was published.
    pub figures: Option<Figures>,
    /// What was published, claim by claim, in the order of the text.
    #[serde(default)]
    pub published: Vec<Claim>,
    /// Findings that must be there.
    #[serde(default)]
    pub must_find: Vec<Expectation>,
    /// Findings that must not be there.
    #[serde(default)]
    pub must_not_find: Vec<Expectation>,
}

/// What a case is written for.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// Node.js.
    Node,
    /// Programs of the machine itself, from C, C++ or Rust.
    Native,
    /// Ruby: what is made.
    Ruby,
    /// Crystal: what is made.
    Crystal,
}

impl Runtime {
    /// Whether the case is about what programs make, kept or not, and not about what they hold.
    pub fn is_of_churn(self) -> bool {
        matches!(self, Self::Ruby | Self::Crystal)
    }
}

/// How programs are run whose allocations are recorded. They do as many operations as the size says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Made {
    /// Fills the empty directory `{input}`.
    pub prepare: Vec<String>,
    /// What builds each program: it is `{build}/name`, and `{out}` here.
    pub builds: BTreeMap<String, Vec<String>>,
    /// What listens on `{port}` of this machine while the programs run.
    pub server: Vec<String>,
    /// Where in the JSON on standard error the program says what it made in bytes, by its runtime's own count.
    pub own_count: Option<String>,
}

/// The same programs on input of another kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Short.
    pub name: String,
    /// One line.
    pub title: String,
    /// What asks for it, after the arguments of `generate` and of each program.
    pub arguments: Vec<String>,
    /// How much input, where it is less than the case's own.
    pub size: Option<u64>,
}

/// A command that prints figures as one JSON object.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Program and arguments.
    pub command: Vec<String>,
}

/// How a native program says what it holds: as JSON on standard output.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// What asks for it.
    pub arguments: Vec<String>,
    /// The field in which all of it stands; the rest is the output proper.
    pub section: String,
    /// Where the bytes stand that the allocator has handed out.
    pub held: String,
    /// Where resident bytes stand.
    pub resident: String,
}

/// An allocator that is loaded before the system's.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preloaded {
    /// As its model is called.
    pub name: String,
    /// The library.
    pub library: String,
    /// The fixes that are measured under it.
    pub fixes: Vec<String>,
}

/// A figure that native programs print, of which a fix must leave less.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub figure: String,
    /// The program as it was.
    pub before: Vec<String>,
    /// And with the fix.
    pub command: Vec<String>,
    /// The share that must go; what is negative may come.
    pub less: f64,
    /// Whether it is a time: the median of several runs in turns, and with `--full` only.
    #[serde(default)]
    pub is_time: bool,
}

fn first_proven() -> Vec<u32> {
    vec![crate::nodes::PROVEN[0]]
}

/// Sizes of the input.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// With `--quick`.
    pub quick: u64,
    /// Without.
    pub test: u64,
    /// With `--full`.
    pub full: u64,
}

/// A program to run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Program and arguments; `{count}` and `{input}` are filled in.
    pub command: Vec<String>,
    /// What was published of it.
    pub published: Option<String>,
}

/// Largest errors, as shares of what was measured.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// Of one fix.
    pub fix: f64,
    /// Of one fix whose saving is external memory.
    pub external: f64,
    /// Of all fixes of the chain together.
    pub chain: f64,
    /// Of a saving in resident memory, where it is measured; not at the size of `--quick`, where it is pages.
    pub resident: f64,
    /// How far what is recorded to be made less may be from the runtime's own count, of all that was made before.
    pub own_count: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            fix: 0.02,
            external: 0.05,
            chain: 0.03,
            resident: 0.03,
            own_count: 0.01,
        }
    }
}

/// What the programs print.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Whether it is JSON that must be the same for every variant.
    #[serde(default)]
    pub same: bool,
    /// Paths such as `/size/all/p50` that are estimates in some variants and need not be the same.
    #[serde(default, deserialize_with = "optional_pattern")]
    pub estimates: Option<Regex>,
}

/// A variant with a fix.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fix {
    /// Short.
    pub name: String,
    /// One line.
    pub title: Option<String>,
    /// The findings it mends.
    pub rules: Vec<String>,
    /// Only those at holders like this.
    #[serde(default, deserialize_with = "optional_pattern")]
    pub holder: Option<Regex>,
    /// Only those with this `evidence.variant`.
    pub variant: Option<String>,
    /// The prediction is the one of this alternative in the evidence.
    pub alternative: Option<String>,
    /// The prediction is the one for slots of these sizes, from what the finding of half-empty nodes says of them.
    pub sizes: Option<Vec<u64>>,
    /// The largest error, where it is not the case's.
    pub bound: Option<f64>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// What was published of it.
    pub published: Option<String>,
    /// The variant it builds on, where that is not `before`: a step of the chain.
    pub from: Option<String>,
    /// The program it is compared with, where that is not the case's own; it is weighed, too.
    pub before: Option<Vec<String>>,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
}

/// What a run at full size must show, in bytes of resident memory.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Full {
    /// The peak of `before`.
    pub before_rss_at_least: Option<u64>,
    /// The peak of `after`.
    pub after_rss_at_most: Option<u64>,
    /// The share that goes.
    pub rss_saved_at_least: Option<f64>,
}

/// A finding that must be there, or must not.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Codes of rules: a pattern for the whole code.
    #[serde(deserialize_with = "pattern")]
    pub rule: Regex,
    /// Holders.
    #[serde(deserialize_with = "pattern")]
    pub holder: Regex,
    /// What in its evidence is the same as in what the program prints: a path for a path.
    #[serde(default)]
    pub agrees: BTreeMap<String, String>,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
}

/// One fix, before and after, at several sizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Its folder's name.
    #[serde(skip)]
    pub name: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// One line.
    pub title: String,
    /// Codes of rules: a pattern for the whole code.
    #[serde(deserialize_with = "pattern")]
    pub rule: Regex,
    /// Holders.
    #[serde(deserialize_with = "pattern")]
    pub holder: Regex,
    /// Only findings with this `evidence.variant`.
    pub variant: Option<String>,
    /// The prediction is the one of this alternative in the evidence.
    pub alternative: Option<String>,
    /// Whether it is an option instead of a finding.
    #[serde(default)]
    pub option: bool,
    /// How many items, smallest first.
    pub sizes: Vec<u64>,
    /// Only on these versions; on others the pattern does not cost anything.
    #[serde(default)]
    pub node: NodeRange,
    /// Largest error.
    #[serde(default = "proof_bound")]
    pub bound: f64,
}

fn proof_bound() -> f64 {
    0.05
}

/// A program in which there is nothing to find.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Healthy {
    /// Its folder's name.
    #[serde(skip)]
    pub name: String,
    /// Where it is.
    #[serde(skip)]
    pub folder: PathBuf,
    /// One line.
    pub title: String,
    /// Program and arguments; `{count}` is filled in.
    pub command: Vec<String>,
    /// How many items.
    #[serde(default)]
    pub size: u64,
    /// Only on these versions.
    #[serde(default)]
    pub node: NodeRange,
    /// No finding may save more than this share of held bytes.
    #[serde(default = "healthy_share")]
    pub share: f64,
}

fn healthy_share() -> f64 {
    0.01
}

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

fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(deserializer)?;
    Regex::new(&text).map_err(D::Error::custom)
}

fn optional_pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    pattern(deserializer).map(Some)
}

/// Every case, by name, also those of runtimes that cannot be weighed yet.
///
/// # Errors
/// When a manifest cannot be read.
pub fn cases(root: &Path) -> anyhow::Result<Vec<(PathBuf, Case)>> {
    let mut cases = Vec::new();
    for folder in folders(root)? {
        if folder.join("case.toml").is_file() {
            let case: Case = read(&folder.join("case.toml"))?;
            cases.push((folder, case));
        }
    }
    Ok(cases)
}

/// Every proof, by name.
///
/// # Errors
/// When a manifest cannot be read.
pub fn proofs(root: &Path) -> anyhow::Result<Vec<Proof>> {
    let mut proofs = Vec::new();
    for folder in folders(&root.join("proofs"))? {
        if folder.join("proof.toml").is_file() {
            let proof: Proof = read(&folder.join("proof.toml"))?;
            proofs.push(Proof {
                name: name(&folder),
                folder,
                ..proof
            });
        }
    }
    Ok(proofs)
}

/// Every healthy program, by name.
///
/// # Errors
/// When a manifest cannot be read.
pub fn healthy(root: &Path) -> anyhow::Result<Vec<Healthy>> {
    let mut healthy = Vec::new();
    for folder in folders(&root.join("healthy"))? {
        if folder.join("healthy.toml").is_file() {
            let program: Healthy = read(&folder.join("healthy.toml"))?;
            healthy.push(Healthy {
                name: name(&folder),
                folder,
                ..program
            });
        }
    }
    Ok(healthy)
}

fn folders(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(root) else {
        return Ok(Vec::new());
    };
    let mut folders: Vec<_> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not as it should be", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

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

    #[test]
    fn cases_say_what_they_are_written_for() {
        let cases = cases(&workspace::root().join("cases")).expect("cases");
        for (_, case) in &cases {
            // Native programs say themselves what they hold; a recorder asks the others.
            assert_eq!(
                case.runtime == Runtime::Native,
                case.measure.is_some(),
                "{}",
                case.name
            );
        }
        assert!(Runtime::deserialize(toml::Value::from("cobol")).is_err());
    }

    #[test]
    fn every_manifest_can_be_read() {
        let root = workspace::root().join("cases");
        assert!(!cases(&root).expect("cases").is_empty());
        assert!(!healthy(&root).expect("healthy programs").is_empty());
        for proof in proofs(&root).expect("proofs") {
            assert!(
                !proof.sizes.is_empty() && proof.sizes.is_sorted(),
                "{}",
                proof.name
            );
            assert!(proof.folder.join("before.js").is_file(), "{}", proof.name);
            assert!(proof.folder.join("after.js").is_file(), "{}", proof.name);
        }
    }

    /// What looks at untyped blocks, which these runtimes have not: the case `shamap` holds C02 against rebuilt
    /// programs, and R03 as soon as there is such a rule; A01 is an option that no program here takes yet.
    const OF_BLOCKS: [&str; 3] = ["A01", "C02", "R03"];

    #[test]
    fn every_rule_of_the_heap_is_proven() {
        let proofs = proofs(&workspace::root().join("cases")).expect("proofs");
        for rule in deadweight_rules::all() {
            let code = rule.code().to_string();
            if OF_BLOCKS.contains(&code.as_str()) {
                continue;
            }
            assert!(
                proofs
                    .iter()
                    .any(|proof| super::super::compare::is_rule(&proof.rule, &code)),
                "{code}"
            );
        }
    }
}
