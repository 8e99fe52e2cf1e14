//! Antipatterns in one file.

use std::cell::LazyCell;
use std::ops::Range;

use deadweight_heap::churn::{Antipattern, AntipatternKind};
use rustc_hash::FxHashMap;
use tree_sitter::{Node, QueryCursor, StreamingIterator};

use crate::calls::Calls;
use crate::compared::compared;
use crate::idiom::Idiom;
use crate::queries::Queries;
use crate::rewrite::{fill, rewrite};
use crate::source::{DEEPEST, Source};
use crate::template::template;

/// Characters of an expression that are shown.
const SHOWN: usize = 48;

/// Every antipattern in a file, in the order of the text. `file` is its name in frames.
pub(crate) fn find(source: &Source<'_>, file: &str) -> Vec<Antipattern> {
    // Who calls what is asked for only when something is found.
    let calls = LazyCell::new(|| Calls::of(source));
    let mut taken: Vec<(Range<usize>, AntipatternKind)> = Vec::new();
    let mut found: Vec<(usize, Antipattern)> = Vec::new();
    let mut tables: FxHashMap<&str, bool> = FxHashMap::default();
    for (idiom, query) in Queries::of(source.language).idioms(source.text) {
        let names = query.capture_names();
        let mut cursor = QueryCursor::new();
        cursor.set_max_start_depth(Some(DEEPEST));
        let mut matches = cursor.matches(query, source.tree.root_node(), source.text.as_bytes());
        while let Some(one) = matches.next() {
            let mut captures: Vec<(&str, Node<'_>)> = one
                .captures()
                .iter()
                .map(|capture| (names[capture.index as usize], capture.node))
                .collect();
            let mut idiom = *idiom;
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
                *kind == idiom.kind && other.start <= range.start && range.end <= other.end
            };
            if whole.has_error() || taken.iter().any(is_taken) {
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
                found.push((range.start, antipattern));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, antipattern)| antipattern).collect()
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
    // What `lines` or the like is handed, and a line break that makes no string.
    let lines = captures.iter().find(|(name, _)| *name == "lines");
    let handed = lines.and_then(|(_, lines)| lines.child_by_field_name("arguments"));
    texts.extend([
        ("args", handed.map_or("", |handed| source.of(handed))),
        ("newline", source.newline()),
    ]);
    let bound = texts.iter().find(|(name, _)| *name == "bound");
    let bound = bound.map(|(_, bound)| source.constant(bound).unwrap_or(bound));
    let remains = idiom.remains.remains(bound)?;
    let lines = (
        whole.start_position().row as u32 + 1,
        whole.end_position().row as u32 + 1,
    );
    let function = source.begins(source.function(whole));
    let (functions, sole) = if source.language.is_inlined() {
        let functions = calls.may_be_in(function, idiom.makers);
        let sole = !idiom.makers.is_empty() && calls.in_functions(idiom.makers, &functions) == 1;
        (functions, sole)
    } else {
        let sole = !idiom.makers.is_empty() && calls.on_lines(idiom.makers, lines) == 1;
        (vec![function], sole)
    };
    let names = calls.names(&functions);
    let rewritten = template(source, idiom.template, whole, captures)
        .and_then(|template| fill(&template, &texts))
        .filter(|text| !text.is_empty());
    Some(Antipattern {
        kind: idiom.kind,
        file: file.to_owned(),
        lines,
        functions,
        names,
        code: shown(source.of(whole)),
        makers: idiom.makers.iter().map(|&maker| maker.to_owned()).collect(),
        kinds: idiom.kinds.to_vec(),
        remains,
        sole,
        rewrite: rewritten.and_then(|with| rewrite(source, file, whole.byte_range(), &with)),
        uncounted: fill(idiom.uncounted, &texts).unwrap_or_default(),
        advice: fill(idiom.advice, &texts).unwrap_or_else(|| idiom.advice.to_owned()),
        assumes: idiom.assumes.map(str::to_owned),
    })
}

/// Whether a constant of that name is a table whose keys are texts.
fn is_table_of_texts(source: &Source<'_>, name: &str) -> bool {
    let value = source.constant(name).and_then(|value| value.strip_prefix('{'));
    value.is_some_and(|entries| entries.trim_start().starts_with(['"', '\'']) && entries.contains("=>"))
}

/// An expression on one line, shortened.
fn shown(code: &str) -> String {
    let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN {
        return line;
    }
    let mut short: String = line.chars().take(SHOWN - 1).collect();
    short.push('…');
    short
}
