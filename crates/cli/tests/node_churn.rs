//! What real programs of Node.js make, against what they make without it. `DEADWEIGHT_NODES` lists the binaries.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "programs are started by the command")]
#[path = "../../formats/tests/live/mod.rs"]
mod live;

use std::fs;
use std::process::Command;

use live::{Node, nodes};
use serde_json::Value;

/// Texts of 5,000 lines, put together of pieces by `+=`, or flat already, in one or two bytes a character.
const LINES: &str = r"'use strict';
const KIND = process.argv[2];
const line = (at) => `line ${at} is here with some ${KIND === 'wide' ? 'ζῷα' : 'words'}\n`;
const piece = Array.from({ length: 250 }, (_, at) => line(at)).join('');
function count(text) {
  COUNT
}
let sum = 0;
for (let at = 0; at < 400; at++) {
  let text = String(at);
  for (let more = 0; more < 20; more++) text += piece;
  sum += count(KIND === 'flat' ? Buffer.from(text).toString() : text);
}
console.log(sum);
globalThis.held = count; // a script that is garbage when it has ended has no lines any more
";

const SPLIT: &str = r"return text.split('\n').length;";

const LOOP: &str = r"let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;";

/// What a program makes.
fn recorded(node: &Node, source: &str, kind: &str) -> (String, Value) {
    let home = tempfile::tempdir().unwrap();
    let (program, captures) = (home.path().join("lines.cjs"), home.path().join("captures"));
    fs::write(&program, source).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .current_dir(home.path())
        .env_remove("NODE_OPTIONS")
        .args(["run", "--churn=16384", "--no-snapshot", "--dir"])
        .arg(&captures)
        .arg("--")
        .arg(&node.path)
        .args(["lines.cjs", kind])
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{message}");
    let mut found = fs::read_dir(&captures).unwrap();
    let weighing = found.find_map(|entry| fs::read(entry.unwrap().path().join("weighing.json")).ok());
    let weighing: Value = serde_json::from_slice(&weighing.unwrap_or_else(|| panic!("{message}"))).unwrap();
    (String::from_utf8(ran.stdout).unwrap(), weighing)
}

/// A text that was put together has to be made flat, whoever looks at it: that is not saved.
#[test]
fn what_split_makes_to_read_its_text_is_not_promised() {
    for node in nodes().iter().filter(|node| node.major >= 20) {
        for kind in ["joined", "flat", "wide"] {
            let (said, before) = recorded(node, &LINES.replace("COUNT", SPLIT), kind);
            let (says, after) = recorded(node, &LINES.replace("COUNT", LOOP), kind);
            assert_eq!(said, says);
            let findings = before["churned"]["findings"].as_array().unwrap();
            let finding = findings.iter().find(|finding| finding["rule"] == "T03");
            let finding = finding.unwrap_or_else(|| panic!("{kind} on {node:?}: {before:#}"));
            assert_eq!(finding["site"], "lines.cjs:6", "{finding:#}");
            let bytes = |weighing: &Value| weighing["churned"]["bytes"].as_f64().unwrap();
            let (promised, came) = (finding["saves"].as_f64().unwrap(), bytes(&before) - bytes(&after));
            let error = promised / came - 1.0;
            eprintln!(
                "Node {}, {kind}: {promised} promised, {came} came, {error:.3}",
                node.major
            );
            // About 5,000 samples of what is promised, and of what came.
            assert!(
                error.abs() < 0.08,
                "{kind} on {node:?}: {promised} promised, {came} came"
            );
            let left = finding["evidence"]["operand_bytes"].as_f64().unwrap_or_default();
            assert_eq!(left > 0.1 * promised, kind != "flat", "{finding:#}");
        }
    }
}

#[test]
fn a_function_without_a_name_is_known_by_its_line_and_column() {
    let source = r"const lines = 'a line of some words\n'.repeat(5000);
// A script that is garbage when it has ended has no lines any more.
const called = (work) => (globalThis.held = work)();
called(() => {
  let sum = 0;
  for (let at = 0; at < 400; at++) sum += `${lines}${at}`.split('\n').length;
  console.log(sum);
});
";
    let node = nodes().into_iter().find(|node| node.major >= 20).unwrap();
    let (_, weighing) = recorded(&node, source, "");
    let findings = weighing["churned"]["findings"].as_array().unwrap();
    let nameless = findings
        .iter()
        .filter(|finding| finding["line"]["name"].is_null());
    let holders: Vec<&str> = nameless
        .map(|finding| finding["holder"].as_str().unwrap())
        .collect();
    assert!(
        !holders.is_empty() && holders.iter().all(|holder| holder.starts_with("function:")),
        "{findings:#?}"
    );
    for finding in findings {
        assert!(
            !finding["holder"].as_str().unwrap().contains("anonymous"),
            "{finding:#}"
        );
        assert!(!finding["line"].to_string().contains("anonymous"), "{finding:#}");
    }
}
