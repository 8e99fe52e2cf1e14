//! What an idiom is: a pattern, what it wastes, and how it reads when it does not.

use deadweight_heap::Kind;
use deadweight_heap::churn::{AntipatternKind, Remains};

use crate::compared::Bounds;
use crate::condition::OnlyIf;
use crate::meaning::Unless;

/// One wasteful way to write a thing in one language.
///
/// The query captures the whole expression as `@whole`; what else it captures can stand in the template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idiom {
    /// A tree-sitter query.
    pub query: &'static str,
    /// What is wasteful about it.
    pub kind: AntipatternKind,
    /// Calls that make what the rewrite spares; empty for what the line makes by itself, for which `""` stands among
    /// others. `Class.method` names one of a dependency, `Class.<init>` its objects, too.
    pub makers: &'static [&'static str],
    /// Kinds the rewrite spares; empty for all.
    pub kinds: &'static [Kind],
    /// What is left.
    pub remains: Left,
    /// `@whole` as it would read, with `{{capture}}` for what the query captured and `{{bound+1}}` for a bound and one
    /// more; empty when no rewrite is certain to do the same.
    pub template: &'static str,
    /// What to do.
    pub advice: &'static str,
    /// What to do where it is not recorded how many collections there were, so that nobody knows what a bound
    /// leaves: something that leaves nothing. Empty when there is no such thing.
    pub uncounted: &'static str,
    /// Where alone the rewrite means the same. It stands in the rewrite itself, for whoever takes it from there.
    pub only_if: &'static [OnlyIf],
    /// What the saving takes for granted beyond that.
    pub assumes: Option<&'static str>,
    /// For an idiom of a number that is compared with a known bound: what takes the place of the comparison, in place of
    /// `template`, `advice` and `remains`. `None` for what needs no comparison.
    pub compared: Option<&'static Bounds>,
    /// What is to be seen around an expression of that shape that is not wasteful, or must not be rewritten.
    pub unless: &'static [Unless],
}

/// What is left after the rewrite.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Left {
    /// Nothing.
    Nothing,
    /// One object for the whole run.
    One,
    /// As many elements as the number captured as `@bound`.
    Bound,
    /// One more than that.
    BoundAndOne,
    /// One element of each collection.
    First,
    /// So many elements of each collection, and a list of them.
    Pieces(u64),
    /// A view on the text for each collection.
    View,
    /// One buffer of so many bytes for each object that the line makes of the type with this name.
    Buffer(u64, &'static str),
    /// What the call of this name made of them, grown in other steps.
    Joined(&'static str),
}

impl Left {
    /// What is left, given the bound where there is one; `None` when it has to be a number and is not.
    pub(crate) fn remains(self, bound: Option<&str>) -> Option<Remains> {
        let number = || bound?.replace('_', "").parse::<u64>().ok();
        Some(match self {
            Self::Nothing => Remains::Nothing,
            Self::One => Remains::One,
            Self::First => Remains::AtMost(1),
            Self::Pieces(most) => Remains::Pieces(most),
            Self::View => Remains::View,
            Self::Buffer(bytes, each) => Remains::Buffer { bytes, each },
            Self::Joined(by) => Remains::Joined(by),
            Self::Bound => Remains::AtMost(number()?),
            Self::BoundAndOne => Remains::AtMost(number()?.checked_add(1)?),
        })
    }
}

/// An idiom of what is thrown away, with nothing left.
pub(crate) const THROWN_AWAY: Idiom = Idiom {
    query: "",
    kind: AntipatternKind::ThrownAway,
    makers: &[],
    kinds: &[],
    remains: Left::Nothing,
    template: "",
    advice: "",
    uncounted: "",
    only_if: &[],
    assumes: None,
    compared: None,
    unless: &[],
};

#[cfg(test)]
mod tests {
    use tree_sitter::Query;

    use crate::Language;

    #[test]
    fn every_query_is_of_its_grammar() {
        let mut broken = Vec::new();
        for language in [
            Language::Ruby,
            Language::Crystal,
            Language::JavaScript,
            Language::TypeScript,
            Language::Tsx,
            Language::Python,
            Language::Java,
        ] {
            let of_idioms = language.idioms().map(|idiom| idiom.query);
            for query in of_idioms.chain([language.calls()]) {
                if let Err(error) = Query::new(&language.grammar(), query) {
                    broken.push(format!("{language:?}: {query}: {error}"));
                }
            }
        }
        assert!(broken.is_empty(), "{}", broken.join("\n\n"));
    }
}
