//! The heaps of one run side by side: those of processes, and of worker threads within them.

mod not_compared;
mod table;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use deadweight_capture::{Capture, NativeDump, Outcome};
use deadweight_compare::again::{Beside, Contents, held_again};
use deadweight_heap::Heap;
use deadweight_report::bytes;
use deadweight_rules::Options;
use deadweight_weighing::{UnseenOf, Weighing, harmless};

use super::{keep, weigh_and_keep};
use crate::{dump, output, progress, redact};

/// No more are weighed, the largest first.
const MOST_WEIGHED: usize = 16;

/// The heaps of a run, the one that is shown first.
#[derive(Default)]
pub struct Members {
    members: Vec<Member>,
    /// Hashes of buffers that several heaps of one process stand on.
    in_common: Vec<u64>,
}

/// One heap.
struct Member {
    path: PathBuf,
    name: String,
    process: u32,
    parent: Option<u32>,
    /// Of several moments of one heap only the first in order is compared with other heaps, and counted.
    is_first: bool,
    /// As weighed, inside and outside of the runtime's heap; before that what the process said, garbage included.
    held: u64,
    dead: Option<u64>,
    first: String,
    contents: Option<Contents>,
    pages: Option<Pages>,
}

/// What of a process is in memory.
#[derive(Clone, Copy)]
struct Pages {
    resident: u64,
    /// Each page by as many processes as have it.
    by_share: u64,
    /// Written before a fork and shared since.
    forked: u64,
}

impl Members {
    /// Of captures, the one that is rather meant first.
    pub fn of_captures(captures: &[Capture]) -> Self {
        let mut captures: Vec<&Capture> = captures.iter().collect();
        captures.sort_by_key(|capture| Reverse(capture.rank()));
        let mut known = Vec::new();
        let mut members = Self::default();
        for capture in captures {
            let process = &capture.record.process;
            let heap = (process.pid, process.thread);
            members.members.push(Member {
                path: capture.directory.clone(),
                name: name(capture),
                process: process.pid,
                parent: process.ppid.filter(|_| process.thread == 0),
                is_first: !known.contains(&heap),
                held: process.heap_used + process.external,
                dead: None,
                first: String::new(),
                contents: None,
                pages: Pages::of(capture),
            });
            known.push(heap);
            // What cannot be read now is reported where it is weighed.
            let buffers = capture.buffer_rows().ok().flatten().unwrap_or_default();
            let shared = buffers.iter().filter(|buffer| buffer.shared);
            members.in_common.extend(shared.map(|buffer| buffer.hash));
        }
        members
    }

    /// Of native dumps, the largest first.
    pub fn of_dumps(dumps: &[NativeDump]) -> Self {
        let mut dumps: Vec<&NativeDump> = dumps.iter().collect();
        dumps.sort_by_key(|dump| Reverse(dump.bytes));
        let mut known = Vec::new();
        let mut members = Self::default();
        for dump in dumps {
            let process = dump.process().unwrap_or(0);
            members.members.push(Member {
                path: dump.path.clone(),
                name: harmless(&format!("{}, process {process}", program(&dump.path, process))),
                process,
                parent: None,
                is_first: !known.contains(&process),
                held: 0,
                dead: None,
                first: String::new(),
                contents: None,
                pages: None,
            });
            known.push(process);
        }
        members
    }

    fn are_several(&self) -> bool {
        self.heaps().count() > 1
    }

    /// Each heap at one moment.
    fn heaps(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.is_first)
    }

    /// Looks at a heap that is weighed, if there are others to compare it with.
    pub fn look(&mut self, path: &Path) -> impl FnMut(&Heap) + use<'_> {
        let wanted = self.are_several();
        let Self { members, in_common } = self;
        let member = members.iter_mut().find(|member| member.path == path);
        let mut member = member.filter(|member| wanted && member.is_first);
        move |heap: &Heap| {
            if let Some(member) = &mut member {
                member.contents = Some(Contents::of(heap, in_common));
            }
        }
    }

    /// Notes what a weighing says.
    pub fn weighed(&mut self, path: &Path, weighing: &Weighing) {
        if let Some(member) = self.members.iter_mut().find(|member| member.path == path) {
            member.held = weighing.held.bytes + weighing.external.bytes;
            member.dead = Some(weighing.held.dead + weighing.external.dead);
            member.first = table::first(weighing);
        }
    }

    /// Weighs all captures but the largest, as many as are weighed.
    pub fn weigh_others(&mut self, outcome: &Outcome, largest: &Capture, options: &Options) {
        let mut others: Vec<&Capture> = outcome.captures.iter().collect();
        others.retain(|capture| capture.directory != largest.directory);
        others.sort_by_key(|capture| Reverse(capture.rank()));
        for (at, capture) in others.into_iter().enumerate() {
            let snapshot = capture.record.snapshot.as_ref();
            // A snapshot in memory is weighed now or never.
            if snapshot.is_some_and(|snapshot| snapshot.streamed || at + 1 < MOST_WEIGHED) {
                let path = &capture.directory;
                let weighing = weigh_and_keep(capture, options, &mut self.look(path), |_| ());
                self.note(path, weighing);
            }
        }
    }

    /// The same for native dumps.
    pub fn weigh_other_dumps(&mut self, largest: &Path, operations: u64, options: &Options) {
        let paths = self.heaps().map(|member| member.path.clone());
        let others: Vec<PathBuf> = paths
            .filter(|path| path != largest)
            .take(MOST_WEIGHED - 1)
            .collect();
        for path in others {
            let weighing = dump::weigh_seen(&path, operations, options, &mut self.look(&path));
            let kept = weighing.and_then(|weighing| {
                keep(&path.with_extension(deadweight_sidecar::WEIGHING), &weighing)?;
                Ok(weighing)
            });
            self.note(&path, kept);
        }
    }

    fn note(&mut self, path: &Path, weighing: anyhow::Result<Weighing>) {
        match weighing {
            Ok(weighing) => self.weighed(path, &weighing),
            Err(error) => eprintln!("deadweight: {}", output::describe(&error)),
        }
    }

    /// Says of each heap of the run what it holds, and of all the sum. What several hold goes into the weighing that is
    /// shown; whether it does is the answer.
    pub fn show(mut self, weighing: &mut Weighing) -> bool {
        if !self.are_several() {
            return false;
        }
        self.members.retain(|member| member.is_first);
        for line in table::lines(&self.members) {
            progress::note(format_args!("{line}"));
        }
        let all = self.members.len();
        self.members.retain(|member| member.contents.is_some());
        let processes: Vec<u32> = self.members.iter().map(|member| member.process).collect();
        let parent = |member: &Member| {
            processes
                .iter()
                .position(|&process| Some(process) == member.parent)
        };
        let beside = self.members.into_iter().filter_map(|member| {
            Some(Beside {
                parent: parent(&member),
                forked: member.pages.map(|pages| pages.forked),
                contents: member.contents?,
            })
        });
        let heaps: Vec<Beside> = beside.collect();
        weighing.again = held_again(&heaps);
        if let Some(again) = &mut weighing.again {
            redact::held_again(again);
        }
        let not_measured = not_compared::of(&heaps, all);
        weighing.not_measured.extend(not_measured);
        true
    }
}

impl Pages {
    /// None of a worker thread: they are its process's.
    fn of(capture: &Capture) -> Option<Self> {
        let process = &capture.record.process;
        let sums = process.smaps.as_ref().filter(|_| process.thread == 0)?;
        let sum = |name: &str| sums.get(name).copied();
        Some(Self {
            resident: sum("rss")?,
            by_share: sum("pss")?,
            forked: sum("shared_dirty")?,
        })
    }
}

/// The program, its process, and the thread if it is a worker's.
fn name(capture: &Capture) -> String {
    let process = &capture.record.process;
    let program = program(&capture.directory, process.pid);
    let thread = match process.thread {
        0 => String::new(),
        thread => format!(", worker thread {thread}"),
    };
    harmless(&format!("{program}, process {}{thread}", process.pid))
}

/// The program whose process a capture or a dump is named by: `app-71-1.deadweight` is of `app`.
fn program(path: &Path, process: u32) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let program = name.split(&format!("-{process}-")).next();
    program.unwrap_or_default().to_owned()
}

/// What captures of the same process's other threads show is seen.
pub fn seen_in_threads(weighing: &mut Weighing, of: &Capture, outcome: &Outcome) {
    let process = &of.record.process;
    let threads = outcome
        .captures
        .iter()
        .filter(|capture| capture.directory != of.directory && capture.record.process.pid == process.pid);
    let more: u64 = threads
        .map(|capture| &capture.record.process)
        .filter(|other| other.thread != process.thread)
        .map(|other| other.heap_used + other.external)
        .sum();
    let Some(unseen) = weighing
        .unseen
        .as_mut()
        .filter(|unseen| unseen.of != UnseenOf::HeldPeak)
    else {
        return;
    };
    unseen.shown = unseen.shown.saturating_add(more).min(unseen.whole);
    if !unseen.is_most() {
        weighing.unseen = None;
    }
}

/// What all processes have in memory, and what of it they share; nothing of one process.
fn pages(members: &[Member]) -> Option<String> {
    let of_processes: Vec<Pages> = members.iter().filter_map(|member| member.pages).collect();
    let sum = |of: fn(&Pages) -> u64| of_processes.iter().map(of).sum::<u64>();
    (of_processes.len() > 1).then(|| {
        format!(
            "{} processes have {} resident, {} when each shared page is split among those that share it",
            of_processes.len(),
            bytes(sum(|pages| pages.resident)),
            bytes(sum(|pages| pages.by_share))
        )
    })
}
