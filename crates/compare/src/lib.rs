//! Weighings side by side, and weighings against what they must keep to. Nothing here reads a file or prints.

pub mod again;
mod align;
pub mod check;
mod churned;
pub mod diff;
mod followed;
mod gathered;
pub mod growth;
mod judging;
mod nameless;
mod overlaps;
mod places;
pub mod proof;
pub mod prove;
mod templates;
mod unlisted;

pub use diff::diff;
pub use growth::growth;
pub use proof::Proof;
pub use prove::prove;
