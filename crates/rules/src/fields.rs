//! One pass over the fields of all records, gathering by type and field.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use deadweight_heap::{Edge, EdgeKind, Flags, Heap, Kind, ObjectId, Record, TextId, TypeId, Via};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// What a rule gathers of one field of one type. Merging must not depend on the order of merges.
pub(crate) trait Tally: Send {
    /// Adds what another thread gathered of the same field.
    fn merge(&mut self, other: Self);

    /// Whether the rule would make the same of the field whatever came, also when not all came. Once this holds for all
    /// fields of a type, its other records are not looked at.
    fn is_settled(&self) -> bool {
        false
    }
}

/// How many records of the program each type has.
#[derive(Debug)]
pub(crate) struct Population(Vec<u32>);

impl Population {
    /// Counts, once for all rules.
    pub(crate) fn of(heap: &Heap) -> Arc<Self> {
        heap.shared.get(|| Self::count_all(heap))
    }

    fn count_all(heap: &Heap) -> Self {
        let counts: Vec<AtomicU32> = (0..heap.types.len()).map(|_| AtomicU32::new(0)).collect();
        in_pieces(&heap.records, |records| {
            // Records of one type mostly stand side by side: one addition for each run of them.
            let mut run = (None, 0);
            let count = |(ty, seen): (Option<TypeId>, u32)| {
                if let Some(count) = ty.and_then(|ty| counts.get(ty as usize)) {
                    count.fetch_add(seen, Ordering::Relaxed);
                }
            };
            for record in records {
                let ty = type_of(heap, record);
                if run.0 != ty {
                    count(std::mem::replace(&mut run, (ty, 0)));
                }
                run.1 += 1;
            }
            count(run);
        });
        Self(counts.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Records of that type.
    pub(crate) fn count(&self, ty: TypeId) -> u32 {
        self.0.get(ty as usize).copied().unwrap_or(0)
    }
}

/// Shows a list piece by piece to `see`, on all threads. What is seen comes in the order of the list.
pub(crate) fn in_pieces<T: Sync, R: Send>(list: &[T], see: impl Fn(&[T]) -> R + Sync + Send) -> Vec<R> {
    let piece = (list.len() / (8 * rayon::current_num_threads())).max(4096);
    list.par_chunks(piece).map(&see).collect()
}

/// The type of a record that the program holds; `None` for any other row.
pub(crate) fn type_of(heap: &Heap, record: &Record) -> Option<TypeId> {
    let id = record.object;
    let is_record = heap.objects.kind.get(id as usize) == Some(&Kind::Record) && heap.in_program(id);
    is_record.then(|| heap.objects.label[id as usize])
}

struct OfType<T> {
    names: Vec<TextId>,
    tallies: Vec<T>,
    index: FxHashMap<TextId, u32>,
    /// The names of the references of the record that was seen last, and which of them are fields: for each its place
    /// among the references and its place here. Records of one type mostly have the same.
    last: Vec<Via>,
    fields: Vec<(u32, u32)>,
    /// How many such lists were looked at, and at which of them each field was met last.
    looks: u32,
    met: Vec<u32>,
    /// Records that were seen, and whether no more of them need be.
    records: u32,
    settled: bool,
}

/// After so many records of a type it is asked again whether all its fields are settled.
const ASKED_EACH: u32 = 64;

impl<T: Tally> OfType<T> {
    fn new() -> Self {
        Self {
            names: Vec::new(),
            tallies: Vec::new(),
            index: FxHashMap::default(),
            last: Vec::new(),
            fields: Vec::new(),
            looks: 0,
            met: Vec::new(),
            records: 0,
            settled: false,
        }
    }

    /// Counts a record that was seen.
    fn count_record(&mut self) {
        self.records += 1;
        if self.records.is_multiple_of(ASKED_EACH) && !self.tallies.is_empty() {
            self.settled = self.tallies.iter().all(T::is_settled);
        }
    }

    /// The place of a field. Records of one type list their fields alike, so the guess is mostly right.
    fn place(&mut self, name: TextId, guess: usize, new: impl Fn(TextId) -> T) -> usize {
        if self.names.get(guess) == Some(&name) {
            return guess;
        }
        let next = self.names.len();
        let place = *self.index.entry(name).or_insert(next as u32) as usize;
        if place == next {
            self.names.push(name);
            self.tallies.push(new(name));
            self.met.push(0);
        }
        place
    }

    /// Notes where a record's fields are. A field that is there twice counts once.
    fn look_at(&mut self, names: &[Via], new: impl Fn(TextId) -> T) {
        if self.last == names {
            return;
        }
        self.last.clear();
        self.last.extend(names);
        self.fields.clear();
        self.looks += 1;
        for (at, name) in names.iter().enumerate() {
            if name.kind() != EdgeKind::Field {
                continue;
            }
            let place = self.place(name.name(), self.fields.len(), &new);
            if std::mem::replace(&mut self.met[place], self.looks) != self.looks {
                self.fields.push((at as u32, place as u32));
            }
        }
    }
}

/// Shows `see` every field of every record whose type has at least `least` records, once a record and field. Gives the
/// tallies in the order of type and field.
pub(crate) fn tally<T: Tally + Default>(
    heap: &Heap,
    population: &Population,
    least: u32,
    see: impl Fn(&mut T, &Record, Edge) + Sync,
) -> Vec<((TypeId, TextId), T)> {
    let wanted = |ty| population.count(ty) >= least;
    tally_of(heap, wanted, |_, _| T::default(), see)
}

/// The same for the types that are `wanted`, with a `new` tally for each field that is met.
pub(crate) fn tally_of<T: Tally>(
    heap: &Heap,
    wanted: impl Fn(TypeId) -> bool + Sync,
    new: impl Fn(TypeId, TextId) -> T + Sync,
    see: impl Fn(&mut T, &Record, Edge) + Sync,
) -> Vec<((TypeId, TextId), T)> {
    let chunk = (heap.records.len() / (4 * rayon::current_num_threads())).max(4096);
    let types = heap
        .records
        .par_chunks(chunk)
        .map(|records| {
            let mut types: FxHashMap<TypeId, OfType<T>> = FxHashMap::default();
            for record in records {
                let Some(ty) = type_of(heap, record).filter(|&ty| wanted(ty)) else {
                    continue;
                };
                let fields = types.entry(ty).or_insert_with(OfType::new);
                if fields.settled {
                    continue;
                }
                let (names, targets) = (heap.edges.names(record.object), heap.edges.targets(record.object));
                fields.look_at(names, |name| new(ty, name));
                for &(at, place) in &fields.fields {
                    let (via, to) = (names[at as usize], targets[at as usize]);
                    if (to as usize) < heap.objects.len() {
                        see(&mut fields.tallies[place as usize], record, Edge { via, to });
                    }
                }
                fields.count_record();
            }
            types
        })
        .reduce(FxHashMap::default, |mut all, more| {
            for (ty, more) in more {
                let fields = all.entry(ty).or_insert_with(OfType::new);
                for (guess, (name, tally)) in more.names.into_iter().zip(more.tallies).enumerate() {
                    let place = fields.place(name, guess, |name| new(ty, name));
                    fields.tallies[place].merge(tally);
                }
            }
            all
        });
    let mut found: Vec<_> = types
        .into_iter()
        .flat_map(|(ty, fields)| {
            let named = fields.names.into_iter().zip(fields.tallies);
            named.map(move |(name, tally)| ((ty, name), tally))
        })
        .collect();
    found.sort_unstable_by_key(|(key, _)| *key);
    found
}

/// The type and the field of a record that name a row.
pub(crate) fn naming_field(heap: &Heap, id: ObjectId) -> Option<(TypeId, TextId)> {
    let referrer = heap.referrers.of(id);
    let (from, via) = referrer.filter(|(_, via)| via.kind() == EdgeKind::Field)?;
    (heap.kind(from) == Kind::Record).then(|| (heap.objects.label[from as usize], via.name()))
}

/// Whether a row is a string whose whole text the dump has, in one piece.
pub(crate) fn is_plain_text(heap: &Heap, id: ObjectId) -> bool {
    heap.objects.has(id, Flags::FLAT) && !heap.objects.has(id, Flags::INCOMPLETE)
}

/// Whether a row stands for the absence of a value.
pub(crate) fn is_nothing(heap: &Heap, id: ObjectId) -> bool {
    is_word(heap, id) && matches!(heap.type_name(id), "null" | "undefined" | "nil" | "None")
}

/// Whether a row is one of the two truth values.
pub(crate) fn is_truth(heap: &Heap, id: ObjectId) -> bool {
    is_word(heap, id) && matches!(heap.type_name(id), "true" | "false")
}

fn is_word(heap: &Heap, id: ObjectId) -> bool {
    matches!(heap.kind(id), Kind::Runtime | Kind::Opaque)
}
