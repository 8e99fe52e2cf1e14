use std::fs;

use super::*;

fn edit(line: u64, before: &[&str], after: &[&str]) -> Edit {
    let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
    Edit {
        fingerprint: format!("f{line}"),
        rule: "T03".into(),
        title: String::new(),
        file: "lib/a.rb".into(),
        hunks: vec![Hunk {
            line,
            before: owned(before),
            after: owned(after),
        }],
        conditions: Vec::new(),
        saves: 1,
        claims: None,
    }
}

fn root(text: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("lib")).unwrap();
    fs::write(root.path().join("lib/a.rb"), text).unwrap();
    root
}

fn patched(text: &str, edits: Vec<Edit>) -> (String, Vec<Why>) {
    let root = root(text);
    let patch = Patch::new(root.path(), edits);
    patch.write().unwrap();
    let left = patch.left.iter().map(|left| left.why).collect();
    (fs::read_to_string(root.path().join("lib/a.rb")).unwrap(), left)
}

#[test]
fn lines_are_replaced_put_in_and_taken_out() {
    let edits = vec![
        edit(3, &["c"], &["C", "CC"]),
        edit(1, &[], &["top"]),
        edit(1, &["a"], &["A"]),
        edit(2, &["b"], &[]),
    ];
    assert_eq!(
        patched("a\nb\nc\nd\n", edits),
        ("top\nA\nC\nCC\nd\n".into(), vec![])
    );
}

#[test]
fn breaks_of_lines_stay_as_they_are() {
    let edits = vec![edit(1, &["a"], &["A", "B"]), edit(2, &["b"], &["c"])];
    assert_eq!(patched("a\r\nb", edits).0, "A\r\nB\r\nc");
    let spaces = vec![edit(1, &["a  "], &["b  "])];
    assert_eq!(patched("a  \n", spaces).0, "b  \n");
}

#[test]
fn what_does_not_fit_is_left_out() {
    let edits = vec![
        edit(1, &["a"], &["A"]),
        edit(1, &["a", "b"], &["B"]),
        edit(2, &["B"], &["C"]),
        edit(9, &["z"], &["Z"]),
        edit(0, &[], &["Z"]),
    ];
    let (text, left) = patched("a\nb\n", edits);
    assert_eq!(text, "A\nb\n");
    assert_eq!(left, [Why::Overlaps, Why::Changed, Why::Changed, Why::Changed]);
}

#[test]
fn files_are_those_below_the_root() {
    let root = root("a\n");
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("b.rb"), "a\n").unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), root.path().join("link")).unwrap();
    for (name, why) in [
        ("../b.rb", Why::Outside),
        ("/etc/hostname", Why::Outside),
        ("link/b.rb", Why::Outside),
        ("none.rb", Why::Missing),
        ("lib", Why::Missing),
    ] {
        let mut edit = edit(1, &["a"], &["A"]);
        edit.file = name.into();
        let patch = Patch::new(root.path(), vec![edit]);
        assert!(patch.files.is_empty(), "{name}");
        assert_eq!(patch.left[0].why, why, "{name}");
    }
}

#[test]
fn a_diff_is_what_patch_reads() {
    let root = root("a\nb\nc\n");
    let patch = Patch::new(root.path(), vec![edit(2, &["b"], &["B"])]);
    assert_eq!(
        patch.diff(),
        "--- a/lib/a.rb\n+++ b/lib/a.rb\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    );
}

#[test]
fn a_file_that_changed_meanwhile_is_not_written() {
    let root = root("a\n");
    let patch = Patch::new(root.path(), vec![edit(1, &["a"], &["A"])]);
    fs::write(root.path().join("lib/a.rb"), "a\nnew\n").unwrap();
    assert!(patch.write().is_err());
    assert_eq!(
        fs::read_to_string(root.path().join("lib/a.rb")).unwrap(),
        "a\nnew\n"
    );
}
