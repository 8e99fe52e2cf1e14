//! From rows to the model.

mod columns;
mod labels;

use std::sync::Arc;

use deadweight_heap::churn::Role;
use deadweight_heap::{
    Coverage, Encoding, Fixed, FrameColumns, HeapParts, Interior, Lines, NoBlocks, Presence, Runtime, Site,
    Sites, SourceLine, TextId, Texts, Totals, TypeId, Types, firsts,
};
use deadweight_sidecar::RubyContents;
use rustc_hash::FxHashMap;

use super::addresses::Addresses;
use super::cursor::of;
use super::edges::{self, Graph, Names, Root};
use super::facts::{self, Facts};
use super::layout::RubyLayout;
use super::named::{Named, Strings};
use super::own_classes::OwnClasses;
use super::rows::{Piece, Rows};
use super::tag::Tag;
use super::types::Classes;
use super::{engine, sets};
use crate::Sidecar;
use crate::churn::{below, role};
use crate::error::Malformed;
use crate::escaped::plain;
use crate::mapped::MappedFile;

/// The empty text.
const NO_TEXT: TextId = 0;

/// The interpreter's table of where objects were made, which is there for the dump's sake.
const TABLE_OF_SITES: &[u8] = b"ObjectTracing/allocation_info_tracer";

/// References that whole dumps of small programs leave without an object, and the share that larger ones stay far below:
/// Ruby 3.1 leaves 64 of 17,720, 3.3 and 3.4 leave one.
const LOST: (usize, usize) = (100, 50);

pub(super) fn assemble(
    rows: Rows,
    file: &Arc<MappedFile>,
    sidecar: &Sidecar,
) -> Result<HeapParts, Malformed> {
    let Rows { mut all, partial } = rows;
    // Whole rows say nothing of those that were behind them.
    let partial = partial.or_else(|| {
        let noted = sidecar.bytes.filter(|&noted| noted > file.len() as u64)?;
        Some(format!("the dump ends at byte {} of {noted}", file.len()))
    });
    let hashes = std::mem::take(&mut all.hashes);
    if !all.tag.iter().any(|&tag| tag != Tag::Shape) {
        return Err(Malformed::new(file.len(), "objects of a heap", "none"));
    }
    let file_bytes: &[u8] = file;
    // The recorder's totals are without it, too.
    for &(row, span) in &all.structs {
        if of(file_bytes, span) == TABLE_OF_SITES {
            all.memsize[row as usize] = 0;
        }
    }
    let recorded = sidecar.ruby.as_ref();
    let pooled = all.slot.iter().any(|&slot| slot != 0);
    let layout = if pooled {
        RubyLayout::pooled()
    } else {
        RubyLayout::fixed()
    };
    let (addresses, firsts) = rayon::join(|| Addresses::new(&all.address), || firsts(hashes));
    let mut types = Types::default();
    let classes = Classes::new(&all, file_bytes, &mut types);
    let (mut texts, text_of) = text_table(&all, file, &firsts);
    let names = names(&all, file_bytes, recorded, &types, &mut texts);
    let shape_of: FxHashMap<u32, u32> = all
        .shape_of
        .iter()
        .copied()
        .filter(|&(row, _)| all.tag[row as usize] == Tag::Object)
        .collect();
    let roots: FxHashMap<u32, Root> = all
        .names
        .iter()
        .filter(|&&(row, _)| all.tag[row as usize] == Tag::Root)
        .map(|&(row, span)| (row, Root::of(of(file_bytes, span))))
        .collect();
    let globals = roots.iter().find(|(_, root)| **root == Root::Globals);
    let named = Named::new(&all, &addresses, globals.map(|(&row, _)| row), recorded);
    let own_classes = OwnClasses::find(&all, &addresses, recorded);
    let graph = Graph {
        all: &all,
        bytes: file_bytes,
        addresses: &addresses,
        named: &named,
        classes: &classes,
        names: &names,
        shape_of: &shape_of,
        roots: &roots,
        top: top(&all, file_bytes),
        pooled,
        own_classes: &own_classes,
    };
    let (mut edges, immediates, lost) = edges::edges(&graph);
    let partial = partial.or_else(|| missing_objects(lost, all.references.len()));
    let strings = Strings::new(&all, &addresses, recorded);
    let set = (0..types.len() as TypeId).find(|&ty| types.name(ty) == "Set");
    let sets = sets::find(&all, &classes, set, &edges);
    sets::hide_hashes(&sets, &mut edges);
    let (engine, mut facts) = rayon::join(
        || engine::held(&all, file_bytes, &edges, &addresses, &roots, recorded),
        || facts::collect(&graph, &edges, &immediates, &strings.hidden, &sets, layout),
    );
    let mut label = labels::labels(&all, &classes, &immediates, &mut types);
    labels::note_extended_hashes(&label, &all, &mut types);
    labels::label_hashes(&mut label, &graph, &facts, &mut types, &texts);
    labels::label_texts(&mut label, &all, &text_of, &facts, &strings, recorded, &mut texts);
    let coverage = coverage(&named, &facts, &all, recorded.is_some());
    let fact = std::mem::take(&mut facts.fact);
    let objects = columns::columns(
        &graph,
        &edges,
        &immediates,
        layout,
        &engine,
        &facts,
        (fact, label),
    );
    let (sites, mut lines) = sites(&all, file_bytes, &sidecar.root);
    note_classes(recorded, &types, &sidecar.root, &mut lines);
    let Facts {
        records,
        arrays,
        tables,
        numbers,
        dates,
        lengths,
        string_rooms,
        ..
    } = facts;
    Ok(HeapParts {
        rows_move: false,
        objects,
        edges,
        interior: Interior::default(),
        texts,
        types,
        records,
        shapes: Vec::new(),
        arrays,
        tables,
        buffers: Vec::new(),
        numbers,
        dates,
        lengths,
        string_rooms,
        own_classes: own_classes.all,
        frame_columns: FrameColumns::default(),
        fixed: Fixed::default(),
        sites,
        lines,
        blocks: Box::new(NoBlocks),
        coverage,
        // What the interpreter counts is what was asked of the allocator, which the dump's objects are charged for.
        totals: Totals {
            heap_used: None,
            heap_asked: sidecar.totals.heap_used,
            ..sidecar.totals
        },
        runtime: runtime(sidecar, pooled),
        layout: Box::new(layout),
        allocator: Box::new(layout.malloc),
        partial,
    })
}

/// Texts as spans of the file, and for each of the dump's texts which one it is.
fn text_table(all: &Piece, file: &Arc<MappedFile>, firsts: &[u32]) -> (Texts, Vec<TextId>) {
    let mut spans = vec![(0, 0)];
    let mut ids = vec![NO_TEXT; firsts.len()];
    for (at, &first) in firsts.iter().enumerate() {
        if first as usize == at {
            ids[at] = spans.len() as TextId;
            spans.push(all.texts[at].1);
        } else {
            ids[at] = ids[first as usize];
        }
    }
    let bytes: Arc<dyn AsRef<[u8]> + Send + Sync> = file.clone();
    (
        Texts::new(bytes, spans.into_iter().collect(), Encoding::Json),
        ids,
    )
}

fn names(
    all: &Piece,
    bytes: &[u8],
    recorded: Option<&RubyContents>,
    types: &Types,
    texts: &mut Texts,
) -> Names {
    Names {
        groups: edges::group_names(recorded, |name| texts.add(name)),
        shapes: edges::shape_names(all, bytes, |name| texts.add(name)),
        members: (0..types.len() as u32)
            .map(|ty| texts.add(format!("{}.@?", types.name(ty))))
            .collect(),
        constant: texts.add("(a constant)"),
        local: texts.add("(a local variable)"),
        global: texts.add("(a global variable)"),
    }
}

/// The row of the class `Object`.
fn top(all: &Piece, bytes: &[u8]) -> u32 {
    let named = all
        .names
        .iter()
        .find(|&&(row, span)| all.tag[row as usize] == Tag::Class && of(bytes, span) == b"Object");
    named.map_or(u32::MAX, |&(row, _)| row)
}

fn coverage(named: &Named<'_>, facts: &Facts, all: &Piece, recorded: bool) -> Coverage {
    let all_seen = facts.unseen == 0;
    Coverage {
        texts: if all_seen {
            Presence::Present
        } else {
            Presence::Partial
        },
        requests: Presence::Present,
        contents: Presence::Absent,
        numbers: if named.any() {
            Presence::Present
        } else {
            Presence::Absent
        },
        // A dump names what objects refer to, and the recorder writes values of fields and of hashes alone.
        slots: Presence::Absent,
        sites: if all.files.is_empty() {
            Presence::Absent
        } else {
            Presence::Partial
        },
        edges: Presence::Present,
        names: if recorded {
            Presence::Present
        } else {
            Presence::Partial
        },
        capacities: Presence::Present,
        untouched: Presence::Absent,
    }
}

/// Notes where the classes are written that a person can change.
fn note_classes(recorded: Option<&RubyContents>, types: &Types, root: &str, lines: &mut Lines) {
    let Some(recorded) = recorded else { return };
    let by_name: FxHashMap<&str, TypeId> = (0..types.len() as TypeId)
        .map(|ty| (types.name(ty), ty))
        .collect();
    for (name, file, line) in &recorded.classes {
        let role = role(file, root);
        if let Some(&ty) = by_name.get(name.as_str())
            && role != Role::Runtime
        {
            let line = lines.add(SourceLine {
                file: below(file, root),
                line: *line,
                column: 0,
                name: name.clone(),
                role,
                through: String::new(),
            });
            lines.note_class(ty, line);
        }
    }
}

/// Where objects were born, when the program traced that, and the lines of these places that a person can change.
fn sites(all: &Piece, bytes: &[u8], root: &str) -> (Sites, Lines) {
    let (mut sites, mut source) = (Sites::default(), Lines::default());
    let lines: FxHashMap<u32, u32> = all.lines.iter().copied().collect();
    let mut known = FxHashMap::default();
    for &(row, span) in &all.files {
        let line = lines.get(&row).copied().unwrap_or(0);
        let site = *known.entry((of(bytes, span), line)).or_insert_with(|| {
            let location = format!("{}:{line}", String::from_utf8_lossy(of(bytes, span)));
            let file = plain(of(bytes, span));
            let function = location.rsplit('/').next().unwrap_or_default().to_owned();
            let site = sites.add(Site {
                function,
                location,
                allocates: None,
                of_library: false,
                element: None,
            });
            let role = role(&file, root);
            if line > 0 && role != Role::Runtime {
                let line = source.add(SourceLine {
                    file: below(&file, root),
                    line,
                    role,
                    ..SourceLine::default()
                });
                source.set_site(site, line);
            }
            site
        });
        sites.set(row, site);
    }
    (sites, source)
}

fn runtime(sidecar: &Sidecar, pooled: bool) -> Runtime {
    let version = match (sidecar.version.as_str(), pooled) {
        ("", _) => String::new(),
        (version, _) => version.to_owned(),
    };
    let recapture = if sidecar.ruby.is_some() {
        // The capture is as good as one can be.
        "not possible, as Ruby writes no numbers, nil, true and false in arrays and hashes to a dump"
    } else {
        "capture with `deadweight run -- ruby …`, which records names, values in slots, and strings that are not ASCII or \
         share their characters"
    };
    Runtime {
        name: "ruby".to_owned(),
        version,
        word_bytes: 8,
        allocator: "ruby".to_owned(),
        recapture: recapture.to_owned(),
    }
}

/// Says that a dump is not whole when too many of its references lead nowhere. A dump of Ruby has no end mark, so the
/// objects that are missing are all that shows a cut between two rows.
fn missing_objects(lost: usize, references: usize) -> Option<String> {
    let (least, share) = LOST;
    (lost >= least && lost > references / share)
        .then(|| format!("{lost} of {references} references lead to objects that are not in the dump"))
}
