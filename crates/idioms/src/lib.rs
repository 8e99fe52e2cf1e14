//! Antipatterns in source that is at hand, found in its syntax tree.
//!
//! [`annotate`] looks at the lines of the program's own source that made something, and notes on the
//! [`Churn`](deadweight_heap::Churn) what is wasteful there, in neutral terms: rules about churn then weigh it without
//! knowing a language. An antipattern is a tree-sitter query and a template of the rewrite (`ruby.rs`, `javascript.rs`, …).

mod annotate;
mod calls;
mod compared;
mod condition;
mod crystal;
mod edits;
mod find;
mod gathered;
mod guarded;
mod idiom;
mod java;
mod javascript;
mod language;
mod logged;
mod meaning;
mod predicate;
mod python;
mod queries;
mod rewrite;
#[cfg(test)]
mod rewrites;
mod ruby;
mod source;
mod template;
mod walk;

pub use annotate::{annotate, antipatterns_in};
pub use edits::{Change, Claim, Fields, Replaced, SourceEdit, class_line, edit};
pub use language::Language;
