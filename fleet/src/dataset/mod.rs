//! The dataset: where it is, what it is made of, and how that changes. `fleet/README.md` has the protocol.

mod compact;
mod known;
mod log;
mod part;
mod place;
mod retain;
mod sweep;
mod writer;

pub use compact::{Compacted, compact};
pub use log::{Committed, Entry, GRACE, State, Why};
pub use part::Part;
#[cfg(feature = "ballista")]
pub(crate) use place::random;
pub use place::{Listed, Place};
pub use retain::{Retained, retain};
pub use sweep::{Swept, sweep};
pub use writer::{Appended, Writer};
