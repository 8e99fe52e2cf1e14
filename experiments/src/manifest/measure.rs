//! How the programs of a case are run so that they are measured.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How programs are run whose allocations are recorded. They do as many operations as the size says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Allocated {
    /// Fills the empty directory `{input}`.
    pub prepare: Vec<String>,
    /// What builds each program: it is `{build}/name`, and `{out}` here.
    pub builds: BTreeMap<String, Vec<String>>,
    /// What listens on `{port}` of this machine while the programs run.
    pub server: Vec<String>,
    /// Where in the JSON on standard error the program says what it made in bytes, by its runtime's own count.
    pub own_count: Option<String>,
    /// Variables of the environment in which it says so.
    pub own_environment: BTreeMap<String, String>,
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
