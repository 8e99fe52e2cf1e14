//! The moment at which a program holds most.

use deadweight_capture::{CaptureError, Highest, Observer, Outcome, Plan, Status, Trigger};
use deadweight_report::bytes;
use deadweight_weighing::{Curve, UnseenOf, UnseenPlace, Weighing};

use crate::{progress, redact};

/// Of a hundred parts of the highest, so many are captured at: two runs do not come to the same byte.
const NEAR: u64 = 95;

/// Runs the program; where its highest moment is asked for and no recorder finds it in one run, runs it once before to
/// learn how high it comes.
pub fn run(plan: &mut Plan, observer: &dyn Observer) -> Result<Outcome, CaptureError> {
    if plan.when.contains(&Trigger::Climb) {
        plan.highest = Some(Highest::Climb);
    } else if plan.when.contains(&Trigger::Peak) && !plan.is_native() {
        let first = deadweight_capture::run(&Plan {
            highest: Some(Highest::Measure),
            snapshot: false,
            churn: None,
            every: None,
            ..plan.clone()
        })?;
        match first.most_held {
            // Who ends the first run wants no second one.
            _ if matches!(first.status, Status::Signal(_)) => return Ok(first),
            Some(most) => {
                plan.highest = Some(Highest::At(most / 100 * NEAR));
                progress::note(format_args!(
                    "the program held {} at its highest; it runs once more, to be captured there",
                    bytes(most)
                ));
            }
            None => progress::note(format_args!(
                "no recorder saw how much the program holds; it runs once more, to be captured at its end"
            )),
        }
    }
    deadweight_capture::run_observed(plan, observer)
}

/// Says how to capture the highest moment where the capture shows much less.
pub fn offer(weighing: &mut Weighing, plan: &Plan) {
    if plan.highest.is_some() {
        // It was asked for already, and is not met again: `missed` says so.
        for place in places(weighing, UnseenOf::InUse) {
            "let the program work on more, or try --when climb".clone_into(&mut place.how);
        }
        return;
    }
    let how = if redact::asked().is_some() {
        Curve::HOW.to_owned()
    } else {
        let words: Vec<String> = plan
            .program
            .iter()
            .map(|word| quoted(&word.to_string_lossy()))
            .collect();
        format!("deadweight run --when peak -- {}", words.join(" "))
    };
    for place in places(weighing, UnseenOf::InUse) {
        place.how.clone_from(&how);
    }
    if !weighing.curve.as_ref().is_some_and(Curve::is_past) {
        return;
    }
    // A threshold is met by luck, and by a program that computes without a pause not at all.
    for place in places(weighing, UnseenOf::ResidentPeak) {
        if place.how.contains("--when 'rss>") {
            place.how.clone_from(&how);
        }
    }
    if let Some(curve) = &mut weighing.curve {
        curve.how = Some(how);
    }
}

/// Where unseen memory may be, of a weighing whose dump was compared with such a figure.
fn places(weighing: &mut Weighing, of: UnseenOf) -> impl Iterator<Item = &mut UnseenPlace> {
    let unseen = weighing.unseen.iter_mut();
    unseen
        .filter(move |unseen| unseen.of == of)
        .flat_map(|unseen| &mut unseen.places)
}

/// Says where the second run was not captured near the moment that the first one saw: it was too short to be met again.
pub fn missed(weighing: &Weighing, plan: &Plan) -> Option<String> {
    let Some(Highest::At(sought)) = plan.highest else {
        return None;
    };
    missed_by(sought, weighing.curve.as_ref()?.captured.bytes)
}

fn missed_by(sought: u64, captured: u64) -> Option<String> {
    (captured < sought / 100 * NEAR).then(|| {
        format!(
            "this capture shows {}, and not the {} that the first run held at its highest: that moment was too short to be met \
             again; let the program work on more, or try --when climb",
            bytes(captured),
            bytes(sought / NEAR * 100)
        )
    })
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_./=:,@%+".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_is_not_near_the_highest_moment_says_so() {
        let sought = 10_000_000 / 100 * NEAR;
        assert_eq!(missed_by(sought, sought), None);
        let said = missed_by(sought, 4_300_000).unwrap();
        assert!(said.contains("shows 4.3 MB, and not the 10.0 MB"), "{said}");
    }

    #[test]
    fn a_shell_reads_the_words_back() {
        assert_eq!(quoted("--all=x/y.js"), "--all=x/y.js");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
