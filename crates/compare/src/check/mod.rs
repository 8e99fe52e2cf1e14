//! Whether a program keeps to its budgets and to its baseline.

mod baseline;
mod config;
mod figure;
mod help;
mod location;
mod measured;
mod verdict;

pub use baseline::{Baseline, BaselineError};
pub use config::{Config, ConfigError, Suppression};
pub use help::{Help, KEYS, help};
pub use location::{Location, location, location_of};
pub use verdict::{Broken, Check, Figures, Stale, What, check};
