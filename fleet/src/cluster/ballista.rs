//! Questions that a cluster of Ballista answers.
//!
//! The plan of a question goes to the scheduler with the names of the files that the log lists; the scheduler and the
//! executors read these files themselves. A plan that also reads what only this process has (a table without parts, the
//! list of the tables) cannot go there, and is answered here, from the same files.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use ballista_core::extension::{SessionConfigExt as _, SessionStateExt as _};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::source_as_provider;
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::DataFrame;

use super::Scheduler;
use crate::error::{Error, Result};

/// A running cluster.
#[derive(Clone)]
pub(crate) struct Cluster {
    scheduler: Scheduler,
    /// One for all questions of this process, so that the scheduler does not keep one for each.
    session: String,
    /// The parts whose rows it was seen to read.
    seen: Arc<Mutex<HashSet<String>>>,
}

impl Cluster {
    pub(super) async fn at(scheduler: &Scheduler) -> Result<Self> {
        scheduler.reached().await?;
        Ok(Self {
            scheduler: scheduler.clone(),
            session: format!("deadweight-fleet-{:016x}", crate::dataset::random()),
            seen: Arc::default(),
        })
    }

    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    pub(crate) fn seen(&self) -> &Mutex<HashSet<String>> {
        &self.seen
    }

    /// The rows of a question.
    pub(crate) async fn rows(&self, question: DataFrame) -> Result<Vec<RecordBatch>> {
        let (state, plan) = question.into_parts();
        let config = state
            .config()
            .clone()
            .upgrade_for_ballista()
            // Both know the same tables; a default catalog for the client would take their place.
            .with_create_default_catalog_and_schema(false)
            // Jobs of plans that change as they run do not end where a stage before a window has no rows. This comes after the
            // upgrade, which leaves a configuration alone that has settings of Ballista.
            .with_ballista_adaptive_query_planner(false);
        let client = SessionStateBuilder::new_from_existing(state.clone()).with_config(config);
        let client = client.build().upgrade_for_ballista(self.scheduler.http())?;
        let client = SessionStateBuilder::new_from_existing(client)
            .with_session_id(self.session.clone())
            .build();
        let optimized = client.optimize(&plan)?;
        if !travels(&optimized)? {
            return Ok(DataFrame::new(state, plan).collect().await?);
        }
        let rows = DataFrame::new(client, optimized).collect().await;
        rows.map_err(|why| Error::Cluster {
            scheduler: self.scheduler.to_string(),
            why,
        })
    }
}

/// Whether all that a plan reads is files, or nothing at all.
fn travels(plan: &LogicalPlan) -> Result<bool> {
    let mut all = true;
    plan.apply_with_subqueries(|node| {
        all &= match node {
            LogicalPlan::TableScan(scan) => {
                let provider = source_as_provider(&scan.source)?;
                provider.downcast_ref::<ListingTable>().is_some()
            }
            // The names of its columns are lost on the way.
            LogicalPlan::EmptyRelation(none) => none.schema.fields().is_empty(),
            _ => true,
        };
        Ok(if all {
            TreeNodeRecursion::Continue
        } else {
            TreeNodeRecursion::Stop
        })
    })?;
    Ok(all)
}
