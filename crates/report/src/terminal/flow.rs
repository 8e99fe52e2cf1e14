//! Facts set side by side, broken into lines between facts only.

use crate::cut::{Cut, columns, cut};

/// What stands between two facts on one line.
const BETWEEN: &str = " · ";

/// The facts on as few lines as fit the width. A fact too long for a line loses its end. Further lines start with
/// `indent` blanks.
pub(super) fn flow(facts: &[String], width: usize, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        if let Some(line) = lines.last_mut()
            && columns(line) + columns(BETWEEN) + columns(fact) <= width
        {
            line.push_str(BETWEEN);
            line.push_str(fact);
            continue;
        }
        let blanks = if lines.is_empty() { 0 } else { indent };
        let fact = cut(fact, width.saturating_sub(blanks), Cut::End);
        lines.push(format!("{:blanks$}{fact}", ""));
    }
    lines
}
