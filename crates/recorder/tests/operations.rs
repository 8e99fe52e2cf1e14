//! Programs mark their operations by a call, and bytes an operation follow from the record.

mod host;

use host::compile;

const RECORDED: (&str, &str) = ("DEADWEIGHT_CHURN_BYTES", "1");

/// The collector's library alone is needed, not what comes with it for developers.
const COLLECTOR: &str = "-l:libgc.so.1";

#[test]
fn marked_operations_are_in_the_record() {
    // A weak reference would be bound to nothing in the one without a place of its own.
    for flags in [&[COLLECTOR][..], &[COLLECTOR, "-no-pie", "-fno-pie"]] {
        let program = compile("operations.c", flags);
        let run = program.run(&["1000", "500", "10000"], &[RECORDED]);
        assert_eq!(run.output.status.code(), Some(0), "{:?}", run.output);
        let churn = run.churn();
        // Of four threads at once none is lost.
        assert_eq!(churn.operations, 1000 + 500 + 4 * 10_000);
        let made: u64 = churn.rows.iter().map(|row| row.count).sum();
        assert!((1000..1100).contains(&made), "{made}");
    }
}

#[test]
fn what_the_program_marks_comes_before_what_was_said() {
    let program = compile("operations.c", &[COLLECTOR]);
    let operations = |arguments: &[&str]| {
        let settings = [RECORDED, ("DEADWEIGHT_OPERATIONS", "77")];
        program.run(arguments, &settings).churn().operations
    };
    assert_eq!(operations(&["10"]), 10);
    assert_eq!(operations(&["0"]), 77);
}

#[test]
fn without_the_recorder_a_mark_is_nothing() {
    for flags in [&[COLLECTOR][..], &[COLLECTOR, "-no-pie", "-fno-pie"]] {
        let program = compile("operations.c", flags);
        let alone = std::process::Command::new(program.path())
            .args(["1000", "500", "10000"])
            .output()
            .unwrap();
        assert_eq!((alone.status.code(), &*alone.stdout), (Some(0), &b"done\n"[..]));
    }
}
