//! The highest moment is what a dump shows, unless the end holds nearly as much.

mod host;

use std::os::unix::process::ExitStatusExt;

use deadweight_formats::native::Dump;
use host::{Run, compile};

/// Live bytes that a dump shows.
fn shown(dump: &Dump) -> f64 {
    dump.blocks().iter().map(|block| block.requested as f64).sum()
}

/// What the program printed as its highest.
fn highest(run: &Run) -> f64 {
    run.lines()[0][0].parse().unwrap()
}

fn reason(dump: &Dump) -> &str {
    dump.facts().text("reason").unwrap()
}

#[test]
fn what_was_freed_before_the_end_is_shown_as_it_was() {
    let program = compile("peak.c", &[]);
    for way in ["freed", "block", "phases", "thread"] {
        let run = program.run(&[way], &[]);
        assert_eq!(run.output.status.code(), Some(0), "{way}");
        let (shown, highest) = (shown(run.dump()), highest(&run));
        assert!(
            shown > 0.97 * highest && shown < 1.03 * highest,
            "{way} {shown} {highest}"
        );
        assert_eq!(reason(run.dump()), "highest", "{way}");
        let live = run.dump().facts().number("live_bytes").unwrap() as f64;
        assert!((live - shown).abs() < 0.03 * shown, "{way} {live} {shown}");
        // And what came after it.
        let curve = run.file("curve.json");
        assert!(
            curve.contains("\"schema\":\"deadweight/curve/1\""),
            "{way} {curve}"
        );
        let last = curve.rsplit("\"bytes\":").next().unwrap();
        let last: f64 = last.split('}').next().unwrap().parse().unwrap();
        assert!(last < 0.1 * highest, "{way} {last} {highest}");
    }
}

#[test]
fn of_a_program_that_rises_and_falls_one_dump_is_left() {
    let run = compile("peak.c", &[]).run(&["saw"], &[]);
    let (shown, highest) = (shown(run.dump()), highest(&run));
    assert!(shown > 0.9 * highest, "{shown} {highest}");
}

#[test]
fn an_end_that_holds_nearly_as_much_is_shown() {
    let program = compile("peak.c", &[]);
    let run = program.run(&["kept"], &[]);
    assert_eq!(reason(run.dump()), "exit");
    assert!(shown(run.dump()) < 0.99 * highest(&run));
}

#[test]
fn the_end_is_shown_where_it_is_asked_for() {
    let run = compile("peak.c", &[]).run(&["freed"], &[("DEADWEIGHT_WHEN", "exit")]);
    assert_eq!(reason(run.dump()), "exit");
    assert!(shown(run.dump()) < 0.1 * highest(&run));
}

#[test]
fn a_forked_child_has_a_highest_moment_of_its_own() {
    let run = compile("peak.c", &[]).run(&["child"], &[]);
    let highest = highest(&run);
    let mut shown: Vec<_> = run.dumps.iter().map(|dump| (reason(dump), shown(dump))).collect();
    shown.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [parent, child] = shown[..] else {
        panic!("{shown:?}")
    };
    assert!(parent.0 == "exit" && parent.1 < 0.1 * highest, "{parent:?}");
    assert!(child.0 == "highest" && child.1 > 0.97 * highest, "{child:?}");
}

#[test]
fn a_program_that_is_killed_leaves_what_it_held() {
    let program = compile("peak.c", &[]);
    // After the second there was no time to write before the program was gone.
    for way in ["killed", "freed and killed"] {
        let run = program.run(&[way], &[]);
        assert_eq!(run.output.status.signal(), Some(libc::SIGKILL), "{way}");
        let (shown, highest) = (shown(run.dump()), highest(&run));
        assert!(
            shown > 0.97 * highest && shown < 1.03 * highest,
            "{way} {shown} {highest}"
        );
    }
}

/// Every thread has its own highs and lows, and a clone is made in the midst of them.
#[test]
fn threads_go_on_while_the_highest_moment_is_looked_for() {
    let run = compile("threads.c", &[]).run(&["700"], &[]);
    assert_eq!(run.output.status.code(), Some(0));
    assert_eq!(run.dump().facts().number("lost_blocks"), Some(0));
    let live = run.dump().facts().number("live_bytes").unwrap() as f64;
    // What a thread has not told yet is up to 32 KiB.
    let untold = 24.0 * 32.0 * 1024.0;
    assert!(
        (live - shown(run.dump())).abs() < untold + 0.01 * live,
        "{live} {}",
        shown(run.dump())
    );
}

#[test]
fn a_failed_allocation_is_a_moment_to_show() {
    // By a limit that can be raised, and by one that cannot.
    for way in ["failed", "limited"] {
        let run = compile("peak.c", &[]).run(&[way], &[]);
        assert_eq!(run.output.status.signal(), Some(libc::SIGABRT));
        assert_eq!(reason(run.dump()), "failed allocation", "{way}");
        let (shown, highest) = (shown(run.dump()), highest(&run));
        assert!(
            shown > 0.97 * highest && shown < 1.03 * highest,
            "{way} {shown} {highest}"
        );
    }
}
