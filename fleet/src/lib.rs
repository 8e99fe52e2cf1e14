//! Weighings of many services as a Parquet dataset that is asked by SQL.
//!
//! A [`Writer`](dataset::Writer) appends [`Taken`] weighings to the dataset at a [`Place`](dataset::Place); each is there
//! once, and durable when the writer says so. `README.md` has the protocol.

pub mod cluster;
pub mod dataset;
mod engine;
pub mod error;
mod identity;
pub mod ingest;
pub mod labels;
pub mod questions;
pub mod serve;
pub mod show;
pub mod tables;
mod taken;

pub use engine::Engine;
pub use error::{Error, Result};
pub use identity::identity;
pub use taken::{Taken, Texts};
