//! The recorder never harms its host: processes fork, execute, are killed, and run out of the recorder's memory.

mod host;

use std::os::unix::process::ExitStatusExt;

use host::{Program, compile, find, hex};

fn program() -> Program {
    compile("life.c", &[])
}

#[test]
fn a_forked_child_has_a_dump_of_its_own() {
    let run = program().run(&["fork"], &[]);
    assert_eq!(
        run.output.status.code(),
        Some(0),
        "the program's own wait saw something else"
    );
    // The child that left with _exit has none.
    assert_eq!(run.dumps.len(), 2);
    let lines = run.lines();
    let (first, second) = (hex(lines[0][0]), hex(lines[1][0]));
    let child = run
        .dumps
        .iter()
        .find(|dump| dump.facts().number("forked") == Some(1))
        .unwrap();
    let parent = run
        .dumps
        .iter()
        .find(|dump| dump.facts().number("forked") == Some(0))
        .unwrap();
    let size = |dump, address| find(dump, address).map(|block| dump.blocks()[block].requested);
    assert_eq!(
        (size(child, first), size(child, second)),
        (Some(5555), Some(6666))
    );
    assert_eq!(size(parent, first), Some(5555));
    assert_ne!(size(parent, second), Some(6666));
}

#[test]
fn an_executed_program_is_recorded_anew() {
    let run = program().run(&["exec"], &[]);
    assert_eq!(run.output.status.code(), Some(0));
    let lines = run.lines();
    let block = find(run.dump(), hex(lines[1][0])).unwrap();
    assert_eq!(run.dump().blocks()[block].requested, 5555);
    let arguments: Vec<_> = run
        .dump()
        .facts()
        .iter()
        .filter(|(name, _)| *name == "argument")
        .map(|(_, value)| value)
        .collect();
    assert_eq!(arguments[1], b"return");
}

#[test]
fn killed_programs_end_as_they_would() {
    for (way, signal) in [("kill", libc::SIGKILL), ("abort", libc::SIGABRT)] {
        let run = program().run(&[way], &[]);
        assert_eq!(run.output.status.signal(), Some(signal));
        assert!(run.files.is_empty());
    }
}

#[test]
fn leaving_at_once_is_an_end_too() {
    let run = program().run(&["_exit"], &[]);
    assert_eq!(run.output.status.code(), Some(9));
    run.dump();
}

#[test]
fn a_signal_takes_a_snapshot_and_the_program_goes_on() {
    let run = program().run(&["signal"], &[]);
    assert_eq!(
        run.output.status.code(),
        Some(0),
        "the program's own wait saw something else"
    );
    let mut reasons: Vec<_> = run
        .dumps
        .iter()
        .map(|dump| dump.facts().text("reason").unwrap())
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["SIGUSR2", "SIGUSR2", "exit"]);
    let has = |size| {
        run.dumps
            .iter()
            .filter(|dump| dump.blocks().iter().any(|block| block.requested == size))
            .count()
    };
    assert_eq!((has(5555), has(7777)), (3, 2));
}

#[test]
fn a_handler_of_the_program_stays() {
    let run = program().run(&["handler"], &[]);
    assert_eq!(run.output.status.code(), Some(0));
    assert_eq!(run.dump().facts().text("reason"), Some("exit"));
}

#[test]
fn a_threshold_takes_one_snapshot() {
    let run = program().run(&["grow"], &[("DEADWEIGHT_WHEN", "heap>10MB")]);
    assert_eq!(run.output.status.code(), Some(0));
    let live: u64 = run.dump().blocks().iter().map(|block| block.requested).sum();
    assert!((10_000_000..11_000_000).contains(&live), "{live}");
    assert_eq!(run.dump().facts().text("reason"), Some("threshold"));
}

#[test]
fn without_memory_of_its_own_it_says_what_is_missing() {
    let run = program().run(&["many"], &[("DEADWEIGHT_OWN_MEMORY", "1MB")]);
    assert_eq!(run.output.status.code(), Some(0));
    let facts = run.dump().facts();
    let (kept, lost) = (
        run.dump().blocks().len() as u64,
        facts.number("lost_blocks").unwrap(),
    );
    assert!(lost > 100_000 && kept > 5_000, "{kept} kept, {lost} lost");
    assert!((200_000..201_000).contains(&(kept + lost)));
    assert!(facts.number("recorder_bytes").unwrap() <= 1_000_000);
}

#[test]
fn it_is_off_without_a_directory() {
    let program = program();
    let run = program.run(&[], &[("DEADWEIGHT_DIR", "")]);
    assert_eq!(run.output.status.code(), Some(0));
    assert!(run.files.is_empty());
}

#[test]
fn a_directory_that_cannot_be_written_harms_nobody() {
    let program = program();
    let run = program.run(&[], &[("DEADWEIGHT_DIR", "/proc/nowhere")]);
    assert_eq!(run.output.status.code(), Some(0));
    assert!(run.output.stderr.is_empty());
}

#[test]
fn a_dump_says_what_process_it_is_of() {
    let program = program();
    let run = program.run(&["return"], &[("DEADWEIGHT_RUN", "a run")]);
    let facts = run.dump().facts();
    assert_eq!(facts.text("executable"), program.path().to_str());
    assert_eq!(facts.text("allocator"), Some("glibc"));
    assert_eq!(facts.text("run"), Some("a run"));
    assert_eq!(facts.text("interposed"), Some("1"));
    assert!(facts.number("resident_bytes").unwrap() > 100_000);
    assert!(facts.number("glibc_used_bytes").unwrap() > 5555);
    assert!(facts.number("pause_ns").unwrap() > 0);
    let own = run
        .dump()
        .mappings()
        .find(|mapping| mapping.path == program.path().as_os_str().as_encoded_bytes());
    assert_eq!(own.unwrap().build_id.len(), 20);
}

#[test]
fn a_program_at_a_fixed_address_is_visible() {
    // It takes the address of malloc, so that the linker gives it one of its own.
    let program = compile("address.c", &["-no-pie", "-fno-pie"]);
    let run = program.run(&[], &[]);
    assert_eq!(run.dump().facts().number("interposed"), Some(1));
    let lines = run.lines();
    assert!(find(run.dump(), hex(lines[0][0])).is_some());
}
