//! `attach`.

use std::time::Duration;

use deadweight_capture::CAPTURES;
use deadweight_capture::attach::AttachPlan;
use deadweight_rules::Options;
use schemars::JsonSchema;
use serde::Deserialize;

use super::summary::Summary;
use super::{Desk, Effect, Refused, Tool};
use crate::budget::Budget;
use crate::caller::Caller;

/// Weighs a program that runs already.
pub(crate) struct Attach;

/// Seconds that a program may stand still, unless the caller names a number, and at most.
const USUAL: u16 = 30;
const MOST: u16 = 300;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct In {
    /// The process: Node.js, Python, a Java virtual machine, or a native program.
    pub pid: u32,
    /// Nothing is started that may stop the program for longer than this many seconds; 30 unless given.
    #[serde(default)]
    pub max_pause: Option<u16>,
    /// About how many tokens the answer may take: 300 to 50000; 2000 unless given.
    #[serde(default)]
    budget: Budget,
}

impl Tool for Attach {
    const NAME: &'static str = "attach";
    const TITLE: &'static str = "Weigh a running program";
    const DESCRIPTION: &'static str = "Captures a program that runs already and weighs it. The program stands still meanwhile. Needs \
        --allow-attach at the start of this server, and the user's yes where the client can ask.";
    const EFFECT: Effect = Effect::Stops;
    type In = In;
    type Out = Summary;

    fn budget(input: &In) -> Budget {
        input.budget
    }

    fn call(desk: &Desk, input: In, _: &Caller) -> Result<Summary, Refused> {
        let plan = AttachPlan {
            directory: desk.settings.roots.first().join(CAPTURES),
            max_pause: Duration::from_secs(input.max_pause.unwrap_or(USUAL).min(MOST).into()),
            force: false,
        };
        let options = Options {
            paths: true,
            ..Options::all()
        };
        let (weighing, capture) =
            desk.in_turn(|weigher| Ok(weigher.weigh_running(input.pid, &plan, &options)?))?;
        let base = capture.and_then(|capture| capture.record.process.cwd);
        let base = base.unwrap_or_else(|| desk.settings.roots.first().to_owned());
        Ok(Summary::of(desk, &desk.take_in(weighing, &base, None)))
    }
}
