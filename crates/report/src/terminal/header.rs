//! What was weighed, and what its process said of itself.

use deadweight_weighing::{Process, Weighing, contradicted, harmless};

use super::Canvas;
use super::flow::flow;
use crate::cut::{Cut, cut};
use crate::figures::{bytes, counted, share};
use crate::palette::paint;
use crate::wrap::wrap_plain;

pub(super) fn lines(canvas: &Canvas<'_>) -> Vec<String> {
    let weighing = canvas.weighing;
    let mut lines = cautions(canvas);
    let name = "deadweight  ";
    let path = cut(
        &harmless(&weighing.source.path),
        canvas.width - name.len(),
        Cut::Start,
    );
    lines.push(format!("{name}{}", paint(canvas.palette.strong, path)));

    let runtime = format!("{} {}", weighing.runtime.name, weighing.runtime.version);
    let format = format!("{} {}", bytes(weighing.source.bytes), weighing.source.format);
    let mut facts = vec![harmless(runtime.trim_end()), harmless(format.trim_end())];
    if weighing.held.objects > 0 {
        facts.push(counted(weighing.held.objects, "object"));
    }
    lines.extend(flow(&facts, canvas.width, 2));
    let style = if doubtful(canvas.weighing) {
        canvas.palette.caution
    } else {
        canvas.palette.faint
    };
    lines.extend(process(canvas).into_iter().map(|line| paint(style, line)));
    lines
}

/// What holds for every figure: that it is a lower bound, or an estimate.
fn cautions(canvas: &Canvas<'_>) -> Vec<String> {
    let whole = |why: &String| harmless(why).trim_end_matches('.').to_owned();
    let partial = canvas.weighing.partial.iter();
    let partial = partial.map(|why| format!("PARTIAL: {}. Every figure is a lower bound.", whole(why)));
    let estimated = canvas.weighing.estimated.iter();
    let estimated = estimated.map(|why| format!("ESTIMATE: {}. Every figure is an estimate.", whole(why)));
    let wrong = contradicted(canvas.weighing).map(|used| {
        let held = bytes(canvas.weighing.held.bytes);
        format!(
            "WRONG: the objects take {held} together, but the process itself counts {}. Some of these sizes cannot be right.",
            bytes(used)
        )
    });
    let mut lines: Vec<String> = Vec::new();
    for text in wrong.into_iter().chain(partial).chain(estimated) {
        let wrapped = wrap_plain(&cut(&text, canvas.width * 3, Cut::End), canvas.width);
        lines.extend(
            wrapped
                .into_iter()
                .map(|line| paint(canvas.palette.caution, line)),
        );
        lines.push(String::new());
    }
    lines
}

fn process(canvas: &Canvas<'_>) -> Vec<String> {
    let said = canvas.weighing.process.clone().unwrap_or_default();
    let Process {
        heap_used,
        heap_asked,
        external,
        rss,
        rss_peak,
        heap_peak,
        ..
    } = said;
    let mut facts = Vec::new();
    if let Some(used) = heap_used {
        facts.push(format!("{} reports {}", who(canvas.weighing), bytes(used)));
        facts.extend(accounted(canvas.weighing.held.bytes, used));
    }
    if let Some(asked) = heap_asked {
        facts.push(format!(
            "objects {} before the allocator's own overhead",
            bytes(asked)
        ));
    }
    if let Some(external) = external {
        facts.push(format!("external {}", bytes(external)));
    }
    if let Some(peak) = heap_peak {
        facts.push(format!("{} requested at its highest", bytes(peak)));
    }
    if let Some(rss) = rss {
        let most = rss_peak
            .filter(|peak| *peak > rss)
            .map(|peak| format!(" ({} at its highest)", bytes(peak)));
        facts.push(format!("RSS {}{}", bytes(rss), most.unwrap_or_default()));
    }
    let Some(first) = facts.first_mut() else {
        return vec!["process: its own totals were not recorded beside the dump".to_owned()];
    };
    first.insert_str(0, "process: ");
    flow(&facts, canvas.width, "process: ".len())
}

/// Whether the reader's sum and the process's own differ by more than a twentieth.
fn doubtful(weighing: &Weighing) -> bool {
    let used = weighing.process.as_ref().and_then(|process| process.heap_used);
    used.is_some_and(|used| weighing.held.bytes.abs_diff(used) > used / 20)
}

/// Who counted what the process says of itself: its runtime, by the name that people know.
fn who(weighing: &Weighing) -> String {
    match weighing.runtime.name.as_str() {
        "node" => "Node.js".to_owned(),
        "ruby" => "Ruby".to_owned(),
        // The line begins with "process".
        _ => "it".to_owned(),
    }
}

/// What the reader found, and how far that is from what the process counted.
fn accounted(held: u64, used: u64) -> Option<String> {
    if used == 0 || held == 0 {
        return None;
    }
    let off = share(held.abs_diff(used), used);
    let off = match held.cmp(&used) {
        std::cmp::Ordering::Less => format!("−{off}"),
        std::cmp::Ordering::Equal => "the same".to_owned(),
        std::cmp::Ordering::Greater => format!("+{off}"),
    };
    Some(format!("we account for {} ({off})", bytes(held)))
}
