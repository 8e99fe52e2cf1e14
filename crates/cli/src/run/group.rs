//! The heaps of one run side by side: those of processes, and of worker threads within them.

use std::collections::HashSet;

use deadweight_capture::{Capture, Outcome};
use deadweight_report::bytes;
use deadweight_rules::Options;
use deadweight_weighing::{OTHERS, UnseenOf, Weighing, harmless};

use super::weigh_and_keep;
use crate::{output, progress};

/// No more are weighed, the largest first.
const MOST_WEIGHED: usize = 16;

/// Weighs the captures beside the largest, and says of each heap of the run what it holds, and of all the sum.
pub fn weigh_others(outcome: &Outcome, largest: &Capture, weighing: &Weighing, options: &Options) {
    if outcome.captures.len() < 2 {
        return;
    }
    let mut others: Vec<&Capture> = outcome.captures.iter().collect();
    others.retain(|capture| capture.directory != largest.directory);
    others.sort_by_key(|capture| std::cmp::Reverse(capture.rank()));
    let weighed = others.iter().enumerate().map(|(at, capture)| {
        let snapshot = capture.record.snapshot.as_ref();
        // A snapshot in memory is weighed now or never.
        let is_weighed = snapshot.is_some_and(|snapshot| snapshot.streamed || at + 1 < MOST_WEIGHED);
        let weighing = is_weighed.then(|| weigh_and_keep(capture, options, |_| ()));
        let weighing = weighing.and_then(|weighing| {
            let failed = |error: &_| eprintln!("deadweight: {}", output::describe(error));
            weighing.inspect_err(failed).ok()
        });
        (*capture, weighing)
    });
    let weighed: Vec<(&Capture, Option<Weighing>)> = weighed.collect();
    let heaps = weighed
        .iter()
        .map(|(capture, weighing)| (*capture, weighing.as_ref()));
    let heaps: Vec<_> = std::iter::once((largest, Some(weighing))).chain(heaps).collect();
    for line in table(&heaps) {
        progress::note(format_args!("{line}"));
    }
}

fn table(heaps: &[(&Capture, Option<&Weighing>)]) -> Vec<String> {
    let processes: HashSet<u32> = heaps
        .iter()
        .map(|(capture, _)| capture.record.process.pid)
        .collect();
    let rows = heaps.iter().map(|(capture, weighing)| {
        let dead = match weighing {
            Some(weighing) => bytes(weighing.held.dead + weighing.external.dead),
            None => "not weighed".to_owned(),
        };
        [
            name(capture),
            bytes(held(capture, *weighing)),
            dead,
            first(*weighing),
        ]
    });
    let mut rows: Vec<[String; 4]> = rows.collect();
    let all_held = heaps
        .iter()
        .map(|(capture, weighing)| held(capture, *weighing))
        .sum();
    let weighed = heaps.iter().filter_map(|(_, weighing)| *weighing);
    let all_dead = weighed
        .map(|weighing| weighing.held.dead + weighing.external.dead)
        .sum();
    rows.push([
        "all together".to_owned(),
        bytes(all_held),
        bytes(all_dead),
        String::new(),
    ]);
    let head = ["heap", "held", "dead", "first finding"].map(str::to_owned);
    rows.insert(0, head);
    let wide = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (names, sizes, deads) = (wide(0), wide(1), wide(2));
    let plural = if processes.len() == 1 {
        "process"
    } else {
        "processes"
    };
    let title = format!(
        "{} heaps of {} {plural}, the first is shown below",
        heaps.len(),
        processes.len()
    );
    let lines = rows.iter().map(|[name, held, dead, first]| {
        format!("  {name:names$}  {held:>sizes$}  {dead:>deads$}  {first}")
            .trim_end()
            .to_owned()
    });
    std::iter::once(title).chain(lines).collect()
}

/// The program, its process, and the thread if it is a worker's.
fn name(capture: &Capture) -> String {
    let process = &capture.record.process;
    let directory = capture
        .directory
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let program = directory
        .split(&format!("-{}-", process.pid))
        .next()
        .unwrap_or_default();
    let thread = match process.thread {
        0 => String::new(),
        thread => format!(", worker thread {thread}"),
    };
    harmless(&format!("{program}, process {}{thread}", process.pid))
}

fn first(weighing: Option<&Weighing>) -> String {
    let findings = weighing.iter().flat_map(|weighing| &weighing.findings);
    let first = findings.into_iter().find(|finding| finding.rule != OTHERS);
    first.map_or_else(String::new, |finding| {
        harmless(&format!(
            "{} {} {}",
            finding.rule,
            finding.holder,
            bytes(finding.saves)
        ))
    })
}

/// As weighed, inside and outside of the runtime's heap; of a heap that is not weighed what the process said, garbage
/// included.
fn held(capture: &Capture, weighing: Option<&Weighing>) -> u64 {
    let process = &capture.record.process;
    weighing.map_or(process.heap_used + process.external, |weighing| {
        weighing.held.bytes + weighing.external.bytes
    })
}

/// What captures of the same process's other threads show is seen.
pub fn seen_in_threads(weighing: &mut Weighing, of: &Capture, outcome: &Outcome) {
    let process = &of.record.process;
    let threads = outcome
        .captures
        .iter()
        .filter(|capture| capture.directory != of.directory && capture.record.process.pid == process.pid);
    let more: u64 = threads
        .filter(|capture| capture.record.process.thread != process.thread)
        .map(|capture| held(capture, None))
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
