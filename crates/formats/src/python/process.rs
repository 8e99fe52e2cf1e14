//! What a dump tells of its process: what can be seen of it, what it counted, and what other objects would cost in it.

use deadweight_allocators::{Glibc, pymalloc};
use deadweight_heap::{Allocator, Coverage, Layout, Presence, Runtime, Totals};

use super::header::{Header, Interned};
use super::layout::{InternedTexts, Pandas, PythonLayout};
use super::scan::Sums;
use crate::Sidecar;

pub(super) fn coverage(unseen_bytes: u64) -> Coverage {
    Coverage {
        texts: Presence::Present,
        contents: if unseen_bytes == 0 {
            Presence::Present
        } else {
            Presence::Partial
        },
        numbers: Presence::Present,
        slots: Presence::Present,
        sites: Presence::Absent,
        requests: Presence::Present,
        edges: Presence::Present,
        names: Presence::Present,
        capacities: Presence::Present,
        untouched: Presence::Absent,
    }
}

/// Bytes of the blocks in pools that are those of objects: as the recorder found them, else by what was asked for.
fn in_pools(header: &Header, sums: Sums) -> u64 {
    match header.allocator.object_block_bytes {
        0 => sums.in_pools,
        counted => counted,
    }
}

/// What the process said, completed by what the dump says of blocks that stand in no pool. `garbage` are the bytes of what
/// waits for a collection: how much of it there is depends on when the collector last ran, so it is no part of what is in use.
pub(super) fn totals(header: &Header, sums: Sums, garbage: u64, of_capture: Totals) -> Totals {
    let pools = &header.allocator;
    let charged = sums.in_pools.saturating_add(sums.beyond);
    let beyond = charged.saturating_sub(in_pools(header, sums));
    let used = (pools.pool_block_bytes > 0).then(|| pools.pool_block_bytes.saturating_add(beyond));
    Totals {
        heap_used: of_capture
            .heap_used
            .or(used)
            .map(|used| used.saturating_sub(garbage)),
        heap_asked: of_capture.heap_asked.or(Some(sums.asked)),
        heap_total: of_capture
            .heap_total
            .or(used.map(|used| used.saturating_add(pools.unused_bytes))),
        rss: of_capture.rss.or(header.resident_bytes),
        ..of_capture
    }
}

/// Whether all blocks are the C library's.
fn is_plain_malloc(header: &Header) -> bool {
    header.allocator.name == "malloc"
}

pub(super) fn allocator(header: &Header) -> Box<dyn Allocator> {
    if is_plain_malloc(header) {
        Box::new(Glibc::default())
    } else {
        Box::new(pymalloc())
    }
}

/// `interned` says that the interpreter's own table of texts was found, `pandas` who made its tables of columns.
pub(super) fn layout(header: &Header, interned: Option<Interned>, pandas: Option<Pandas>) -> Box<dyn Layout> {
    let minor = header.minor();
    let interned = interned.map(|table| InternedTexts {
        entries: table.entries,
        free: table.free,
        slots: table.slots,
    });
    if is_plain_malloc(header) {
        Box::new(PythonLayout {
            interned,
            pandas,
            ..PythonLayout::with_malloc(minor)
        })
    } else {
        Box::new(PythonLayout {
            interned,
            pandas,
            ..PythonLayout::of(minor)
        })
    }
}

pub(super) fn runtime(header: &Header, sums: Sums, sidecar: &Sidecar) -> Runtime {
    let pools = &header.allocator;
    let explained = in_pools(header, sums) as f64 / pools.pool_block_bytes as f64 * 100.0;
    let allocator = if pools.pool_block_bytes > 0 {
        format!(
            "{} (objects explain {explained:.2} % of the blocks in its pools)",
            pools.name
        )
    } else {
        pools.name.clone()
    };
    Runtime {
        name: "python".to_owned(),
        version: if sidecar.version.is_empty() {
            header.version()
        } else {
            sidecar.version.clone()
        },
        word_bytes: 8,
        allocator,
        // The capture is as good as one can be.
        recapture: "not possible, as the recorder reads the interpreter's own types and classes of Python, and no objects of \
                    extension modules"
            .to_owned(),
    }
}
