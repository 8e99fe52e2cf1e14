//! The command as its user meets it: arguments, exit codes, what goes where.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn deadweight() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deadweight"));
    command.env_remove("COLUMNS").env_remove("NO_COLOR");
    command
}

/// The smallest snapshot there is: a root that holds nothing.
const TINY: &str = r#"{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],
"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic"],"string","number","number","number"],
"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"]},
"node_count":1,"edge_count":0},"nodes":[9,0,1,0,0],"edges":[],"strings":[""]}"#;

fn file(directory: &Path, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, contents).expect("the test's own directory takes files");
    path
}

fn stderr(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("the binary starts");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn a_limit_on_memory_changes_no_figure() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/fixtures");
    let dump = fixtures.join("node-22-numbers.heapsnapshot.gz");
    let weigh = |more: &[&str]| {
        let output = deadweight()
            .args(["weigh", "--format", "json"])
            .args(more)
            .arg(&dump)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    };
    assert_eq!(weigh(&["--memory-limit", "64MiB"]), weigh(&[]));
    for (limit, message) in [("10MB", "too low"), ("many", "is not a size")] {
        let output = deadweight()
            .args(["weigh", "--memory-limit", limit])
            .arg(&dump)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message));
    }
}

#[test]
fn a_dump_is_weighed_onto_standard_output() {
    let home = tempfile::tempdir().unwrap();
    let dump = file(home.path(), "with a space.heapsnapshot", TINY);
    let output = deadweight()
        .arg("weigh")
        .arg(&dump)
        .args(["--format", "json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let weighing: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(weighing["schema"], "deadweight/weighing/2");
    assert_eq!(weighing["held"]["bytes"], 0);
    assert_eq!(weighing["source"]["bytes"], TINY.len());
}

#[test]
fn what_cannot_be_read_is_one_error_with_its_place_and_exit_code_2() {
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("empty", String::new(), "at byte 0"),
        ("text", "hello".to_owned(), "at byte 0"),
        ("cut", TINY[..TINY.len() - 30].to_owned(), "at byte"),
        (
            "lies",
            TINY.replace("\"node_count\":1", "\"node_count\":99999999999"),
            "node_count",
        ),
        ("far", TINY.replace("[9,0,1,0,0]", "[9,7,1,0,0]"), "below 1"),
    ];
    for (name, contents, expected) in cases {
        let dump = file(home.path(), name, contents);
        let (code, message) = stderr(deadweight().arg("weigh").arg(&dump));
        assert_eq!(code, Some(2), "{name}: {message}");
        assert!(
            message.contains(expected) && message.contains(name),
            "{name}: {message}"
        );
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
        assert!(!message.contains("panicked"), "{name}: {message}");
    }
    let (code, message) = stderr(deadweight().args(["weigh", "/nowhere/at.all"]));
    assert_eq!(code, Some(2));
    assert!(message.contains("/nowhere/at.all"), "{message}");
}

#[test]
fn a_report_in_a_file_is_its_owners_alone() {
    let home = tempfile::tempdir().unwrap();
    let dump = file(home.path(), "dump", TINY);
    let report = home.path().join("report.json");
    let mut command = deadweight();
    command
        .arg("weigh")
        .arg(&dump)
        .args(["--format", "json", "--output"])
        .arg(&report);
    assert!(command.output().unwrap().stdout.is_empty());
    assert_eq!(fs::metadata(&report).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn colour_is_asked_for_or_left_out() {
    let home = tempfile::tempdir().unwrap();
    let dump = file(home.path(), "dump", TINY);
    let screen = |extra: &[&str]| {
        let output = deadweight().arg("weigh").arg(&dump).args(extra).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!screen(&[]).contains('\u{1b}'), "no colour where no terminal is");
    assert!(screen(&["--color", "always"]).contains('\u{1b}'));
}

#[test]
fn rules_explain_themselves() {
    let output = deadweight().arg("rules").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    for code in [
        "A01", "C01", "C02", "C03", "C04", "D01", "D02", "D03", "E01", "L01", "L02", "L03", "L04", "L05",
        "L06", "R01", "R02", "R03",
    ] {
        assert!(list.contains(code), "{code} is not in\n{list}");
        let page = deadweight()
            .args(["explain", &code.to_lowercase()])
            .output()
            .unwrap();
        let page = String::from_utf8(page.stdout).unwrap();
        for section in [
            "What it is",
            "How it is found",
            "How the saving is computed",
            "When not to",
        ] {
            assert!(page.contains(section), "{code} has no section {section}");
        }
    }
    let (code, message) = stderr(deadweight().args(["explain", "Z99"]));
    assert_eq!(code, Some(2));
    assert!(message.contains("Z99") && message.contains("D01"), "{message}");
}

/// A capture in a directory of captures, beside which other files stand.
fn first_capture(directory: &Path) -> PathBuf {
    let mut entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries.find(|path| path.is_dir()).expect("a capture")
}

#[test]
fn wrong_arguments_are_exit_code_2_and_a_missing_program_127() {
    assert_eq!(stderr(deadweight().arg("weigh")).0, Some(2));
    assert_eq!(
        stderr(deadweight().args(["run", "--when", "rss>lots", "--", "true"])).0,
        Some(2)
    );
    assert_eq!(
        stderr(deadweight().args(["run", "--", "/nowhere/program"])).0,
        Some(127)
    );
}

#[test]
fn a_program_without_a_recorder_runs_untouched_and_is_reported() {
    let home = tempfile::tempdir().unwrap();
    let mut command = deadweight();
    command
        .current_dir(home.path())
        .args(["run", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"out\n");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("err\n") && message.contains("nothing was captured"),
        "{message}"
    );
}

#[test]
fn a_node_program_is_captured_and_weighed() {
    let home = tempfile::tempdir().unwrap();
    let program = "const kept = []; for (let i = 0; i < 20000; i++) kept.push({ name: Buffer.from('the same text again').toString('latin1'), i });
        process.on('exit', () => kept.length); console.log('done'); process.exitCode = 3;";
    let program = file(home.path(), "program.js", program);
    let mut command = deadweight();
    command
        .current_dir(home.path())
        .args([
            "run",
            "--retained",
            "--format",
            "json",
            "--output",
            "w.json",
            "--",
            "node",
        ])
        .arg(&program);
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(3), b"done\n".as_slice()),
        "{message}"
    );
    let weighing: Value = serde_json::from_slice(&fs::read(home.path().join("w.json")).unwrap()).unwrap();
    let first = &weighing["findings"][0];
    assert_eq!(
        (&first["rule"], &first["count"]),
        (&Value::from("D01"), &Value::from(19_999)),
        "{weighing:#}"
    );
    let held = &weighing["held"];
    let parts = ["content", "runtime", "dead"]
        .iter()
        .map(|part| held[part].as_u64().unwrap())
        .sum::<u64>();
    assert_eq!(parts, held["bytes"].as_u64().unwrap());
    let heap_used = weighing["process"]["heap_used"].as_f64().unwrap();
    assert!(
        (held["bytes"].as_f64().unwrap() - heap_used).abs() < 0.05 * heap_used,
        "{weighing:#}"
    );
    // The objects would go with the array, and so would what they share among themselves.
    let places = weighing["holdings"]["places"].as_array().unwrap();
    let figures = |holder: &str| {
        let place = places.iter().find(|place| place["holder"] == holder);
        let place = place.unwrap_or_else(|| panic!("{holder} is listed: {weighing:#}"));
        (
            place["bytes"].as_u64().unwrap(),
            place["retained"].as_u64().unwrap(),
        )
    };
    let (array, elements) = (figures("kept"), figures("kept[]"));
    assert!(elements.1 > elements.0, "{elements:?}");
    let both = array.0 + elements.1;
    assert!((both..both + 1000).contains(&array.1), "{array:?} {elements:?}");
}

/// The same program under `run`, with its snapshot on disk or in memory: the weighing, and the files of the capture.
fn kept_in(home: &Path, more: &[&str]) -> (Value, Vec<String>) {
    let program = "const { spawnSync } = require('node:child_process');
        const kept = []; for (let i = 0; i < 2000; i++) kept.push({ name: Buffer.from('the same text again').toString('latin1'), i });
        if (process.argv[2] === undefined) { spawnSync(process.execPath, [__filename, 'child']); for (let i = 0; i < 1000; i++) kept.push({ i }); }
        process.on('exit', () => kept.length);";
    let program = file(home, "program.js", program);
    let run = [
        "run", "--dir", "captures", "--format", "json", "--output", "w.json",
    ];
    let mut command = deadweight();
    command
        .current_dir(home)
        .args(run)
        .args(more)
        .args(["--", "node"])
        .arg(&program);
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let weighing = serde_json::from_slice(&fs::read(home.join("w.json")).unwrap()).unwrap();
    let mut captures: Vec<PathBuf> = fs::read_dir(home.join("captures"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    captures.sort();
    assert_eq!(
        captures.len(),
        2,
        "the program's and its child's, and nothing else: {captures:?}"
    );
    let names = captures.iter().flat_map(|capture| fs::read_dir(capture).unwrap());
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    (weighing, names)
}

#[test]
#[cfg(target_os = "linux")]
fn snapshots_in_memory_weigh_the_same_and_leave_nothing_but_the_weighings() {
    let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (on_disk, left_on_disk) = kept_in(homes[0].path(), &[]);
    let (in_memory, left) = kept_in(homes[1].path(), &["--in-memory"]);
    let finding = |weighing: &Value| weighing["findings"][0].clone();
    for field in ["rule", "holder", "count", "saves", "fingerprint"] {
        assert_eq!(finding(&in_memory)[field], finding(&on_disk)[field]);
    }
    let count = |names: &[String], wanted: &str| names.iter().filter(|name| *name == wanted).count();
    assert_eq!(count(&left_on_disk, "heap.heapsnapshot"), 2);
    assert_eq!(count(&left, "heap.heapsnapshot"), 0, "{left:?}");
    assert_eq!(
        count(&left, "weighing.json"),
        2,
        "the child's is weighed, too: {left:?}"
    );

    // Who asks for the snapshot later reads where it was.
    let capture = first_capture(&homes[1].path().join("captures"));
    let (code, message) = stderr(deadweight().arg("weigh").arg(capture));
    assert_eq!(code, Some(2), "{message}");
    assert!(
        message.contains("in memory alone") && message.contains("weighing.json"),
        "{message}"
    );
}

#[test]
fn a_dump_on_standard_input_is_weighed() {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../formats/tests/fixtures/node-22-numbers.heapsnapshot.gz");
    let weigh = |path: &Path, more: &[&str], input: Vec<u8>| {
        let mut command = deadweight();
        command.args(["weigh", "--format", "json"]).args(more).arg(path);
        let output = command.write_stdin(input).output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let mut weighing: Value = serde_json::from_slice(&output.stdout).unwrap();
        weighing["source"]["path"] = Value::Null;
        weighing
    };
    let whole = weigh(&dump, &[], Vec::new());
    for more in [&[][..], &["--memory-limit", "64MiB"]] {
        assert_eq!(weigh(Path::new("-"), more, fs::read(&dump).unwrap()), whole);
    }
    let (code, message) = stderr(deadweight().args(["weigh", "-"]).write_stdin("{\"snapshot\":"));
    assert_eq!(code, Some(2));
    assert!(message.contains("/dev/stdin: at byte 12: "), "{message}");
}

#[test]
fn a_page_for_the_browser_is_written_for_its_owner_alone() {
    let home = tempfile::tempdir().unwrap();
    let dump = file(home.path(), "tiny.heapsnapshot", TINY);
    let output = deadweight()
        .env("TMPDIR", home.path())
        .args(["view", "--no-open"])
        .arg(&dump)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    assert!(page.starts_with(home.path()), "{}", page.display());
    assert_eq!(fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("tiny.heapsnapshot") && text.contains("</html>"));
}

#[test]
fn without_a_name_the_latest_capture_is_viewed() {
    let home = tempfile::tempdir().unwrap();
    let mut view = deadweight();
    view.current_dir(home.path())
        .args(["view", "--no-open", "--output", "page.html"]);
    let (code, message) = stderr(&mut view);
    assert_eq!(code, Some(2));
    assert!(
        message.contains("no weighed capture in deadweight-captures"),
        "{message}"
    );

    let dump = file(home.path(), "tiny.heapsnapshot", TINY);
    for (name, age) in [("first-1.deadweight", 60), ("second-2.deadweight", 0)] {
        let capture = home.path().join("deadweight-captures").join(name);
        fs::create_dir_all(&capture).unwrap();
        let source = file(
            home.path(),
            &format!("{name}.heapsnapshot"),
            fs::read(&dump).unwrap(),
        );
        let kept = capture.join("weighing.json");
        let weighed = deadweight()
            .args(["weigh", "--format", "json", "--output"])
            .args([&kept, &source])
            .output();
        assert!(weighed.unwrap().status.success());
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
        fs::File::options()
            .write(true)
            .open(&kept)
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    assert_eq!(stderr(&mut view).0, Some(0));
    let text = fs::read_to_string(home.path().join("page.html")).unwrap();
    assert!(text.contains("second-2") && !text.contains("first-1"));
}

#[test]
fn several_weighings_are_one_page() {
    let home = tempfile::tempdir().unwrap();
    let first = file(home.path(), "one.heapsnapshot", TINY);
    let second = file(home.path(), "two.heapsnapshot", TINY);
    let output = deadweight()
        .args(["weigh", "--format", "html"])
        .args([&first, &second])
        .output()
        .unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert_eq!(page.matches("<!doctype html>").count(), 1);
    assert!(page.contains("one.heapsnapshot") && page.contains("two.heapsnapshot"));
}

#[test]
fn a_stripped_capture_weighs_the_same_and_reveals_nothing() {
    let home = tempfile::tempdir().unwrap();
    let program = "const kept = []; for (let i = 0; i < 5000; i++) kept.push({ customer: Buffer.from('Johanna from Riga').toString('latin1'), i });
        process.on('exit', () => kept.length);";
    let program = file(home.path(), "payroll.js", program);
    let ran = deadweight()
        .current_dir(home.path())
        .args(["run", "--dir", "captures", "--", "node"])
        .arg(&program)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let capture = first_capture(&home.path().join("captures"));
    let out = home.path().join("for a stranger");
    let stripped = deadweight()
        .arg("strip")
        .arg(&capture)
        .arg("-o")
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(
        stripped.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&stripped.stderr)
    );

    let figures = |path: &Path| {
        let output = deadweight()
            .arg("weigh")
            .arg(path)
            .args(["--format", "json"])
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let weighing: Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = &weighing["findings"][0];
        (
            weighing["held"].clone(),
            weighing["process"].clone(),
            [&first["rule"], &first["count"], &first["saves"]].map(Value::clone),
        )
    };
    assert_eq!(figures(&capture), figures(&out));
    let shown = |format: &str| {
        let mut command = deadweight();
        command
            .arg("weigh")
            .arg(&capture)
            .args(["--redact", "--format", format]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    for format in ["terminal", "json"] {
        let text = shown(format);
        assert!(text.contains("D01") && !text.contains("Johanna"), "{text}");
        assert!(text.contains("customer"), "names of fields stay: {text}");
    }
    for entry in fs::read_dir(&out).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600,
            "{path:?}"
        );
        let text = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&text);
        for secret in [
            "Johanna",
            "Riga",
            "customer",
            "payroll",
            home.path().to_str().unwrap(),
        ] {
            assert!(!text.contains(secret), "{secret} in {path:?}");
        }
    }
    // What is there already stays.
    let (code, message) = stderr(deadweight().arg("strip").arg(&capture).arg("-o").arg(&out));
    assert_eq!((code, message.contains("already")), (Some(2), true), "{message}");
}

#[test]
fn findings_show_how_their_objects_are_reached() {
    let home = tempfile::tempdir().unwrap();
    let program = "class Visit { constructor(i) { this.tags = new Map([['k', i]]); } }
        const registry = new Map();
        for (let i = 0; i < 3000; i++) registry.set(i, new Visit(i));
        globalThis.visits = { registry };";
    let program = file(home.path(), "visits.js", program);
    let ran = deadweight()
        .current_dir(home.path())
        .args(["run", "--dir", "captures", "--paths", "--", "node"])
        .arg(&program)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&ran.stderr);
    let words: Vec<&str> = message.split_whitespace().collect();
    let message = words.join(" ");
    assert!(
        message.contains("global → visits: {registry} → registry: Map → {}: Visit → tags: Map"),
        "{message}"
    );
    let capture = first_capture(&home.path().join("captures"));
    let weighed = |more: &[&str]| -> Value {
        let output = deadweight()
            .arg("weigh")
            .arg(&capture)
            .args(["--format", "json"])
            .args(more)
            .output()
            .unwrap();
        let weighing: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = weighing["findings"].as_array().unwrap().clone();
        let found = findings.into_iter().find(|finding| finding["rule"] == "C04");
        found.unwrap()["path"].clone()
    };
    let path = weighed(&[]);
    let last = path.as_array().unwrap().last().unwrap();
    assert_eq!(*last, serde_json::json!({"via": "tags", "object": "Map"}));
    assert_eq!(weighed(&["--paths", "--redact"]), path, "names of code stay");
    let plain = deadweight().arg("weigh").arg(&capture).output().unwrap();
    assert!(!String::from_utf8_lossy(&plain.stdout).contains("reached by"));
}

#[test]
fn a_directory_of_captures_stands_for_the_latest() {
    let home = tempfile::tempdir().unwrap();
    for program in ["globalThis.first = 1;", "globalThis.second = 2;"] {
        let ran = deadweight()
            .current_dir(home.path())
            .args(["run", "--dir", "captures", "--", "node", "-e", program])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let captures = home.path().join("captures");
    let written = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let found = fs::read_dir(&captures)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let of_run = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "deadweight");
    let latest = found.filter(of_run).max_by_key(written).unwrap();
    let name = latest.file_name().unwrap().to_str().unwrap().to_owned();
    for command in [&["weigh", "captures"][..], &["prove", "captures", "captures"]] {
        let output = deadweight()
            .current_dir(home.path())
            .args(command)
            .output()
            .unwrap();
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(output.status.success(), "{err}");
        assert!(
            out.contains(&name) && err.contains("the latest capture of it is"),
            "{out}{err}"
        );
    }
    // One that is not complete is not passed over for an older one.
    fs::create_dir(captures.join("broken-9-1.deadweight")).unwrap();
    let (code, message) = stderr(deadweight().current_dir(home.path()).args(["weigh", "captures"]));
    assert_eq!(code, Some(2));
    assert!(
        message.contains("broken-9-1.deadweight is not a complete capture"),
        "{message}"
    );
}
