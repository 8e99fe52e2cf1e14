//! Antipatterns in one file.

use std::cell::LazyCell;
use std::ops::Range;

use deadweight_heap::churn::{Antipattern, AntipatternKind};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::calls::Calls;
use crate::compared::compared;
use crate::condition::conditions;
use crate::idiom::Idiom;
use crate::logged::Logged;
use crate::meaning::leaves;
use crate::queries::{Captures, Queries};
use crate::rewrite::{fill, rewrite};
use crate::ruby::Literal;
use crate::source::Source;
use crate::template::template;

/// Characters of an expression that are shown.
const SHOWN: usize = 48;

/// Every antipattern in a file, in the order of the text. `file` is its name in frames.
///
/// `lines` are those that make something; where they are not known, all may.
pub(crate) fn find(source: &Source<'_>, file: &str, lines: Option<&[u32]>) -> Vec<Antipattern> {
    let found = with_idioms(source, file, lines).into_iter();
    found.map(|(_, antipattern)| antipattern).collect()
}

/// The same, each with the idiom that it is.
pub(crate) fn with_idioms(
    source: &Source<'_>,
    file: &str,
    lines: Option<&[u32]>,
) -> Vec<(&'static Idiom, Antipattern)> {
    // Who calls what is asked for only when something is found.
    let calls = LazyCell::new(|| Calls::of(source));
    let mut taken: Vec<(Range<usize>, AntipatternKind)> = Vec::new();
    let mut found: Vec<(usize, &'static Idiom, Antipattern)> = Vec::new();
    let mut tables: FxHashMap<&str, bool> = FxHashMap::default();
    let near = lines.map(|lines| source.near(lines));
    let near = near.as_deref().unwrap_or(source.text);
    let queries = Queries::of(source.language);
    let mut places: FxHashMap<usize, Vec<Captures<'_>>> = FxHashMap::default();
    for asked in queries.idioms(source.text, near) {
        let known = asked.idiom;
        let is_look_up = known.kind == AntipatternKind::LookedUp;
        if is_look_up && !has_tables(source.text) {
            continue;
        }
        let of_shape = places
            .entry(asked.shape())
            .or_insert_with(|| queries.places(asked, source));
        for captures in of_shape.iter().filter(|captures| asked.fits(source, captures)) {
            let mut captures = captures.clone();
            let mut idiom = *known;
            if let Some(bounds) = idiom.compared {
                let number = captures.iter().position(|(name, _)| *name == "whole");
                let number = number.map(|at| captures.swap_remove(at).1);
                let Some(compared) = number.and_then(|number| compared(source, &idiom, bounds, number))
                else {
                    continue;
                };
                idiom = compared.0;
                captures.extend(compared.1);
            }
            let Some(&(_, whole)) = captures.iter().find(|(name, _)| *name == "whole") else {
                continue;
            };
            // The first idiom that knows an expression speaks for what is inside of it.
            let range = whole.byte_range();
            let is_taken = |(other, kind): &(Range<usize>, AntipatternKind)| {
                let is_same = *kind == idiom.kind
                    || (*kind == AntipatternKind::Constant && idiom.kind == AntipatternKind::Literal);
                is_same && other.start <= range.start && range.end <= other.end
            };
            if whole.has_error() || taken.iter().any(is_taken) {
                continue;
            }
            if leaves(source, &captures) {
                continue;
            }
            if idiom
                .unless
                .iter()
                .any(|unless| unless.holds(source, whole, &captures))
            {
                continue;
            }
            let table = captures.iter().find(|(name, _)| *name == "table");
            if let Some(&(_, table)) = table
                && !*tables
                    .entry(source.of(table))
                    .or_insert_with_key(|table| is_table_of_texts(source, table))
            {
                continue;
            }
            if let Some(antipattern) = antipattern(source, file, &idiom, whole, &captures, &calls) {
                taken.push((range.clone(), idiom.kind));
                found.push((range.start, known, antipattern));
            }
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found
        .into_iter()
        .map(|(_, idiom, antipattern)| (idiom, antipattern))
        .collect()
}

fn antipattern(
    source: &Source<'_>,
    file: &str,
    idiom: &Idiom,
    whole: Node<'_>,
    captures: &[(&str, Node<'_>)],
    calls: &Calls<'_>,
) -> Option<Antipattern> {
    let mut texts: Vec<(&str, &str)> = captures
        .iter()
        .map(|(name, node)| (*name, source.of(*node)))
        .collect();
    // A literal may be longer than a line.
    let written = captures.iter().find(|(name, _)| *name == "literal");
    let written = written.map(|(_, literal)| shown(source.of(*literal)));
    texts.extend(written.as_deref().map(|written| ("written", written)));
    // What `lines` or the like is handed, and a line break that makes no string.
    let lines = captures.iter().find(|(name, _)| *name == "lines");
    let handed = lines.and_then(|(_, lines)| lines.child_by_field_name("arguments"));
    texts.extend([
        ("args", handed.map_or("", |handed| source.of(handed))),
        ("newline", source.newline()),
    ]);
    // What stands within the brackets of a list that is described, and what stands there behind the element.
    let list = captures.iter().find(|(name, _)| *name == "list");
    let inside = list.and_then(|(_, list)| source.of(*list).strip_prefix('[')?.strip_suffix(']'));
    let body = list.and_then(|(_, list)| list.child_by_field_name("body"));
    if let (Some(&(_, list)), Some(inside), Some(body)) = (list, inside, body) {
        let behind = source
            .text
            .get(body.end_byte()..list.end_byte() - 1)
            .unwrap_or_default();
        texts.extend([("inside", inside), ("clauses", behind)]);
    }
    let separator = texts.iter().find(|(name, _)| *name == "separator");
    let mark = separator.map(|(_, separator)| source.frozen(separator));
    texts.extend(mark.as_deref().map(|mark| ("mark", mark)));
    let bound = texts.iter().find(|(name, _)| *name == "bound");
    let bound = bound.map(|(_, bound)| source.constant(bound).unwrap_or(bound));
    let remains = idiom.remains.remains(bound)?;
    let lines = (
        whole.start_position().row as u32 + 1,
        whole.end_position().row as u32 + 1,
    );
    let function = source.begins(source.function(whole));
    // What a literal makes, and whether that may be changed, is written in it.
    let literal = captures.iter().find(|(name, _)| *name == "literal");
    let is_read = idiom.assumes.is_none();
    let literal = match literal {
        Some(&(_, literal)) => Some(Literal::of(source, literal, whole, is_read)?),
        None => None,
    };
    let kinds = literal.as_ref().map_or(idiom.kinds, |literal| &literal.kinds);
    let hands_on = literal.as_ref().is_none_or(|literal| literal.hands_on);
    let logged = (source.language.is_inlined() && idiom.kind == AntipatternKind::Log)
        .then(|| Logged::of(source, whole, calls));
    let makers = logged.as_ref().map_or(idiom.makers, |logged| &logged.makers);
    let alone = logged.as_ref().is_some_and(|logged| logged.alone);
    let (functions, sole) = if alone {
        // Those that call it make more than it does.
        (vec![function], true)
    } else if logged.is_some() {
        (calls.may_be_in(function, makers), true)
    } else if source.language.is_inlined() {
        let functions = calls.may_be_in(function, idiom.makers);
        let sole = !idiom.makers.is_empty() && calls.in_functions(idiom.makers, &functions) == 1;
        (functions, sole)
    } else {
        let sole = !idiom.makers.is_empty() && calls.on_lines(idiom.makers, lines) == 1;
        (vec![function], sole)
    };
    let names = calls.names(&functions);
    let around = calls.names(&[function]).pop().unwrap_or_default();
    let by_itself = (alone && !makers.is_empty()).then_some("");
    let rewritten = template(source, idiom.template, whole, captures)
        .and_then(|template| fill(&template, &texts))
        .filter(|text| !text.is_empty());
    let conditions = conditions(source, idiom, whole, captures);
    let assumes = conditions.iter().map(|condition| format!("that {condition}"));
    let assumes: Vec<String> = assumes
        .chain(idiom.assumes.filter(|_| hands_on).map(str::to_owned))
        .collect();
    let rewrite = rewritten.and_then(|with| rewrite(source, file, whole.byte_range(), &with, &conditions));
    Some(Antipattern {
        kind: idiom.kind,
        file: file.to_owned(),
        lines,
        functions,
        names,
        function: around,
        alone,
        code: shown(source.of(whole)),
        makers: makers
            .iter()
            .copied()
            .chain(by_itself)
            .map(str::to_owned)
            .collect(),
        kinds: kinds.to_vec(),
        remains,
        sole,
        rewrite,
        uncounted: fill(idiom.uncounted, &texts).unwrap_or_default(),
        advice: fill(idiom.advice, &texts).unwrap_or_else(|| idiom.advice.to_owned()),
        assumes: (!assumes.is_empty()).then(|| assumes.join("; ")),
    })
}

/// Whether a file may have constants that are tables of texts.
fn has_tables(text: &str) -> bool {
    text.contains("=>")
        && text.match_indices('{').any(|(at, _)| {
            text[..at].trim_end().ends_with('=') && text[at + 1..].trim_start().starts_with(['"', '\''])
        })
}

/// Whether a constant of that name is a table whose keys are texts.
fn is_table_of_texts(source: &Source<'_>, name: &str) -> bool {
    let value = source.constant(name).and_then(|value| value.strip_prefix('{'));
    value.is_some_and(|entries| entries.trim_start().starts_with(['"', '\'']) && entries.contains("=>"))
}

/// An expression on one line, shortened.
pub(crate) fn shown(code: &str) -> String {
    let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN {
        return line;
    }
    let mut short: String = line.chars().take(SHOWN - 1).collect();
    short.push('…');
    short
}
