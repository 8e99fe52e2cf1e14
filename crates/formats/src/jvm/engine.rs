//! What the runtime and its library alone hold.
//!
//! A walk from the library's classes and from native code stops at the program's doors: its classes and their instances,
//! and what a thread was started for. What the walk meets is the runtime's. A second walk goes on from the doors and from
//! the frames of threads; what neither meets was dead at capture, or only the runtime sees what holds it.
//!
//! A dump has none of the fields of `java.lang.Class`. What these hold (a class's methods and annotations as objects, the
//! constants of an enumeration) nothing in the file refers to: the first walk begins with it, too.

use deadweight_heap::{EdgeKind, Edges, RowSet, TextId};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::classes::Class;
use super::containers::Owners;
use super::decode::{Dump, Row};
use super::edges::Names;
use super::known::Role;
use super::nearest::nearer_to_program;
use super::roots::Held;
use super::sorts::Sort;
use crate::spread::spread;

/// Threads that the runtime starts for itself, by name. `main` is what it starts the program in.
pub(super) const THREADS: [&str; 12] = [
    "Reference Handler",
    "Finalizer",
    "Signal Dispatcher",
    "Service Thread",
    "Monitor Deflation Thread",
    "Common-Cleaner",
    "Notification Thread",
    "Attach Listener",
    "main",
    "DestroyJavaVM",
    "process reaper",
    "Cleaner-0",
];

/// What only fields of `java.lang.Class` and of loaders inside the machine hold, as long as nothing in the file does.
const HELD_BY_CLASSES: [&str; 9] = [
    "java.lang.Class$AnnotationData",
    "java.lang.Class$ReflectionData",
    "java.lang.ClassValue$ClassValueMap",
    "java.lang.Module",
    "java.lang.ref.SoftReference",
    "java.lang.reflect.Constructor",
    "java.security.ProtectionDomain",
    "sun.reflect.annotation.AnnotationType",
    "sun.reflect.generics.repository.ClassRepository",
];

/// So many rows may be held by what no dump has, names of classes for the most part: so many for each class, or this share.
const HIDDEN_PER_CLASS: u64 = 4;
const HIDDEN_SHARE: u64 = 50;

/// So many instances of the program's own classes are hardly held by those.
const HIDDEN_INSTANCES: usize = 64;

pub(super) struct Standing {
    /// The runtime's.
    pub(super) runtime: RowSet,
    /// The program's.
    pub(super) program: RowSet,
}

impl Standing {
    fn is_met(&self, row: u32) -> bool {
        self.runtime.has(row) || self.program.has(row)
    }

    /// Rows that nothing reaches where they are garbage; `None` in a dump of live objects, of which only the runtime sees
    /// what holds them. `is_live` says that garbage was collected for the dump.
    pub(super) fn dead(&self, dump: &Dump<'_>, owners: &Owners, is_live: bool) -> Option<RowSet> {
        let rows = dump.rows();
        let unmet = || {
            (0..rows)
                .into_par_iter()
                .with_min_len(16_384)
                .filter(|&row| !self.is_met(row))
        };
        let count = unmet().count() as u64;
        let classes = dump.classes.all.len() as u64;
        let is_programs = |row: &u32| match dump.sorts.get(*row) {
            Sort::Instance(class) | Sort::Odd(class) => !dump.classes.all[class as usize].is_library,
            _ => false,
        };
        let is_garbage = !is_live
            && (count > (HIDDEN_PER_CLASS * classes).max(u64::from(rows) / HIDDEN_SHARE)
                || unmet().filter(is_programs).count() >= HIDDEN_INSTANCES);
        let dead = RowSet::of(rows as usize, |row| {
            !self.is_met(row) && (is_garbage || (is_filler(dump, row) && !owners.is_referred_to(row)))
        });
        (!dead.is_empty()).then_some(dead)
    }
}

/// What a collector puts where it leaves a gap.
fn is_filler(dump: &Dump<'_>, row: u32) -> bool {
    match dump.row(row) {
        Row::Numbers { ty, .. } => ty == INT,
        Row::Instance { class, .. } | Row::Objects { class, .. } => dump.classes.all[class as usize]
            .name
            .starts_with("jdk.internal.vm.Filler"),
        Row::Class(_) => false,
    }
}

/// The number of the type of whole numbers of four bytes.
const INT: u8 = 10;

/// What both walks need.
struct Walk<'w> {
    dump: &'w Dump<'w>,
    edges: &'w Edges,
    /// The row of each class.
    class_rows: Vec<Option<u32>>,
    target: Option<TextId>,
    holder: Option<TextId>,
    value: Option<TextId>,
    entry: Option<u32>,
    is_system: &'w (dyn Fn(u32) -> bool + Sync),
}

/// Both walks. `name` gives the name of a thread.
pub(super) fn standing(
    dump: &Dump<'_>,
    edges: &Edges,
    names: &Names,
    held: &[Held],
    owners: &Owners,
    name: &(dyn Fn(u32) -> String + Sync),
) -> Standing {
    let is_system = |row: u32| THREADS.contains(&name(row).as_str());
    let classes = &dump.classes.all;
    let walk = Walk {
        dump,
        edges,
        class_rows: classes.iter().map(|class| dump.addresses.row(class.id)).collect(),
        target: names.named(dump, "target"),
        holder: names.named(dump, "holder"),
        value: names.named(dump, "value"),
        entry: dump.classes.named("java.lang.ThreadLocal$ThreadLocalMap$Entry"),
        is_system: &is_system,
    };
    let rows = dump.rows() as usize;
    let mut standing = Standing {
        runtime: RowSet::none(rows),
        program: RowSet::none(rows),
    };
    let mut starts: Vec<u32> = held
        .iter()
        .filter(|held| !held.is_local)
        .map(|held| held.row)
        .collect();
    starts.extend(held_by_classes(dump, owners));
    spread(
        starts.clone(),
        &|row| !walk.is_door(row) && standing.runtime.insert(row),
        &|row, to| {
            walk.reached_by_runtime(row, to);
        },
    );
    walk.thread_locals(&standing);
    // What the program refers to of what the first walk went through.
    let referred = RowSet::none(rows);
    let of_program = |row: u32, to: &mut Vec<u32>| {
        walk.strong(row, to);
        referred.extend(to.iter().copied().filter(|&row| standing.runtime.has(row)));
    };
    // Classes without a name in any loader, such as those of lambdas, are in a dump only while they are loaded.
    let loaded = walk.class_rows.iter().copied().flatten();
    spread(
        held.iter().map(|held| held.row).chain(loaded).collect(),
        &|row| !standing.runtime.has(row) && standing.program.insert(row),
        &of_program,
    );
    // What the first walk did not go through is held all the same.
    let doors: Vec<u32> = standing
        .runtime
        .rows()
        .collect::<Vec<_>>()
        .into_par_iter()
        .flat_map_iter(|row| {
            let mut to = Vec::new();
            walk.strong(row, &mut to);
            to
        })
        .collect();
    spread(
        doors,
        &|row| !standing.runtime.has(row) && standing.program.insert(row),
        &of_program,
    );
    let nearer = nearer_to_program(
        rows,
        &standing.runtime,
        (starts, &|row, to| walk.reached_by_runtime(row, to)),
        (referred.rows().collect(), &|row, to| walk.strong(row, to)),
    );
    for row in nearer.rows() {
        standing.runtime.put(row, false);
        standing.program.insert(row);
    }
    standing
}

/// The rows that fields of `java.lang.Class` hold.
fn held_by_classes(dump: &Dump<'_>, owners: &Owners) -> Vec<u32> {
    let classes = &dump.classes.all;
    let is_enumeration = |class: &&Class| {
        let parent = class.superclass.map(|parent| &classes[parent as usize]);
        parent.is_some_and(|parent| parent.name == "java.lang.Enum")
    };
    let enumerations: FxHashSet<&str> = classes
        .iter()
        .filter(is_enumeration)
        .map(|class| class.name.as_str())
        .collect();
    let of_class: Vec<bool> = classes
        .iter()
        .map(|class| {
            let constants_of = class.name.strip_suffix("[]");
            HELD_BY_CLASSES.contains(&class.name.as_str())
                || constants_of.is_some_and(|name| enumerations.contains(name))
        })
        .collect();
    (0..dump.rows())
        .into_par_iter()
        .with_min_len(16_384)
        .filter(|&row| {
            let is_of_class = dump.class_of(row).is_some_and(|class| of_class[class as usize]);
            is_of_class && !owners.is_referred_to(row)
        })
        .collect()
}

impl Walk<'_> {
    /// Whether a row is the program's whoever holds it.
    fn is_door(&self, row: u32) -> bool {
        let class = match self.dump.sorts.get(row) {
            Sort::Class(class) => Some(class),
            _ => self.dump.class_of(row),
        };
        class.is_some_and(|class| !self.dump.classes.all[class as usize].is_library)
    }

    /// What a row keeps alive: its class with it, of which the dump says nothing.
    fn strong(&self, row: u32, to: &mut Vec<u32>) {
        let strong = self
            .edges
            .of(row)
            .filter(|edge| edge.via.kind() != EdgeKind::Weak);
        to.extend(strong.map(|edge| edge.to));
        if let Some(class) = self.dump.class_of(row) {
            to.extend(self.class_rows[class as usize]);
        }
    }

    fn reached_by_runtime(&self, row: u32, to: &mut Vec<u32>) {
        let Some(class) = self.dump.class_of(row) else {
            return self.strong(row, to);
        };
        let of = &self.dump.classes.all[class as usize];
        if self.entry == Some(class) {
            // Whose the value is, its key says.
            to.extend(self.class_rows[class as usize]);
            return;
        }
        if of.role == Role::Thread && !(self.is_system)(row) {
            if of.is_exact {
                let others = self.edges.of(row).filter(|edge| {
                    let field = edge.field();
                    edge.via.kind() != EdgeKind::Weak
                        && (field.is_none() || (field != self.target && field != self.holder))
                });
                to.extend(others.map(|edge| edge.to));
            }
            return;
        }
        self.strong(row, to);
    }

    /// Goes on to the values of the runtime's own thread locals.
    fn thread_locals(&self, standing: &Standing) {
        let Some(entry) = self.entry else { return };
        let entries: Vec<u32> = standing
            .runtime
            .rows()
            .filter(|&row| self.dump.class_of(row) == Some(entry))
            .collect();
        let values = entries.into_iter().filter_map(|row| {
            let key = self
                .edges
                .of(row)
                .find(|edge| edge.via.kind() == EdgeKind::Weak)?;
            let value = self
                .edges
                .of(row)
                .find(|edge| edge.field().is_some() && edge.field() == self.value)?;
            standing.runtime.has(key.to).then_some(value.to)
        });
        spread(
            values.collect(),
            &|row| !self.is_door(row) && standing.runtime.insert(row),
            &|row, to| self.reached_by_runtime(row, to),
        );
    }
}
