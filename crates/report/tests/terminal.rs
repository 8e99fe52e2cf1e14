//! What a person sees. Each screen is a file in `snapshots/`, to be looked at when it changes.

mod support;

use deadweight_report::{Look, Report, Terminal};
use deadweight_weighing::Weighing;
use unicode_width::UnicodeWidthStr;

fn screen(weighing: &Weighing, terminal: Terminal) -> String {
    let mut out = Vec::new();
    terminal.write(weighing, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

fn plain(weighing: &Weighing, width: usize) -> String {
    screen(weighing, Terminal::new(Look { width, colour: false }))
}

#[test]
fn rich_narrow() {
    insta::assert_snapshot!(plain(&support::rich(), 80));
}

#[test]
fn grouped() {
    insta::assert_snapshot!(plain(&support::grouped(), 100));
}

#[test]
fn rich_wide() {
    insta::assert_snapshot!(plain(&support::rich(), 120));
}

#[test]
fn rich_in_colour() {
    let coloured = screen(
        &support::rich(),
        Terminal::new(Look {
            width: 100,
            colour: true,
        }),
    );
    insta::assert_snapshot!(coloured.replace('\x1b', "␛"));
}

#[test]
fn held_again_in_other_heaps() {
    insta::assert_snapshot!(plain(&support::again(), 80));
}

#[test]
fn empty() {
    insta::assert_snapshot!(plain(&support::empty(), 100));
}

#[test]
fn clean() {
    insta::assert_snapshot!(plain(&support::clean(), 80));
}

/// Who keeps the same data in less room needs less: that the program needs all it holds would be wrong.
#[test]
fn options_beside_no_findings_are_named() {
    let mut weighing = support::clean();
    weighing.options = support::rich().options;
    weighing.options[0].saves = weighing.held.bytes / 50;
    let screen = plain(&weighing, 100);
    assert!(
        screen.contains("No dead weight was found; the options below keep the same data in less room.")
            && screen.contains("Every rule was checked against all 5.2 MB held."),
        "{screen}"
    );
    weighing.options[0].saves = weighing.held.bytes / 200;
    assert!(plain(&weighing, 100).contains("Nothing to fix"));
}

/// That the program needs what it holds is said only where the most of its memory was seen.
#[test]
fn unseen() {
    let screen = plain(&support::unseen(), 80);
    assert!(
        !screen.contains("Nothing to fix") && !screen.contains("needs"),
        "{screen}"
    );
    insta::assert_snapshot!(screen);
}

#[test]
fn almost_clean() {
    insta::assert_snapshot!(plain(&support::almost_clean(), 80));
}

/// A program that frees everything before it ends has shown nothing.
#[test]
fn what_gave_all_back_was_captured_too_late() {
    let mut weighing = support::empty();
    (weighing.held.content, weighing.held.bytes) = (0, weighing.held.runtime);
    let screen = plain(&weighing, 100);
    assert!(
        screen.contains("The program no longer held anything of its own"),
        "{screen}"
    );
}

/// A program may have given much to the runtime's library: properties of the system, attributes of a server.
#[test]
fn what_no_rule_checks_is_not_said_to_be_without_waste() {
    let mut weighing = support::empty();
    weighing.held.runtime = 12 << 20;
    weighing.held.bytes = weighing.held.content + weighing.held.runtime;
    let screen = plain(&weighing, 100);
    let is_small = weighing.held.content < 36 << 20;
    assert!(
        is_small && !screen.contains("Nothing to fix") && screen.contains("No rule checks the 12.6 MB"),
        "{screen}"
    );
}

#[test]
fn partial() {
    insta::assert_snapshot!(plain(&support::partial(), 100));
}

/// Of memory that nobody saw it is not known whether there is nothing to fix in it.
#[test]
fn what_could_not_be_read_is_not_said_to_be_without_waste() {
    let mut weighing = support::empty();
    weighing.partial = Some("206.4 of 206.5 MB of the process's own memory are not malloc's".to_owned());
    let screen = plain(&weighing, 100);
    assert!(
        !screen.contains("Nothing to fix") && !screen.contains("needs"),
        "{screen}"
    );
    assert!(
        screen.contains("No dead weight was found in what the dump shows.")
            && screen.contains("could be read"),
        "{screen}"
    );
}

#[test]
fn hostile() {
    insta::assert_snapshot!(plain(&support::hostile(), 80));
}

#[test]
fn more_than_a_screen() {
    insta::assert_snapshot!(plain(&support::long(), 100));
}

#[test]
fn churn_alone() {
    insta::assert_snapshot!(plain(&support::churn(), 100));
}

#[test]
fn held_by() {
    let screen = plain(&support::retained(), 80);
    let (_, section) = screen.split_once("\nheld by").expect("it was asked for");
    let (section, _) = section.split_once("\n\n").expect("others follow");
    insta::assert_snapshot!(format!("held by{section}"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let weighings = [
        support::rich(),
        support::retained(),
        support::empty(),
        support::partial(),
        support::hostile(),
        support::long(),
        support::churn(),
        support::past(),
        support::again(),
    ];
    for weighing in &weighings {
        for width in 72..=130 {
            for line in plain(weighing, width).lines() {
                assert!(
                    line.width() <= width.min(120),
                    "{} columns of {width}: {line}",
                    line.width()
                );
            }
        }
    }
}

#[test]
fn colour_changes_no_text() {
    for weighing in [
        support::rich(),
        support::hostile(),
        support::churn(),
        support::again(),
    ] {
        let coloured = screen(
            &weighing,
            Terminal::new(Look {
                width: 90,
                colour: true,
            }),
        );
        let mut bare = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            bare.push_str(before);
            rest = after
                .split_once('m')
                .expect("only colours and weights are sent")
                .1;
        }
        bare.push_str(rest);
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(trimmed(&bare), trimmed(&plain(&weighing, 90)));
    }
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    for line in plain(&support::hostile(), 80).lines() {
        assert!(
            !line
                .chars()
                .any(|c| c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'))
        );
    }
}

#[test]
fn all_findings_on_request() {
    let terminal = Terminal {
        limit: None,
        ..Terminal::new(Look {
            width: 100,
            colour: false,
        })
    };
    let all = screen(&support::long(), terminal);
    assert_eq!(all.matches("fix: intern them").count(), 23);
}

/// That most was held earlier is said first, and the curve shows when.
#[test]
fn past_the_highest() {
    let screen = plain(&support::past(), 100);
    assert!(screen.starts_with("PAST THE HIGHEST"), "{screen}");
    insta::assert_snapshot!(screen);
    let mut at_the_highest = support::past();
    if let Some(curve) = &mut at_the_highest.curve {
        curve.captured = curve.highest;
        curve.how = None;
    }
    let screen = plain(&at_the_highest, 100);
    assert!(screen.starts_with("deadweight"), "{screen}");
    assert!(screen.contains("captured with 412.0 MB after 3.0 s"), "{screen}");
}

/// What a fix assumes may decide against it, and its end is as good as its start.
#[test]
fn sentences_of_a_finding_are_whole_on_a_narrow_screen() {
    let mut weighing = support::rich();
    let fix = "store the difference to a base (the smallest value is 1700000000000): a small integer needs no box, and \
               the base stands once in the class";
    let assumes = "numbers stand in typed arrays and repeated texts are codes; no other part of the program needs each \
                   row as an object of its own";
    let line = serde_json::json!({
        "file": "src/a/long/way/to/the/source/of/measurement.cpp", "line": 27, "column": null,
        "is": "allocating_function", "name": "make_measurement_of_a_round", "share": 0.937,
    });
    let finding = &mut weighing.findings[0];
    finding.fix = fix.to_owned();
    finding.assumes = Some(assumes.to_owned());
    finding.line = Some(serde_json::from_value(line).expect("a line"));
    let screen = plain(&weighing, 80);
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        fix,
        assumes,
        "at src/a/long/way/to/the/source/of/measurement.cpp:27: make_measurement_of_a_round allocates 93.7 % of it",
    ] {
        assert!(words.contains(sentence), "{sentence}\n{screen}");
    }
    assert!(screen.lines().all(|line| line.width() <= 80), "{screen}");
}

/// What one capture would show is said once, however many rules lack it.
#[test]
fn how_to_measure_stands_once_for_all_that_need_it() {
    let mut weighing = support::rich();
    let first = weighing.not_measured[0].clone();
    for (rule, why) in [
        ("D02", "the contents of 6 buffers are not in the dump"),
        ("C01", "whether 4 are empty is not"),
    ] {
        let mut other = first.clone();
        (other.rule, other.why) = (rule.to_owned(), why.to_owned());
        weighing.not_measured.push(other);
    }
    let screen = plain(&weighing, 80);
    assert_eq!(screen.matches("to measure: ").count(), 1, "{screen}");
    for rule in ["C02, C03: ", "D02: ", "C01: "] {
        assert!(screen.contains(rule), "{screen}");
    }
}
