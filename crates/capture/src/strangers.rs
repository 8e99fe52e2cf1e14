//! Processes of a run that have an environment of their own, so that no recorder was loaded into them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::family;
use crate::process_files;
use crate::runtime::Runtime;

/// Time between two looks at the program's processes.
const LOOK: Duration = Duration::from_millis(300);

/// A process with less in memory is not reported: programs start small ones everywhere.
const LEAST: u64 = 10_000_000;

/// Such a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// Its process id.
    pub process: u32,
    /// The file name of its program.
    pub program: String,
    /// The most bytes that were seen resident.
    pub resident: u64,
}

/// Those that were seen so far.
pub(crate) struct Strangers {
    proc: PathBuf,
    mark: Vec<u8>,
    /// What must stand in a variable for a runtime to load its recorder.
    loaders: Vec<(Runtime, OsString, OsString)>,
    looked: Option<Instant>,
    found: BTreeMap<u32, Stranger>,
}

impl Strangers {
    /// Of the run with that name.
    pub(crate) fn of(run: &str) -> Self {
        Self {
            proc: PathBuf::from("/proc"),
            mark: mark(run),
            loaders: Vec::new(),
            looked: None,
            found: BTreeMap::new(),
        }
    }

    /// Notes the variables that make a runtime load its recorder.
    pub(crate) fn expect(&mut self, runtime: Runtime, variables: Vec<(OsString, OsString)>) {
        let variables = variables.into_iter();
        self.loaders
            .extend(variables.map(|(name, value)| (runtime, name, value)));
    }

    /// Looks at the descendants of the program, if the last look was long ago.
    pub(crate) fn look(&mut self, program: u32) {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        for process in family::descendants(&self.proc, program) {
            if let Some(stranger) = self.seen(process) {
                let known = self.found.entry(process).or_insert_with(|| stranger.clone());
                known.resident = known.resident.max(stranger.resident);
                // What a process runs may change.
                known.program = stranger.program;
            }
        }
    }

    /// Those that are large enough to report, the largest first.
    pub(crate) fn largest_first(self) -> Vec<Stranger> {
        let mut all: Vec<Stranger> = self.found.into_values().collect();
        all.retain(|stranger| stranger.resident >= LEAST);
        all.sort_by_key(|stranger| std::cmp::Reverse(stranger.resident));
        all
    }

    /// A process that loads no recorder; `None` too where the system does not show its environment, or when it has ended.
    fn seen(&self, process: u32) -> Option<Stranger> {
        let directory = self.proc.join(process.to_string());
        let environment = fs::read(directory.join("environ")).ok()?;
        let program = fs::read_link(directory.join("exe")).ok()?;
        let variables: Vec<&[u8]> = environment.split(|&byte| byte == 0).collect();
        if variables.contains(&&*self.mark) && self.loads(&program, &variables) {
            return None;
        }
        let status = fs::read_to_string(directory.join("status")).ok()?;
        Some(Stranger {
            process,
            program: name(&program),
            resident: process_files::bytes(&status, "VmRSS")?,
        })
    }

    /// Whether the variables of a recorder for the program's runtime are still as they were meant.
    fn loads(&self, program: &Path, variables: &[&[u8]]) -> bool {
        let name = program.file_name().unwrap_or_default();
        let mut needed = self.loaders.iter().filter(|(runtime, ..)| name == runtime.name());
        needed.all(|(_, name, ours)| {
            variables.iter().any(|variable| {
                let value = variable.strip_prefix(name.as_bytes());
                let value = value.and_then(|value| value.strip_prefix(b"="));
                value.is_some_and(|value| contains(value, ours.as_bytes()))
            })
        })
    }
}

/// The variable that all have which were started with the environment of a run.
fn mark(run: &str) -> Vec<u8> {
    format!("DEADWEIGHT_RUN={run}").into_bytes()
}

/// How many processes with the environment of a run are there; 0 where the system does not say.
pub(crate) fn running(run: &str) -> usize {
    let mark = mark(run);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let environments = entries.filter_map(|entry| fs::read(entry.path().join("environ")).ok());
    environments
        .filter(|environment| {
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == mark)
        })
        .count()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len().max(1)).any(|window| window == part)
}

fn name(program: &Path) -> String {
    let name = program.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    const RUN: &str = "a run of the test of strangers";

    #[test]
    fn a_child_with_an_environment_of_its_own_is_seen_and_one_with_ours_is_not() {
        let start = |run: Option<&str>| {
            let mut command = Command::new("sleep");
            command.arg("30").env_clear().stdin(Stdio::null());
            command.envs(run.map(|run| ("DEADWEIGHT_RUN", run)));
            command.spawn().unwrap()
        };
        let mut children = [start(None), start(Some(RUN)), start(Some("that"))];
        let mut strangers = Strangers::of(RUN);
        // Between fork and exec a child has its parent's environment, which has no mark here either.
        std::thread::sleep(Duration::from_millis(100));
        strangers.look(std::process::id());
        let found: Vec<u32> = strangers.found.keys().copied().collect();
        let here = running(RUN);
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let [own, this, that] = children.map(|child| child.id());
        assert!(found.contains(&own) && found.contains(&that), "{found:?}");
        assert!(!found.contains(&this), "{found:?}");
        assert_eq!((here, running(RUN)), (1, 0));
        assert!(strangers.found[&own].resident > 0);
        assert_eq!(strangers.found[&own].program, "sleep");
        // Small ones are everywhere.
        assert_eq!(strangers.largest_first(), []);
    }

    #[test]
    fn a_runtime_whose_options_were_replaced_loads_no_recorder() {
        let mut strangers = Strangers::of("this");
        let ours = vec![("NODE_OPTIONS".into(), "--require=\"/a/recorder.cjs\"".into())];
        strangers.expect(Runtime::Node, ours);
        let loads = |program: &str, options: &[u8]| strangers.loads(Path::new(program), &[b"A=b", options]);
        assert!(loads(
            "/usr/bin/node",
            b"NODE_OPTIONS=--no-warnings --require=\"/a/recorder.cjs\" --x"
        ));
        assert!(!loads("/usr/bin/node", b"NODE_OPTIONS=--max-old-space-size=90"));
        assert!(!loads("/usr/bin/node", b"B=c"));
        // Others need none of this.
        assert!(loads("/usr/bin/git", b"B=c"));
    }
}
