//! The second ledger: what was made, whether or not it was kept.

use super::Canvas;
use super::flow::flow;
use super::row::Whole;
use super::table::Table;
use crate::figures::{bytes, counted};

pub(super) fn findings(canvas: &Canvas<'_>) -> Table {
    let churned = canvas.weighing.churned.as_ref();
    let (findings, bytes) = churned.map_or((&[][..], 0), |churned| (&churned.findings, churned.bytes));
    Table::new(
        canvas,
        "what to stop making",
        findings,
        true,
        Whole("churned", bytes),
    )
}

pub(super) fn summary(canvas: &Canvas<'_>) -> Vec<String> {
    let Some(churned) = &canvas.weighing.churned else {
        return Vec::new();
    };
    let made = counted(churned.objects, "allocation");
    let mut facts = vec![format!("churned: {} in {made}", bytes(churned.bytes))];
    if let Some(each) = churned.bytes.checked_div(churned.operations) {
        let operations = counted(churned.operations, "operation");
        facts.push(format!("{operations}, {} each", bytes(each)));
    }
    let mut lines = flow(&facts, canvas.width, 2);
    if churned.findings.is_empty() {
        lines.push("No needless allocation was found.".to_owned());
    }
    lines
}
