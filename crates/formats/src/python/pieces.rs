//! Objects of the interpreter that are no data of a program, by the names of their types.

use deadweight_heap::Kind;

/// The types, and what their objects are. All others of no sort of their own are opaque.
const PIECES: [(&str, Kind); 26] = [
    ("NoneType", Kind::Runtime),
    ("NotImplementedType", Kind::Runtime),
    ("PyCapsule", Kind::Runtime),
    ("async_generator", Kind::Scope),
    ("bool", Kind::Runtime),
    ("builtin_function_or_method", Kind::Runtime),
    ("cell", Kind::Scope),
    ("classmethod", Kind::Runtime),
    ("classmethod_descriptor", Kind::Runtime),
    ("coroutine", Kind::Scope),
    ("ellipsis", Kind::Runtime),
    ("functools._lru_cache_wrapper", Kind::Closure),
    ("functools.partial", Kind::Closure),
    ("generator", Kind::Scope),
    ("getset_descriptor", Kind::Runtime),
    ("managedbuffer", Kind::Runtime),
    ("member_descriptor", Kind::Runtime),
    ("method", Kind::Closure),
    ("method-wrapper", Kind::Runtime),
    ("method_descriptor", Kind::Runtime),
    ("module", Kind::Scope),
    ("property", Kind::Runtime),
    ("staticmethod", Kind::Runtime),
    ("weakref", Kind::Runtime),
    ("weakref.ReferenceType", Kind::Runtime),
    ("wrapper_descriptor", Kind::Runtime),
];

/// What an object of no sort of its own is.
pub(super) fn kind(type_name: &str) -> Kind {
    let at = PIECES.binary_search_by(|(name, _)| (*name).cmp(type_name));
    at.map_or(Kind::Opaque, |at| PIECES[at].1)
}

/// Whether it is a function that stands still, with its variables.
pub(super) fn is_suspended(type_name: &str) -> bool {
    matches!(type_name, "generator" | "coroutine" | "async_generator")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_by_name() {
        assert!(PIECES.is_sorted_by_key(|(name, _)| *name), "the search is binary");
        assert_eq!(kind("cell"), Kind::Scope);
        assert_eq!(kind("re.Pattern"), Kind::Opaque);
        assert!(is_suspended("generator") && !is_suspended("cell"));
    }
}
