//! Objects that have another place after a change: they are followed by what they are, and did not go.

use std::collections::BTreeMap;

use crate::places::{Both, FEW, Name, Places, SAME};

/// What stands in the name of a place between the type that is allocated and the function that does.
const ALLOCATED_IN: &str = " in ";

impl Places {
    /// As many objects of the same kind and size that left one place and came to another have moved: their bytes did
    /// not go. Of several, the one at a field of the same name.
    pub(crate) fn follow(&mut self) {
        let weight = |both: &Both, side: usize| both.bytes[side].held + both.bytes[side].external;
        let near = |a: u64, b: u64| a.abs_diff(b) as f64 <= SAME * a.max(b) as f64;
        let gone = |both: &Both| both.count[0] >= FEW && both.count[1] == 0;
        let come = |both: &Both| both.count[1] >= FEW && both.count[0] == 0;
        // A type of the program's own that left its only place and came to one other is the same type, whatever a fix made
        // of its size.
        let mut only: BTreeMap<String, [u32; 2]> = BTreeMap::new();
        for both in self.all.values().filter(|both| gone(both) || come(both)) {
            only.entry(both.holds.clone()).or_default()[usize::from(come(both))] += 1;
        }
        only.retain(|ty, places| *places == [1, 1] && self.is_record(ty));
        let left: Vec<Name> = self
            .all
            .iter()
            .filter(|(_, both)| gone(both))
            .map(|(name, _)| name.clone())
            .collect();
        for old in left {
            let was = &self.all[&old];
            let field = |name: &Name| {
                name.0
                    .rsplit('.')
                    .next()
                    .map(|field| field.trim_end_matches("[]").to_owned())
            };
            let moved = self
                .all
                .iter()
                .filter(|(_, is)| come(is) && is.holds == was.holds)
                .filter(|(_, is)| {
                    let is_alone = only.contains_key(&is.holds);
                    near(was.count[0], is.count[1]) && (is_alone || near(weight(was, 0), weight(is, 1)))
                })
                .map(|(name, _)| name.clone())
                .min_by_key(|name| field(name) != field(&old));
            let Some(is) = moved.as_ref().and_then(|name| self.all.remove(name)) else {
                continue;
            };
            let Some(name) = moved else { continue };
            self.put(&old, &name, is);
            // The container goes where its elements go.
            let container = |name: &Name| {
                let holder = name.0.strip_suffix("[]").or_else(|| name.0.strip_suffix("{}"))?;
                Some((holder.to_owned(), String::new()))
            };
            let (Some(old), Some(name)) = (container(&old), container(&name)) else {
                continue;
            };
            let is_gone = self.all.get(&old).is_some_and(|was| was.count[1] == 0);
            let has_come = self.all.get(&name).is_some_and(|is| is.count[0] == 0);
            if is_gone
                && has_come
                && let Some(is) = self.all.remove(&name)
            {
                self.put(&old, &name, is);
            }
        }
    }

    /// What the second side has at one place is what the first has at another.
    fn put(&mut self, old: &Name, name: &Name, is: Both) {
        if let Some(both) = self.all.get_mut(old) {
            both.count[1] = is.count[1];
            both.bytes[1] = is.bytes[1];
            both.renamed = Some(is.renamed.unwrap_or_else(|| name.0.clone()));
        }
    }

    /// Blocks of a type that other functions allocate now, one each for those that are fewer where they were allocated
    /// before, as when containers are cut or copied, are the same blocks.
    pub(crate) fn follow_allocations(&mut self) {
        let allocated = |name: &Name| {
            let (ty, _) = name.0.split_once(ALLOCATED_IN)?;
            name.1.is_empty().then(|| ty.to_owned())
        };
        let mut types: BTreeMap<String, [Vec<Name>; 2]> = BTreeMap::new();
        for (name, both) in &self.all {
            let fewer = both.count[0] >= FEW && both.count[1] < both.count[0];
            let come = both.count[0] == 0 && both.count[1] > 0;
            if let Some(ty) = allocated(name).filter(|_| fewer || come) {
                types.entry(ty).or_default()[usize::from(come)].push(name.clone());
            }
        }
        for [was, come] in types.into_values() {
            // Of several places it is not known which went where.
            let [old] = was.as_slice() else { continue };
            let come: Vec<(Name, Both)> = come
                .iter()
                .filter_map(|name| self.all.remove_entry(name))
                .collect();
            let Some(both) = self.all.get_mut(old) else {
                continue;
            };
            let count = both.count[1] + come.iter().map(|(_, is)| is.count[1]).sum::<u64>();
            if come.is_empty() || count.abs_diff(both.count[0]) as f64 > SAME * both.count[0] as f64 {
                self.all.extend(come);
                continue;
            }
            both.count[1] = count;
            for (_, is) in come {
                both.bytes[1].held += is.bytes[1].held;
                both.bytes[1].external += is.bytes[1].external;
            }
        }
    }
}
