//! Counts every object a Ruby process makes, by stack and type, and weighs it when it dies or at the end.
//!
//! The recorder for Ruby (`recorders/ruby`) loads this library through the standard library's Fiddle and calls the
//! functions in `calls`, holding the interpreter's lock. The interpreter's own functions are found by name in the process,
//! so that neither headers nor a gem are needed. What comes of it is `docs/formats/churn.md`.
//!
//! **Invariant: nothing within an event allocates Ruby objects.** An object made while another is being made, or while
//! the collector sweeps, would come back here or find the heap half-done.

/// Where the source of this crate is, for the crate that compiles it as a library and carries it.
#[cfg(not(feature = "record"))]
pub const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(feature = "record")]
mod calls;
#[cfg(feature = "record")]
mod interpreter;
#[cfg(feature = "record")]
mod names;
#[cfg(feature = "record")]
mod object;
#[cfg(feature = "record")]
mod picture;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "record")]
mod sample;
#[cfg(feature = "record")]
mod slots;
#[cfg(feature = "record")]
mod ticks;
#[cfg(feature = "record")]
mod write;
