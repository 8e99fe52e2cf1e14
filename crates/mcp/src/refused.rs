//! Why a request is not answered.

use deadweight_weigher::WeighError;

/// Why a request is not answered. Names in it may come from anybody.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The arguments are not what the tool takes.
    #[error("the arguments do not fit: {0}")]
    Arguments(#[from] serde_json::Error),
    /// There is no such tool.
    #[error("there is no tool {0:?}")]
    NoTool(String),
    /// A path that no root holds, whether or not something is there.
    #[error(
        "{0}: outside of the folders that this server may read; its user names more with --root when it starts"
    )]
    Outside(String),
    /// Nothing, or nothing that may be read, at a path within a root.
    #[error("{0}: there is no such file or folder")]
    Missing(String),
    /// A pipe, a socket or a device.
    #[error("{0}: neither a file nor a folder")]
    NoFile(String),
    /// A folder that holds more than a capture does.
    #[error("{0}: more than {1} files; name the capture within")]
    TooMany(String, usize),
    /// A root that cannot be used.
    #[error("--root {0}: {1}")]
    Root(String, std::io::Error),
    /// It cannot be weighed or compared.
    #[error(transparent)]
    Weigh(#[from] WeighError),
    /// Moments that cannot be compared.
    #[error(transparent)]
    Unfit(#[from] deadweight_compare::diff::Unfit),
    /// No weighing of that id.
    #[error("there is no weighing {0:?} in this session; `weigh` makes one")]
    NoWeighing(String),
    /// No finding of that fingerprint.
    #[error("the weighing {0} has no finding {1:?}; `findings` lists them")]
    NoFinding(String, String),
    /// No rule of that code.
    #[error("there is no rule {0:?}; the rules are {1}")]
    NoRule(String, String),
    /// A cursor of another list, or none at all.
    #[error("the cursor does not belong to this list; leave it out to begin again")]
    Cursor,
    /// An argument with a value that cannot be.
    #[error("{0}")]
    Value(String),
    /// The user has not allowed it.
    #[error("{0}")]
    Consent(String),
    /// The configuration of budgets is not where it could be read.
    #[error("there is no deadweight.toml in the folders of this server; `config` names one")]
    NoConfig,
    /// A baseline is asked for that is not there.
    #[error("{0} is not there yet: `deadweight check --update-baseline` makes it")]
    NoBaseline(String),
    /// A program that could not be run to its end.
    #[error("{0}")]
    Run(String),
    /// The finding names no line of source within the roots.
    #[error("no line of the source is known for this finding: {0}")]
    NoSource(String),
    /// A fault of this program.
    #[error("the tool failed: {0}")]
    Panic(String),
}
