//! The record as `docs/formats/churn.md` describes it.

use std::fmt::Write as _;

use crate::names::Names;
use crate::object;
use crate::record::{Record, Row};
use crate::sample::Sample;

/// The whole file.
///
/// # Safety
/// As for [`Record::rows`].
pub unsafe fn text(record: &mut Record, version: &str, root: &str, operations: u64) -> String {
    let (rows, parts) = if record.sample.is_some() {
        record.parts()
    } else {
        // SAFETY: the caller's promise.
        (unsafe { record.rows() }, Vec::new())
    };
    let sampling = record.sample.as_ref().map(sampling).unwrap_or_default();
    let names = &record.names;
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}"); // a string takes all that is written
    };
    line(format_args!(
        r#"{{"deadweight":"churn","version":1,"runtime":{{"name":"ruby","version":{},"word_bytes":8,"allocator":"ruby"}}{sampling},"root":{}}}"#,
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
    if record.sample.is_some() {
        let mut written = 0;
        for parts in parts.chunk_by(|a, b| a.row == b.row) {
            let row = &rows[parts[0].row as usize];
            let (count, bytes) = parts.iter().fold((0, 0), |(count, bytes), part| {
                (count + part.count, bytes + part.bytes)
            });
            // Contents that came from another window may be all there is.
            if count == 0 {
                continue;
            }
            written += 1;
            let windows: Vec<String> = parts
                .iter()
                .map(|part| format!("[{},{},{}]", part.window, part.count, part.bytes))
                .collect();
            line(format_args!(
                r#"{{"row":{{"stack":{},"type":{}{}{},"count":{count},"bytes":{bytes},"largest":{},"windows":[{}]}}}}"#,
                number(row.stack),
                row.type_id,
                place(row),
                entries(row, names),
                row.largest.min(bytes),
                windows.join(",")
            ));
        }
        line(format_args!(
            r#"{{"end":{{"operations":{operations},"rows":{written}}}}}"#
        ));
        return out;
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
            r#"{{"row":{{"stack":{},"type":{}{}{},"count":{},"bytes":{},"largest":{},"kept":{},"kept_bytes":{}{empty}}}}}"#,
            number(row.stack),
            row.type_id,
            place(row),
            entries(row, names),
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

/// The first and the one behind the last of the objects since a collection that the row is of.
fn place(row: &Row) -> String {
    if row.place == 0 {
        return String::new();
    }
    let begin = 1_u64 << (row.place - 1);
    format!(r#","among":[{},{}]"#, begin - 1, 2 * begin - 1)
}

/// What arrays had in them.
fn entries(row: &Row, names: &Names) -> String {
    if names.types[row.type_id as usize].tag == object::ARRAY {
        format!(r#","entries":{}"#, row.entries)
    } else {
        String::new()
    }
}

fn sampling(sample: &Sample) -> String {
    let seen: Vec<String> = sample.seen.iter().map(ToString::to_string).collect();
    // What the recorder itself makes is in neither; a program that has just begun may have been seen whole.
    let all = sample.made.max(sample.seen.iter().sum());
    format!(
        r#","sampling":{{"windows":{{"objects":{all},"seen":[{}]}}}}"#,
        seen.join(",")
    )
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
