//! The line on which each node was allocated, where the process tracked that.

use deadweight_heap::churn::Role;
use deadweight_heap::{Granularity, LineId, Lines, SourceLine, Texts};
use rustc_hash::FxHashMap;

use super::positions::named;
use crate::escaped::plain;
use crate::v8::traces::{Function, Traces};

/// The nearest functions on a way of calls that a person can change, by their place in the file's list.
#[derive(Clone, Copy, Default)]
struct Nearest {
    own: Option<u32>,
    /// What the own one calls of a dependency, as far as the way is known.
    of_library: Option<u32>,
}

/// Notes them on a heap's lines: of the calls that led to an allocation the innermost of the program's own, else of a
/// dependency. What the engine allocated for itself has none.
pub(super) fn note(traces: &Traces, texts: &Texts, root: &str, lines: &mut Lines) {
    let placed: Vec<Option<SourceLine>> = traces
        .functions
        .iter()
        .map(|function| place(function, texts, root))
        .collect();
    let mut ids: FxHashMap<(u32, Option<u32>), LineId> = FxHashMap::default();
    let mut nearest: Vec<(Nearest, Option<LineId>)> = Vec::with_capacity(traces.ways.len());
    for way in &traces.ways {
        let (mut of_way, _) = nearest.get(way.parent as usize).copied().unwrap_or_default();
        match placed.get(way.function as usize).and_then(Option::as_ref) {
            // What was called before does not allocate here.
            Some(line) if line.role == Role::Own => {
                of_way = Nearest {
                    own: Some(way.function),
                    of_library: None,
                }
            }
            Some(_) => of_way.of_library = Some(way.function),
            None => {}
        }
        let Nearest { own, of_library } = of_way;
        let id = own.or(of_library).map(|at| {
            let through = of_library.filter(|_| own.is_some());
            *ids.entry((at, through)).or_insert_with(|| {
                let line = placed[at as usize].clone().unwrap_or_default();
                let through = through.and_then(|through| placed[through as usize].as_ref());
                let through = through.map(through_of).unwrap_or_default();
                lines.add(SourceLine { through, ..line })
            })
        });
        nearest.push((of_way, id));
    }
    lines.granularity = Granularity::Functions;
    lines.set_allocated(
        traces
            .of_node
            .iter()
            .map(|&way| nearest.get(way as usize).and_then(|(_, id)| *id)),
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

/// `upsert (node_modules/lunr/lunr.js:812)`.
fn through_of(line: &SourceLine) -> String {
    let place = format!("{}:{}", line.file, line.line);
    match line.name.as_str() {
        "" => place,
        name => format!("{name} ({place})"),
    }
}
