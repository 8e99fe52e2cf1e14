//! What a fleet is asked, each as SQL with an answer that can be shown or written as JSON.

mod hosts;
mod regressions;
mod rollout;
mod rows;
mod top;
mod trend;
mod versions;
pub mod welch;
mod who;

pub use regressions::{NewFinding, Regression, Regressions, regressions};
pub use rollout::{Fate, Promised, Rollout, Verdict, rollout};
pub use rows::{json_rows, texts};
pub use top::{ServiceRow, Top, TopFinding, top};
pub use trend::{Day, Trend, trend};
pub use who::{Having, Host, Who, who};

use chrono::{Days, NaiveDate};
use serde::Serialize;

use crate::engine::Engine;

/// Hours of a month: 365 days in 12.
pub const HOURS_A_MONTH: f64 = 730.0;

/// A price of memory.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub struct Price {
    /// What 1 GB (10⁹ bytes) costs an hour, in whatever currency.
    pub per_gb_hour: f64,
}

impl Price {
    /// What these bytes cost a month.
    #[must_use]
    pub fn a_month(self, bytes: f64) -> f64 {
        bytes / 1e9 * self.per_gb_hour * HOURS_A_MONTH
    }
}

/// The first of the last days, up to the last one with a weighing.
pub(crate) fn first_of(engine: &Engine, days: u64) -> NaiveDate {
    let last = engine.last_day();
    last.checked_sub_days(Days::new(days.saturating_sub(1)))
        .unwrap_or(last)
}

/// A text as SQL has it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
