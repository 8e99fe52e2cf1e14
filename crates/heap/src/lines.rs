//! Where in the source a row was made, its class is written, or the function stands that holds it.

use rustc_hash::FxHashMap;

use crate::churn::Role;
use crate::{Heap, ObjectId, SiteId, TypeId};

/// A row of [`Lines`].
pub type LineId = u32;

/// No line.
const NO_LINE: LineId = LineId::MAX;

/// A position in the program's source, or in that of a library it uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceLine {
    /// The file, as seen from the program's directory when it lies below it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// The function or class that stands there; empty when it has no name, or nobody knows it.
    pub name: String,
    /// Whose code it is.
    pub role: Role,
    /// For an allocation the function of a dependency that allocates, when that is called from here; else empty.
    pub through: String,
}

/// What the line of an allocation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// The line that allocates.
    #[default]
    Calls,
    /// The line where the function begins that allocates.
    Functions,
}

/// What the dump knows of the source, each position once.
#[derive(Debug, Default)]
pub struct Lines {
    all: Vec<SourceLine>,
    ids: FxHashMap<SourceLine, LineId>,
    /// What the lines of allocations are.
    pub granularity: Granularity,
    /// Where each row was allocated; empty when the dump has no such column.
    allocated: Vec<LineId>,
    /// The line of each site; empty when sites name none.
    of_site: Vec<LineId>,
    /// Where a class is written; [`NO_LINE`] for several classes of one name.
    classes: FxHashMap<TypeId, LineId>,
    /// Where the function of a closure stands, or one that sees a scope.
    functions: FxHashMap<ObjectId, LineId>,
    /// Files whose module a record is, by the line where they begin.
    modules: FxHashMap<ObjectId, LineId>,
}

impl Lines {
    /// The id of a position.
    pub fn add(&mut self, line: SourceLine) -> LineId {
        if let Some(&id) = self.ids.get(&line) {
            return id;
        }
        let id = self.all.len() as LineId;
        self.all.push(line.clone());
        self.ids.insert(line, id);
        id
    }

    /// A position by its id.
    #[must_use]
    pub fn get(&self, id: LineId) -> Option<&SourceLine> {
        self.all.get(id as usize)
    }

    /// Says where all rows were allocated, `None` where nobody knows.
    pub fn set_allocated(&mut self, of: impl Iterator<Item = Option<LineId>>) {
        self.allocated = of.map(|line| line.unwrap_or(NO_LINE)).collect();
    }

    /// Says on which line a site stands.
    pub fn set_site(&mut self, site: SiteId, line: LineId) {
        let at = site as usize;
        if self.of_site.len() <= at {
            self.of_site.resize(at + 1, NO_LINE);
        }
        self.of_site[at] = line;
    }

    /// Says where a class is written. Of several classes of one name nobody knows which is meant.
    pub fn note_class(&mut self, ty: TypeId, line: LineId) {
        let known = self.classes.entry(ty).or_insert(line);
        if *known != line {
            *known = NO_LINE;
        }
    }

    /// Says where the function of a closure stands, or one that sees a scope.
    pub fn note_function(&mut self, row: ObjectId, line: LineId) {
        self.functions.insert(row, line);
    }

    /// Says of which file a record is the module.
    pub fn note_module(&mut self, row: ObjectId, line: LineId) {
        self.modules.insert(row, line);
    }

    /// Where a class is written.
    #[must_use]
    pub fn class(&self, ty: TypeId) -> Option<&SourceLine> {
        self.get(*self.classes.get(&ty)?)
    }

    /// Classes with the lines where they are written.
    pub fn classes(&self) -> impl Iterator<Item = (TypeId, &SourceLine)> {
        let classes = self.classes.iter();
        classes.filter_map(|(&ty, &line)| Some((ty, self.get(line)?)))
    }

    /// Where the function of a closure stands, or one that sees a scope.
    #[must_use]
    pub fn function(&self, row: ObjectId) -> Option<&SourceLine> {
        self.get(*self.functions.get(&row)?)
    }

    /// The file whose module a record is.
    #[must_use]
    pub fn module(&self, row: ObjectId) -> Option<&SourceLine> {
        self.get(*self.modules.get(&row)?)
    }

    /// Whether the dump says of any row where it was allocated.
    #[must_use]
    pub fn tell_allocations(&self) -> bool {
        !self.allocated.is_empty() || !self.of_site.is_empty()
    }
}

impl Heap {
    /// The line on which a row was allocated, or its whole for a part that nobody knows it of.
    #[must_use]
    pub fn allocated_on(&self, row: ObjectId) -> Option<LineId> {
        let of = |row: ObjectId| {
            let lines = &self.lines;
            let own = lines.allocated.get(row as usize).copied();
            let of_site = || lines.of_site.get(self.sites.id(row)? as usize).copied();
            own.or_else(of_site).filter(|&line| line != NO_LINE)
        };
        of(row).or_else(|| of(self.owner(row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u32) -> SourceLine {
        SourceLine {
            file: "src/db.js".to_owned(),
            line: number,
            ..SourceLine::default()
        }
    }

    #[test]
    fn classes_of_one_name_have_no_line() {
        let mut lines = Lines::default();
        let (first, second) = (lines.add(line(3)), lines.add(line(40)));
        assert_eq!(lines.add(line(3)), first);
        lines.note_class(0, first);
        lines.note_class(0, first);
        lines.note_class(1, first);
        lines.note_class(1, second);
        assert_eq!(lines.class(0).map(|line| line.line), Some(3));
        assert_eq!((lines.class(1), lines.class(2)), (None, None));
    }
}
