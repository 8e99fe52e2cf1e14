//! Records what a Java virtual machine makes: samples of its objects by stack and type, and which of them live at the end.
//!
//! The recorder for Java (`recorders/java`) loads this library and calls the functions in `calls`. The machine itself chooses
//! the objects (`SampledObjectAlloc` of its tool interface, Java 11 and later), at random distances with a mean that is set, and
//! hands each over on the thread that made it. What comes of it is `docs/formats/churn.md`.
//!
//! **Invariant: nothing within an event runs Java.** Only functions of the tool interface are called, which make no object,
//! and none of them while the record is locked.

/// Where the source of this crate is, for the crate that compiles it as a library and carries it.
#[cfg(not(feature = "record"))]
pub const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(feature = "record")]
mod calls;
#[cfg(feature = "record")]
mod event;
#[cfg(feature = "record")]
mod machine;
#[cfg(feature = "record")]
mod names;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "record")]
mod thinned;
#[cfg(feature = "record")]
mod write;
