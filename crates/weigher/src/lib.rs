//! From a dump, a capture, a running process or a stored weighing to a [`Weighing`](deadweight_weighing::Weighing), for
//! whoever shows or compares weighings: the command line, and servers.
//!
//! A [`Weigher`] knows what may be shown (a redaction), which files of source may be read, and who watches the work. It
//! reads files and processes, prints nothing, and keeps nothing.

mod attached;
mod budgets;
mod classes;
mod curve;
mod dump;
mod error;
mod inputs;
mod mended;
mod sources;
mod watch;
mod weigher;

pub use budgets::{Budgets, CONFIG, nearest};
pub use error::WeighError;
pub use inputs::{latest, stored, verify};
pub use mended::mended;
pub use sources::{AROUND, Excerpt, excerpt, text_of};
pub use watch::Watch;
pub use weigher::{Seen, Weigher};
