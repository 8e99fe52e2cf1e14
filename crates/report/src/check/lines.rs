//! A line for each broken budget.

use deadweight_compare::check::{Broken, Check, Stale, What};
use deadweight_weighing::{Finding, Unseen, harmless};

use super::Names;
use crate::Look;
use crate::figures::{bytes, counted};
use crate::palette::{Palette, paint};
use crate::unseen::sentence as sentence_of;

pub(super) fn lines(check: &Check, names: Names<'_>, look: Look, quiet: bool) -> String {
    let palette = Palette::new(look.colour);
    let mut text = String::new();
    let mut say = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for unseen in &check.unseen {
        let word = paint(palette.caution, "not seen");
        say(format!(
            "{}: {word}: {}",
            harmless(names.config),
            unseen_sentence(unseen)
        ));
    }
    for broken in &check.broken {
        let place = match broken.line {
            Some(line) => format!("{}:{line}", harmless(names.config)),
            None => harmless(names.baseline),
        };
        let key = paint(palette.strong, &broken.key);
        say(format!("{place}: {key}: {}", sentence(broken)));
    }
    for stale in &check.stale {
        let word = paint(palette.caution, "stale");
        say(format!(
            "{}:{}: {word}: {}",
            harmless(names.config),
            stale.line,
            stale_sentence(stale)
        ));
    }
    if !quiet {
        let held = counted(check.held as u64, "figure");
        say(match check.broken.len() {
            0 => paint(palette.action, format!("all budgets hold ({held} checked)")),
            broken => {
                let broken = paint(
                    palette.dead,
                    format!("{} broken", counted(broken as u64, "budget")),
                );
                let keys: Vec<&str> = check
                    .broken
                    .iter()
                    .map(|broken| broken.key.as_str())
                    .take(1)
                    .collect();
                format!("{broken}, {held} within · deadweight check --explain {}", keys[0])
            }
        });
    }
    text
}

/// What is wrong, and the finding to mend.
#[must_use]
pub fn sentence(broken: &Broken) -> String {
    let finding = broken.finding.as_ref();
    match &broken.what {
        What::Bytes { of, found, most } => {
            let of = match finding {
                Some(finding) if broken.line.is_none() => format!("{of} of {}", place(finding)),
                _ => harmless(of),
            };
            let worst = finding
                .filter(|_| broken.line.is_some())
                .map(worst)
                .unwrap_or_default();
            let exact = if bytes(*found) == bytes(*most) {
                format!("{found} bytes, more than {most}")
            } else {
                format!("{}, more than {}", bytes(*found), bytes(*most))
            };
            format!("{of}: {exact}{worst}")
        }
        What::Share { of, found, most } => {
            let worst = finding.map(worst).unwrap_or_default();
            format!(
                "{}: {:.1} %, more than {:.1} %{worst}",
                harmless(of),
                found * 100.0,
                most * 100.0
            )
        }
        What::New { saves } => match finding {
            Some(finding) => format!(
                "{}: {}: {} dead weight: {}; fix: {}",
                if broken.line.is_some() {
                    "not allowed"
                } else {
                    "new"
                },
                place(finding),
                bytes(*saves),
                harmless(&finding.title),
                harmless(&finding.fix)
            ),
            None => format!("new: {} dead weight", bytes(*saves)),
        },
        What::NotMeasurable { of, why } => format!("{}: not measurable: {}", harmless(of), harmless(why)),
    }
}

/// What no budget guards, and how to capture it.
pub(super) fn unseen_sentence(unseen: &Unseen) -> String {
    let places = unseen.places.iter().map(|place| {
        let how = if place.how.is_empty() {
            String::new()
        } else {
            format!(" ({})", harmless(&place.how))
        };
        format!("; perhaps {}{how}", harmless(&place.what))
    });
    format!("{}{}", sentence_of(unseen), places.collect::<String>())
}

/// What to do about a suppression that accepts nothing any more.
#[must_use]
pub fn stale_sentence(stale: &Stale) -> String {
    let at = stale
        .holder
        .as_deref()
        .map(|holder| format!(" at {}", harmless(holder)));
    format!(
        "the suppression of {}{} no longer matches anything: remove it",
        stale.rule,
        at.unwrap_or_default()
    )
}

fn worst(finding: &Finding) -> String {
    format!(
        "; the largest finding is {}: {}; fix: {}",
        place(finding),
        harmless(&finding.title),
        harmless(&finding.fix)
    )
}

fn place(finding: &Finding) -> String {
    let rule = harmless(&finding.rule);
    match (finding.holder.as_str(), &finding.site) {
        ("", Some(site)) => format!("{rule} at {}", harmless(site)),
        (holder, Some(site)) => format!("{rule} at {} ({})", harmless(holder), harmless(site)),
        (holder, None) => format!("{rule} at {}", harmless(holder)),
    }
}
