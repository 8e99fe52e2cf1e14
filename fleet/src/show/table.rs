//! Columns under headings, in the style of the report.

use anstyle::Style;
use deadweight_report::cut::{Cut, columns, cut, left, right};
use deadweight_report::palette::paint;
use deadweight_weighing::harmless;

use super::Screen;

/// Where a column's text stands, and where it loses a piece when there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Figures.
    Right,
    /// Names, which may lose their middle.
    Name,
    /// Sentences, which may lose their end.
    Sentence,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    heads: Vec<(String, Align, Style)>,
    rows: Vec<Vec<String>>,
}

/// No name gets less room than this.
const LEAST: usize = 8;

impl Table {
    /// A table with these columns and no row.
    #[must_use]
    pub fn new<'h>(heads: impl IntoIterator<Item = (&'h str, Align, Style)>) -> Self {
        let heads = heads
            .into_iter()
            .map(|(head, align, style)| (harmless(head), align, style));
        Self {
            heads: heads.collect(),
            rows: Vec::new(),
        }
    }

    /// One more row. What came from elsewhere is made safe to print.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows
            .push(row.into_iter().map(|text| harmless(&text)).collect());
    }

    /// Whether it has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines. Names and sentences share what room the figures leave.
    #[must_use]
    pub fn lines(&self, screen: &Screen) -> Vec<String> {
        let widths = self.widths(screen.width);
        let faint = screen.palette.faint;
        let heads = self
            .heads
            .iter()
            .map(|(head, ..)| head.clone())
            .collect::<Vec<_>>();
        let mut lines = vec![self.line(&heads, &widths, &|_| faint)];
        for row in &self.rows {
            lines.push(self.line(row, &widths, &|at| self.heads[at].2));
        }
        lines
    }

    fn line(&self, cells: &[String], widths: &[usize], style: &dyn Fn(usize) -> Style) -> String {
        let cells = cells.iter().enumerate().map(|(at, cell)| {
            let width = widths[at];
            let text = match self.heads[at].1 {
                Align::Right => right(&cut(cell, width, Cut::End), width),
                Align::Name => left(&cut(cell, width, Cut::Middle), width),
                Align::Sentence => left(&cut(cell, width, Cut::End), width),
            };
            paint(style(at), text)
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    fn widths(&self, room: usize) -> Vec<usize> {
        let widest = |at: usize| {
            let cells = self
                .rows
                .iter()
                .filter_map(|row| row.get(at))
                .map(|cell| columns(cell));
            cells.max().unwrap_or_default().max(columns(&self.heads[at].0))
        };
        let mut widths: Vec<usize> = (0..self.heads.len()).map(widest).collect();
        let between = 2 * widths.len().saturating_sub(1);
        // The widest of those that may be cut loses a column until all fit.
        while widths.iter().sum::<usize>() + between > room {
            let may = (0..widths.len()).filter(|&at| self.heads[at].1 != Align::Right && widths[at] > LEAST);
            let Some(widest) = may.max_by_key(|&at| widths[at]) else {
                break;
            };
            widths[widest] -= 1;
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use deadweight_report::Look;

    use super::*;

    #[test]
    fn what_is_too_wide_is_cut_and_figures_stay() {
        let screen = Screen::new(Look {
            width: 72,
            colour: false,
        });
        let plain = Style::new();
        let mut table = Table::new([("place", Align::Name, plain), ("bytes", Align::Right, plain)]);
        table.push(["x".repeat(200), "1,234 MB".to_owned()]);
        table.push(["a\x1b[31mb".to_owned(), "2 MB".to_owned()]);
        let lines = table.lines(&screen);
        assert!(lines.iter().all(|line| columns(line) <= 72), "{lines:#?}");
        assert!(lines[1].ends_with("  1,234 MB") && lines[1].contains('…'));
        assert!(lines[2].starts_with("a\\x1b[31mb"));
    }
}
