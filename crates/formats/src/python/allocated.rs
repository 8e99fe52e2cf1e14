//! The line on which each object was made, where the process recorded that.

use deadweight_heap::churn::Role;
use deadweight_heap::{Lines, SourceLine};

use super::lines::Source;
use super::outline::Frame;
use crate::changeable::Changeable;

/// Notes them: of the calls that led to an allocation the innermost line of the program's own, else of a package. What only the
/// interpreter and its library ran for has none.
pub(super) fn note(source: &Source<'_>, lines: &mut Lines) {
    let outline = source.outline;
    if outline.stacks.is_empty() {
        return;
    }
    let placed: Vec<Option<SourceLine>> = outline.frames.iter().map(|frame| place(source, *frame)).collect();
    let mut changeable = Changeable::new(&placed, lines);
    for stack in &outline.stacks {
        changeable.push(stack.caller, stack.frame);
    }
    let of_stack = changeable.of_stacks();
    let mut of_row = vec![None; outline.rows as usize + 1];
    for &(row, stack) in &source.scanned.made {
        of_row[row as usize] = of_stack[stack as usize];
    }
    lines.set_allocated(of_row.into_iter());
}

/// Where a line stands that a person can change.
fn place(source: &Source<'_>, frame: Frame) -> Option<SourceLine> {
    let file = source.outline.name(source.bytes, frame.file);
    let line = source.line(frame.file, frame.line)?;
    let is_changeable = line.role == Role::Own || source.outline.header.is_installed_file(&file);
    let name = source.outline.name(source.bytes, frame.function);
    let name = if name == "<module>" {
        String::new()
    } else {
        name.into_owned()
    };
    is_changeable.then_some(SourceLine { name, ..line })
}
