//! What the recorder of a Java virtual machine writes beside its dump.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The schema of a histogram that this version writes and reads.
pub const HISTOGRAM_SCHEMA: &str = "deadweight/histogram/1";

/// What the record of a capture says of the machine.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct JvmFacts {
    /// The name of the file with objects and bytes of each class, if they were counted.
    #[serde(default)]
    pub histogram: Option<String>,
    /// Options of the machine on which the layout of its objects depends, as it says them (`true`, `8` …).
    #[serde(default)]
    pub flags: BTreeMap<String, String>,
}

/// Objects and bytes of each class, as the machine counted them right after its dump, when garbage was collected.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Histogram {
    /// [`HISTOGRAM_SCHEMA`].
    pub schema: String,
    /// Name as the machine writes it (`[B`, `java.lang.String`), objects, bytes; classes of one name that several loaders
    /// have made have a row each.
    pub classes: Vec<(String, u64, u64)>,
}

impl Histogram {
    /// The bytes of all objects.
    pub fn bytes(&self) -> u64 {
        self.classes.iter().map(|(_, _, bytes)| bytes).sum()
    }
}
