//! What a practice found in the source makes, as far as the record shows.

use std::collections::BTreeMap;

use deadweight_heap::churn::{Practice, Remains, Role, Row, RowId, Waste};
use deadweight_heap::{Churn, Kind, TypeId, Width};

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
        // A dependency's method of that name is another one.
        Some(callee) if callee.role == Role::Library => None,
        Some(callee) => (practice.is_maker(&callee.function) && churn.may_be(row, &practice.kinds))
            .then_some(Match::Called),
        None if practice.makers.is_empty() => churn.may_be(row, &practice.kinds).then_some(Match::Called),
        // What a function made by itself is not what it called made, where calls of the engine are recorded.
        None if deep => None,
        None => churn.may_be(row, &practice.kinds).then_some(Match::Near),
    }
}

/// Rows of the practice, apart from those that may be what it was handed.
struct Found<'c> {
    rows: Vec<(RowId, &'c Row, Match)>,
    /// Bytes of the others.
    operand: u64,
}

fn found<'c>(churn: &'c Churn, practice: &Practice, deep: bool) -> Found<'c> {
    let rows = churn
        .rows
        .iter()
        .enumerate()
        .filter_map(|(id, row)| Some((id as RowId, row, matched(churn, practice, row, deep)?)));
    let (operands, rows): (Vec<_>, Vec<_>) = rows.partition(|(_, row, _)| row.operand);
    Found {
        rows,
        operand: operands.iter().map(|(_, row, _)| row.bytes).sum(),
    }
}

/// Practices of that sort of which nothing is known to be more than what they were handed, with the bytes of that.
pub(crate) fn all_operand(churn: &Churn, waste: Waste) -> Vec<(&Practice, u64)> {
    let of_waste = churn.practices.iter().filter(|practice| practice.waste == waste);
    let deep = churn.has_callees();
    of_waste
        .map(|practice| (practice, found(churn, practice, deep)))
        .filter(|(_, found)| found.rows.is_empty() && found.operand > 0)
        .map(|(practice, found)| (practice, found.operand))
        .collect()
}

fn candidate(churn: &Churn, practice: &Practice, deep: bool) -> Option<ChurnCandidate> {
    let Found { rows, operand } = found(churn, practice, deep);
    let own = churn.own(rows.first()?.1.stack?)?;
    let mut candidate = ChurnCandidate::at(own);
    candidate.place = format!("{}:{}", practice.file, practice.lines.0);
    candidate.file.clone_from(&practice.file);
    for &(id, row, _) in &rows {
        candidate.bytes_now += row.bytes;
        if is_joined(churn, practice, row) {
            // What comes in its place is counted as what is left, so it may be kept.
            candidate.claim(id, row.bytes);
        } else {
            candidate.claim(id, row.bytes - row.kept_bytes.unwrap_or_default().min(row.bytes));
            candidate.count += row.count;
        }
    }
    let counted = churn.objects().is_some();
    let by_count =
        counted || !matches!(practice.remains, Remains::AtMost(_)) || practice.uncounted.is_empty();
    if by_count {
        candidate.overhead = remains(churn, practice, &rows, candidate.bytes_now)?;
        candidate.fix.clone_from(&practice.advice);
        candidate.rewrite.clone_from(&practice.rewrite);
    } else {
        // What the bound leaves is not known; something else leaves nothing.
        candidate.fix.clone_from(&practice.uncounted);
    }
    if counted {
        let made = Count(candidate.count).of("object", "objects");
        candidate.title = format!("`{}` makes {made} to throw away", practice.code);
    } else {
        candidate.title = format!("what `{}` makes is thrown away", practice.code);
    }
    candidate.show("code", practice.code.as_str());
    let near = rows.iter().any(|(_, _, how)| *how == Match::Near);
    if !practice.sole && (near || churn.coverage.lines != deadweight_heap::Presence::Present) {
        candidate.assume("that this expression made all that its line or function shows of the kind");
    }
    let is_alike = |row: &Row| row.kind != Kind::Array || row.has_one_size();
    if matches!(practice.remains, Remains::Joined(_)) && !rows.iter().all(|(_, row, _)| is_alike(row)) {
        candidate.assume("that the lists it makes are about as long as one another");
    }
    if operand > 0 {
        candidate.show("operand_bytes", operand);
        candidate.assume(format!(
            "that {} bytes more that are made there are copies of the texts handed over, which other calls that read \
             them make as well",
            Count(operand)
        ));
    }
    if let Some(assumes) = &practice.assumes {
        candidate.assume(assumes.clone());
    }
    (candidate.net() > 0).then_some(candidate)
}

/// Whether the row is of the call that puts the others together.
fn is_joined(churn: &Churn, practice: &Practice, row: &Row) -> bool {
    let callee = row.stack.and_then(|stack| churn.callee(stack));
    callee.is_some_and(|callee| practice.is_joiner(&callee.function))
}

/// Practices of that sort that made something of which it is not known how much the rewrite would still make, with the
/// bytes of all that.
pub(crate) fn unforeseen(churn: &Churn, waste: Waste) -> Vec<(&Practice, u64)> {
    let is_priced =
        |practice: &&Practice| matches!(practice.remains, Remains::Joined(_) | Remains::Buffer { .. });
    let of_waste = churn.practices.iter().filter(|practice| practice.waste == waste);
    let deep = churn.has_callees();
    of_waste
        .filter(is_priced)
        .filter_map(|practice| {
            let rows = found(churn, practice, deep).rows;
            let bytes = rows.iter().map(|(_, row, _)| row.bytes).sum();
            let is_known = rows.is_empty() || remains(churn, practice, &rows, bytes).is_some();
            (!is_known).then_some((practice, bytes))
        })
        .collect()
}

/// Bytes that are still made after the rewrite; `None` when that is not known.
fn remains(churn: &Churn, practice: &Practice, rows: &[(RowId, &Row, Match)], bytes: u64) -> Option<u64> {
    match practice.remains {
        Remains::Nothing => Some(0),
        Remains::Joined(_) => {
            let arrays = rows
                .iter()
                .map(|&(_, row, _)| row)
                .filter(|row| row.kind == Kind::Array);
            let (joined, lists): (Vec<&Row>, Vec<&Row>) =
                arrays.partition(|row| is_joined(churn, practice, row));
            let entries = |rows: &[&Row]| rows.iter().map(|row| row.entries).sum::<Option<u64>>();
            // Each call made one list for the other to put together.
            let calls = lists.iter().map(|row| row.count).sum::<u64>();
            let mean = entries(&joined)?.checked_div(calls)?;
            let parts = entries(&lists)?.checked_div(calls)?;
            churn.layout.as_ref()?.joined(mean, parts)?.checked_mul(calls)
        }
        Remains::View => {
            let view = churn.layout.as_ref().map_or(0, |layout| layout.view());
            Some((collections(rows).unwrap_or_default() * view).min(bytes))
        }
        Remains::Buffer { bytes: size, each } => {
            let is_there = |row: &&Row| {
                let own = row.stack.and_then(|stack| churn.own(stack));
                own.is_some_and(|own| churn.is_at(practice, own))
                    && row.type_id.is_some_and(|ty| churn.types.name(ty) == each)
            };
            let buffers: u64 = churn.rows.iter().filter(is_there).map(|row| row.count).sum();
            let buffer = churn.layout.as_ref()?.string(size, Width::One);
            (buffers > 0).then(|| buffers.saturating_mul(buffer))
        }
        Remains::One => Some(
            rows.iter()
                .map(|(_, row, _)| row.largest.unwrap_or(row.mean()))
                .sum(),
        ),
        Remains::AtMost(most) => {
            let (mut count, mut elements, mut first) = (0, 0, 0);
            for (_, row, _) in rows {
                if is_collection(row) {
                    continue;
                }
                if let Some(bytes) = row.among_first(most) {
                    first += bytes;
                } else {
                    count += row.count;
                    elements += row.bytes;
                }
            }
            let collections = collections(rows)?;
            // Of what is not told apart, elements are taken to be alike.
            let each = count.div_ceil(collections);
            let alike = collections * most.min(each) * elements.checked_div(count).unwrap_or_default();
            Some((first + alike).min(bytes))
        }
    }
}

fn is_collection(row: &Row) -> bool {
    matches!(row.kind, Kind::Array | Kind::Table)
}

/// How many collections were made. Where a collection and what it keeps its entries in are two blocks, each is a row: one
/// collection has at least one of either.
fn collections(rows: &[(RowId, &Row, Match)]) -> Option<u64> {
    let mut of_types: BTreeMap<Option<TypeId>, u64> = BTreeMap::new();
    for (_, row, _) in rows {
        if is_collection(row) {
            *of_types.entry(row.type_id).or_default() += row.count;
        }
    }
    of_types.values().min().copied()
}
