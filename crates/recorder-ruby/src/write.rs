//! The record as `docs/formats/churn.md` describes it.

use std::fmt::Write as _;

use crate::object;
use crate::record::Record;

/// The whole file.
///
/// # Safety
/// As for [`Record::rows`].
pub unsafe fn text(record: &mut Record, version: &str, root: &str, operations: u64) -> String {
    // SAFETY: the caller's promise.
    let rows = unsafe { record.rows() };
    let names = &record.names;
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}"); // a string takes all that is written
    };
    line(format_args!(
        r#"{{"deadweight":"churn","version":1,"runtime":{{"name":"ruby","version":{},"word_bytes":8,"allocator":"ruby"}},"root":{}}}"#,
        quoted(version),
        quoted(root)
    ));
    for frame in &names.frames {
        let (function, file) = (quoted(&frame.function), quoted(&frame.file));
        let number = frame.line.max(0);
        line(format_args!(
            r#"{{"frame":{{"function":{function},"file":{file},"line":{number}}}}}"#
        ));
    }
    for stack in &names.stacks {
        let (caller, frame) = (number(stack.caller), stack.frame);
        line(format_args!(r#"{{"stack":[{caller},{frame}]}}"#));
    }
    for of in &names.types {
        let (name, kind) = (quoted(&of.name), object::kind(of.tag));
        line(format_args!(r#"{{"type":{{"name":{name},"kind":"{kind}"}}}}"#));
    }
    for row in &rows {
        let tag = names.types[row.type_id as usize].tag;
        let is_container = matches!(object::kind(tag), "array" | "table");
        let empty = if record.knows_empty && is_container {
            format!(r#","empty":{},"empty_bytes":{}"#, row.empty, row.empty_bytes)
        } else {
            String::new()
        };
        line(format_args!(
            r#"{{"row":{{"stack":{},"type":{},"count":{},"bytes":{},"largest":{},"kept":{},"kept_bytes":{}{empty}}}}}"#,
            number(row.stack),
            row.type_id,
            row.count,
            row.bytes,
            row.largest,
            row.kept,
            row.kept_bytes
        ));
    }
    line(format_args!(
        r#"{{"end":{{"operations":{operations},"rows":{}}}}}"#,
        rows.len()
    ));
    out
}

fn number(id: Option<u32>) -> String {
    id.map_or_else(|| "null".to_owned(), |id| id.to_string())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if char < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_json() {
        assert_eq!(quoted("a\"b\\c\n\u{e9}"), "\"a\\\"b\\\\c\\u000a\u{e9}\"");
    }
}
