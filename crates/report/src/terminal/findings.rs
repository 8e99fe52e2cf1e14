//! What to fix, and the options beside it.

use deadweight_weighing::{OTHERS, Weighing, contradicted};

use super::Canvas;
use super::row::Whole;
use super::table::Table;
use crate::figures::{bytes, counted};
use crate::palette::paint;
use crate::wrap::wrap_plain;

pub(super) fn findings(canvas: &Canvas<'_>) -> Table {
    let whole = Whole("held", canvas.weighing.held.bytes);
    let weighing = canvas.weighing;
    let shown = if almost_clean(canvas) {
        &[]
    } else {
        &weighing.findings[..]
    };
    Table::grouped(canvas, "what to fix", shown, &weighing.groups, whole)
}

pub(super) fn options(canvas: &Canvas<'_>) -> Table {
    let whole = Whole("held", canvas.weighing.held.bytes);
    Table::new(
        canvas,
        "options, not counted",
        &canvas.weighing.options,
        false,
        whole,
    )
}

/// Whether all that was found is too small to list: a table of it would have one row that names nothing.
pub(super) fn almost_clean(canvas: &Canvas<'_>) -> bool {
    let findings = &canvas.weighing.findings;
    !findings.is_empty() && findings.iter().all(|finding| finding.rule == OTHERS)
}

/// What stands in the place of findings when there are none worth a row.
pub(super) fn nothing(canvas: &Canvas<'_>) -> Vec<String> {
    let weighing = canvas.weighing;
    // A record of allocations alone says nothing about what is held.
    let unknown = weighing.held.bytes == 0 && weighing.churned.is_some();
    let little = almost_clean(canvas);
    if unknown || !(little || weighing.findings.is_empty()) {
        return Vec::new();
    }
    // Of memory that was not seen nobody knows whether it has something to fix.
    let hidden = weighing.unseen.is_some()
        || weighing.partial.is_some()
        || contradicted(weighing).is_some()
        || short_of(weighing).is_some();
    let good = match (hidden, little) {
        (true, true) => "Nothing worth fixing was found in what the dump shows.",
        (true, false) => "No dead weight was found in what the dump shows.",
        (false, true) if leaves_much(weighing) => {
            "Nothing worth fixing was found in what the program itself holds."
        }
        (false, true) => "Nothing worth fixing was found.",
        // What other heaps hold as well is said below.
        (false, false) if weighing.again.is_some() => "No dead weight was found within this heap.",
        (false, false) if leaves_much(weighing) => {
            "No dead weight was found in what the program itself holds."
        }
        (false, false) if offers_much(weighing) => {
            "No dead weight was found; the options below keep the same data in less room."
        }
        (false, false) => "Nothing to fix: no dead weight was found.",
    };
    let mut lines = vec![paint(canvas.palette.action, good)];
    if little {
        lines.extend(wrap_plain(&crumbs(weighing), canvas.width));
    }
    if let Some(limits) = limits(weighing, little) {
        lines.extend(wrap_plain(&limits, canvas.width));
    }
    lines
}

/// What there is of dead weight, when no finding is worth a row.
fn crumbs(weighing: &Weighing) -> String {
    let count: u64 = weighing.findings.iter().map(|finding| finding.count).sum();
    let (dead, all) = (
        weighing.held.dead.saturating_add(weighing.external.dead),
        weighing.held.bytes.saturating_add(weighing.external.bytes),
    );
    let them = if count == 1 { "it" } else { "them" };
    format!(
        "{} of {} are dead weight, in {} too small to list; --all lists {them}.",
        bytes(dead),
        bytes(all),
        counted(count, "finding")
    )
}

/// What the process itself counts, where that is a quarter more than the dump shows.
fn short_of(weighing: &Weighing) -> Option<u64> {
    let used = weighing.process.as_ref()?.heap_used?;
    let shown = weighing.held.bytes;
    (used.saturating_sub(shown) > (shown / 4).max(SMALL / 8)).then_some(used)
}

/// What a runtime holds for itself in every program, and a bit more.
const SMALL: u64 = 32 << 20;

/// Of what a runtime and its libraries keep, more than this may be data that the program gave to them.
const OWN: u64 = 10 << 20;

/// Whether much of what is held is checked by no rule, as the runtime and its libraries keep it.
fn leaves_much(weighing: &Weighing) -> bool {
    let held = &weighing.held;
    held.runtime > (held.bytes / 4).max(OWN)
}

/// Whether an option saves a hundredth of what is held: the program does not need all of it.
fn offers_much(weighing: &Weighing) -> bool {
    let worth = weighing.held.bytes / 100;
    weighing.options.iter().any(|option| option.saves > worth)
}

/// What the good news is said of. That the program needs what it holds follows only where all of it was seen.
fn limits(weighing: &Weighing, little: bool) -> Option<String> {
    let held = &weighing.held;
    let gave_back = held.content + held.dead == 0 && weighing.external.bytes == 0;
    let compared = weighing
        .process
        .as_ref()
        .is_some_and(|process| process.rss.is_some());
    Some(match (&weighing.partial, weighing.not_measured.is_empty()) {
        _ if contradicted(weighing).is_some() => {
            "This says nothing about the program, as some of the sizes above cannot be right.".to_owned()
        }
        (Some(_), _) => format!("This covers only the {} held that could be read.", bytes(held.bytes)),
        // The rest is above all else, with how to capture it.
        _ if weighing.unseen.is_some() => {
            format!("This covers only the {} held that it shows.", bytes(held.bytes))
        }
        (None, _) if gave_back => {
            "The program no longer held anything of its own. Capture it while it works: send SIGUSR2, or use --when 'rss>500MB'."
                .to_owned()
        }
        (None, false) => "This covers only what could be measured; see below.".to_owned(),
        (None, _) if let Some(used) = short_of(weighing) => format!(
            "This covers only the {} that the dump shows: the process itself counts {}.",
            bytes(held.bytes),
            bytes(used)
        ),
        (None, true) if leaves_much(weighing) => format!(
            "No rule checks the {} that the runtime and its libraries keep for themselves.",
            bytes(held.runtime)
        ),
        (None, true) if little => return None,
        (None, true) if compared && !offers_much(weighing) => format!(
            "Every rule was checked: all {} held are data that the program needs, or the runtime's own.",
            bytes(held.bytes)
        ),
        (None, true) => format!("Every rule was checked against all {} held.", bytes(held.bytes)),
    })
}
