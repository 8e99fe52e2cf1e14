//! Types that a change has given another name, so that their places are compared and not listed as new.

use std::collections::{BTreeMap, BTreeSet};

use deadweight_weighing::{Holdings, Weighing};

use crate::nameless;
use crate::proof::Renamed;
use crate::templates;

/// How much of their fields two types must share to be taken for one.
const ALIKE: f64 = 0.5;

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
    fields: BTreeSet<&'h str>,
    stands: BTreeMap<&'h str, u64>,
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
        for (first, was) in gone {
            for (second, is) in &come {
                let likeness = self.likeness(was, is);
                // Types come in the order of their names: the first of equals is always the same.
                if likeness >= ALIKE && best.is_none_or(|(most, ..)| likeness > most) {
                    best = Some((likeness, first, second));
                }
            }
        }
        best.map(|(_, first, second)| (first.to_owned(), second.to_owned()))
    }

    fn likeness(&self, was: &Known<'_>, is: &Known<'_>) -> f64 {
        let shared = was.fields.intersection(&is.fields).count();
        let all = was.fields.union(&is.fields).count();
        let by_fields = if shared >= 2 {
            shared as f64 / all as f64
        } else {
            0.0
        };
        let in_its_stead = is.stands.iter().any(|(place, count)| {
            let place = self.place(place);
            let near = |other: &u64| other.max(count) / 2 <= *other.min(count);
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
            types.entry(of).or_default().fields.insert(rest);
        }
    }
    for place in holdings.places.iter().filter(|place| !place.runtime) {
        if let Some(known) = types.get_mut(place.holds.as_str()) {
            *known.stands.entry(&place.holder).or_default() += place.count;
        }
    }
    types
}
