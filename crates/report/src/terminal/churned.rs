//! The second ledger: what was made, whether or not it was kept.

use deadweight_weighing::{Churned, Finding, harmless};

use super::Canvas;
use super::flow::flow;
use super::row::{Detail, Row, Whole};
use super::table::Table;
use crate::figures::{bytes, count, counted, share};
use crate::palette::paint;

/// Lines of source shown of each rewrite, on each side.
const SHOWN: usize = 4;

pub(super) fn findings(canvas: &Canvas<'_>) -> Table {
    let findings = canvas
        .weighing
        .churned
        .as_ref()
        .map(|churned| &churned.findings[..]);
    table(canvas, "allocations to avoid", findings.unwrap_or_default(), true)
}

pub(super) fn options(canvas: &Canvas<'_>) -> Table {
    let options = canvas
        .weighing
        .churned
        .as_ref()
        .map(|churned| &churned.options[..]);
    table(canvas, "options, not counted", options.unwrap_or_default(), false)
}

fn table(canvas: &Canvas<'_>, heading: &'static str, findings: &[Finding], ranked: bool) -> Table {
    let churned = canvas.weighing.churned.as_ref();
    let whole = Whole("churned", churned.map_or(0, |churned| churned.bytes));
    Table::worded(
        canvas,
        heading,
        findings,
        ranked,
        whole,
        &|row, finding| match churned {
            Some(churned) => word(row, finding, churned),
            None => row,
        },
    )
}

/// Of what is made, people change a line: it is the place, and the function stands beside what is there.
fn word(mut row: Row, finding: &Finding, churned: &Churned) -> Row {
    if finding.count == 0 {
        row.objects = String::from("?");
    }
    if let Some(site) = &finding.site {
        // A function without a name is known by its column, too.
        let function = harmless(&finding.holder);
        let is_nameless = finding.line.as_ref().is_some_and(|line| line.name.is_empty());
        let column = finding.line.as_ref().and_then(|line| line.column);
        row.place = harmless(site);
        if let Some(column) = column.filter(|_| is_nameless) {
            row.place.extend([":", &column.to_string()]);
        }
        // The place is the line.
        row.details.retain(|detail| !matches!(detail, Detail::At(..)));
        if let Some(Detail::There(there, _)) = row.details.first_mut() {
            *there = harmless(&finding.title);
            if !function.is_empty() && !is_nameless {
                there.extend([", in ", &function]);
            }
            if let Some(each) = finding.saves.checked_div(churned.operations) {
                there.extend(["; ", &bytes(each), " an operation"]);
            }
        }
    }
    if let Some(open) = open(finding) {
        let at = row.details.len().min(1);
        row.details.insert(at, Detail::Note(open));
    }
    let rewrites = churned.rewrites.iter();
    for rewrite in rewrites.filter(|rewrite| rewrite.fingerprint == finding.fingerprint) {
        let shown = |lines: &[String], detail: fn(String) -> Detail| {
            let shown = lines.iter().take(SHOWN);
            shown.map(|line| detail(harmless(line))).collect::<Vec<_>>()
        };
        row.details.extend(shown(&rewrite.before, Detail::Goes));
        row.details.extend(shown(&rewrite.after, Detail::Comes));
    }
    row
}

/// What samples leave open of a saving.
fn open(finding: &Finding) -> Option<String> {
    let figure = |name: &str| finding.evidence.get(name)?.as_u64();
    let low = figure("saves_low")?;
    let seen = figure("samples").map_or_else(String::new, |seen| format!(", {}", counted(seen, "sample")));
    let Some(high) = figure("saves_high") else {
        return Some(format!("at least {} (95 %{seen})", bytes(low)));
    };
    Some(format!("between {} and {} (95 %{seen})", bytes(low), bytes(high)))
}

pub(super) fn summary(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(churned) = &canvas.weighing.churned else {
        return Vec::new();
    };
    let made = churned.objects.map_or_else(String::new, |objects| {
        format!(" in {}", counted(objects, "allocation"))
    });
    let mut facts = vec![format!("churned: {}{made}", bytes(churned.bytes))];
    if let Some(kept) = churned.kept_bytes {
        facts.push(format!("{} kept ({})", bytes(kept), share(kept, churned.bytes)));
    }
    if let Some(each) = churned.bytes.checked_div(churned.operations) {
        let operations = counted(churned.operations, "operation");
        let objects = churned
            .objects
            .and_then(|all| all.checked_div(churned.operations));
        let objects = objects.map_or_else(String::new, |objects| {
            format!(" and {}", counted(objects, "allocation"))
        });
        facts.push(format!("{operations}, {}{objects} each", bytes(each)));
    }
    if let Some(sampled) = &churned.sampled {
        let margin = sampled.high.saturating_sub(churned.bytes);
        let distance = match (sampled.every_bytes, sampled.every_objects, sampled.windows) {
            (Some(every), ..) => format!("one sample each {}", bytes(every)),
            (None, Some(every), _) => format!("one of {} objects", count(every)),
            (None, None, Some(windows)) => format!("sampled in {}", counted(windows, "window")),
            (None, None, None) => "sampled".to_owned(),
        };
        facts.push(format!(
            "{distance}: {}, ± {} (95 %)",
            counted(sampled.samples, "sample"),
            share(margin, churned.bytes)
        ));
    }
    let mut lines = flow(&facts, canvas.width, 2);
    if let Some(first) = lines.first_mut() {
        *first = paint(canvas.palette.strong, &*first);
    }
    if churned.findings.is_empty() {
        let limits = if canvas.weighing.not_measured.is_empty() {
            "No needless allocation was found."
        } else {
            "No needless allocation was found in what could be measured; see below."
        };
        lines.push(limits.to_owned());
    }
    lines
}
