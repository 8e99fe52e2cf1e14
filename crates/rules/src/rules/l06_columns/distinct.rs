//! How many different texts a column holds.

use deadweight_heap::{FieldTally, Heap, TextId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::CODES;

/// The different texts of a field.
struct Distinct {
    /// None when there are too many for codes.
    all: Option<FxHashSet<TextId>>,
    /// Texts met last: in a field of few texts nearly every one was met before.
    recent: [TextId; RECENT],
}

/// How many texts are at hand.
const RECENT: usize = 256;

impl Distinct {
    fn none() -> Self {
        Self {
            all: Some(FxHashSet::default()),
            // No text has this number.
            recent: [TextId::MAX; RECENT],
        }
    }

    fn add(&mut self, text: TextId) {
        let recent = &mut self.recent[text as usize % RECENT];
        if *recent != text {
            *recent = text;
            self.extend([text]);
        }
    }

    fn extend(&mut self, texts: impl IntoIterator<Item = TextId>) {
        let Some(known) = &mut self.all else { return };
        known.extend(texts);
        if known.len() > CODES {
            self.all = None;
        }
    }
}

impl FieldTally for Distinct {
    fn merge(&mut self, other: Self) {
        match other.all {
            Some(texts) => self.extend(texts),
            None => self.all = None,
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
    let new = |ty, name| fields.contains(&(ty, name)).then(Distinct::none);
    // Of the values that are no texts all are absent, and need no code of their own here.
    let see = |seen: &mut Distinct, to| {
        if heap.is_plain_text(to) {
            seen.add(heap.objects.label[to as usize]);
        }
    };
    let all = heap.tally_fields(new, |ty| types.contains(&ty), |seen, _, edge| see(seen, edge.to));
    let counted = all
        .into_iter()
        .filter_map(|(field, texts)| Some((field, texts.all?.len() as u64)));
    counted.collect()
}
