//! Rules about what is made and thrown away, and their ledger, apart from that of what is held.

mod candidate;
mod ledger;
mod lines;
mod made;
mod practiced;
mod rule;
mod sites;
mod weigh;

pub use candidate::{ChurnCandidate, Portion};
pub use ledger::ChurnLedger;
pub(crate) use lines::{Line, lines};
pub(crate) use practiced::{all_operand, practiced, unforeseen};
pub use rule::{ChurnRule, ChurnVerdict};
pub use weigh::{churned, weigh_churn};
