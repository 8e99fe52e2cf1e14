//! Types that a change has given another name, so that their places are compared and not listed as new.

use crate::places::SAME;
use std::collections::{BTreeMap, BTreeSet};

use deadweight_weighing::{Holdings, Weighing};

use crate::nameless;
use crate::proof::Renamed;
use crate::templates;

/// How much of their fields two types must share to be taken for one.
const ALIKE: f64 = 0.5;

/// Fewer objects than this say nothing by their number.
const FEW: u64 = 100;

/// Names of the second side's types as the first side calls them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    first: BTreeMap<String, String>,
    /// Names that differ in template arguments alone.
    arguments: BTreeMap<String, String>,
    nameless: BTreeMap<String, String>,
}

/// What is known of a record type: where it stands, with how many, and which of its fields hold something.
#[derive(Default)]
struct Known<'h> {
    fields: BTreeMap<&'h str, Field<'h>>,
    stands: BTreeMap<&'h str, u64>,
}

/// What stands in a field, in all records together.
#[derive(Default)]
struct Field<'h> {
    holds: BTreeSet<&'h str>,
    count: u64,
}

impl Field<'_> {
    /// Whether it may be the same field: it holds something of the same type, or about as many objects.
    fn is_like(&self, other: &Self) -> bool {
        !self.holds.is_disjoint(&other.holds) || are_about_as_many(self.count, other.count)
    }
}

fn are_about_as_many(a: u64, b: u64) -> bool {
    a.max(b) / 2 <= a.min(b)
}

impl Known<'_> {
    /// How many there are.
    fn count(&self) -> u64 {
        self.stands.values().sum()
    }
}

impl Names {
    /// Matches the types that only one side has: by their fields, or by standing at the same place in its stead.
    /// Without a table of places on both sides, every name stays as it is.
    pub(crate) fn new(first: &Weighing, second: &Weighing) -> Self {
        let (Some(before), Some(after)) = (&first.holdings, &second.holdings) else {
            return Self::default();
        };
        let arguments = templates::pairs(&all(first, before), &all(second, after));
        let mut names = Self {
            arguments: arguments.into_iter().collect(),
            ..Self::default()
        };
        names.nameless = nameless::names(before, after, |ty| {
            names.arguments.get(ty).map_or(ty, String::as_str)
        });
        let (old, new) = (types(before), types(after));
        // A renamed type renames the places of what it holds, which may reveal the next one.
        while let Some((first, second)) = names.next(&old, &new) {
            names.first.insert(second, first);
        }
        names
    }

    fn next(
        &self,
        old: &BTreeMap<&str, Known<'_>>,
        new: &BTreeMap<&str, Known<'_>>,
    ) -> Option<(String, String)> {
        let taken: BTreeSet<&str> = self.first.values().map(String::as_str).collect();
        let gone = old
            .iter()
            .filter(|(name, _)| !new.contains_key(*name) && !taken.contains(*name));
        let come: Vec<_> = new
            .iter()
            .filter(|(name, _)| !old.contains_key(*name) && !self.first.contains_key(**name))
            .collect();
        let mut best: Option<(f64, &str, &str)> = None;
        let gone: Vec<_> = gone.collect();
        let mut pairs: BTreeMap<&str, usize> = BTreeMap::new();
        for (first, was) in &gone {
            for (second, is) in &come {
                if self.by_contents(was, is) >= ALIKE {
                    *pairs.entry(first).or_default() += 1;
                    *pairs.entry(second).or_default() += 1;
                }
            }
        }
        // What could be several by its contents is known by its names alone.
        let is_only = |name: &str| pairs.get(name).is_none_or(|&pairs| pairs == 1);
        for (first, was) in &gone {
            for (second, is) in &come {
                let likeness = if is_only(first) && is_only(second) {
                    self.likeness(was, is)
                } else {
                    self.by_names(was, is)
                };
                // Types come in the order of their names: the first of equals is always the same.
                if likeness >= ALIKE && best.is_none_or(|(most, ..)| likeness > most) {
                    best = Some((likeness, first, second));
                }
            }
        }
        best.map(|(_, first, second)| (first.to_owned(), second.to_owned()))
    }

    /// How alike two types are, from 0; what is [`ALIKE`] may be one.
    fn likeness(&self, was: &Known<'_>, is: &Known<'_>) -> f64 {
        self.by_names(was, is).max(self.by_contents(was, is))
    }

    /// By what stands in their fields, whatever these are called: of types that are as many on both sides.
    fn by_contents(&self, was: &Known<'_>, is: &Known<'_>) -> f64 {
        let (count, others) = (was.count(), is.count());
        if count < FEW || count.abs_diff(others) as f64 > SAME * count as f64 {
            return 0.0;
        }
        let mut rest: Vec<&Field<'_>> = is.fields.values().collect();
        let all = was.fields.len().max(rest.len());
        let mut alike = 0;
        for field in was.fields.values() {
            let holds = |other: &&Field<'_>| {
                let mut types = other.holds.iter().map(|ty| self.ty(ty));
                types.any(|ty| field.holds.contains(ty))
            };
            if let Some(at) = rest.iter().position(holds) {
                rest.swap_remove(at);
                alike += 1;
            }
        }
        // Names say more: what they say of other types is looked at first.
        ALIKE * f64::from(alike) / all.max(1) as f64
    }

    fn by_names(&self, was: &Known<'_>, is: &Known<'_>) -> f64 {
        let of_both = was
            .fields
            .iter()
            .filter_map(|(name, was)| Some((was, is.fields.get(name)?)));
        let named_alike = of_both.clone().count();
        let shared = of_both.filter(|(was, is)| was.is_like(is)).count();
        let all = was.fields.len() + is.fields.len() - named_alike;
        let by_fields = if shared >= 2 {
            shared as f64 / all as f64
        } else {
            0.0
        };
        let in_its_stead = is.stands.iter().any(|(place, count)| {
            let place = self.place(place);
            let near = |other: &u64| are_about_as_many(*other, *count);
            was.stands
                .iter()
                .any(|(other, others)| *other == place && near(others))
        });
        by_fields + if in_its_stead { ALIKE } else { 0.0 }
    }

    /// A type of the second side, as the first calls it.
    pub(crate) fn ty<'n>(&'n self, name: &'n str) -> &'n str {
        let first = self.first.get(name).or_else(|| self.arguments.get(name));
        first.map_or(name, String::as_str)
    }

    /// A place of the second side, as the first calls it.
    pub(crate) fn place(&self, holder: &str) -> String {
        let whole = |name: &str| self.arguments.get(name).or_else(|| self.nameless.get(name));
        if let Some(first) = whole(holder) {
            return first.clone();
        }
        // A finding may be of one size of blocks among those of a place.
        if let Some((place, size)) = holder.rsplit_once(" (")
            && let Some(first) = whole(place)
        {
            return format!("{first} ({size}");
        }
        let renamed = self.first.iter().find_map(|(second, first)| {
            let rest = holder.strip_prefix(second.as_str())?;
            (rest.is_empty() || rest.starts_with(['.', '[', '{'])).then(|| format!("{first}{rest}"))
        });
        renamed.unwrap_or_else(|| holder.to_owned())
    }

    /// For the proof.
    pub(crate) fn to_renamed(&self) -> Vec<Renamed> {
        let both = self.first.iter().map(|(after, before)| Renamed {
            before: before.clone(),
            after: after.clone(),
        });
        both.collect()
    }
}

/// All names of a side.
fn all<'w>(weighing: &'w Weighing, holdings: &'w Holdings) -> BTreeSet<&'w str> {
    let offered = weighing.findings.iter().chain(&weighing.options);
    let places = holdings.places.iter();
    places
        .flat_map(|place| [place.holder.as_str(), place.holds.as_str()])
        .chain(offered.map(|finding| finding.holder.as_str()))
        .collect()
}

/// The types whose fields hold something. A boxed number that takes a date's place is no type by another name.
fn types(holdings: &Holdings) -> BTreeMap<&str, Known<'_>> {
    let mut types: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    for place in &holdings.places {
        if let Some((of, rest)) = place
            .of
            .as_deref()
            .and_then(|of| Some((of, place.holder.strip_prefix(of)?)))
        {
            let field = types.entry(of).or_default().fields.entry(rest).or_default();
            field.holds.insert(&place.holds);
            field.count += place.count;
        }
    }
    for place in holdings.places.iter().filter(|place| !place.runtime) {
        if let Some(known) = types.get_mut(place.holds.as_str()) {
            *known.stands.entry(&place.holder).or_default() += place.count;
        }
    }
    types
}
