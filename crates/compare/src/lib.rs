//! Weighings side by side. Nothing here reads a file or prints.

pub mod proof;

pub use proof::Proof;
