//! The lines that made objects.

use deadweight_heap::ObjectId;

use super::python_crafted::Dump;
use super::{read, row_of, try_read, with_variables};

const APP: &str = "/srv/shop/shop.py";
const PACKAGE: &str = "/srv/env/site-packages/tables.py";
const LIBRARY: &str = "/usr/lib/python3.12/json/decoder.py";

/// Three texts: one that the program's own line made, one that a package made for it, one that the library alone made.
pub fn dump() -> Dump {
    let mut dump = Dump::new();
    let texts = ["of the program", "of a package", "of the library"].map(|text| dump.str(text));
    let own = dump.ran(None, APP, "load", 7);
    let decoder = dump.ran(Some(own), LIBRARY, "decode", 340);
    let package = dump.ran(Some(own), PACKAGE, "read", 12);
    let alone = dump.ran(None, LIBRARY, "start", 3);
    dump.made(texts[0], decoder);
    dump.made(texts[1], package);
    dump.made(texts[2], alone);
    let list = dump.list(&texts, 4);
    with_variables(dump, &[("list", list)])
}

#[test]
fn an_object_has_the_nearest_line_that_a_person_can_change() {
    let heap = read(&dump());
    let line = |row: ObjectId| {
        let line = heap.lines.get(heap.allocated_on(row)?)?;
        Some(format!(
            "{}:{} {} {}",
            line.file, line.line, line.name, line.through
        ))
    };
    let of = |text: &str| line(row_of(&heap, text));
    assert_eq!(of("of the program"), Some(format!("{APP}:7 load ")));
    let through = format!("read ({PACKAGE}:12)");
    assert_eq!(of("of a package"), Some(format!("{APP}:7 load {through}")));
    assert_eq!(of("of the library"), None);
}

#[test]
fn stacks_that_are_not_there_are_an_error() {
    let why = |change: &dyn Fn(&mut Dump)| {
        let mut dump = dump();
        change(&mut dump);
        try_read(&dump.file()).expect_err("it is broken")
    };
    let of_row = why(&|dump| dump.made(0, 4));
    assert!(of_row.contains("a stack, below 5"), "{of_row}");
    let of_stack = why(&|dump| dump.stacks[0].1 = 4);
    assert!(of_stack.contains("a frame, below 4"), "{of_stack}");
    let of_caller = why(&|dump| dump.stacks[1].0 = Some(1));
    assert!(of_caller.contains("a stack before it, below 2"), "{of_caller}");
    let of_frame = why(&|dump| dump.frames[0].0 = 10_000);
    assert!(of_frame.contains("a name, below"), "{of_frame}");
}
