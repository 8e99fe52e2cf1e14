//! Where questions are answered: in this process, or by a cluster over the same files.

#[cfg(feature = "ballista")]
mod ballista;
mod scheduler;
mod sees;
#[cfg(not(feature = "ballista"))]
mod without;

use std::sync::Arc;

use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

use crate::error::Result;

#[cfg(feature = "ballista")]
pub(crate) use ballista::Cluster;
pub use scheduler::Scheduler;
pub(crate) use sees::sees_all;
#[cfg(not(feature = "ballista"))]
pub(crate) use without::Cluster;

/// The most memory that the engine takes for sorting and grouping; what needs more goes to a temporary file or fails.
const MOST: usize = 640 << 20;

/// What all engines of a process have in common.
#[derive(Clone)]
pub struct Backend {
    /// The limit of memory, and what is remembered of files.
    pub(crate) runtime: Arc<RuntimeEnv>,
    /// Who answers, unless it is this process.
    pub(crate) cluster: Option<Cluster>,
}

impl Backend {
    /// This process, or the cluster of a scheduler.
    ///
    /// # Errors
    /// When nobody listens at that address, or this program was built without clusters.
    pub async fn at(scheduler: Option<&Scheduler>) -> Result<Self> {
        let cluster = match scheduler {
            Some(scheduler) => Some(Cluster::at(scheduler).await?),
            None => None,
        };
        let runtime = RuntimeEnvBuilder::new().with_memory_limit(MOST, 1.0);
        Ok(Self {
            runtime: runtime.build_arc()?,
            cluster,
        })
    }
}
