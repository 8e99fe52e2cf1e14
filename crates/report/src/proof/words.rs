//! A proof's figures as people read them.

use deadweight_compare::proof::{AllocatedPlace, Amount, Outcome, Proof, Saving};

use crate::figures::{bytes, share};
use deadweight_weighing::harmless;

/// `12.3 MB`, with a sign for what grew.
pub(super) fn signed(amount: i64) -> String {
    let sign = if amount < 0 { "+" } else { "" };
    format!("{sign}{}", bytes(amount.unsigned_abs()))
}

/// `-12.3 MB` for what went, `+1.2 MB` for what came.
pub(crate) fn change(amount: i64) -> String {
    match amount {
        0 => "0 B".to_owned(),
        less if less > 0 => format!("−{}", bytes(less.unsigned_abs())),
        more => format!("+{}", bytes(more.unsigned_abs())),
    }
}

pub(super) fn error(error: Option<f64>) -> String {
    match error {
        None => "–".to_owned(),
        Some(error) if error > 9.99 => "> 999 %".to_owned(),
        Some(error) => format!("{:.2} %", error * 100.0),
    }
}

/// How a finding was mended that knows several ways.
pub(super) fn way(way: &str) -> String {
    if way.starts_with(|first: char| first.is_ascii_digit()) {
        format!(
            "mended with other sizes of slots: {}",
            harmless(&way.replace(',', ", "))
        )
    } else if way == "kept_table" {
        "the program keeps the table that finds each value".to_owned()
    } else if way == "own_table" {
        "each text is found in a table of the program's own".to_owned()
    } else {
        format!("mended the other way: {}", harmless(way))
    }
}

/// Bytes an operation: small figures with a digit behind the point.
pub(super) fn each(figure: f64) -> String {
    let sign = if figure < 0.0 { "+" } else { "" };
    let size = figure.abs();
    if size < 1_000.0 {
        format!("{sign}{size:.1} B")
    } else {
        format!("{sign}{}", bytes(size.round() as u64))
    }
}

/// What sampling leaves open; nothing when every object was seen.
pub(super) fn margin(of: i64, margin: u64) -> Option<String> {
    (margin > 0).then(|| {
        let open = match of.unsigned_abs() {
            // More than all of it says nothing as a share.
            of if of <= margin => bytes(margin),
            of => share(margin, of),
        };
        format!("± {open} (95 %)")
    })
}

/// A line of the program, for a person.
pub(super) fn allocation_site(place: &AllocatedPlace) -> String {
    let site = place.before_site.as_ref().or(place.after_sites.first());
    match (site.map_or("", String::as_str), place.function.as_str()) {
        ("", "") if place.holds.is_empty() => "(no line of the program)".to_owned(),
        ("", "") => format!("(no line of the program: {})", harmless(&place.holds)),
        (site, "") => harmless(site),
        (site, function) => format!("{} {}", harmless(site), harmless(function)),
    }
}

pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Mended => "mended",
        Outcome::Partly => "partly",
        Outcome::Open => "open",
        Outcome::Hidden => "hidden",
        Outcome::Unknown => "unknown",
    }
}

/// What stands in the column of what was predicted: of a fix that was not made, nothing was.
pub(super) fn predicted(outcome: Outcome, predicted: i64) -> String {
    if outcome.is_made() {
        signed(predicted)
    } else {
        "–".to_owned()
    }
}

/// What there is to say of a fix that was not made, or not everywhere.
pub(super) fn not_made(outcome: Outcome, promised: i64, remaining: u64) -> Option<String> {
    match outcome {
        Outcome::Open | Outcome::Partly if remaining > 0 => Some(format!("{} still there", bytes(remaining))),
        Outcome::Open => Some(format!("{} promised", signed(promised))),
        // Of those that are hidden or unknown it is not known what is still there.
        Outcome::Mended | Outcome::Partly | Outcome::Hidden | Outcome::Unknown => None,
    }
}

/// Bytes on the heap, and outside where there are any.
pub(super) fn sides(saving: Saving) -> String {
    if saving.external == 0 {
        "of the heap".to_owned()
    } else if saving.held == 0 {
        "outside the heap".to_owned()
    } else {
        format!(
            "{} held · {} external",
            change(saving.held),
            change(saving.external)
        )
    }
}

pub(super) fn all(amount: Amount) -> u64 {
    amount.held.saturating_add(amount.external)
}

/// What is known of the two sides' counts.
pub(super) fn records(proof: &Proof) -> Option<String> {
    let records = proof.records.as_ref()?;
    let of = if records.of.is_empty() {
        String::new()
    } else {
        format!(" at {}", deadweight_weighing::harmless(&records.of))
    };
    let (before, after) = (
        crate::figures::count(records.before),
        crate::figures::count(records.after),
    );
    Some(if proof.counted == proof.measured {
        format!("as many records: {before} and {after} objects{of}")
    } else {
        format!(
            "{before} objects before, {after} after{of}: figures after are multiplied by {:.3}",
            records.before as f64 / records.after.max(1) as f64
        )
    })
}
