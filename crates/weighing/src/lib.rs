//! The result: small, serialisable, versioned. `docs/weighing.schema.json` is made from these types.
//!
//! A [`Weighing`] says how much of a process's memory is dead weight, where, and what each fix saves. Rules make it;
//! whatever compares weighings or shows them needs this crate and no rule. What rules say of themselves, such as a
//! report quotes it, comes in a [`Rulebook`].

mod again;
mod allocated;
mod churned;
mod code;
mod curve;
mod finding;
mod garbage;
mod group;
mod harmless;
mod held;
mod holdings;
mod line;
mod not_measured;
mod omitted;
mod page;
mod process;
mod read;
mod rulebook;
mod schema;
mod source;
mod sums;
mod tier;
mod unseen;
mod version_1;
mod weighing;

pub use again::{AgainAt, HeldAgain};
pub use allocated::{Allocated, AllocatedAt, AllocatedElsewhere};
pub use churned::{ChurnSite, Churned, Rewritten, Sampled, TypeShare};
pub use code::Code;
pub use curve::{Curve, CurveOf, Moment};
pub use finding::{Confidence, Finding, Freed, OTHERS, Shared, Step, saved_by};
pub use garbage::Garbage;
pub use group::Group;
pub use harmless::harmless;
pub use held::{External, Held};
pub use holdings::{Folded, Holding, Holdings};
pub use line::{Line, LineOf};
pub use not_measured::NotMeasured;
pub use page::Page;
pub use process::Process;
pub use read::{ReadError, read};
pub use rulebook::Rulebook;
pub use schema::schema;
pub use source::{RuntimeInfo, Source};
pub use sums::contradicted;
pub use tier::Tier;
pub use unseen::{Unseen, UnseenOf, UnseenPlace};
pub use weighing::{SCHEMA, Weighing};
