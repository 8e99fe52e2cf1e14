//! Places that one side lists and the other may have folded: no list shows what became of them.

use std::collections::BTreeSet;

use deadweight_weighing::{Holding, Holdings};

use crate::align::Names;
use crate::places::{Name, Places, weight};
use crate::proof::Amount;
use crate::prove::tables::MOST;

/// What stands at a place, as the first side calls both.
type Key = (String, String);

impl Places {
    /// Counts what one side alone lists as folded on that side, too, where the other may have folded it.
    pub(crate) fn fold(&mut self, sides: [&Holdings; 2], names: &Names) {
        self.fold_types(sides, names);
        self.fold_places();
    }

    /// Of a place that both sides list those types that one of them does not: it did not grow or shrink by them.
    fn fold_types(&mut self, [before, after]: [&Holdings; 2], names: &Names) {
        let key = |row: &Holding, side: usize| -> Key {
            if side == 1 {
                (names.place(&row.holder), names.ty(&row.holds).to_owned())
            } else {
                (row.holder.clone(), row.holds.clone())
            }
        };
        let keys = |holdings: &Holdings, side: usize| -> BTreeSet<Key> {
            holdings.places.iter().map(|row| key(row, side)).collect()
        };
        let listed = [keys(before, 0), keys(after, 1)];
        let may_fold = self.may_fold;
        for (side, holdings) in [before, after].into_iter().enumerate() {
            for row in holdings.places.iter().filter(|row| !row.runtime) {
                let key = key(row, side);
                let is_small = row.bytes + row.external <= may_fold[1 - side];
                if !is_small || listed[1 - side].contains(&key) {
                    continue;
                }
                let both = self.all.get_mut(&(key.0, String::new()));
                let Some(both) = both.filter(|both| both.count[1 - side] > 0) else {
                    continue;
                };
                both.count[side] -= row.count;
                both.bytes[side].held -= row.bytes;
                both.bytes[side].external -= row.external;
                self.folded[side].held += row.bytes;
                self.folded[side].external += row.external;
            }
        }
    }

    /// Whole places. Those that were followed to another place are known.
    fn fold_places(&mut self) {
        let known: BTreeSet<&Name> = self
            .gathered
            .iter()
            .flat_map(|(name, went)| {
                let others = went.objects.iter().chain(&went.holders);
                others.map(|(name, _)| name).chain([name])
            })
            .collect();
        let is_unlisted = |name: &Name, side: usize| {
            let both = &self.all[name];
            // A table that a fix adds is small, and known by its size.
            let may_be_table = side == 1 && both.count[1] <= MOST;
            both.count[1 - side] == 0 && !may_be_table && weight(both.bytes[side]) <= self.may_fold[1 - side]
        };
        let names = self
            .all
            .keys()
            .filter(|name| name.1.is_empty() && !known.contains(name));
        let unlisted: Vec<(Name, usize)> = names
            .filter_map(|name| Some((name.clone(), (0..2).find(|&side| is_unlisted(name, side))?)))
            .collect();
        for (name, side) in unlisted {
            if let Some(both) = self.all.remove(&name) {
                let Amount { held, external } = both.bytes[side];
                self.folded[side].held += held;
                self.folded[side].external += external;
            }
        }
    }
}
