//! One pass over the fields of all records, gathering by type and field.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{Edge, EdgeKind, Heap, Record, TextId, TypeId, Via};

/// What is gathered of one field of one type. Merging must not depend on the order of merges.
pub trait FieldTally: Send {
    /// Adds what another thread gathered of the same field.
    fn merge(&mut self, other: Self);
}

struct OfType<T> {
    names: Vec<TextId>,
    /// None for a field that nobody asked about.
    tallies: Vec<Option<T>>,
    index: FxHashMap<TextId, u32>,
    /// The names of the references of the record that was seen last, and which of them are fields: for each its place
    /// among the references and its place here. Records of one type mostly have the same.
    last: Vec<Via>,
    fields: Vec<(u32, u32)>,
    /// How many such lists were looked at, and at which of them each field was met last.
    looks: u32,
    met: Vec<u32>,
}

impl<T: FieldTally> OfType<T> {
    fn new() -> Self {
        Self {
            names: Vec::new(),
            tallies: Vec::new(),
            index: FxHashMap::default(),
            last: Vec::new(),
            fields: Vec::new(),
            looks: 0,
            met: Vec::new(),
        }
    }

    /// The place of a field. Records of one type list their fields alike, so the guess is mostly right.
    fn place(&mut self, name: TextId, guess: usize, new: impl Fn(TextId) -> Option<T>) -> usize {
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
    fn look_at(&mut self, names: &[Via], new: impl Fn(TextId) -> Option<T>) {
        if self.last == names {
            return;
        }
        self.last.clear();
        self.last.extend(names);
        self.fields.clear();
        self.looks += 1;
        let mut guess = 0;
        for (at, name) in names.iter().enumerate() {
            if name.kind() != EdgeKind::Field {
                continue;
            }
            let place = self.place(name.name(), guess, &new);
            if std::mem::replace(&mut self.met[place], self.looks) != self.looks {
                guess += 1;
                if self.tallies[place].is_some() {
                    self.fields.push((at as u32, place as u32));
                }
            }
        }
    }
}

impl Heap {
    /// Shows `see` every field of every record of the program, once a record and field, for which `new` gives a tally.
    /// Gives the tallies in the order of type and field. Runs on all threads of the current pool.
    pub fn tally_fields<T: FieldTally>(
        &self,
        new: impl Fn(TypeId, TextId) -> Option<T> + Sync,
        wanted: impl Fn(TypeId) -> bool + Sync,
        see: impl Fn(&mut T, &Record, Edge) + Sync,
    ) -> Vec<((TypeId, TextId), T)> {
        let chunk = (self.records.len() / (4 * rayon::current_num_threads())).max(4096);
        let types = self
            .records
            .par_chunks(chunk)
            .map(|records| {
                let mut types: FxHashMap<TypeId, OfType<T>> = FxHashMap::default();
                for record in records {
                    let Some(ty) = self.record_type(record).filter(|&ty| wanted(ty)) else {
                        continue;
                    };
                    let fields = types.entry(ty).or_insert_with(OfType::new);
                    let (names, targets) =
                        (self.edges.names(record.object), self.edges.targets(record.object));
                    fields.look_at(names, |name| new(ty, name));
                    for &(at, place) in &fields.fields {
                        let (via, to) = (names[at as usize], targets[at as usize]);
                        let tally = fields.tallies[place as usize].as_mut();
                        if let Some(tally) = tally.filter(|_| (to as usize) < self.objects.len()) {
                            see(tally, record, Edge { via, to });
                        }
                    }
                }
                types
            })
            .reduce(FxHashMap::default, |mut all, more| {
                for (ty, more) in more {
                    let fields = all.entry(ty).or_insert_with(OfType::new);
                    for (guess, (name, tally)) in more.names.into_iter().zip(more.tallies).enumerate() {
                        let place = fields.place(name, guess, |_| None);
                        match (&mut fields.tallies[place], tally) {
                            (Some(all), Some(more)) => all.merge(more),
                            (all, more) => *all = all.take().or(more),
                        }
                    }
                }
                all
            });
        let mut found: Vec<_> = types
            .into_iter()
            .flat_map(|(ty, fields)| {
                let named = fields.names.into_iter().zip(fields.tallies);
                named.filter_map(move |(name, tally)| Some(((ty, name), tally?)))
            })
            .collect();
        found.sort_unstable_by_key(|(key, _)| *key);
        found
    }
}
