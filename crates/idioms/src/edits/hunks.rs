//! From replaced bytes to replaced lines.

use std::ops::Range;

use crate::condition::{comments, may_be_commented};
use crate::source::Source;

/// Lines that are replaced, without their breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The first of them, from 1.
    pub line: u32,
    /// As they are; none where lines are put in before `line`.
    pub before: Vec<String>,
    /// As they would be.
    pub after: Vec<String>,
}

/// Bytes of a file with what takes their place.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) at: Range<usize>,
    pub(super) with: String,
}

/// The whole lines around the pieces, which do not overlap; `conditions` stand as comments above the first of `pieces`.
/// `lines` are put in as they are, each group before the line that begins at its offset. Nothing where comments cannot
/// stand there.
pub(super) fn hunks(
    source: &Source<'_>,
    mut pieces: Vec<Piece>,
    lines: Vec<(usize, Vec<String>)>,
    conditions: &[&str],
) -> Option<Vec<Replaced>> {
    let text = source.text;
    pieces.sort_by_key(|piece| piece.at.start);
    let mut replaced: Vec<(Range<usize>, Vec<Piece>)> = Vec::new();
    for piece in pieces {
        let start = text.get(..piece.at.start)?.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(piece.at.end..)?;
        let end = rest.find('\n').map_or(text.len(), |at| piece.at.end + at);
        match replaced.last_mut().filter(|(lines, _)| start < lines.end) {
            Some((lines, pieces)) => {
                lines.end = lines.end.max(end);
                pieces.push(piece);
            }
            None => replaced.push((start..end, vec![piece])),
        }
    }
    let first = replaced.first().map(|(lines, _)| lines.start);
    let mut hunks = Vec::new();
    for (at, lines) in lines {
        let line = text.get(..at)?.matches('\n').count() as u32 + 1;
        hunks.push(Replaced {
            line,
            before: Vec::new(),
            after: lines,
        });
    }
    for (lines, pieces) in replaced {
        let mut after = String::new();
        let mut at = lines.start;
        for piece in pieces {
            after.push_str(text.get(at..piece.at.start)?);
            after.push_str(&piece.with);
            at = piece.at.end;
        }
        after.push_str(text.get(at..lines.end)?);
        let before = text.get(lines.clone())?;
        let mut shown = Vec::new();
        if first == Some(lines.start) && !conditions.is_empty() {
            shown = above(source, lines.start, conditions)?;
        }
        // A line that had nothing but what goes, goes as well.
        if !after.trim().is_empty() {
            shown.extend(after.lines().map(str::to_owned));
        }
        hunks.push(Replaced {
            line: text[..lines.start].matches('\n').count() as u32 + 1,
            before: before.lines().map(str::to_owned).collect(),
            after: shown,
        });
    }
    hunks.sort_by_key(|hunk| (hunk.line, !hunk.before.is_empty()));
    Some(hunks)
}

/// Conditions as comments above the line that begins at `start`.
pub(super) fn above(source: &Source<'_>, start: usize, conditions: &[&str]) -> Option<Vec<String>> {
    let line = source.text.get(start..)?.lines().next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    may_be_commented(source, start).then(|| comments(source.language.comment(), indent, conditions))
}
