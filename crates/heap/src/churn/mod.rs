//! What a program made while it was watched, whether or not it was kept: the second question beside the heap.
//!
//! A [`Churn`] has a row for everything of one type that one call stack made. Stacks are a tree of interned frames, so
//! a recorder that aggregates hands over a few thousand rows however long the program ran.

mod antipattern;
mod builder;
mod frames;
mod gathering;
mod rows;
mod sampling;
mod stacks;
mod windows;

pub use antipattern::{Antipattern, AntipatternKind, Remains, Rewrite};
pub use builder::ChurnBuilder;
pub use frames::{Frame, FrameId, Frames, Returns, Role};
pub use gathering::{Definition, Gathering};
pub use rows::{Row, RowId, Rows};
pub use sampling::{Bounds, Sampling};
pub use stacks::{StackId, Stacks};
pub use windows::{Part, Windows};

use crate::{Allocator, Kind, Layout, Presence, Runtime, Totals, Types};

/// What a record of allocations contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChurnCoverage {
    /// What each object is.
    pub types: Presence,
    /// How many objects there were. Without it only bytes are known, and [`Row::count`] is of samples.
    pub counts: Presence,
    /// How many were alive when the record ended.
    pub survivors: Presence,
    /// Whether a container was ever filled.
    pub fills: Presence,
    /// Whether equal contents were recognized.
    pub contents: Presence,
    /// Lines of calls; partial when a frame has only the line where its function begins.
    pub lines: Presence,
}

/// What a runtime's compiler does to the allocations of the code that it translates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// Nothing that a record shows.
    #[default]
    Keeps,
    /// It may take objects away that do not leave their function: how many differs from run to run.
    Eliminates,
    /// It may put calls into their callers: a record counts what they make there, and not at their own line.
    Inlines,
}

/// What a program made while it was watched.
#[derive(Debug)]
pub struct Churn {
    /// Functions with their places.
    pub frames: Frames,
    /// Call stacks.
    pub stacks: Stacks,
    /// Names of types.
    pub types: Types,
    /// What was made.
    pub rows: Rows,
    /// Whether everything was seen.
    pub sampling: Sampling,
    /// Operations the program marked; 0 when it marked none.
    pub operations: u64,
    /// What the record contains.
    pub coverage: ChurnCoverage,
    /// What the process said of itself when the record ended.
    pub totals: Totals,
    /// Who wrote the record.
    pub runtime: Runtime,
    /// What other objects would cost; `None` when the runtime's objects are not modelled.
    pub layout: Option<Box<dyn Layout>>,
    /// What a request is charged.
    pub allocator: Box<dyn Allocator>,
    /// The directory that relative paths of frames start from; empty when unknown.
    pub root: String,
    /// Antipatterns someone found in the program's source.
    pub antipatterns: Vec<Antipattern>,
    /// Lines whose containers belong to how a function is defined that they call.
    pub gatherings: Vec<Gathering>,
    /// What the runtime's compiler does to what is recorded.
    pub compiler: Compiler,
    /// Whether `main` had returned when those alive were counted: what its variables held counts as dropped.
    pub main_returned: bool,
    /// Whether the source of at least one of the program's own lines was read.
    pub source_read: bool,
    /// Why the record ends early, when it does.
    pub partial: Option<String>,
}

impl Churn {
    /// The line a person can change: the innermost frame of the program's own source; where nothing of that is on the way,
    /// as in a program that is installed itself, the innermost of a dependency.
    #[must_use]
    pub fn own(&self, stack: StackId) -> Option<&Frame> {
        self.frames.get(self.stacks.own(stack)?)
    }

    /// What the program's own line called that made the row: the frame just inside of it. `None` when the line made
    /// it by itself, or the record has no frames beyond it.
    #[must_use]
    pub fn callee(&self, stack: StackId) -> Option<&Frame> {
        self.frames.get(self.stacks.callee(stack)?)
    }

    /// The line of a dependency that made the row for the program's own, by itself or through the language's own library.
    /// `None` when code of the program did, or none of it is on the way.
    #[must_use]
    pub fn dependency(&self, stack: StackId) -> Option<&Frame> {
        self.own(stack).filter(|own| own.role == Role::Own)?;
        let mut frames = self.stacks.frames(stack).filter_map(|id| self.frames.get(id));
        let made = frames.find(|frame| frame.role != Role::Runtime)?;
        (made.role == Role::Library).then_some(made)
    }

    /// Whether a row is a container that a call made of what it handed over, and for which function.
    #[must_use]
    pub fn gathering(&self, row: &Row) -> Option<&Gathering> {
        let stack = row.stack?;
        let (own, callee) = (self.own(stack)?, self.callee(stack));
        self.gatherings
            .iter()
            .find(|gathering| gathering.is_of(own, callee, row))
    }

    /// Whether it was made to write a log that the program's own line asked for. What a dependency logs is not the
    /// program's to leave out.
    #[must_use]
    pub fn in_log(&self, stack: StackId) -> bool {
        let mut writes = false;
        for frame in self.stacks.frames(stack).filter_map(|id| self.frames.get(id)) {
            match frame.role {
                _ if frame.logs => writes = true,
                Role::Own => return writes,
                Role::Library => writes = false,
                Role::Runtime => {}
            }
        }
        false
    }

    /// The shown name of a row's type; empty when it is not known.
    #[must_use]
    pub fn type_name(&self, row: &Row) -> &str {
        row.type_id.map_or("", |id| self.types.name(id))
    }

    /// All bytes made.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.rows.iter().map(|row| row.bytes).sum()
    }

    /// Whether objects were counted.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.coverage.counts != Presence::Absent
    }

    /// All objects made; `None` when they were not counted.
    #[must_use]
    pub fn objects(&self) -> Option<u64> {
        self.is_counted()
            .then(|| self.rows.iter().map(|row| row.count).sum())
    }

    /// The bytes of some rows with what sampling leaves open.
    #[must_use]
    pub fn bounds<'r>(&self, rows: impl IntoIterator<Item = (RowId, &'r Row)>) -> Bounds {
        self.sampling.bounds(rows)
    }

    /// The bytes of everything, with what sampling leaves open.
    #[must_use]
    pub fn all(&self) -> Bounds {
        self.bounds((0..).zip(self.rows.iter()))
    }

    /// The most bytes of these rows that can be alive: what was counted, else what the whole process held at the end.
    /// `None` when neither is known.
    #[must_use]
    pub fn kept_at_most<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> Option<u64> {
        let counted: Option<u64> = rows.into_iter().map(|row| row.kept_bytes).sum();
        counted.or(self.totals.heap_used)
    }

    /// Whether frames have the lines of calls, and not only the places of functions.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        self.coverage.lines == Presence::Present
    }

    /// Whether the frame is where the antipattern was found: on its lines, or, where frames have only the place at which
    /// their function begins, in its function.
    #[must_use]
    pub fn is_at(&self, antipattern: &Antipattern, own: &Frame) -> bool {
        let inside = if self.has_lines() {
            (antipattern.lines.0..=antipattern.lines.1).contains(&own.line)
        } else if own.line == 0 {
            antipattern.names.contains(&own.function)
        } else {
            antipattern.functions.contains(&(own.line, own.column))
        };
        inside && antipattern.file == own.file
    }

    /// Whether the record distinguishes what an antipattern makes by itself from what else its function makes. What it calls
    /// has frames of its own.
    #[must_use]
    pub fn stands_out(&self, antipattern: &Antipattern) -> bool {
        self.has_lines() || antipattern.alone
    }

    /// Whether the function that made something in a stack was called by an antipattern: code of the program's own, for
    /// which the line that a person can change is another.
    #[must_use]
    pub fn is_called_by(&self, antipattern: &Antipattern, stack: StackId) -> bool {
        let mut frames = self.stacks.frames(stack).filter_map(|id| self.frames.get(id));
        let Some(mut called) = frames.next() else {
            return false;
        };
        frames.any(|caller| {
            let name = &std::mem::replace(&mut called, caller).function;
            antipattern.is_maker(name) && self.is_at(antipattern, caller)
        })
    }

    /// Whether a frame is of the function in which an antipattern stands, on its lines or on others.
    #[must_use]
    pub fn is_in_function(&self, antipattern: &Antipattern, own: &Frame) -> bool {
        // Without its class before it, and what it returns behind it.
        let name = own.function.rsplit(['#', '.']).next().unwrap_or_default();
        let name = name.split(':').next().unwrap_or_default();
        let is_there = antipattern.file == own.file && antipattern.names.iter().any(|known| known == name);
        is_there || self.is_at(antipattern, own)
    }

    /// Whether the record has frames of what the program's lines call, so that a row without one was made by the line
    /// itself.
    #[must_use]
    pub fn has_callees(&self) -> bool {
        let mut stacks = self.rows.iter().filter_map(|row| row.stack);
        stacks.any(|stack| self.stacks.callee(stack).is_some())
    }

    /// Whether rows of that kind may be among those of `row`: a row of unknown type may be anything, and one whose type
    /// has a name is nothing else, though the model has no kind for it.
    #[must_use]
    pub fn may_be(&self, row: &Row, kinds: &[Kind]) -> bool {
        let is_unknown = row.kind == Kind::Opaque && self.type_name(row).is_empty();
        kinds.is_empty() || kinds.contains(&row.kind) || is_unknown
    }
}
