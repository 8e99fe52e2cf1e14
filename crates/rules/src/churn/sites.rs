//! The lines that make most, whether or not a rule has something to say of them.

use deadweight_heap::Churn;
use deadweight_heap::churn::{Row, RowId};
use rustc_hash::FxHashMap;

use super::lines;
use deadweight_weighing::{ChurnSite, TypeShare};

/// How many lines are listed.
const LISTED: usize = 20;

/// How many types are named of each.
const TYPES: usize = 3;

/// The lines that make most bytes, largest first; and one without a place for what no line of the program made.
pub(super) fn sites(churn: &Churn) -> Vec<ChurnSite> {
    let mut sites: Vec<ChurnSite> = lines(churn)
        .into_iter()
        .map(|line| site(churn, line.own.place(), line.own.function.clone(), &line.rows))
        .collect();
    let nobodys: Vec<(RowId, &Row)> = (0..)
        .zip(churn.rows.iter())
        .filter(|(_, row)| row.stack.and_then(|stack| churn.stacks.own(stack)).is_none())
        .collect();
    sites.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.site.cmp(&b.site)));
    sites.truncate(LISTED);
    if !nobodys.is_empty() {
        sites.push(site(churn, String::new(), String::new(), &nobodys));
        sites.sort_by_key(|site| std::cmp::Reverse(site.bytes));
    }
    sites
}

fn site(churn: &Churn, place: String, function: String, rows: &[(RowId, &Row)]) -> ChurnSite {
    let counted = churn.is_counted();
    let bounds = churn.bounds(rows.iter().copied());
    let rows = || rows.iter().map(|(_, row)| *row);
    let mut types: FxHashMap<&str, u64> = FxHashMap::default();
    for row in rows() {
        *types.entry(churn.type_name(row)).or_default() += row.bytes;
    }
    let mut types: Vec<TypeShare> = types
        .into_iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, bytes)| TypeShare {
            name: name.to_owned(),
            bytes,
        })
        .collect();
    types.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    types.truncate(TYPES);
    ChurnSite {
        site: place,
        function,
        bytes: bounds.bytes,
        low: bounds.low,
        high: bounds.high,
        objects: counted.then(|| rows().map(|row| row.count).sum()),
        kept_bytes: rows().map(|row| row.kept_bytes).sum(),
        types,
    }
}
