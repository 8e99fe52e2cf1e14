//! Clusters of a program that was built without them.

use std::collections::HashSet;
use std::sync::Mutex;

use datafusion::arrow::array::RecordBatch;
use datafusion::prelude::DataFrame;

use super::Scheduler;
use crate::error::{Error, Result};

/// There is none.
#[derive(Clone)]
pub(crate) enum Cluster {}

impl Cluster {
    #[expect(clippy::unused_async, reason = "a cluster is looked for")]
    pub(super) async fn at(_: &Scheduler) -> Result<Self> {
        Err(Error::WithoutClusters)
    }

    pub(crate) fn scheduler(&self) -> &Scheduler {
        match *self {}
    }

    pub(crate) fn seen(&self) -> &Mutex<HashSet<String>> {
        match *self {}
    }

    #[expect(clippy::unused_async, reason = "a cluster is waited for")]
    pub(crate) async fn rows(&self, _: DataFrame) -> Result<Vec<RecordBatch>> {
        match *self {}
    }
}
