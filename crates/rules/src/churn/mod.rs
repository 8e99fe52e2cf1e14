//! Rules about what is made and thrown away, and their ledger, apart from that of what is held.

mod allocated;
mod antipatterns;
mod candidate;
mod ledger;
mod lines;
mod rule;
mod sites;
mod weigh;

pub(crate) use antipatterns::{all_operand, each_antipattern, of_antipatterns, unforeseen};
pub use candidate::{ChurnCandidate, Portion};
pub use ledger::ChurnLedger;
pub(crate) use lines::{Line, lines};
pub use rule::{ChurnRule, ChurnVerdict};
pub use weigh::{churned, weigh_churn};
