//! The source around each finding's line, where it is at hand when a dump is weighed.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use deadweight_weighing::{Line, Weighing};

/// Lines before and behind the one.
const AROUND: u64 = 3;

/// Characters of a line: what minifiers write has one of megabytes.
const LONGEST: usize = 160;

/// How files of source end.
const SOURCE: [&str; 28] = [
    "c", "cc", "cjs", "cpp", "cr", "cts", "cxx", "groovy", "h", "hh", "hpp", "hxx", "java", "js", "jsx",
    "kt", "mjs", "mts", "py", "pyi", "pyx", "rake", "rb", "rs", "scala", "ts", "tsx", "vue",
];

/// Larger files are no source that a person reads.
const LARGEST: u64 = 4 << 20;

/// Adds to each finding the lines around its own. Paths are seen from `root`.
pub fn show(weighing: &mut Weighing, root: &str) {
    let mut files = HashMap::new();
    for finding in weighing.findings.iter_mut().chain(&mut weighing.options) {
        let Some(line) = &mut finding.line else { continue };
        let path = Path::new(root).join(&line.file);
        let text = files.entry(path).or_insert_with_key(read);
        if let Some(text) = text {
            show_around(line, text);
        }
    }
}

fn read(path: &PathBuf) -> Option<String> {
    // A dump from elsewhere may name any file: only what is source by its name gets into a report.
    let extension = path.extension()?.to_str()?;
    let file = SOURCE.contains(&extension).then(|| fs::metadata(path).ok())??;
    // What is no plain file may never end.
    let is_source = file.is_file() && file.len() <= LARGEST;
    is_source.then(|| fs::read_to_string(path).ok()).flatten()
}

fn show_around(line: &mut Line, text: &str) {
    let from = line.line.saturating_sub(AROUND).max(1);
    let many = (line.line + AROUND + 1).saturating_sub(from) as usize;
    let lines = text.lines().skip(from as usize - 1).take(many);
    let shown: Vec<String> = lines.map(shown).collect();
    // A file that has no such line is another than the program ran.
    if (shown.len() as u64) > line.line - from {
        line.around = shown;
        line.around_from = Some(from);
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
