//! The record as `docs/formats/churn.md` describes it.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::names::{function, is_text_of, kind, type_name};
use crate::record::{Class, Method, NONE, Record};

/// Methods of a library of logs that only set it up.
const SET_UP: [&str; 3] = ["<init>", "<clinit>", "getLogger"];

/// What the recorder knows of the class of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'t> {
    /// `own`, `library` or `runtime`.
    pub role: &'t str,
    /// Whether it is of a library that writes logs.
    pub logs: bool,
    /// The path of its source; empty when unknown.
    pub file: &'t str,
}

impl<'t> Origin<'t> {
    /// From a line `role`, tab, `1` where it writes logs, tab, path.
    pub fn of(line: &'t str) -> Self {
        let mut parts = line.splitn(3, '\t');
        let role = parts.next().filter(|role| !role.is_empty());
        Self {
            role: role.unwrap_or("library"),
            logs: parts.next() == Some("1"),
            file: parts.next().unwrap_or_default(),
        }
    }
}

/// What ends a record.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub operations: u64,
    pub heap_used: u64,
}

/// The whole file, and how many objects were sampled. `kept` has how many of each row live.
pub fn text(record: &Record, head: &str, origins: &[Origin<'_>], kept: &[u64], end: End) -> (String, u64) {
    let mut out = format!("{head}\n");
    let mut frames: Vec<String> = Vec::new();
    let mut frame_ids: FxHashMap<String, u32> = FxHashMap::default();
    let mut stacks = String::new();
    for stack in &record.stacks {
        let method = &record.methods[stack.method as usize];
        let class = &record.classes[method.class as usize];
        let origin = origins.get(method.class as usize).copied().unwrap_or_default();
        let text = frame(class, method, origin, stack.line);
        let next = frames.len() as u32;
        let id = *frame_ids.entry(text).or_insert_with_key(|text| {
            frames.push(text.clone());
            next
        });
        line(
            &mut stacks,
            format_args!(r#"{{"stack":[{},{id}]}}"#, number(stack.caller)),
        );
    }
    for frame in &frames {
        line(&mut out, format_args!(r#"{{"frame":{frame}}}"#));
    }
    out.push_str(&stacks);
    let mut type_ids: FxHashMap<(u32, &'static str), usize> = FxHashMap::default();
    let mut rows = String::new();
    let mut objects = 0;
    for ((key, count), kept) in record.rows.iter().zip(kept.iter().chain(std::iter::repeat(&0))) {
        let signature = &record.types[key.type_id as usize];
        let kind = kind(
            signature,
            record.class_at(key.stack).map_or("", |class| &class.name),
        );
        let part = if is_text_of(signature, kind) {
            r#","part":true"#
        } else {
            ""
        };
        let next = type_ids.len();
        let type_id = *type_ids.entry((key.type_id, kind)).or_insert_with(|| {
            let name = quoted(&type_name(signature));
            line(
                &mut out,
                format_args!(r#"{{"type":{{"name":{name},"kind":"{kind}"{part}}}}}"#),
            );
            next
        });
        let internal = if record.is_internal(key.stack, kind) {
            r#","internal":true"#
        } else {
            ""
        };
        objects += count;
        let kept = kept.min(count);
        line(
            &mut rows,
            format_args!(
                r#"{{"row":{{"stack":{},"type":{type_id},"count":{count},"bytes":{},"largest":{},"kept":{kept},"kept_bytes":{}{internal}}}}}"#,
                number(key.stack),
                count * key.bytes,
                key.bytes,
                kept * key.bytes,
            ),
        );
    }
    out.push_str(&rows);
    line(
        &mut out,
        format_args!(
            r#"{{"end":{{"operations":{},"rows":{},"heap_used":{}}}}}"#,
            end.operations,
            record.rows.len(),
            end.heap_used
        ),
    );
    (out, objects)
}

fn frame(class: &Class, method: &Method, origin: Origin<'_>, at: u32) -> String {
    let role = if class.is_runtime { "runtime" } else { origin.role };
    let mut text = format!(r#"{{"function":{}"#, quoted(&function(&class.name, &method.name)));
    if role != "runtime" {
        // A package is a folder of the source.
        let package = class
            .name
            .rsplit_once('/')
            .map_or(String::new(), |(package, _)| format!("{package}/"));
        let named = if class.file.is_empty() {
            String::new()
        } else {
            package + &class.file
        };
        let file = if origin.file.is_empty() {
            &named
        } else {
            origin.file
        };
        _ = write!(text, r#","file":{},"line":{at}"#, quoted(file)); // a string takes all that is written
    }
    let logs = origin.logs && !SET_UP.contains(&method.name.as_str());
    _ = write!(text, r#","role":"{role}","logs":{logs}}}"#); // as above
    text
}

/// Writes a file that only its user reads, seen under its name when it is whole.
///
/// # Errors
/// When it cannot be written; nothing is left then.
pub fn put(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    let written = (|| {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)
    })();
    if written.is_err() {
        _ = fs::remove_file(&part); // it may never have been there
    }
    written
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    _ = writeln!(out, "{text}"); // a string takes all that is written
}

fn number(id: u32) -> String {
    if id == NONE {
        "null".to_owned()
    } else {
        id.to_string()
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if char < ' ' => _ = write!(out, "\\u{:04x}", u32::from(char)), // as above
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{FrameAt, LineFrom};
    use crate::record::Part;

    #[test]
    fn a_record_is_lines_of_json() {
        let mut record = Record::default();
        for (id, class, name, is_runtime) in [
            (1_usize, "com/shop/Main", "lambda$main$0", false),
            (2, "java/util/ArrayList", "grow", true),
            (3, "java/util/ArrayList$Sub", "copy", true),
        ] {
            let class = record.class(class.to_owned(), is_runtime, |name| Class {
                name,
                file: "Main.java".to_owned(),
                is_runtime,
                weak: 0,
            });
            let method = Method {
                class,
                name: name.to_owned(),
                lines: vec![LineFrom { start: 0, line: 12 }],
                part: Part::Frame,
            };
            record.learn(id as jni_sys::jmethodID, method);
        }
        let frames = [3_usize, 2, 1].map(|id| FrameAt {
            method: id as jni_sys::jmethodID,
            location: 0,
        });
        for _ in 0..3 {
            record.note(&frames, "[Ljava/lang/Object;", 56);
        }
        let origins = [
            Origin::of("own\t0\t/srv/a\"b/Main.java"),
            Origin::of(""),
            Origin::of(""),
        ];
        let end = End {
            operations: 7,
            heap_used: 900,
        };
        let (text, objects) = text(&record, r#"{"deadweight":"churn"}"#, &origins, &[1], end);
        assert_eq!(objects, 3);
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                r#"{"deadweight":"churn"}"#,
                r#"{"frame":{"function":"Main.main","file":"/srv/a\"b/Main.java","line":12,"role":"own","logs":false}}"#,
                r#"{"frame":{"function":"ArrayList.grow","role":"runtime","logs":false}}"#,
                r#"{"stack":[null,0]}"#,
                r#"{"stack":[0,1]}"#,
                r#"{"type":{"name":"java.lang.Object[]","kind":"array"}}"#,
                r#"{"row":{"stack":1,"type":0,"count":3,"bytes":168,"largest":56,"kept":1,"kept_bytes":56}}"#,
                r#"{"end":{"operations":7,"rows":1,"heap_used":900}}"#,
            ]
        );
    }
}
