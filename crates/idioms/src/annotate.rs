//! From the lines that made something to the antipatterns on them.

use std::fs;
use std::io::Read;
use std::path::Path;

use deadweight_heap::churn::{Antipattern, AntipatternKind, Frame, FrameId};
use deadweight_heap::{Churn, Presence};
use rustc_hash::FxHashSet;

use crate::Language;
use crate::find::find;
use crate::gathered::gathered;
use crate::source::Source;

/// Larger files are generated, in bytes.
const LARGEST: u64 = 4 << 20;

/// More files than this are not read.
const MOST: usize = 2_000;

/// Reads the source of the program's own lines that made something, as far as it is at hand, and notes the antipatterns
/// found there. Files that cannot be read are passed over: what then stays unseen, the rules say. A record may name any file:
/// `may_read` says which may be looked at.
pub fn annotate(churn: &mut Churn, may_read: &dyn Fn(&Path) -> bool) {
    let stacks = churn.rows.iter().filter_map(|row| row.stack);
    let ids: FxHashSet<FrameId> = stacks.filter_map(|stack| churn.stacks.own(stack)).collect();
    let mut frames: Vec<&Frame> = ids.iter().filter_map(|&id| churn.frames.get(id)).collect();
    frames.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let mut files: Vec<&str> = frames.iter().map(|frame| frame.file.as_str()).collect();
    files.dedup();
    let mut found = Vec::new();
    let mut any = false;
    for file in files.into_iter().take(MOST) {
        let path = Path::new(&churn.root).join(file);
        let Some(text) = text_of(&path, may_read) else {
            continue;
        };
        let of_file = || frames.iter().filter(|frame| frame.file == file);
        // With the places of functions alone, all of their lines may make something.
        let lines: Option<Vec<u32>> =
            (churn.coverage.lines == Presence::Present).then(|| of_file().map(|frame| frame.line).collect());
        let source = Language::of(&path).and_then(|language| Source::parse(&text, language));
        let Some(source) = source else {
            continue;
        };
        let antipatterns = find(&source, file, lines.as_deref());
        any = true;
        let ran = |antipattern: &Antipattern| {
            // A look-up makes nothing, so its line has no rows.
            let is_there = match antipattern.kind {
                AntipatternKind::LookedUp => Churn::is_in_function,
                _ => Churn::is_at,
            };
            of_file().any(|frame| is_there(churn, antipattern, frame))
        };
        found.extend(antipatterns.into_iter().filter(ran));
    }
    churn.source_read = any;
    churn.antipatterns = found;
    churn.gatherings = gathered(churn, may_read);
}

/// Every antipattern in a text; `None` when it cannot be parsed at all.
#[must_use]
pub fn antipatterns_in(text: &str, language: Language, file: &str) -> Option<Vec<Antipattern>> {
    let source = Source::parse(text, language)?;
    Some(find(&source, file, None))
}

/// The text of an ordinary file. A path comes from a record, so it may name anything: pipes and devices are not opened.
pub(crate) fn text_of(path: &Path, may_read: &dyn Fn(&Path) -> bool) -> Option<String> {
    Language::of(path)?;
    may_read(path).then_some(())?;
    let is_plain = |meta: &fs::Metadata| meta.is_file() && meta.len() <= LARGEST;
    fs::metadata(path).ok().filter(is_plain)?;
    let mut text = String::new();
    fs::File::open(path)
        .ok()?
        .take(LARGEST)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}
