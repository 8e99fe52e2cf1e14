//! What a run did not capture, and why.

use deadweight_capture::{Capture, Executable, Measure, Outcome, Plan, Runtime, Status, Stranger, Trigger};
use deadweight_report::bytes;
use deadweight_weighing::{NotMeasured, Unseen, UnseenOf, UnseenPlace, Weighing, harmless};

/// Notes on a weighing where most of what a process of the run had is in no capture: of one that was killed, or that
/// no recorder was loaded into.
pub fn compare(weighing: &mut Weighing, outcome: &Outcome) {
    let Some(most) = outcome.peak_rss else { return };
    let of_captures = outcome
        .captures
        .iter()
        .map(|capture| capture.record.cost.as_ref().map_or(0, |cost| cost.peak_rss));
    let of_weighed = weighing
        .process
        .as_ref()
        .and_then(|said| said.rss_peak.max(said.rss));
    let known = of_captures
        .chain(of_weighed)
        .chain(outcome.seen_rss)
        .max()
        .unwrap_or(0);
    let unseen = Unseen {
        of: UnseenOf::Run,
        whole: most,
        // All that a captured process had, its runtime included: another one had more than that.
        shown: known.min(most),
        base: 0,
        places: Vec::new(),
    };
    let nearer = weighing.unseen.as_ref().map_or(0, Unseen::bytes);
    if !unseen.is_most() || unseen.bytes() <= nearer {
        return;
    }
    let shown = weighing.held.bytes.saturating_add(weighing.external.bytes);
    weighing.unseen = Some(Unseen {
        shown: shown.min(most),
        places: held_by_none(weighing).unwrap_or_else(|| places(outcome, most)),
        ..unseen
    });
}

/// Notes what was to be recorded beside a dump, and was not.
pub fn unrecorded(weighing: &mut Weighing, capture: &Capture, plan: &Plan) {
    if plan.churn.is_some() && capture.record.churn.is_none() {
        weighing.not_measured.push(NotMeasured {
            rule: "T".to_owned(),
            why: format!(
                "what the program makes was not recorded: the recorder for {} does not do that",
                capture.record.runtime.name
            ),
            how: "the recorders for Node.js, Python, Ruby, Crystal and Java (11 and later) do".to_owned(),
        });
    }
}

/// Whether the lines that allocate were asked for, and the runtime's dump has no place for them.
pub fn lacks_sites(capture: &Capture, plan: &Plan) -> bool {
    plan.sites && capture.record.jvm.is_some()
}

/// A record of what was made has nothing of what was held.
fn held_by_none(weighing: &Weighing) -> Option<Vec<UnseenPlace>> {
    let is_record = weighing.held.bytes == 0 && weighing.churned.is_some();
    is_record.then(|| {
        vec![UnseenPlace {
            what: "what the program held at its highest moment, which is not measured: this is a record of what it \
                   allocated"
                .to_owned(),
            bytes: None,
            how: String::new(),
        }]
    })
}

fn places(outcome: &Outcome, most: u64) -> Vec<UnseenPlace> {
    let place = |what: &str, how: String| UnseenPlace {
        what: what.to_owned(),
        bytes: None,
        how,
    };
    let early = format!("deadweight run --when '{}' -- PROGRAM", lower(Measure::Rss, most));
    if let (Status::Signal(number), false) = (outcome.status, outcome.is_captured()) {
        let what = format!("the program itself, which signal {number} ended before it could be captured");
        return vec![place(&what, early)];
    }
    vec![
        place(
            "a child that was started with an environment of its own, without the variables that load the recorder",
            "pass the child the whole environment (in Node.js: env: { ...process.env, … })".to_owned(),
        ),
        place("a process that was killed, or that grew after its capture", early),
    ]
}

/// Processes of the run that no recorder was loaded into, in a sentence; `None` where there is none.
pub fn strangers(outcome: &Outcome) -> Option<String> {
    let (first, others) = outcome.strangers.split_first()?;
    let others = match others.len() {
        0 => return Some(sentence(first, ", which has an environment of its own")),
        1 => " and one other process".to_owned(),
        many => format!(" and {many} other processes"),
    };
    Some(sentence(
        first,
        &format!("{others}, which have environments of their own"),
    ))
}

fn sentence(first: &Stranger, others: &str) -> String {
    format!(
        "no recorder was loaded into process {} ({}, {} resident){others}: that memory is in no capture; pass on the whole \
         environment (in Node.js: env: {{ ...process.env, … }})",
        first.process,
        harmless(&first.program),
        bytes(first.resident)
    )
}

/// What a program held that a signal ended, beside what its last capture shows.
pub fn killed(weighing: &Weighing, outcome: &Outcome) -> Option<String> {
    let Status::Signal(number) = outcome.status else {
        return None;
    };
    let shown = weighing.process.as_ref().and_then(|said| said.heap_peak);
    let most = highest(outcome, Measure::Heap).max(shown)?;
    Some(format!(
        "signal {number} ended the program; shown is its last capture on the way, and at most {} were requested at a time",
        bytes(most)
    ))
}

/// A threshold at three quarters of what was reached.
fn lower(measure: Measure, most: u64) -> String {
    format!("{}>{}MB", measure.name(), (most / 4 * 3 / 1_000_000).max(1))
}

/// Why there is nothing to weigh.
pub fn nothing_captured(outcome: &Outcome, plan: &Plan) -> String {
    let why = match outcome.executable {
        Some(Executable::Go) => {
            "Go manages its memory itself, invisible to the recorder for native programs".to_owned()
        }
        Some(Executable::OwnCollector) => {
            "the program has its collector (libgc.a) linked into it, where no recorder can stand before it; build it \
             with `crystal build --link-flags \"-l:libgc.so.1\"` (Debian: libgc1)"
                .to_owned()
        }
        Some(Executable::Static) => {
            "the program is linked statically, so that no recorder can be loaded into it".to_owned()
        }
        _ if outcome.bare_java => {
            "the program is an image of Java without the module java.instrument, into which no recorder can be loaded; \
             `deadweight attach PID` captures it while it runs"
                .to_owned()
        }
        _ => not_triggered(outcome, plan),
    };
    format!("nothing was captured: {why}")
}

fn not_triggered(outcome: &Outcome, plan: &Plan) -> String {
    let mut reasons = Vec::new();
    if let Status::Signal(number) = outcome.status {
        reasons.push(format!(
            "signal {number} ended the program before a trigger fired"
        ));
        if let Some(seen) = outcome.highest_seen {
            reasons.push(format!(
                "it held at least {} {:.1} s after its start; --when climb would capture it on its way up",
                bytes(seen.bytes),
                seen.ms as f64 / 1e3
            ));
        }
    }
    for trigger in &plan.when {
        if let Trigger::Above {
            measure,
            bytes: limit,
        } = trigger
            && let Some(most) = highest(outcome, *measure).filter(|most| most <= limit)
        {
            reasons.push(format!(
                "{} was not reached: the highest seen was {}",
                threshold(*measure, *limit),
                bytes(most)
            ));
        }
    }
    if !reasons.is_empty() {
        let early = highest(outcome, Measure::Rss).filter(|_| {
            let killed = matches!(outcome.status, Status::Signal(_));
            let watched = plan
                .when
                .iter()
                .any(|trigger| matches!(trigger, Trigger::Above { .. }));
            killed && !watched
        });
        if let Some(most) = early {
            reasons.push(format!(
                "--when '{}' would capture it before",
                lower(Measure::Rss, most)
            ));
        }
        return reasons.join("; ");
    }
    let is_at_exit = plan.when.contains(&Trigger::Exit) || plan.when.contains(&Trigger::Peak);
    if outcome.running > 0 {
        return format!(
            "the program ended and left processes that still run ({}): what they hold is captured when they end, and lies in {} \
             then, where `deadweight weigh` finds it",
            outcome.running,
            plan.directory.display()
        );
    }
    if outcome.native && is_at_exit && outcome.status == Status::Code(0) {
        return "no recorded process came to its end: the program may have replaced itself by one with an environment of \
                its own, as `env -i` and `sudo` do, or left without its exit handlers; pass it the whole environment"
            .to_owned();
    }
    if plan.in_memory && outcome.runtime.is_some_and(|runtime| runtime != Runtime::Node) {
        return "--in-memory captures programs of Node.js alone; without it this one is recorded".to_owned();
    }
    if outcome.runtime == Some(Runtime::Java) && is_at_exit {
        return "no Java virtual machine came to its end with its shutdown hooks: Runtime.halt and a crash run none; --when \
                peak, a threshold or SIGUSR2 captures it before, and `deadweight attach PID` also under a security manager"
            .to_owned();
    }
    if outcome.runtime.is_some() || outcome.native {
        return "no trigger fired while the program ran, or its recorder said why it could not".to_owned();
    }
    "no process of a runtime with a recorder ran (Node.js, Ruby, Java, or a native program, which behind a shell or another \
     wrapper is recorded with --runtime native); a heap snapshot taken by other means can be weighed with \
     `deadweight weigh FILE`"
        .to_owned()
}

/// The highest value of a measure: as recorders told it, or as the kernel noted it.
fn highest(outcome: &Outcome, measure: Measure) -> Option<u64> {
    let told = outcome.highest.iter().find(|(told, _)| *told == measure);
    let told = told.map(|(_, most)| *most);
    match measure {
        Measure::Rss => told.max(outcome.peak_rss),
        _ => told,
    }
}

fn threshold(measure: Measure, limit: u64) -> String {
    format!("{}>{}", measure.name(), bytes(limit).replace(' ', ""))
}

#[cfg(test)]
mod tests {
    use deadweight_weighing::read;

    use super::*;

    fn weighing(path: &str) -> Weighing {
        let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
        read(&std::fs::read(path).unwrap()).unwrap()
    }

    #[test]
    fn what_was_held_is_not_measured_where_only_what_was_made_is_recorded() {
        let record = weighing("../report/html/testing/weighings/line-count-before.json");
        let places = held_by_none(&record).unwrap();
        assert!(places[0].what.contains("is not measured"), "{places:?}");
        assert_eq!(held_by_none(&weighing("tests/weighings/base.json")), None);
    }
}
