//! What a rule is.

use deadweight_heap::Heap;
use deadweight_weighing::NotMeasured;

use crate::count::Count;
use crate::{Basis, Candidate, Code};

/// That nobody knows what stands in so many buffers, of so many bytes.
pub(crate) fn unknown_contents(heap: &Heap, buffers: u64, bytes: u64) -> NotMeasured {
    NotMeasured::new(
        format!(
            "the contents of {} ({} bytes) are not in the dump",
            Count(buffers).of("buffer", "buffers"),
            Count(bytes)
        ),
        heap.runtime.recapture.clone(),
    )
}

/// What a rule found: candidates, and what it could not see. A rule may have both.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Fixes, at most one for each holder (and for each of held and external bytes).
    pub candidates: Vec<Candidate>,
    /// What could not be measured; who asks the rule adds its code.
    pub not_measured: Vec<NotMeasured>,
}

impl Verdict {
    /// Nothing could be measured.
    #[must_use]
    pub fn blind(why: impl Into<String>, how: impl Into<String>) -> Self {
        let not_measured = vec![NotMeasured::new(why, how)];
        Self {
            candidates: Vec::new(),
            not_measured,
        }
    }

    /// Of a rule about objects with fields and elements, where the dump has blocks of memory alone.
    #[must_use]
    pub(crate) fn of_blocks(heap: &Heap) -> Option<Self> {
        heap.has_only_blocks().then(|| {
            Self::blind(
                "the dump has blocks of memory, and does not say which objects with fields and elements are in them",
                "",
            )
        })
    }
}

impl From<Vec<Candidate>> for Verdict {
    fn from(candidates: Vec<Candidate>) -> Self {
        Self {
            candidates,
            not_measured: Vec::new(),
        }
    }
}

/// One way in which memory is wasted.
pub trait Rule: Sync + Send {
    /// Its code.
    fn code(&self) -> Code;
    /// The source file whose head comment is the rule's page.
    fn source(&self) -> &'static str;
    /// What the savings of its fixes rest on, where a candidate does not say.
    fn basis(&self) -> Basis;
    /// Looks at a heap. Proposes what each fix would free *alone*, without regard to other rules: the ledger settles
    /// who gets a byte that two want.
    fn look(&self, heap: &Heap) -> Verdict;
}
