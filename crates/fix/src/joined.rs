//! Changes of several edits as changes of one file.

use std::ops::Range;

use crate::Hunk;

/// The hunks of all edits before with those of one more; nothing where two change the same text.
pub(crate) fn joined(all: &[Hunk], more: &[Hunk]) -> Option<Vec<Hunk>> {
    let mut joined = all.to_vec();
    for hunk in more {
        // What several edits need before they can stand, such as an import, is put in once.
        if hunk.before.is_empty() && joined.contains(hunk) {
            continue;
        }
        match joined.iter().position(|other| touch(hunk, other)) {
            Some(at) => {
                let both = both(&joined[at], hunk)?;
                let is_alone = (0..)
                    .zip(&joined)
                    .all(|(other, there)| other == at || !touch(&both, there));
                if !is_alone {
                    return None;
                }
                joined[at] = both;
            }
            None => joined.push(hunk.clone()),
        }
    }
    Some(joined)
}

/// Whether two replace the same line. What is put in where another begins does not, nor what is put in beside it.
fn touch(a: &Hunk, b: &Hunk) -> bool {
    a.line < b.end() && b.line < a.end()
}

/// Two changes of the same lines that leave each other's text alone.
fn both(a: &Hunk, b: &Hunk) -> Option<Hunk> {
    if a.line != b.line || a.before != b.before {
        return None;
    }
    let (above_a, after_a) = a.parts()?;
    let (above_b, after_b) = b.parts()?;
    let before = a.before.join("\n");
    let (in_a, in_b) = (changed(&before, &after_a), changed(&before, &after_b));
    let (first, second) = if in_a.at.end <= in_b.at.start {
        (in_a, in_b)
    } else if in_b.at.end <= in_a.at.start {
        (in_b, in_a)
    } else {
        return None;
    };
    // Which of two that are put in at one place comes first, nobody says.
    if first.at == second.at {
        return None;
    }
    let after = [
        &before[..first.at.start],
        first.with,
        &before[first.at.end..second.at.start],
        second.with,
        &before[second.at.end..],
    ]
    .concat();
    let mut lines = above_a.to_vec();
    if above_a != above_b {
        lines.extend_from_slice(above_b);
    }
    lines.extend(after.split('\n').map(str::to_owned));
    Some(Hunk {
        line: a.line,
        before: a.before.clone(),
        after: lines,
    })
}

impl Hunk {
    /// What is put above the lines, such as comments, and what they become.
    fn parts(&self) -> Option<(&[String], String)> {
        let above = self.after.len().checked_sub(self.before.len())?;
        let (above, after) = self.after.split_at(above);
        Some((above, after.join("\n")))
    }
}

/// Bytes of a text with what takes their place.
struct Changed<'t> {
    at: Range<usize>,
    with: &'t str,
}

/// What differs between two texts: all between what both begin with and what both end with.
fn changed<'t>(before: &str, after: &'t str) -> Changed<'t> {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs
            .take_while(|(before, after)| before == after)
            .map(|(c, _)| c.len_utf8())
            .sum()
    };
    let start = same(&mut before.chars().zip(after.chars()));
    let end = same(&mut before[start..].chars().rev().zip(after[start..].chars().rev()));
    Changed {
        at: start..before.len() - end,
        with: &after[start..after.len() - end],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(line: u64, before: &[&str], after: &[&str]) -> Hunk {
        let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        Hunk {
            line,
            before: owned(before),
            after: owned(after),
        }
    }

    fn pair(one: &Hunk, other: &Hunk) -> Option<Vec<Hunk>> {
        joined(std::slice::from_ref(one), std::slice::from_ref(other))
    }

    #[test]
    fn changes_of_one_line_that_leave_each_other_alone_go_together() {
        let one = hunk(3, &["f(a, b)"], &["# Only if a.", "f(x(a), b)"]);
        let other = hunk(3, &["f(a, b)"], &["# Only if b.", "f(a, y(b))"]);
        let both = hunk(
            3,
            &["f(a, b)"],
            &["# Only if a.", "# Only if b.", "f(x(a), y(b))"],
        );
        assert_eq!(pair(&one, &other), Some(vec![both]));
        let same = hunk(3, &["f(a, b)"], &["# Only if a.", "f(a, y(b))"]);
        let once = hunk(3, &["f(a, b)"], &["# Only if a.", "f(x(a), y(b))"]);
        assert_eq!(pair(&one, &same), Some(vec![once]));
        // The same text, other lines, a line that goes.
        assert_eq!(pair(&one, &one), None);
        assert_eq!(pair(&one, &hunk(3, &["f(a, b)"], &["g(a, b)", ""])), None);
        assert_eq!(
            pair(&one, &hunk(2, &["x", "f(a, b)"], &["x", "f(a, y(b))"])),
            None
        );
        assert_eq!(pair(&one, &hunk(3, &["f(a, b)"], &[])), None);
    }

    #[test]
    fn what_is_put_in_at_one_line_stands_one_behind_the_other() {
        let import = hunk(1, &[], &["import a"]);
        let other = hunk(1, &[], &["import b"]);
        assert_eq!(pair(&import, &import), Some(vec![import.clone()]));
        assert_eq!(pair(&import, &other), Some(vec![import, other]));
    }
}
