//! `case.toml`: a whole system.

use deadweight_tools::nodes;
use regex::Regex;
use serde::Deserialize;

use super::fix::{Demand, Expectation, Fix};
use super::measure::{Allocated, Measure, Preloaded};
use super::pattern::optional_pattern;
use crate::published::Claim;

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
    pub made: Allocated,
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
    /// The Java virtual machine.
    Java,
    /// Python as most have it: `CPython`.
    Python,
}

impl Runtime {
    /// Whether the case is about what programs make, kept or not, and not about what they hold.
    pub fn is_of_churn(self) -> bool {
        matches!(self, Self::Ruby | Self::Crystal)
    }
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

fn first_proven() -> Vec<u32> {
    vec![nodes::PROVEN[0]]
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
