//! Maps that all have the same keys, where the runtime's maps are no records.

use deadweight_heap::{
    EdgeKind, Fields, Flags, Heap, Holders, Kind, ObjectId, Parts, RecordShape, Representation, RowSet,
    Table, TextId, UNKNOWN,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LEAST;
use crate::count::Count;
use crate::maps::is_replaceable;
use crate::parts::ClaimWhole;
use crate::{Basis, Candidate};

/// A map of fewer entries is a pair, which is another rule's.
const FEWEST_ENTRIES: u32 = 2;

/// Maps are records when so much of their fields is there: what few of them have is no field, and the map is right.
const SHOWN: (u64, u64) = (4, 5);

/// No record has more fields.
const MOST_KEYS: usize = 1000;

/// Keys that are shown.
const EXAMPLES: usize = 8;

/// Candidates for maps of the same keys, by the holder that names them.
pub(super) fn maps(heap: &Heap) -> Vec<Candidate> {
    let holders = Holders::new(heap);
    let found = holders.group_all(heap.tables.len(), |at| {
        let table = &heap.tables[at];
        let has_entries = table.used != UNKNOWN && table.used >= FEWEST_ENTRIES;
        (has_entries && is_replaceable(heap, table)).then_some((table.object, table))
    });
    let found = found.into_iter().filter_map(|(holder, maps)| {
        let keys = common_keys(heap, &maps)?;
        Some(candidate(heap, holders.name(holder), &maps, &keys))
    });
    found.collect()
}

/// What stands behind a key of several maps.
#[derive(Default)]
struct Key {
    /// Maps that have it.
    count: u64,
    /// Its values, as far as the dump shows them.
    values: Vec<ObjectId>,
}

type Keys = FxHashMap<TextId, Key>;

/// The keys of maps that are all whole texts; `None` where they differ from map to map.
fn common_keys(heap: &Heap, maps: &[&Table]) -> Option<Keys> {
    if maps.len() < LEAST {
        return None;
    }
    let mut keys = Keys::default();
    let mut entries = 0;
    let mut of_map: FxHashMap<u32, TextId> = FxHashMap::default();
    for map in maps {
        entries += u64::from(map.used);
        of_map.clear();
        for (index, row) in entries_of(heap, map, EdgeKind::Key) {
            let is_text = heap.kind(row) == Kind::String && !heap.objects.has(row, Flags::INCOMPLETE);
            if !is_text {
                return None;
            }
            let text = heap.objects.label[row as usize];
            keys.entry(text).or_default().count += 1;
            of_map.insert(index, text);
        }
        if of_map.len() as u32 != map.used || keys.len() > MOST_KEYS {
            return None;
        }
        for (index, value) in entries_of(heap, map, EdgeKind::Value) {
            if let Some(key) = of_map.get(&index).and_then(|text| keys.get_mut(text)) {
                key.values.push(value);
            }
        }
    }
    let fields = keys.len() as u64 * maps.len() as u64;
    (fields * SHOWN.0 <= entries * SHOWN.1).then_some(keys)
}

/// The keys or the values of a map, each with the number of its entry.
fn entries_of<'h>(heap: &'h Heap, map: &Table, kind: EdgeKind) -> impl Iterator<Item = (u32, ObjectId)> + 'h {
    let apart = (map.store != map.object).then_some(map.store);
    let of_store = apart.into_iter().flat_map(|store| heap.edges.of(store));
    let all = heap.edges.of(map.object).chain(of_store);
    all.filter(move |edge| edge.via.kind() == kind)
        .map(|edge| (edge.via.name(), edge.to))
}

fn candidate(heap: &Heap, holder: String, maps: &[&Table], keys: &Keys) -> Candidate {
    let mut candidate = Candidate::at(holder)
        .assuming("no other key comes")
        .at_all_places();
    // Records in dictionaries may stand at the same place.
    candidate.variant = "map";
    candidate.basis = Some(Basis::Behaviour("no other key comes"));
    let mut parts = Parts::default();
    for map in maps {
        candidate.bytes_now += parts.claim_whole(heap, &mut candidate, map.object);
    }
    let mut names: Vec<TextId> = keys.keys().copied().collect();
    names.sort_unstable_by_key(|key| (std::cmp::Reverse(keys[key].count), *key));
    let numbers: Vec<(Representation, &Key)> = names
        .iter()
        .filter_map(|name| Some((number(heap, &keys[name], maps.len())?, &keys[name])))
        .collect();
    let rows = RowSet::none(heap.objects.len());
    rows.extend(maps.iter().flat_map(|map| [map.object, map.store]));
    let values = numbers.iter().flat_map(|(_, key)| key.values.iter().copied());
    candidate.bytes_now += claim_alone(heap, &mut candidate, (EdgeKind::Value, values), &rows);
    // Names stand in the code, once.
    let texts = maps.iter().flat_map(|map| entries_of(heap, map, EdgeKind::Key));
    let texts = texts.map(|(_, text)| text);
    candidate.bytes_now += claim_alone(heap, &mut candidate, (EdgeKind::Key, texts), &rows);
    candidate.option = are_data(heap, &names);
    let fields: Vec<Fields> = fields(&numbers, keys.len());
    let record = heap.layout.record(&RecordShape::own(&fields));
    candidate.count = maps.len() as u64;
    candidate.overhead = candidate.count * record + heap.layout.shape(keys.len() as u64);
    candidate.title = format!("{} have the same keys", Count(candidate.count).of("map", "maps"));
    candidate.fix = match heap.layout.wording().fields {
        Some(said) => format!("use a class that has a field in {said} for each key"),
        None => "use a class or struct with a field for each key".into(),
    };
    if !numbers.is_empty() {
        candidate.fix.push_str(", and types of numbers for numbers");
    }
    let shown: Vec<_> = names
        .iter()
        .take(EXAMPLES)
        .map(|&key| heap.texts.shown(key, 32))
        .collect();
    candidate.show("fields", shown);
    candidate.show("fields_at_most", keys.len() as u64);
    candidate.show("fields_of_numbers", numbers.len() as u64);
    candidate.show("bytes_of_a_record", record);
    let entries: u64 = maps.iter().map(|map| u64::from(map.used)).sum();
    candidate.show("entries", entries);
    candidate
}

/// The number that all values of a key are objects for, where every map has one and a field can be declared as such a number.
fn number(heap: &Heap, key: &Key, maps: usize) -> Option<Representation> {
    let class = |value: ObjectId| heap.objects.label[value as usize];
    let first = *key.values.first()?;
    let is_same = |&value: &ObjectId| heap.kind(value) == Kind::Number && class(value) == class(first);
    if key.values.len() != maps || !key.values.iter().all(is_same) {
        return None;
    }
    let [field] = heap.types.declared(class(first)) else {
        return None;
    };
    (!field.representation.refers()).then_some(field.representation)
}

/// Claims those of the keys or values of these maps that nothing else holds.
fn claim_alone(
    heap: &Heap,
    candidate: &mut Candidate,
    (kind, rows): (EdgeKind, impl Iterator<Item = ObjectId>),
    maps: &RowSet,
) -> u64 {
    let asked = RowSet::none(heap.objects.len());
    asked.extend(rows);
    let stays = heap.held_otherwise(&asked, |reference| {
        let is_of_maps = reference.via.kind() == kind && maps.has(reference.from);
        reference.is_of_program(heap) && !is_of_maps
    });
    let mut parts = Parts::default();
    let freed = asked
        .rows()
        .filter(|&row| !stays.has(row) && heap.in_program(row));
    freed.map(|row| parts.claim_whole(heap, candidate, row)).sum()
}

/// Whether keys are data rather than names that somebody wrote into a program: one could be no name, or two differ in their
/// numbers alone.
fn are_data(heap: &Heap, keys: &[TextId]) -> bool {
    let mut stems: FxHashSet<String> = FxHashSet::default();
    keys.iter().any(|&key| {
        let text = heap.texts.get(key);
        let is_name = text.starts_with(|first: char| first.is_alphabetic() || "_$@".contains(first))
            && text
                .chars()
                .all(|character| character.is_alphanumeric() || "_-$ ".contains(character));
        let has_number = text.contains(|character: char| character.is_ascii_digit());
        let stem = || {
            text.chars()
                .filter(|character| !character.is_ascii_digit())
                .collect()
        };
        !is_name || has_number && !stems.insert(stem())
    })
}

/// The fields of a record: those of numbers by their width, and references for all other keys.
fn fields(numbers: &[(Representation, &Key)], keys: usize) -> Vec<Fields> {
    let mut fields: Vec<Fields> = numbers.iter().map(|(number, _)| number.times(1)).collect();
    let others = (keys - numbers.len()) as u64;
    if others > 0 {
        fields.push(Representation::Any.times(others));
    }
    fields
}
