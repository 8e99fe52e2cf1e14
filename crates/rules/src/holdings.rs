//! What stands where: a table of all bytes by place and type, by which weighings are compared.

use deadweight_heap::{Dominators, Flags, Heap, HolderId, Holders, Kind, NONE, ObjectId, TypeId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::weighing::{Folded, Freed, Holding, Holdings};
use crate::{Candidate, Claim, Ledger};

/// Places with less than this share of the heap, or outside of it of all bytes, are folded, unless a finding frees
/// something there.
const MATTERS: f64 = 0.0001;

/// Most places that are listed for their size alone.
const MOST: usize = 400;

/// Most places that are listed for what they keep alive alone: a cache is a small object.
const KEEPERS: usize = 40;

/// Most places that are listed for one finding.
const FREED: usize = 8;

/// One row of the table, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Place(HolderId, TypeId),
    Runtime(Kind),
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    bytes: u64,
    external: u64,
}

/// The table before it is cut to what matters.
#[derive(Debug)]
pub(crate) struct Table<'h> {
    heap: &'h Heap,
    holders: Holders<'h>,
    /// The holder of each row that is the program's.
    column: Vec<HolderId>,
    names: FxHashMap<Key, u32>,
    rows: Vec<Holding>,
    /// Whether a finding frees something there, or the place is listed for what it keeps alive.
    touched: Vec<bool>,
}

impl<'h> Table<'h> {
    pub(crate) fn new(heap: &'h Heap) -> Self {
        let mut holders = Holders::new(heap);
        let column = holders.column(|id| !heap.is_runtime(id));
        let mut table = Self {
            heap,
            holders,
            column,
            names: FxHashMap::default(),
            rows: Vec::new(),
            touched: Vec::new(),
        };
        table.fill();
        table
    }

    fn fill(&mut self) {
        let heap = self.heap;
        let this = &*self;
        let add = |mut sums: FxHashMap<Key, Sums>, id: ObjectId| {
            let row = sums.entry(this.key(id)).or_default();
            let bytes = heap.bytes(id);
            if heap.objects.has(id, Flags::EXTERNAL) {
                row.external += bytes;
            } else {
                row.bytes += bytes;
            }
            row.count += u64::from(!heap.objects.has(id, Flags::PART));
            sums
        };
        let merge = |mut a: FxHashMap<Key, Sums>, b: FxHashMap<Key, Sums>| {
            for (key, more) in b {
                let row = a.entry(key).or_default();
                row.count += more.count;
                row.bytes += more.bytes;
                row.external += more.external;
            }
            a
        };
        let rows = heap.rows().into_par_iter().with_min_len(65_536);
        let sums = rows
            .fold(FxHashMap::default, add)
            .reduce(FxHashMap::default, merge);
        // Types of different fields may share a shown name: what a person cannot tell apart is one place.
        let mut by_name: FxHashMap<(String, String), u32> = FxHashMap::default();
        for (key, sums) in sums {
            let place = self.named(key);
            let name = (place.holder.clone(), place.holds.clone());
            let at = *by_name.entry(name).or_insert_with(|| {
                self.rows.push(place);
                (self.rows.len() - 1) as u32
            });
            self.names.insert(key, at);
            let row = &mut self.rows[at as usize];
            row.count += sums.count;
            row.bytes += sums.bytes;
            row.external += sums.external;
        }
        self.touched = vec![false; self.rows.len()];
    }

    fn key(&self, id: ObjectId) -> Key {
        let owner = self.heap.owner(id);
        match self.column.get(id as usize) {
            None | Some(&NONE) => Key::Runtime(self.heap.kind(owner)),
            Some(&holder) => {
                let string = self.heap.kind(owner) == Kind::String;
                let label = self.heap.objects.label.get(owner as usize);
                Key::Place(holder, label.copied().filter(|_| !string).unwrap_or(NONE))
            }
        }
    }

    fn named(&self, key: Key) -> Holding {
        let (holder, of, holds) = match key {
            Key::Runtime(kind) => (String::new(), None, format!("{kind:?}").to_lowercase()),
            Key::Place(holder, ty) => {
                let of = self
                    .holders
                    .root(holder)
                    .map(|ty| self.heap.types.name(ty).to_owned());
                let holds = if ty == NONE {
                    "string"
                } else {
                    self.heap.types.name(ty)
                };
                (self.holders.name(holder), of, holds.to_owned())
            }
        };
        Holding {
            runtime: matches!(key, Key::Runtime(_)),
            holder,
            of,
            holds,
            count: 0,
            bytes: 0,
            external: 0,
            left: None,
            external_left: None,
            retained: None,
        }
    }

    /// Fills in what each place of the program keeps alive, and lists the places that keep most.
    pub(crate) fn retain(&mut self) {
        let heap = self.heap;
        let this = &*self;
        let rows: Vec<ObjectId> = heap.rows().collect();
        let rows = rows.into_par_iter().with_min_len(65_536);
        let places: Vec<u32> = rows
            .map(|id| this.names.get(&this.key(id)).copied().unwrap_or(NONE))
            .collect();
        let tree = Dominators::new(heap.objects.len(), &heap.edges);
        let group = |id: ObjectId| places[id as usize];
        let retained = tree.retained_by_group(self.rows.len(), group, |id| heap.bytes(id));
        let mut keepers: Vec<u32> = Vec::new();
        for (at, (row, retained)) in self.rows.iter_mut().zip(retained).enumerate() {
            if !row.runtime {
                row.retained = Some(retained);
                keepers.push(at as u32);
            }
        }
        let order = |at: u32| {
            let row = &self.rows[at as usize];
            (std::cmp::Reverse(row.retained), &row.holder, &row.holds)
        };
        keepers.sort_unstable_by(|&a, &b| order(a).cmp(&order(b)));
        for at in keepers.into_iter().take(KEEPERS) {
            self.touched[at as usize] = true;
        }
    }

    /// Where a candidate frees bytes when it is the only one.
    pub(crate) fn frees(&mut self, candidate: &Candidate) -> Vec<Freed> {
        let mut sums: FxHashMap<u32, i64> = FxHashMap::default();
        let mut add = |claims: &[Claim], sign: i64| {
            for claim in claims {
                if let Some(&at) = self.names.get(&self.key(claim.object)) {
                    *sums.entry(at).or_default() += sign * i64::from(claim.bytes);
                }
            }
        };
        add(&candidate.claims, 1);
        add(&candidate.gives, -1);
        let mut all: Vec<(u32, i64)> = sums.into_iter().filter(|(_, bytes)| *bytes != 0).collect();
        let order = |at: u32| (&self.rows[at as usize].holder, &self.rows[at as usize].holds);
        all.sort_by(|a, b| {
            b.1.abs()
                .cmp(&a.1.abs())
                .then_with(|| order(a.0).cmp(&order(b.0)))
        });
        let rest: i64 = all.iter().skip(FREED).map(|(_, bytes)| bytes).sum();
        all.truncate(FREED);
        let mut freed = Vec::with_capacity(all.len() + 1);
        for (at, bytes) in all {
            self.touched[at as usize] = true;
            let place = &self.rows[at as usize];
            freed.push(Freed {
                holder: place.holder.clone(),
                holds: place.holds.clone(),
                bytes,
            });
        }
        if rest != 0 {
            freed.push(Freed {
                holder: String::new(),
                holds: String::new(),
                bytes: rest,
            });
        }
        freed
    }

    /// Fills in what is left of each place after all that the ledger has granted.
    fn settle(&mut self, ledger: &Ledger<'_>) {
        let heap = self.heap;
        let this = &*self;
        let add = |mut sums: FxHashMap<u32, (i64, i64)>, id: ObjectId| {
            let freed = heap.bytes(id).cast_signed() - ledger.left(id).cast_signed();
            if freed != 0
                && let Some(&at) = this.names.get(&this.key(id))
            {
                let row = sums.entry(at).or_default();
                if heap.objects.has(id, Flags::EXTERNAL) {
                    row.1 += freed;
                } else {
                    row.0 += freed;
                }
            }
            sums
        };
        let merge = |mut a: FxHashMap<u32, (i64, i64)>, b: FxHashMap<u32, (i64, i64)>| {
            for (at, freed) in b {
                let row = a.entry(at).or_default();
                row.0 += freed.0;
                row.1 += freed.1;
            }
            a
        };
        let rows = heap.rows().into_par_iter().with_min_len(65_536);
        let freed = rows
            .fold(FxHashMap::default, add)
            .reduce(FxHashMap::default, merge);
        for (at, row) in self.rows.iter_mut().enumerate() {
            let (held, external) = freed.get(&(at as u32)).copied().unwrap_or_default();
            row.left = Some(row.bytes.saturating_add_signed(-held));
            row.external_left = (row.external > 0).then(|| row.external.saturating_add_signed(-external));
        }
    }

    /// The table as it is told.
    pub(crate) fn told(mut self, ledger: &Ledger<'_>) -> Holdings {
        self.settle(ledger);
        let held: u64 = self.rows.iter().map(|row| row.bytes).sum();
        let all: u64 = held + self.rows.iter().map(|row| row.external).sum::<u64>();
        let mut places: Vec<(Holding, bool)> = self.rows.into_iter().zip(self.touched).collect();
        places.sort_by(|(a, _), (b, _)| {
            let by_size = (b.bytes + b.external).cmp(&(a.bytes + a.external));
            by_size.then_with(|| (&a.holder, &a.holds).cmp(&(&b.holder, &b.holds)))
        });
        let mut holdings = Holdings::default();
        for (at, (place, touched)) in places.into_iter().enumerate() {
            let large = place.bytes as f64 >= MATTERS * held as f64
                || (place.external > 0 && place.external as f64 >= MATTERS * all as f64);
            if touched || place.runtime || (large && at < MOST) {
                holdings.places.push(place);
                continue;
            }
            let Folded {
                places,
                count,
                bytes,
                external,
                left,
                external_left,
            } = &mut holdings.folded;
            *left = Some(left.unwrap_or_default() + place.left.unwrap_or_default());
            *external_left =
                Some(external_left.unwrap_or_default() + place.external_left.unwrap_or_default());
            *places += 1;
            *count += place.count;
            *bytes += place.bytes;
            *external += place.external;
        }
        holdings
    }
}
