//! Rules that find dead weight, and the ledger that weighs every byte once.
//!
//! [`weigh`] runs every rule on a [`Heap`](deadweight_heap::Heap) and gives a [`Weighing`](deadweight_weighing::Weighing): small, serialisable and
//! versioned. [`weigh_churn`] does the same for a record of allocations, and [`churned`] for one beside a heap. Rules
//! know no runtime; what things cost they ask of the model's layout and allocator.

mod alone;
mod also_held;
mod basis;
mod books;
mod by_text;
mod candidate;
mod churn;
mod claims;
mod count;
mod equal_texts;
mod fingerprint;
mod groups;
mod holdings;
mod interning;
mod ledger;
mod lines;
mod maps;
mod others;
mod parts;
mod paths;
mod process;
mod relaid;
mod remains;
mod replaced_fields;
mod rope_lengths;
mod rope_pieces;
mod rule;
mod rules;
pub mod sizes;
mod slots;
mod takers;
mod unseen;
mod untouched;
mod weigh;

pub use basis::Basis;
pub use candidate::{Candidate, Extent};
pub use churn::{ChurnCandidate, ChurnLedger, ChurnRule, ChurnVerdict, Portion, churned, weigh_churn};
pub use claims::{Claim, Claims};
pub use deadweight_weighing::Code;
pub use interning::Interns;
pub use ledger::{Grant, Ledger};
pub use relaid::Relaid;
pub(crate) use rule::unknown_contents;
pub use rule::{Rule, Verdict};
pub use rules::{all, churn, find, rulebook};
pub use weigh::{Looking, Options, weigh};
