//! From rows to the model.

use std::sync::Arc;

use deadweight_heap::{
    Coverage, Field, Fixed, Flags, FrameColumns, HeapParts, Implementation, Interior, Kind, Lines, NONE,
    Objects, OfLibrary, Presence, RecordShape, Representation, Rounded, RowSet, Runtime, Sites, StringForm,
    TableKind, TextId, Types,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::Addresses;
use super::blocks::StoredRows;
use super::classes::{Classes, representation};
use super::containers::{self, Facts, OfNumbers, Owners};
use super::decode::{Dump, Row};
use super::edges::{self, Names};
use super::engine::{self, Standing};
use super::fit::{self, Fitted};
use super::known::{Hash, List, Role};
use super::layout::{Container, JvmLayout, Sizes, of};
use super::library::of_class;
use super::others::Containers;
use super::outline::Outline;
use super::segments::Rows;
use super::sorts::{Sort, Sorts};
use super::strings::{self, NO_TEXT};
use super::{buffers, roots, stand_ins};
use crate::Sidecar;
use crate::error::Malformed;
use crate::mapped::MappedFile;

/// Below this share of rows that are as large as their distance to the next one, sizes are no more than assumed.
const EXPLAINED: f64 = 0.95;

/// How the names begin of classes whose objects several threads change: atomics, locks, concurrent containers.
const CONCURRENT: &str = "java.util.concurrent.";

pub(super) fn assemble(
    outline: Outline,
    rows: Rows,
    file: &Arc<MappedFile>,
    sidecar: &Sidecar,
) -> Result<HeapParts, Malformed> {
    let bytes: &[u8] = file;
    if rows.ids.count == 0 {
        return Err(Malformed::new(bytes.len(), "objects of a heap", "none"));
    }
    if rows.ids.count >= u64::from(NONE) - 1 {
        return Err(Malformed::new(bytes.len(), "fewer than 2^32 objects", "more"));
    }
    let mut outline = outline;
    if let Some(at) = rows.cut {
        outline.partial = Some(format!("the dump ends within a row that begins at byte {at}"));
    }
    let addresses = Addresses::new(&rows.in_file(bytes, outline.id_bytes), &rows.ids);
    let Rows { roots, classes, .. } = rows;
    let containers = sidecar.containers.clone().unwrap_or_else(Containers::shipped);
    let classes = Classes::new(classes, &outline, bytes, &addresses, &containers);
    let sorts = Sorts::new(bytes, outline.id_bytes, &addresses, &classes);
    let dump = Dump {
        bytes,
        id_bytes: outline.id_bytes,
        addresses: &addresses,
        classes: &classes,
        sorts: &sorts,
    };
    let fitted = fit::fit(&dump);
    let (mut texts, of_strings) = strings::texts(&dump, file);
    let held = roots::held(&roots, &addresses, &outline, bytes, &mut texts);
    let held_rows: Vec<u32> = held.iter().map(|held| held.row).collect();
    let owners = Owners::new(&dump, &held_rows);
    let facts = containers::collect(&dump, &owners);
    let buffers = buffers::buffers(&dump, &owners);
    let names = Names::new(&dump, &mut texts);
    let mut edges = edges::edges(&dump, &owners, &names, &held);
    let text_of: FxHashMap<u32, TextId> = of_threads(&dump, &of_strings);
    let thread_name = |row: u32| {
        let name = dump.instance(row).and_then(|of| dump.slot(of, 0));
        let text = name.and_then(|name| text_of.get(&name));
        text.map_or_else(String::new, |&text| texts.get(text).into_owned())
    };
    let standing = engine::standing(&dump, &edges, &names, &held, &owners, &thread_name);
    let version = version(&dump, &of_strings, &texts, sidecar);
    let types = types(&dump, &names, &containers);
    let layout = layout(&dump, &fitted, &facts.of_numbers);
    let dead = standing.dead(&dump, &owners, sidecar.is_live);
    // What is dead keeps nothing alive.
    if let Some(dead) = &dead {
        edges.remove_of(dead);
    }
    let columns = columns(
        &dump,
        owners,
        &fitted,
        &standing,
        dead.as_ref(),
        &of_strings,
        &facts,
        &buffers,
    );
    let last = classes.all.len() as u32 - 1;
    let objects = columns.labelled(sorts.into_types(&types.1), last, &of_strings);
    let Facts {
        of_numbers: _,
        records,
        arrays,
        tables,
        numbers,
        dates,
    } = facts;
    let partial = outline.partial.take();
    let id_bytes = outline.id_bytes;
    Ok(HeapParts {
        rows_move: true,
        objects,
        edges,
        interior: Interior::default(),
        texts,
        types: types.0,
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
        frame_columns: FrameColumns::default(),
        fixed: Fixed {
            dead,
            ..Fixed::default()
        },
        sites: Sites::default(),
        lines: Lines::default(),
        coverage: Coverage {
            texts: Presence::Present,
            contents: Presence::Present,
            numbers: Presence::Present,
            slots: Presence::Present,
            sites: Presence::Absent,
            requests: Presence::Present,
            edges: Presence::Present,
            names: Presence::Present,
            capacities: Presence::Present,
            untouched: Presence::Absent,
        },
        totals: sidecar.totals,
        runtime: runtime(&fitted, version, sidecar.is_live),
        layout: Box::new(layout),
        allocator: Box::new(Rounded {
            name: "hotspot",
            to: fitted.form.align,
        }),
        partial,
        blocks: Box::new(StoredRows {
            file: file.clone(),
            addresses,
            id_bytes,
        }),
    })
}

/// The texts of the names of threads.
fn of_threads(dump: &Dump<'_>, of_strings: &[(u32, TextId)]) -> FxHashMap<u32, TextId> {
    let rows = (0..dump.rows()).into_par_iter().with_min_len(4096);
    let names: FxHashSet<u32> = rows
        .filter_map(|row| dump.instance_of(row, Role::Thread))
        .filter_map(|of| dump.slot(of, 0))
        .collect();
    let found = names.into_iter().filter_map(|row| {
        let at = of_strings.binary_search_by_key(&row, |of| of.0).ok()?;
        Some(of_strings[at])
    });
    found.collect()
}

fn version(
    dump: &Dump<'_>,
    of_strings: &[(u32, TextId)],
    texts: &deadweight_heap::Texts,
    sidecar: &Sidecar,
) -> String {
    if !sidecar.version.is_empty() {
        return sidecar.version.clone();
    }
    let found = [
        ("java.lang.VersionProps", "java_version"),
        ("sun.misc.Version", "java_version"),
    ]
    .into_iter()
    .find_map(|(class, field)| {
        let at = dump.classes.static_at(dump.classes.named(class)?, field)?;
        let row = dump.target(at)?;
        let of = of_strings.binary_search_by_key(&row, |of| of.0).ok()?;
        Some(texts.get(of_strings[of].1).into_owned())
    });
    found.unwrap_or_default()
}

/// One type for each class, with its number, and those of arrays of numbers by the number of their elements' type.
fn types(dump: &Dump<'_>, names: &Names, containers: &Containers) -> (Types, [u32; 16]) {
    let mut types = Types::default();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    let classes = &dump.classes.all;
    for class in classes {
        let name = if class.name.is_empty() {
            "(nameless class)"
        } else {
            &class.name
        };
        if known.insert(name) {
            types.named(name);
        } else {
            types.namesake(name);
        }
    }
    for (number, class) in (0..).zip(classes) {
        let fields = class.fields.iter().map(|field| Field {
            name: names.get(field.name),
            offset: field.offset,
            representation: representation(field.ty),
            declared_by: field.by,
        });
        let fields: Vec<Field> = fields.collect();
        for field in &class.fields {
            let declared_by = &classes[field.by as usize].name;
            if let Some(around) = containers.around(declared_by, dump.classes.name(field.name)) {
                types.note_around(number, names.get(field.name), around);
            }
        }
        if let Some(of) = of_class(class, classes, &fields) {
            types.note_library(number, of);
        }
        if let Some(stand_in) = stand_ins::of_class(&class.name) {
            types.note_stand_in(number, stand_in);
        }
        let mut chain = dump.classes.chain(number);
        if chain.any(|of| classes[of as usize].name.starts_with(CONCURRENT)) {
            types.note_state(number);
        }
        types.declare(number, fields);
    }
    // What a container of another library has for itself, no program reshapes.
    let of_containers: FxHashSet<u32> = classes
        .iter()
        .filter_map(|class| class.container)
        .flat_map(|class| dump.classes.chain(class))
        .collect();
    for class in of_containers {
        types.note_library(
            class,
            OfLibrary {
                whole: true,
                closed: true,
                ..OfLibrary::default()
            },
        );
    }
    let mut of_numbers = [0; 16];
    for (ty, name) in [
        (4, "boolean[]"),
        (5, "char[]"),
        (6, "float[]"),
        (7, "double[]"),
        (8, "byte[]"),
        (9, "short[]"),
        (10, "int[]"),
        (11, "long[]"),
    ] {
        of_numbers[ty] = types.named(name);
    }
    (types, of_numbers)
}

fn layout(dump: &Dump<'_>, fitted: &Fitted, of_numbers: &OfNumbers) -> JvmLayout {
    let size = |name: &str| {
        let class = dump.classes.named(name);
        class.map_or(0, |class| fitted.instances[class as usize])
    };
    let pair = |map: &str, node: &str| (size(map), size(node));
    JvmLayout {
        form: fitted.form,
        sizes: Sizes {
            string: size("java.lang.String"),
            maps: [
                pair("java.util.HashMap", "java.util.HashMap$Node"),
                pair("java.util.LinkedHashMap", "java.util.LinkedHashMap$Entry"),
                pair(
                    "java.util.concurrent.ConcurrentHashMap",
                    "java.util.concurrent.ConcurrentHashMap$Node",
                ),
                pair("java.util.Hashtable", "java.util.Hashtable$Entry"),
                pair("java.util.TreeMap", "java.util.TreeMap$Entry"),
            ],
            set: size("java.util.HashSet"),
            tree_set: size("java.util.TreeSet"),
            pairs: [
                size("java.util.ImmutableCollections$MapN"),
                size("java.util.ImmutableCollections$SetN"),
            ],
            one: map_of_one(dump, fitted),
            builder: size("java.lang.StringBuilder"),
            chain: pair("java.util.LinkedList", "java.util.LinkedList$Node"),
            date: size("java.util.Date"),
            view: size("java.nio.HeapByteBuffer"),
        },
        containers: priced(dump, fitted, of_numbers),
        array_list: array_list(dump),
        compact: !strings::of_characters(dump),
        estimated: (fitted.explained < EXPLAINED).then(|| {
            format!(
                "the sizes of objects are assumed: only {:.1} % of the objects are as far from the next one as they are \
                 large, where the collector leaves no gaps nearly all are",
                fitted.explained * 100.0
            )
        }),
    }
}

/// The list that programs mostly use, where the dump has its class.
fn array_list(dump: &Dump<'_>) -> Option<Implementation> {
    const CLASS: &str = "java.util.ArrayList";
    let number = dump.classes.known.find(CLASS)?;
    dump.classes.named(CLASS)?;
    Some(Implementation(of::CONTAINERS + number))
}

/// What the containers of each known class are made of.
fn priced(dump: &Dump<'_>, fitted: &Fitted, of_numbers: &OfNumbers) -> Vec<Container> {
    let mut sizes: FxHashMap<u16, u64> = FxHashMap::default();
    for (class, &bytes) in dump.classes.all.iter().zip(&fitted.instances) {
        if class.is_exact && class.role != Role::Record {
            sizes.entry(class.known).or_insert(bytes);
        }
    }
    let size = |number: u16| sizes.get(&number).copied().unwrap_or(0);
    let lock = || {
        let object = dump.classes.named("java.lang.Object");
        object.map_or(0, |class| fitted.instances[class as usize])
    };
    let known = dump.classes.known.all();
    (0..)
        .zip(known)
        .map(|(number, of)| {
            let elements = |slot| {
                let ty = of_numbers.get(&(number, slot));
                ty.map_or(Representation::Reference, |&ty| representation(ty))
            };
            match of.role {
                Role::List(List::Pairs | List::Keys) if !of.is_foreign => Container::Other,
                Role::List(List::Pairs) | Role::Nested | Role::Skips(_) => Container::Object(size(number)),
                Role::List(List::Keys) => Container::Open {
                    object: size(number),
                    arrays: [Some(elements(0)), None],
                    growth: of.growth,
                },
                // A list that is copied when it is written has an object to lock, beside its array.
                Role::List(list) => Container::List {
                    object: size(number) + if list == List::Copied { lock() } else { 0 },
                    free: u64::from(list == List::Ring),
                    elements: elements(0),
                },
                Role::Open(kind) => Container::Open {
                    object: size(number),
                    arrays: [Some(elements(0)), (kind == TableKind::Map).then(|| elements(2))],
                    growth: of.growth,
                },
                Role::Hash(Hash::Other(_)) => Container::Chained {
                    object: size(number),
                    node: of
                        .node
                        .as_ref()
                        .map_or(0, |node| dump.classes.known.find(node).map_or(0, size)),
                    growth: of.growth,
                },
                _ => Container::Other,
            }
        })
        .collect()
}

/// An immutable map of one entry: a key and a value beside what every immutable map has. Programs that could
/// use it seldom have one, whose size would show it.
fn map_of_one(dump: &Dump<'_>, fitted: &Fitted) -> u64 {
    let of_many = dump.classes.named("java.util.ImmutableCollections$MapN");
    let above = of_many.and_then(|class| dump.classes.all[class as usize].superclass);
    above.map_or(0, |above| {
        let above = dump.classes.all[above as usize].references.len() as u64;
        fitted.form.record(&RecordShape {
            inherited: Some(&RecordShape::own(&[Representation::Reference.times(above)])),
            fields: &[Representation::Reference.times(2)],
        })
    })
}

fn kind(dump: &Dump<'_>, row: u32, is_piece: bool, is_shared_text: bool) -> Kind {
    match dump.sorts.get(row) {
        Sort::Class(class) => {
            let class = &dump.classes.all[class as usize];
            let holds = class
                .statics
                .iter()
                .any(|of| of.ty == super::cursor::OBJECT && dump.id(of.at) != 0);
            if holds && !class.is_library {
                Kind::Closure
            } else {
                Kind::Runtime
            }
        }
        _ if is_piece || is_shared_text => Kind::Opaque,
        Sort::Objects(_) => Kind::Array,
        Sort::Numbers(_) | Sort::NumbersWithout(_) => Kind::Buffer,
        Sort::Instance(class) => dump.classes.all[class as usize].role.kind(),
        Sort::Odd(_) => Kind::Opaque,
    }
}

fn bytes_of(dump: &Dump<'_>, fitted: &Fitted, row: u32) -> u64 {
    if let Sort::Instance(class) = dump.sorts.get(row) {
        return fitted.instances[class as usize];
    }
    match dump.row(row) {
        Row::Class(class) => fitted.class(fit::statics(dump, class, &fitted.form)),
        Row::Instance { bytes, .. } => {
            (fitted.form.header + bytes as u64).next_multiple_of(fitted.form.align)
        }
        Row::Objects { count, .. } => fitted.array(super::cursor::OBJECT, count),
        Row::Numbers { ty, count, .. } => fitted.array(ty, count),
    }
}

/// What a row is charged with: a string with its characters, where these are its own.
fn charged(dump: &Dump<'_>, owners: &Owners, fitted: &Fitted, row: u32) -> u64 {
    if owners.of(row).is_some_and(|owner| dump.is(owner, Role::String)) {
        return 0;
    }
    let own = bytes_of(dump, fitted, row);
    let characters = dump
        .instance_of(row, Role::String)
        .and_then(|of| dump.slot(of, 0));
    let characters = characters.filter(|&array| owners.of(array) == Some(row));
    own + characters.map_or(0, |array| bytes_of(dump, fitted, array))
}

/// The columns of the model but for the one of types and texts.
struct Columns {
    kinds: Vec<Kind>,
    flags: Vec<Flags>,
    bytes: Vec<u32>,
    large: FxHashMap<u32, u64>,
    fact: Vec<u32>,
}

#[expect(clippy::too_many_arguments, reason = "all that a row is made of, once")]
fn columns(
    dump: &Dump<'_>,
    owners: Owners,
    fitted: &Fitted,
    standing: &Standing,
    dead: Option<&RowSet>,
    of_strings: &[(u32, TextId)],
    facts: &Facts,
    buffers: &[deadweight_heap::Buffer],
) -> Columns {
    let rows = || (0..dump.rows()).into_par_iter().with_min_len(8192);
    // Each has room for one row more: what holds rows from outside.
    let room = dump.rows() as usize + 1;
    let mut kinds: Vec<Kind> = Vec::with_capacity(room);
    kinds.par_extend(rows().map(|row| {
        kind(
            dump,
            row,
            owners.of(row).is_some(),
            owners.shared_characters.has(row),
        )
    }));
    let mut flags: Vec<Flags> = Vec::with_capacity(room);
    flags.par_extend(rows().map(|row| {
        // What is not met in a dump of live objects, only the runtime sees.
        let is_dead = dead.is_some_and(|dead| dead.has(row));
        let is_runtimes = standing.runtime.has(row) || !(is_dead || standing.program.has(row));
        let engine = if is_runtimes {
            Flags::ENGINE
        } else {
            Flags::default()
        };
        let part = if owners.of(row).is_some() {
            Flags::PART
        } else {
            Flags::default()
        };
        engine | part
    }));
    let charge = |row| charged(dump, &owners, fitted, row);
    let mut bytes: Vec<u32> = Vec::with_capacity(room);
    bytes.par_extend(rows().map(|row| u32::try_from(charge(row)).unwrap_or(u32::MAX)));
    let large = rows()
        .filter(|&row| bytes[row as usize] == u32::MAX)
        .map(|row| (row, charge(row)))
        .collect();
    let mut fact = owners.into_column();
    let mut note = |objects: &mut dyn Iterator<Item = u32>| {
        for (at, object) in (0..).zip(objects) {
            if !flags[object as usize].has(Flags::PART) {
                fact[object as usize] = at;
            }
        }
    };
    note(&mut facts.records.iter().map(|of| of.object));
    note(&mut facts.arrays.iter().map(|of| of.object));
    note(&mut facts.tables.iter().map(|of| of.object));
    note(&mut facts.numbers.iter().map(|of| of.object));
    note(&mut facts.dates.iter().map(|of| of.object));
    note(&mut buffers.iter().map(|of| of.object));
    for &(row, _) in of_strings {
        if kinds[row as usize] == Kind::String {
            fact[row as usize] = StringForm::Flat as u32;
        }
    }
    kinds.push(Kind::Scope);
    flags.push(Flags::default());
    bytes.push(0);
    fact.push(NONE);
    Columns {
        kinds,
        flags,
        bytes,
        large,
        fact,
    }
}

impl Columns {
    /// With the types of all rows but the last, which has the type `last`; strings have their texts instead.
    fn labelled(self, mut labels: Vec<u32>, last: u32, of_strings: &[(u32, TextId)]) -> Objects {
        let strings = labels.par_iter_mut().zip(&self.kinds).with_min_len(65_536);
        strings
            .filter(|(_, kind)| **kind == Kind::String)
            .for_each(|(label, _)| *label = NO_TEXT);
        for &(row, text) in of_strings {
            if self.kinds[row as usize] == Kind::String {
                labels[row as usize] = text;
            }
        }
        labels.push(last);
        Objects::from_columns(self.kinds, self.flags, self.bytes, self.large, labels, self.fact)
    }
}

fn runtime(fitted: &Fitted, version: String, is_live: bool) -> Runtime {
    let form = &fitted.form;
    Runtime {
        name: "jvm".to_owned(),
        version,
        word_bytes: form.reference as u32,
        allocator: format!(
            "hotspot (headers of {} bytes, references of {}, multiples of {}: explains {:.2} % of the objects)",
            form.header,
            form.reference,
            form.align,
            fitted.explained * 100.0
        ),
        recapture: if is_live {
            "not possible, as the machine writes no more of them to a dump"
        } else {
            "take a dump of live objects: `jcmd PID GC.heap_dump FILE`"
        }
        .to_owned(),
    }
}
