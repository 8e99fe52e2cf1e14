//! Workflow commands: `::error file=…,line=…,title=…::message`.

use std::fmt::Write as _;

use deadweight_compare::check::{Check, location_of};

use super::Names;
use super::lines::{sentence, stale_sentence, unseen_sentence};

pub(super) fn commands(check: &Check, names: Names<'_>) -> String {
    let mut text = String::new();
    for unseen in &check.unseen {
        let _ = writeln!(
            text,
            "::warning file={},line=1,title=Deadweight%3A memory that was not seen::{}",
            property(names.config),
            data(&unseen_sentence(unseen))
        );
    }
    for broken in &check.broken {
        let site = broken.finding.as_ref().and_then(location_of);
        let (file, line) = match (site, broken.line) {
            (Some(site), _) => (site.file, site.line),
            (None, Some(line)) => (names.config.to_owned(), line as u64),
            (None, None) => (names.baseline.to_owned(), 1),
        };
        let title = match &broken.finding {
            Some(finding) => format!("Deadweight {}", finding.rule),
            None => format!("Deadweight {}", broken.key),
        };
        let _ = writeln!(
            text,
            "::error file={},line={line},title={}::{}",
            property(&file),
            property(&title),
            data(&sentence(broken))
        );
    }
    for stale in &check.stale {
        let _ = writeln!(
            text,
            "::warning file={},line={},title=Deadweight suppression::{}",
            property(names.config),
            stale.line,
            data(&stale_sentence(stale))
        );
    }
    text
}

/// A message: nothing in it may start another command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property ends at a comma or a colon, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
