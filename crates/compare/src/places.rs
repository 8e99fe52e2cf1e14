//! The tables of places of two weighings, row against row.

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, Freed, Holding, Holdings};

use crate::align::Names;
use crate::gathered::Went;
use crate::nameless::is_nameless;
use crate::proof::{Amount, Place, Records, Saving};

/// Fewer objects than this say nothing about how many records there are.
pub(crate) const FEW: u64 = 100;

/// Counts and bytes this close are the same, and so are ratios of them.
pub(crate) const SAME: f64 = 0.01;

/// Bytes of a few large objects that are this close to the ratio of counts follow it.
const CLOSE: f64 = 0.1;

/// The share of all that can be counted on both sides whose counts must agree on one ratio.
const AGREED: f64 = 0.3;

/// The share of it whose counts are the same on both sides that speaks against a ratio which one place alone has.
const EQUAL: f64 = 0.05;

/// How the names of places begin that say nothing.
const NOWHERE: &str = "(elsewhere)";

/// A place of the first side's table: what stands there for one person's eyes, whatever its type. The runtime's own
/// is told apart by kind.
pub(crate) type Name = (String, String);

/// Whether a place is a field of a type, or what stands in one.
pub(crate) fn is_field_of(holder: &str, ty: &str) -> bool {
    let rest = holder.strip_prefix(ty);
    rest.is_some_and(|rest| rest.starts_with(['.', '[', '{']))
}

/// One place on both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Both {
    pub(crate) holds: String,
    pub(crate) count: [u64; 2],
    pub(crate) bytes: [Amount; 2],
    /// What the second side's bytes are taken times.
    pub(crate) scale: f64,
    /// Where the second side calls it something else.
    pub(crate) renamed: Option<String>,
}

impl Both {
    pub(crate) fn after(&self) -> Amount {
        let scaled = |bytes: u64| (bytes as f64 * self.scale).round() as u64;
        Amount {
            held: scaled(self.bytes[1].held),
            external: scaled(self.bytes[1].external),
        }
    }

    /// What is less than before, the second side brought to the records of the first.
    pub(crate) fn saved(&self) -> Saving {
        difference(self.bytes[0], self.after())
    }

    pub(crate) fn place(&self, name: &Name) -> Place {
        let holder = match &self.renamed {
            Some(renamed) if self.count[0] == 0 => renamed.clone(),
            _ => name.0.clone(),
        };
        Place {
            holder,
            holds: self.holds.clone(),
            count_before: self.count[0],
            count_after: self.count[1],
            before: self.bytes[0],
            after: self.after(),
            saved: self.saved(),
        }
    }
}

pub(crate) fn weight(bytes: Amount) -> u64 {
    bytes.held + bytes.external
}

pub(crate) fn difference(before: Amount, after: Amount) -> Saving {
    Saving {
        held: before.held.cast_signed() - after.held.cast_signed(),
        external: before.external.cast_signed() - after.external.cast_signed(),
    }
}

/// All places that either side lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) all: BTreeMap<Name, Both>,
    /// What is folded on each side.
    pub(crate) folded: [Amount; 2],
    /// Bytes of the largest place that each side folds; 0 where it folds none, or does not say.
    pub(crate) may_fold: [u64; 2],
    /// Where objects went that all left a place.
    pub(crate) gathered: BTreeMap<Name, Went>,
}

impl Places {
    pub(crate) fn new(before: &Holdings, after: &Holdings, names: &Names) -> Self {
        let mut places = Self::default();
        for (side, holdings) in [before, after].into_iter().enumerate() {
            for row in &holdings.places {
                let holder = if side == 1 {
                    names.place(&row.holder)
                } else {
                    row.holder.clone()
                };
                let both = places.all.entry(name(row, holder)).or_default();
                both.add(row, side, names);
            }
            places.folded[side] = Amount {
                held: holdings.folded.bytes,
                external: holdings.folded.external,
            };
        }
        places.may_fold = [before, after].map(|side| side.folded.largest.unwrap_or(0));
        places.follow();
        places.follow_allocations();
        places.follow_gathered();
        for both in places.all.values_mut() {
            both.scale = 1.0;
        }
        places
    }

    /// Whether something stands in fields of a type.
    pub(crate) fn is_record(&self, ty: &str) -> bool {
        !ty.is_empty() && self.all.keys().any(|(holder, _)| is_field_of(holder, ty))
    }

    /// The place at which a finding frees bytes; none for what it frees at places that are not listed.
    pub(crate) fn of(&self, freed: &Freed) -> Option<Name> {
        let name = if freed.holder.is_empty() {
            (String::new(), freed.holds.clone())
        } else {
            (freed.holder.clone(), String::new())
        };
        self.all.contains_key(&name).then_some(name)
    }

    /// Bytes that a finding frees at places that the second side may well have, under a name that says nothing: of a place
    /// without a name it is known where it went only if no other came, and a small one may be folded.
    pub(crate) fn unsure(&self, finding: &Finding) -> u64 {
        let weight = |both: &Both| {
            let after = both.after();
            after.held + after.external
        };
        let mut come = [0, 0];
        for (name, both) in self.all.iter().filter(|(name, _)| !name.0.is_empty()) {
            if both.count[0] == 0 {
                let own = both.renamed.as_deref().unwrap_or(&name.0);
                come[usize::from(is_nameless(own))] += weight(both);
            }
        }
        let [named, nameless] = come;
        let mut gone = [0, 0];
        for freed in finding.frees.iter().filter(|freed| freed.bytes > 0) {
            if let Some(name) = self.of(freed).filter(|name| self.all[name].count[1] == 0) {
                gone[usize::from(is_nameless(&name.0))] += freed.bytes.unsigned_abs();
            }
        }
        let folded = self.folded[1].held + self.folded[1].external;
        // A place with a name can have lost it; one without can be any that is new.
        (gone[0].min(nameless) + gone[1].min(named + nameless + folded)).min(named + nameless + folded)
    }

    /// What the runtime holds less of its own.
    pub(crate) fn of_runtime(&self) -> Saving {
        let own = self.all.iter().filter(|(name, _)| name.0.is_empty());
        own.map(|(_, both)| both.saved()).sum()
    }

    /// What both sides can be counted by: the ratio on which most bytes agree that no finding removes.
    pub(crate) fn records(&self, findings: &[Finding]) -> Option<Records> {
        let mut removed: BTreeMap<Name, i64> = BTreeMap::new();
        let mut fewer: BTreeMap<Name, Vec<u64>> = BTreeMap::new();
        for finding in findings {
            for freed in &finding.frees {
                if let Some(name) = self.of(freed) {
                    *removed.entry(name.clone()).or_default() += freed.bytes;
                    fewer.entry(name).or_default().push(finding.count);
                }
            }
        }
        let near = |a: f64, b: f64| (a / b).ln().abs() <= SAME;
        // As many went as a fix there takes away, or all of them: that is the fix, and no other number of records.
        let is_mended = |name: &Name, both: &Both| {
            fewer.get(name).is_some_and(|counts| {
                let together = counts.iter().sum();
                let mut counts = counts.iter().copied().chain([together]);
                counts.any(|count| {
                    let left = both.count[0].saturating_sub(count);
                    near(both.count[1] as f64, left as f64)
                })
            })
        };
        let stays = |name: &Name, both: &Both| {
            // Fixes that take objects away leave fewer: as many stayed, whatever became of their bytes.
            if both.holds != "string" && both.count[0] == both.count[1] {
                return true;
            }
            let bytes = (both.bytes[0].held + both.bytes[0].external).cast_signed();
            // Fixes merge, flatten and cut strings: where a finding is, their number says nothing of the records.
            let removed = removed.get(name);
            removed.is_none_or(|removed| both.holds != "string" && removed.abs() * 2 < bytes)
                && !is_mended(name, both)
        };
        let votes: Vec<(f64, f64, &Name, &Both)> = self
            .all
            .iter()
            .filter(|(name, both)| !name.0.is_empty() && both.count.iter().all(|count| *count >= FEW))
            // What is held where nobody can name it is no record of anything.
            .filter(|(name, _)| !name.0.starts_with(NOWHERE))
            .filter(|(name, both)| stays(name, both))
            .map(|(name, both)| {
                let ratio = both.count[1] as f64 / both.count[0] as f64;
                (
                    ratio,
                    (both.bytes[0].held + both.bytes[1].held) as f64,
                    name,
                    both,
                )
            })
            .collect();
        let all: f64 = votes.iter().map(|(_, bytes, ..)| bytes).sum();
        let agreeing = |ratio: f64| votes.iter().filter(move |(other, ..)| near(*other, ratio));
        let weight = |ratio: f64| agreeing(ratio).map(|(_, bytes, ..)| bytes).sum::<f64>();
        let best = votes.iter().max_by(|a, b| weight(a.0).total_cmp(&weight(b.0)))?;
        if weight(best.0) < AGREED * all {
            return None;
        }
        // Pieces of a container change their number with their size; as many objects elsewhere are no coincidence.
        let equal = votes.iter().filter(|(.., both)| both.count[0] == both.count[1]);
        let is_alone = agreeing(best.0).count() == 1;
        let best = match equal.clone().max_by(|a, b| a.1.total_cmp(&b.1)) {
            Some(most) if is_alone && equal.map(|(_, bytes, ..)| bytes).sum::<f64>() >= EQUAL * all => most,
            _ => best,
        };
        let (_, _, name, both) = agreeing(best.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Records {
            of: name.0.clone(),
            before: both.count[0],
            after: both.count[1],
        })
    }

    /// Brings the second side to the records of the first, at the places whose counts follow them.
    pub(crate) fn scale(&mut self, records: &Records) {
        let ratio = records.after as f64 / records.before as f64;
        if !ratio.is_finite() || ratio <= 0.0 || ratio.ln().abs() <= SAME {
            return;
        }
        for (_, both) in self.all.iter_mut().filter(|(name, _)| !name.0.is_empty()) {
            let follows = match both.count {
                // A container of records is one object, whose bytes follow them.
                [before, after] if before.max(after) < FEW => {
                    let bytes = |side: usize| (both.bytes[side].held + both.bytes[side].external) as f64;
                    (bytes(1) / bytes(0) / ratio).ln().abs() < CLOSE
                }
                [_, after] if after < FEW => false,
                [0, _] => true,
                [before, after] => {
                    let own = after as f64 / before as f64;
                    (own / ratio).ln().abs() < own.ln().abs()
                }
            };
            if follows {
                both.scale = 1.0 / ratio;
            }
        }
    }

    /// What bringing the second side to the records of the first takes off its bytes.
    pub(crate) fn scaled_away(&self) -> Saving {
        let change = |both: &Both| difference(both.bytes[1], both.after());
        self.all.values().map(change).sum()
    }
}

impl Both {
    fn add(&mut self, row: &Holding, side: usize, names: &Names) {
        // What stands there is named by the type with most bytes; rows come largest first.
        if self.holds.is_empty() {
            self.holds = if side == 1 {
                names.ty(&row.holds).to_owned()
            } else {
                row.holds.clone()
            };
        }
        if side == 1 && names.place(&row.holder) != row.holder {
            self.renamed = Some(row.holder.clone());
        }
        self.count[side] += row.count;
        self.bytes[side].held += row.bytes;
        self.bytes[side].external += row.external;
    }
}

fn name(row: &Holding, holder: String) -> Name {
    let holds = if row.runtime {
        row.holds.clone()
    } else {
        String::new()
    };
    (holder, holds)
}
