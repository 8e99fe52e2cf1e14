//! The live blocks of a program that allocates with glibc, read from its memory alone.
//!
//! glibc keeps its state in the program's own memory: `main_arena` and `mp_` among the C library's data, further arenas
//! in *heaps* at multiples of 64 MiB, and in front of each block the size of its chunk. No symbol is needed: the
//! structures are known by how their pointers refer to each other.
//!
//! Sources: glibc's `malloc/malloc.c` and `malloc/arena.c`, 2.27 to 2.41, and what gdb shows of them with debug
//! information at 2.36; `crates/cli/tests/outside.rs` holds the outcome against programs' own records and `mallinfo2`.

mod arena;
mod chunks;
mod free;
mod mapped;
mod params;

use rustc_hash::FxHashSet;

use self::arena::{Arena, Region};
use self::chunks::{Chunk, Ended};
use super::core_file::{FileMapping, Image};

/// Where chunks begin, and what their sizes are multiples of.
const ALIGNMENT: u64 = 16;
/// From the chunk to the block.
const HEAD: u64 = 16;
/// What of a chunk its block cannot use: the size. The first word of the chunk behind it is the block's.
const SIZE_WORD: u64 = 8;

/// One live block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Live {
    pub address: u64,
    /// Bytes the program may use.
    pub usable: u64,
}

/// What was found, all in bytes as `mallinfo2` counts them.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// In order of address.
    pub live: Vec<Live>,
    pub arenas: u64,
    /// Of the arenas together: what they took from the system (`arena`).
    pub system_bytes: u64,
    /// Free chunks, those in fast bins and the top included (`fordblks`).
    pub free_bytes: u64,
    /// Mapped blocks (`hblkhd`): what glibc says, or else what was found.
    pub mapped_bytes: u64,
    /// Free chunks that threads keep for themselves, which `mallinfo2` counts as used.
    pub cached_bytes: u64,
    /// glibc's own chunks: where threads keep what they freed.
    pub own_bytes: u64,
    /// Why blocks may be missing.
    pub incomplete: Vec<String>,
}

/// Walks every arena. `None` when the C library's `malloc` is not there or was never used.
pub(super) fn walk(image: &Image, files: &[FileMapping]) -> Option<Walk> {
    let main = arena::find_main(image, files)?;
    let arenas = Arena::all(image, main);
    let params = params::find(image, main);
    let mut walk = Walk {
        arenas: arenas.len() as u64,
        ..Walk::default()
    };
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut taken: Vec<(u64, u64)> = Vec::new();
    for arena in &arenas {
        walk.system_bytes += arena.system_bytes;
        if arena.is_locked {
            walk.incomplete
                .push("a thread was inside malloc, whose blocks may be seen halfway".to_owned());
        }
        let (regions, unknown) = arena.regions(image);
        if unknown > 0 {
            walk.incomplete.push(format!(
                "{unknown} bytes of an arena are not where the rest of it is"
            ));
        }
        for Region { start, end, top } in regions {
            if taken.iter().any(|&(from, until)| start < until && from < end) {
                walk.incomplete
                    .push(format!("two arenas have the memory at 0x{start:x}"));
                continue;
            }
            taken.push((start, end));
            if let Some(top) = top {
                walk.free_bytes += chunks::size_at(image, top).unwrap_or(0);
            }
            let ended = chunks::walk(image, start, top.unwrap_or(end), |chunk| {
                if !chunk.in_use {
                    walk.free_bytes += chunk.size;
                }
                chunks.push(chunk);
            });
            if let Ended::Broken(at) = ended {
                walk.incomplete.push(format!(
                    "the chunks of the arena at 0x{start:x} cannot be followed beyond 0x{at:x}"
                ));
            }
        }
    }
    let free = free::find(image, &arenas, &chunks);
    walk.free_bytes += free.fast_bytes;
    walk.cached_bytes = free.cached_bytes;
    for chunk in &chunks {
        if free.own.contains(&chunk.address) {
            walk.own_bytes += chunk.size;
        } else if chunk.in_use && !free.chunks.contains(&chunk.address) {
            walk.live.push(Live {
                address: chunk.address + HEAD,
                usable: chunk.size - SIZE_WORD,
            });
        }
    }
    let heaps: FxHashSet<u64> = taken.iter().map(|&(start, _)| start).collect();
    let mapped = mapped::find(image, files, &heaps, params.map(|params| params.mapped_bytes));
    walk.mapped_bytes = params.map_or(mapped.bytes, |params| params.mapped_bytes);
    if mapped.bytes != walk.mapped_bytes {
        walk.incomplete.push(format!(
            "of {} bytes in blocks mapped on their own {} were found",
            walk.mapped_bytes, mapped.bytes
        ));
    }
    walk.live.extend(mapped.live);
    walk.live.sort_unstable();
    // A block inside of another is none: what looked like a mapped chunk stands in a live one.
    walk.live
        .dedup_by(|next, before| next.address < before.address + before.usable);
    walk.incomplete.dedup();
    Some(walk)
}
