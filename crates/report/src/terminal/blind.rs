//! What could not be measured: not zero, but unknown.

use anstyle::Style;

use super::Canvas;
use crate::palette::{Palette, paint};
use crate::wrap::{Span, wrap};
use deadweight_weighing::harmless;

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    // What one capture would show stands together, with how to take it said once; rules that lack the same thing share a
    // row.
    let mut groups: Vec<(&str, Vec<(String, &str)>)> = Vec::new();
    for blind in &canvas.weighing.not_measured {
        let (why, how) = (blind.why.as_str(), blind.how.as_str());
        let rule = harmless(&blind.rule);
        let at = groups.iter().position(|group| group.0 == how).unwrap_or_else(|| {
            groups.push((how, Vec::new()));
            groups.len() - 1
        });
        let entries = &mut groups[at].1;
        match entries.iter_mut().find(|entry| entry.1 == why) {
            Some(entry) => entry.0.extend([", ", &rule]),
            None => entries.push((rule, why)),
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    let palette = &canvas.palette;
    let mut lines = vec![paint(palette.strong, "could not be measured")];
    for (how, entries) in &groups {
        lines.extend(group(palette, canvas.width, how, entries));
    }
    lines
}

fn group(palette: &Palette, width: usize, how: &str, entries: &[(String, &str)]) -> Vec<String> {
    let indent = " ".repeat(4);
    let labelled = |style: Style, label: String, text: &str| {
        let label = Span { style, text: label };
        let text = format!(" {}", harmless(text));
        let style = Style::new();
        wrap(&[label, Span { style, text }], width, &indent, &indent)
    };
    let whys = entries.iter();
    let mut lines: Vec<String> = whys
        .flat_map(|(rules, why)| labelled(palette.strong, format!("{rules}:"), why))
        .collect();
    if !how.is_empty() {
        lines.extend(labelled(palette.action, "to measure:".to_owned(), how));
    }
    lines
}
