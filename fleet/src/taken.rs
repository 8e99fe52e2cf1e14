//! A weighing that was taken in: read, named, and without the program's texts.

use deadweight_report::Redaction;
use deadweight_weighing::{ReadError, Weighing, read};

use crate::identity::identity;
use crate::labels::Labels;

/// A weighing with what names it.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The same for the same weighing of the same capture.
    pub id: String,
    /// Of what it is.
    pub labels: Labels,
    /// What the tables need of it.
    pub weighing: Weighing,
}

/// Whether what the program's texts say may be stored.
#[derive(Clone, Debug)]
pub enum Texts {
    /// It becomes hashes, as with `--redact`: equal texts equal hashes as long as this process lives.
    Redacted(Box<Redaction>),
    /// It is stored as it came.
    Stored,
}

impl Texts {
    /// Redacted unless they are asked for.
    #[must_use]
    pub fn new(stored: bool) -> Self {
        if stored {
            Self::Stored
        } else {
            Self::Redacted(Box::default())
        }
    }
}

impl Taken {
    /// Reads a weighing of any version.
    ///
    /// # Errors
    /// When it is none, or does not add up.
    pub fn read(labels: Labels, json: &[u8], texts: &Texts) -> Result<Self, ReadError> {
        let mut weighing = read(json)?;
        // It was JSON for the reader of weighings.
        let id = identity(&labels, json).map_err(|_| ReadError::NotAWeighing)?;
        strip(&mut weighing);
        if let Texts::Redacted(redaction) = texts {
            weighing = redaction.weighing(weighing);
        }
        Ok(Self { id, labels, weighing })
    }
}

/// Drops what no table has, so that nothing of it is kept by mistake and none of it costs time.
fn strip(weighing: &mut Weighing) {
    weighing.groups.clear();
    weighing.curve = None;
    weighing.again = None;
    if let Some(churned) = &mut weighing.churned {
        churned.options.clear();
        churned.sites.clear();
        churned.rewrites.clear();
        churned.allocated = None;
    }
    let made = weighing
        .churned
        .iter_mut()
        .flat_map(|churned| &mut churned.findings);
    for finding in weighing.findings.iter_mut().chain(made) {
        finding.evidence.clear();
        finding.shared.clear();
        finding.path.clear();
        if let Some(line) = &mut finding.line {
            line.around.clear();
        }
    }
    // Their number alone is stored.
    for option in &mut weighing.options {
        option.evidence.clear();
        option.frees.clear();
        option.path.clear();
        option.line = None;
        option.title.clear();
        option.fix.clear();
        option.holder.clear();
        option.assumes = None;
        option.site = None;
    }
    for blind in &mut weighing.not_measured {
        blind.why.clear();
        blind.how.clear();
    }
}
