//! A preload library that knows every live block of a native program: where it is, how large, and who asked for it.
//!
//! `LD_PRELOAD=libdeadweight_recorder.so DEADWEIGHT_DIR=dumps ./program` writes a dump (`docs/formats/native.md`) of
//! when the program held most or of its end, at SIGUSR2, or when its heap passes a size. README.md lists the settings and
//! what was measured.
//!
//! **It never harms its host.** It allocates nothing from the program's allocator while recording, takes locks for a
//! few instructions, and on any trouble records less and says so in the dump.

#![cfg_attr(test, allow(dead_code, unused_imports))]

#[cfg(all(
    feature = "record",
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))
))]
compile_error!("the recorder is for Linux on x86-64 and arm64");

/// Where the source of this crate is, for the crate that compiles it as a library and carries it.
#[cfg(not(feature = "record"))]
pub const SOURCE: &str = env!("CARGO_MANIFEST_DIR");

#[cfg(feature = "record")]
mod bootstrap;
#[cfg(feature = "record")]
mod counts;
#[cfg(feature = "record")]
mod curve;
#[cfg(feature = "record")]
mod entry;
#[cfg(feature = "record")]
mod files;
#[cfg(feature = "record")]
mod gc;
#[cfg(feature = "record")]
mod memory;
#[cfg(feature = "record")]
mod operations;
#[cfg(feature = "record")]
mod operators;
#[cfg(feature = "record")]
mod peak;
#[cfg(feature = "record")]
mod process;
#[cfg(feature = "record")]
mod real;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "record")]
mod settings;
#[cfg(feature = "record")]
mod snapshot;
#[cfg(feature = "record")]
mod spin;
#[cfg(feature = "record")]
mod stack;
#[cfg(feature = "record")]
mod table;
#[cfg(feature = "record")]
mod thread;

#[cfg(all(feature = "record", not(test)))]
#[global_allocator]
static PAGES: memory::Pages = memory::Pages;

#[cfg(feature = "record")]
static TABLE: table::Table = table::Table::new();
