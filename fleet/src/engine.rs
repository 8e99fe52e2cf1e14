//! The dataset under SQL.

use std::sync::Arc;

use chrono::NaiveDate;
use datafusion::arrow::array::RecordBatch;
use datafusion::datasource::MemTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};

use crate::dataset::{Part, Place, State};
use crate::error::{Error, Result};
use crate::tables::Table;

/// The most memory that the engine takes for sorting and grouping; what needs more goes to a temporary file or fails.
const MOST: usize = 640 << 20;

/// A dataset as it was at one version, with its tables by name.
pub struct Engine {
    context: SessionContext,
    state: State,
    place: Place,
}

impl Engine {
    /// The dataset at that place as it is now.
    ///
    /// # Errors
    /// When its log cannot be read, or there is nothing in it.
    pub async fn open(place: &Place) -> Result<Self> {
        Self::of(place, State::read(place).await?, &Self::runtime()?)
    }

    /// What engines have in common: the limit of memory, and what they remember of files.
    ///
    /// # Errors
    /// When the engine cannot have it.
    pub fn runtime() -> Result<Arc<RuntimeEnv>> {
        Ok(RuntimeEnvBuilder::new()
            .with_memory_limit(MOST, 1.0)
            .build_arc()?)
    }

    /// The dataset at a version.
    ///
    /// # Errors
    /// When there is nothing in it.
    pub fn of(place: &Place, state: State, runtime: &Arc<RuntimeEnv>) -> Result<Self> {
        if state.parts.is_empty() {
            return Err(Error::Empty(place.shown()));
        }
        let mut config = SessionConfig::new().with_information_schema(true);
        let options = config.options_mut();
        // Rows that a condition leaves out are not decoded in the other columns.
        options.execution.parquet.pushdown_filters = true;
        options.execution.parquet.reorder_filters = true;
        let context = SessionContext::new_with_config_rt(config, Arc::clone(runtime));
        let (base, store) = place.store();
        context.register_object_store(base, Arc::clone(store));
        let engine = Self {
            context,
            state,
            place: place.clone(),
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

    /// Makes a table of rows.
    pub(crate) fn register_rows(&self, name: &str, rows: Vec<RecordBatch>) -> Result<()> {
        let Some(first) = rows.first() else {
            return Err(Error::Ended(format!("{name} has no columns")));
        };
        let table = MemTable::try_new(first.schema(), vec![rows])?;
        self.context.deregister_table(name)?;
        self.context.register_table(name, Arc::new(table))?;
        Ok(())
    }

    /// The rows that a question gives. It can only read.
    ///
    /// # Errors
    /// When it is no question, or asks for too much.
    pub async fn sql(&self, question: &str) -> Result<Vec<RecordBatch>> {
        let options = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        let frame = self.context.sql_with_options(question, options).await?;
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let mut rows = frame.collect().await?;
        if rows.is_empty() {
            rows.push(RecordBatch::new_empty(schema));
        }
        Ok(rows)
    }
}
