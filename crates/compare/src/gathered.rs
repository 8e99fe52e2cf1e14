//! Objects that left a place for one that is new: a table that shares them names them now, and they did not go.

use std::collections::{BTreeMap, BTreeSet};

use crate::places::{FEW, Name, Places, is_field_of};
use crate::proof::Saving;

/// How names of what stands in a container end.
pub(crate) const INSIDE: [&str; 3] = [KEYS, "{}", "[]"];
const KEYS: &str = "{keys}";

/// Objects of more places than this may have come from any of them, and from none.
const MOST_SOURCES: usize = 64;

/// Where objects of a place went. Of what several places may have left, each has a share from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Went {
    pub(crate) objects: Vec<(Name, f64)>,
    /// The new containers that hold them, and keys of these.
    pub(crate) holders: Vec<(Name, f64)>,
}

impl Places {
    /// Objects of a type of the program's own that stand at a new place are those that are fewer at another, and so are
    /// others where a container is new with them, or the records in whose fields they stand.
    pub(crate) fn follow_gathered(&mut self) {
        let is_new = |name: &Name| {
            self.all
                .get(name)
                .is_some_and(|is| is.count[0] == 0 && is.count[1] > 0)
        };
        // By what they held: a new place is held against these alone.
        let mut sources: BTreeMap<&str, Vec<(&Name, u64)>> = BTreeMap::new();
        for (name, was) in &self.all {
            let fewer = was.count[0].saturating_sub(was.count[1]);
            if !name.0.is_empty() && was.count[0] >= FEW && fewer > 0 {
                sources.entry(&was.holds).or_default().push((name, fewer));
            }
        }
        let new_types = self.new_record_types();
        let mut gathered: BTreeMap<Name, Went> = BTreeMap::new();
        for (name, is) in &self.all {
            if name.0.is_empty() || !name.1.is_empty() || is.holds.is_empty() || !is_new(name) {
                continue;
            }
            let holders = Self::containers(name);
            let container = holders.first().filter(|container| is_new(container));
            let in_new_record = new_types.iter().any(|ty| is_field_of(&name.0, ty));
            if container.is_none() && !in_new_record && !self.is_record(&is.holds) {
                continue;
            }
            let left = sources.get(is.holds.as_str()).map_or(&[][..], Vec::as_slice);
            let left: Vec<(&Name, u64)> = left
                .iter()
                .copied()
                .filter(|(_, fewer)| *fewer >= is.count[1])
                // Fields hold what were values; the keys have become their names.
                .filter(|(old, _)| !in_new_record || !old.0.ends_with(KEYS))
                .take(MOST_SOURCES + 1)
                .collect();
            if left.len() > MOST_SOURCES {
                continue;
            }
            let all: u64 = left.iter().map(|(_, fewer)| fewer).sum();
            for (old, fewer) in left {
                let share = fewer as f64 / all as f64;
                let went = gathered.entry(old.clone()).or_default();
                went.objects.push((name.clone(), share));
                let new = holders.iter().filter(|holder| *holder != name && is_new(holder));
                went.holders.extend(new.map(|holder| (holder.clone(), share)));
            }
        }
        for (old, went) in &mut gathered {
            let Went { objects, holders } = went;
            // No more can have come from a place than are fewer there.
            let came = |(name, share): &(Name, f64)| self.all[name].count[1] as f64 * share;
            let came: f64 = objects.iter().map(came).sum();
            let fewer = self.all[old].count[0].saturating_sub(self.all[old].count[1]) as f64;
            if came > fewer {
                for (_, share) in objects.iter_mut() {
                    *share *= fewer / came;
                }
            }
            // A key that was an object of the program before counts as that object.
            holders.retain(|(holder, _)| objects.iter().all(|(name, _)| name != holder));
        }
        self.gathered = gathered;
    }

    /// Types of records that only the second side has: nothing stood in a field of theirs before.
    fn new_record_types(&self) -> BTreeSet<&str> {
        let (mut old, mut all) = (BTreeSet::new(), BTreeSet::new());
        for ((holder, _), both) in &self.all {
            let ty = holder.rsplit_once('.').map(|(ty, _)| ty);
            let side = if both.count[0] > 0 { &mut old } else { &mut all };
            side.extend(ty);
        }
        all.retain(|ty| !old.contains(ty));
        all
    }

    /// What is less than before at a place, less what stands at another now.
    pub(crate) fn saved(&self, name: &Name) -> Saving {
        let stays = self.gathered.get(name).map(|went| self.part(&went.objects));
        self.all[name].saved() + stays.unwrap_or_default()
    }

    /// What is less at some places, each in the share that counts; negative for what came.
    pub(crate) fn part(&self, shares: &[(Name, f64)]) -> Saving {
        let part = |bytes: i64, share: f64| (bytes as f64 * share).round() as i64;
        let parts = shares.iter().map(|(name, share)| {
            let saved = self.all[name].saved();
            Saving {
                held: part(saved.held, *share),
                external: part(saved.external, *share),
            }
        });
        parts.sum()
    }

    /// The container of what stands at a place, and its keys.
    fn containers(name: &Name) -> Vec<Name> {
        let holder = INSIDE.iter().find_map(|inside| name.0.strip_suffix(inside));
        let Some(holder) = holder else { return Vec::new() };
        let names = [holder.to_owned(), format!("{holder}{{keys}}")];
        names.map(|holder| (holder, String::new())).into()
    }
}
