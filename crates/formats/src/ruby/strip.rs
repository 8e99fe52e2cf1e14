//! An object dump of Ruby without the texts of its program.

use std::io::Write;

use super::cursor::{Cursor, of};
use super::engine;
use super::rows;
use crate::error::Malformed;
use crate::strip::{Failure, Placeholders};

/// Fields with words of the interpreter's own.
const OF_RUBY: [&[u8]; 6] = [
    b"type",
    b"root",
    b"imemo_type",
    b"encoding",
    b"coderange",
    b"shape_type",
];

/// Pieces of the interpreter, as its own library calls them.
const STRUCTS: [&[u8]; 28] = [
    b"ARGF",
    b"ENV",
    b"ObjectTracing/allocation_info_tracer",
    b"VM",
    b"VM/pin_array_list",
    b"VM/thread",
    b"autoload_const",
    b"autoload_data",
    b"autoload_table",
    b"binding",
    b"encoding",
    b"enumerator",
    b"fiber",
    b"iseq",
    b"marshal_compat_table",
    b"memory_view/exported_object_registry",
    b"method",
    b"monitor",
    b"mutex",
    b"proc",
    b"ractor",
    b"random",
    b"random/MT",
    b"thgroup",
    b"thread",
    b"time",
    b"tracepoint",
    b"weakmap",
];

/// Writes the dump with its texts replaced; everything else as it is.
pub(crate) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // All that can be wrong is found before a byte is written.
    rows::scan(bytes)?;
    let start = bytes.len() - bytes.trim_ascii_start().len();
    let (end, partial) = rows::whole_rows(bytes, start)?;
    let mut made = Vec::new();
    let mut at = start;
    while at < end {
        let line = rows::line_end(bytes, at, end);
        let last = at + bytes[at..line].trim_ascii_end().len();
        if last > at {
            made.clear();
            row(bytes, at..last, placeholders, &mut made)?;
            made.push(b'\n');
            out.write_all(&made)?;
        }
        at = line + 1;
    }
    if partial.is_some() {
        // What is left of a row that was cut off.
        out.write_all(b"{")?;
    }
    Ok(())
}

fn row(
    bytes: &[u8],
    range: std::ops::Range<usize>,
    placeholders: &mut Placeholders,
    made: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let mut written = range.start;
    let mut cursor = Cursor {
        bytes,
        at: range.start,
        end: range.end,
    };
    cursor.expect(b'{')?;
    loop {
        let (key, _) = cursor.key()?;
        let from = cursor.at;
        if key == b"file" {
            let (start, len) = cursor.raw_path()?;
            let path = of(bytes, (start, len));
            let end = start as usize + path.len();
            made.extend(&bytes[written..start as usize]);
            made.extend(raw_path(path, placeholders));
            written = end;
        } else {
            cursor.skip()?;
            if !OF_RUBY.contains(&key) {
                for (start, end) in texts(&bytes[from..cursor.at]) {
                    let (start, end) = (from + start, from + end);
                    made.extend(&bytes[written..start]);
                    text(key, &bytes[start..end], placeholders, made);
                    written = end;
                }
            }
        }
        if cursor.next()? == b'}' {
            break;
        }
        cursor.blank();
    }
    made.extend(&bytes[written..range.end]);
    Ok(())
}

/// The insides of the strings in a value, but for the names of fields in it.
fn texts(value: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = value.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let start = at + open + 1;
        let mut end = start;
        while value.get(end).is_some_and(|&byte| byte != b'"') {
            end += if value[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(value.len());
        let is_field = value
            .get(end + 1..)
            .is_some_and(|rest| rest.trim_ascii_start().first() == Some(&b':'));
        let is_address =
            value[start..end].starts_with(b"0x") && value[start + 2..end].iter().all(u8::is_ascii_hexdigit);
        if !is_field && !is_address {
            found.push((start, end));
        }
        at = end + 1;
    }
    found
}

/// Adds what stands for the text of a field.
fn text(key: &[u8], text: &[u8], placeholders: &mut Placeholders, made: &mut Vec<u8>) {
    let is_kept = match key {
        b"struct" => STRUCTS.contains(&text),
        b"name" => engine::is_library(text),
        _ => false,
    };
    match key {
        _ if is_kept => made.extend(text),
        b"value" => made.extend(placeholders.again(text).unwrap_or_else(|| text.to_vec())),
        _ => made.extend(placeholders.name(&String::from_utf8_lossy(text)).bytes()),
    }
}

/// A path as Ruby writes it, which may hold anything: its placeholder has nothing that could end it.
fn raw_path(path: &[u8], placeholders: &mut Placeholders) -> Vec<u8> {
    let text = String::from_utf8_lossy(path);
    placeholders.path(&text).into_bytes()
}
