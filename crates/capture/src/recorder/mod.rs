//! The recorders: what is loaded into a program, one per runtime.

mod install;
mod java;
mod node;
mod python;
mod ruby;

use std::{
    ffi::{OsStr, OsString},
    num::NonZeroU64,
    path::Path,
};

pub use deadweight_recorders::EmbeddedFile;
pub(crate) use install::{install, install_library};
pub use java::JavaRecorder;
pub(crate) use java::lacks_instrument;
pub use node::NodeRecorder;
pub use python::PythonRecorder;
pub use ruby::RubyRecorder;

use crate::{plan::Plan, runtime::Runtime, trigger::Trigger};

/// How a program of one runtime is made to record itself.
///
/// A recorder is files and an environment that makes the runtime load them. The environment is inherited, so
/// it reaches programs behind `npm start`, `sh -c` and other wrappers, and runtimes it is not meant for ignore it.
pub trait Recorder {
    /// The runtime it is loaded into.
    fn runtime(&self) -> Runtime;

    /// Its files, by name.
    fn files(&self) -> &'static [EmbeddedFile];

    /// The variables that make the runtime load the files from `installed`. `inherited` gives the value a variable
    /// has now; what the user set must stay in force. With `sites` the runtime notes where it allocates each object.
    fn environment(
        &self,
        installed: &Path,
        sites: bool,
        inherited: &dyn Fn(&OsStr) -> Option<OsString>,
    ) -> Vec<(OsString, OsString)>;

    /// Variables that help to find the highest moment; what the user set stays in force.
    fn for_highest(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

/// A variable with what the recorder needs in front of what the user set, which stays in force.
fn in_front(
    name: &str,
    mut ours: OsString,
    between: &str,
    inherited: &dyn Fn(&OsStr) -> Option<OsString>,
) -> (OsString, OsString) {
    if let Some(theirs) = inherited(OsStr::new(name)).filter(|theirs| !theirs.is_empty()) {
        ours.push(between);
        ours.push(theirs);
    }
    (name.into(), ours)
}

/// Every recorder there is.
pub fn recorders() -> Vec<Box<dyn Recorder>> {
    vec![
        Box::new(NodeRecorder),
        Box::new(RubyRecorder),
        Box::new(PythonRecorder),
        Box::new(JavaRecorder),
    ]
}

/// The settings all recorders read, as variables.
pub(crate) fn settings(plan: &Plan, directory: &Path, run: &str) -> Vec<(OsString, OsString)> {
    let flag = |on: bool| if on { "1" } else { "0" }.to_owned();
    // The end is the highest moment of those that know no other.
    let known = |trigger: &Trigger| match trigger {
        Trigger::Peak | Trigger::Climb => Trigger::Exit.to_string(),
        other => other.to_string(),
    };
    let mut when: Vec<String> = plan.when.iter().map(known).collect();
    if plan.takes_signal() && !plan.when.contains(&Trigger::UserSignal) {
        when.push(Trigger::UserSignal.to_string());
    }
    let when = when.join(",");
    let asks_for_peak = |trigger: &Trigger| matches!(trigger, Trigger::Peak | Trigger::Climb);
    let peak = plan.peak || plan.when.iter().any(asks_for_peak);
    let mut settings = vec![("DEADWEIGHT_DIR".into(), directory.into())];
    settings.extend(
        [
            ("DEADWEIGHT_RUN", run.to_owned()),
            ("DEADWEIGHT_WHEN", when),
            ("DEADWEIGHT_PEAK", flag(peak)),
            ("DEADWEIGHT_SNAPSHOT", flag(plan.snapshot)),
            ("DEADWEIGHT_CHILDREN", flag(plan.children)),
            ("DEADWEIGHT_PROBE_MS", plan.probe.as_millis().to_string()),
            ("DEADWEIGHT_PROBE_TABLES", flag(plan.tables)),
            ("DEADWEIGHT_STRING_LIMIT", plan.string_limit.to_string()),
            ("DEADWEIGHT_POLL_MS", plan.poll.as_millis().to_string()),
            (
                "DEADWEIGHT_CHURN_BYTES",
                plan.churn.map_or(0, NonZeroU64::get).to_string(),
            ),
            (
                "DEADWEIGHT_CHURN_SHARE",
                plan.share.map_or(0, NonZeroU64::get).to_string(),
            ),
            ("DEADWEIGHT_OPERATIONS", plan.operations.to_string()),
            ("DEADWEIGHT_SITES", flag(plan.sites)),
            ("DEADWEIGHT_FORCE", flag(plan.force)),
            (
                "DEADWEIGHT_HIGHEST",
                plan.highest
                    .as_ref()
                    .map_or_else(String::new, ToString::to_string),
            ),
        ]
        .map(|(name, value)| (name.into(), value.into())),
    );
    settings
}
