//! What real programs of Crystal make, against what the collector counts itself. Needs Crystal, and memcached for the
//! case: on Debian `apt-get install -y crystal memcached`.
#![cfg(target_os = "linux")]

mod preload;

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use preload::deadweight;
use serde_json::Value;
use tempfile::TempDir;

/// Builds a program. Each has its own name and its own store of compiled code, as some are built of the same source at
/// the same time.
fn build(source: &Path, name: &str, flags: &[&str]) -> PathBuf {
    static HOME: OnceLock<TempDir> = OnceLock::new();
    let home = HOME.get_or_init(|| tempfile::tempdir().unwrap());
    let program = home.path().join(name);
    let built = Command::new("crystal")
        .arg("build")
        .args(flags)
        .arg("-o")
        .arg(&program)
        .arg(source.file_name().unwrap())
        .current_dir(source.parent().unwrap())
        .env("CRYSTAL_CACHE_DIR", home.path().join(format!("{name}.cache")))
        .output()
        .expect("Crystal; on Debian: apt-get install -y crystal");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    program
}

struct Ran {
    out: String,
    stderr: String,
    churned: Value,
    weighing: Value,
}

/// Runs a program where its source lies, and weighs what it makes.
fn recorded(source: &Path, program: &Path, arguments: &[&str], operations: u64) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let weighing = home.path().join("weighing.json");
    let ran = deadweight()
        .current_dir(source.parent().unwrap())
        .args(["run", "--churn", "--all", "--format", "json", "--per"])
        .arg(operations.to_string())
        .arg("--output")
        .arg(&weighing)
        .arg("--dir")
        .arg(home.path().join("captures"))
        .arg("--")
        .arg(program)
        .args(arguments)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{stderr}");
    let weighing = fs::read(&weighing).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap());
    let churned = weighing["churned"].clone();
    Ran {
        out: String::from_utf8(ran.stdout).unwrap(),
        stderr,
        churned,
        weighing,
    }
}

fn site<'a>(churned: &'a Value, place: &str) -> &'a Value {
    let sites = churned["sites"].as_array().unwrap();
    let found = sites.iter().find(|site| site["site"] == place);
    found.unwrap_or_else(|| panic!("{place} is not in {sites:#?}"))
}

/// What a rule says of a line, findings before options.
fn found<'a>(churned: &'a Value, rule: &str, place: &str) -> Option<&'a Value> {
    let listed = ["findings", "options"].map(|list| churned[list].as_array().unwrap());
    let mut listed = listed.into_iter().flatten();
    listed.find(|finding| finding["rule"] == rule && finding["site"] == place)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn near(found: f64, truth: f64, share: f64) -> bool {
    (found - truth).abs() <= truth * share
}

/// The line of a file that has this text, from 1.
fn line(source: &Path, text: &str) -> usize {
    let lines = fs::read_to_string(source).unwrap();
    let at = lines.lines().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("no line with {text}")) + 1
}

fn made() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/made.cr")
}

fn check_allocated(name: &str, flags: &[&str]) {
    let source = made();
    let ran = recorded(&source, &build(&source, name, flags), &[], 0);
    let churned = &ran.churned;
    let truth: f64 = ran.out.trim().parse().unwrap();
    let bytes = number(&churned["bytes"]);
    assert!(near(bytes, truth, 0.02), "{bytes} of {truth}");

    let at = |text: &str| format!("made.cr:{}", line(&source, text));
    let empty = found(churned, "T02", &at("Array(Int32).new(0)")).unwrap_or_else(|| panic!("{churned:#?}"));
    assert_eq!(empty["count"], 10_000);
    // The size class of 1,001 bytes.
    let page = site(churned, &at("Bytes.new(1000)"));
    assert_eq!(page["objects"], 10_000);
    assert!(near(number(&page["bytes"]), 10_240_000.0, 0.002), "{page}");
    // Each time an array's store grows it moves: for 3, 6, 12 and 24 numbers of 4 bytes. It stays one object.
    let grown = site(churned, &at("list << at"));
    assert!(
        near(
            number(&grown["bytes"]),
            10_000.0 * f64::from(16 + 32 + 64 + 112),
            0.01
        ) && grown["objects"] == 10_000,
        "{grown}"
    );
    // 500 items are kept, with their texts: 32 bytes each.
    let item = site(churned, &at("item = Item.new"));
    assert!(near(number(&item["kept_bytes"]), 500.0 * 64.0, 0.02), "{item}");
    let types = item["types"].as_array().unwrap();
    assert!(types.iter().any(|one| one["name"] == "Item"), "{item}");
    let fiber = site(churned, &at("done.send(Bytes"));
    assert_eq!(fiber["objects"], 1000, "{fiber}");
}

#[test]
fn a_program_is_recorded_as_the_collector_counts() {
    check_allocated("made-release", &["--release"]);
}

#[test]
fn a_program_without_optimisation_too() {
    check_allocated("made", &[]);
}

/// A program that marks its operations is shown what each of them makes, whatever the command line says; without the
/// recorder it runs as it would.
#[test]
fn marked_operations_are_counted() {
    let source = made().with_file_name("marked.cr");
    let program = build(&source, "marked", &["--release"]);
    let alone = Command::new(&program).output().unwrap();
    assert!(alone.status.success(), "{alone:?}");
    let ran = recorded(&source, &program, &[], 3);
    assert_eq!(ran.out.as_bytes(), alone.stdout);
    assert_eq!(ran.churned["operations"], 15_000);
    let page = site(
        &ran.churned,
        &format!("marked.cr:{}", line(&source, "Bytes.new(1000)")),
    );
    let each = number(&page["bytes"]) / 15_000.0;
    assert!(near(each, 1024.0, 0.002), "{each}");

    let home = tempfile::tempdir().unwrap();
    let shown = deadweight()
        .args(["run", "--churn", "--dir"])
        .arg(home.path().join("captures"))
        .arg("--")
        .arg(&program)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(
        shown.contains("15,000 operations, 1.0 kB and 1 allocation each"),
        "{shown}"
    );
}

/// Where the collector is linked into the program, nobody sees its calls: that is said, with what helps, and it helps.
#[test]
fn a_collector_inside_of_the_program_is_noticed() {
    let source = made();
    let home = tempfile::tempdir().unwrap();
    let archive = format!("/usr/lib/{}-linux-gnu/libgc.a", std::env::consts::ARCH);
    std::os::unix::fs::symlink(archive, home.path().join("libgc.a")).unwrap();
    let here = format!("-L{}", home.path().display());
    // As packages of Crystal do that bring an archive alone.
    let flags = format!("{here} -Wl,-Bstatic -lgc -Wl,-Bdynamic");
    let inside = build(&source, "made-static", &["--link-flags", &flags]);
    let ran = recorded(&source, &inside, &[], 0);
    assert_eq!(ran.churned, Value::Null);
    assert!(
        ran.stderr.contains("--link-flags \"-l:libgc.so.1\""),
        "{}",
        ran.stderr
    );
    let flags = format!("{here} -l:libgc.so.1");
    let outside = build(&source, "made-relinked", &["--link-flags", &flags]);
    assert!(number(&recorded(&source, &outside, &[], 0).churned["bytes"]) > 1e6);
}

/// A server on a free port, ended with the test.
struct Memcached {
    process: Child,
    port: u16,
}

impl Memcached {
    fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut command = Command::new("memcached");
        command.args([
            "-l",
            "127.0.0.1",
            "-U",
            "0",
            "-t",
            "1",
            "-m",
            "256",
            "-p",
            &port.to_string(),
        ]);
        // It refuses to run as root without another name, and does not mind one otherwise.
        command.args(["-u", "nobody"]);
        let process = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("memcached; on Debian: apt-get install -y memcached");
        let server = Self { process, port };
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            sleep(Duration::from_millis(20));
        }
        panic!("memcached does not answer on port {port}");
    }
}

impl Drop for Memcached {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn case(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../cases/memcached-client")
        .join(file)
}

/// Bytes an operation takes by the collector's own count: the least of two runs, as a wait makes some.
fn measured(program: &Path, server: &Memcached, operation: &str, count: u64, client: &str) -> f64 {
    let run = || {
        let ran = Command::new(program)
            .args([&server.port.to_string(), operation, &count.to_string(), client])
            .stdout(Stdio::null())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let counted: Value = serde_json::from_slice(&ran.stderr).unwrap();
        number(&counted["bytes"]) / count as f64
    };
    run().min(run())
}

const COUNT: u64 = 20_000;

/// One program is the client as it was, with any of its fixes, and the lean one: a build takes half a minute.
///
/// What is promised for each fix is held against what the collector counts when it is made. The client as it was costs
/// what was published of it, and so it does with the published fixes.
#[test]
fn memcached_client_as_predicted() {
    let server = Memcached::start();
    let before = case("src/before.cr");
    let at = |text: &str| format!("src/before.cr:{}", line(&before, text));
    let program = build(&case("work.cr"), "work", &["--release"]);
    let arguments = [&*server.port.to_string(), "hit", &COUNT.to_string(), "before"].map(str::to_owned);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let weighing = recorded(&case("work.cr"), &program, &arguments, COUNT).weighing;
    let churned = &weighing["churned"];
    let now = measured(&program, &server, "hit", COUNT, "before");
    // The start of the program is in the record, spread over the operations.
    let whole = number(&churned["bytes"]) / COUNT as f64;
    assert!(near(whole, now, 0.1), "{whole} of {now}");

    for (fix, rule, text) in [
        ("empty", "T02", "Array(UInt8).new(0)"),
        ("text", "T01", "text.bytes"),
        ("copy", "T01", "part = Bytes.new(missing)"),
        ("value", "T01", "Response.new(head.status"),
    ] {
        let finding = found(churned, rule, &at(text));
        let finding = finding.unwrap_or_else(|| panic!("{rule} at {text}: {churned:#?}"));
        let predicted = now - number(&finding["saves"]) / COUNT as f64;
        let after = measured(&program, &server, "hit", COUNT, fix);
        assert!(
            near(predicted, after, 0.01),
            "{fix}: {predicted} promised, {after} B measured, {now} before"
        );
    }

    let published = "empty,text,slice,extras,copy,debug";
    for (operation, was, became, floor) in [
        ("hit", 352.0, 192.0, 32.0),
        ("miss", 320.0, 160.0, 0.0),
        ("set", 336.0, 160.0, 0.0),
        ("increment", 352.0, 160.0, 0.0),
    ] {
        for (client, bytes) in [("before", was), (published, became), ("after", floor)] {
            let made = measured(&program, &server, operation, COUNT, client);
            assert!(
                (made - bytes).abs() <= 2.0,
                "{operation}, {client}: {made} of {bytes}"
            );
        }
    }
    for (client, bytes) in [("before", 242.85), (published, 98.85), ("after", 33.6)] {
        let made = measured(&program, &server, "get_multi", 1_000_000, client);
        assert!(made <= bytes * 1.01, "{client}: {made} B a key");
    }

    // A look-up in a constant table takes time, and no bytes.
    let looks_up =
        |gap: &Value| gap["rule"] == "T04" && gap["why"].as_str().is_some_and(|why| why.contains("OPCODES["));
    let not_measured = weighing["not_measured"].as_array().unwrap();
    assert!(not_measured.iter().any(looks_up), "{not_measured:#?}");
}

/// All clients do the same, also when the server goes away, lies, or says nothing.
#[test]
fn memcached_clients_pass_one_suite() {
    let suite = build(&case("spec/all.cr"), "suite", &[]);
    let ran = Command::new(suite).output().unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && out.contains(" 0 failures, 0 errors"),
        "{out}"
    );
}
