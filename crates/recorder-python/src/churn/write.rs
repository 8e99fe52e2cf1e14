//! The record as `docs/formats/churn.md` describes it.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::record::Record;
use super::row::Row;
use super::stacks::NONE;

/// A frame as the recorder gives it: its line and the name of the call that it makes, both as JSON.
type Given<'t> = (&'t str, &'t str);

/// The whole file, and how many blocks are in it.
///
/// # Safety
/// As for [`Record::all`].
pub unsafe fn text(record: &mut Record, head: &[u8], frames: &[u8], operations: u64) -> (Vec<u8>, u64) {
    // SAFETY: the caller's promise.
    let rows = unsafe { record.all() };
    let frames = String::from_utf8_lossy(frames);
    let frames: Vec<Given<'_>> = frames
        .split('\n')
        .map(|line| line.split_once('\t').unwrap_or((line, "")))
        .collect();
    let mut out = String::from_utf8_lossy(head).into_owned();
    out.push('\n');
    let mut tree = Tree::new(record, &frames);
    let rows: Vec<(Written, Row)> = rows
        .into_iter()
        .filter_map(|row| Some((tree.made(row.stack)?, row)))
        .collect();
    tree.write(&mut out);
    for of in &record.types.all {
        let (name, kind) = (quoted(&String::from_utf8_lossy(&of.name)), of.kind);
        line(
            &mut out,
            format_args!(r#"{{"type":{{"name":{name},"kind":"{kind}"}}}}"#),
        );
    }
    let mut count = 0;
    for (Written(stack), row) in &rows {
        count += row.count;
        let of_type = row
            .type_id
            .map(|id| format!(r#","type":{id}"#))
            .unwrap_or_default();
        line(
            &mut out,
            format_args!(
                r#"{{"row":{{"stack":{}{of_type},"count":{},"bytes":{},"largest":{},"kept":{},"kept_bytes":{}}}}}"#,
                number(*stack),
                row.count,
                row.bytes,
                row.largest,
                row.kept,
                row.kept_bytes
            ),
        );
    }
    line(
        &mut out,
        format_args!(r#"{{"end":{{"operations":{operations},"rows":{}}}}}"#, rows.len()),
    );
    (out.into_bytes(), count)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}"); // a string takes all that is written
}

/// The written number of a stack; `None` where nothing of Python ran.
struct Written(Option<u32>);

/// The stacks that are written, with what the innermost lines call.
struct Tree<'r> {
    record: &'r Record,
    frames: &'r [Given<'r>],
    /// The written number of each stack: `None` for one that is left out.
    numbers: Vec<Option<u32>>,
    stacks: Vec<(Option<u32>, u32)>,
    calls: Vec<&'r str>,
    call_ids: FxHashMap<&'r str, u32>,
    called: FxHashMap<(Option<u32>, u32), u32>,
}

impl<'r> Tree<'r> {
    fn new(record: &'r Record, frames: &'r [Given<'r>]) -> Self {
        let mut tree = Self {
            record,
            frames,
            numbers: vec![None],
            stacks: Vec::new(),
            calls: Vec::new(),
            call_ids: FxHashMap::default(),
            called: FxHashMap::default(),
        };
        // Callers stand before whom they call.
        for stack in record.stacks.all.iter().skip(1) {
            let is_left_out = stack.caller != NONE && tree.numbers[stack.caller as usize].is_none();
            let frame = frames.get(stack.frame as usize).map_or("", |(frame, _)| frame);
            let number = (!is_left_out && !frame.is_empty()).then(|| {
                tree.stacks
                    .push((tree.numbers[stack.caller as usize], stack.frame));
                tree.stacks.len() as u32 - 1
            });
            tree.numbers.push(number);
        }
        tree
    }

    /// The written stack of what a stack made, the call included that made it; `None` when it is left out.
    fn made(&mut self, stack: u32) -> Option<Written> {
        if stack == NONE {
            return Some(Written(None));
        }
        let number = (*self.numbers.get(stack as usize)?)?;
        let frame = self.record.stacks.all[stack as usize].frame;
        let call = self.frames.get(frame as usize).map_or("", |(_, call)| call);
        if call.is_empty() {
            return Some(Written(Some(number)));
        }
        // Calls are frames behind all others.
        let next = self.calls.len() as u32;
        let call_id = *self.call_ids.entry(call).or_insert(next);
        if call_id == next {
            self.calls.push(call);
        }
        let key = (Some(number), self.frames.len() as u32 + call_id);
        let next = self.stacks.len() as u32;
        let number = *self.called.entry(key).or_insert(next);
        if number == next {
            self.stacks.push(key);
        }
        Some(Written(Some(number)))
    }

    fn write(&self, out: &mut String) {
        for (frame, _) in self.frames {
            // What is left out keeps its number.
            let frame = if frame.is_empty() { "{}" } else { frame };
            line(out, format_args!(r#"{{"frame":{frame}}}"#));
        }
        for call in &self.calls {
            line(out, format_args!(r#"{{"frame":{{"function":{call}}}}}"#));
        }
        for (caller, frame) in &self.stacks {
            line(out, format_args!(r#"{{"stack":[{},{frame}]}}"#, number(*caller)));
        }
    }
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
