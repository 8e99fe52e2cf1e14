//! What tools work with.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadweight_capture::read_capture;
use deadweight_fix::edits;
use deadweight_report::Redaction;
use deadweight_rules::Options;
use deadweight_weigher::{Weigher, latest, stored, verify};
use deadweight_weighing::{Finding, Weighing};

use crate::session::{AtHand, Of, Origin, Session, Weighed, findings, is_id, places};
use crate::{Refused, Settings};

/// What tools work with: what the user allows, and what was weighed so far.
#[derive(Debug)]
pub(crate) struct Desk {
    /// What the user allows.
    pub settings: Settings,
    redaction: Option<Redaction>,
    session: Mutex<Session>,
    /// Held while something is weighed: it takes all cores, and much memory.
    turn: Mutex<()>,
}

impl Desk {
    /// One with nothing weighed.
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            redaction: (!settings.show_texts).then(Redaction::default),
            settings,
            session: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// What was weighed. Whoever panicked while he held it left it whole.
    pub(crate) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with a weigher while nobody else weighs. Texts stay as they are: who takes the result in redacts it.
    pub(crate) fn in_turn<T>(
        &self,
        work: impl FnOnce(&Weigher<'_>) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        work(&Weigher {
            redaction: None,
            may_read: &|path| self.settings.roots.may_read(path),
            ends: false,
            watch: &(),
        })
    }

    /// Takes a weighing into the session as it may be shown. `base` is the directory in which the program ran.
    pub(crate) fn take_in(
        &self,
        mut weighing: Weighing,
        base: &Path,
        origin: Option<Origin>,
    ) -> Arc<Weighed> {
        let roots = &self.settings.roots;
        let mut edits = edits(&weighing, base, &[]);
        edits.retain(|edit| roots.may_read(&base.join(&edit.file)));
        let source = AtHand {
            places: places(&mut weighing, base, roots),
            edits,
            base: base.to_owned(),
        };
        let shown = match &self.redaction {
            Some(redaction) => redaction.weighing(weighing),
            None => weighing,
        };
        self.session().weighed(shown, source, origin)
    }

    /// The weighing of that name, or that of a file or folder in the roots: a dump, a capture, or a stored weighing.
    pub(crate) fn weighing(&self, of: &str, operations: u64) -> Result<Arc<Weighed>, Refused> {
        if is_id(of) {
            return self.session().weighing(of);
        }
        let path = self.settings.roots.resolve(of)?;
        // The latest of a folder is behind no link that leads out, or the folder was refused.
        let path = latest(&path)?.into_owned();
        let origin = Origin::of(&path, operations);
        let known = origin
            .as_ref()
            .and_then(|origin| self.session().weighing_of(origin));
        if let Some(known) = known {
            return Ok(known);
        }
        let weighing = self.in_turn(|weigher| {
            verify([&path])?;
            if let Some(weighing) = stored(&path)? {
                return Ok(weighing);
            }
            let options = Options {
                paths: true,
                ..Options::all()
            };
            Ok(weigher.weigh(&path, None, operations, &options)?)
        })?;
        let capture = path.is_dir().then(|| read_capture(&path).ok()).flatten();
        let base = capture.and_then(|capture| capture.record.process.cwd);
        let base = base.unwrap_or_else(|| self.settings.roots.first().to_owned());
        Ok(self.take_in(weighing, &base, origin))
    }

    /// The finding of a weighing with that fingerprint.
    pub(crate) fn finding(weighed: &Weighed, fingerprint: &str) -> Result<(Of, Finding), Refused> {
        let found = findings(&weighed.weighing).find(|(_, finding)| finding.fingerprint == fingerprint);
        let found = found.map(|(of, finding)| (of, finding.clone()));
        found.ok_or_else(|| {
            let name: String = fingerprint.chars().take(40).collect();
            Refused::NoFinding(weighed.id.clone(), name)
        })
    }

    /// What a caller reads of an error: in one line, without what it quotes of a dump, and without the roots.
    pub(crate) fn described(&self, refused: &Refused) -> String {
        let mut said = refused.to_string();
        let mut cause = std::error::Error::source(refused);
        while let Some(why) = cause {
            let why_said = why.to_string();
            if !said.ends_with(&why_said) {
                said = format!("{said}: {why_said}");
            }
            cause = why.source();
        }
        // What a request says itself is no secret to its sender.
        let quotes_dump = matches!(refused, Refused::Weigh(_) | Refused::Unfit(_) | Refused::Panic(_));
        let said = match &self.redaction {
            Some(redaction) if quotes_dump => redaction.message(&said),
            _ => said,
        };
        let said = self.settings.roots.without_roots(&said);
        let mut shown: String = deadweight_weighing::harmless(&said).chars().take(1_000).collect();
        if said.chars().nth(1_000).is_some() {
            shown.push('…');
        }
        shown
    }
}
