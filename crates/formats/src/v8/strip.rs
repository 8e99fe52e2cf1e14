//! A heap snapshot without the texts of its program.

use std::collections::HashSet;
use std::io::Write;

use memchr::memmem;

use super::{engine, known};
use crate::strip::{Failure, Placeholders};

/// What stands before a name of the program in a string of V8's own making. Longer ones first.
const BEFORE_A_NAME: [&[u8]; 12] = [
    b"system / Context / ",
    b"system / Script / ",
    b"global [JSGlobalObject] / ",
    b"Window [JSGlobalObject] / ",
    b"global [JSGlobalProxy] / ",
    b"Window [JSGlobalProxy] / ",
    b"global / ",
    b"Window / ",
    SYMBOL,
    b"native_bind ",
    b"get ",
    b"set ",
];

const SYMBOL: &[u8] = b"<symbol ";

/// Between the two names of a weak table's entry.
const WEAK_PAIR: &[u8] = b" pair in WeakMap (";

/// Classes of the language and fields of their objects: without them nobody could read a report, and they reveal
/// nothing of a program.
const OF_THE_LANGUAGE: [&[u8]; 62] = [
    b"AggregateError",
    b"AsyncFunction",
    b"AsyncGenerator",
    b"BigInt",
    b"BigInt64Array",
    b"BigUint64Array",
    b"Boolean",
    b"Error",
    b"EvalError",
    b"EventEmitter",
    b"FinalizationRegistry",
    b"Float32Array",
    b"Float64Array",
    b"Function",
    b"Generator",
    b"Int16Array",
    b"Int32Array",
    b"Int8Array",
    b"Iterator",
    b"Number",
    b"Promise",
    b"Proxy",
    b"RangeError",
    b"ReferenceError",
    b"RegExp",
    b"String",
    b"Symbol",
    b"SyntaxError",
    b"TypeError",
    b"URIError",
    b"Uint16Array",
    b"Uint32Array",
    b"Uint8Array",
    b"Uint8ClampedArray",
    b"WeakMap",
    b"WeakRef",
    b"WeakSet",
    b"(anonymous)",
    b"arguments",
    b"bytecode",
    b"caller",
    b"code",
    b"concatenated string",
    b"context",
    b"exports",
    b"first",
    b"function",
    b"heap number",
    b"length",
    b"message",
    b"name",
    b"next",
    b"null",
    b"number",
    b"prototype",
    b"second",
    b"sliced string",
    b"stack",
    b"string",
    b"symbol",
    b"this",
    b"true",
];

/// Writes the snapshot with its strings replaced; everything else as it is.
pub(crate) fn strip(
    bytes: &[u8],
    placeholders: &mut Placeholders,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (_, spans) = super::text(bytes)?;
    let texts = spans.iter().map(|(start, len)| {
        let start = start as usize;
        &bytes[start..start + len as usize]
    });
    let mut names = Names {
        placeholders,
        repeated: texts.filter_map(repeated).collect(),
    };
    let mut written = 0;
    for (start, len) in spans.iter() {
        let (start, end) = (start as usize, start as usize + len as usize);
        out.write_all(&bytes[written..start])?;
        let mut made = Vec::new();
        string(&bytes[start..end], &mut names, &mut made);
        out.write_all(&made)?;
        written = end;
    }
    out.write_all(&bytes[written..])?;
    Ok(())
}

/// Names of the program, and what stands for them.
struct Names<'n> {
    placeholders: &'n mut Placeholders,
    /// Those that another string has inside: the same must stand for them there. Hashed with a key of the run, since the
    /// names are a stranger's.
    repeated: HashSet<&'n [u8]>,
}

/// The name inside a string by which the reader finds another that is this name: of a symbol, or of an accessor.
fn repeated(text: &[u8]) -> Option<&[u8]> {
    let accessor = || text.strip_prefix(b"get ").or_else(|| text.strip_prefix(b"set "));
    symbol(text).or_else(accessor)
}

/// What a symbol says.
fn symbol(text: &[u8]) -> Option<&[u8]> {
    text.strip_prefix(SYMBOL)?.strip_suffix(b">")
}

/// Adds what stands for a string of the table.
fn string(text: &[u8], names: &mut Names<'_>, made: &mut Vec<u8>) {
    if known::is_known(text)
        || engine::is_standard_global(text)
        || engine::is_loaders_note(text)
        || engine::is_library_script(text)
        || OF_THE_LANGUAGE.contains(&text)
    {
        made.extend(text);
        return;
    }
    if let Some(said) = symbol(text) {
        made.extend(SYMBOL);
        string(said, names, made);
        made.push(b'>');
    } else if let Some(before) = BEFORE_A_NAME.iter().find(|before| text.starts_with(before)) {
        made.extend(*before);
        string(&text[before.len()..], names, made);
    } else if is_engines_piece(text) {
        made.extend(text);
    } else if memmem::find(text, WEAK_PAIR).is_some() {
        weak_pair(text, names, made);
    } else if let Some(at) = memmem::find(text, engine::RECORDER) {
        // By this part of its path the recorder's own script is distinguished from the program's.
        let (before, rest) = text.split_at(at);
        let (own, rest) = rest.split_at(engine::RECORDER.len());
        name(before, names, made);
        made.extend(own);
        name(rest, names, made);
    } else {
        name(text, names, made);
    }
}

fn name(text: &[u8], names: &mut Names<'_>, made: &mut Vec<u8>) {
    let placeholder = if names.repeated.contains(text) {
        names.placeholders.again(text)
    } else {
        names.placeholders.of(text)
    };
    match placeholder {
        Some(placeholder) => made.extend(placeholder),
        None => made.extend(text),
    }
}

/// `system / Map (ConsString)` and the like: V8's own words for its own pieces.
fn is_engines_piece(text: &[u8]) -> bool {
    text.starts_with(b"system / ")
        && text.len() < 80
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b" /_()-".contains(byte))
}

/// `17 / part of key (Name @123) -> value (Name @456) pair in WeakMap (table @789)`: the names are the program's.
fn weak_pair(text: &[u8], names: &mut Names<'_>, made: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'(', rest) {
        let (before, inside) = rest.split_at(open + 1);
        made.extend(before);
        let end = memmem::find(inside, b" @").unwrap_or(inside.len());
        name(&inside[..end], names, made);
        rest = &inside[end..];
    }
    made.extend(rest);
}
