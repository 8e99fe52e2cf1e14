//! Records that stand at other places than before, as many and as large: none of their places grew or shrank.

use std::collections::{BTreeMap, BTreeSet};

use crate::places::{Both, Name, Places, SAME, weight};

/// The types of the program's own that have as many objects and bytes on both sides, over all of these places. An object
/// that several places hold is listed at one of them, and at which of them the order of the heap decides.
pub(super) fn types<'p>(places: &'p Places, others: &[(&Name, &'p Both)]) -> BTreeSet<&'p str> {
    let mut sums: BTreeMap<&str, ([u64; 2], [u64; 2])> = BTreeMap::new();
    for (_, both) in others.iter().filter(|(name, _)| !name.0.is_empty()) {
        let (counts, bytes) = sums.entry(&both.holds).or_default();
        let after = both.after();
        for (side, amount) in [both.bytes[0], after].into_iter().enumerate() {
            counts[side] += both.count[side];
            bytes[side] += weight(amount);
        }
    }
    let is_same = |([before, after], [was, is]): &([u64; 2], [u64; 2])| {
        before == after && was.abs_diff(*is) as f64 <= SAME * *was.max(is) as f64
    };
    let same = sums
        .into_iter()
        .filter(|(ty, sums)| is_same(sums) && places.is_record(ty));
    same.map(|(ty, _)| ty).collect()
}

/// Places at which nothing stands but what left one of these places.
pub(super) fn came<'p>(places: &'p Places, others: &[(&'p Name, &Both)]) -> BTreeSet<&'p Name> {
    let left = others.iter().filter_map(|(name, _)| places.gathered.get(*name));
    let objects = left.flat_map(|went| &went.objects);
    objects.map(|(name, _)| name).collect()
}
