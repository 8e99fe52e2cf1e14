//! What the interpreter and its library alone hold, and what nothing holds any more.
//!
//! Two walks share the references. That of the interpreter begins with what it holds and stops at the program's doors: its
//! modules, classes and functions, its instances, and functions that stand still. That of the program begins with the
//! doors that were met and with local variables, and stops at the gates of libraries: their modules, classes and functions.
//! What only the first walk meets is the interpreter's. What both meet is the program's: a thread of the library's holds
//! what the program gave it. What neither meets is garbage that waits for a collection.
//!
//! A row with more references than all rows have to it is held by C, or by a function that runs and has it in no variable.

use deadweight_heap::{EdgeKind, Edges, RowSet};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::outline::{Holder, Outline};
use super::pieces;
use super::row::flag;
use super::scan::{INTERNED, Scanned};
use super::sort::Sort;
use super::whose::Whose;
use crate::spread::spread;

/// What modules are imported by.
const IMPORTING: [&str; 2] = ["_frozen_importlib", "importlib."];

/// Rows by who holds them.
pub(super) struct Standing {
    pub(super) program: RowSet,
    pub(super) engine: RowSet,
    pub(super) recorder: RowSet,
}

impl Standing {
    fn none(rows: usize) -> Self {
        Self {
            program: RowSet::none(rows),
            engine: RowSet::none(rows),
            recorder: RowSet::none(rows),
        }
    }

    /// Rows that nothing reaches; `None` where there are none.
    pub(super) fn dead(&self, rows: u32) -> Option<RowSet> {
        let is_met = |row| self.program.has(row) || self.engine.has(row) || self.recorder.has(row);
        let dead = RowSet::of(rows as usize, |row| !is_met(row));
        (!dead.is_empty()).then_some(dead)
    }
}

/// What both walks need.
struct Walk<'w> {
    outline: &'w Outline,
    scanned: &'w Scanned,
    edges: &'w Edges,
    whose: &'w Whose,
    /// By type whether its objects are functions that stand still, and whether they are pieces of the interpreter.
    is_suspended: Vec<bool>,
    is_piece: Vec<bool>,
    /// By type whether its objects are what the interpreter notes of modules and of where it found them.
    is_importing: Vec<bool>,
    /// The doors and gates that were met by the walk that stops there.
    doors: RowSet,
    gates: RowSet,
    standing: Standing,
    /// The types to whose objects each walk came: these all lead to one row, which is looked at once.
    types: Standing,
}

pub(super) fn standing(
    bytes: &[u8],
    outline: &Outline,
    scanned: &Scanned,
    edges: &Edges,
    whose: &Whose,
) -> Standing {
    let rows = scanned.sort.len();
    let type_names = || outline.types.iter().map(|ty| outline.name(bytes, ty.name));
    let walk = Walk {
        outline,
        scanned,
        edges,
        whose,
        is_suspended: type_names().map(|name| pieces::is_suspended(&name)).collect(),
        is_piece: type_names()
            .map(|name| pieces::kind(&name) != deadweight_heap::Kind::Opaque)
            .collect(),
        is_importing: type_names()
            .map(|name| IMPORTING.iter().any(|module| name.starts_with(module)))
            .collect(),
        doors: RowSet::none(rows),
        gates: RowSet::none(rows),
        standing: Standing::none(rows),
        types: Standing::none(outline.types.len()),
    };
    walk.all();
    walk.standing
}

impl Walk<'_> {
    fn all(&self) {
        // The recorder's own variables are no program's.
        let recorders: FxHashSet<u32> = self.roots(Holder::Recorder).collect();
        let mut held = self.held_from_outside();
        held.retain(|row| !recorders.contains(row));
        let interpreters = self.roots(Holder::Interpreter);
        let pieces = held.iter().copied().filter(|&row| !self.is_data(row));
        self.walk_interpreter(interpreters.chain(pieces).collect());
        // Data that C holds, and that the interpreter does not know of, is on the stack of a function that runs.
        let data = held.iter().copied().filter(|&row| self.is_data(row));
        let data = data.filter(|&row| !self.standing.engine.has(row));
        let locals = self.roots(Holder::Local);
        self.walk_program(locals.chain(data).collect());
        // A door may lead to a gate that was not met before, and that to doors.
        let (mut doors, mut gates) = (FxHashSet::default(), FxHashSet::default());
        loop {
            let new_doors: Vec<u32> = self.doors.rows().filter(|&row| doors.insert(row)).collect();
            self.walk_program(new_doors);
            let new_gates: Vec<u32> = self.gates.rows().filter(|&row| gates.insert(row)).collect();
            if new_gates.is_empty() {
                break;
            }
            self.walk_interpreter(new_gates);
        }
        self.walk_recorder(&recorders);
    }

    fn roots(&self, holder: Holder) -> impl Iterator<Item = u32> {
        let roots = self
            .outline
            .roots
            .iter()
            .filter(move |root| root.holder == holder);
        roots.map(|root| root.row)
    }

    /// Rows that more than the rows shown refers to, immortal ones among them.
    fn held_from_outside(&self) -> Vec<u32> {
        let scanned = self.scanned;
        let rows = (0..scanned.sort.len() as u32)
            .into_par_iter()
            .with_min_len(16_384);
        rows.filter(|&row| {
            let at = row as usize;
            let counted = scanned.counted[at];
            counted == 0 || counted > scanned.shown[at] || scanned.flags[at] & flag::SHARED != 0
        })
        .collect()
    }

    /// Whether a row is what a program keeps its data in, and not what the interpreter is made of.
    fn is_data(&self, row: u32) -> bool {
        let at = row as usize;
        let flags = self.scanned.flags[at];
        let is_interpreters = flags & (flag::SHARED | INTERNED) != 0 || self.scanned.counted[at] == 0;
        let sort = self.scanned.sort[at];
        let is_other = sort == Sort::Other && !self.is_piece[self.scanned.ty[at] as usize];
        !is_interpreters && (sort.is_data() || is_other)
    }

    /// Whether a row is the program's, whoever holds it.
    fn is_door(&self, row: u32) -> bool {
        let at = row as usize;
        let ty = self.scanned.ty[at];
        match self.scanned.sort[at] {
            Sort::Module => self.whose.is_own_module(row),
            Sort::Type => self.whose.is_own_type(self.scanned.values.type_of(row)),
            Sort::Function => self.whose.is_own_function_row(row),
            Sort::Frame => true,
            Sort::Other if self.is_suspended[ty as usize] => true,
            _ => self.whose.is_own_type(ty),
        }
    }

    /// Whether a row is a library's, whoever holds it.
    fn is_gate(&self, row: u32) -> bool {
        match self.scanned.sort[row as usize] {
            Sort::Module => !self.whose.is_own_module(row),
            Sort::Type => !self.whose.is_own_type(self.scanned.values.type_of(row)),
            Sort::Function => self.whose.is_closed_function(row),
            _ => self.is_importing[self.scanned.ty[row as usize] as usize],
        }
    }

    fn is_recorders(&self, row: u32) -> bool {
        self.scanned.flags[row as usize] & flag::RECORDER != 0
    }

    /// What a row keeps alive, its type with it when that is not one of the `types` yet. Modules and classes are few, and
    /// what they lead to is looked at for each.
    fn strong(&self, row: u32, types: &RowSet, to: &mut Vec<u32>) {
        let rows = self.scanned.sort.len() as u32;
        let edges = self
            .edges
            .of(row)
            .filter(|edge| edge.via.kind() != EdgeKind::Weak);
        to.extend(edges.map(|edge| edge.to).filter(|&to| to < rows));
        let ty = self.scanned.ty[row as usize];
        if self.is_scope(row) || types.insert(ty) {
            to.extend(self.outline.types[ty as usize].row);
        }
    }

    fn is_scope(&self, row: u32) -> bool {
        matches!(self.scanned.sort[row as usize], Sort::Module | Sort::Type)
    }

    fn walk_interpreter(&self, starts: Vec<u32>) {
        let new = |row: u32| {
            if self.standing.engine.has(row) || self.is_recorders(row) {
                return false;
            }
            if self.is_door(row) {
                self.doors.insert(row);
                return false;
            }
            self.standing.engine.insert(row)
        };
        spread(starts, &new, &|row, to| self.strong(row, &self.types.engine, to));
    }

    fn walk_program(&self, starts: Vec<u32>) {
        let new = |row: u32| {
            if self.standing.program.has(row) || self.is_recorders(row) {
                return false;
            }
            if self.is_gate(row) {
                self.gates.insert(row);
                return false;
            }
            self.standing.program.insert(row)
        };
        let next = |row: u32, to: &mut Vec<u32>| {
            self.strong(row, &self.types.program, to);
            if !self.is_scope(row) {
                return;
            }
            // What the interpreter notes of a module or a class is its own: loaders, orders of bases.
            let fields: FxHashSet<u32> = self
                .edges
                .of(row)
                .filter(|edge| edge.via.kind() != EdgeKind::Internal)
                .map(|edge| edge.to)
                .collect();
            to.retain(|to| {
                let is_field = fields.contains(to) || self.is_door(*to);
                if !is_field {
                    self.gates.insert(*to);
                }
                is_field
            });
        };
        spread(starts, &new, &next);
    }

    /// What only the recorder's own modules and variables hold.
    fn walk_recorder(&self, held: &FxHashSet<u32>) {
        let rows = (0..self.scanned.sort.len() as u32)
            .into_par_iter()
            .with_min_len(16_384);
        let own = rows.filter(|&row| self.is_recorders(row) || held.contains(&row));
        let own: Vec<u32> = own.collect();
        let Standing {
            program,
            engine,
            recorder,
        } = &self.standing;
        let new = |row: u32| !program.has(row) && !engine.has(row) && recorder.insert(row);
        spread(own, &new, &|row, to| self.strong(row, &self.types.recorder, to));
    }
}
