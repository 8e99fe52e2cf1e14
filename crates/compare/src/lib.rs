//! Weighings side by side. Nothing here reads a file or prints.

mod align;
mod places;
pub mod proof;
pub mod prove;

pub use proof::Proof;
pub use prove::prove;
