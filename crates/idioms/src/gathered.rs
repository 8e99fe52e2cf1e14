//! Which functions gather what they are handed into a container: `def f(*args)`, `def f(**opts)`. Ruby makes it before
//! the function begins, so that records have it at the line of the call.

use std::collections::BTreeSet;
use std::path::Path;

use deadweight_heap::churn::{Definition, Frame, Gathering, Role};
use deadweight_heap::{Churn, Kind};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::Language;
use crate::annotate::text_of;
use crate::find::shown;
use crate::source::Source;
use crate::walk::each;

/// Calls of the language's own that hand on what they are handed.
const HAND_ON: &[&str] = &["new", "send", "public_send", "__send__", "call"];

/// What makes a container on its own line.
const WRITTEN: &[&str] = &[
    "array",
    "hash",
    "string_array",
    "symbol_array",
    "splat_argument",
    "hash_splat_argument",
    "rest_assignment",
    "case_match",
];

/// A function that gathers, as found in its source.
struct Gatherer {
    kind: Kind,
    definition: Definition,
}

/// The lines of Ruby at which containers died empty although none is written there.
pub(crate) fn gathered(churn: &Churn, may_read: &dyn Fn(&Path) -> bool) -> Vec<Gathering> {
    let mut lines: BTreeSet<(&str, u32)> = BTreeSet::new();
    for row in churn
        .rows
        .iter()
        .filter(|row| row.empty_bytes.is_some_and(|bytes| bytes > 0))
    {
        let own = row.stack.and_then(|stack| churn.own(stack));
        if let Some(own) = own.filter(|own| is_ruby(own)) {
            lines.insert((&own.file, own.line));
        }
    }
    if lines.is_empty() {
        return Vec::new();
    }
    let mut texts: FxHashMap<&str, String> = FxHashMap::default();
    let own = churn
        .frames
        .iter()
        .filter(|frame| frame.role == Role::Own && is_ruby(frame));
    for frame in own {
        if !texts.contains_key(&*frame.file)
            && let Some(text) = text_of(&Path::new(&churn.root).join(&frame.file), may_read)
        {
            texts.insert(&frame.file, text);
        }
    }
    let mut gatherers: FxHashMap<String, Vec<Gatherer>> = FxHashMap::default();
    for (file, text) in &texts {
        if text.contains("def ")
            && let Some(source) = Source::parse(text, Language::Ruby)
        {
            each(source.tree.root_node(), &mut |node| {
                gatherer(&source, file, node, &mut gatherers);
                true
            });
        }
    }
    let mut found = Vec::new();
    let mut files: Vec<&str> = lines.iter().map(|(file, _)| *file).collect();
    files.dedup();
    for file in files {
        let Some(source) = texts
            .get(file)
            .and_then(|text| Source::parse(text, Language::Ruby))
        else {
            continue;
        };
        let mut of_lines: FxHashMap<u32, OfLine<'_>> = FxHashMap::default();
        each(source.tree.root_node(), &mut |node| {
            let (first, last) = (
                node.start_position().row as u32 + 1,
                node.end_position().row as u32 + 1,
            );
            let named = node
                .child_by_field_name("method")
                .map(|name| name.start_position().row as u32 + 1);
            for &(_, line) in lines.range((file, first)..=(file, last)) {
                let begins = first == line || named == Some(line);
                of_lines.entry(line).or_default().note(&source, node, begins);
            }
            true
        });
        for (&line, of_line) in &of_lines {
            if of_line.writes || of_line.calls.is_empty() {
                continue;
            }
            for kind in [Kind::Array, Kind::Table] {
                let asked = of_line
                    .calls
                    .iter()
                    .filter_map(|name| gatherers.get(*name))
                    .flatten();
                let mut by = asked.filter(|gatherer| gatherer.kind == kind);
                let (first, others) = (by.next(), by.next());
                found.push(Gathering {
                    file: file.to_owned(),
                    line,
                    kind,
                    through: HAND_ON,
                    // Of several nobody knows which it was.
                    by: first.filter(|_| others.is_none()).map(|by| by.definition.clone()),
                });
            }
        }
    }
    found
}

/// What stands on a line.
#[derive(Default)]
struct OfLine<'t> {
    /// Whether a container is written there.
    writes: bool,
    /// Names of what is called.
    calls: BTreeSet<&'t str>,
}

impl<'t> OfLine<'t> {
    fn note(&mut self, source: &Source<'t>, node: Node<'_>, begins: bool) {
        let name = || {
            node.child_by_field_name("method")
                .map_or("", |name| source.of(name))
        };
        match node.kind() {
            kind if begins && WRITTEN.contains(&kind) => self.writes = true,
            "call" if begins => {
                let receiver = node
                    .child_by_field_name("receiver")
                    .map_or("", |node| source.of(node));
                match name() {
                    "new" if matches!(receiver, "Array" | "Hash" | "::Array" | "::Hash") => {
                        self.writes = true;
                    }
                    "new" => _ = self.calls.insert("initialize"),
                    "send" | "public_send" | "__send__" => self.calls.extend(sent(source, node)),
                    "" => {}
                    other => _ = self.calls.insert(other),
                }
            }
            "super" => _ = self.calls.insert("super"),
            // A call without arguments, or a variable of that name.
            "identifier" if begins => _ = self.calls.insert(source.of(node)),
            _ => {}
        }
    }
}

/// The name that `send` is handed.
fn sent<'t>(source: &Source<'t>, call: Node<'_>) -> Option<&'t str> {
    let name = call.child_by_field_name("arguments")?.named_child(0)?;
    (name.kind() == "simple_symbol").then(|| source.of(name).trim_start_matches(':'))
}

fn gatherer(source: &Source<'_>, file: &str, node: Node<'_>, all: &mut FxHashMap<String, Vec<Gatherer>>) {
    if !matches!(node.kind(), "method" | "singleton_method") {
        return;
    }
    let (Some(name), Some(parameters)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("parameters"),
    ) else {
        return;
    };
    let mut cursor = parameters.walk();
    for parameter in parameters.named_children(&mut cursor) {
        let kind = match parameter.kind() {
            "splat_parameter" | "forward_parameter" => Kind::Array,
            "hash_splat_parameter" => Kind::Table,
            _ => continue,
        };
        let head = source
            .text
            .get(node.start_byte()..parameters.end_byte())
            .unwrap_or_default();
        let name = source.of(name).to_owned();
        let definition = Definition {
            file: file.to_owned(),
            line: node.start_position().row as u32 + 1,
            function: name.clone(),
            code: shown(head),
        };
        all.entry(name).or_default().push(Gatherer { kind, definition });
    }
}

fn is_ruby(frame: &Frame) -> bool {
    Language::of(Path::new(&frame.file)) == Some(Language::Ruby)
}
