//! What could not be measured: not zero, but unknown.

use anstyle::Style;

use super::Canvas;
use crate::palette::{Palette, paint};
use crate::wrap::{Span, wrap};
use deadweight_weighing::harmless;

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    // Rules that lack the same thing share a row.
    let mut groups: Vec<(String, &str, &str)> = Vec::new();
    for blind in &canvas.weighing.not_measured {
        let (why, how) = (blind.why.as_str(), blind.how.as_str());
        let rule = harmless(&blind.rule);
        match groups.iter_mut().find(|group| (group.1, group.2) == (why, how)) {
            Some(group) => group.0.extend([", ", &rule]),
            None => groups.push((rule, why, how)),
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    let palette = &canvas.palette;
    let mut lines = vec![paint(palette.strong, "could not be measured")];
    for (rules, why, how) in &groups {
        lines.extend(entry(palette, canvas.width, rules, why, how));
    }
    lines
}

fn entry(palette: &Palette, width: usize, rules: &str, why: &str, how: &str) -> Vec<String> {
    let indent = " ".repeat(4);
    let labelled = |style: Style, label: String, text: &str| {
        let label = Span { style, text: label };
        let text = format!(" {}", harmless(text));
        let style = Style::new();
        wrap(&[label, Span { style, text }], width, &indent, &indent)
    };
    let mut lines = labelled(palette.strong, format!("{rules}:"), why);
    if !how.is_empty() {
        lines.extend(labelled(palette.action, "how:".to_owned(), how));
    }
    lines
}
