//! What real Ruby programs make, against what the interpreter counts and weighs itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// The library, built once: nothing links to it, so cargo does not build it for tests.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let binary = Path::new(env!("CARGO_BIN_EXE_deadweight"));
        let profile = binary.parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args([
            "build",
            "--quiet",
            "--package",
            "deadweight-recorder-ruby",
            "--target-dir",
        ]);
        build
            .arg(profile.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
        profile.join("libdeadweight_ruby.so")
    })
}

struct Ran {
    out: String,
    told: String,
    weighing: Option<Value>,
}

impl Ran {
    fn churned(&self) -> &Value {
        let weighing = self.weighing.as_ref().unwrap_or_else(|| panic!("{}", self.told));
        &weighing["churned"]
    }
}

/// Runs a program in its directory and records what it makes.
fn recorded(directory: &Path, arguments: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let captures = home.path().join("captures");
    let ran = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--churn", "--no-snapshot", "--dir"])
        .arg(&captures)
        .args(["--", "ruby"])
        .args(arguments)
        .current_dir(directory)
        .env("DEADWEIGHT_RUBY_LIBRARY", library())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "these tests need Ruby: {told}");
    let of_capture = |entry: fs::DirEntry| fs::read(entry.path().join("weighing.json")).ok();
    let mut weighings = fs::read_dir(&captures)
        .unwrap()
        .filter_map(|entry| of_capture(entry.unwrap()));
    Ran {
        out: String::from_utf8(ran.stdout).unwrap(),
        told,
        weighing: weighings
            .next()
            .map(|bytes| serde_json::from_slice(&bytes).unwrap()),
    }
}

fn program(text: &str) -> Ran {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("program.rb"), text).unwrap();
    recorded(home.path(), &["program.rb"])
}

fn site<'a>(churned: &'a Value, place: &str) -> &'a Value {
    let sites = churned["sites"].as_array().unwrap();
    let found = sites.iter().find(|site| site["site"] == place);
    found.unwrap_or_else(|| panic!("{place} is not in {sites:#?}"))
}

fn near(found: f64, truth: f64, share: f64) -> bool {
    (found - truth).abs() <= truth * share
}

/// Objects of many types, made by blocks, threads, built-in methods and code that is evaluated, while the collector runs.
const MIXED: &str = r##"
start = GC.stat(:total_allocated_objects)
Point = Struct.new(:x, :y)
class Box; def initialize(v) = (@a = @b = @c = @d = v); end
keep = []
workers = 3.times.map do |n|
  Thread.new { 20_000.times { |i| Point.new(i, "#{n}:#{i}").to_a.map(&:to_s).join(',') } }
end
workers.each(&:join)
30_000.times { |i| keep << Box.new({ i => [i] }) if i % 3 == 0; Class.new if i % 500 == 0; eval("[#{i}, #{i}]") if i % 100 == 0 }
GC.start
2000.times { Object.new.singleton_class }
puts GC.stat(:total_allocated_objects) - start
"##;

#[test]
fn every_object_is_counted() {
    let ran = program(MIXED);
    let truth: f64 = ran.out.trim().parse().unwrap();
    let counted = ran.churned()["objects"].as_f64().unwrap();
    // Beyond the measured part: what loads the program, and its last line.
    assert!(
        counted >= truth && counted <= truth + 500.0,
        "{counted} of {truth}"
    );
    assert_eq!(ran.churned()["sampled"], Value::Null);
}

#[test]
fn bytes_are_those_the_interpreter_tells() {
    let ran = program(
        "require 'objspace'\nLIST = (1..20_000).map { |i|\n  'a' * (i % 200)\n}\nTABLES = (1..3000).map { |i|\n  \
         (1..i % 20).to_h { |j| [j, j] }\n}\nputs LIST.sum { |s| ObjectSpace.memsize_of(s) }, TABLES.sum { |h| \
         ObjectSpace.memsize_of(h) }",
    );
    let truths: Vec<f64> = ran.out.lines().map(|line| line.parse().unwrap()).collect();
    let texts = site(ran.churned(), "program.rb:3");
    assert!(
        near(texts["kept_bytes"].as_f64().unwrap(), truths[0], 0.02),
        "{texts} {truths:?}"
    );
    let tables = site(ran.churned(), "program.rb:6");
    assert!(
        near(tables["kept_bytes"].as_f64().unwrap(), truths[1], 0.02),
        "{tables} {truths:?}"
    );
}

/// `lines`, `dup` and the like hand the characters to a hidden owner: the line that made them has made them.
#[test]
fn characters_that_change_hands_stay_with_their_maker() {
    let ran = program("40.times do\n  html = 'a line of text' * 10_000\n  copy = html.dup\nend");
    let made = site(ran.churned(), "program.rb:2")["bytes"].as_f64().unwrap();
    assert!(near(made, 40.0 * 140_041.0, 0.02), "{made}");
    let copied = site(ran.churned(), "program.rb:3")["bytes"].as_f64().unwrap();
    assert!(copied <= 40.0 * 80.0 + 200.0, "{copied}");
}

#[test]
fn a_forked_child_tells_of_itself_alone() {
    let ran = program("a = 'x' * 5_000_000\npid = fork { 'y' * 1_000 }\nProcess.wait(pid)\nputs a.size");
    assert_eq!(ran.told.matches("captured ").count(), 2, "{}", ran.told);
    assert!(ran.churned()["bytes"].as_f64().is_some());
}

#[test]
fn operations_that_the_program_marks_are_counted() {
    let ran = program("7.times { Deadweight.operation if defined?(Deadweight) }");
    assert_eq!(ran.churned()["operations"], 7);
}

/// What cannot be recorded is said, and the program goes on.
#[test]
fn compacted_heaps_are_refused() {
    let ran = program("GC.compact\nputs 'on'");
    assert_eq!(ran.out, "on\n");
    assert!(ran.told.contains("compacted"), "{}", ran.told);
}

fn case() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/line-count")
}

fn line(file: &str, number: u64) -> String {
    let text = fs::read_to_string(case().join(file)).unwrap();
    text.lines().nth(number as usize - 1).unwrap().to_owned()
}

fn pages() -> tempfile::TempDir {
    let pages = tempfile::tempdir().unwrap();
    let made = Command::new("ruby")
        .arg(case().join("lib/pages.rb"))
        .arg(pages.path())
        .status();
    assert!(made.unwrap().success());
    pages
}

const SEARCHES: &str = "100";

/// The first finding names the line, its figures are those of the interpreter, and the diff is the program after.
#[test]
fn line_count_is_found_weighed_and_mended() {
    let pages = pages();
    let place = pages.path().to_str().unwrap();
    let before = recorded(&case(), &["before.rb", place, SEARCHES]);
    let after = recorded(&case(), &["after.rb", place, SEARCHES]);
    let answer = |ran: &Ran| ran.out.split(' ').next().unwrap().to_owned();
    assert_eq!(answer(&before), answer(&after));

    let truth = Command::new("ruby")
        .args(["-robjspace", "-e"])
        .arg(
            "o = b = 0; Dir[ARGV[0] + '/*.html'].each { |f| all = File.read(f).lines; o += all.size + 1; \
             b += ObjectSpace.memsize_of(all) + all.sum { |l| ObjectSpace.memsize_of(l) } }; puts o, b",
        )
        .arg(place)
        .output()
        .unwrap();
    let truth: Vec<f64> = String::from_utf8(truth.stdout)
        .unwrap()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    let times = SEARCHES.parse::<f64>().unwrap() + 1.0;
    let first = &before.churned()["findings"][0];
    assert_eq!(
        (&first["rule"], &first["site"]),
        (&"T03".into(), &"before.rb:14".into())
    );
    let (objects, saves) = (first["count"].as_f64().unwrap(), first["saves"].as_f64().unwrap());
    assert!(near(objects, truth[0] * times, 0.02), "{objects} {truth:?}");
    assert!(near(saves, truth[1] * times, 0.02), "{saves} {truth:?}");

    let rewrite = &before.churned()["rewrites"][0];
    assert_eq!(rewrite["fingerprint"], first["fingerprint"]);
    assert_eq!(
        rewrite["after"][0],
        line("after.rb", rewrite["line"].as_u64().unwrap())
    );

    let made = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
    assert!(made(&before) >= 80.0 * made(&after));
    assert!(near(made(&before) - made(&after), saves, 0.02));
}

#[test]
fn where_only_a_bound_is_asked_for_the_early_exit_is_named() {
    let pages = pages();
    let place = pages.path().to_str().unwrap();
    let before = recorded(&case(), &["before-bound.rb", place, "10"]);
    let first = &before.churned()["findings"][0];
    assert_eq!(
        (&first["rule"], &first["site"]),
        (&"T03".into(), &"before-bound.rb:10".into())
    );
    let rewrite = &before.churned()["rewrites"][0];
    assert_eq!(
        rewrite["after"][0],
        line("early.rb", rewrite["line"].as_u64().unwrap())
    );
    let after = recorded(&case(), &["early.rb", place, "10"]);
    let answer = |ran: &Ran| ran.out.split(' ').next().unwrap().to_owned();
    assert_eq!(answer(&before), answer(&after));
}
