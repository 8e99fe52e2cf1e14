//! A number that is only compared with a bound, so that counting may stop there.

use tree_sitter::Node;

use crate::idiom::{Idiom, Left};
use crate::source::Source;

/// Templates for a number on either side of the comparison: for one that is decided at the bound, and for one that is
/// decided one behind it.
#[derive(Debug)]
pub(crate) struct Bounds {
    pub at: &'static str,
    pub behind: &'static str,
    pub right_at: &'static str,
    pub right_behind: &'static str,
}

/// What walks the same elements, one at a time, with `first` behind it.
macro_rules! bounds {
    ($walk:literal) => {
        &Bounds {
            at: concat!($walk, ".first({{bound}}).size {{than}} {{bound}}"),
            behind: concat!($walk, ".first({{bound+1}}).size {{than}} {{bound}}"),
            right_at: concat!("{{bound}} {{than}} ", $walk, ".first({{bound}}).size"),
            right_behind: concat!("{{bound}} {{than}} ", $walk, ".first({{bound+1}}).size"),
        }
    };
}
pub(crate) use bounds;

/// The comparison around a number, its bound and its operator, and the idiom it is then; `None` when the number is not
/// compared with a bound that is known.
pub(crate) fn compared<'n>(
    source: &Source<'_>,
    idiom: &Idiom,
    bounds: &Bounds,
    number: Node<'n>,
) -> Option<(Idiom, [(&'static str, Node<'n>); 3])> {
    let mut side = number;
    let mut whole = number.parent()?;
    while whole.kind() == "parenthesized_statements" && whole.named_child_count() == 1 {
        (side, whole) = (whole, whole.parent()?);
    }
    let [left, than, right] = ["left", "operator", "right"].map(|field| whole.child_by_field_name(field));
    let (left, than, right) = (left?, than?, right?);
    if whole.kind() != "binary" {
        return None;
    }
    let is_left = left == side;
    let (at, behind): (&[&str], &[&str]) = if is_left {
        (&["<", ">="], &["<=", ">", "==", "!="])
    } else {
        (&[">", "<="], &[">=", "<", "==", "!="])
    };
    let (template, advice, remains) = match (source.of(than), is_left) {
        (than, true) if at.contains(&than) => (bounds.at, STOP, Left::Bound),
        (than, false) if at.contains(&than) => (bounds.right_at, STOP, Left::Bound),
        (than, true) if behind.contains(&than) => (bounds.behind, STOP_BEHIND, Left::BoundAndOne),
        (than, false) if behind.contains(&than) => (bounds.right_behind, STOP_BEHIND, Left::BoundAndOne),
        _ => return None,
    };
    let idiom = Idiom {
        remains,
        template,
        advice,
        ..*idiom
    };
    let bound = if is_left { right } else { left };
    Some((idiom, [("whole", whole), ("bound", bound), ("than", than)]))
}

const STOP: &str = "only a bound is asked for: stop there";
const STOP_BEHIND: &str = "only a bound is asked for: stop one after it";
