//! What stands where: a table of all bytes by place and type, by which weighings are compared.

mod freed;
mod met;

use deadweight_heap::{Dominators, Flags, Heap, Holders, NONE, ObjectId, RowNumbers};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{Candidate, Claim, Ledger};
use deadweight_weighing::{Finding, Folded, Freed, Holding, Holdings};
use freed::FreedAt;
use met::{Key, Met};

pub(crate) use met::Totals;

/// Places with less than this share of the heap, or outside of it of all bytes, are folded, unless a finding frees
/// something there.
const MATTERS: f64 = 0.0001;

/// Most places that are listed for their size alone.
const MOST: usize = 400;

/// Most places that are listed for what they keep alive alone: a cache is a small object.
const KEEPERS: usize = 40;

/// Most places that are listed for one finding.
const FREED: usize = 8;

/// Rows that one thread takes at a time.
const PIECE: ObjectId = 1 << 16;

/// The table before it is cut to what matters.
#[derive(Debug)]
pub(crate) struct Table<'h> {
    heap: &'h Heap,
    pub(crate) totals: Totals,
    /// The place of each row of the heap, as a row of the table.
    places: RowNumbers,
    rows: Vec<Holding>,
    /// Whether a finding frees something there, or the place is listed for what it keeps alive.
    touched: Vec<bool>,
    /// Room to add up what a candidate frees; all zero in between.
    freed: FreedAt,
}

/// Claims that one thread adds up at a time.
const LARGE: usize = 1 << 18;

fn named(holders: &Holders<'_>, heap: &Heap, key: Key) -> Holding {
    let (holder, of, holds) = match key {
        Key::Runtime(kind) => (String::new(), None, format!("{kind:?}").to_lowercase()),
        Key::Place(holder, ty) => {
            let of = holders.root(holder).map(|ty| heap.types.name(ty).to_owned());
            let holds = if ty == NONE { "string" } else { heap.types.name(ty) };
            (holders.name(holder), of, holds.to_owned())
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

impl<'h> Table<'h> {
    pub(crate) fn new(heap: &'h Heap) -> Self {
        let holders = Holders::new(heap);
        // Types of different fields may share a shown name: what a person cannot tell apart is one place.
        let mut by_name: FxHashMap<(String, String), u32> = FxHashMap::default();
        let mut rows: Vec<Holding> = Vec::new();
        let mut totals = Totals::default();
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let places = RowNumbers::of(
            heap.objects.len(),
            || Met::new(heap, holders.clone()),
            |met, id| met.meet(id) as u16,
            |met| {
                let rows_of = met.places.iter().map(|&(key, sums)| {
                    totals.add(key, sums);
                    let at = *known.entry(key).or_insert_with(|| {
                        let place = named(&holders, heap, key);
                        let name = (place.holder.clone(), place.holds.clone());
                        *by_name.entry(name).or_insert_with(|| {
                            rows.push(place);
                            (rows.len() - 1) as u32
                        })
                    });
                    let row = &mut rows[at as usize];
                    row.count += sums.count;
                    row.bytes += sums.bytes;
                    row.external += sums.external;
                    at
                });
                rows_of.collect()
            },
        );
        Self {
            heap,
            totals,
            places,
            touched: vec![false; rows.len()],
            freed: FreedAt::none(rows.len()),
            rows,
        }
    }

    /// Fills in what each place of the program keeps alive, and lists the places that keep most.
    pub(crate) fn retain(&mut self) {
        let heap = self.heap;
        let tree = Dominators::new(heap.objects.len(), &heap.edges);
        let group = |id: ObjectId| self.places.get(id).unwrap_or(NONE);
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
        let sums = self.sums_of(candidate);
        self.largest_frees(sums)
    }

    /// Bytes that a candidate frees when it is the only one, by place, those that it frees nothing at left out.
    pub(crate) fn sums_of(&mut self, candidate: &Candidate) -> Vec<(u32, i64)> {
        let (places, all) = (&self.places, &mut self.freed);
        let signed = [(&candidate.claims, 1), (&candidate.overhead_rows, -1)];
        for (claims, sign) in signed {
            if claims.len() <= LARGE {
                all.add_claims(places, claims.iter(), sign);
                continue;
            }
            let count = self.rows.len();
            let of_piece = |freed: &mut FreedAt, claims: &[Claim]| {
                freed.add_claims(places, claims.iter().copied(), sign);
                freed.take()
            };
            let pieces = claims.par_parts().map_init(|| FreedAt::none(count), of_piece);
            for (at, bytes) in pieces.collect::<Vec<_>>().into_iter().flatten() {
                all.add(at, bytes);
            }
        }
        if let Some(interns) = &candidate.interns {
            let grows = u32::try_from(interns.alone).unwrap_or(u32::MAX);
            let grows = Claim {
                object: interns.table,
                bytes: grows,
            };
            all.add_claims(places, std::iter::once(grows), -1);
        }
        all.take()
    }

    /// The largest of these sums as they are shown, and one for the rest. Their places are listed from now on.
    pub(crate) fn largest_frees(&mut self, mut all: Vec<(u32, i64)>) -> Vec<Freed> {
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
                site: None,
                bytes,
            });
        }
        if rest != 0 {
            freed.push(Freed {
                holder: String::new(),
                holds: String::new(),
                site: None,
                bytes: rest,
            });
        }
        freed
    }

    /// For each finding that names a field of some type, by fingerprint, that type: what its rule says, else the one at
    /// whose field the finding's holder stands.
    pub(crate) fn types_of(
        &self,
        findings: &[Finding],
        known: FxHashMap<String, String>,
    ) -> FxHashMap<String, String> {
        let names = findings.iter().map(|finding| (finding.holder.as_str(), None));
        let mut holders: FxHashMap<&str, Option<&str>> = names.collect();
        for row in &self.rows {
            if let Some(of) = holders.get_mut(row.holder.as_str()) {
                *of = of.or(row.of.as_deref());
            }
        }
        let mut types = known;
        for finding in findings {
            if let Some(Some(of)) = holders.get(finding.holder.as_str()) {
                let of = || (*of).to_owned();
                types.entry(finding.fingerprint.clone()).or_insert_with(of);
            }
        }
        types
    }

    /// Fills in what is left of each place after all that the ledger has granted.
    fn settle(&mut self, ledger: &Ledger<'_>) {
        let heap = self.heap;
        let none = || vec![(0_i64, 0_i64); self.rows.len()];
        let rows = heap.rows().end;
        let add = |mut sums: Vec<(i64, i64)>, first: ObjectId| {
            for id in ledger.touched(first..first.saturating_add(PIECE).min(rows)) {
                let freed = heap.bytes(id).cast_signed() - ledger.left(id).cast_signed();
                if let Some(at) = self.places.get(id).filter(|_| freed != 0) {
                    let row = &mut sums[at as usize];
                    if heap.objects.has(id, Flags::EXTERNAL) {
                        row.1 += freed;
                    } else {
                        row.0 += freed;
                    }
                }
            }
            sums
        };
        let merge = |mut a: Vec<(i64, i64)>, b: Vec<(i64, i64)>| {
            for (row, freed) in a.iter_mut().zip(b) {
                row.0 += freed.0;
                row.1 += freed.1;
            }
            a
        };
        let pieces = heap.rows().into_par_iter().step_by(PIECE as usize);
        let freed = pieces.fold(none, add).reduce(none, merge);
        for (row, (held, external)) in self.rows.iter_mut().zip(freed) {
            row.left = Some(row.bytes.saturating_add_signed(-held));
            row.external_left = (row.external > 0).then(|| row.external.saturating_add_signed(-external));
        }
    }

    /// The table as the weighing shows it.
    pub(crate) fn into_holdings(mut self, ledger: &Ledger<'_>) -> Holdings {
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
                largest,
                left,
                external_left,
            } = &mut holdings.folded;
            *largest = (*largest).max(Some(place.bytes + place.external));
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
