//! Where each section of the file stands.

use std::ops::Range;

use memchr::memchr2;

use super::numbers::NumberArray;
use crate::error::Malformed;

/// Byte ranges of the sections' values. Arrays are given without their brackets.
#[derive(Debug)]
pub(super) struct Outline {
    pub snapshot: Range<usize>,
    pub nodes: NumberArray,
    pub edges: NumberArray,
    pub strings: Range<usize>,
    /// Where functions stand, where the file says it.
    pub locations: Option<NumberArray>,
    /// Functions that allocate, and the ways of calls to them, of a process that tracked allocations.
    pub trace_functions: Option<NumberArray>,
    pub trace_tree: Option<Range<usize>>,
}

/// Nesting beyond this is no snapshot: the format needs five levels.
const MAX_DEPTH: u32 = 4096;

/// How the end of the strings is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strings {
    /// Taken to be the file's last section, as they nearly always are: nothing is read to find their end. When it
    /// is not so, the strings' own scan fails.
    Last,
    /// Read one by one.
    Anywhere,
}

pub(super) fn scan(bytes: &[u8], place: Strings) -> Result<Outline, Malformed> {
    let mut at = white(bytes, 0);
    at = expect(bytes, at, b'{', "the '{' of a heap snapshot")?;
    let (mut snapshot, mut nodes, mut edges, mut strings) = (None, None, None, None);
    let (mut locations, mut trace_functions, mut trace_tree) = (None, None, None);
    loop {
        at = white(bytes, at);
        match bytes.get(at) {
            Some(b'}') => break,
            Some(b',') => {
                at += 1;
                continue;
            }
            _ => {}
        }
        let key_start = expect(bytes, at, b'"', "the name of a section")?;
        let key_end = string_end(bytes, key_start)?;
        at = white(bytes, key_end + 1);
        at = white(bytes, expect(bytes, at, b':', "':' after the name of a section")?);
        let value = at;
        at = match &bytes[key_start..key_end] {
            b"snapshot" => {
                let end = skip_value(bytes, at)?;
                snapshot = Some(value..end);
                end
            }
            b"nodes" => number_array(bytes, at, "nodes", &mut nodes)?,
            b"edges" => number_array(bytes, at, "edges", &mut edges)?,
            b"locations" if bytes.get(at) == Some(&b'[') => {
                number_array(bytes, at, "locations", &mut locations)?
            }
            b"trace_function_infos" if bytes.get(at) == Some(&b'[') => {
                number_array(bytes, at, "trace_function_infos", &mut trace_functions)?
            }
            b"trace_tree" => {
                let end = skip_value(bytes, at)?;
                trace_tree = Some(value..end);
                end
            }
            b"strings" => {
                let start = expect(bytes, at, b'[', "the '[' of strings")?;
                let last = (place == Strings::Last).then(|| last_end(bytes, start)).flatten();
                let end = last.map_or_else(|| strings_end(bytes, start), Ok)?;
                strings = Some(start..end);
                end + 1
            }
            _ => skip_value(bytes, at)?,
        };
    }
    let end = white(bytes, at + 1);
    if end < bytes.len() {
        return Err(Malformed::at(
            bytes,
            end,
            "the end of the file behind the snapshot",
        ));
    }
    let missing = |name: &str| Malformed::new(at, format!("a section \"{name}\""), "the end of the object");
    Ok(Outline {
        snapshot: snapshot.ok_or_else(|| missing("snapshot"))?,
        nodes: nodes.ok_or_else(|| missing("nodes"))?,
        edges: edges.ok_or_else(|| missing("edges"))?,
        strings: strings.ok_or_else(|| missing("strings"))?,
        locations,
        trace_functions,
        trace_tree,
    })
}

fn white(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

fn expect(bytes: &[u8], at: usize, byte: u8, what: &str) -> Result<usize, Malformed> {
    if bytes.get(at) == Some(&byte) {
        Ok(at + 1)
    } else {
        Err(Malformed::at(bytes, at, what))
    }
}

/// The position of the quote that ends a string whose first character is at `at`.
pub(super) fn string_end(bytes: &[u8], at: usize) -> Result<usize, Malformed> {
    let mut from = at;
    loop {
        let rest = bytes.get(from..).unwrap_or_default();
        let Some(found) = memchr2(b'"', b'\\', rest) else {
            return Err(Malformed::at(bytes, bytes.len(), "the '\"' that ends a string"));
        };
        if rest[found] == b'"' {
            return Ok(from + found);
        }
        from += found + 2;
    }
}

fn number_array(
    bytes: &[u8],
    at: usize,
    name: &str,
    into: &mut Option<NumberArray>,
) -> Result<usize, Malformed> {
    let start = expect(bytes, at, b'[', &format!("the '[' of {name}"))?;
    let Some(found) = NumberArray::find(bytes, start) else {
        return Err(Malformed::at(
            bytes,
            bytes.len(),
            format!("the ']' that ends {name}"),
        ));
    };
    let end = found.range.end;
    *into = Some(found);
    Ok(end + 1)
}

/// The end of the strings when the file ends with a list of strings.
fn last_end(bytes: &[u8], start: usize) -> Option<usize> {
    let list = bytes[start..].trim_ascii_end().strip_suffix(b"}")?;
    let list = list.trim_ascii_end().strip_suffix(b"]")?;
    let ends_a_string = matches!(list.trim_ascii_end().last(), Some(b'"') | None);
    ends_a_string.then_some(start + list.len())
}

fn strings_end(bytes: &[u8], start: usize) -> Result<usize, Malformed> {
    let mut at = start;
    loop {
        at = white(bytes, at);
        match bytes.get(at) {
            Some(b']') => return Ok(at),
            Some(b',') => at += 1,
            Some(b'"') => at = string_end(bytes, at + 1)? + 1,
            _ => return Err(Malformed::at(bytes, at, "a string or the ']' that ends strings")),
        }
    }
}

/// The position after a JSON value of any shape.
fn skip_value(bytes: &[u8], mut at: usize) -> Result<usize, Malformed> {
    let mut depth = 0_u32;
    loop {
        at = white(bytes, at);
        match bytes.get(at) {
            Some(b'"') => at = string_end(bytes, at + 1)? + 1,
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
                if depth > MAX_DEPTH {
                    return Err(Malformed::new(at, "at most 4096 levels of nesting", "more"));
                }
            }
            Some(b'}' | b']') if depth > 0 => {
                depth -= 1;
                at += 1;
            }
            Some(b',' | b':') if depth > 0 => {
                at += 1;
                continue;
            }
            Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'-' => {
                while bytes
                    .get(at)
                    .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'))
                {
                    at += 1;
                }
            }
            _ => return Err(Malformed::at(bytes, at, "a JSON value")),
        }
        if depth == 0 {
            return Ok(at);
        }
    }
}
