//! Names and paths: of a name each word has its placeholder, and what belongs to a language or its library stays, so
//! that `std::vector<Order>` stays a vector of something.

use std::ops::Range;

use memchr::memmem;

use super::Placeholders;
use crate::churn::{is_own_library, revealing_pieces};

/// Words of languages and of what comes with them: classes, containers, allocators. Without them nobody could read a
/// report, and they reveal nothing of a program.
const OF_LANGUAGES: &[&str] = &[
    "ARGF",
    "Allocator",
    "ArgumentError",
    "Array",
    "BasicObject",
    "BigInt",
    "Bignum",
    "Binding",
    "Boolean",
    "Bundler",
    "Class",
    "Comparable",
    "Complex",
    "ConditionVariable",
    "Converter",
    "Date",
    "DateTime",
    "Encoding",
    "EncodingError",
    "Enumerable",
    "Enumerator",
    "Errno",
    "Exception",
    "FalseClass",
    "Fiber",
    "Fiddle",
    "File",
    "FileTest",
    "Float",
    "Hash",
    "HashMap",
    "IndexError",
    "Int16",
    "Int32",
    "Int64",
    "Integer",
    "JSON",
    "Kernel",
    "KeyError",
    "LoadError",
    "Logger",
    "Marshal",
    "MatchData",
    "Math",
    "Method",
    "Module",
    "Monitor",
    "Mutex",
    "NameError",
    "NamedTuple",
    "NilClass",
    "NoMethodError",
    "Numeric",
    "Object",
    "ObjectSpace",
    "Pointer",
    "Proc",
    "Process",
    "Promise",
    "Queue",
    "Ractor",
    "Random",
    "Range",
    "RangeError",
    "Rational",
    "RbConfig",
    "Refinement",
    "Regexp",
    "RegexpError",
    "RubyVM",
    "RuntimeError",
    "ScriptError",
    "Signal",
    "SizedQueue",
    "Slice",
    "StandardError",
    "StaticArray",
    "StopIteration",
    "String",
    "StringIO",
    "Struct",
    "Symbol",
    "SyntaxError",
    "Thread",
    "ThreadError",
    "ThreadGroup",
    "Time",
    "TracePoint",
    "TrueClass",
    "Tuple",
    "TypeError",
    "UInt16",
    "UInt32",
    "UInt64",
    "UInt8",
    "UnboundMethod",
    "Warning",
    "_GLOBAL__N",
    "alloc",
    "allocator",
    "anonymous",
    "array",
    "basic_string",
    "block",
    "bool",
    "boxed",
    "byte",
    "char",
    "class",
    "collections",
    "const",
    "core",
    "delete",
    "deque",
    "double",
    "file",
    "float",
    "forward_list",
    "function",
    "initialize",
    "inside",
    "internal",
    "library",
    "list",
    "long",
    "main",
    "make_shared",
    "make_unique",
    "malloc",
    "multimap",
    "namespace",
    "native",
    "node",
    "operator",
    "optional",
    "pair",
    "queue",
    "realloc",
    "set",
    "shared_ptr",
    "short",
    "signed",
    "stack",
    "static",
    "string",
    "string_view",
    "tuple",
    "unique_ptr",
    "unnamed",
    "unordered_map",
    "unordered_set",
    "unsigned",
    "variant",
    "vector",
    "void",
    "vtable",
    "wchar_t",
];

/// Whether a word is a language's.
pub(crate) fn is_of_language(word: &str) -> bool {
    OF_LANGUAGES.binary_search(&word).is_ok()
}

/// A number as addresses and offsets in code are written.
fn is_offset(word: &str) -> bool {
    word.strip_prefix("0x")
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

impl Placeholders {
    /// What stands for a text as it is, without escapes.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let escaped = serde_json::to_string(text).unwrap_or_default();
        let inside = escaped
            .get(1..escaped.len().saturating_sub(1))
            .unwrap_or_default();
        let made = self
            .again(inside.as_bytes())
            .and_then(|made| String::from_utf8(made).ok());
        made.and_then(|made| serde_json::from_str(&format!("\"{made}\"")).ok())
            .unwrap_or_else(|| text.to_owned())
    }

    /// What stands for a name: word by word, so that names with a word in common have its placeholder in common. A
    /// name of short words alone has one as a whole.
    pub(crate) fn name(&mut self, text: &str) -> String {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let mut made = String::with_capacity(text.len());
        let mut rest = text;
        let (mut hidden, mut public) = (false, false);
        while !rest.is_empty() {
            let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
            let word = &rest[..end];
            if is_of_language(word) || is_offset(word) {
                public = true;
                made.push_str(word);
            } else if !word.is_empty() {
                let placeholder = self.text(word);
                hidden |= placeholder != word;
                made.push_str(&placeholder);
            }
            let next = rest[end..].find(is_part).map_or(rest.len(), |next| end + next);
            made.push_str(&rest[end..next]);
            rest = &rest[next..];
        }
        if hidden || public { made } else { self.text(text) }
    }

    /// What stands for a path. What shows whose code it is stays.
    pub(crate) fn path(&mut self, text: &str) -> String {
        if is_own_library(text) {
            return text.to_owned();
        }
        let mut kept: Vec<Range<usize>> = revealing_pieces()
            .flat_map(|piece| {
                let found = memmem::find_iter(text.as_bytes(), piece).map(|at| at..at + piece.len());
                // Paths may be given from the directory of the program on.
                let begins = piece.strip_prefix('/').filter(|rest| text.starts_with(rest));
                found.chain(begins.map(|rest| 0..rest.len())).collect::<Vec<_>>()
            })
            .collect();
        kept.sort_unstable_by_key(|range| range.start);
        let mut made = String::with_capacity(text.len());
        let mut at = 0;
        for range in kept {
            if range.start > at {
                made.push_str(&self.text(&text[at..range.start]));
            }
            if range.end > at {
                made.push_str(&text[at.max(range.start)..range.end]);
                at = range.end;
            }
        }
        made.push_str(&self.text(&text[at..]));
        made
    }

    /// What stands for a place in code: the number of the line stays.
    pub(crate) fn place(&mut self, text: &str) -> String {
        let end = text.trim_end_matches(|character: char| character.is_ascii_digit() || character == ':');
        let (path, line) = text.split_at(end.len());
        match path.rsplit_once("+0x") {
            // In a module without lines: its name and the offset.
            Some((module, _)) if line.is_empty() || !line.starts_with(':') => {
                let offset = &text[module.len()..];
                format!("{}{offset}", self.text(module))
            }
            _ if path.starts_with("0x") => text.to_owned(),
            _ if line.starts_with(':') => format!("{}{line}", self.path(path)),
            _ => self.path(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_languages_can_be_found() {
        assert!(OF_LANGUAGES.is_sorted(), "the search is binary");
        assert!(is_of_language("vector") && !is_of_language("Order"));
    }

    #[test]
    fn a_word_has_one_placeholder_wherever_it_stands() {
        let mut placeholders = Placeholders::new();
        let vector = placeholders.name("std::vector<Order*>::push_back");
        let order = placeholders.name("Order");
        assert!(
            vector.starts_with(&format!("std::vector<{order}*>::")),
            "{vector} {order}"
        );
        assert!(order != "Order" && !vector.contains("push"), "{vector}");
        let short = placeholders.name("app::Tx");
        assert!(short != "app::Tx" && short.contains("::"), "{short}");
    }

    #[test]
    fn what_shows_whose_code_it_is_stays() {
        let mut placeholders = Placeholders::new();
        let path = placeholders.path("/srv/secret/node_modules/winston/lib/core.js");
        assert!(path.contains("/node_modules/winston"), "{path}");
        assert!(!path.contains("secret") && !path.contains("core"), "{path}");
        assert_eq!(placeholders.path("node:internal/fs"), "node:internal/fs");
    }

    #[test]
    fn lines_and_offsets_stay() {
        let mut placeholders = Placeholders::new();
        let place = placeholders.place("/srv/tree.cpp:107");
        assert!(place.ends_with(":107") && !place.contains("tree"), "{place}");
        let place = placeholders.place("server+0x1f2a");
        assert!(place.ends_with("+0x1f2a") && !place.contains("server"), "{place}");
        assert_eq!(placeholders.place("0x7f0012"), "0x7f0012");
    }
}
