//! A stripped snapshot weighs what it weighed, and says nothing of its program. `fixtures/make.cjs` and
//! `fixtures/chrome.cjs` made the snapshots.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "live/mod.rs"]
#[allow(dead_code, reason = "shared with tests that ask for more")]
mod live;
mod stripping;

use deadweight_formats::{Source, strip};
use stripping::{same_figures, stripped};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".heapsnapshot.gz"))
        .collect();
    found.sort();
    assert!(found.len() > 8, "{found:?}");
    found
}

/// The strings of a snapshot, escapes as they are.
fn strings(snapshot: &[u8]) -> Vec<String> {
    let parsed: serde_json::Value = serde_json::from_slice(snapshot).unwrap();
    let strings = parsed["strings"].as_array().unwrap();
    strings
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_figure_stays() {
    for path in fixtures() {
        same_figures(&path);
    }
}

/// Something for each rule that looks at texts, and for those that look at names.
const WASTEFUL: &str = r"
    const random = (n) => Array.from({ length: n }, () => 'abcdef0123456789'[Math.floor(Math.random() * 16)]).join('');
    class Visit { constructor(i) {
        this.page = Buffer.from('the page number ' + (i % 7)).toString();
        this.id = random(32);
        this.uuid = [8, 4, 4, 4, 12].map(random).join('-');
        this.at = new Date(1.7e12 + i * 1e6).toISOString();
        this.count = String(1e6 + i);
        this.tags = new Map([['a key', i]]);
        this.none = [];
        this.kind = 'always the same';
    } }
    const { EventEmitter } = require('node:events');
    function heard() {}
    class Listening extends EventEmitter { constructor(i) { super(); this.serial = i; this.on('finished', heard); } }
    globalThis.listening = Array.from({ length: 3000 }, (_, i) => new Listening(i));
    globalThis.addresses = Array.from({ length: 300 }, (_, i) => new URL(`http://host-${i}.example/`));
    globalThis.measured = Array.from({ length: 3000 }, (_, i) => ({ serial: i, get doubled() { return 2 * this.serial; } }));
    globalThis.visits = Array.from({ length: 3000 }, (_, i) => new Visit(i));
    globalThis.bags = Array.from({ length: 2000 }, (_, i) => { const bag = { one: i, two: 'b' + i, three: 3, four: 4 }; delete bag.two; return bag; });
    globalThis.slices = Array.from({ length: 50 }, (_, i) => ('naïve ' + 'x'.repeat(20000) + i).slice(5, 40));
    require('node:v8').writeHeapSnapshot(process.argv[1], { exposeNumericValues: true });
";

#[test]
fn every_figure_of_a_wasteful_program_stays() {
    for node in live::nodes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wasteful.heapsnapshot");
        let done = node.command().args(["-e", WASTEFUL]).arg(&path).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let before = same_figures(&path);
        let rules: BTreeSet<String> = before
            .findings
            .iter()
            .map(|finding| finding.rule.clone())
            .collect();
        for rule in ["D01", "L02", "L03", "L05"] {
            assert!(rules.contains(rule), "{rule} of {rules:?}");
        }
    }
}

#[test]
fn sizes_and_equality_of_texts_stay() {
    for path in fixtures() {
        let original = Source::open(&path).unwrap();
        let stripped = stripped(&path);
        assert_eq!(original.bytes.len(), stripped.len(), "{}", path.display());
        let (before, after) = (strings(&original.bytes), strings(&stripped));
        assert_eq!(before.len(), after.len(), "{}", path.display());
        let units = |text: &str| text.encode_utf16().count();
        let wide = |text: &str| text.chars().any(|character| character > '\u{FF}');
        for (was, is) in before.iter().zip(&after) {
            assert_eq!((units(was), wide(was)), (units(is), wide(is)), "{was:?} {is:?}");
        }
        let distinct = |texts: &[String]| texts.iter().collect::<HashSet<_>>().len();
        assert_eq!(distinct(&before), distinct(&after), "{}", path.display());
    }
}

/// Whether a text that is left is V8's own, of the language, or a number.
fn is_public(text: &str) -> bool {
    text.parse::<f64>().is_ok()
        || text.starts_with("system / ")
        || [
            "node:",
            "internal/",
            "native ",
            "electron/",
            "ext:",
            "extensions::",
        ]
        .iter()
        .any(|scheme| text.starts_with(scheme))
        || text.starts_with("<symbol Symbol.")
        || text.starts_with("<symbol node:")
        || !text.chars().any(char::is_alphanumeric)
}

#[test]
fn nothing_of_the_program_is_left() {
    const LONGEST: usize = 12;
    let mut left = BTreeSet::new();
    for path in fixtures() {
        let original = strings(&Source::open(&path).unwrap().bytes);
        let stripped = strings(&stripped(&path));
        let kept: HashSet<&str> = stripped.iter().map(String::as_str).collect();
        let (kept, gone): (Vec<&String>, Vec<&String>) = original
            .iter()
            .filter(|text| text.chars().count() >= 4)
            .partition(|text| kept.contains(text.as_str()));
        left.extend(
            kept.iter()
                .filter(|text| !is_public(text))
                .map(|text| (*text).clone()),
        );
        assert!(gone.len() > 100, "{}", path.display());
        // Nor as a part of another text, of those that were replaced.
        let whole = stripped
            .iter()
            .filter(|text| !kept.contains(text))
            .filter(|text| !text.starts_with("system / ") && !text.contains(" pair in WeakMap ("))
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
        let prefix = |text: &str| text.as_bytes()[..text.len().min(LONGEST)].to_vec();
        let wanted: HashSet<Vec<u8>> = gone.iter().map(|text| prefix(text)).collect();
        for len in 4..=LONGEST {
            for window in whole.as_bytes().windows(len) {
                if wanted.contains(window) {
                    let text = String::from_utf8_lossy(window);
                    let full = gone
                        .iter()
                        .any(|gone| prefix(gone) == window && whole.contains(gone.as_str()));
                    let inside = whole.lines().find(|line| line.contains(&*text));
                    assert!(!full, "{}: {text} in {inside:?}", path.display());
                }
            }
        }
    }
    insta::assert_snapshot!(left.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_has_other_texts_is_refused_and_never_half_stripped() {
    let folder = tempfile::tempdir().unwrap();
    for (text, found) in [
        (
            &b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x3E\0"[..],
            "a core file",
        ),
        (b"other", "another format"),
    ] {
        let path = folder.path().join("dump");
        fs::write(&path, text).unwrap();
        let mut out = Vec::new();
        let error = strip(&path, &mut out).unwrap_err();
        assert!(out.is_empty());
        assert!(error.to_string().contains(found), "{error}");
    }
}
