//! Tables in which a fix looks up the one object of each value, where the program keeps them.

use serde_json::Value;

use super::Draft;
use crate::places::{Name, Places};
use crate::proof::Saving;

/// Where the evidence says what such a table takes; the way of mending that keeps it has the same name.
pub(super) const KEPT: &str = "kept_table";

/// The way in which the runtime's own table of texts takes none of them.
const OWN: &str = "own_table";

/// A table with some more or fewer entries than the finding counts takes at most this much more or less.
const ABOUT: f64 = 2.0;

/// A fix has one table for each sort of value, or a few.
pub(crate) const MOST: u64 = 8;

/// Leaves the way of a table of the program's own to those fixes alone whose texts did not make the runtime's table grow, by half of
/// what each of them adds to it.
pub(super) fn settle_own(fixes: &mut [Draft<'_>], places: &Places) {
    for fix in fixes {
        let Some(adds) = interned(fix) else { continue };
        let of_runtime = fix.frees().iter().filter(|freed| freed.bytes < 0);
        let of_runtime = of_runtime.filter(|freed| freed.holder.is_empty() && !freed.holds.is_empty());
        let saved = of_runtime.filter_map(|freed| Some(places.saved(&places.of(freed)?).held));
        let grew = -saved.sum::<i64>();
        if grew.saturating_mul(2) >= adds.cast_signed() {
            fix.ways.remove(OWN);
        }
    }
}

/// What the runtime's own table of texts takes more by the finding's own words.
fn interned(fix: &Draft<'_>) -> Option<u64> {
    fix.finding.evidence.get("interned_table").and_then(Value::as_u64)
}

/// Finds for each fix that was made and shares objects the new place that has about the bytes of its table, and counts
/// these as the fix's own: predicted as the finding prices the table, measured as they came. Gives what is predicted of
/// all of them.
pub(super) fn count_kept(fixes: &mut [Draft<'_>], places: &Places, touched: &mut Vec<Name>) -> Saving {
    let mut all = Saving::default();
    let mut order: Vec<(u64, usize)> = (0..fixes.len())
        .filter(|&at| fixes[at].is_made() && !fixes[at].finding.external)
        .filter_map(|at| Some((priced(&fixes[at])?, at)))
        .collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    for (priced, at) in order {
        let off = |came: f64| (came / priced as f64).max(priced as f64 / came);
        let new = places.all.iter().filter(|(name, both)| {
            !name.0.is_empty() && both.count[0] == 0 && both.count[1] <= MOST && !touched.contains(name)
        });
        let new = new.map(|(name, both)| (name, -both.saved().held));
        let of_table = new.filter(|(_, came)| *came > 0 && off(*came as f64) <= ABOUT);
        let nearest = of_table.min_by(|a, b| off(a.1 as f64).total_cmp(&off(b.1 as f64)));
        let (Some((name, came)), Some(mut measured)) = (nearest, fixes[at].report.measured) else {
            continue;
        };
        touched.push(name.clone());
        let instead = not_in_the_runtimes(&fixes[at]);
        let report = &mut fixes[at].report;
        all.held += instead;
        report.predicted.held += instead;
        all.held -= priced.cast_signed();
        report.predicted.held -= priced.cast_signed();
        measured.held -= came;
        report.measured = Some(measured);
        report.error = report.predicted.error(measured);
        report.way.get_or_insert_with(|| KEPT.to_owned());
    }
    all
}

/// What a fix saves more than is predicted of it, as its texts stand in a table that the program keeps and not in the runtime's.
fn not_in_the_runtimes(fix: &Draft<'_>) -> i64 {
    let is_predicted = fix.report.way.as_deref() != Some(OWN);
    let grows = interned(fix).filter(|_| is_predicted).unwrap_or(0);
    (grows as f64 * fix.share).round() as i64
}

/// What stands between the type that is allocated and the function that does.
const ALLOCATED_IN: &str = " in ";

/// At most this share of what a fix frees is its table.
const SMALL: f64 = 0.5;

/// The same where blocks are known by the function that allocates them, and the finding prices no table: what a function that
/// is new makes is the fix's own, where it makes a block for each value, and no more than there were objects. Nothing of it is
/// predicted.
pub(super) fn count_allocated(fixes: &mut [Draft<'_>], places: &Places, touched: &mut Vec<Name>) {
    let function = |name: &Name| {
        let after = name.0.rsplit_once(ALLOCATED_IN);
        after.map_or(name.0.as_str(), |(_, function)| function).to_owned()
    };
    let new = |touched: &[Name]| -> Vec<(Name, u64, i64)> {
        let new = places.all.iter().filter(|(name, both)| {
            let is_new = !name.0.is_empty() && both.count[0] == 0 && both.count[1] > 0;
            is_new && !touched.contains(name)
        });
        new.map(|(name, both)| (name.clone(), both.count[1], -both.saved().held))
            .collect()
    };
    for fix in fixes
        .iter_mut()
        .filter(|fix| fix.is_made() && !fix.finding.external)
    {
        let finding = fix.finding;
        let values = finding.evidence.get("values").and_then(Value::as_u64);
        let (Some(values), Some(mut measured)) = (values, fix.report.measured) else {
            continue;
        };
        if finding.site.is_none() || priced(fix).is_some() {
            continue;
        }
        let new = new(touched);
        let objects = values.max(1)..=finding.count + finding.unaffected;
        let Some((of_values, ..)) = new.iter().find(|(_, count, _)| objects.contains(count)) else {
            continue;
        };
        let of_values = function(of_values);
        let own = new.iter().filter(|(name, ..)| function(name) == of_values);
        let came: i64 = own.clone().map(|(.., came)| came).sum();
        if came <= 0 || came as f64 > SMALL * measured.held as f64 {
            continue;
        }
        touched.extend(own.map(|(name, ..)| name.clone()));
        measured.held -= came;
        fix.report.measured = Some(measured);
        fix.report.error = fix.report.predicted.error(measured);
    }
}

/// Bytes that the table takes by the finding's own words.
fn priced(fix: &Draft<'_>) -> Option<u64> {
    let bytes = fix.finding.evidence.get(KEPT).and_then(Value::as_u64)?;
    (bytes > 0).then_some(bytes)
}
