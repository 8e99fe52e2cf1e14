//! What an antipattern found in the source makes, as far as the record shows.

use std::collections::BTreeMap;

use deadweight_heap::churn::{Antipattern, AntipatternKind, Compiler, Frame, Remains, Role, Row, RowId};
use deadweight_heap::{Churn, Implementation, Kind, Representation, TypeId, Width};

use crate::ChurnCandidate;
use crate::count::Count;

/// A candidate for every antipattern of that sort whose line made something.
pub(crate) fn of_antipatterns(churn: &Churn, kind: AntipatternKind) -> Vec<ChurnCandidate> {
    each_antipattern(churn, kind)
        .filter_map(|(_, candidate)| candidate)
        .collect()
}

/// Every antipattern of that sort, with a candidate where it is known to have made something.
pub(crate) fn each_antipattern(
    churn: &Churn,
    kind: AntipatternKind,
) -> impl Iterator<Item = (&Antipattern, Option<ChurnCandidate>)> {
    let of_kind = churn
        .antipatterns
        .iter()
        .filter(move |antipattern| antipattern.kind == kind);
    let deep = churn.has_callees();
    of_kind.map(move |antipattern| (antipattern, candidate(churn, antipattern, deep)))
}

/// How a row came to be taken for the antipattern's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// The call it names made the row.
    Called,
    /// The line made it, and the record has no frames beyond the line.
    Near,
}

fn matched(churn: &Churn, antipattern: &Antipattern, row: &Row, deep: bool) -> Option<Match> {
    let stack = row.stack?;
    let own = churn.own(stack)?;
    let is_log = antipattern.kind == AntipatternKind::Log;
    if !churn.is_at(antipattern, own) {
        // Where a record has lines, what a log's text calls is a matter of the lines that make it.
        let is_called = is_log && !churn.has_lines() && churn.is_called_by(antipattern, stack);
        return is_called.then_some(Match::Called);
    }
    match churn.callee(stack) {
        // A dependency's method of that name is another one, unless its class is named.
        Some(callee) if callee.role == Role::Library && !antipattern.is_maker_elsewhere(&callee.function) => {
            None
        }
        Some(callee) => (antipattern.is_maker(&callee.function) && churn.may_be(row, &antipattern.kinds))
            .then_some(Match::Called),
        None if is_log && !churn.stands_out(antipattern) => None,
        None if antipattern.is_by_itself(churn.type_name(row)) => {
            churn.may_be(row, &antipattern.kinds).then_some(Match::Called)
        }
        // What a function made by itself is not what it called made, where calls of the engine are recorded.
        None if deep => None,
        None => churn.may_be(row, &antipattern.kinds).then_some(Match::Near),
    }
}

/// Rows of the antipattern, apart from those that may be what it was handed.
struct Found<'c> {
    rows: Vec<(RowId, &'c Row, Match)>,
    /// Bytes of the others.
    operand: u64,
}

fn found<'c>(churn: &'c Churn, antipattern: &Antipattern, deep: bool) -> Found<'c> {
    let rows = churn
        .rows
        .iter()
        .enumerate()
        .filter_map(|(id, row)| Some((id as RowId, row, matched(churn, antipattern, row, deep)?)));
    let (operands, rows): (Vec<_>, Vec<_>) = rows.partition(|(_, row, _)| row.operand);
    Found {
        rows,
        operand: operands.iter().map(|(_, row, _)| row.bytes).sum(),
    }
}

/// Antipatterns of that sort of which nothing is known to be more than what they were handed, with the bytes of that.
pub(crate) fn all_operand(churn: &Churn, kind: AntipatternKind) -> Vec<(&Antipattern, u64)> {
    let of_kind = churn
        .antipatterns
        .iter()
        .filter(|antipattern| antipattern.kind == kind);
    let deep = churn.has_callees();
    of_kind
        .map(|antipattern| (antipattern, found(churn, antipattern, deep)))
        .filter(|(_, found)| found.rows.is_empty() && found.operand > 0)
        .map(|(antipattern, found)| (antipattern, found.operand))
        .collect()
}

fn candidate(churn: &Churn, antipattern: &Antipattern, deep: bool) -> Option<ChurnCandidate> {
    let Found { rows, operand } = found(churn, antipattern, deep);
    let own = churn.own(rows.first()?.1.stack?)?;
    // Of functions into which an engine has moved the code, the one that has it in the source is what a person knows.
    let is_home = |own: &Frame| antipattern.functions.first() == Some(&(own.line, own.column));
    let mut places = rows.iter().filter_map(|(_, row, _)| churn.own(row.stack?));
    let home = places.find(|own| !churn.has_lines() && is_home(own));
    let mut candidate = ChurnCandidate::at(home.unwrap_or(own));
    if !churn.has_lines() && home.is_none() && !antipattern.function.is_empty() {
        candidate.function.clone_from(&antipattern.function);
    }
    candidate.place = format!("{}:{}", antipattern.file, antipattern.lines.0);
    candidate.file.clone_from(&antipattern.file);
    candidate.position = (antipattern.lines.0, 0);
    for &(id, row, _) in &rows {
        candidate.bytes_now += row.bytes;
        if is_joined(churn, antipattern, row) {
            // What comes in its place is counted as what is left, so it may be kept.
            candidate.claim(id, row.bytes);
        } else {
            candidate.claim(id, row.bytes - row.kept_bytes.unwrap_or_default().min(row.bytes));
            candidate.count += row.count;
        }
    }
    let counted = churn.is_counted();
    let by_count =
        counted || !matches!(antipattern.remains, Remains::AtMost(_)) || antipattern.uncounted.is_empty();
    if by_count {
        candidate.overhead = remains(churn, antipattern, &rows, candidate.bytes_now)?;
        candidate.fix.clone_from(&antipattern.advice);
        candidate.rewrite.clone_from(&antipattern.rewrite);
    } else {
        // What the bound leaves is not known; something else leaves nothing.
        candidate.fix.clone_from(&antipattern.uncounted);
    }
    if counted {
        let allocated = Count(candidate.count).of("object", "objects");
        candidate.title = format!("`{}` makes {allocated} to throw away", antipattern.code);
    } else {
        candidate.title = format!("what `{}` makes is thrown away", antipattern.code);
    }
    candidate.show("code", antipattern.code.as_str());
    let near = rows.iter().any(|(_, _, how)| *how == Match::Near);
    if !antipattern.sole && (near || !churn.has_lines()) {
        candidate.assume("that this expression made all that its line or function shows of the kind");
    }
    let is_alike = |row: &Row| row.kind != Kind::Array || row.has_one_size();
    if matches!(antipattern.remains, Remains::Joined(_)) && !rows.iter().all(|(_, row, _)| is_alike(row)) {
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
    if let Some(assumes) = &antipattern.assumes {
        candidate.assume(assumes.clone());
    }
    if churn.compiler == Compiler::Inlines {
        candidate.at_least = true;
        candidate.assume(
            "that what the compiler has moved into callers is little: it is counted there, and the fix saves it as well",
        );
    }
    (candidate.net() > 0).then_some(candidate)
}

/// Whether the row is of the call that puts the others together.
fn is_joined(churn: &Churn, antipattern: &Antipattern, row: &Row) -> bool {
    let callee = row.stack.and_then(|stack| churn.callee(stack));
    callee.is_some_and(|callee| antipattern.is_joiner(&callee.function))
}

/// Antipatterns of that sort that made something of which it is not known how much the rewrite would still make, with the
/// bytes of all that.
pub(crate) fn unforeseen(churn: &Churn, kind: AntipatternKind) -> Vec<(&Antipattern, u64)> {
    let is_priced = |antipattern: &&Antipattern| {
        matches!(antipattern.remains, Remains::Joined(_) | Remains::Buffer { .. })
    };
    let of_kind = churn
        .antipatterns
        .iter()
        .filter(|antipattern| antipattern.kind == kind);
    let deep = churn.has_callees();
    of_kind
        .filter(is_priced)
        .filter_map(|antipattern| {
            let rows = found(churn, antipattern, deep).rows;
            let bytes = rows.iter().map(|(_, row, _)| row.bytes).sum();
            let is_known = rows.is_empty() || remains(churn, antipattern, &rows, bytes).is_some();
            (!is_known).then_some((antipattern, bytes))
        })
        .collect()
}

/// Bytes that are still made after the rewrite; `None` when that is not known.
fn remains(
    churn: &Churn,
    antipattern: &Antipattern,
    rows: &[(RowId, &Row, Match)],
    bytes: u64,
) -> Option<u64> {
    match antipattern.remains {
        Remains::Nothing => Some(0),
        Remains::Joined(_) => {
            let arrays = rows
                .iter()
                .map(|&(_, row, _)| row)
                .filter(|row| row.kind == Kind::Array);
            let (joined, lists): (Vec<&Row>, Vec<&Row>) =
                arrays.partition(|row| is_joined(churn, antipattern, row));
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
                own.is_some_and(|own| churn.is_at(antipattern, own))
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
        Remains::AtMost(most) => elements(rows, most).map(|left| left.min(bytes)),
        Remains::Pieces(most) => {
            let list = churn.layout.as_ref()?;
            let list = list.array(Implementation::USUAL, Representation::Reference, most);
            let lists = collections(rows)?.checked_mul(list)?;
            Some(elements(rows, most)?.saturating_add(lists).min(bytes))
        }
    }
}

/// Bytes of the first `most` elements of each collection.
fn elements(rows: &[(RowId, &Row, Match)], most: u64) -> Option<u64> {
    let (mut count, mut elements, mut first) = (0, 0, 0);
    for (_, row, _) in rows {
        if is_collection(row) {
            continue;
        }
        if let Some(bytes) = row.among_first(most) {
            first += bytes;
        } else {
            count += if row.part { 0 } else { row.count };
            elements += row.bytes;
        }
    }
    let collections = collections(rows)?;
    // Of what is not told apart, elements are taken to be alike.
    let each = count.div_ceil(collections);
    Some(first + collections * most.min(each) * elements.checked_div(count).unwrap_or_default())
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
