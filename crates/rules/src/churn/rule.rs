//! What a rule about churn is.

use deadweight_heap::Churn;
use deadweight_weighing::NotMeasured;

use super::ChurnCandidate;
use crate::Code;

/// What a rule found: candidates, and what it could not see.
#[derive(Debug, Default)]
pub struct ChurnVerdict {
    /// Fixes, at most one for each line and variant.
    pub candidates: Vec<ChurnCandidate>,
    /// What could not be measured; who asks the rule adds its code.
    pub not_measured: Vec<NotMeasured>,
}

impl ChurnVerdict {
    /// Says that something could not be measured.
    pub fn blind(&mut self, why: impl Into<String>, how: impl Into<String>) {
        self.not_measured.push(NotMeasured::new(why, how));
    }
}

/// One way in which a program makes what it could do without.
pub trait ChurnRule: Sync + Send {
    /// Its code.
    fn code(&self) -> Code;
    /// The source file whose head comment is the rule's page.
    fn source(&self) -> &'static str;
    /// Looks at what was made. Proposes what each fix would spare *alone*: the ledger settles who gets a byte that two
    /// want.
    fn look(&self, churn: &Churn) -> ChurnVerdict;
}
