//! A preload library that knows every live block of a native program: where it is, how large, and who asked for it.
//!
//! `LD_PRELOAD=libdeadweight_recorder.so DEADWEIGHT_DIR=dumps ./program` writes a dump (`docs/formats/native.md`) of
//! when the program held most or of its end, at SIGUSR2, or when its heap passes a size. README.md lists the settings and
//! what was measured.
//!
//! **It never harms its host.** It allocates nothing from the program's allocator while recording, takes locks for a
//! few instructions, and on any trouble records less and says so in the dump.

#![cfg_attr(test, allow(dead_code, unused_imports))]

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("the recorder is for Linux on x86-64 and arm64");

mod bootstrap;
mod counts;
mod curve;
mod entry;
mod files;
mod gc;
mod memory;
mod operations;
mod operators;
mod peak;
mod process;
mod real;
mod record;
mod settings;
mod snapshot;
mod spin;
mod stack;
mod table;
mod thread;

#[cfg(not(test))]
#[global_allocator]
static PAGES: memory::Pages = memory::Pages;

static TABLE: table::Table = table::Table::new();
