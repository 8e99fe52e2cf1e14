//! From an idiom's template to one for the expression at hand: nothing is evaluated twice, and nothing is called on
//! what may be missing.

use tree_sitter::Node;

use crate::source::Source;

/// The template as it is to be filled; `None` when there is none that is certain to do the same.
pub(crate) fn template(
    source: &Source<'_>,
    template: &str,
    whole: Node<'_>,
    captures: &[(&str, Node<'_>)],
) -> Option<String> {
    let safe = captures.iter().find_map(|&(name, node)| {
        let is_receiver = matches!(name, "text" | "all" | "log" | "stream");
        Some((name, node, is_receiver.then(|| safe_call(node))??))
    });
    let text = captures.iter().find(|(name, _)| *name == "text");
    let bare = safe.is_none().then(|| without_parentheses(template, whole));
    let mut template = bare.unwrap_or(template).to_owned();
    // `(&:name)` stands right behind the name of the call.
    let block = captures.iter().find(|(name, _)| *name == "block");
    if block.is_some_and(|(_, block)| block.kind() == "argument_list") {
        template = template.replace(" {{block}}", "{{block}}");
    }
    if template.matches("{{text}}").count() > 1
        && let Some(&(_, text)) = text
        && (safe.is_some() || !is_variable(source, text))
    {
        let body = template.replace("{{text}}", "text");
        let body = body
            .strip_prefix('(')
            .and_then(|body| body.strip_suffix(')'))
            .unwrap_or(&body);
        template = format!("{{{{text}}}}.then {{ |text| {body} }}");
    }
    match safe {
        None => Some(template),
        Some((name, node, "&.")) => with_safe_ruby(&template, name, node, whole),
        Some((name, _, operator)) => with_safe_call(&template, name, operator, captures),
    }
}

/// Without the parentheses around it where nothing stands beside the expression.
fn without_parentheses<'t>(template: &'t str, whole: Node<'_>) -> &'t str {
    let stands_alone = whole.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "assignment" | "body_statement" | "block_body" | "program" | "then" | "interpolation"
        )
    });
    let bare = template
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'));
    bare.filter(|_| stands_alone).unwrap_or(template)
}

/// Whether an expression of Ruby may be written twice: it has no effect and the same value.
fn is_variable(source: &Source<'_>, expression: Node<'_>) -> bool {
    match expression.kind() {
        "instance_variable" | "class_variable" | "global_variable" | "constant" | "self" => true,
        "identifier" => is_local(source, expression),
        _ => false,
    }
}

/// Whether a name is a parameter or was given a value in the function around it; else it is a method, which is called
/// each time.
fn is_local(source: &Source<'_>, name: Node<'_>) -> bool {
    let around = source.function(name).unwrap_or(source.tree.root_node());
    let mut cursor = around.walk();
    loop {
        let node = cursor.node();
        if node.start_byte() < name.start_byte()
            && node.kind() == "identifier"
            && source.of(node) == source.of(name)
        {
            let parent = node.parent();
            let is_left = |parent: Node<'_>| {
                parent.child_by_field_name("left") == Some(node) && parent.kind() == "assignment"
            };
            let is_parameter = |parent: Node<'_>| {
                let kind = parent.kind();
                let named = parent.child_by_field_name("name") == Some(node);
                kind.ends_with("_parameters") || (kind.ends_with("_parameter") && named)
            };
            if parent.is_some_and(|parent| is_left(parent) || is_parameter(parent)) {
                return true;
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == around {
                return false;
            }
        }
    }
}

/// How nothing is called when there is nothing to call it on: `a?.b`, `a&.b`.
fn safe_call(receiver: Node<'_>) -> Option<&'static str> {
    let call = receiver.parent()?;
    let mut cursor = call.walk();
    call.children(&mut cursor).find_map(|child| match child.kind() {
        "optional_chain" | "?." => Some("?."),
        "&." => Some("&."),
        _ => None,
    })
}

/// JavaScript leaves out the whole chain.
fn with_safe_call(
    template: &str,
    name: &str,
    operator: &str,
    captures: &[(&str, Node<'_>)],
) -> Option<String> {
    let called = format!("{{{{{name}}}}}.");
    // What compares without the comparison of before gives another answer about nothing.
    let compares = captures.iter().any(|(name, _)| matches!(*name, "bound" | "than"));
    let is_same = template.contains("{{than}}") || !compares;
    let stands_alone = template.starts_with(&called) || template.starts_with("{{bound}} {{than}}");
    (is_same && stands_alone).then(|| template.replacen(&called, &format!("{{{{{name}}}}}{operator}"), 1))
}

/// Ruby leaves out one call: each of the chain has to be safe, before and after.
fn with_safe_ruby(template: &str, name: &str, receiver: Node<'_>, whole: Node<'_>) -> Option<String> {
    let mut call = receiver.parent()?;
    while let Some(above) = call.parent().filter(|_| call != whole) {
        let is_chained = above.child_by_field_name("receiver") == Some(call);
        if above.kind() == "element_reference" || (is_chained && safe_call(call).is_none()) {
            return None;
        }
        call = above;
    }
    let chain = format!("{{{{{name}}}}}.");
    let before = ["", "{{bound}} {{than}} "];
    let start = before.iter().find(|before| {
        template
            .strip_prefix(**before)
            .is_some_and(|rest| rest.starts_with(&chain))
    })?;
    let (start, rest) = template.split_at(start.len());
    let (chain, end) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    let end = end.replace("{{block}}.", "{{block}}&.");
    Some(format!("{start}{}{end}", chain.replace('.', "&.")))
}
