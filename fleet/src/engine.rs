//! The dataset under SQL.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::NaiveDate;
use datafusion::arrow::array::RecordBatch;
use datafusion::datasource::MemTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};

use crate::cluster::{Backend, Cluster, sees_all};
use crate::dataset::{Part, Place, State};
use crate::error::{Error, Result};
use crate::tables::Table;

/// A dataset as it was at one version, with its tables by name.
pub struct Engine {
    context: SessionContext,
    state: State,
    place: Place,
    cluster: Option<Cluster>,
}

impl Engine {
    /// The dataset at that place as it is now.
    ///
    /// # Errors
    /// When its log cannot be read, or there is nothing in it.
    pub async fn open(place: &Place, backend: &Backend) -> Result<Self> {
        Self::of(place, State::read(place).await?, backend).await
    }

    /// The dataset at a version.
    ///
    /// # Errors
    /// When there is nothing in it, or a file that the log lists is not there.
    pub async fn of(place: &Place, state: State, backend: &Backend) -> Result<Self> {
        if state.parts.is_empty() {
            return Err(Error::Empty(place.shown()));
        }
        are_there(place, &state).await?;
        let mut config = SessionConfig::new().with_information_schema(true);
        let options = config.options_mut();
        // Rows that a condition leaves out are not decoded in the other columns.
        options.execution.parquet.pushdown_filters = true;
        options.execution.parquet.reorder_filters = true;
        let context = SessionContext::new_with_config_rt(config, Arc::clone(&backend.runtime));
        let (base, store) = place.store();
        context.register_object_store(base, Arc::clone(store));
        let engine = Self {
            context,
            state,
            place: place.clone(),
            cluster: backend.cluster.clone(),
        };
        for table in Table::ALL {
            engine.register(table.name(), table, |_| true)?;
        }
        Ok(engine)
    }

    /// What the dataset is made of.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The last day with a weighing: questions about "now" are about the days up to it.
    #[must_use]
    pub fn last_day(&self) -> NaiveDate {
        let days = self.state.parts.values().map(|part| part.last_day);
        days.max().unwrap_or_default()
    }

    /// The dataset, for people.
    pub(crate) fn place(&self) -> String {
        self.place.shown()
    }

    /// Makes a table of those parts that are wanted.
    pub(crate) fn register(&self, name: &str, table: Table, wanted: impl Fn(&Part) -> bool) -> Result<()> {
        let parts = self.state.parts.values().filter(|part| wanted(part));
        let urls = parts.map(|part| ListingTableUrl::parse(self.place.address(&part.file(table))));
        let urls = urls.collect::<std::result::Result<Vec<_>, _>>()?;
        self.context.deregister_table(name)?;
        if urls.is_empty() {
            let none = MemTable::try_new(table.schema(), vec![Vec::new()])?;
            self.context.register_table(name, Arc::new(none))?;
            return Ok(());
        }
        let options = ListingOptions::new(Arc::new(ParquetFormat::default())).with_file_extension(".parquet");
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(options)
            .with_schema(table.schema());
        let listing = ListingTable::try_new(config)?;
        self.context.register_table(name, Arc::new(listing))?;
        Ok(())
    }

    /// Forgets a table.
    pub(crate) fn deregister(&self, name: &str) -> Result<()> {
        self.context.deregister_table(name)?;
        Ok(())
    }

    /// Makes a table of what a question gives. This process asks it once and keeps the rows. To a cluster rows cannot go:
    /// there the question becomes a part of each that reads the table.
    pub(crate) async fn define(&self, name: &str, question: &str) -> Result<()> {
        let frame = self.planned(question).await?;
        let table = if self.cluster.is_some() {
            frame.into_view()
        } else {
            let schema = Arc::clone(frame.schema().inner());
            Arc::new(MemTable::try_new(schema, vec![frame.collect().await?])?)
        };
        self.context.deregister_table(name)?;
        self.context.register_table(name, table)?;
        Ok(())
    }

    /// The rows that a question gives. It can only read.
    ///
    /// # Errors
    /// When it is no question, or asks for too much.
    pub async fn sql(&self, question: &str) -> Result<Vec<RecordBatch>> {
        let frame = self.planned(question).await?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let mut rows = match &self.cluster {
            Some(cluster) => {
                sees_all(self, cluster).await?;
                cluster.rows(frame).await?
            }
            None => frame.collect().await?,
        };
        if rows.is_empty() {
            rows.push(RecordBatch::new_empty(schema));
        }
        Ok(rows)
    }

    /// The plan of a question.
    pub(crate) async fn planned(&self, question: &str) -> Result<DataFrame> {
        let options = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        Ok(self.context.sql_with_options(question, options).await?)
    }
}

/// Looks for the files that the log lists: the engine takes one that is not there for one without rows.
async fn are_there(place: &Place, state: &State) -> Result<()> {
    for table in Table::ALL {
        let listed = place.list(table.name()).await?;
        let there: HashSet<&str> = listed.iter().map(|file| file.path.as_str()).collect();
        let with_rows = state
            .parts
            .values()
            .filter(|part| part.rows.get(&table) > Some(&0));
        let lost = with_rows
            .map(|part| part.file(table))
            .find(|file| !there.contains(file.as_str()));
        if let Some(file) = lost {
            return Err(Error::Lost {
                file,
                place: place.shown(),
            });
        }
    }
    Ok(())
}
