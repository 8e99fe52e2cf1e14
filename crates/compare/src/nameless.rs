//! Places that have no name: a stripped program's are offsets into it, which another build has elsewhere.
//!
//! Only what stands there shows which of two builds' places are the same: the type, how many, and how large. A place
//! that matches none is not gone; it may be any of those of the other side that match none either.

use crate::places::SAME;
use std::collections::{BTreeMap, BTreeSet};

use deadweight_weighing::Holdings;

/// `module+0x1a2b`.
pub(crate) fn is_nameless(holder: &str) -> bool {
    holder.rsplit_once("+0x").is_some_and(|(module, offset)| {
        let is_offset = !offset.is_empty() && offset.bytes().all(|byte| byte.is_ascii_hexdigit());
        !module.is_empty() && is_offset
    })
}

/// What stands at a place. The offset keeps places of one look in the order of the code.
#[derive(Clone, Copy, Debug)]
struct Stands<'h> {
    holder: &'h str,
    holds: &'h str,
    count: u64,
    bytes: u64,
}

impl Stands<'_> {
    fn as_many(&self, other: &Self) -> bool {
        near(self.count as f64, other.count as f64)
    }

    fn as_large(&self, other: &Self) -> bool {
        near(self.mean(), other.mean())
    }

    fn mean(&self) -> f64 {
        self.bytes as f64 / self.count.max(1) as f64
    }

    fn offset(&self) -> u64 {
        let offset = self.holder.rsplit_once("+0x").map_or("", |(_, offset)| offset);
        u64::from_str_radix(offset, 16).unwrap_or(u64::MAX)
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.max(b)
}

/// Names of the second side's nameless places as the first calls them. `ty` says what the first side calls a type of the
/// second.
pub(crate) fn names<'h>(
    before: &'h Holdings,
    after: &'h Holdings,
    ty: impl Fn(&'h str) -> &'h str,
) -> BTreeMap<String, String> {
    type Alike = fn(&Stands<'_>, &Stands<'_>) -> bool;
    let mut old = stands(before, |name| name);
    let mut new = stands(after, ty);
    let mut names = BTreeMap::new();
    let mut take = |old: &mut Vec<Stands<'h>>, new: &mut Vec<Stands<'h>>, alike: Alike| {
        old.retain(|was| {
            let Some(at) = new.iter().position(|is| alike(was, is)) else {
                return true;
            };
            let is = new.remove(at);
            names.insert(is.holder.to_owned(), was.holder.to_owned());
            false
        });
    };
    if is_one_build(&old, &new) {
        take(&mut old, &mut new, |was, is| was.holder == is.holder);
    }
    let rules: [Alike; 3] = [
        // Code that the change left where it was.
        |was, is| was.holder == is.holder && was.holds == is.holds && (was.as_large(is) || was.as_many(is)),
        |was, is| was.holds == is.holds && was.as_many(is) && was.as_large(is),
        // A type that a fix made smaller stands there as often.
        |was, is| !was.holds.is_empty() && was.holds == is.holds && was.as_many(is),
    ];
    for alike in rules {
        take(&mut old, &mut new, alike);
    }
    // What is left of a type at one place on each side is the same, however many the sides hold.
    let (only_old, only_new) = (only(&old), only(&new));
    old.retain(|was| only_old.contains(was.holds) && only_new.contains(was.holds));
    take(&mut old, &mut new, |was, is| was.holds == is.holds);
    for is in new.iter().map(|is| is.holder) {
        // The same offset in another build is another place.
        names.insert(is.to_owned(), format!("{is} (after)"));
    }
    names
}

/// Whether the offsets of both sides are of one build, which two others hardly share.
fn is_one_build(old: &[Stands<'_>], new: &[Stands<'_>]) -> bool {
    let names: BTreeSet<&str> = old.iter().map(|place| place.holder).collect();
    let shared = new.iter().filter(|place| names.contains(place.holder)).count();
    shared > 0 && 2 * shared >= old.len().min(new.len())
}

/// The types that stand at one of the places alone.
fn only<'h>(places: &[Stands<'h>]) -> BTreeSet<&'h str> {
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    for place in places {
        *count.entry(place.holds).or_default() += 1;
    }
    let only = count
        .into_iter()
        .filter(|&(ty, count)| count == 1 && !ty.is_empty());
    only.map(|(ty, _)| ty).collect()
}

fn stands<'h>(holdings: &'h Holdings, ty: impl Fn(&'h str) -> &'h str) -> Vec<Stands<'h>> {
    let mut stands: BTreeMap<&str, Stands<'h>> = BTreeMap::new();
    let nameless = holdings.places.iter().filter(|row| is_nameless(&row.holder));
    for row in nameless {
        // Rows come largest first: the type with most bytes names what stands there.
        let place = stands.entry(&row.holder).or_insert(Stands {
            holder: &row.holder,
            holds: ty(&row.holds),
            count: 0,
            bytes: 0,
        });
        place.count += row.count;
        place.bytes += row.bytes + row.external;
    }
    let mut stands: Vec<_> = stands.into_values().collect();
    stands.sort_by_key(|place| (std::cmp::Reverse(place.bytes), place.offset()));
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(places: &[(&str, &str, u64, u64)]) -> Holdings {
        let places = places.iter().map(|&(holder, holds, count, bytes)| {
            serde_json::json!({"holder": holder, "of": null, "holds": holds, "count": count, "bytes": bytes})
        });
        let folded = serde_json::json!({"places": 0, "count": 0, "bytes": 0, "external": 0});
        let places: Vec<_> = places.collect();
        serde_json::from_value(serde_json::json!({"places": places, "folded": folded})).unwrap()
    }

    fn pairs(before: &[(&str, &str, u64, u64)], after: &[(&str, &str, u64, u64)]) -> Vec<(String, String)> {
        let (before, after) = (side(before), side(after));
        names(&before, &after, |ty| ty).into_iter().collect()
    }

    fn pair(second: &str, first: &str) -> (String, String) {
        (second.to_owned(), first.to_owned())
    }

    #[test]
    fn what_stands_there_shows_which_place_it_is() {
        let before = [
            ("a+0x10", "", 500, 16_000),
            ("a+0x20", "Leaf", 900, 90_000),
            ("a+0x30", "", 500, 48_000),
        ];
        let after = [
            ("b+0x14", "", 500, 16_000),
            ("b+0x24", "Leaf", 900, 30_000),
            ("b+0x34", "", 500, 24_000),
        ];
        assert_eq!(
            pairs(&before, &after),
            [
                pair("b+0x14", "a+0x10"),
                pair("b+0x24", "a+0x20"),
                // As many of another size and no type: it may be the same, and may be not.
                pair("b+0x34", "b+0x34 (after)"),
            ]
        );
    }

    #[test]
    fn offsets_of_one_build_are_the_same_places() {
        let before = [
            ("a+0x10", "", 500, 16_000),
            ("a+0x20", "", 900, 90_000),
            ("a+0x30", "", 7, 70),
        ];
        let after = [
            ("a+0x10", "", 800, 36_000),
            ("a+0x20", "", 100, 30_000),
            ("a+0x40", "", 9, 900),
        ];
        let [first, second, third] = pairs(&before, &after).try_into().unwrap();
        assert_eq!(first, pair("a+0x10", "a+0x10"));
        assert_eq!(second, pair("a+0x20", "a+0x20"));
        assert_eq!(third, pair("a+0x40", "a+0x40 (after)"));
    }

    #[test]
    fn one_offset_of_another_build_is_another_place() {
        let before = [
            ("a+0x10", "", 500, 16_000),
            ("a+0x20", "", 900, 90_000),
            ("a+0x30", "", 7, 70),
        ];
        let after = [
            ("a+0x10", "", 800, 36_000),
            ("a+0x24", "", 100, 30_000),
            ("a+0x34", "", 9, 900),
        ];
        assert_eq!(pairs(&before, &after)[0], pair("a+0x10", "a+0x10 (after)"));
    }

    #[test]
    fn a_type_at_one_place_is_the_same_however_many_there_are() {
        let leaves = |name, count| (name, "Leaf", count, count * 100);
        assert_eq!(
            pairs(&[leaves("a+0x1", 500)], &[leaves("b+0x2", 700)]),
            [pair("b+0x2", "a+0x1")]
        );
        let two = [leaves("b+0x2", 700), leaves("b+0x3", 200)];
        let lone = [pair("b+0x2", "b+0x2 (after)"), pair("b+0x3", "b+0x3 (after)")];
        assert_eq!(pairs(&[leaves("a+0x1", 500)], &two), lone);
    }

    #[test]
    fn an_offset_is_no_name() {
        for nameless in ["server+0x4c43", "lib+b.so.1+0xff"] {
            assert!(is_nameless(nameless), "{nameless}");
        }
        for named in [
            "Map::insert",
            "+0x12",
            "a+0x",
            "a+0x12 (after)",
            "Visit.city",
            "a+0xyz",
        ] {
            assert!(!is_nameless(named), "{named}");
        }
    }
}
