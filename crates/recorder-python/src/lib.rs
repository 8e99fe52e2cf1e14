//! Writes the heap of a Python process: every object with its bytes, what it refers to, and by what name. What the
//! process makes and throws away is recorded in `churn`.
//!
//! The recorder for Python (`recorders/python`) loads this library through the standard library's `ctypes` and calls the
//! functions in `calls`, holding the interpreter's lock. A clone of the process writes the dump, so that the program
//! hardly stops. Neither headers nor a package are needed: where objects have what is known by version (`layout`), and
//! checked on objects of the interpreter at hand when the library is loaded (`verify`). What does not fit is refused.
//! What comes of it is `docs/formats/python.md`.
//!
//! **Invariant: the clone only reads.** It runs no code of the program and none of the interpreter but the functions by
//! which types show their references to the collector (`tp_traverse`). It calls no allocator but its own (`memory`),
//! because a lock that another thread held stays held for ever there.

/// Where the source of this crate is, for the crate that compiles it as a library and carries it.
#[cfg(not(feature = "record"))]
pub const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(feature = "record")]
mod blocks;
#[cfg(feature = "record")]
mod buffers;
#[cfg(feature = "record")]
mod calls;
#[cfg(feature = "record")]
mod churn;
#[cfg(feature = "record")]
mod classes;
#[cfg(feature = "record")]
mod containers;
#[cfg(feature = "record")]
mod contents;
#[cfg(feature = "record")]
mod dates;
#[cfg(feature = "record")]
mod extents;
#[cfg(feature = "record")]
mod frames;
#[cfg(feature = "record")]
mod held;
#[cfg(feature = "record")]
mod index;
#[cfg(feature = "record")]
mod instances;
#[cfg(feature = "record")]
mod interned;
#[cfg(feature = "record")]
mod layout;
#[cfg(feature = "record")]
mod live;
#[cfg(feature = "record")]
mod maps;
#[cfg(feature = "record")]
mod memory;
#[cfg(feature = "record")]
mod names;
#[cfg(feature = "record")]
mod output;
#[cfg(feature = "record")]
mod programs;
#[cfg(feature = "record")]
mod raw;
#[cfg(feature = "record")]
mod request;
#[cfg(feature = "record")]
mod row;
#[cfg(feature = "record")]
mod sort;
#[cfg(feature = "record")]
mod sorts;
#[cfg(feature = "record")]
mod symbols;
#[cfg(feature = "record")]
mod tables;
#[cfg(feature = "record")]
mod texts;
#[cfg(feature = "record")]
mod tracked;
#[cfg(feature = "record")]
mod verify;
#[cfg(feature = "record")]
mod walk;
#[cfg(feature = "record")]
mod write;
