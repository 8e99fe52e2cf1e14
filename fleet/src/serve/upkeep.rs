//! What the dataset needs from time to time: fewer parts, and old weighings gone.

use std::time::Duration;

use chrono::{Days, Utc};

use crate::dataset::{GRACE, Place, compact, retain, sweep};
use crate::error::Result;

/// How often it is looked after.
const EVERY: Duration = Duration::from_mins(1);

/// Fewer parts of a sort are not worth the work.
const LEAST: usize = 8;

/// Looks after the dataset as long as the process lives. What fails is tried again the next time.
pub(super) async fn keep(place: Place, days: Option<u64>) {
    let mut rounds = 0_u64;
    loop {
        tokio::time::sleep(EVERY).await;
        let hourly = rounds.is_multiple_of(60);
        rounds += 1;
        if let Err(error) = once(&place, days.filter(|_| hourly), hourly).await {
            eprintln!("deadweight fleet: upkeep: {error}");
        }
    }
}

async fn once(place: &Place, days: Option<u64>, sweeps: bool) -> Result<()> {
    compact(place, LEAST).await?;
    let from = days.and_then(|days| {
        Utc::now()
            .date_naive()
            .checked_sub_days(Days::new(days.saturating_sub(1)))
    });
    if let Some(from) = from {
        retain(place, from).await?;
    }
    if sweeps {
        sweep(place, GRACE).await?;
    }
    Ok(())
}
