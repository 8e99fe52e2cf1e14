//! Positions in the source, for heaps made by hand.

use super::HeapBuilder;
use crate::churn::Role;
use crate::{LineId, ObjectId, SourceLine};

impl HeapBuilder {
    /// Says where a class is written.
    pub fn class_line(&mut self, class: &str, file: &str, line: u32) -> &mut Self {
        let id = self.line(class, file, line);
        let ty = self.parts.types.named(class);
        self.parts.lines.note_class(ty, id);
        self
    }

    /// Says where the function of a closure stands, or one that sees a scope.
    pub fn function_line(&mut self, row: ObjectId, function: &str, file: &str, line: u32) -> &mut Self {
        let id = self.line(function, file, line);
        self.parts.lines.note_function(row, id);
        self
    }

    /// Says where rows were allocated; nobody knows it of the others.
    pub fn allocated_on(&mut self, rows: &[(ObjectId, &str, u32)]) -> &mut Self {
        let mut of = vec![None; self.parts.objects.len()];
        for &(row, file, line) in rows {
            of[row as usize] = Some(self.line("", file, line));
        }
        self.parts.lines.set_allocated(of.into_iter());
        self
    }

    fn line(&mut self, name: &str, file: &str, line: u32) -> LineId {
        self.parts.lines.add(SourceLine {
            file: file.to_owned(),
            line,
            column: 0,
            name: name.to_owned(),
            role: Role::Own,
            through: String::new(),
        })
    }
}
