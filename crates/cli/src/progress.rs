//! Signs of life on standard error for work that takes longer than a second.

use deadweight_spill::Exceeded;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use deadweight_formats::progress;
use deadweight_rules::Looking;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether to say nothing but results and errors.
pub fn quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether nothing but results and errors is said.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Says what is no result and no error.
pub fn note(what: std::fmt::Arguments<'_>) {
    if !is_quiet() {
        eprintln!("deadweight: {what}");
    }
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

/// A spinner that goes when it is dropped.
#[derive(Debug)]
pub struct Spinner(ProgressBar);

impl Spinner {
    /// One that shows what is waited for.
    pub fn new(what: String) -> Self {
        Self(spinner(what))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Work on a dump: while it lasts, and once it took a second, a terminal shows how far it is and the time left.
#[derive(Debug)]
pub struct Work {
    /// Dropped to end the thread that draws.
    end: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

/// Begins to show the work on a dump of so many bytes.
pub fn work(what: String, stored: u64) -> Work {
    if is_quiet() || !std::io::stderr().is_terminal() {
        return Work {
            end: None,
            drawing: None,
        };
    }
    let (end, ended) = channel();
    LOOKING.store(0, Ordering::Relaxed);
    let drawing = std::thread::spawn(move || {
        let mut wait = PATIENCE;
        let mut shown = None;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            wait = FRAME;
            shown
                .get_or_insert_with(|| Shown::new(ProgressDrawTarget::stderr, &what, stored))
                .draw(progress::so_far(), looking());
        }
        if let Some(shown) = shown {
            shown.bar.finish_and_clear();
        }
    });
    Work {
        end: Some(end),
        drawing: Some(drawing),
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.end = None;
        if let Some(drawing) = self.drawing.take() {
            let _ = drawing.join();
        }
    }
}

/// Which rule looks, and of how many; 0 before the first.
static LOOKING: AtomicU64 = AtomicU64::new(0);

/// Notes the rule that looks.
pub fn look(looking: Looking) {
    let both = (looking.nth as u64) << 32 | looking.of as u64;
    LOOKING.store(both, Ordering::Relaxed);
}

fn looking() -> (u64, u64) {
    let both = LOOKING.load(Ordering::Relaxed);
    (both >> 32, both & 0xFFFF_FFFF)
}

/// Work that is done sooner says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is drawn.
const FRAME: Duration = Duration::from_millis(200);

/// What the work is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Bytes pass.
    Reading,
    /// All have passed, and make a heap.
    Arranging,
    /// Rules look at it.
    Looking,
}

struct Shown<T> {
    bar: ProgressBar,
    /// Where it is drawn: each phase has a bar of its own.
    target: T,
    what: String,
    stored: u64,
    phase: Option<Phase>,
}

impl<T: Fn() -> ProgressDrawTarget> Shown<T> {
    fn new(target: T, what: &str, stored: u64) -> Self {
        Self {
            bar: ProgressBar::hidden(),
            target,
            what: what.to_owned(),
            stored,
            phase: None,
        }
    }

    /// Draws how far it is: bytes passed of those to pass, and the rule that looks of those that will.
    fn draw(&mut self, (passed, of): (u64, u64), (nth, rules): (u64, u64)) {
        let (phase, length, position) = if nth > 0 {
            (Phase::Looking, rules, nth - 1)
        } else if passed < of {
            // The bytes of the file as stored, also where it is unpacked or looked at twice.
            let share = passed as f64 / of as f64;
            (Phase::Reading, self.stored, (self.stored as f64 * share) as u64)
        } else {
            (Phase::Arranging, 0, 0)
        };
        if self.phase != Some(phase) {
            self.phase = Some(phase);
            let (verb, template) = match phase {
                Phase::Reading => (
                    "reading",
                    "{spinner} {msg} {bar:20} {decimal_bytes}/{decimal_total_bytes}, about {eta} left",
                ),
                Phase::Arranging => ("arranging", "{spinner} {msg} {elapsed}"),
                Phase::Looking => (
                    "weighing",
                    "{spinner} {msg} {bar:20} rule {human_pos}/{human_len}, about {eta} left",
                ),
            };
            self.bar.finish_and_clear();
            // What is set on a bar that is drawn already shows for a moment with what is not set yet.
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = ProgressBar::with_draw_target(Some(length), (self.target)())
                .with_style(style)
                .with_message(format!("{verb} {}", self.what))
                .with_position(position);
        }
        self.bar.set_position(position);
        self.bar.tick();
    }
}

/// The last word of a run that cannot keep to its limit, in bytes.
pub fn over_the_limit(limit: u64, exceeded: &Exceeded) {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    let full = exceeded.full.as_ref().map_or_else(String::new, |directory| {
        format!(
            "; there is no room left in {} (TMPDIR names another place)",
            directory.display()
        )
    });
    eprintln!(
        "deadweight: what cannot go to a file takes {} MB, more than the {} MB that --memory-limit allows{full}",
        megabytes(exceeded.needed),
        megabytes(limit)
    );
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    #[test]
    fn each_phase_is_shown_with_what_is_left_of_it() {
        let terminal = InMemoryTerm::new(4, 120);
        let target = || ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let mut shown = Shown::new(target, "big.heapsnapshot", 4_000_000);
        let mut draw = |far, looking| {
            // Frames that follow each other too closely are left out by the library.
            std::thread::sleep(Duration::from_millis(120));
            shown.draw(far, looking);
            terminal.contents()
        };
        let first = draw((0, 8_000_000), (0, 0));
        assert!(
            first.contains("reading big.heapsnapshot") && first.contains("/4.00 MB"),
            "{first}"
        );
        let half = draw((4_000_000, 8_000_000), (0, 0));
        assert!(
            half.contains("2.00 MB/4.00 MB, about") && half.contains("left"),
            "{half}"
        );
        let all = draw((8_000_000, 8_000_000), (0, 0));
        assert!(
            all.contains("arranging big.heapsnapshot") && !all.contains("left"),
            "{all}"
        );
        let rules = draw((8_000_000, 8_000_000), (3, 21));
        assert!(
            rules.contains("weighing big.heapsnapshot") && rules.contains("rule 2/21"),
            "{rules}"
        );
    }

    #[test]
    fn who_looks_at_no_terminal_sees_nothing() {
        // Tests have none.
        let work = work("a dump".to_owned(), 1);
        assert!(std::io::stderr().is_terminal() || work.drawing.is_none());
    }
}
