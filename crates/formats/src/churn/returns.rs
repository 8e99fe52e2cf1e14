//! What functions of a language's own library return, by their names.

use deadweight_heap::churn::{Returns, Role};

/// Functions of Ruby, Crystal, Python and Java that return a new object each time, by their names without a class: none of
/// them can be handed what it should fill. Constructors are left out, as the program says by them that it wants an object;
/// so are functions that fill a list that they are handed, such as `toArray` and `read`.
const NEW: &[&str] = &[
    "split",
    "rsplit",
    "scan",
    "findall",
    "partition",
    "rpartition",
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

/// Functions that list what the language can also go through in place: `each_byte`, `each_line`, `each_key`, a loop.
const LISTED: &[&str] = &[
    "lines",
    "chars",
    "bytes",
    "codepoints",
    "grapheme_clusters",
    "splitlines",
    "readlines",
    "readAllLines",
    "keys",
    "values",
    "entries",
];

/// What a function of that role returns.
pub(super) fn returns(function: &str, role: Role) -> Returns {
    // The class before a name ends with one of these, which are no names of operators.
    let bare = function.rsplit(['#', '.', ':']).next().unwrap_or(function);
    match role {
        Role::Runtime if LISTED.contains(&bare) => Returns::Listed,
        Role::Runtime if NEW.contains(&bare) => Returns::New,
        _ => Returns::Anything,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_handed_a_list_is_known() {
        for function in ["split", "String#split", "java.lang.String.split", "Array#-"] {
            assert_eq!(returns(function, Role::Runtime), Returns::New, "{function}");
        }
        for function in ["bytes", "String#lines", "Hash#keys"] {
            assert_eq!(returns(function, Role::Runtime), Returns::Listed, "{function}");
        }
        for function in ["new", "Array.new", "<init>", "read", "toArray", ""] {
            assert_eq!(returns(function, Role::Runtime), Returns::Anything, "{function}");
        }
        assert_eq!(returns("Words#split", Role::Own), Returns::Anything);
    }
}
