//! A record of allocations without the names of its program.

use std::collections::HashMap;
use std::io::Write;

use deadweight_heap::churn::{Role, StackId};
use deadweight_heap::{Churn, TypeId};
use serde_json::{Map, Value, json};

use super::lines::{FrameLine, Header, Line, ReturnsName, RoleName};
use super::read::{Lines, parse};
use super::returns::returns;
use super::{below, read, role, writes_logs};
use crate::error::Malformed;
use crate::strip::{Failure, Placeholders, is_of_language};

/// Writes the record with its names replaced. What the reader recognizes by a path is written out, and fields that it does
/// not know are left out.
pub(crate) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // All that can be wrong is found before a byte is written.
    let churn = read::read(bytes)?;
    let mut lines = Lines { bytes, at: 0 };
    let Some((offset, head)) = lines.next() else {
        return Err(Malformed::at(bytes, 0, "a record of allocations").into());
    };
    let header: Header = parse(head, offset)?;
    let mut stripper = Stripper {
        root: header.root,
        placeholders,
    };
    let mut fields: Map<String, Value> = parse(head, offset)?;
    fields.retain(|name, _| {
        ["version", "runtime", "sampling", "lines", "main_returned"].contains(&name.as_str())
    });
    // The file is known by its first bytes, so this field stands first.
    let rest = Value::Object(fields).to_string();
    writeln!(out, "{{\"deadweight\":\"churn\",{}", &rest[1..])?;
    if memchr::memmem::find(bytes, b"\n{\"module\":").is_some() {
        // Its names are in the program's files, so what the reader found there is written.
        return Ok(named(&churn, &mut stripper, out)?);
    }
    while let Some((offset, text)) = lines.next() {
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Ok(line) = parse::<Line>(text, offset) else {
            // Half a line, at the end of a record that was cut off.
            write!(out, "{{")?;
            break;
        };
        let mut fields: Map<String, Value> = parse(text, offset)?;
        stripper.line(line, &mut fields);
        writeln!(out, "{}", Value::Object(fields))?;
    }
    Ok(())
}

/// Writes what was read of a record that has addresses; none of them is sampled.
fn named(churn: &Churn, stripper: &mut Stripper<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    for frame in churn.frames.iter() {
        let line = FrameLine {
            function: frame.function.clone(),
            file: frame.file.clone(),
            line: frame.line,
            column: frame.column,
            role: Some(match frame.role {
                Role::Own => RoleName::Own,
                Role::Library => RoleName::Library,
                Role::Runtime => RoleName::Runtime,
            }),
            logs: Some(frame.logs),
            returns: Some(frame.returns.into()),
            address: None,
        };
        writeln!(out, "{}", json!({"frame": stripper.frame(&line)}))?;
    }
    // A caller stands before what it calls.
    for stack in 0..churn.stacks.len() as StackId {
        let frame = churn.stacks.frames(stack).next();
        writeln!(out, "{}", json!({"stack": [churn.stacks.caller(stack), frame]}))?;
    }
    let mut types: HashMap<(TypeId, String), usize> = HashMap::new();
    for row in churn.rows.iter() {
        let kind = format!("{:?}", row.kind).to_lowercase();
        let next = types.len();
        let type_id = row
            .type_id
            .map(|id| *types.entry((id, kind.clone())).or_insert(next));
        if let (Some(id), Some(true)) = (row.type_id, type_id.map(|id| id == next)) {
            let name = stripper.placeholders.name(churn.types.name(id));
            writeln!(out, "{}", json!({"type": {"name": name, "kind": kind}}))?;
        }
        let figures = [
            ("stack", row.stack.map(u64::from)),
            ("type", type_id.map(|id| id as u64)),
            ("count", Some(row.count)),
            ("bytes", Some(row.bytes)),
            ("largest", row.largest),
            ("kept", row.kept),
            ("kept_bytes", row.kept_bytes),
            ("empty", row.empty),
            ("empty_bytes", row.empty_bytes),
            ("distinct", row.distinct),
            ("entries", row.entries),
        ];
        let fields = figures
            .into_iter()
            .filter_map(|(name, figure)| Some((name.to_owned(), figure?.into())));
        writeln!(out, "{}", json!({"row": fields.collect::<Map<String, Value>>()}))?;
    }
    if churn.partial.is_some() {
        return write!(out, "{{");
    }
    let totals = churn.totals;
    let end = json!({
        "operations": churn.operations, "rows": churn.rows.len(), "heap_used": totals.heap_used,
        "heap_total": totals.heap_total, "external": totals.external, "rss": totals.rss,
    });
    writeln!(out, "{}", json!({"end": end}))
}

struct Stripper<'p> {
    root: String,
    placeholders: &'p mut Placeholders,
}

impl Stripper<'_> {
    fn line(&mut self, line: Line, fields: &mut Map<String, Value>) {
        fields.retain(|name, _| ["frame", "stack", "type", "row", "end"].contains(&name.as_str()));
        if let Some(frame) = line.frame {
            fields.insert("frame".to_owned(), self.frame(&frame));
        }
        if let (Some(of_type), Some(Value::Object(fields))) = (line.of_type, fields.get_mut("type")) {
            fields.retain(|name, value| name == "kind" || is_figure(value));
            fields.insert("name".to_owned(), self.placeholders.name(&of_type.name).into());
        }
        for name in ["row", "end"] {
            if let Some(Value::Object(fields)) = fields.get_mut(name) {
                fields.retain(|_, value| is_figure(value));
            }
        }
    }

    fn frame(&mut self, frame: &FrameLine) -> Value {
        let by_path = || role(&frame.file, &self.root);
        let role = frame.role.map_or_else(by_path, RoleName::role);
        let by_name = || returns(&frame.function, role).into();
        let returns: ReturnsName = frame.returns.unwrap_or_else(by_name);
        let logs = frame
            .logs
            .unwrap_or_else(|| writes_logs(&frame.file, &frame.function));
        // Built-in methods have no file.
        let class = frame.function.split(['#', '.']).next().unwrap_or_default();
        let is_built_in = frame.file.is_empty() && is_of_language(class);
        let function = if is_built_in {
            frame.function.clone()
        } else {
            self.placeholders.name(&frame.function)
        };
        json!({
            "function": function,
            "file": self.placeholders.path(&below(&frame.file, &self.root)),
            "line": frame.line,
            "column": frame.column,
            "role": role_name(role),
            "logs": logs,
            "returns": returns,
        })
    }
}

/// Whether a value has no text anywhere.
fn is_figure(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::Array(values) => values.iter().all(is_figure),
        Value::String(_) | Value::Object(_) => false,
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Own => "own",
        Role::Library => "library",
        Role::Runtime => "runtime",
    }
}
