//! What was made where: a table of all bytes by line and type, by which weighings are compared.

use deadweight_heap::churn::{Row, RowId};
use deadweight_heap::{Churn, Kind};
use rustc_hash::FxHashMap;

use super::Portion;
use deadweight_weighing::{Allocated, AllocatedAt, AllocatedElsewhere, Freed};

/// Places with less than this share of all that was made are folded, unless a finding frees something there.
const MATTERS: f64 = 0.0001;

/// Most places that are listed for their size alone.
const MOST: usize = 1_000;

/// A line and what it makes: place, function, type.
type Key<'c> = (String, &'c str, String);

/// The table before it is cut to what matters.
#[derive(Debug)]
pub(super) struct Table<'c> {
    churn: &'c Churn,
    keys: Vec<Key<'c>>,
    rows: Vec<Vec<(RowId, &'c Row)>>,
    /// The place of each row of the record.
    of: Vec<u32>,
    /// Whether a finding frees something there.
    touched: Vec<bool>,
}

impl<'c> Table<'c> {
    pub(super) fn new(churn: &'c Churn) -> Self {
        let mut table = Self {
            churn,
            keys: Vec::new(),
            rows: Vec::new(),
            of: Vec::with_capacity(churn.rows.len()),
            touched: Vec::new(),
        };
        let mut ids: FxHashMap<Key<'c>, u32> = FxHashMap::default();
        for (id, row) in (0..).zip(churn.rows.iter()) {
            let own = row.stack.and_then(|stack| churn.own(stack));
            let (place, function) =
                own.map_or((String::new(), ""), |own| (own.place(), own.function.as_str()));
            let key = (place, function, holds(churn, row));
            let at = *ids.entry(key.clone()).or_insert_with(|| {
                table.keys.push(key);
                table.rows.push(Vec::new());
                (table.keys.len() - 1) as u32
            });
            table.rows[at as usize].push((id, row));
            table.of.push(at);
        }
        table.touched = vec![false; table.keys.len()];
        table
    }

    /// Where a finding frees bytes when it is the only one, largest first.
    pub(super) fn frees(&mut self, claims: &[Portion]) -> Vec<Freed> {
        let mut sums: FxHashMap<u32, i64> = FxHashMap::default();
        for claim in claims {
            if let Some(&at) = self.of.get(claim.row as usize) {
                *sums.entry(at).or_default() += claim.bytes.cast_signed();
            }
        }
        let mut sums: Vec<(u32, i64)> = sums.into_iter().collect();
        sums.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| self.key(a.0).cmp(self.key(b.0))));
        let mut freed = Vec::with_capacity(sums.len());
        for (at, bytes) in sums {
            self.touched[at as usize] = true;
            let (site, function, holds) = self.key(at).clone();
            freed.push(Freed {
                holder: function.to_owned(),
                holds,
                site: Some(site),
                bytes,
            });
        }
        freed
    }

    fn key(&self, at: RowId) -> &Key<'c> {
        &self.keys[at as usize]
    }

    /// The table, with what is small and of no finding in one row.
    pub(super) fn listed(&self) -> Allocated {
        let counted = self.churn.objects().is_some();
        let count = |rows: &[(RowId, &Row)]| counted.then(|| rows.iter().map(|(_, row)| row.count).sum());
        let least = MATTERS * self.churn.bytes() as f64;
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        let bytes: Vec<u64> = self
            .rows
            .iter()
            .map(|rows| rows.iter().map(|(_, row)| row.bytes).sum())
            .collect();
        order.sort_by(|&a, &b| {
            bytes[b]
                .cmp(&bytes[a])
                .then_with(|| self.keys[a].cmp(&self.keys[b]))
        });
        let (mut places, mut folded, mut elsewhere) = (Vec::new(), 0, Vec::new());
        for (rank, at) in order.into_iter().enumerate() {
            let rows = &self.rows[at];
            if !self.touched[at] && (rank >= MOST || (bytes[at] as f64) < least) {
                folded += 1;
                elsewhere.extend(rows.iter().copied());
                continue;
            }
            let bounds = self.churn.bounds(rows.iter().copied());
            let (site, function, holds) = self.keys[at].clone();
            places.push(AllocatedAt {
                site,
                function: function.to_owned(),
                holds,
                count: count(rows),
                bytes: bounds.bytes,
                margin: bounds.high - bounds.bytes,
            });
        }
        let bounds = self.churn.bounds(elsewhere.iter().copied());
        Allocated {
            places,
            folded: AllocatedElsewhere {
                places: folded,
                count: count(&elsewhere),
                bytes: bounds.bytes,
                margin: bounds.high - bounds.bytes,
            },
        }
    }
}

/// The type, else the kind as far as it is known.
fn holds(churn: &Churn, row: &Row) -> String {
    match (churn.type_name(row), row.kind) {
        ("", Kind::Opaque) => String::new(),
        ("", kind) => format!("{kind:?}").to_lowercase(),
        (name, _) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use deadweight_heap::ChurnBuilder;

    use super::*;

    #[test]
    fn every_byte_is_in_one_row() {
        let first = ChurnBuilder::own("f", "a.rb", 3);
        let second = ChurnBuilder::own("g", "a.rb", 9);
        let library = ChurnBuilder::library("h");
        let mut churn = ChurnBuilder::new();
        let strings = churn.allocated(std::slice::from_ref(&first), Kind::String, "String", 100_000, 40);
        churn.allocated(
            &[first.clone(), library.clone()],
            Kind::String,
            "String",
            100_000,
            40,
        );
        churn.allocated(std::slice::from_ref(&first), Kind::Array, "Array", 10, 40);
        let small = churn.allocated(std::slice::from_ref(&second), Kind::Array, "Array", 2, 40);
        churn.allocated(std::slice::from_ref(&second), Kind::String, "String", 3, 40);
        churn.allocated(&[library], Kind::Opaque, "", 100_000, 16);
        let churn = churn.build();
        let mut table = Table::new(&churn);
        let portion = |row, bytes| Portion { row, bytes };
        let freed = table.frees(&[
            portion(small, 80),
            portion(strings, 4_000_000),
            portion(strings, 10),
        ]);
        let shown: Vec<_> = freed
            .iter()
            .map(|freed| (freed.holder.as_str(), freed.site.as_deref(), freed.bytes))
            .collect();
        assert_eq!(
            shown,
            [("f", Some("a.rb:3"), 4_000_010), ("g", Some("a.rb:9"), 80)]
        );
        let allocated = table.listed();
        let places: Vec<_> = allocated
            .places
            .iter()
            .map(|at| (at.site.as_str(), at.holds.as_str(), at.count, at.bytes))
            .collect();
        // What is small is listed where a finding frees it.
        assert_eq!(
            places,
            [
                ("a.rb:3", "String", Some(200_000), 8_000_000),
                ("", "", Some(100_000), 1_600_000),
                ("a.rb:9", "Array", Some(2), 80),
            ]
        );
        assert_eq!((allocated.folded.places, allocated.folded.bytes), (2, 520));
        let all: u64 = allocated.places.iter().map(|at| at.bytes).sum();
        assert_eq!(all + allocated.folded.bytes, churn.bytes());
    }
}
