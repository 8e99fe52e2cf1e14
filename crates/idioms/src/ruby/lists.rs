//! Idioms of Ruby: lists that are made to be asked one thing.

use deadweight_heap::Kind;

use crate::condition::OnlyIf;
use crate::idiom::{Idiom, Left, THROWN_AWAY};
use crate::meaning::Unless;

/// A list that a call of one of these names makes with a block, or with a method in the block's place, and the one thing
/// it is asked.
macro_rules! built {
    ($by:literal, $ask:literal) => {
        concat!(
            "(call receiver: (call receiver: (_) @all method: (identifier) @by \
             [(block) (do_block) (argument_list . (block_argument) .)] @block (#any-of? @by ",
            $by,
            ")) method: (identifier) @ask !arguments !block (#any-of? @ask ",
            $ask,
            ")) @whole"
        )
    };
}

/// The same by its first or last place: `[0]`, `[-1]`.
macro_rules! built_at {
    ($by:literal, $at:literal) => {
        concat!(
            "(element_reference object: (call receiver: (_) @all method: (identifier) @by \
             [(block) (do_block) (argument_list . (block_argument) .)] @block (#any-of? @by ",
            $by,
            ")) . [(integer) (unary)] @at . (#eq? @at \"",
            $at,
            "\")) @whole"
        )
    };
}

/// A list that a call makes without a block or arguments, and the one thing it is asked.
macro_rules! plain {
    ($by:literal, $ask:literal) => {
        concat!(
            "(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#any-of? @by ",
            $by,
            ")) method: (identifier) @ask !arguments !block (#any-of? @ask ",
            $ask,
            ")) @whole"
        )
    };
}

const ANSWERS: OnlyIf =
    OnlyIf::Always("the block does nothing but answer: it runs no further than the first that decides");

/// `select` and the like hand the block of a hash its key and its value; what walks it hands pairs.
const NO_HASH: OnlyIf = OnlyIf::OneParameter("it is no Hash, which hands this block something else then");

const TRUTHY: OnlyIf = OnlyIf::Always("none of the elements is nil or false");

const TIES: OnlyIf = OnlyIf::Always("it does not matter which of two that are equal comes, as 1 and 1.0 are");

const FIRST: Idiom = Idiom {
    makers: &["select", "filter"],
    kinds: &[Kind::Array],
    template: "{{all}}.find {{block}}",
    advice: "stop at the first that fits",
    only_if: &[ANSWERS, NO_HASH],
    unless: &[Unless::DoesMore, Unless::Assigned],
    ..THROWN_AWAY
};

const LEAST: Idiom = Idiom {
    kinds: &[Kind::Array],
    advice: "the least needs no order",
    only_if: &[TIES],
    unless: &[Unless::Assigned],
    ..THROWN_AWAY
};

const MOST: Idiom = Idiom {
    advice: "the most needs no order",
    ..LEAST
};

/// Idioms of lists; the earlier of two that know an expression speaks.
pub(super) const IDIOMS: &[Idiom] = &[
    // `flatten!` makes nothing where nothing is nested any deeper, and else what `flatten` would make.
    Idiom {
        query: built!("\"map\" \"collect\"", "\"flatten\""),
        makers: &["map", "collect", "flatten"],
        // A table of the lists it is in the midst of is `flatten`'s own.
        kinds: &[Kind::Array, Kind::Table],
        remains: Left::Joined("flatten"),
        template: "{{all}}.flat_map {{block}}.tap(&:flatten!)",
        advice: "join while mapping: `flat_map` alone where nothing is nested any deeper",
        assumes: Some("that what the block returns is not nested any deeper"),
        unless: &[Unless::Nests],
        ..THROWN_AWAY
    },
    Idiom {
        query: built!("\"select\" \"filter\"", "\"first\""),
        ..FIRST
    },
    Idiom {
        query: built_at!("\"select\" \"filter\"", "0"),
        ..FIRST
    },
    Idiom {
        query: built!("\"select\" \"filter\"", "\"count\" \"size\" \"length\""),
        makers: &["select", "filter"],
        kinds: &[Kind::Array],
        template: "{{all}}.count {{block}}",
        advice: "count without a list",
        only_if: &[NO_HASH],
        ..THROWN_AWAY
    },
    Idiom {
        query: built!("\"select\" \"filter\"", "\"any?\""),
        template: "{{all}}.any? {{block}}",
        only_if: &[ANSWERS, TRUTHY, NO_HASH],
        ..FIRST
    },
    Idiom {
        query: built!("\"select\" \"filter\"", "\"empty?\""),
        template: "{{all}}.none? {{block}}",
        ..FIRST
    },
    Idiom {
        query: built!("\"reject\"", "\"empty?\""),
        makers: &["reject"],
        template: "{{all}}.all? {{block}}",
        advice: "stop at the first that does not fit",
        ..FIRST
    },
    Idiom {
        query: built!("\"map\" \"collect\"", "\"sum\""),
        makers: &["map", "collect"],
        kinds: &[Kind::Array],
        template: "{{all}}.sum {{block}}",
        advice: "give the block to the question",
        ..THROWN_AWAY
    },
    Idiom {
        query: built!("\"map\" \"collect\"", "\"to_h\""),
        makers: &["map", "collect"],
        kinds: &[Kind::Array],
        template: "{{all}}.to_h {{block}}",
        advice: "give the block to `to_h`: no list of pairs",
        only_if: &[
            OnlyIf::Always("it is no Struct, which hands `to_h` names as well"),
            NO_HASH,
        ],
        ..THROWN_AWAY
    },
    Idiom {
        query: built!("\"map\" \"collect\"", "\"min\" \"max\""),
        makers: &["map", "collect"],
        kinds: &[Kind::Array],
        advice: "walk it with `each` and a variable for the least or most",
        ..THROWN_AWAY
    },
    Idiom {
        query: r#"(call receiver: (call receiver: (_) @all method: (identifier) @by !arguments !block (#eq? @by "reverse"))
            method: (identifier) @ask !arguments block: (_) @block (#eq? @ask "each")) @whole"#,
        makers: &["reverse"],
        kinds: &[Kind::Array],
        template: "{{all}}.reverse_each {{block}}",
        advice: "walk from the end",
        only_if: &[
            OnlyIf::Always("the block leaves the list as it is"),
            OnlyIf::Last("nobody uses what it returns"),
        ],
        unless: &[Unless::Changed, Unless::Used],
        ..THROWN_AWAY
    },
    Idiom {
        query: plain!("\"sort\"", "\"first\""),
        makers: &["sort"],
        template: "{{all}}.min",
        ..LEAST
    },
    Idiom {
        query: plain!("\"sort\"", "\"last\""),
        makers: &["sort"],
        template: "{{all}}.max",
        ..MOST
    },
    Idiom {
        query: built!("\"sort_by\"", "\"first\""),
        makers: &["sort_by"],
        template: "{{all}}.min_by {{block}}",
        ..LEAST
    },
    Idiom {
        query: built_at!("\"sort_by\"", "0"),
        makers: &["sort_by"],
        template: "{{all}}.min_by {{block}}",
        ..LEAST
    },
    Idiom {
        query: built!("\"sort_by\"", "\"last\""),
        makers: &["sort_by"],
        template: "{{all}}.max_by {{block}}",
        ..MOST
    },
    Idiom {
        query: built_at!("\"sort_by\"", "-1"),
        makers: &["sort_by"],
        template: "{{all}}.max_by {{block}}",
        ..MOST
    },
];
