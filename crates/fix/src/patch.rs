//! Edits held against the files at hand.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use similar::TextDiff;

use crate::joined::joined;
use crate::{Edit, Hunk};

/// Larger files are generated, in bytes.
const LARGEST: u64 = 4 << 20;

/// Lines of a diff that stand around a change.
const AROUND: usize = 3;

/// The edits that fit, by file.
#[derive(Debug, Default)]
pub struct Patch {
    /// The files that change, in the order of their names.
    pub files: Vec<FilePatch>,
    /// What is left out, in the order of the edits.
    pub left: Vec<Left>,
}

/// A file with its edits made.
#[derive(Debug)]
pub struct FilePatch {
    /// Its name in edits.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// As it is.
    pub before: String,
    /// With the edits.
    pub after: String,
    /// The edits, in the order in which they were offered.
    pub edits: Vec<Edit>,
}

/// An edit that is not made.
#[derive(Debug)]
pub struct Left {
    /// The edit.
    pub edit: Edit,
    /// Why not.
    pub why: Why,
}

/// Why an edit is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Its file is not there, or is no source that can be read.
    Missing,
    /// Its file is not below the program's directory.
    Outside,
    /// The lines are not those that were recorded.
    Changed,
    /// Another edit changes the same lines, or the fields of the same class.
    Overlaps,
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Missing => "the file is not at hand; `--root` says where the program's directory is",
            Self::Outside => "the file is not in the program's directory",
            Self::Changed => "the source has changed since it was recorded: record it again",
            Self::Overlaps => "another edit changes the same lines or class: run `fix` again afterwards",
        })
    }
}

impl Patch {
    /// Makes the edits on the text of their files, which stay as they are; of two that touch the same lines the first.
    /// Files are seen from `root`.
    #[must_use]
    pub fn new(root: &Path, edits: Vec<Edit>) -> Self {
        let mut patch = Self::default();
        let mut by_file: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(edit.file.clone()).or_default().push(edit);
        }
        for (name, edits) in by_file {
            match text_of(root, &name) {
                Ok((path, before)) => patch.add(name, path, before, edits),
                Err(why) => patch
                    .left
                    .extend(edits.into_iter().map(|edit| Left { edit, why })),
            }
        }
        patch
    }

    fn add(&mut self, name: String, path: PathBuf, before: String, edits: Vec<Edit>) {
        let lines: Vec<&str> = before.split_inclusive('\n').collect();
        let mut made: Vec<Edit> = Vec::new();
        let mut hunks: Vec<Hunk> = Vec::new();
        for edit in edits {
            let claims = made.iter().filter_map(|other| other.claims.as_ref());
            let goes = edit
                .claims
                .as_ref()
                .is_none_or(|claim| claims.into_iter().all(|other| claim.goes_with(other)));
            let why = if !edit.hunks.iter().all(|hunk| fits(hunk, &lines)) {
                Why::Changed
            } else if let Some(joined) = goes.then(|| joined(&hunks, &edit.hunks)).flatten() {
                hunks = joined;
                made.push(edit);
                continue;
            } else {
                Why::Overlaps
            };
            self.left.push(Left { edit, why });
        }
        if made.is_empty() {
            return;
        }
        let after = edited(&lines, &hunks);
        self.files.push(FilePatch {
            name,
            path,
            before,
            after,
            edits: made,
        });
    }

    /// All edits that fit.
    pub fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.files.iter().flat_map(|file| &file.edits)
    }

    /// As `git apply` and `patch -p1` read it, from the program's directory.
    #[must_use]
    pub fn diff(&self) -> String {
        self.files.iter().map(FilePatch::diff).collect()
    }
}

impl FilePatch {
    fn diff(&self) -> String {
        let diff = TextDiff::from_lines(&self.before, &self.after);
        let mut unified = diff.unified_diff();
        unified.context_radius(AROUND);
        unified.header(&format!("a/{}", self.name), &format!("b/{}", self.name));
        unified.to_string()
    }
}

/// A file of source below `root`. Its name comes from a record, so it may be anything.
pub(crate) fn text_of(root: &Path, name: &str) -> Result<(PathBuf, String), Why> {
    let name = Path::new(name);
    if name
        .components()
        .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return Err(Why::Outside);
    }
    let root = root.canonicalize().map_err(|_| Why::Missing)?;
    let path = root.join(name).canonicalize().map_err(|_| Why::Missing)?;
    if !path.starts_with(&root) {
        return Err(Why::Outside);
    }
    let is_source = |facts: fs::Metadata| facts.is_file() && facts.len() <= LARGEST;
    if !fs::metadata(&path).is_ok_and(is_source) {
        return Err(Why::Missing);
    }
    let text = fs::read_to_string(&path).map_err(|_| Why::Missing)?;
    Ok((path, text))
}

/// Whether the file has the lines that the edit replaces.
fn fits(hunk: &Hunk, lines: &[&str]) -> bool {
    let Some(from) = hunk.line.checked_sub(1) else {
        return false;
    };
    let there = usize::try_from(from)
        .ok()
        .and_then(|from| lines.get(from..from + hunk.before.len()));
    there.is_some_and(|there| {
        there
            .iter()
            .zip(&hunk.before)
            .all(|(line, before)| content(line) == before)
    })
}

/// A line without its break.
fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

fn edited(lines: &[&str], hunks: &[Hunk]) -> String {
    let mut hunks: Vec<&Hunk> = hunks.iter().collect();
    // What is put in before a line stands before what takes the line's place.
    hunks.sort_by_key(|hunk| (hunk.line, hunk.end()));
    let mut after = String::new();
    let mut at = 0;
    for hunk in hunks {
        let (from, end) = (hunk.line as usize - 1, hunk.end() as usize - 1);
        after.extend(lines[at..from].iter().copied());
        let last = lines[from..end].last().copied();
        let near = last.or_else(|| lines.get(from).copied()).unwrap_or("\n");
        let line_break = if near.ends_with("\r\n") { "\r\n" } else { "\n" };
        for (number, line) in hunk.after.iter().enumerate() {
            after.push_str(line);
            // A file whose last line has no break keeps it so.
            let is_last = number + 1 == hunk.after.len();
            if !is_last || last.is_none_or(|last| last.ends_with('\n')) {
                after.push_str(line_break);
            }
        }
        at = end;
    }
    after.extend(lines[at..].iter().copied());
    after
}

#[cfg(test)]
mod tests;
