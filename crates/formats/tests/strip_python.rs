//! A stripped dump of Python weighs what it weighed, and says nothing of its program.

mod python_crafted;
mod stripping;

use std::collections::BTreeSet;
use std::fs;

use python_crafted::{Dump, Program, block, frame, program};
use stripping::{same_figures, stripped};

/// Words of at least four letters that stand in a file.
fn words(bytes: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    words
        .filter(|word| word.chars().count() >= 4)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_figure_stays_and_no_word_of_the_program_does() {
    let Program { dump, .. } = program();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.dwpython");
    fs::write(&path, dump.file()).unwrap();
    let before = same_figures(&path);
    assert!(before.findings.len() > 5);
    let copy = stripped(&path);
    let words = words(&copy);
    for of_program in [
        "letters",
        "Rotterdam",
        "Order",
        "Point",
        "status",
        "cities",
        "shop",
        "Shop",
        "limits",
        "load",
        "answer",
        "amount",
        "city",
        "quoted",
        "text",
        "библиотека",
        "привет",
        "memory",
        "srv",
        "opt",
        "deadweight",
    ] {
        assert!(!words.contains(of_program), "{of_program}");
    }
    // What the interpreter and libraries call their own stays, and so does what they are known by.
    for of_others in [
        "DWPYHEAP", "__main__", "__dict__", "json", "Scanner", "memo", "deque", "ndarray", "pymalloc", "free",
    ] {
        assert!(words.iter().any(|word| word.contains(of_others)), "{of_others}");
    }
    // Stripping what is stripped changes no length either.
    let again = folder.path().join("again.dwpython");
    fs::write(&again, &copy).unwrap();
    assert_eq!(stripped(&again).len(), copy.len());
}

#[test]
fn the_lines_that_made_objects_stay_without_their_names() {
    let mut dump = program().dump;
    let own = dump.ran(None, "/srv/warehouse/import.py", "collect", 7);
    let package = dump.ran(Some(own), "/opt/env/site-packages/tables.py", "consume", 12);
    for row in 0..dump.rows.len() as u32 {
        dump.made(row, package);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.dwpython");
    fs::write(&path, dump.file()).unwrap();
    let weighing = same_figures(&path);
    assert!(weighing.findings.iter().any(|finding| finding.line.is_some()));
    let words = words(&stripped(&path));
    for of_program in ["warehouse", "import", "collect", "consume"] {
        assert!(!words.contains(of_program), "{of_program}");
    }
}

#[test]
fn a_dump_that_was_cut_off_is_not_stripped() {
    let Program { dump, .. } = program();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.dwpython");
    let whole = dump.file();
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    let mut out = Vec::new();
    assert!(deadweight_formats::strip(&path, &mut out).is_err());
    assert!(out.is_empty());
}

#[test]
fn columns_stay_without_their_names() {
    let mut dump = Dump::new();
    let elements: Vec<u32> = (0..4000)
        .map(|at| dump.str(["a city", "a village"][at % 2]))
        .collect();
    let values = dump.references(&[(1, 8 * 4000), (4000, 8)], &elements, None);
    let places = dump.places(&[0], None);
    let block = block(&mut dump, places, values);
    let sales = frame(&mut dump, &["municipality"], &[block]);
    let pandas = dump.module("pandas", Some("/srv/env/site-packages/pandas/__init__.py"), &[]);
    let main = dump.module("__main__", Some("/srv/shop/shop.py"), &[("sales", sales)]);
    let modules = dump.dict_of(&[("__main__", main), ("pandas", pandas)]);
    dump.held_by_interpreter(modules);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.dwpython");
    fs::write(&path, dump.file()).unwrap();
    let weighing = same_figures(&path);
    let column =
        |of: &deadweight_weighing::Finding| of.rule == "L08" && of.holder.contains("[\"municipality\"]");
    assert!(weighing.findings.iter().any(column), "{:?}", weighing.findings);
    assert!(!words(&stripped(&path)).contains("municipality"));
}
