//! The whole of a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Churned, Curve, External, Finding, Garbage, Group, Held, HeldAgain, Holdings, NotMeasured, Process,
    RuntimeInfo, Source, Unseen,
};

/// The schema this version writes.
pub const SCHEMA: &str = "deadweight/weighing/2";

/// How much of a process's memory is dead weight, where, and what each fix saves. All sizes are whole bytes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Weighing {
    /// Always `deadweight/weighing/2`.
    pub schema: String,
    /// The dump that was weighed.
    pub source: Source,
    /// Who wrote it.
    pub runtime: RuntimeInfo,
    /// What the process said of itself at capture; null when nothing was recorded beside the dump.
    pub process: Option<Process>,
    /// The runtime's live heap; `content + runtime + dead = bytes`.
    pub held: Held,
    /// What the runtime holds outside its heap.
    pub external: External,
    /// Dead weight, largest saving first. The `saves` of those that are not external add up to `held.dead`, and those
    /// of tier `sure` among them to `held.dead_sure`.
    pub findings: Vec<Finding>,
    /// Findings that one edit fixes, largest saving first.
    pub groups: Vec<Group>,
    /// Advice that changes how the program is written around its data or the allocator under it. Its `saves` are
    /// what it would free after all findings are mended; never counted in `held.dead`.
    pub options: Vec<Finding>,
    /// What could not be measured, and how to capture a dump that shows it.
    pub not_measured: Vec<NotMeasured>,
    /// What was made and thrown away; null when the capture does not record it.
    pub churned: Option<Churned>,
    /// What stands where, for comparing two weighings; null in weighings made before there was such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdings: Option<Holdings>,
    /// Why the dump ends early; null for a whole one. A partial weighing is a lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// Why sizes are estimates, where the dump does not show how its runtime lays objects out; absent where they are
    /// known, and in weighings made before there was such a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<String>,
    /// Memory of the process that the dump does not show, where that is most of it; absent where it is not, where the
    /// process did not say how much it had, and in weighings made before there was such a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
    /// What nothing held any more at the capture; absent where there was none, where garbage was collected for the dump, and in
    /// weighings made before there was such a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garbage: Option<Garbage>,
    /// What the process held over time; absent where its recorder did not note it, and in weighings made before there was
    /// such a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
    /// What other processes and threads of the same run hold, too, in the weighing of the largest of them; absent where that
    /// is little, and in weighings made before there was such a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<HeldAgain>,
}
