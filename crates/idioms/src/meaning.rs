//! Where an idiom's shape is there but another way to write it would do something else: what a query cannot ask.

use tree_sitter::Node;

use crate::guarded::is_guarded;
use crate::ruby::is_constant;
use crate::source::Source;

/// What keeps an expression from being wasteful although it looks like an idiom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unless {
    /// `@block` may change what is walked, `@all`: the copy is there so that it can.
    Changed,
    /// Somebody asks what the whole expression returns.
    Used,
    /// `@block` does more than answer, so that how often it runs matters.
    DoesMore,
    /// `@block` returns lists with lists in them.
    Nests,
    /// `@constant` may differ from call to call.
    Varies,
    /// Whoever is called with the empty container is there to fill it.
    Filled,
    /// The file says that lines end with something other than a line break.
    SeparatorSet,
    /// `@text` is an open file, by its name or how it was opened: somebody may read on from where it stands.
    Stream,
    /// `@class` is not the class of files.
    NoFile,
    /// `@text` is a class, of files or others.
    Class,
    /// `@lines` is handed a block.
    Yields,
    /// `@lines` is handed more than whether to leave out line breaks, which changes no number of lines.
    Handed,
    /// It is given a value, or is called, with what it stands in as its object.
    Assigned,
    /// What is handed over may be several things, or is handed by name.
    Spread,
    /// `@all` has anything but literals in it, or nothing.
    NoLiteral,
    /// A check of the level of `@log` stands around it.
    Guarded,
}

/// Arguments that are not one value at one place.
const SEVERAL: &[&str] = &[
    "spread_element",
    "splat_argument",
    "hash_splat_argument",
    "block_argument",
    "pair",
];

/// Calls by which a hash or a dict is asked and not changed.
const READERS: &[&str] = &[
    "fetch", "dig", "key?", "has_key?", "include?", "size", "length", "empty?", "get",
];

/// Calls that return lists of lists.
const LISTS_OF_LISTS: &[&str] = &[
    "zip",
    "each_slice",
    "each_cons",
    "product",
    "combination",
    "permutation",
    "partition",
    "transpose",
    "group_by",
];

/// Calls that return lists.
const LISTS: &[&str] = &[
    "map", "collect", "flat_map", "select", "filter", "reject", "sort", "sort_by", "uniq", "split", "to_a",
    "keys", "values", "lines", "chars", "scan",
];

/// Calls that change what they are handed or what they are asked of.
const CHANGES: &[&str] = &[
    "puts", "print", "p", "push", "append", "add", "store", "insert", "unshift", "shift", "pop", "delete",
    "set", "log", "warn", "write", "emit", "next",
];

/// Calls that fill the container they are handed, or keep it for others to fill.
const FILLERS: &[&str] = &[
    "each_with_object",
    "with_object",
    "inject",
    "reduce",
    "push",
    "append",
    "unshift",
    "insert",
    "store",
    "instance_variable_set",
    "setdefault",
    "put",
    "putIfAbsent",
    "add",
    "offer",
    "set",
    "sum",
    "setattr",
    "synchronizedList",
    "synchronizedMap",
    "synchronizedSet",
    "newSetFromMap",
];

impl Unless {
    /// Whether that is so of an expression.
    pub fn holds(self, source: &Source<'_>, whole: Node<'_>, captures: &[(&str, Node<'_>)]) -> bool {
        let of = |name: &str| {
            captures
                .iter()
                .find(|(known, _)| *known == name)
                .map(|&(_, node)| node)
        };
        match self {
            Self::Changed => match (of("all"), of("block")) {
                (Some(all), Some(block)) => may_change(source, source.of(all), block),
                _ => false,
            },
            Self::Used => is_used(whole),
            Self::DoesMore => of("block").is_some_and(|block| any(block, &|node| does_more(source, node))),
            Self::Nests => {
                of("block").is_some_and(|block| returned(block).is_some_and(|last| nests(source, last)))
            }
            Self::Varies => {
                of("constant").is_some_and(|constant| any(constant, &|node| varies(source, node)))
            }
            Self::Filled => called(source, whole).is_some_and(|name| FILLERS.contains(&name)),
            Self::SeparatorSet => sets_separator(source.text),
            Self::Stream => of("text").is_some_and(|text| is_stream(source.of(text))),
            Self::NoFile => of("class").is_some_and(|class| !is_file_class(source.of(class))),
            Self::Class => of("text").is_some_and(|text| is_class(source.of(text))),
            Self::Yields => handed(of("lines")).any(|one| one.kind() == "block_argument"),
            Self::Handed => handed(of("lines")).any(|one| {
                let key = one.child_by_field_name("key").map(|key| source.of(key));
                one.kind() != "pair" || key != Some("chomp")
            }),
            Self::Assigned => is_assigned(whole) || is_called(whole),
            Self::NoLiteral => of("all").is_some_and(|all| !is_constant(all)),
            Self::Guarded => of("log").is_some_and(|log| is_guarded(source, whole, log)),
            Self::Spread => ["separator", "block", "each", "key"]
                .iter()
                .any(|name| of(name).is_some_and(|node| SEVERAL.contains(&node.kind()))),
        }
    }
}

/// Whether a block leaves the call that it is handed to, with another answer, or the call is handed more than the block.
pub(crate) fn leaves(source: &Source<'_>, captures: &[(&str, Node<'_>)]) -> bool {
    let block = captures.iter().find(|(name, _)| *name == "block");
    let Some(&(_, block)) = block.filter(|_| source.language.has_blocks()) else {
        return false;
    };
    let handed = block.parent().filter(|_| block.kind() != "argument_list");
    any(block, &|node| node.is_named() && node.kind() == "break")
        || handed.is_some_and(|call| call.child_by_field_name("arguments").is_some())
}

/// Names under which Ruby has the separator of lines.
const SEPARATORS: &[&str] = &["$/", "$-0", "$RS", "$INPUT_RECORD_SEPARATOR"];

/// What open files are called: the names that are usual for variables.
const STREAMS: &[&str] = &[
    "io", "file", "f", "fh", "stdin", "stdout", "stderr", "handle", "stream", "socket", "pipe", "reader",
    "gz", "path", "pathname", "tempfile",
];

/// How files are opened, and those that always are.
const OPENED: &[&str] = &[
    "open(", "Open3.", "StringIO", "Pathname", "Zlib::", "Tempfile", "ARGF", "DATA", "$<",
];

/// What a call is handed.
fn handed(call: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let arguments = call.and_then(|call| call.child_by_field_name("arguments"));
    let count = arguments.map_or(0, |arguments| arguments.named_child_count()) as u32;
    (0..count).filter_map(move |at| arguments?.named_child(at))
}

/// Whether a file sets Ruby's separator of lines.
fn sets_separator(text: &str) -> bool {
    SEPARATORS.iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let after = text[at + name.len()..].trim_start_matches([' ', '\t']);
            let after = after.strip_prefix("||").unwrap_or(after);
            after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=~")
        })
    })
}

/// Whether an expression of Ruby is an open file, or the path of one.
fn is_stream(expression: &str) -> bool {
    let last = expression
        .rsplit(['.', '@', ':', '&', '$'])
        .next()
        .unwrap_or(expression);
    let last = last.to_lowercase();
    let is_named = STREAMS.contains(&last.as_str()) || last.ends_with("_io") || last.ends_with("_file");
    is_named || OPENED.iter().any(|open| expression.contains(open))
}

/// Whether a name is that of a class, not of an object in a constant: `STDIN`.
fn is_class(name: &str) -> bool {
    let last = name.rsplit(':').next().unwrap_or(name);
    name == "IO"
        || last.starts_with(|first: char| first.is_ascii_uppercase())
            && last.contains(|one: char| one.is_lowercase())
}

fn is_file_class(name: &str) -> bool {
    matches!(name.trim_start_matches("::"), "File" | "IO")
}

/// Whether a node or any below it is so.
pub(crate) fn any<'t>(node: Node<'t>, is_so: &dyn Fn(Node<'t>) -> bool) -> bool {
    let mut cursor = node.walk();
    loop {
        if is_so(cursor.node()) {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The name that a call calls.
pub(crate) fn called<'t>(source: &Source<'t>, call: Node<'_>) -> Option<&'t str> {
    let by_name = call
        .child_by_field_name("method")
        .or_else(|| call.child_by_field_name("name"));
    let named = by_name.or_else(|| {
        let function = call.child_by_field_name("function")?;
        let member = function.child_by_field_name("attribute");
        Some(
            member
                .or_else(|| function.child_by_field_name("property"))
                .unwrap_or(function),
        )
    });
    named.map(|named| source.of(named))
}

/// Whether a block may add to or take from what is written as `all`. What is only read there stays as it is; whatever
/// else names it, such as a call it is handed to, may change it.
fn may_change(source: &Source<'_>, all: &str, block: Node<'_>) -> bool {
    matches!(all, "self" | "this")
        || any(block, &|node| {
            node.is_named() && source.of(node) == all && !is_read(source, node)
        })
}

fn is_read(source: &Source<'_>, node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else {
        return true;
    };
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    match parent.kind() {
        "element_reference" if is("object") => !is_assigned(parent),
        "subscript_expression" | "subscript" if is("object") || is("value") => !is_assigned(parent),
        "member_expression" if is("object") => !is_assigned(parent) && !is_called(parent),
        "call" if is("receiver") => called(source, parent).is_some_and(|name| READERS.contains(&name)),
        "attribute" if is("object") => parent
            .child_by_field_name("attribute")
            .is_some_and(|name| READERS.contains(&source.of(name))),
        // The same letters in another place: a property, a key.
        "pair" | "keyword_argument" => is("key") || is("name"),
        _ => false,
    }
}

/// Whether a member is a method that is called, which may do anything to its object.
fn is_called(member: Node<'_>) -> bool {
    let called = member
        .parent()
        .and_then(|parent| parent.child_by_field_name("function"));
    called == Some(member)
}

/// Whether an entry is written or deleted.
pub(crate) fn is_assigned(entry: Node<'_>) -> bool {
    let Some(parent) = entry.parent() else {
        return false;
    };
    let is_left = parent.child_by_field_name("left") == Some(entry) && !parent.kind().starts_with("binary");
    let lists = [
        "left_assignment_list",
        "pattern_list",
        "array_pattern",
        "delete_statement",
        "update_expression",
    ];
    let deletes = parent.kind() == "unary_expression"
        && parent
            .child_by_field_name("operator")
            .is_some_and(|operator| operator.kind() == "delete");
    let in_list = parent.kind() == "expression_list"
        && parent
            .parent()
            .is_some_and(|above| above.kind() == "delete_statement");
    is_left || deletes || in_list || lists.contains(&parent.kind())
}

fn is_used(whole: Node<'_>) -> bool {
    whole.parent().is_some_and(|parent| {
        let is = |field: &str| parent.child_by_field_name(field) == Some(whole);
        is("receiver")
            || is("right")
            || is("object")
            || matches!(
                parent.kind(),
                "argument_list" | "array" | "pair" | "return" | "interpolation"
            )
    })
}

fn does_more(source: &Source<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        // `&:save!`, `&method(:push)`
        "simple_symbol" if node.parent().is_some_and(|above| above.kind() != "pair") => {
            let name = source.of(node).trim_start_matches(':');
            name.ends_with('!') || CHANGES.contains(&name)
        }
        "assignment"
        | "operator_assignment"
        | "assignment_expression"
        | "augmented_assignment_expression"
        | "update_expression"
        | "yield"
        | "await_expression" => node.is_named(),
        "binary" => node
            .child_by_field_name("operator")
            .is_some_and(|operator| operator.kind() == "<<"),
        "call" | "call_expression" => {
            called(source, node).is_some_and(|name| name.ends_with('!') || CHANGES.contains(&name))
        }
        _ => false,
    }
}

/// The last expression of a block.
fn returned(block: Node<'_>) -> Option<Node<'_>> {
    let body = block.child_by_field_name("body")?;
    body.named_child(u32::try_from(body.named_child_count()).ok()?.checked_sub(1)?)
}

/// Whether an expression is to be seen to return a list with lists in it.
fn nests(source: &Source<'_>, expression: Node<'_>) -> bool {
    match expression.kind() {
        "array" => {
            let mut cursor = expression.walk();
            let mut entries = expression.named_children(&mut cursor);
            entries.any(|entry| is_list(source, entry))
        }
        "call" => {
            let name = called(source, expression).unwrap_or_default();
            let block = expression.child_by_field_name("block");
            LISTS_OF_LISTS.contains(&name)
                || (matches!(name, "map" | "collect")
                    && block.and_then(returned).is_some_and(|last| is_list(source, last)))
        }
        _ => false,
    }
}

fn is_list(source: &Source<'_>, expression: Node<'_>) -> bool {
    match expression.kind() {
        "array" | "string_array" | "symbol_array" => true,
        "call" => called(source, expression)
            .is_some_and(|name| LISTS.contains(&name) || LISTS_OF_LISTS.contains(&name)),
        _ => false,
    }
}

/// Whether a part of a constant may be another one at the next call.
fn varies(source: &Source<'_>, part: Node<'_>) -> bool {
    match part.kind() {
        "interpolation"
        | "template_substitution"
        | "call_expression"
        | "member_expression"
        | "spread_element"
        | "subscript_expression"
        | "this"
        | "shorthand_property_identifier"
        | "method_invocation"
        | "object_creation_expression"
        | "field_access"
        | "array_access" => true,
        "identifier" => {
            let value = source.constant(source.of(part));
            !value.is_some_and(|value| value.starts_with(['"', '\'']))
        }
        _ => false,
    }
}
