//! The source around each finding's line, where it is at hand when a dump is weighed.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use deadweight_weighing::{Line, Weighing};

/// Lines before and behind the one.
pub const AROUND: u64 = 3;

/// Characters of a line: what minifiers write has one of megabytes.
const LONGEST: usize = 160;

/// How files of source end.
const SOURCE: [&str; 28] = [
    "c", "cc", "cjs", "cpp", "cr", "cts", "cxx", "groovy", "h", "hh", "hpp", "hxx", "java", "js", "jsx",
    "kt", "mjs", "mts", "py", "pyi", "pyx", "rake", "rb", "rs", "scala", "ts", "tsx", "vue",
];

/// Larger files are no source that a person reads.
const LARGEST: u64 = 4 << 20;

/// Lines of a file of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first, from 1.
    pub from: u64,
    /// The lines, long ones cut.
    pub lines: Vec<String>,
}

/// Adds to each finding the lines around its own. Paths are seen from `root`.
pub(crate) fn show(weighing: &mut Weighing, root: &str, may_read: &dyn Fn(&Path) -> bool) {
    let mut files = HashMap::new();
    for finding in weighing.findings.iter_mut().chain(&mut weighing.options) {
        let Some(line) = &mut finding.line else { continue };
        let path = Path::new(root).join(&line.file);
        let text = files
            .entry(path)
            .or_insert_with_key(|path| may_read(path).then(|| text_of(path))?);
        if let Some(text) = text {
            show_around(line, text);
        }
    }
}

/// The text of a file that is source by its name; nothing of any other.
#[must_use]
pub fn text_of(path: &Path) -> Option<String> {
    // A dump from elsewhere may name any file: only what is source by its name gets into a report.
    let extension = path.extension()?.to_str()?;
    let file = SOURCE.contains(&extension).then(|| fs::metadata(path).ok())??;
    // What is no plain file may never end.
    let is_source = file.is_file() && file.len() <= LARGEST;
    is_source.then(|| fs::read_to_string(path).ok()).flatten()
}

/// The lines around one, up to `around` on each side; nothing where the text has no such line.
#[must_use]
pub fn excerpt(text: &str, line: u64, around: u64) -> Option<Excerpt> {
    let from = line.saturating_sub(around).max(1);
    let many = line.saturating_add(around).saturating_add(1).saturating_sub(from) as usize;
    let lines = text.lines().skip(from as usize - 1).take(many);
    let lines: Vec<String> = lines.map(shown).collect();
    // A file that has no such line is another than the program ran.
    let has_line = line >= from && (lines.len() as u64) > line - from;
    has_line.then_some(Excerpt { from, lines })
}

fn show_around(line: &mut Line, text: &str) {
    if let Some(excerpt) = excerpt(text, line.line, AROUND) {
        line.around = excerpt.lines;
        line.around_from = Some(excerpt.from);
    }
}

fn shown(text: &str) -> String {
    let text = text.replace('\t', "  ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use deadweight_weighing::LineOf;

    use super::*;

    fn line(number: u64) -> Line {
        Line {
            file: "a.js".to_owned(),
            line: number,
            column: None,
            is: LineOf::Class,
            name: String::new(),
            share: None,
            through: None,
            around: Vec::new(),
            around_from: None,
        }
    }

    #[test]
    fn a_few_lines_around_are_shown_and_long_ones_cut() {
        let lines: Vec<String> = (1..=20).map(|n| format!("\tline {n}")).collect();
        let text = lines.join("\n");
        let mut middle = line(10);
        show_around(&mut middle, &text);
        assert_eq!((middle.around_from, middle.around.len()), (Some(7), 7));
        assert_eq!(middle.around[3], "  line 10");
        let mut first = line(1);
        show_around(&mut first, &text);
        assert_eq!((first.around_from, first.around.len()), (Some(1), 4));
        let mut behind = line(40);
        show_around(&mut behind, &text);
        assert_eq!((behind.around_from, behind.around.len()), (None, 0));
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), LONGEST + 1);
    }
}
