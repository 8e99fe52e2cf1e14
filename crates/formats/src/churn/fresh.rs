//! Which functions of a language's own library return a new object each time, by their names.

use deadweight_heap::churn::Role;

/// Names, without the class before them, of Ruby, Crystal, Python and Java: none of them can be handed what it should
/// fill. Constructors are left out, as the program says by them that it wants an object; so are functions that fill
/// a list that they are handed, such as `toArray` and `read`.
const NAMES: &[&str] = &[
    "split",
    "rsplit",
    "splitlines",
    "lines",
    "chars",
    "bytes",
    "codepoints",
    "grapheme_clusters",
    "scan",
    "findall",
    "partition",
    "rpartition",
    "readlines",
    "readAllLines",
    "map",
    "collect",
    "flat_map",
    "flatMap",
    "filter_map",
    "select",
    "filter",
    "reject",
    "grep",
    "sort",
    "sort_by",
    "sorted",
    "uniq",
    "compact",
    "flatten",
    "reverse",
    "rotate",
    "shuffle",
    "zip",
    "product",
    "transpose",
    "combination",
    "permutation",
    "each_slice",
    "each_cons",
    "group_by",
    "chunk_while",
    "slice_when",
    "to_a",
    "entries",
    "keys",
    "values",
    "values_at",
    "take",
    "take_while",
    "drop",
    "drop_while",
    "minmax",
    "divmod",
    "captures",
    "unpack",
    "transform_values",
    "transform_keys",
    "to_h",
    "invert",
    "tally",
    "toList",
    "+",
    "-",
    "*",
    "&",
    "|",
];

/// Whether a function of that role is one of these.
pub(super) fn is_fresh(function: &str, role: Role) -> bool {
    // The class before a name ends with one of these, which are no names of operators.
    let bare = function.rsplit(['#', '.', ':']).next().unwrap_or(function);
    role == Role::Runtime && NAMES.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_handed_a_list_is_known() {
        for function in ["split", "String#split", "java.lang.String.split", "Array#-"] {
            assert!(is_fresh(function, Role::Runtime), "{function}");
        }
        for function in ["new", "Array.new", "<init>", "read", "toArray", ""] {
            assert!(!is_fresh(function, Role::Runtime), "{function}");
        }
        assert!(!is_fresh("Words#split", Role::Own));
    }
}
