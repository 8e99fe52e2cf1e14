//! Names of C++ that differ in template arguments alone: a class that a change gave another argument is the same class.

use std::collections::{BTreeMap, BTreeSet};

/// Names of the second side, with those of the first that are the same but for their template arguments. Names that
/// both sides have stay as they are, and so do those that could stand for several.
pub(crate) fn pairs<'n>(first: &BTreeSet<&'n str>, second: &BTreeSet<&'n str>) -> Vec<(String, String)> {
    let (gone, come) = (by_stem(first, second), by_stem(second, first));
    let both = come.into_iter().filter_map(|(stem, come)| {
        let gone = gone.get(&stem)?;
        let ([first], [second]) = (gone.as_slice(), come.as_slice()) else {
            return None;
        };
        Some(((*second).to_owned(), (*first).to_owned()))
    });
    both.collect()
}

fn by_stem<'n>(names: &BTreeSet<&'n str>, others: &BTreeSet<&'n str>) -> BTreeMap<String, Vec<&'n str>> {
    let mut stems: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names.difference(others) {
        if let Some(stem) = stem(name) {
            stems.entry(stem).or_default().push(name);
        }
    }
    stems
}

/// The name with `<>` for each list of arguments; none where it has no such list.
fn stem(name: &str) -> Option<String> {
    let mut stem = String::new();
    let mut depth = 0_u32;
    let mut before = ' ';
    for char in name.chars() {
        match char {
            // An operator, or no list of arguments at all.
            '<' if depth == 0
                && (stem.ends_with("operator") || !before.is_alphanumeric() && before != '_') =>
            {
                return None;
            }
            '<' => depth += 1,
            '>' if before == '-' => {}
            '>' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    stem.push_str("<>");
                }
            }
            _ if depth == 0 => stem.push(char),
            _ => {}
        }
        before = char;
    }
    (depth == 0 && stem.contains("<>")).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_left_out() {
        let stem = |name| stem(name).unwrap_or_default();
        assert_eq!(stem("a::Map<a::V<int, b<1>>, c>::insert"), "a::Map<>::insert");
        assert_eq!(stem("Inner<x> (96 bytes)"), "Inner<> (96 bytes)");
        for plain in [
            "Map::insert",
            "operator<",
            "operator<<",
            "<anonymous>",
            "a<b",
            "a>b",
            "(f)<x>",
        ] {
            assert_eq!(stem(plain), "", "{plain}");
        }
    }

    #[test]
    fn one_name_of_each_side_is_the_same() {
        let pairs = |first: &[&str], second: &[&str]| {
            pairs(
                &first.iter().copied().collect(),
                &second.iter().copied().collect(),
            )
        };
        let one = [("Inner<Tight>".to_owned(), "Inner<Wide>".to_owned())];
        assert_eq!(pairs(&["Inner<Wide>", "Leaf"], &["Inner<Tight>", "Leaf"]), one);
        assert_eq!(
            pairs(&["V<A>", "V<B>"], &["V<C>", "V<B>"]),
            [("V<C>".to_owned(), "V<A>".to_owned())]
        );
        assert_eq!(pairs(&["V<A>", "V<B>"], &["V<C>"]), [], "it could be either");
        assert_eq!(pairs(&["V<A>"], &["V<A>", "V<C>"]), [], "it is still there");
    }
}
