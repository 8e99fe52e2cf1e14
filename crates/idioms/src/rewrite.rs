//! The lines of a file as they are and as they would be.

use std::ops::Range;

use deadweight_heap::churn::Rewrite;

use crate::condition::{comments, may_be_commented};
use crate::source::Source;

/// Fills a template: `{{name}}` is a capture, `{{name+1}}` a number or expression and one more.
pub(crate) fn fill(template: &str, captures: &[(&str, &str)]) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let (name, after) = after.split_once("}}")?;
        let (name, one_more) = match name.strip_suffix("+1") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let (_, value) = captures.iter().find(|(known, _)| *known == name)?;
        match (one_more, value.replace('_', "").parse::<u64>()) {
            (false, _) => text.push_str(value),
            (true, Ok(number)) => text.push_str(&number.checked_add(1)?.to_string()),
            (true, Err(_)) => text.extend([value, " + 1"]),
        }
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// The whole lines around `range`, and the same with `range` replaced, below what has to hold for it. `None` where that
/// cannot stand in the source.
pub(crate) fn rewrite(
    source: &Source<'_>,
    file: &str,
    range: Range<usize>,
    with: &str,
    conditions: &[&str],
) -> Option<Rewrite> {
    let text = source.text;
    let start = text.get(..range.start)?.rfind('\n').map_or(0, |at| at + 1);
    let end = text
        .get(range.end..)?
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    let before = text.get(start..end)?;
    let after = format!(
        "{}{with}{}",
        text.get(start..range.start)?,
        text.get(range.end..end)?
    );
    // As they are, with what stands at their ends: it may belong to a text.
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let mut with_conditions = Vec::new();
    if !conditions.is_empty() {
        if !may_be_commented(source, start) {
            return None;
        }
        let indent = before.len() - before.trim_start().len();
        with_conditions = comments(source.language.comment(), indent, conditions);
    }
    with_conditions.extend(lines(&after));
    Some(Rewrite {
        file: file.to_owned(),
        line: text[..start].matches('\n').count() as u32 + 1,
        before: lines(before),
        after: with_conditions,
        conditions: conditions.iter().map(|&condition| condition.to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_take_captures_and_one_more() {
        let captures = [("text", "html"), ("bound", "1_000"), ("most", "MAX")];
        assert_eq!(
            fill("{{text}}.first({{bound+1}}, {{most+1}})", &captures).unwrap(),
            "html.first(1001, MAX + 1)"
        );
        assert_eq!(fill("{{nobody}}", &captures), None);
    }
}
