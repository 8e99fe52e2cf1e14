//! `deadweight prove` and `deadweight diff` on weighings of a real program.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/weighings")
        .join(format!("{name}.json"))
}

fn run(arguments: &[&str], paths: &[PathBuf]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    let output = command
        .args(arguments)
        .args(paths)
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_fix_of_a_real_program_is_proven() {
    let (code, out, err) = run(
        &["prove", "--format", "json"],
        &[stored("undone"), stored("base")],
    );
    assert_eq!(code, Some(0), "{err}");
    let proof: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(proof["schema"], "deadweight/proof/1");
    let error = proof["error"].as_f64().unwrap();
    // A heap of 6 MB: readings differ by up to 20 kB, which is 3 % of this saving.
    assert!(error < 0.05, "{error}");
    let outcome = |variant: &str| -> Vec<&str> {
        let fixes = proof["fixes"].as_array().unwrap().iter();
        let of_variant = fixes.filter(|fix| fix["title"].as_str().unwrap().contains(variant));
        of_variant.map(|fix| fix["outcome"].as_str().unwrap()).collect()
    };
    assert_eq!(outcome("date objects"), ["mended"; 4]);
    // The boxes of the numbers are another fix of the same fields, which was not made.
    assert_eq!(outcome("boxes"), ["open"; 4]);
}

#[test]
fn every_form_shows_the_error() {
    let both = [stored("undone"), stored("base")];
    let (_, screen, _) = run(&["prove"], &both);
    let error = screen
        .lines()
        .find(|line| line.starts_with("error "))
        .unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap();
    assert!(
        screen.contains("mended") && !screen.contains('\u{1b}'),
        "{screen}"
    );
    let (_, page, _) = run(&["prove", "--format", "markdown"], &both);
    assert!(page.contains(&format!("**{error} %**")), "{page}");
}

#[test]
fn fixes_can_be_named() {
    let both = [stored("undone"), stored("improved")];
    let (code, _, err) = run(&["prove", "--mended", "D99"], &both);
    assert_eq!(code, Some(2), "{err}");
    let (code, out, _) = run(
        &[
            "prove",
            "--format",
            "json",
            "--mended",
            "L03:Measurement.start_at",
        ],
        &both,
    );
    assert_eq!(code, Some(0));
    let proof: Value = serde_json::from_str(&out).unwrap();
    let mended = proof["fixes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|fix| fix["outcome"] == "mended");
    assert!(
        mended
            .map(|fix| &fix["holder"])
            .all(|holder| holder == "Measurement.start_at")
    );
    assert_eq!(run(&["prove", "--records", "7"], &both).0, Some(2));
}

/// A weighing of what a real program makes.
fn made(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/html/testing/weighings");
    folder.join(format!("{name}.json"))
}

#[test]
fn what_is_made_is_proven() {
    let both = [made("client-before"), made("client-fixed")];
    let (code, out, err) = run(&["prove", "--format", "json"], &both);
    assert_eq!(code, Some(0), "{err}");
    let proof: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(proof["basis"], "nothing");
    let error = proof["made"]["error"].as_f64().unwrap();
    assert!(error < 0.03, "{error}");
    let (_, screen, _) = run(&["prove"], &both);
    assert!(
        screen.contains(&format!("error       {:.2} %", error * 100.0)),
        "{screen}"
    );
    // A line can be named, and what was not mended then promises nothing.
    let named = ["prove", "--format", "json", "--mended", "T02:src/before.cr:130"];
    let (code, out, err) = run(&named, &both);
    assert_eq!(code, Some(0), "{err}");
    let proof: Value = serde_json::from_str(&out).unwrap();
    let fixes = proof["made"]["fixes"].as_array().unwrap();
    let mended: Vec<&str> = fixes
        .iter()
        .filter(|fix| fix["outcome"] == "mended")
        .map(|fix| fix["site"].as_str().unwrap())
        .collect();
    assert_eq!(mended, ["src/before.cr:130"]);
}

#[test]
fn numbers_of_operations_can_be_given() {
    let home = tempfile::tempdir().unwrap();
    let uncounted = |name: &str| {
        let mut weighing: Value = serde_json::from_slice(&fs::read(made(name)).unwrap()).unwrap();
        weighing["churned"]["operations"] = 0.into();
        let path = home.path().join(format!("{name}.json"));
        fs::write(&path, weighing.to_string()).unwrap();
        path
    };
    let both = [uncounted("line-count-before"), uncounted("line-count-after")];
    let proof = |arguments: &[&str]| -> Value {
        let (code, out, err) = run(&[&["prove", "--format", "json"], arguments].concat(), &both);
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).unwrap()
    };
    let silent = proof(&[]);
    assert_eq!(silent["made"]["each"], Value::Null);
    assert!(silent["made"]["notes"][0].as_str().unwrap().contains("--per"));
    let counted = proof(&["--per", "50:30"]);
    assert_eq!(counted["made"]["notes"].as_array().unwrap().len(), 0);
    assert_eq!(counted["made"]["before"]["operations"], 50);
    assert!(counted["made"]["error"].as_f64().unwrap() < 0.001, "{counted}");
    for wrong in ["0", "5:0", "many", "1:2:3"] {
        assert_eq!(run(&["prove", "--per", wrong], &both).0, Some(2), "{wrong}");
    }
}

#[test]
fn sizes_of_slots_can_be_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compare/tests/weighings");
    let both = ["dense", "sparse"].map(|name| folder.join(format!("shamap-stripped-{name}.json")));
    let (code, screen, err) = run(&["prove", "--way", "2,4,6,16"], &both);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        screen.contains("mended with other sizes of slots: 2, 4, 6, 16"),
        "{screen}"
    );
    let (code, screen, _) = run(&["prove", "--way", "sideways"], &both);
    assert_eq!(code, Some(0));
    assert!(
        screen.contains("no finding that was mended can be mended the way sideways"),
        "{screen}"
    );
}

#[test]
fn moments_are_compared() {
    let (code, out, err) = run(&["diff"], &[stored("improved"), stored("base"), stored("undone")]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.contains("what grew") && out.contains("Measurement.start_at"),
        "{out}"
    );
    let (code, _, _) = run(&["diff"], &[stored("base")]);
    assert_eq!(code, Some(2), "one moment is none");
}

#[test]
fn a_weighing_in_the_place_of_a_dump_is_named() {
    let (code, _, error) = run(&["weigh"], &[stored("base")]);
    assert_eq!(code, Some(2));
    assert!(error.contains("this is a weighing"), "{error}");
}

#[test]
fn weighings_of_other_versions_and_broken_ones_are_refused() {
    let home = tempfile::tempdir().unwrap();
    for (name, text, message) in [
        (
            "later.json",
            "{\"schema\": \"deadweight/weighing/9\"}",
            "weighing/9",
        ),
        (
            "cut.json",
            "{\"schema\": \"deadweight/weighing/1\", \"sou",
            "ends early",
        ),
    ] {
        let path = home.path().join(name);
        fs::write(&path, text).unwrap();
        let (code, _, err) = run(&["prove"], &[path, stored("base")]);
        assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
        assert!(err.contains(message) && err.contains(name), "{err}");
    }
}
