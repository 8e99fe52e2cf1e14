//! What to run and what to capture.

use std::{
    ffi::OsString,
    fmt,
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use crate::{
    allowance::Allowance,
    native::{self, Choice},
    trigger::Trigger,
};

/// A program to start and how to capture it.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub struct Plan {
    /// The program and its arguments.
    pub program: Vec<OsString>,
    /// Where captures go; made, readable by its owner alone, if it is not there.
    pub directory: PathBuf,
    /// Which recorders are loaded.
    pub recorder: Choice,
    /// When to capture.
    pub when: Vec<Trigger>,
    /// Whether the end is passed over for the moment at which the program held most, where the end holds clearly less and
    /// the recorder can do that: the one for native programs.
    pub peak: bool,
    /// Whether to write snapshots. Without them a capture has the totals after garbage collection only, which
    /// costs little.
    pub snapshot: bool,
    /// Whether snapshots come straight into this process's memory and never to a disk. Only the recorder of Node.js does
    /// that: no other one is loaded then.
    pub in_memory: bool,
    /// Whether programs started by a captured program are captured too. Package managers (`npm`, `npx` …) never
    /// are; what they start is.
    pub children: bool,
    /// How long the probe of buffer contents may take in each capture; zero leaves it out.
    pub probe: Duration,
    /// Whether the probe counts the entries of maps, sets and arrays of numbers, which snapshots do not show. It then
    /// walks the whole heap once, which takes a part of the time of a snapshot.
    pub tables: bool,
    /// How many UTF-16 units of each string a snapshot holds.
    pub string_limit: u32,
    /// How often thresholds are looked at.
    pub poll: Duration,
    /// Record what the program makes, with one sample each so many bytes on average; `None` leaves it out.
    pub churn: Option<NonZeroU64>,
    /// Record of a thousand stretches of the program's time only so many, where the recorder can; `None` records all.
    pub share: Option<NonZeroU64>,
    /// Operations the program is known to do, where it does not mark them itself.
    pub operations: u64,
    /// Whether the runtime notes where it allocates each object, which makes the program slower.
    pub sites: bool,
    /// Take snapshots even if the machine seems to have too little free memory for it.
    pub force: bool,
    /// What the recorders of managed runtimes do about the moment at which the program holds most.
    pub highest: Option<Highest>,
    /// Ask for a capture each time so much has passed.
    pub every: Option<Duration>,
    /// What captures at these times may cost; one that would cost more is skipped.
    pub allowance: Allowance,
    /// How many of the captures that were asked for are kept, the latest ones; `None` keeps all.
    pub keep: Option<NonZeroUsize>,
}

/// How the moment is found at which a program holds most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highest {
    /// Measure it and take no capture: for a second run.
    Measure,
    /// Capture once the program holds this many bytes.
    At(u64),
    /// Capture on the way up, whenever half as much again is held, and keep the highest alone.
    Climb,
}

impl fmt::Display for Highest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measure => out.write_str("measure"),
            Self::At(bytes) => write!(out, "{bytes}"),
            Self::Climb => out.write_str("climb"),
        }
    }
}

impl Plan {
    /// Whether SIGUSR2 has the program captured.
    pub fn takes_signal(&self) -> bool {
        self.every.is_some() || self.when.contains(&Trigger::UserSignal)
    }

    /// Whether the recorder for native programs is loaded.
    pub fn is_native(&self) -> bool {
        let program = self.program.first();
        !self.in_memory
            && (self.snapshot || self.churn.is_some())
            && program.is_some_and(|program| native::is_wanted(self.recorder, program))
    }

    /// The usual plan: captures with snapshots at the highest moment or at exit, and on SIGUSR2, children included.
    pub fn new<P: Into<OsString>>(
        program: impl IntoIterator<Item = P>,
        directory: impl Into<PathBuf>,
    ) -> Self {
        Self {
            program: program.into_iter().map(Into::into).collect(),
            directory: directory.into(),
            recorder: Choice::Auto,
            when: vec![Trigger::Exit, Trigger::UserSignal],
            peak: true,
            snapshot: true,
            in_memory: false,
            children: true,
            probe: Duration::from_secs(5),
            tables: true,
            string_limit: 1 << 20,
            poll: Duration::from_millis(250),
            churn: None,
            share: None,
            operations: 0,
            sites: false,
            force: false,
            highest: None,
            every: None,
            allowance: Allowance::default(),
            keep: None,
        }
    }
}
