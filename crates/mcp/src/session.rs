//! What was weighed and proved since the server started.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use deadweight_compare::Proof;
use deadweight_fix::Edit;
use deadweight_weighing::{Finding, Line, Rewritten, Weighing};

use crate::{Refused, Roots};

/// Kept of each kind; those before are forgotten.
const MOST: usize = 32;

/// A weighing of this session.
#[derive(Debug)]
pub(crate) struct Weighed {
    /// Its name here: `w1`.
    pub id: String,
    /// The weighing as it may be shown.
    pub weighing: Weighing,
    /// Where findings are in the source, by fingerprint: files that are in the roots.
    pub places: HashMap<String, Place>,
    /// Edits that the weighing offers of files in the roots.
    pub edits: Vec<Edit>,
    /// The directory from which these files are seen.
    pub base: PathBuf,
    /// What was weighed, if it was a file or a capture.
    pub origin: Option<Origin>,
}

/// Source beside a weighing.
#[derive(Debug)]
pub(crate) struct AtHand {
    /// Where findings are, by fingerprint.
    pub places: HashMap<String, Place>,
    /// Edits of these files.
    pub edits: Vec<Edit>,
    /// The directory in which the program ran.
    pub base: PathBuf,
}

/// A file or a capture as it was when it was weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    path: PathBuf,
    bytes: u64,
    changed: Option<SystemTime>,
    operations: u64,
}

impl Origin {
    /// That of a path; a capture is complete once its record is there.
    pub(crate) fn of(path: &Path, operations: u64) -> Option<Self> {
        let record = path.join("capture.json");
        let facts = fs::metadata(if path.is_dir() { &record } else { path }).ok()?;
        Some(Self {
            path: path.to_owned(),
            bytes: facts.len(),
            changed: facts.modified().ok(),
            operations,
        })
    }
}

/// Where a finding is in the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The file and the line, from 1.
    pub line: Option<(PathBuf, u64)>,
    /// How the lines would read after a fix.
    pub rewrites: Vec<Rewritten>,
}

/// A proof of this session.
#[derive(Debug)]
pub(crate) struct Proved {
    /// Its name here: `p1`.
    pub id: String,
    /// The proof of weighings as they may be shown.
    pub proof: Proof,
}

/// What was weighed and proved, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Session {
    weighings: VecDeque<Arc<Weighed>>,
    proofs: VecDeque<Arc<Proved>>,
    number: [u64; 2],
}

impl Session {
    /// Takes a weighing in.
    pub(crate) fn weighed(
        &mut self,
        weighing: Weighing,
        source: AtHand,
        origin: Option<Origin>,
    ) -> Arc<Weighed> {
        let AtHand { places, edits, base } = source;
        self.number[0] += 1;
        let weighed = Arc::new(Weighed {
            id: format!("w{}", self.number[0]),
            weighing,
            places,
            edits,
            base,
            origin,
        });
        push(&mut self.weighings, weighed)
    }

    /// Takes a proof in.
    pub(crate) fn proved(&mut self, proof: Proof) -> Arc<Proved> {
        self.number[1] += 1;
        let proved = Arc::new(Proved {
            id: format!("p{}", self.number[1]),
            proof,
        });
        push(&mut self.proofs, proved)
    }

    /// The weighing of that name.
    pub(crate) fn weighing(&self, id: &str) -> Result<Arc<Weighed>, Refused> {
        let found = self.weighings.iter().find(|weighed| weighed.id == id);
        found
            .cloned()
            .ok_or_else(|| Refused::NoWeighing(id.chars().take(40).collect()))
    }

    /// The weighing of a file or a capture that is still as it was.
    pub(crate) fn weighing_of(&self, origin: &Origin) -> Option<Arc<Weighed>> {
        let is_same = |weighed: &&Arc<Weighed>| weighed.origin.as_ref() == Some(origin);
        self.weighings.iter().rev().find(is_same).cloned()
    }

    /// The proof of that name.
    pub(crate) fn proof(&self, id: &str) -> Option<Arc<Proved>> {
        self.proofs.iter().find(|proved| proved.id == id).cloned()
    }

    /// All that is kept, the earliest first.
    pub(crate) fn kept(&self) -> (Vec<Arc<Weighed>>, Vec<Arc<Proved>>) {
        (
            self.weighings.iter().cloned().collect(),
            self.proofs.iter().cloned().collect(),
        )
    }
}

fn push<T>(kept: &mut VecDeque<Arc<T>>, latest: Arc<T>) -> Arc<T> {
    if kept.len() == MOST {
        kept.pop_front();
    }
    kept.push_back(Arc::clone(&latest));
    latest
}

/// Whether an argument is the name of a weighing, and no path.
pub(crate) fn is_id(text: &str) -> bool {
    let number = text.strip_prefix('w').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// All findings of a weighing, each with the list it stands in.
pub(crate) fn findings(weighing: &Weighing) -> impl Iterator<Item = (Of, &Finding)> {
    let made = weighing.churned.iter();
    let made_options = made.clone().flat_map(|churned| &churned.options);
    let held = weighing.findings.iter().map(|finding| (Of::Held, finding));
    held.chain(
        made.flat_map(|churned| &churned.findings)
            .map(|finding| (Of::Made, finding)),
    )
    .chain(weighing.options.iter().map(|finding| (Of::Options, finding)))
    .chain(made_options.map(|finding| (Of::MadeOptions, finding)))
}

/// The list that a finding stands in.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Of {
    /// Dead weight of what is held.
    Held,
    /// Needless allocations of what is made.
    Made,
    /// Advice about what is held that changes how the program is written; in no sum.
    Options,
    /// The same about what is made.
    MadeOptions,
}

/// Where the findings of a weighing are in the source, as far as the roots hold it; what was read of other files is taken
/// out of the weighing. `base` is the directory in which the program ran.
pub(crate) fn places(weighing: &mut Weighing, base: &Path, roots: &Roots) -> HashMap<String, Place> {
    let real = |file: &str| {
        let path = base.join(file);
        roots.may_read(&path).then(|| path.canonicalize().ok())?
    };
    let mut places: HashMap<String, Place> = HashMap::new();
    let made = weighing.churned.iter_mut();
    let made = made.flat_map(|churned| churned.findings.iter_mut().chain(&mut churned.options));
    for finding in weighing
        .findings
        .iter_mut()
        .chain(&mut weighing.options)
        .chain(made)
    {
        let of_line = finding.line.as_ref().map(|line| (line.file.clone(), line.line));
        let at = of_line.or_else(|| of_site(finding.site.as_deref()?));
        let found = at.and_then(|(file, line)| Some((real(&file)?, line)));
        if found.is_none()
            && let Some(line) = &mut finding.line
        {
            forget(line);
        }
        if let Some(found) = found {
            places.entry(finding.fingerprint.clone()).or_default().line = Some(found);
        }
    }
    if let Some(churned) = &mut weighing.churned {
        churned.rewrites.retain(|rewrite| real(&rewrite.file).is_some());
        for rewrite in &churned.rewrites {
            let place = places.entry(rewrite.fingerprint.clone()).or_default();
            place.rewrites.push(rewrite.clone());
        }
    }
    places
}

fn forget(line: &mut Line) {
    line.around.clear();
    line.around_from = None;
}

/// `src/db.rb:41`, perhaps within a longer name: `insert (src/db.rb:41)`.
fn of_site(site: &str) -> Option<(String, u64)> {
    let place = site
        .rsplit_once('(')
        .map_or(site, |(_, place)| place.trim_end_matches(')'));
    let (file, line) = place.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_name_their_lines() {
        assert_eq!(of_site("src/db.rb:41"), Some(("src/db.rb".to_owned(), 41)));
        assert_eq!(of_site("insert (tree.cpp:17)"), Some(("tree.cpp".to_owned(), 17)));
        assert_eq!(of_site("insert"), None);
    }

    #[test]
    fn names_of_weighings_are_no_paths() {
        assert!(is_id("w1") && is_id("w120"));
        for path in ["w", "w1.heapsnapshot", "W1", "1", "", "w-1", "w1/x"] {
            assert!(!is_id(path), "{path}");
        }
    }
}
