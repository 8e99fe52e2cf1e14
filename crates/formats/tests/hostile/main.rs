//! Broken and hostile files: each gives one clear error or a heap, never a panic, a hang or unbounded memory.

mod any;
#[path = "../crafted/mod.rs"]
mod crafted;
mod cuts;
mod fixtures;
mod graphs;
mod plain;
mod properties;
mod rows;
mod sections;
mod strings;

use crafted::{Style, program, read};
use deadweight_heap::Heap;
use deadweight_rules::{Options, weigh};
use deadweight_weighing::Source;

/// Reads and weighs: what comes through the reader must not break a rule either.
fn weighed(bytes: &[u8]) -> Result<Heap, String> {
    let heap = read(bytes).map_err(|error| error.to_string())?.heap;
    let weighing = weigh(&heap, source(), &Options::all());
    let held = weighing.held;
    assert_eq!(held.content + held.runtime + held.dead, held.bytes);
    Ok(heap)
}

fn source() -> Source {
    Source {
        path: String::new(),
        bytes: 0,
        format: String::new(),
    }
}

fn error_of(bytes: &[u8]) -> String {
    match weighed(bytes) {
        Ok(heap) => panic!("read as a heap of {} objects", heap.rows().len()),
        Err(error) => error,
    }
}

/// Asserts that the error names the file, the byte and what was expected there.
fn fails(text: impl AsRef<[u8]>, at: Option<usize>, expected: &str) {
    let error = error_of(text.as_ref());
    assert!(error.contains(".heapsnapshot: at byte "), "{error}");
    assert!(
        error.contains("expected ") && error.contains(", found "),
        "{error}"
    );
    assert!(
        error.contains(expected),
        "{error:?} does not speak of {expected:?}"
    );
    if let Some(at) = at {
        assert!(
            error.contains(&format!("at byte {at}:")),
            "{error:?} is not at {at}"
        );
    }
}

fn small() -> String {
    program(8).write(&Style::default())
}

/// A small snapshot with one text replaced by another.
fn with(from: &str, to: &str) -> String {
    let text = small();
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}
