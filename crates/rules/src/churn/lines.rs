//! Rows by the line a person can change.

use deadweight_heap::Churn;
use deadweight_heap::churn::{Frame, FrameId, Row, RowId};
use rustc_hash::FxHashMap;

/// A line of the program's own source, with all that was made there or in what it called.
#[derive(Clone, Debug)]
pub(crate) struct Line<'c> {
    /// The line.
    pub(crate) own: &'c Frame,
    /// What was made, by row number.
    pub(crate) rows: Vec<(RowId, &'c Row)>,
}

impl Line<'_> {
    /// Objects made.
    pub(crate) fn count(&self) -> u64 {
        self.rows.iter().map(|(_, row)| row.count).sum()
    }
}

/// The lines, in the order in which they first appear. What no line of the program made is left out.
pub(crate) fn lines(churn: &Churn) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    // Frames that differ in their column alone are one line.
    let mut by_line: FxHashMap<(&str, &str, u32), usize> = FxHashMap::default();
    let mut by_frame: FxHashMap<FrameId, usize> = FxHashMap::default();
    for (id, row) in churn.rows.iter().enumerate() {
        let Some(frame) = row.stack.and_then(|stack| churn.stacks.own(stack)) else {
            continue;
        };
        let Some(own) = churn.frames.get(frame) else {
            continue;
        };
        let at = *by_frame.entry(frame).or_insert_with(|| {
            *by_line
                .entry((&own.file, &own.function, own.line))
                .or_insert_with(|| {
                    lines.push(Line {
                        own,
                        rows: Vec::new(),
                    });
                    lines.len() - 1
                })
        });
        lines[at].rows.push((id as RowId, row));
    }
    lines
}
