//! The line on which each node was allocated, where the process tracked that.

use deadweight_heap::{Granularity, Lines, SourceLine, Texts};

use super::positions::named;
use crate::changeable::Changeable;
use crate::escaped::plain;
use crate::v8::traces::{Function, Traces};

/// Notes them on a heap's lines: of the calls that led to an allocation the innermost of the program's own, else of a
/// dependency. What the engine allocated for itself has none.
pub(super) fn note(traces: &Traces, texts: &Texts, root: &str, lines: &mut Lines) {
    let placed: Vec<Option<SourceLine>> = traces
        .functions
        .iter()
        .map(|function| place(function, texts, root))
        .collect();
    let mut changeable = Changeable::new(&placed, lines);
    for way in &traces.ways {
        changeable.push(Some(way.parent), way.function);
    }
    let of_ways = changeable.of_stacks();
    lines.granularity = Granularity::Functions;
    lines.set_allocated(
        traces
            .of_node
            .iter()
            .map(|&way| of_ways.get(way as usize).copied().flatten()),
    );
}

/// Where a function stands that a person can change.
fn place(function: &Function, texts: &Texts, root: &str) -> Option<SourceLine> {
    let (file, role) = named(&plain(texts.raw(function.script)), root)?;
    let is_top = function.line == 1 && function.column == 1;
    let name = match plain(texts.raw(function.name)) {
        name if name.is_empty() && is_top => "(top of the file)".to_owned(),
        name => name,
    };
    (function.line > 0).then_some(SourceLine {
        file,
        line: function.line,
        column: function.column,
        name,
        role,
        through: String::new(),
    })
}
