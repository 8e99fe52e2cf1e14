//! A heap profile without the names of its program.

use std::io::Write;

use serde_json::json;

use super::build::path_of;
use super::nodes::{self, Node};
use crate::strip::{Failure, Placeholders};

/// Writes the profile with its names replaced, and without what the reader does not look at.
pub(crate) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let profile = nodes::read(bytes)?;
    out.write_all(b"{\"head\":")?;
    // Nodes stand in the order in which they were read: each before what it called. How many are open is their depth.
    let mut open: Vec<usize> = Vec::new();
    let mut had_children: Vec<bool> = Vec::new();
    for (index, node) in profile.nodes.iter().enumerate() {
        while open.last().copied() != node.parent {
            if open.pop().is_none() {
                break;
            }
            had_children.pop();
            out.write_all(b"]}")?;
        }
        if let Some(is_next) = had_children.last_mut() {
            if *is_next {
                out.write_all(b",")?;
            }
            *is_next = true;
        }
        let text = fields(node, placeholders).to_string();
        out.write_all(&text.as_bytes()[..text.len() - 1])?;
        out.write_all(b",\"children\":[")?;
        open.push(index);
        had_children.push(false);
    }
    for _ in &open {
        out.write_all(b"]}")?;
    }
    out.write_all(b",\"samples\":[")?;
    for (index, sample) in profile.samples.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(
            out,
            "{comma}{{\"size\":{},\"nodeId\":{}}}",
            sample.size, sample.node_id
        )?;
    }
    out.write_all(b"]}\n")?;
    Ok(())
}

fn fields(node: &Node, placeholders: &mut Placeholders) -> serde_json::Value {
    let frame = &node.frame;
    let function = match frame.function_name.as_str() {
        own @ ("(root)" | "(anonymous)") => own.to_owned(),
        name => placeholders.name(name),
    };
    let url = if frame.url.starts_with("file://") {
        let path = placeholders.path(&path_of(&frame.url));
        format!("file://{}", path.replace('%', "%25"))
    } else {
        placeholders.path(&frame.url)
    };
    json!({
        "callFrame": {
            "functionName": function,
            "url": url,
            "lineNumber": frame.line_number,
            "columnNumber": frame.column_number,
        },
        "selfSize": node.self_size,
        "id": node.id,
    })
}
