//! The result: small, serialisable, versioned. `docs/weighing.schema.json` is made from these types.

use deadweight_heap::Totals;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The schema this version writes.
pub const SCHEMA: &str = "deadweight/weighing/1";

/// The rule name of the row that stands for findings too small to list.
pub const OTHERS: &str = "others";

/// How much of a process's memory is dead weight, where, and what each fix saves. All sizes are whole bytes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Weighing {
    /// Always `deadweight/weighing/1`.
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
    /// Dead weight, largest saving first. The `saves` of those that are not external add up to `held.dead`.
    pub findings: Vec<Finding>,
    /// Advice that changes how the program is written around its data or the allocator under it. Its `saves` are
    /// what it would free after all findings are mended; never counted in `held.dead`.
    pub options: Vec<Finding>,
    /// What could not be measured, and how to capture a dump that tells.
    pub not_measured: Vec<Blind>,
    /// What was made and thrown away; null when the capture does not record it.
    pub churned: Option<Churned>,
    /// What stands where, for comparing two weighings; null in weighings made before there was such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdings: Option<Holdings>,
    /// Why the dump ends early; null for a whole one. A partial weighing is a lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
}

/// The dump.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Source {
    /// Its path as given.
    pub path: String,
    /// Its size in bytes, as stored.
    pub bytes: u64,
    /// Its format, such as `v8-heapsnapshot`.
    pub format: String,
}

/// The runtime.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct RuntimeInfo {
    /// Its name, such as `node`.
    pub name: String,
    /// Its version; empty when the dump does not tell.
    pub version: String,
    /// Bytes of a reference in a field.
    pub word_bytes: u32,
    /// The allocator under it.
    pub allocator: String,
}

/// Totals the process reported, in bytes; null where it did not.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Process {
    /// Live bytes of the heap.
    pub heap_used: Option<u64>,
    /// Bytes that live objects asked for, where the process counts these and not what its allocator charges.
    #[serde(default)]
    pub heap_asked: Option<u64>,
    /// Bytes of the heap, free room included.
    pub heap_total: Option<u64>,
    /// Bytes outside the heap.
    pub external: Option<u64>,
    /// Resident bytes.
    pub rss: Option<u64>,
}

impl Process {
    /// What the process said, if it said anything.
    pub(crate) fn of(totals: Totals) -> Option<Self> {
        let Totals {
            heap_used,
            heap_asked,
            heap_total,
            external,
            rss,
        } = totals;
        let said = [heap_used, heap_asked, heap_total, external, rss];
        said.iter().any(Option::is_some).then_some(Self {
            heap_used,
            heap_asked,
            heap_total,
            external,
            rss,
        })
    }
}

/// The live heap.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Held {
    /// All bytes the runtime charges for live objects.
    pub bytes: u64,
    /// What the program needs.
    pub content: u64,
    /// Code, metadata, and what the engine and its own library hold.
    pub runtime: u64,
    /// Claimed by the findings.
    pub dead: u64,
    /// Live objects, parts included.
    pub objects: u64,
}

/// Memory outside the heap.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct External {
    /// All bytes the dump shows there.
    pub bytes: u64,
    /// Claimed by the external findings.
    pub dead: u64,
}

/// How sure a figure is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Follows from the dump alone.
    Exact,
    /// Takes something for granted, named in `assumes`.
    Estimate,
}

/// One fix at one place.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Finding {
    /// The rule's code, or `others` for the row of those too small to list.
    pub rule: String,
    /// The place a person changes: `Type.field`.
    pub holder: String,
    /// Where the objects were allocated; null when the dump does not tell.
    pub site: Option<String>,
    /// Objects the fix changes or removes; for `others` the number of findings.
    pub count: u64,
    /// Objects at the same place that the fix would leave as they are.
    pub good: u64,
    /// Bytes of the objects concerned as they are.
    pub bytes_now: u64,
    /// Their bytes after this fix alone.
    pub bytes_after: u64,
    /// Saved when all fixes before it in the ledger's order are made first.
    pub saves: u64,
    /// Saved when only this fix is made.
    pub saves_alone: u64,
    /// Whether the bytes are outside the runtime's heap.
    pub external: bool,
    /// Exact, or an estimate.
    pub confidence: Confidence,
    /// What an estimate takes for granted.
    pub assumes: Option<String>,
    /// The same on every run and machine: made of rule, holder, variant of the fix, and site.
    pub fingerprint: String,
    /// What is there, in one line.
    pub title: String,
    /// What to do, in one line.
    pub fix: String,
    /// Figures and examples, by rule.
    pub evidence: Map<String, Value>,
    /// Where the fix frees bytes when it is made alone, largest first: places of `holdings`, or of `churned.made` for
    /// what is made. What they sum to beyond `saves_alone` the fix adds anew, at places that are not known before it is
    /// made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frees: Vec<Freed>,
    /// What fixes before it in the ledger's order free as well: `saves_alone` without these is `saves`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<Shared>,
    /// How one of the objects concerned is reached from a root, root first; empty where no way was looked for (in large
    /// heaps it is when asked for), the dump has no references, or nothing in the heap refers to the object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Step>,
}

/// A step from a root to an object.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Step {
    /// How the object before refers to this one: the name of a field or variable, `[]` for an element, `{}` for a table's
    /// value, `{keys}` for its key; empty for the root, and where it has no name.
    pub via: String,
    /// The object's type; where it has none, what allocated it, or its kind in brackets.
    pub object: String,
    /// Steps between the one before and this one that are left out.
    #[serde(default, skip_serializing_if = "is_none")]
    pub skipped: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Bytes that a fix frees at a place.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Freed {
    /// The place, as in `holdings`; empty for the runtime's own, and for all places that are not listed.
    pub holder: String,
    /// What stands there, as in `holdings`; empty for all places that are not listed.
    pub holds: String,
    /// The line, as in `churned.made`, whose function is the holder; null for places of `holdings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Freed; negative where the fix makes what stays larger.
    pub bytes: i64,
}

/// Bytes that two fixes free, and only the first can.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Shared {
    /// The fingerprint of the earlier finding.
    pub with: String,
    /// Freed by it already; negative where it adds to what the later fix removes.
    pub bytes: i64,
}

/// What stands where. Each byte of the heap and outside of it is in one place, or among those that are folded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Holdings {
    /// Largest first: those that matter, and all where a finding frees something.
    pub places: Vec<Holding>,
    /// What stands at all other places.
    pub folded: Folded,
}

/// The objects of one type at one place, with their parts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Holding {
    /// The place: `Type.field`; empty for the runtime's own.
    pub holder: String,
    /// The type whose field the place hangs on; null for variables, allocation sites and the runtime's own.
    pub of: Option<String>,
    /// What stands there: the objects' type, `string`, or for the runtime's own their kind.
    pub holds: String,
    /// Whether no change of the program's data removes them by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub runtime: bool,
    /// Objects, parts not counted.
    pub count: u64,
    /// Bytes on the heap.
    pub bytes: u64,
    /// Bytes outside.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub external: u64,
    /// Bytes on the heap after all fixes, without what they add at places that are not there yet; null in weighings
    /// made before this was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// The same for the bytes outside; null where there are none, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_left: Option<u64>,
    /// Bytes on the heap and outside that would go if all objects at the place went: their own and what they alone keep
    /// alive, nothing counted twice. A lower bound: what two objects of the place hold together and neither holds alone
    /// is not in it. Objects of one place may stand under those of another, so the figures of several places do not add
    /// up. Null where it was not asked for, and for the runtime's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retained: Option<u64>,
}

/// Places too small to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Folded {
    /// How many places.
    pub places: u64,
    /// Objects at them.
    pub count: u64,
    /// Their bytes on the heap.
    pub bytes: u64,
    /// Their bytes outside.
    pub external: u64,
    /// Their bytes on the heap after all fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
    /// Their bytes outside after all fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_left: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}

/// Something that could not be measured.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Blind {
    /// The rule's code.
    pub rule: String,
    /// What the dump lacks.
    pub why: String,
    /// How to capture one that has it.
    pub how: String,
}

/// The second ledger: what was made, whether or not it was kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Churned {
    /// Bytes made.
    pub bytes: u64,
    /// Objects made; null when the record has bytes alone.
    pub objects: Option<u64>,
    /// Bytes of those that were alive when the record ended; null when it does not tell.
    #[serde(default)]
    pub kept_bytes: Option<u64>,
    /// Operations the program marked; 0 when it marked none.
    pub operations: u64,
    /// Claimed by the findings: the sum of their `saves`.
    #[serde(default)]
    pub dead: u64,
    /// How sure `bytes` is; null when every object was seen.
    #[serde(default)]
    pub sampled: Option<Sampled>,
    /// Findings of the T rules.
    pub findings: Vec<Finding>,
    /// Advice whose saving depends on what only the author knows; never counted in `dead`.
    #[serde(default)]
    pub options: Vec<Finding>,
    /// The lines that make most, whether or not they could do without.
    #[serde(default)]
    pub sites: Vec<ChurnSite>,
    /// How the source would read after a fix, where it is at hand.
    #[serde(default)]
    pub rewrites: Vec<Rewritten>,
    /// What was made where, for comparing two weighings; null in weighings made before there was such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
}

/// What was made where. Each byte is in one place, or among those that are folded.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Made {
    /// Largest first: those that matter, and all where a finding frees something.
    pub places: Vec<MadeAt>,
    /// What was made at all other places.
    pub folded: MadeElsewhere,
}

/// The objects of one type that one line made.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct MadeAt {
    /// The line, as `file:line`, or what is known of it; empty for what no line of the program made.
    pub site: String,
    /// The function around it.
    pub function: String,
    /// The objects' type; empty when it is not known.
    pub holds: String,
    /// Objects; null when they were not counted.
    pub count: Option<u64>,
    /// Their bytes.
    pub bytes: u64,
    /// The true figure is at most so many bytes off, with a probability of 95 %; 0 when every object was seen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin: u64,
}

/// Places too small to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct MadeElsewhere {
    /// How many places.
    pub places: u64,
    /// Objects made there; null when they were not counted.
    pub count: Option<u64>,
    /// Their bytes.
    pub bytes: u64,
    /// The true figure is at most so many bytes off, with a probability of 95 %.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin: u64,
}

/// What was seen of what was made. The true figure lies between `low` and `high` with a probability of 95 %.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Sampled {
    /// Bytes from one sample to the next, on average; null when objects are counted.
    pub every_bytes: Option<u64>,
    /// Objects from one sample to the next, on average; null when bytes are counted.
    pub every_objects: Option<u64>,
    /// Windows of time in which every object was seen; null when objects were chosen one by one.
    #[serde(default)]
    pub windows: Option<u64>,
    /// Samples taken.
    pub samples: u64,
    /// Not fewer bytes than this.
    pub low: u64,
    /// Not more bytes than this.
    pub high: u64,
}

/// A line of the program that makes objects, itself or in what it calls.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct ChurnSite {
    /// `file:line`; empty for what no line of the program made.
    pub site: String,
    /// The function around it.
    pub function: String,
    /// Bytes made.
    pub bytes: u64,
    /// Not fewer than this, with a probability of 95 % when sampled.
    pub low: u64,
    /// Not more than this.
    pub high: u64,
    /// Objects made; null when they were not counted.
    pub objects: Option<u64>,
    /// Bytes of those that were alive when the record ended; null when it does not tell.
    pub kept_bytes: Option<u64>,
    /// The types with most bytes; empty when the record names none.
    pub types: Vec<TypeShare>,
}

/// Bytes of one type.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct TypeShare {
    /// The type's name.
    pub name: String,
    /// Bytes made of it.
    pub bytes: u64,
}

/// How the source would read after a fix.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Rewritten {
    /// The finding or option it belongs to.
    pub fingerprint: String,
    /// The source file.
    pub file: String,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The lines as they are.
    pub before: Vec<String>,
    /// The lines as they would be.
    pub after: Vec<String>,
}
