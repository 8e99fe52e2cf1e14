//! Starts a program with a recorder loaded and collects the captures it writes.
//!
//! A *capture* is a directory with a heap snapshot, the totals the process stated of itself, and what a probe
//! of its buffers found; of a native program it is a single dump. A *recorder* is the piece that is loaded into the
//! program, one per runtime. Those of managed runtimes are part of this library; the native one is a library of its
//! own, which is looked for next to the running binary.
//!
//! ```no_run
//! use deadweight_capture::{Plan, run};
//!
//! let plan = Plan::new(["node", "app.js"], "captures");
//! let outcome = run(&plan)?;
//! for capture in &outcome.captures {
//!     println!("{}: {} bytes held", capture.directory.display(), capture.record.process.heap_used);
//! }
//! std::process::exit(outcome.status.exit_code());
//! # Ok::<(), deadweight_capture::CaptureError>(())
//! ```

mod allowance;
pub mod attach;
mod capture;
mod error;
mod family;
mod idle;
mod journal;
mod left;
mod limit;
mod manifest;
mod native;
pub mod outside;
mod plan;
mod process_files;
mod recorder;
mod run;
mod runtime;
mod signals;
mod status;
mod strangers;
mod streams;
mod traced;
mod trigger;
mod unfinished;
mod watch;
mod whole_file;

pub use allowance::{Allowance, Skipped};
pub use capture::{CAPTURES, Capture, latest, read_capture, read_captures};
pub use error::CaptureError;
pub use journal::Shown;
pub use left::{Left, left};
pub use native::{
    Choice, Executable, NativeDump, java_library, native_library, python_library, ruby_library,
};
pub use plan::{Highest, Plan};
pub use recorder::{
    EmbeddedFile, JavaRecorder, NodeRecorder, PythonRecorder, Recorder, RubyRecorder, recorders,
};
pub use run::{Outcome, run, run_observed};
pub use runtime::Runtime;
pub use status::Status;
pub use strangers::Stranger;
pub use trigger::{Measure, Trigger, TriggerError, parse_size};
pub use watch::Observer;
