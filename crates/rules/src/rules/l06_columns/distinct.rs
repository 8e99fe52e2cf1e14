//! How many different texts a column holds.

use deadweight_heap::{FieldTally, Heap, TextId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::CODES;

/// The different texts of a field; none when there are too many for codes.
struct Distinct(Option<FxHashSet<TextId>>);

impl Distinct {
    fn add(&mut self, texts: impl IntoIterator<Item = TextId>) {
        let Some(known) = &mut self.0 else { return };
        known.extend(texts);
        if known.len() > CODES {
            self.0 = None;
        }
    }
}

impl FieldTally for Distinct {
    fn merge(&mut self, other: Self) {
        match other.0 {
            Some(texts) => self.add(texts),
            None => self.0 = None,
        }
    }
}

/// How many different texts each of some fields holds; fields of too many are left out.
pub(super) fn distinct_texts(
    heap: &Heap,
    fields: &FxHashSet<(TypeId, TextId)>,
) -> FxHashMap<(TypeId, TextId), u64> {
    if fields.is_empty() {
        return FxHashMap::default();
    }
    let types: FxHashSet<TypeId> = fields.iter().map(|(ty, _)| *ty).collect();
    let new = |ty, name| {
        fields
            .contains(&(ty, name))
            .then(|| Distinct(Some(FxHashSet::default())))
    };
    // Of the values that are no texts all are absent, and need no code of their own here.
    let see = |seen: &mut Distinct, to| {
        if heap.is_plain_text(to) {
            seen.add([heap.objects.label[to as usize]]);
        }
    };
    let all = heap.tally_fields(new, |ty| types.contains(&ty), |seen, _, edge| see(seen, edge.to));
    let counted = all
        .into_iter()
        .filter_map(|(field, texts)| Some((field, texts.0?.len() as u64)));
    counted.collect()
}
