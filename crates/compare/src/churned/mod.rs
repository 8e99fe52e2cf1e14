//! The second ledger: what each finding about what is made promised, and what came.

mod align;
mod bag;
mod lines;
mod outcome;
mod side;
mod split;
mod table;

use deadweight_weighing::{Churned, Finding, OTHERS, Weighing};

use self::table::{LineId, Table};
use crate::judging::{self, Judged};
use crate::proof::{
    AllocatedFix, AllocatedPlace, AllocatedProof, AllocatedSide, EachOperation, FixEach, New, Outcome, Saving,
};
use crate::prove::Options;

/// Compares what two programs made; nothing when neither says it.
///
/// # Errors
/// Why it cannot be compared, when one of them says it.
pub(crate) fn prove(
    before: &Weighing,
    after: &Weighing,
    options: &Options,
) -> Result<Option<AllocatedProof>, String> {
    let which = match (&before.churned, &after.churned) {
        (None, None) => return Ok(None),
        (Some(first), Some(second)) => return Ok(Some(compared(first, second, options))),
        (Some(_), None) => "before",
        (None, Some(_)) => "after",
    };
    Err(format!(
        "only {which} says what is made: it is not compared; record the other side with --churn, too"
    ))
}

fn compared(before: &Churned, after: &Churned, options: &Options) -> AllocatedProof {
    let mut notes = doubts(before, after);
    let scale = if before.operations > 0 && after.operations > 0 {
        before.operations as f64 / after.operations as f64
    } else {
        1.0
    };
    let listed = before.allocated.as_ref().zip(after.allocated.as_ref());
    let table = listed.map(|(first, second)| Table::new(first, second, &all_findings(before), scale));
    if table.is_none() {
        notes.push(
            "a weighing was made before lines were listed: what each fix did alone is not measurable; weigh the \
             record again"
                .to_owned(),
        );
    }
    let (first, second) = (side(before), side(after));
    let measured = table.as_ref().map_or_else(
        || before.bytes.cast_signed() - (after.bytes as f64 * scale).round() as i64,
        Table::saved,
    );
    let margin = ((first.margin as f64).powi(2) + (second.margin as f64 * scale).powi(2))
        .sqrt()
        .round() as u64;

    let (mut fixes, matched) = outcome::fixes(before, after, table.as_ref(), scale, options);
    let predicted = outcome::promise(&mut fixes);
    // What is left of an option when others were made first may be nothing: then it is no promise.
    fixes.retain(|fix| !fix.report.option || fix.report.predicted > 0);
    let mut touched: Vec<LineId> = Vec::new();
    if let Some(table) = &table {
        touched = split::split(&mut fixes, table);
    }
    let attributed: i64 = fixes.iter().filter_map(|fix| fix.report.measured).sum();
    let any = fixes.iter().any(Draft::is_made);
    let is_significant = measured.unsigned_abs() > margin;
    if any && !is_significant && margin > 0 {
        notes.push(
            "the change is smaller than the sampling error: record for longer, or take more samples"
                .to_owned(),
        );
    }
    let each = |bytes: i64| per_operation(bytes, before, after);
    for fix in &mut fixes {
        let report = &mut fix.report;
        report.each = each(report.promised).map(|promised| FixEach {
            promised,
            predicted: each(report.predicted).unwrap_or_default(),
            measured: report.measured.and_then(each),
        });
    }
    let (grew, shrank) = changed(table.as_ref(), &touched, measured);
    let mut fixes: Vec<AllocatedFix> = fixes.into_iter().map(|fix| fix.report).collect();
    fixes.sort_by(|a, b| {
        let by_size = b.promised.cmp(&a.promised);
        by_size.then_with(|| (&a.rule, &a.site, &a.fingerprint).cmp(&(&b.rule, &b.site, &b.fingerprint)))
    });
    AllocatedProof {
        scale: rounded(scale),
        predicted,
        counted: before.bytes.cast_signed() - after.bytes.cast_signed(),
        measured,
        margin,
        objects: objects(before, after, table.as_ref(), scale),
        error: error(predicted, measured).filter(|_| any && is_significant),
        each: each(0).map(|_| EachOperation {
            before: per(before.bytes as f64, before.operations),
            // What does not follow the operations is counted with those of the first side.
            after: per(before.bytes as f64 - measured as f64, before.operations),
            predicted: per(predicted as f64, before.operations),
            measured: per(measured as f64, before.operations),
        }),
        before: first,
        after: second,
        fixes,
        grew,
        shrank,
        unexplained: measured - attributed,
        new: new(after, &matched),
        moved: table
            .as_ref()
            .map(|table| table.moved.clone())
            .unwrap_or_default(),
        notes,
    }
}

/// A finding on its way to an [`AllocatedFix`].
#[derive(Debug)]
struct Draft<'w> {
    finding: &'w Finding,
    /// The part that was made, from 0 to 1.
    share: f64,
    report: AllocatedFix,
}

impl Draft<'_> {
    fn is_made(&self) -> bool {
        self.report.outcome.is_made()
    }
}

impl Judged for Draft<'_> {
    fn finding(&self) -> &Finding {
        self.finding
    }

    fn set(&mut self, outcome: Outcome, share: f64) {
        self.report.outcome = outcome;
        self.share = share;
    }

    fn remain(&mut self, bytes: u64) {
        self.report.remaining = bytes;
    }
}

fn all_findings(churned: &Churned) -> Vec<&Finding> {
    churned.findings.iter().chain(&churned.options).collect()
}

fn side(churned: &Churned) -> AllocatedSide {
    AllocatedSide {
        bytes: churned.bytes,
        margin: churned
            .sampled
            .as_ref()
            .map_or(0, |sampled| sampled.high.saturating_sub(churned.bytes)),
        objects: churned.objects,
        operations: churned.operations,
        dead: churned.dead,
    }
}

/// What stands between the two that is no fix.
fn doubts(before: &Churned, after: &Churned) -> Vec<String> {
    let mut doubts = Vec::new();
    match (before.operations, after.operations) {
        (0, 0) => doubts.push(
            "neither side says how many operations it did: both are taken to have done the same; --per says how many"
                .to_owned(),
        ),
        (0, _) | (_, 0) => doubts.push(format!(
            "only {} says how many operations it did: bytes by operation are not comparable, and both are taken to \
             have done the same; --per tells",
            if before.operations > 0 { "before" } else { "after" }
        )),
        _ => {}
    }
    if before.sampled.is_some() != after.sampled.is_some() {
        doubts.push(
            "one side saw every object and the other took samples: they are compared as far as the samples allow"
                .to_owned(),
        );
    }
    if before.objects.is_some() != after.objects.is_some() {
        doubts.push("only one side counted objects: bytes alone are compared".to_owned());
    }
    let folded = before.findings.iter().filter(|finding| finding.rule == OTHERS);
    let folded: u64 = folded.map(|finding| finding.count).sum();
    if folded > 0 {
        doubts.push(format!(
            "{folded} findings before about what is made are too small to be listed in the weighing: weigh with --all \
             to prove them, too"
        ));
    }
    doubts
}

fn objects(before: &Churned, after: &Churned, table: Option<&Table>, scale: f64) -> Option<i64> {
    let (first, second) = (before.objects?, after.objects?);
    Some(
        table
            .and_then(Table::fewer)
            .unwrap_or_else(|| first.cast_signed() - (second as f64 * scale).round() as i64),
    )
}

/// Bytes an operation of the first side, when both say how many there were.
fn per_operation(bytes: i64, before: &Churned, after: &Churned) -> Option<f64> {
    (before.operations > 0 && after.operations > 0).then(|| per(bytes as f64, before.operations))
}

fn per(bytes: f64, operations: u64) -> f64 {
    rounded(bytes / operations.max(1) as f64)
}

/// Four digits are more than was ever measured, and read back as written.
fn rounded(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}

/// |predicted − measured| / measured; none when nothing was saved.
fn error(predicted: i64, measured: i64) -> Option<f64> {
    let saving = |held| Saving { held, external: 0 };
    saving(predicted).error(saving(measured))
}

/// The lines that changed and that no fix that was made has to do with.
fn changed(
    table: Option<&Table>,
    touched: &[LineId],
    measured: i64,
) -> (Vec<AllocatedPlace>, Vec<AllocatedPlace>) {
    let Some(table) = table else {
        return Default::default();
    };
    let least = judging::least(measured);
    let others = (0..table.lines.len()).filter(|line| !touched.contains(line));
    let mut places: Vec<AllocatedPlace> = others.map(|line| table.place(line)).collect();
    places.retain(|place| {
        place.saved.unsigned_abs() as f64 >= least && place.saved.unsigned_abs() > place.margin
    });
    places.sort_by_key(|place| std::cmp::Reverse(place.saved.unsigned_abs()));
    places.into_iter().partition(|place| place.saved < 0)
}

/// Findings of the second side that none of the first is.
fn new(after: &Churned, matched: &[String]) -> Vec<New> {
    let is_new = |finding: &&Finding| finding.rule != OTHERS && !matched.contains(&finding.fingerprint);
    let new = after.findings.iter().filter(is_new);
    New::listed(new.map(|finding| (finding, side::place(finding))))
}
