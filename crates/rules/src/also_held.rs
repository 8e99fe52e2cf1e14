//! Other places that hold what a fix removes: it goes only when all of them change.

use deadweight_heap::{EdgeKind, Heap, HeldAt, Holders, Kind, ObjectId, Places, RowSet};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use crate::count::Count;
use crate::{Candidate, Extent};

/// Places are worth a word when one in so many of the bytes goes only with them.
const SHARE: u64 = 100;

/// Where the evidence lists the other places.
pub(crate) const ALSO_HELD_AT: &str = "also_held_at";

/// What stands before the other places in the sentence that says what to do.
pub(crate) const AT_OTHERS: &str = "; at ";

/// Internal objects between a row and the one that the program holds.
const MOST_INTERNAL: usize = 4;

/// Places that the evidence lists.
const LISTED: usize = 5;

/// Says of each candidate whose fix must be made wherever its objects are held, where that is.
pub(crate) fn name_all_places(heap: &Heap, candidates: &mut [Candidate]) {
    let asked = heap.no_rows();
    for candidate in candidates
        .iter()
        .filter(|candidate| candidate.extent == Extent::AllPlaces)
    {
        for claim in candidate.claims.iter() {
            let several = held_objects(heap, claim.object).filter(|&held| heap.referrers.are_several(held));
            asked.extend(several);
        }
    }
    if asked.is_empty() {
        return;
    }
    let places = heap.places_of(&asked, |reference| {
        let names = match reference.via.kind() {
            EdgeKind::Weak => false,
            // A window holds what it shows wherever it stands itself.
            EdgeKind::Internal => heap.kind(reference.from) == Kind::String,
            _ => true,
        };
        names && reference.keeps() && reference.is_of_program(heap)
    });
    let holders = Holders::new(heap);
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| candidate.extent == Extent::AllPlaces)
    {
        let mut claims = candidate.claims.iter();
        if !claims.any(|claim| held_objects(heap, claim.object).any(|held| asked.has(held))) {
            continue;
        }
        drop(claims);
        let found = Elsewhere::of(heap, &holders, &places, &asked, candidate);
        found.describe(&holders, candidate);
    }
}

/// The objects through which the program holds a row: itself or its owner, what shows its bytes, and so on.
fn held_objects(heap: &Heap, row: ObjectId) -> impl Iterator<Item = ObjectId> {
    let shown_by = |&held: &ObjectId| {
        let referrer = heap.referrers.of(held);
        let (from, _) = referrer.filter(|(_, via)| via.kind() == EdgeKind::Internal)?;
        Some(heap.owner(from))
    };
    std::iter::successors(Some(heap.owner(row)), shown_by).take(1 + MOST_INTERNAL)
}

/// What other places hold of the objects that a candidate removes.
#[derive(Default)]
struct Elsewhere {
    /// The fields of one type that the candidate's place stands for, or that place alone.
    own: FxHashSet<HeldAt>,
    /// Objects at each other place.
    objects: FxHashMap<HeldAt, u64>,
    /// Claimed bytes that stay as long as one of these places is as it is.
    bytes: u64,
}

impl Elsewhere {
    fn of(
        heap: &Heap,
        holders: &Holders<'_>,
        places: &Places,
        asked: &RowSet,
        candidate: &Candidate,
    ) -> Self {
        let mut own: FxHashMap<HeldAt, bool> = FxHashMap::default();
        let goes = heap.row_set(candidate.claims.iter().map(|claim| claim.object));
        let mut found = Self::default();
        // Whether an object stays, and what only such a one holds with it.
        let mut stays: FxHashSet<ObjectId> = FxHashSet::default();
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        for claim in candidate.claims.iter() {
            let mut held = heap.owner(claim.object);
            for object in held_objects(heap, claim.object) {
                held = object;
                if !asked.has(held) || !seen.insert(held) {
                    continue;
                }
                let mut at: Vec<HeldAt> = Vec::new();
                for &reference in places.of(held) {
                    // What only goes with another object stays when that one does, which has places of its own.
                    let goes_too = goes.has(heap.owner(reference.from));
                    let place = match reference.via.kind() {
                        EdgeKind::Internal => Some(holders.held_with(reference.from)),
                        _ => holders.held_at(reference),
                    };
                    let Some(place) = place.filter(|_| !goes_too) else {
                        continue;
                    };
                    let is_own = own
                        .entry(place)
                        .or_insert_with(|| holders.is_part_of(place, &candidate.holder));
                    if *is_own {
                        found.own.insert(place);
                    } else if !at.contains(&place) {
                        at.push(place);
                    }
                }
                if !at.is_empty() {
                    stays.insert(held);
                }
                for place in at {
                    *found.objects.entry(place).or_default() += 1;
                }
            }
            if stays.is_empty() {
                continue;
            }
            let holder = heap.referrers.of(held).map(|(from, _)| heap.owner(from));
            if holder.is_some_and(|holder| stays.contains(&holder)) {
                stays.insert(held);
            }
            if held_objects(heap, claim.object).any(|object| stays.contains(&object)) {
                found.bytes += u64::from(claim.bytes);
            }
        }
        found
    }

    fn describe(self, holders: &Holders<'_>, candidate: &mut Candidate) {
        if self.own.len() > 1 {
            let mut fields: Vec<String> = self
                .own
                .iter()
                .map(|&place| holders.name_held_at(place))
                .collect();
            fields.sort_unstable();
            fields.truncate(LISTED);
            candidate.show("shown_at", fields);
        }
        let all = candidate.claims.bytes();
        if self.objects.is_empty() || self.bytes.saturating_mul(SHARE) < all {
            return;
        }
        let names = self.objects.into_iter();
        let mut others: Vec<(String, u64)> = names
            .map(|(place, objects)| (holders.name_held_at(place), objects))
            .collect();
        others.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        candidate.fix.push_str(&at_others(&others));
        if self.bytes == all {
            candidate.fix.push_str(": here alone it frees nothing");
        }
        let listed = others.iter().take(LISTED);
        let listed: Vec<_> = listed
            .map(|(place, objects)| json!({"place": place, "objects": objects}))
            .collect();
        candidate.show(ALSO_HELD_AT, listed);
        candidate.show("places", others.len() as u64 + 1);
        candidate.show("bytes_held_elsewhere_too", self.bytes);
    }
}

/// The end of a sentence that says where else a fix must be made, the most first.
pub(crate) fn at_others(others: &[(String, u64)]) -> String {
    match others {
        [] => String::new(),
        [(one, _)] => format!("{AT_OTHERS}{one}, too"),
        [(one, _), (other, _)] => format!("{AT_OTHERS}{one} and {other}, too"),
        [(one, _), (other, _), more @ ..] => format!(
            "{AT_OTHERS}{one}, {other} and {}, too",
            Count(more.len() as u64).of("more place", "more places")
        ),
    }
}
