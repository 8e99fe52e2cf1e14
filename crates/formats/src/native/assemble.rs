//! From a dump to the neutral model: each live block is a row.

use std::path::Path;

use deadweight_allocators::by_name;
use deadweight_heap::{
    Coverage, Fixed, Flags, FrameColumns, Heap, HeapParts, OfLibrary, Presence, Runtime, Site, SiteId, Texts,
    Totals, TypeId, Types,
};
use rustc_hash::FxHashMap;

use super::alike::Likeness;
use super::allocated::Allocated;
use super::fields::{UNKNOWN, Wanted};
use super::layout::{NativeLayout, WORD, allocator};
use super::modules::Modules;
use super::raw::Raw;
use super::rows::{Description, Rows};
use super::scan::{Piece, scan};
use super::sites::{Origin, Origins};
use super::vtables::Vtables;
use super::{Dump, Facts, noted};
use crate::ReadError;

/// Makes a heap of a dump. Names of sites and types come from the program's files, as far as they are still there and
/// the same.
///
/// # Errors
/// [`ReadError::NotVisible`] when the program's memory is not what the recorder could see.
pub fn heap(dump: Dump, path: &Path, root: &str) -> Result<Heap, ReadError> {
    if let Some(why) = not_visible(&dump.facts()) {
        return Err(ReadError::NotVisible {
            path: path.to_owned(),
            why: why.to_owned(),
        });
    }
    let modules = Modules::of(&dump);
    let has_requests = dump.has_requests();
    let mut names = Names {
        origins: Origins::new(&dump, &modules, root),
        vtables: Vtables::new(&dump, &modules),
        types: Types::default(),
        wanted: Wanted::default(),
        known_types: FxHashMap::default(),
        sizes: FxHashMap::default(),
        has_requests,
    };
    let mut scan = scan(&dump, |word| names.vtables.may_be_at(word));
    let pieces = std::mem::take(&mut scan.pieces);
    let descriptions = names.of(&pieces);
    let name = dump.facts().text("allocator").unwrap_or("unknown").to_owned();
    let Rows {
        objects,
        buffers,
        sites: of,
        whole,
        charged,
    } = Rows::of(dump.blocks(), pieces, &descriptions, by_name(&name).as_deref());
    let Names {
        origins:
            Origins {
                mut sites,
                lines,
                elements,
                ..
            },
        types,
        mut wanted,
        ..
    } = names;
    sites.set_all(of);
    wanted.set_all(whole);
    let elements: Vec<(SiteId, u32)> = elements
        .into_iter()
        .map(|(site, name)| (site, wanted.id(&name)))
        .collect();
    let fields = wanted.find(&dump, &modules);
    for (site, ty) in elements {
        if let Some(bytes) = fields.bytes(ty) {
            sites.set_element(site, bytes);
        }
    }
    let mut texts = Texts::default();
    let (edges, interior) = scan.edges(&fields, &mut texts);
    let contents = match dump.has_contents() {
        true if dump.is_cut() => Presence::Partial,
        true => Presence::Present,
        false => Presence::Absent,
    };
    let untouched = match contents {
        Presence::Absent => Presence::Absent,
        _ if zero_filled(&dump.facts()) => Presence::Present,
        _ => Presence::Partial,
    };
    let parts = HeapParts {
        rows_move: false,
        objects,
        edges,
        interior,
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
        string_rooms: Vec::new(),
        own_classes: Vec::new(),
        frame_columns: FrameColumns::default(),
        fixed: Fixed::default(),
        sites,
        lines,
        coverage: Coverage {
            // No row is a string or a number, so nothing is hidden of any.
            texts: Presence::Present,
            contents,
            numbers: Presence::Present,
            slots: Presence::Present,
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
            has_cpp: modules.have_cpp() || dump.facts().number(noted::CPP) == Some(1),
        }),
        allocator: allocator(&name),
        partial: partial(&dump, charged),
        blocks: Box::new(Raw { dump, fields }),
    };
    Ok(Heap::new(parts))
}

/// What the type of a block follows from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TypeSource {
    /// The address of a virtual table.
    Vtable(u64),
    /// A row of [`Origins::allocated`].
    Allocated(u32),
}

/// What blocks are called: looked up once for all that are alike.
struct Names<'a> {
    origins: Origins<'a>,
    vtables: Vtables<'a>,
    types: Types,
    wanted: Wanted,
    known_types: FxHashMap<TypeSource, (TypeId, u32)>,
    sizes: FxHashMap<u64, SiteId>,
    has_requests: bool,
}

impl Names<'_> {
    /// For each piece what its likenesses are. Types and sites come in the order of the first blocks that have them.
    fn of(&mut self, pieces: &[Piece]) -> Vec<Vec<Description>> {
        self.types.named("");
        let mut known: FxHashMap<Likeness, Description> = FxHashMap::default();
        let mut of_piece = |piece: &Piece| {
            let all = piece.alike.all.iter();
            let descriptions =
                all.map(|&likeness| *known.entry(likeness).or_insert_with(|| self.describe(likeness)));
            descriptions.collect()
        };
        pieces.iter().map(&mut of_piece).collect()
    }

    fn describe(&mut self, likeness: Likeness) -> Description {
        let mut known = Description::default();
        let origin = self.origins.of(likeness.stack);
        let vtable = likeness
            .table
            .filter(|&address| self.vtables.type_of(address).is_some());
        known.is_dynamic = vtable.is_some();
        // What an object says of itself goes before what its allocation does.
        let source = match (vtable, origin) {
            (Some(address), _) => Some(TypeSource::Vtable(address)),
            (None, Origin::Site(_, Some(one))) => Some(TypeSource::Allocated(one)),
            _ => None,
        };
        if let Some(source) = source {
            (known.label, known.whole) = self.type_of(source);
        }
        match origin {
            Origin::Site(site, _) => known.site = site,
            Origin::Runtime => known.flags |= Flags::ENGINE,
            Origin::Unknown if !self.has_requests => known.site = self.site_of_size(likeness.size),
            Origin::Unknown => {}
        }
        known
    }

    /// The type, and the number of the one whose fields its blocks have.
    fn type_of(&mut self, source: TypeSource) -> (TypeId, u32) {
        *self.known_types.entry(source).or_insert_with(|| {
            let ty = match source {
                TypeSource::Vtable(address) => self.vtables.type_of(address),
                TypeSource::Allocated(one) => self.origins.allocated.get(one as usize),
            };
            let whole = ty.and_then(|ty| ty.whole.as_deref());
            let label = self.types.named(ty.map_or("", |ty| &ty.name));
            if ty.is_some_and(Allocated::is_container) {
                self.types.note_library(
                    label,
                    OfLibrary {
                        whole: true,
                        ..OfLibrary::default()
                    },
                );
            }
            (label, whole.map_or(UNKNOWN, |whole| self.wanted.id(whole)))
        })
    }

    /// Blocks of which nobody knows who asked for them are told apart by their size, which those of one place share.
    fn site_of_size(&mut self, usable: u64) -> SiteId {
        *self.sizes.entry(usable).or_insert_with(|| {
            let name = format!("blocks of {usable} bytes");
            self.origins.sites.add(Site {
                function: name.clone(),
                location: name,
                allocates: None,
                of_library: false,
                element: None,
            })
        })
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
        Some("Go manages its memory itself, invisible to a recorder of malloc")
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

fn partial(dump: &Dump, blocks: u64) -> Option<String> {
    if let Some(why) = dump.incomplete() {
        return Some(why);
    }
    let facts = &dump.facts();
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
        heap_asked: None,
        heap_used: sum(["glibc_used_bytes", "glibc_mapped_bytes"]),
        heap_total: sum(["glibc_arena_bytes", "glibc_mapped_bytes"]),
        external: None,
        rss: resident.map(|resident| resident.saturating_sub(own)),
        rss_base: resident
            .zip(facts.number("anonymous_bytes"))
            .map(|(resident, anonymous)| resident.saturating_sub(anonymous)),
        // The peak is the kernel's: what the recorder held then is not known, and it holds little less at the end.
        rss_peak: facts
            .number("peak_resident_bytes")
            .map(|peak| peak.saturating_sub(own)),
        heap_peak: facts.number("peak_live_bytes"),
        in_use_before: None,
        other_heaps: None,
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
