//! Captures of real programs on a Java virtual machine.

mod jdk;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deadweight_capture::{Capture, Highest, Outcome, Plan, Runtime, Status, Trigger, run};
use deadweight_sidecar::Reason;

/// A hundred thousand texts in a local variable of main, a thousand records in a static; then what the argument says.
const PROGRAM: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Shop {
    static final List<Object> ORDERS = new ArrayList<>();
    static volatile Object garbage;
    static class Order { int number; Order(int number) { this.number = number; } }

    public static void main(String[] arguments) throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) texts.add("a text " + i);
        for (int i = 0; i < 1000; i++) ORDERS.add(new Order(i));
        System.out.println("ready " + System.getenv("THEIRS"));
        switch (arguments[0]) {
            case "exit" -> System.exit(3);
            case "halt" -> Runtime.getRuntime().halt(4);
            case "term" -> {
                new ProcessBuilder("kill", "" + ProcessHandle.current().pid()).start();
                Thread.sleep(60_000);
            }
            case "signal" -> {
                new ProcessBuilder("kill", "-USR2", "" + ProcessHandle.current().pid()).start();
                Thread.sleep(1_500);
                texts.clear();
                System.exit(0);
            }
            case "memory" -> {
                List<byte[]> all = new ArrayList<>();
                while (true) all.add(new byte[1 << 20]);
            }
            case "child" -> {
                String java = System.getProperty("java.home") + "/bin/java";
                new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Shop", "exit").inheritIO().start().waitFor();
                System.exit(0);
            }
            case "pause" -> Thread.sleep(700);
            case "busy" -> {
                long end = System.nanoTime() + 700_000_000;
                while (System.nanoTime() < end) garbage = new byte[1000];
                System.exit(0);
            }
            case "throw" -> throw new IllegalStateException("as it would");
        }
        System.out.println(texts.size());
    }
}
"#;

/// The program, compiled once for each test: `javac` takes a second.
fn compiled() -> tempfile::TempDir {
    jdk::compiled(PROGRAM)
}

fn plan(home: &Path, options: &[&str], way: &str) -> Plan {
    let classes = ["-cp".as_ref(), home.as_os_str(), "Shop".as_ref(), way.as_ref()];
    let options = options.iter().map(AsRef::as_ref);
    let program = std::iter::once("java".as_ref()).chain(options).chain(classes);
    let mut plan = Plan::new(program.map(std::ffi::OsStr::to_owned), home.join(way));
    plan.poll = std::time::Duration::from_millis(20);
    plan
}

fn captured(home: &Path, way: &str) -> Outcome {
    run(&plan(home, &[], way)).unwrap()
}

/// How many objects of a class were counted beside the dump.
fn count(capture: &Capture, class: &str) -> u64 {
    let histogram = capture.histogram().unwrap().unwrap();
    let of_class = histogram.classes.iter().filter(|(name, ..)| name == class);
    of_class.map(|(_, count, _)| count).sum()
}

#[test]
fn a_program_is_captured_at_its_end_and_ends_as_it_would() {
    let home = compiled();
    for (way, status, texts) in [
        ("exit", Status::Code(3), true),
        ("throw", Status::Code(1), false),
        // The machine handles SIGTERM, and ends with the code that says so.
        ("term", Status::Code(143), true),
    ] {
        let outcome = captured(home.path(), way);
        assert_eq!(
            (outcome.status, outcome.runtime),
            (status, Some(Runtime::Java)),
            "{way}"
        );
        let [capture] = &outcome.captures[..] else {
            panic!("{way}: {outcome:?}")
        };
        let record = &capture.record;
        assert_eq!(
            (
                record.runtime.name.as_str(),
                record.process.reason,
                record.process.pid
            ),
            ("java", Reason::Exit, outcome.process),
            "{way}"
        );
        let name = capture.directory.file_name().unwrap().to_str().unwrap();
        assert_eq!(name, format!("Shop-{}-1.deadweight", outcome.process));
        assert_eq!(count(capture, "Shop$Order"), 1000, "{way}");
        // What main held in local variables is gone when it has returned or thrown.
        assert_eq!(count(capture, "java.lang.String") > 100_000, texts, "{way}");
        assert_eq!(record.process.main_returned, Some(!texts), "{way}");
        let histogram = capture.histogram().unwrap().unwrap();
        assert_eq!(record.process.heap_used, histogram.bytes(), "{way}");
        // Gaps between objects are no objects.
        let fills_a_gap = |name: &str| name.contains("jdk.internal.vm.Filler");
        let mut classes = histogram.classes.iter();
        assert!(!classes.any(|(name, ..)| fills_a_gap(name)), "{way}");
        assert_eq!(
            record.jvm.as_ref().unwrap().flags["UseCompressedOops"],
            "true",
            "{way}"
        );
        assert!(
            record.process.rss > record.process.heap_used
                && record.runtime.version.starts_with(char::is_numeric)
        );
        let dump = fs::read(capture.snapshot_path().unwrap()).unwrap();
        assert!(dump.starts_with(b"JAVA PROFILE 1.0.2\0"), "{way}");
        // The end of the dump, without a body.
        assert_eq!(
            (dump[dump.len() - 9], &dump[dump.len() - 4..]),
            (0x2C, &[0; 4][..]),
            "{way}"
        );
        for file in fs::read_dir(&capture.directory).unwrap() {
            let file = file.unwrap();
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", file.path().display());
        }
        capture.verify().unwrap();
    }
}

#[test]
fn what_runs_no_hook_leaves_no_capture() {
    let home = compiled();
    let outcome = captured(home.path(), "halt");
    assert_eq!((outcome.status, outcome.captures.len()), (Status::Code(4), 0));
}

#[test]
fn a_signal_captures_the_program_which_goes_on() {
    let home = compiled();
    let outcome = captured(home.path(), "signal");
    assert_eq!(outcome.status, Status::Code(0));
    let [first, last] = &outcome.captures[..] else {
        panic!("{outcome:?}")
    };
    assert_eq!(
        (first.record.process.reason, last.record.process.reason),
        (Reason::Signal, Reason::Exit)
    );
    assert!(count(first, "java.lang.String") > 100_000 && count(last, "java.lang.String") < 100_000);
    // What was held at the first is on the curve of the last.
    let curve = deadweight_sidecar::CURVE
        .read(&last.directory.join("curve.json"))
        .unwrap();
    assert!(curve.highest.bytes > curve.captured.bytes * 2, "{curve:?}");
}

#[test]
fn a_child_is_captured_as_its_parent_is() {
    let home = compiled();
    let outcome = captured(home.path(), "child");
    assert_eq!((outcome.status, outcome.captures.len()), (Status::Code(0), 2));
    let of_child = |capture: &&Capture| capture.record.process.pid != outcome.process;
    let child = outcome.captures.iter().find(of_child).unwrap();
    assert_eq!(count(child, "Shop$Order"), 1000);
}

#[test]
fn running_out_of_memory_leaves_the_dump_of_that_moment() {
    let home = compiled();
    let outcome = run(&plan(home.path(), &["-Xmx40m"], "memory")).unwrap();
    assert_eq!(
        (outcome.status, outcome.captures.len()),
        (Status::Code(1), 0),
        "{:?}",
        outcome.unusable
    );
    let [dump] = &outcome.near_limit[..] else {
        panic!("{outcome:?}")
    };
    assert!(dump.ends_with(format!("Shop-{}-limit-1.hprof", outcome.process)));
    // Somebody who has set that, too, gets the file where it was to go.
    let theirs = home.path().join("theirs.hprof");
    let option = format!("-XX:HeapDumpPath={}", theirs.display());
    let outcome = run(&plan(
        home.path(),
        &["-Xmx40m", "-XX:+HeapDumpOnOutOfMemoryError", &option],
        "memory",
    ))
    .unwrap();
    assert!(theirs.exists() && outcome.near_limit.is_empty() && outcome.captures.len() == 1);
}

#[test]
fn what_main_holds_in_local_variables_is_captured_at_the_highest_moment() {
    let home = compiled();
    let mut plan = plan(home.path(), &[], "pause");
    plan.highest = Some(Highest::Measure);
    let measured = run(&plan).unwrap();
    assert!(measured.captures.is_empty());
    let most = measured.most_held.expect("the recorder notes how much was held");
    assert!((7_000_000..40_000_000).contains(&most), "{most}");
    plan.highest = Some(Highest::At(most / 100 * 95));
    let outcome = run(&plan).unwrap();
    let [capture] = &outcome.captures[..] else {
        panic!("{outcome:?}")
    };
    assert_eq!(capture.record.process.reason, Reason::Peak);
    assert!(count(capture, "java.lang.String") > 100_000);
}

/// It allocates a gigabyte a second, also between a collection and the look at what it has left.
#[test]
fn what_a_busy_program_throws_away_is_not_held_at_its_highest_moment() {
    let home = compiled();
    let held = captured(home.path(), "exit").captures[0].record.process.heap_used;
    let mut plan = plan(home.path(), &[], "busy");
    plan.highest = Some(Highest::Measure);
    let most = run(&plan).unwrap().most_held.unwrap();
    // Regions of the heap that are not full count as well, 3 MB here.
    assert!((held / 10 * 9..held * 2).contains(&most), "{most} of {held}");
}

/// A machine takes room for garbage as it has leave to, and nothing of the program was ever in most of it.
#[test]
fn the_room_that_a_busy_program_has_for_garbage_is_the_machines_own() {
    let home = compiled();
    let outcome = captured(home.path(), "busy");
    let process = &outcome.captures[0].record.process;
    let base = process.rss_base.unwrap();
    let hidden = process.rss.saturating_sub(base + process.heap_used);
    assert!(hidden < process.rss / 6, "{hidden} of {process:?}");
    assert!(process.rss_peak.unwrap() >= process.rss, "{process:?}");
}

/// `java Shop.java` compiles in the same process, which is no reason to take it for a tool.
#[test]
fn a_program_that_is_started_from_its_source_is_captured() {
    let home = compiled();
    let source = home.path().join("Shop.java");
    let program = [
        "java".as_ref(),
        "-XX:TieredStopAtLevel=1".as_ref(),
        source.as_os_str(),
        "exit".as_ref(),
    ];
    let plan = Plan::new(program.map(std::ffi::OsStr::to_owned), home.path().join("source"));
    let outcome = run(&plan).unwrap();
    let [capture] = &outcome.captures[..] else {
        panic!("{outcome:?}")
    };
    let name = capture.directory.file_name().unwrap().to_str().unwrap();
    assert_eq!(name, format!("Shop-{}-1.deadweight", outcome.process));
    assert_eq!(count(capture, "Shop$Order"), 1000);
}

#[test]
fn a_threshold_captures_once_when_it_is_passed() {
    let home = compiled();
    let mut plan = plan(home.path(), &[], "pause");
    plan.when = vec!["heap>6MB".parse::<Trigger>().unwrap()];
    let outcome = run(&plan).unwrap();
    let [capture] = &outcome.captures[..] else {
        panic!("{outcome:?}")
    };
    assert_eq!(capture.record.process.reason, Reason::Threshold);
    assert!(
        outcome
            .highest
            .iter()
            .any(|(measure, most)| measure.name() == "heap" && *most > 6_000_000)
    );
}

/// What was set before, and what was asked for, stay in force; the machine says that it read the variable.
#[test]
fn the_options_of_the_user_stay_and_a_wrapper_does_not_matter() {
    let home = compiled();
    let inner = "JAVA_TOOL_OPTIONS=\"$JAVA_TOOL_OPTIONS -DTHEIRS=1\" java -cp . Shop exit 2> said; echo $? > code; jcmd -l > /dev/null; java -version 2> /dev/null";
    let mut plan = Plan::new(["sh", "-c", inner], home.path().join("wrapped"));
    plan.program.insert(0, "env".into());
    plan.program.insert(1, "-C".into());
    plan.program.insert(2, home.path().into());
    plan.program.insert(3, "THEIRS=kept".into());
    let outcome = run(&plan).unwrap();
    assert_eq!(fs::read_to_string(home.path().join("code")).unwrap(), "3\n");
    let said = fs::read_to_string(home.path().join("said")).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("Picked up JAVA_TOOL_OPTIONS: -javaagent:") && said.ends_with(" -DTHEIRS=1\n"),
        "{said}"
    );
    // Tools of the JDK are no programs that anybody wants weighed, and a question of its version runs none.
    assert_eq!(outcome.captures.len(), 1, "{outcome:?}");
}
