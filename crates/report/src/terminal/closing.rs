//! The sum, and where to go from here.

use deadweight_weighing::{OTHERS, harmless};

use super::Canvas;
use super::findings::almost_clean;
use super::flow::flow;
use crate::figures::{bytes, share};
use crate::palette::paint;
use crate::tiers::tiers;

const LABEL: usize = "after all fixes  ".len();

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let weighing = canvas.weighing;
    let (held, external) = (&weighing.held, &weighing.external);
    let mut lines = Vec::new();
    let ledgers = [
        ("held", held.bytes, held.dead),
        ("external", external.bytes, external.dead),
    ];
    // What is too small to list has had its sentence.
    let dirty: Vec<_> = ledgers
        .iter()
        .filter(|(_, _, dead)| *dead > 0 && !almost_clean(canvas))
        .collect();
    if let Some(churned) = weighing.churned.as_ref().filter(|churned| churned.dead > 0) {
        let left = churned.bytes.saturating_sub(churned.dead);
        let each = churned.operations;
        let now = format!(
            "{} of {} churned ({})",
            bytes(churned.dead),
            bytes(churned.bytes),
            share(churned.dead, churned.bytes)
        );
        let mut then = vec![format!("{} churned", bytes(left))];
        if let (Some(before), Some(after)) = (churned.bytes.checked_div(each), left.checked_div(each)) {
            then.push(format!("{} an operation, now {}", bytes(after), bytes(before)));
        }
        lines.extend(labelled(canvas, "needless", &[now], true));
        lines.extend(labelled(canvas, "without it", &then, true));
    }
    if !dirty.is_empty() {
        let least = if weighing.partial.is_some() {
            "at least "
        } else {
            ""
        };
        let now: Vec<String> = dirty
            .iter()
            .map(|(name, all, dead)| {
                format!(
                    "{least}{} of {} {name} ({})",
                    bytes(*dead),
                    bytes(*all),
                    share(*dead, *all)
                )
            })
            .collect();
        let then: Vec<String> = dirty
            .iter()
            .map(|(name, all, dead)| format!("{} {name}", bytes(all.saturating_sub(*dead))))
            .collect();
        lines.extend(labelled(canvas, "dead weight", &now, true));
        for (label, fact) in tiers(weighing) {
            lines.extend(labelled(canvas, label, &[fact], true));
        }
        lines.extend(labelled(canvas, "after all fixes", &then, true));
    }
    let churned = weighing.churned.iter();
    let churned = churned.flat_map(|churned| churned.findings.iter().chain(&churned.options));
    let first = weighing
        .findings
        .iter()
        .chain(&weighing.options)
        .chain(churned)
        .find(|f| f.rule != OTHERS);
    if let Some(first) = first {
        let explain = format!("deadweight explain {}", harmless(&first.rule));
        let hints = [
            format!("{explain} says how to fix it"),
            "--format json for exact bytes".to_owned(),
        ];
        lines.extend(labelled(canvas, "next", &hints, false));
    }
    lines
}

fn labelled(canvas: &Canvas<'_>, label: &str, facts: &[String], strong: bool) -> Vec<String> {
    let palette = &canvas.palette;
    flow(facts, canvas.width - LABEL, 0)
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let label = if at == 0 { label } else { "" };
            let style = if strong { palette.strong } else { palette.faint };
            format!("{label:LABEL$}{}", paint(style, line))
        })
        .collect()
}
