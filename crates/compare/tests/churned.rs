//! What programs make, before and after fixes, as tiny records.

use deadweight_compare::proof::{AllocatedProof, Basis, Outcome};
use deadweight_compare::prove::{Options, prove};
use deadweight_heap::churn::{Frame, Sampling};
use deadweight_heap::{ChurnBuilder, Kind};
use deadweight_rules::weigh_churn;
use deadweight_weighing::{Source, Weighing};

/// Objects of one size that a line makes.
#[derive(Clone, Copy)]
struct Makes(&'static str, &'static str, u32, Kind, &'static str, u64, u64);

/// A line that makes empty arrays, and one whose buffers are dropped.
const EMPTY: Makes = Makes(
    "Client#nothing",
    "client.rb",
    30,
    Kind::Array,
    "Array",
    20_000,
    40,
);
const NEEDED: Makes = Makes(
    "Client#read",
    "client.rb",
    50,
    Kind::String,
    "String",
    10_000,
    100,
);

fn weighed(operations: u64, makes: &[Makes]) -> Weighing {
    sampled(operations, makes, Sampling::Exact)
}

fn sampled(operations: u64, makes: &[Makes], sampling: Sampling) -> Weighing {
    let mut churn = ChurnBuilder::new();
    for &Makes(function, file, line, kind, holds, count, size) in makes {
        let own = if function.is_empty() {
            ChurnBuilder::library("boot")
        } else {
            ChurnBuilder::own(function, file, line)
        };
        let stack: &[Frame] = &[own];
        let row = churn.allocated(stack, kind, holds, count, size);
        churn.change(row, |row| {
            row.kept = Some(0);
            row.kept_bytes = Some(0);
            let is_empty = kind == Kind::Array;
            row.empty = is_empty.then_some(count);
            row.empty_bytes = is_empty.then_some(count * size);
            if sampling != Sampling::Exact {
                row.samples = count / 100;
            }
        });
    }
    churn.churn().operations = operations;
    churn.churn().sampling = sampling;
    let source = Source {
        path: "made.churn".into(),
        bytes: 1,
        format: "builder".into(),
    };
    weigh_churn(&churn.build(), source, &deadweight_rules::Options::all())
}

fn compared(before: &Weighing, after: &Weighing) -> AllocatedProof {
    let proof = prove(before, after, &Options::default());
    assert_eq!(proof.basis, Basis::Nothing);
    assert!(proof.notes.is_empty(), "{:?}", proof.notes);
    proof.allocated.expect("both say what is made")
}

fn moved(makes: Makes, function: &'static str, line: u32) -> Makes {
    let Makes(_, file, _, kind, holds, count, size) = makes;
    Makes(function, file, line, kind, holds, count, size)
}

/// The outcome and the measured bytes of each fix, by rule and line.
fn outcomes(allocated: &AllocatedProof) -> Vec<(&str, &str, Outcome, Option<i64>)> {
    let fixes = allocated.fixes.iter();
    fixes
        .map(|fix| (fix.rule.as_str(), fix.site.as_str(), fix.outcome, fix.measured))
        .collect()
}

const EMPTY_BYTES: i64 = 800_000;

#[test]
fn a_line_that_moved_is_the_same_line() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let same = weighed(
        10_000,
        &[
            moved(EMPTY, "Client#nothing", 37),
            moved(NEEDED, "Client#read", 61),
        ],
    );
    let allocated = compared(&before, &same);
    assert_eq!(
        (allocated.predicted, allocated.measured, allocated.error),
        (0, 0, None)
    );
    let [("T02", "client.rb:30", Outcome::Open, None), ..] = outcomes(&allocated)[..] else {
        panic!("{allocated:#?}")
    };
    assert_eq!(allocated.fixes[0].sites_after, ["client.rb:37"]);
    assert!(
        allocated.grew.is_empty() && allocated.shrank.is_empty() && allocated.new.is_empty(),
        "{allocated:#?}"
    );
}

#[test]
fn a_line_that_vanished_was_mended() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let allocated = compared(&before, &weighed(10_000, &[NEEDED]));
    assert_eq!(
        (allocated.predicted, allocated.measured, allocated.error),
        (EMPTY_BYTES, EMPTY_BYTES, Some(0.0))
    );
    assert_eq!(allocated.objects, Some(20_000));
    let fix = &allocated.fixes[0];
    assert_eq!(
        (fix.outcome, fix.measured, &fix.sites_after[..]),
        (Outcome::Mended, Some(EMPTY_BYTES), &[][..])
    );
    let each = fix.each.expect("both tell their operations");
    assert!((each.predicted - 80.0).abs() < 1e-9 && (allocated.each.unwrap().before - 180.0).abs() < 1e-9);
}

/// The work of a line that is done on two afterwards, in the same function or in two new ones, is still done.
#[test]
fn a_line_that_became_two_saves_nothing() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let Makes(_, file, _, kind, holds, ..) = EMPTY;
    let part = |function, line, count| Makes(function, file, line, kind, holds, count, 40);
    for parts in [
        [
            part("Client#nothing", 31, 8_000),
            part("Client#nothing", 33, 12_000),
        ],
        [part("Client#none", 31, 8_000), part("Client#no", 40, 12_000)],
        [part("Client#nil", 90, 20_000), part("Client#nil", 91, 1)],
    ] {
        let allocated = compared(&before, &weighed(10_000, &[parts[0], parts[1], NEEDED]));
        assert_eq!(allocated.predicted, 0, "{allocated:#?}");
        assert!(
            allocated.fixes.iter().all(|fix| fix.outcome == Outcome::Open),
            "{allocated:#?}"
        );
        assert!(
            allocated.grew.is_empty() && allocated.new.is_empty(),
            "{allocated:#?}"
        );
    }
}

/// A rule that does not find it any more has saved nothing: the bytes say it.
#[test]
fn what_is_only_hidden_is_not_mended() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let Makes(function, file, line, _, holds, count, size) = EMPTY;
    // The same arrays, of which nobody says any more that they died empty.
    let after = weighed(
        10_000,
        &[
            Makes(function, file, line, Kind::Opaque, holds, count, size),
            NEEDED,
        ],
    );
    let allocated = compared(&before, &after);
    assert_eq!(allocated.fixes[0].outcome, Outcome::Hidden, "{allocated:#?}");
    assert_eq!(
        (allocated.predicted, allocated.measured, allocated.error),
        (0, 0, None)
    );
}

#[test]
fn two_fixes_at_once_are_split() {
    let text = Makes("Client#name", "client.rb", 70, Kind::Array, "Array", 10_000, 64);
    let before = weighed(10_000, &[EMPTY, text, NEEDED]);
    let alone = |makes: &[Makes]| compared(&before, &weighed(10_000, makes)).fixes;
    let both = compared(&before, &weighed(10_000, &[NEEDED]));
    assert_eq!(both.predicted, EMPTY_BYTES + 640_000);
    assert_eq!((both.error, both.unexplained), (Some(0.0), 0));
    for (line, rest) in [
        ("client.rb:30", [text, NEEDED]),
        ("client.rb:70", [EMPTY, NEEDED]),
    ] {
        let part = |fixes: &[deadweight_compare::proof::AllocatedFix]| {
            fixes
                .iter()
                .find(|fix| fix.site == line)
                .and_then(|fix| fix.measured)
        };
        assert!(part(&both.fixes).is_some());
        assert_eq!(part(&both.fixes), part(&alone(&rest)), "{line}");
    }
}

/// Two fixes of one line, of which one claims what the other does: what they share counts once.
#[test]
fn what_two_fixes_share_counts_once() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let churned = before.churned.as_ref().unwrap();
    let all = churned.findings.iter().chain(&churned.options);
    for finding in all.filter(|finding| !finding.shared.is_empty()) {
        let shared: i64 = finding.shared.iter().map(|shared| shared.bytes).sum();
        assert!(shared <= finding.saves_alone.cast_signed());
    }
    let allocated = compared(&before, &weighed(10_000, &[NEEDED]));
    assert!(allocated.predicted <= EMPTY_BYTES, "{allocated:#?}");
}

#[test]
fn other_numbers_of_operations_are_brought_to_one() {
    // What boots a program is made once, whatever it does afterwards.
    let boot = Makes("", "", 0, Kind::Buffer, "Table", 3, 1_000_000);
    let before = weighed(10_000, &[boot, EMPTY, NEEDED]);
    let half = |makes: Makes| Makes(makes.0, makes.1, makes.2, makes.3, makes.4, makes.5 / 2, makes.6);
    let allocated = compared(&before, &weighed(5_000, &[boot, half(NEEDED)]));
    assert_eq!(
        (allocated.measured, allocated.error),
        (EMPTY_BYTES, Some(0.0)),
        "{allocated:#?}"
    );
    assert_eq!(allocated.counted, EMPTY_BYTES + 500_000);
    let open = compared(&before, &weighed(5_000, &[boot, half(EMPTY), half(NEEDED)]));
    assert_eq!(
        (open.measured, open.fixes[0].outcome),
        (0, Outcome::Open),
        "{open:#?}"
    );
    // Without the numbers nothing is brought anywhere, and that is said.
    let silent = compared(&before, &weighed(0, &[boot, half(NEEDED)]));
    assert!(
        silent.each.is_none() && silent.notes[0].contains("only before says"),
        "{silent:#?}"
    );
}

#[test]
fn what_is_made_instead_is_reported() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let other = Makes("Pool#take", "pool.rb", 5, Kind::String, "String", 10_000, 24);
    let allocated = compared(&before, &weighed(10_000, &[other, NEEDED]));
    assert_eq!(
        (allocated.predicted, allocated.measured),
        (EMPTY_BYTES, EMPTY_BYTES - 240_000)
    );
    let [grown] = &allocated.grew[..] else {
        panic!("{allocated:#?}")
    };
    assert_eq!(
        (grown.function.as_str(), grown.saved, grown.before_site.as_deref()),
        ("Pool#take", -240_000, None)
    );
    assert_eq!(allocated.unexplained, -240_000);
    // On a new line of the function itself it belongs to the fix.
    let own = Makes(
        "Client#nothing",
        "client.rb",
        31,
        Kind::String,
        "String",
        10_000,
        24,
    );
    let allocated = compared(&before, &weighed(10_000, &[own, NEEDED]));
    assert_eq!(
        allocated.fixes[0].measured,
        Some(EMPTY_BYTES - 240_000),
        "{allocated:#?}"
    );
    assert_eq!((allocated.unexplained, allocated.grew.len()), (0, 0));
}

#[test]
fn samples_leave_something_open() {
    let every = || Sampling::Objects(100);
    let before = sampled(10_000, &[EMPTY, NEEDED], every());
    let allocated = compared(&before, &sampled(10_000, &[NEEDED], every()));
    assert!(allocated.margin > 0 && allocated.before.margin > 0);
    assert!(allocated.fixes[0].margin > 0, "{allocated:#?}");
    assert!(allocated.error.is_some());
    // The same program twice, and what changed is less than the samples can show.
    let Makes(function, file, line, kind, holds, count, size) = EMPTY;
    let few = Makes(function, file, line, kind, holds, count / 20, size);
    let before = sampled(10_000, &[few, NEEDED], every());
    let allocated = compared(&before, &sampled(10_000, &[NEEDED], every()));
    assert_eq!(allocated.error, None, "{allocated:#?}");
    assert_eq!(allocated.fixes[0].outcome, Outcome::Unknown);
}

/// Two runs of one program differ by what their samples leave open: that is no part of a fix.
#[test]
fn what_samples_leave_open_is_no_part_of_a_fix() {
    let Makes(function, file, line, kind, holds, count, size) = EMPTY;
    let fewer = Makes(function, file, line, kind, holds, count * 17 / 20, size);
    let outcome = |sampling: fn() -> Sampling| {
        let before = sampled(10_000, &[EMPTY, NEEDED], sampling());
        let proof = prove(
            &before,
            &sampled(10_000, &[fewer, NEEDED], sampling()),
            &Options::default(),
        );
        proof.allocated.expect("both say what is made").fixes[0].outcome
    };
    assert_eq!(outcome(|| Sampling::Objects(100)), Outcome::Open);
    assert_eq!(outcome(|| Sampling::Exact), Outcome::Partly);
}

#[test]
fn one_side_alone_is_no_silent_zero() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let mut after = weighed(10_000, &[NEEDED]);
    after.churned = None;
    after.held.objects = 1;
    let proof = prove(&before, &after, &Options::default());
    assert!(proof.allocated.is_none());
    assert!(
        proof
            .notes
            .iter()
            .any(|note| note.contains("only before says what is made")),
        "{:?}",
        proof.notes
    );
    assert!(
        proof
            .notes
            .iter()
            .any(|note| note.contains("only after says what is held")),
        "{:?}",
        proof.notes
    );
    assert_eq!(proof.basis, Basis::Nothing);
}

/// Weighings of earlier versions have no table of what was made.
#[test]
fn weighings_without_lines_are_read() {
    let strip = |mut weighing: Weighing| {
        let churned = weighing.churned.as_mut().unwrap();
        churned.allocated = None;
        churned
            .findings
            .iter_mut()
            .for_each(|finding| finding.frees.clear());
        weighing
    };
    let before = strip(weighed(10_000, &[EMPTY, NEEDED]));
    let allocated = compared(&before, &strip(weighed(10_000, &[NEEDED])));
    assert_eq!(
        (allocated.predicted, allocated.measured),
        (EMPTY_BYTES, EMPTY_BYTES),
        "{allocated:#?}"
    );
    assert_eq!(
        (allocated.fixes[0].outcome, allocated.fixes[0].measured),
        (Outcome::Mended, None)
    );
    assert!(allocated.notes[0].contains("not measurable"));
    let open = compared(&before, &before);
    assert_eq!(open.fixes[0].outcome, Outcome::Open);
}

#[test]
fn fixes_can_be_named_by_hand() {
    let before = weighed(10_000, &[EMPTY, NEEDED]);
    let options = Options {
        mended: Some(vec![
            before.churned.as_ref().unwrap().findings[0].fingerprint.clone(),
        ]),
        ..Options::default()
    };
    let allocated = prove(&before, &before, &options).allocated.unwrap();
    assert_eq!((allocated.predicted, allocated.measured), (EMPTY_BYTES, 0));
    assert_eq!(
        (allocated.fixes[0].outcome, allocated.fixes[0].measured),
        (Outcome::Mended, Some(0))
    );
}
