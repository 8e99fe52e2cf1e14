//! Why there is no weighing.

use std::io;
use std::path::PathBuf;

use deadweight_capture::CaptureError;
use deadweight_capture::attach::AttachError;
use deadweight_capture::outside::OutsideError;
use deadweight_compare::check::{BaselineError, ConfigError};
use deadweight_formats::ReadError;
use deadweight_formats::jvm::ContainersError;
use deadweight_sidecar::{CURVE_SCHEMA, SideFileError, WEIGHING};

/// Why there is no weighing. Names of files and texts of dumps in it may come from anybody.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeighError {
    /// The dump cannot be read.
    #[error(transparent)]
    Dump(#[from] ReadError),
    /// The capture cannot be used.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A file beside the dump cannot be used.
    #[error(transparent)]
    SideFile(#[from] SideFileError),
    /// A running process cannot be captured.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// A running process cannot be copied.
    #[error(transparent)]
    Outside(#[from] OutsideError),
    /// A process whose memory is not where it can be seen.
    #[error("process {pid}: nothing to weigh: {why}")]
    NotVisible {
        /// The process.
        pid: u32,
        /// Who keeps the memory where.
        why: String,
    },
    /// The copy of a process cannot be read.
    #[error("the picture of process {pid}")]
    Picture {
        /// The process.
        pid: u32,
        /// What is wrong with it.
        source: ReadError,
    },
    /// What a configuration says of containers cannot be used.
    #[error("{}", path.display())]
    Containers {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ContainersError,
    },
    /// A file cannot be opened.
    #[error("{}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("{} could not be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A stored weighing cannot be used.
    #[error("{}", path.display())]
    Stored {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: deadweight_weighing::ReadError,
    },
    /// A weighing where a dump was to be weighed.
    #[error(
        "{}: this is a weighing, made of a dump already; view, prove, diff and check read it",
        path.display()
    )]
    Weighed {
        /// The file.
        path: PathBuf,
    },
    /// The capture has no snapshot, and no record of allocations either.
    #[error("{}: the capture has no snapshot: {why}", path.display())]
    NoSnapshot {
        /// Its directory.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The snapshot was never on a disk.
    #[error("{}: its snapshot was in memory alone; {WEIGHING} there is what was weighed of it", path.display())]
    InMemory {
        /// The directory of the capture.
        path: PathBuf,
    },
    /// The capture has no record of allocations.
    #[error(
        "{}: the capture has no record of allocations; `deadweight run --churn` makes one",
        path.display()
    )]
    NoChurn {
        /// Its directory.
        path: PathBuf,
    },
    /// A dump where a record of allocations was expected.
    #[error(
        "{}: a {format} says what was held; a record of allocations was expected",
        path.display()
    )]
    NotChurn {
        /// The file.
        path: PathBuf,
        /// What it is.
        format: String,
    },
    /// A curve of another version.
    #[error("{}: expected schema {CURVE_SCHEMA}, found {found}", path.display())]
    CurveSchema {
        /// The file.
        path: PathBuf,
        /// The schema it names.
        found: String,
    },
    /// There is no finding of that name.
    #[error("--mended {name}: before has no such finding")]
    NoFinding {
        /// The name.
        name: String,
    },
    /// The configuration cannot be used.
    #[error("{}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ConfigError,
    },
    /// The baseline cannot be used.
    #[error("{}", path.display())]
    Baseline {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: BaselineError,
    },
    /// The configuration sets nothing.
    #[error("{}: there is nothing to check: no budget and no baseline is set", path.display())]
    NothingToCheck {
        /// The file.
        path: PathBuf,
    },
    /// A budget cannot hold for a part of a dump.
    #[error(
        "{path}: nothing can be said of a part: {why}; capture it again, or check what is there with --allow-partial"
    )]
    Partial {
        /// The weighing's source, safe to print.
        path: String,
        /// What is missing, safe to print.
        why: String,
    },
}
