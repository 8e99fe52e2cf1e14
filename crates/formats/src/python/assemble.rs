//! From a file to the model.

use std::sync::Arc;

use deadweight_heap::{
    Fixed, HeapParts, Interior, Interned, NoBlocks, RowSet, Sites, TextId, Texts, TypeId, Types,
};
use rustc_hash::FxHashMap;

use super::columns::Columns;
use super::data_frames::DataFrames;
use super::dicts::Dicts;
use super::edges::{Graph, Locals};
use super::facts::{Facts, Known, facts};
use super::lines::Source;
use super::named_tuples::NamedTuples;
use super::names::Names;
use super::outline::{Outline, Type, outline};
use super::process::{allocator, coverage, layout, runtime, totals};
use super::row::flag;
use super::scan::{INTERNED, Scanned};
use super::sort::Sort;
use super::texts::{NO_TEXT, TextTable};
use super::views::Backings;
use super::whose::Whose;
use super::{
    allocated, around, classes, closed, containers, data_frames, edges, engine, header, scan, texts,
};
use crate::Sidecar;
use crate::error::Malformed;
use crate::mapped::MappedFile;
use crate::progress;
use crate::secret::secret_hasher;

pub(super) fn assemble(file: &Arc<MappedFile>, sidecar: &Sidecar) -> Result<HeapParts, Malformed> {
    let bytes: &[u8] = file;
    progress::twice();
    let outline = outline(bytes)?;
    let names = Names::of(bytes, &outline);
    let hash = secret_hasher();
    let (mut scanned, pieces) = scan::scan(bytes, &outline, &names, hash)?;
    let TextTable {
        mut texts,
        names: of_names,
        strings,
    } = texts::text_table(file, &outline.names, &scanned.texts, hash)?;
    let mut dicts = Dicts::new(&mut scanned);
    let whose = Whose::of(bytes, &outline, &scanned, &dicts);
    let mut types = classes::types(bytes, &outline, &whose);
    let mut labels = labels(bytes, &outline, &scanned, &strings, &mut types);
    let text = |row: u32| {
        let at = row as usize;
        let is_text = scanned.sort[at] == Sort::Str;
        is_text.then(|| (labels[at], texts.raw(labels[at]).len() as u32))
    };
    dicts.find_records(bytes, &outline, &scanned, &text);
    let raw = |row: u32| text(row).map(|(text, _)| (text, texts.raw(text)));
    let tuples = NamedTuples::new(bytes, &outline, &pieces, &scanned, &dicts, &raw);
    let captured = texts.add("(a captured variable)");
    let locals = Locals::new(bytes, &outline, &scanned.values.locals, |name| texts.add(name));
    let backings = Backings::new(&scanned, outline.rows + 1);
    let graph = Graph {
        bytes,
        outline: &outline,
        names: &names,
        of_names: &of_names,
        texts: &texts,
        locals: &locals,
        dicts: &dicts,
        tuples: &tuples,
        sorts: &scanned.sort,
        labels: &labels,
        cell: outline.builtin(bytes, "cell"),
        captured,
    };
    let mut edges = edges::edges(&graph, &pieces, &backings)?;
    label_records(&mut labels, &dicts, &mut types, &texts);
    closed::note(bytes, &outline, &scanned, &edges, &whose, &mut types);
    let default_dict = outline.builtin(bytes, "collections.defaultdict");
    let factory = names
        .default_factory
        .and_then(|name| of_names.get(name as usize).copied());
    classes::note_defaults(&mut types, &outline, default_dict, factory);
    containers::note(&mut types, bytes, &outline, &whose, &texts);
    around::note(&mut types, bytes, &outline, &whose, &texts);
    let standing = engine::standing(bytes, &outline, &scanned, &edges, &whose);
    let dead = standing.dead(outline.rows);
    if let Some(dead) = &dead {
        // They keep nothing alive.
        edges.remove_of(dead);
    }
    let known = Known {
        dicts: &dicts,
        tuples: &tuples,
        keeps: outline.types.iter().map(Type::keeps).collect(),
        slots: classes::slots(bytes, &outline),
        minor: outline.header.minor(),
        default_dict,
        backings: &backings,
    };
    let mut facts = facts(&mut scanned, &known);
    let fact = std::mem::take(&mut facts.fact);
    let columns = Columns {
        bytes,
        outline: &outline,
        scanned: &scanned,
        edges: &edges,
        dicts: &dicts,
        facts: &facts,
        standing: &standing,
        backings: &backings,
        whose: &whose,
    };
    let of_root = types.named("(root)");
    let of_bytes = classes::more(&mut types, "(bytes)");
    let objects = columns.objects(labels, fact, of_root, of_bytes);
    let garbage = dead
        .iter()
        .flat_map(RowSet::rows)
        .map(|row| objects.bytes(row))
        .sum();
    let shared = RowSet::of(outline.rows as usize, |row| {
        scanned.flags[row as usize] & flag::SHARED != 0
    });
    let source = Source {
        bytes,
        outline: &outline,
        scanned: &scanned,
        dicts: &dicts,
        whose: &whose,
        texts: &texts,
        labels: &objects.label,
        root: &sidecar.root,
    };
    let mut lines = source.lines();
    allocated::note(&source, &mut lines);
    let frames = DataFrames {
        bytes,
        outline: &outline,
        scanned: &scanned,
        edges: &edges,
        texts: &texts,
        labels: &objects.label,
        numbers: &facts.numbers,
    };
    let frame_columns = data_frames::frame_columns(frames.columns(), |name| texts.add(name));
    let Facts {
        records,
        arrays,
        tables,
        buffers,
        numbers,
        dates,
        ..
    } = facts;
    let header = &outline.header;
    let is_table = |table: &header::Interned| {
        table.is_possible() && scanned.sort.get(table.row as usize) == Some(&Sort::Dict)
    };
    let table = header.interned.filter(is_table);
    let fixed = Fixed {
        dead,
        shared: (!shared.is_empty()).then_some(shared),
        interned: table.map(|table| interned(table.row, &scanned, &objects.label, texts.len())),
    };
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
        buffers,
        numbers,
        dates,
        lengths: Vec::new(),
        string_rooms: Vec::new(),
        own_classes: Vec::new(),
        frame_columns,
        fixed,
        sites: Sites::default(),
        lines,
        blocks: Box::new(NoBlocks),
        coverage: coverage(scanned.values.unseen),
        totals: totals(header, scanned.sums, garbage, sidecar.totals),
        runtime: runtime(header, scanned.sums, sidecar),
        layout: layout(header, table, data_frames::pandas(bytes, &outline)),
        allocator: allocator(header),
        partial: None,
    })
}

/// The interpreter's own table, with the texts that are in it: what is marked as interned and is not in the table stands in memory
/// of the interpreter's file, where no other comes.
fn interned(table: u32, scanned: &Scanned, labels: &[u32], texts: usize) -> Interned {
    let own = RowSet::none(texts);
    let rows = scanned.texts.iter().map(|text| text.row);
    let rows = rows.filter(|&row| scanned.flags[row as usize] & INTERNED != 0);
    own.extend(rows.map(|row| labels[row as usize]));
    Interned { table, texts: own }
}

/// The label of each row: the text of a string, a class's own type, a module's name, and for all others their type.
fn labels(
    bytes: &[u8],
    outline: &Outline,
    scanned: &Scanned,
    strings: &[(u32, TextId)],
    types: &mut Types,
) -> Vec<u32> {
    let mut labels = scanned.ty.clone();
    for &(row, text) in strings {
        labels[row as usize] = text;
    }
    for &(row, ty) in &scanned.values.types {
        labels[row as usize] = ty;
    }
    for &(row, name, _) in &scanned.values.modules {
        let name = name.map(|name| outline.name(bytes, name));
        labels[row as usize] = classes::more(types, name.as_deref().unwrap_or("(a module without a name)"));
    }
    let mut of_blocks: FxHashMap<u32, TypeId> = FxHashMap::default();
    for &(row, name) in &scanned.values.blocks {
        let of_name = of_blocks.entry(name);
        labels[row as usize] = *of_name.or_insert_with(|| classes::more(types, &outline.name(bytes, name)));
    }
    let mut of_limits: FxHashMap<(u32, u64), TypeId> = FxHashMap::default();
    for &(row, longest) in &scanned.values.limited {
        // Two deques of another limit are not equal, whatever is in them.
        let ty = scanned.ty[row as usize];
        let of_limit = of_limits.entry((ty, longest));
        labels[row as usize] = *of_limit.or_insert_with(|| classes::limited(types, ty, longest));
    }
    debug_assert_eq!(NO_TEXT, 0, "a string without a text has the empty one");
    labels
}

/// A dictionary that is a record is known by its keys.
fn label_records(labels: &mut [u32], dicts: &Dicts, types: &mut Types, texts: &Texts) {
    let of_groups: Vec<TypeId> = dicts
        .groups
        .iter()
        .map(|keys| types.anonymous(keys, texts))
        .collect();
    for dict in dicts.all() {
        if let Some(group) = dicts.group(dict.row) {
            labels[dict.row as usize] = of_groups[group as usize];
        }
    }
}
