//! Readers of dumps: one module for each format, from bytes to a neutral [`Heap`](deadweight_heap::Heap).
//!
//! [`open`] maps a file (and unpacks it when it is compressed), detects its format and reads it. What is no file that can be
//! mapped, such as a pipe, is read to its end first.

mod changeable;
pub mod churn;
mod error;
mod escaped;
mod format;
pub mod heapprofile;
mod joined;
pub mod jvm;
mod mapped;
pub mod native;
mod open;
pub mod progress;
pub mod python;
pub mod ruby;
mod secret;
mod sidecar;
mod source;
mod spread;
mod strip;
mod unnamed;
pub mod v8;

pub use error::ReadError;
pub use format::is_known;
pub use mapped::MappedFile;
pub use open::{Dump, Input, Record, open, open_any};
pub use sidecar::{BufferContents, Sidecar};
pub use source::Source;
pub use strip::{StripError, Stripper, strip};
pub use unnamed::{Place, streams_to_disk};
