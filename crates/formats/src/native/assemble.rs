//! From a dump to the neutral model: each live block is a row.

use std::path::Path;

use deadweight_allocators::by_name;
use deadweight_heap::{
    Buffer, Coverage, Flags, Heap, HeapParts, Kind, NONE, ObjectId, Objects, Presence, Runtime, Site, SiteId,
    Sites, Texts, Totals, Types,
};

use rustc_hash::FxHashMap;

use super::fields::Wanted;
use super::layout::{NativeLayout, WORD, allocator};
use super::modules::Modules;
use super::raw::{Addresses, Raw};
use super::scan::{Seen, scan};
use super::sites::{Origin, Origins};
use super::vtables::Vtables;
use super::{Dump, Facts};
use crate::ReadError;

/// Smaller blocks are no buffers.
const SMALLEST_BUFFER: u64 = 64;

/// Makes a heap of a dump. Names of sites and types come from the program's files, as far as they are still there and
/// the same.
///
/// # Errors
/// [`ReadError::NotVisible`] when the program's memory is not what the recorder could see.
pub fn heap(dump: Dump, path: &Path) -> Result<Heap, ReadError> {
    if let Some(why) = not_visible(&dump.facts()) {
        return Err(ReadError::NotVisible {
            path: path.to_owned(),
            why: why.to_owned(),
        });
    }
    let addresses = Addresses::of(&dump);
    let modules = Modules::of(&dump);
    let has_requests = dump.has_requests();
    let scan = scan(&dump, &addresses);
    let name = dump.facts().text("allocator").unwrap_or("unknown").to_owned();
    let model = by_name(&name);

    let mut objects = Objects::default();
    let mut types = Types::default();
    let mut buffers = Vec::new();
    let mut origins = Origins::new(&dump, &modules);
    let mut vtables = Vtables::new(&dump, &modules);
    let mut sizes = Sizes::default();
    let mut wanted = Wanted::default();
    let mut charged_in_all = 0_u64;
    let untyped = types.named("");
    for (block, seen) in dump.blocks().iter().zip(&scan.seen) {
        let charged = match (&model, block.usable) {
            (Some(model), Some(usable)) => model.charged_for_usable(usable),
            (Some(model), None) => model.charged(block.requested),
            (None, usable) => usable.unwrap_or(block.requested),
        };
        charged_in_all = charged_in_all.saturating_add(charged);
        let origin = origins.of(block);
        let one = match origin {
            Origin::Site(_, one) => one.map(|one| &origins.allocated[one as usize]),
            Origin::Runtime | Origin::Unknown => None,
        };
        // What an object says of itself goes before what its allocation does.
        let dynamic = seen.and_then(|seen| vtables.type_of(seen.first_word));
        let is_dynamic = dynamic.is_some();
        let ty = dynamic.or(one);
        let label = ty.map_or(untyped, |ty| types.named(&ty.name));
        let id = objects.push(Kind::Opaque, Flags::default(), charged, label);
        if let Some(whole) = ty.and_then(|ty| ty.whole.as_deref()) {
            wanted.set(id, whole);
        }
        match origin {
            Origin::Site(site, _) => origins.sites.set(id, site),
            Origin::Runtime => objects.flags[id as usize] |= Flags::ENGINE,
            Origin::Unknown if !has_requests => sizes.set(&mut origins.sites, id, block.requested),
            Origin::Unknown => {}
        }
        // Bytes are what holds no address: what refers to others has an identity, whatever its contents.
        let is_bytes = |seen: &Seen| !seen.has_address && !is_dynamic && block.requested >= SMALLEST_BUFFER;
        if let Some(seen) = seen.filter(is_bytes) {
            objects.fact[id as usize] = buffers.len() as u32;
            buffers.push(Buffer {
                object: id,
                backing: NONE,
                bytes: block.requested,
                zeros: seen.zeros,
                words_used: seen.words_used,
                hash: seen.hash,
                is_backing: true,
            });
        }
    }
    let sites = std::mem::take(&mut origins.sites);
    let fields = wanted.find(&dump, &modules);
    let mut texts = Texts::default();
    let edges = scan.edges(&fields, &mut texts);
    let contents = if dump.has_contents() {
        Presence::Present
    } else {
        Presence::Absent
    };
    let untouched = match contents {
        Presence::Absent => Presence::Absent,
        _ if zero_filled(&dump.facts()) => Presence::Present,
        _ => Presence::Partial,
    };
    let parts = HeapParts {
        objects,
        edges,
        texts,
        types,
        records: Vec::new(),
        shapes: Vec::new(),
        arrays: Vec::new(),
        tables: Vec::new(),
        buffers,
        numbers: Vec::new(),
        dates: Vec::new(),
        lengths: Vec::new(),
        sites,
        coverage: Coverage {
            // No row is a string or a number, so nothing is hidden of any.
            texts: Presence::Present,
            contents,
            numbers: Presence::Present,
            sites: if has_requests {
                Presence::Partial
            } else {
                Presence::Absent
            },
            requests: if has_requests {
                Presence::Present
            } else {
                Presence::Absent
            },
            edges: contents,
            names: Presence::Partial,
            capacities: Presence::Absent,
            untouched,
        },
        totals: totals(&dump.facts()),
        runtime: runtime(&dump.facts(), &name, has_requests, untouched),
        layout: Box::new(NativeLayout {
            allocator: allocator(&name),
        }),
        allocator: allocator(&name),
        partial: partial(&dump.facts(), charged_in_all),
        blocks: Box::new(Raw {
            dump,
            addresses,
            fields,
        }),
    };
    Ok(Heap::new(parts))
}

/// Blocks of which nobody knows who asked for them are told apart by their size, which those of one place share.
#[derive(Default)]
struct Sizes(FxHashMap<u64, SiteId>);

impl Sizes {
    fn set(&mut self, sites: &mut Sites, id: ObjectId, usable: u64) {
        let site = *self.0.entry(usable).or_insert_with(|| {
            let name = format!("blocks of {usable} bytes");
            sites.add(Site {
                function: name.clone(),
                location: name,
                allocates: None,
            })
        });
        sites.set(id, site);
    }
}

/// Why a dump shows next to nothing of its program.
fn not_visible(facts: &Facts<'_>) -> Option<&'static str> {
    let runs = |runtime: &[u8]| {
        facts
            .iter()
            .any(|(name, value)| name == "runtime" && value == runtime)
    };
    let executable = facts.text("executable").unwrap_or_default();
    let program = executable.rsplit('/').next().unwrap_or_default();
    if runs(b"go") {
        Some("Go manages its memory itself, which is not visible to a recorder of malloc")
    } else if runs(b"cpython") && program.starts_with("python") {
        Some(
            "CPython keeps its objects in pools of its own, which are not visible to a recorder of malloc; with PYTHONMALLOC=malloc in \
             its environment it asks the allocator for each of them",
        )
    } else if facts.number("interposed") == Some(0) {
        Some("the program brings its own malloc, which is not visible to a recorder of the system's")
    } else {
        None
    }
}

fn partial(facts: &Facts<'_>, blocks: u64) -> Option<String> {
    if let Some(why) = facts.text("incomplete") {
        return Some(why.to_owned());
    }
    if let Some(lost) = facts.number("lost_blocks").filter(|&lost| lost > 0) {
        return Some(format!(
            "the recorder ran out of its own memory and lost {lost} blocks"
        ));
    }
    if let Some(why) = elsewhere(facts, blocks) {
        return Some(why);
    }
    let embeds = facts
        .iter()
        .any(|(name, value)| name == "runtime" && value == b"cpython");
    embeds.then(|| {
        "objects of the CPython in this program stand in pools of its own, which are not visible".to_owned()
    })
}

/// Less memory outside of the allocator is no more than stacks, and what libraries map.
const LEAST_ELSEWHERE: u64 = 16 << 20;

/// Most of the process's own memory may be outside of what its allocator has: collectors, interpreters and databases
/// map theirs themselves. `blocks` is what the live ones are charged.
fn elsewhere(facts: &Facts<'_>, blocks: u64) -> Option<String> {
    let own = facts
        .number("anonymous_bytes")?
        .saturating_sub(facts.number("recorder_bytes").unwrap_or(0));
    let (of_allocator, rest) = match totals(facts).heap_total {
        Some(total) => (total, "not malloc's"),
        None => (blocks, "not in live blocks of malloc"),
    };
    let outside = own.saturating_sub(of_allocator);
    (outside >= LEAST_ELSEWHERE && outside > own / 2).then(|| {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        format!(
            "{:.1} of {:.1} MB of the process's own memory are {rest}: what a program maps itself is not visible",
            megabytes(outside),
            megabytes(own)
        )
    })
}

fn totals(facts: &Facts<'_>) -> Totals {
    let sum = |names: [&str; 2]| Some(facts.number(names[0])?.saturating_add(facts.number(names[1])?));
    let resident = facts.number("resident_bytes");
    let own = facts.number("recorder_bytes").unwrap_or(0);
    Totals {
        heap_used: sum(["glibc_used_bytes", "glibc_mapped_bytes"]),
        heap_total: sum(["glibc_arena_bytes", "glibc_mapped_bytes"]),
        external: None,
        rss: resident.map(|resident| resident.saturating_sub(own)),
    }
}

/// Whether memory stood at zero when the program got it.
fn zero_filled(facts: &Facts<'_>) -> bool {
    facts.number("zero_fill") == Some(1)
}

fn runtime(facts: &Facts<'_>, allocator: &str, is_recorded: bool, untouched: Presence) -> Runtime {
    let version = facts
        .text("allocator_version")
        .filter(|version| !version.is_empty());
    Runtime {
        name: "native".to_owned(),
        version: version.map_or_else(
            || allocator.to_owned(),
            |version| format!("{allocator} {version}"),
        ),
        word_bytes: WORD as u32,
        allocator: allocator.to_owned(),
        recapture: match untouched {
            _ if !is_recorded => "deadweight run -- PROGRAM",
            Presence::Partial => "DEADWEIGHT_ZERO_FILL=1 deadweight run -- PROGRAM",
            _ => "deadweight run -- PROGRAM, without DEADWEIGHT_CONTENT=0",
        }
        .to_owned(),
    }
}
