//! A stripped dump of Ruby weighs what it weighed, and says nothing of its program. `fixtures/ruby.rb` made the dumps.

mod stripping;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use deadweight_formats::Source;
use stripping::{same_figures, stripped};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    ["3.1", "3.3", "3.4"]
        .iter()
        .map(|version| folder.join(format!("ruby-{version}.ndjson.gz")))
        .collect()
}

/// The texts of strings and symbols.
fn values(dump: &[u8]) -> Vec<&[u8]> {
    let lines = dump.split(|&byte| byte == b'\n');
    let value = |line| {
        let at = memchr::memmem::find(line, b"\"value\":\"")? + 9;
        let end = memchr::memmem::find(&line[at..], b"\", \"").map_or(line.len(), |end| at + end);
        Some(&line[at..end])
    };
    lines.filter_map(value).collect()
}

/// The texts of a dump, but for names of fields, addresses and words of the format. Written without the reader.
fn texts(dump: &[u8]) -> Vec<String> {
    const OF_RUBY: [&str; 6] = [
        "type",
        "root",
        "imemo_type",
        "encoding",
        "coderange",
        "shape_type",
    ];
    let mut found = Vec::new();
    for line in dump.split(|&byte| byte == b'\n') {
        let mut quoted = Vec::new();
        let mut at = 0;
        while let Some(open) = line[at..].iter().position(|&byte| byte == b'"') {
            let start = at + open + 1;
            let mut end = start;
            while line.get(end).is_some_and(|&byte| byte != b'"') {
                end += if line[end] == b'\\' { 2 } else { 1 };
            }
            let end = end.min(line.len());
            quoted.push(String::from_utf8_lossy(&line[start..end]).into_owned());
            at = (end + 1).min(line.len());
            if line.get(at) != Some(&b':') && line.get(at) != Some(&b' ') {
                let key = quoted.len().checked_sub(2).map(|key| quoted[key].as_str());
                if !key.is_some_and(|key| OF_RUBY.contains(&key)) {
                    found.push(quoted[quoted.len() - 1].clone());
                }
            }
        }
    }
    found.retain(|text| text.chars().count() >= 4 && text.chars().any(char::is_alphabetic));
    found.retain(|text| !text.starts_with("0x"));
    found
}

#[test]
fn every_figure_stays() {
    for path in fixtures() {
        let before = same_figures(&path);
        assert!(before.held.objects > 1000);
    }
}

#[test]
fn a_dump_that_is_cut_off_stays_one() {
    let whole = Source::open(&fixtures()[2]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for at in [100_000, 900_003] {
        let path = folder.path().join("cut.ndjson");
        fs::write(&path, &whole.bytes[..at]).unwrap();
        assert!(same_figures(&path).partial.is_some(), "{at}");
    }
}

#[test]
fn sizes_and_equality_of_texts_stay() {
    for path in fixtures() {
        let original = Source::open(&path).unwrap();
        let stripped = stripped(&path);
        assert_eq!(original.bytes.len(), stripped.len(), "{}", path.display());
        let distinct = |dump: &[u8]| values(dump).into_iter().collect::<HashSet<_>>().len();
        assert_eq!(
            distinct(&original.bytes),
            distinct(&stripped),
            "{}",
            path.display()
        );
    }
}

#[test]
fn nothing_of_the_program_is_left() {
    let mut left = BTreeSet::new();
    for path in fixtures() {
        let original: HashSet<String> = texts(&Source::open(&path).unwrap().bytes).into_iter().collect();
        assert!(original.len() > 1000 && original.contains("Holder"));
        let after = texts(&stripped(&path));
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let words = |text: &'_ str| -> Vec<String> {
            let words = text.split(|character| !is_part(character));
            words.filter(|word| word.len() >= 4).map(str::to_owned).collect()
        };
        // Words that are in both: those of the language, which the snapshot lists.
        let before: HashSet<String> = original.iter().flat_map(|text| words(text)).collect();
        let mut kept: BTreeSet<String> = after.iter().flat_map(|text| words(text)).collect();
        kept.retain(|word| before.contains(word) && word.parse::<f64>().is_err());
        left.extend(kept.iter().cloned());
        // Nor as a part of another text.
        let without = |text: &String| {
            let words = text.split_inclusive(|character| !is_part(character));
            let rest = words.filter(|word| !kept.contains(word.trim_end_matches(|c| !is_part(c))));
            rest.collect::<String>()
        };
        let rest = after.iter().map(without).collect::<Vec<_>>().join("\n");
        for text in original.iter().filter(|text| !kept.contains(*text)) {
            let found = rest.lines().find(|line| line.contains(text.as_str()));
            assert_eq!(found, None, "{}: {text}", path.display());
        }
    }
    insta::assert_snapshot!(left.into_iter().collect::<Vec<_>>().join("\n"));
}
