//! What a practice found in the source makes, as far as the record tells.

use deadweight_heap::churn::{Practice, Remains, Row, RowId, Waste};
use deadweight_heap::{Churn, Kind};

use crate::ChurnCandidate;
use crate::count::Count;

/// A candidate for every practice of that sort whose line made something.
pub(crate) fn practiced(churn: &Churn, waste: Waste) -> Vec<ChurnCandidate> {
    let of_waste = churn.practices.iter().filter(|practice| practice.waste == waste);
    let deep = churn.has_callees();
    of_waste
        .filter_map(|practice| candidate(churn, practice, deep))
        .collect()
}

/// How a row came to be taken for the practice's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// The call it names made the row.
    Called,
    /// The line made it, and the record has no frames beyond the line.
    Near,
}

fn matched(churn: &Churn, practice: &Practice, row: &Row, deep: bool) -> Option<Match> {
    let stack = row.stack?;
    let own = churn.own(stack)?;
    if !churn.is_at(practice, own) {
        return None;
    }
    match churn.callee(stack) {
        Some(callee) => (practice.is_maker(&callee.function) && churn.may_be(row, &practice.kinds))
            .then_some(Match::Called),
        None if practice.makers.is_empty() => churn.may_be(row, &practice.kinds).then_some(Match::Called),
        // What a function made by itself is not what it called made, where calls of the engine are recorded.
        None if deep => None,
        None => churn.may_be(row, &practice.kinds).then_some(Match::Near),
    }
}

fn candidate(churn: &Churn, practice: &Practice, deep: bool) -> Option<ChurnCandidate> {
    let rows: Vec<(RowId, &Row, Match)> = churn
        .rows
        .iter()
        .enumerate()
        .filter_map(|(id, row)| Some((id as RowId, row, matched(churn, practice, row, deep)?)))
        .collect();
    let own = churn.own(rows.first()?.1.stack?)?;
    let mut candidate = ChurnCandidate::at(own);
    candidate.place = format!("{}:{}", practice.file, practice.lines.0);
    candidate.file.clone_from(&practice.file);
    for &(id, row, _) in &rows {
        candidate.claim(id, row.bytes - row.kept_bytes.unwrap_or_default().min(row.bytes));
        candidate.bytes_now += row.bytes;
        candidate.count += row.count;
    }
    candidate.added = remains(practice, &rows, candidate.bytes_now)?;
    let counted = churn.objects().is_some();
    if counted {
        let made = Count(candidate.count).of("object", "objects");
        candidate.title = format!("`{}` makes {made} to throw away", practice.code);
    } else {
        candidate.title = format!("what `{}` makes is thrown away", practice.code);
    }
    candidate.fix.clone_from(&practice.advice);
    candidate.rewrite.clone_from(&practice.rewrite);
    candidate.show("code", practice.code.as_str());
    let near = rows.iter().any(|(_, _, how)| *how == Match::Near);
    if !practice.sole && (near || churn.coverage.lines != deadweight_heap::Presence::Present) {
        candidate.assume("that this expression made all that its line or function shows of the kind");
    }
    if let Some(assumes) = &practice.assumes {
        candidate.assume(assumes.clone());
    }
    (candidate.net() > 0).then_some(candidate)
}

/// Bytes that are still made after the rewrite; `None` when that cannot be told.
fn remains(practice: &Practice, rows: &[(RowId, &Row, Match)], bytes: u64) -> Option<u64> {
    match practice.remains {
        Remains::Nothing => Some(0),
        Remains::One => Some(
            rows.iter()
                .map(|(_, row, _)| row.largest.unwrap_or(row.mean()))
                .sum(),
        ),
        Remains::AtMost(most) => {
            let is_collection = |row: &Row| matches!(row.kind, Kind::Array | Kind::Table);
            let (mut collections, mut count, mut elements) = (0, 0, 0);
            for (_, row, _) in rows {
                if is_collection(row) {
                    collections += row.count;
                } else {
                    count += row.count;
                    elements += row.bytes;
                }
            }
            let mean = elements.checked_div(count)?;
            (collections > 0).then(|| (collections * most.min(count.div_ceil(collections)) * mean).min(bytes))
        }
    }
}
