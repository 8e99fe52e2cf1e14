//! Weighings from folders and from lines of JSON: read on all cores, appended in batches.

mod folder;
mod item;
mod lines;
mod pipeline;

pub use folder::ByPath;
pub use item::{Bad, Given, Item, Why};
pub use pipeline::{BATCH, Report, Source, ingest};
