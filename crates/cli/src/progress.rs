//! Signs of life on standard error for work that takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether to say nothing but results and errors.
pub fn quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether nothing but results and errors is said.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// A spinner that first shows after a second, and only on a terminal.
pub fn spinner(what: String) -> ProgressBar {
    if is_quiet() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        spinner.set_style(style);
    }
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_secs(1));
    spinner
}

/// A bar over files, with the time left as their sizes tell.
pub fn bar(bytes: u64) -> ProgressBar {
    if is_quiet() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    let template = "{spinner} {msg} {bar:20} {decimal_bytes}/{decimal_total_bytes}, about {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// The last word of a run that cannot keep to its limit, in bytes.
pub fn over_the_limit(limit: u64, needed: u64) {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    eprintln!(
        "deadweight: what cannot go to a file takes {} MB, more than the {} MB that --memory-limit allows",
        megabytes(needed),
        megabytes(limit)
    );
}
