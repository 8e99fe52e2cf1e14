//! Signs of life on standard error for work that takes longer than a second.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A spinner that first shows after a second, and only on a terminal.
pub fn spinner(what: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        spinner.set_style(style);
    }
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_secs(1));
    spinner
}
