//! What real Ruby programs make, against what the interpreter counts and weighs itself.

#[allow(dead_code, reason = "the preload library is another's")]
#[path = "../../recorder/tests/host/library.rs"]
mod library;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| library::built("deadweight-recorder-ruby", "libdeadweight_ruby.so"))
}

struct Ran {
    out: String,
    stderr: String,
    weighing: Option<Value>,
    /// The record of allocations, line by line.
    record: Vec<Value>,
}

impl Ran {
    /// Objects that a built-in method made.
    fn allocated_by(&self, method: &str) -> u64 {
        let all = |field: &'static str| self.record.iter().map(move |line| &line[field]);
        let is_there = |frame: &Value| frame["function"].as_str() == Some(method);
        let frames: Vec<&Value> = all("frame").filter(|it| it.is_object()).collect();
        let stacks: Vec<&Value> = all("stack").filter(|it| it.is_array()).collect();
        let innermost = |row: &Value| {
            let stack = stacks[row["stack"].as_u64()? as usize];
            Some(frames[stack[1].as_u64()? as usize])
        };
        all("row")
            .filter(|row| innermost(row).is_some_and(is_there))
            .map(|row| row["count"].as_u64().unwrap())
            .sum()
    }

    fn churned(&self) -> &Value {
        let weighing = self
            .weighing
            .as_ref()
            .unwrap_or_else(|| panic!("{}", self.stderr));
        &weighing["churned"]
    }
}

/// Runs a program in its directory and records what it makes.
fn recorded(directory: &Path, arguments: &[&str]) -> Ran {
    recorded_with(&[], directory, arguments)
}

fn recorded_with(options: &[&str], directory: &Path, arguments: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let captures = home.path().join("captures");
    let ran = Command::new(env!("CARGO_BIN_EXE_deadweight"))
        .args(["run", "--churn", "--no-snapshot", "--dir"])
        .arg(&captures)
        .args(options)
        .args(["--", "ruby"])
        .args(arguments)
        .current_dir(directory)
        .env("DEADWEIGHT_RUBY_LIBRARY", library())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "these tests need Ruby: {stderr}");
    let of_captures = |name: &str| {
        let mut all = fs::read_dir(&captures).unwrap();
        all.find_map(|entry| fs::read(entry.unwrap().path().join(name)).ok())
    };
    let record = of_captures("made.churn").unwrap_or_default();
    Ran {
        out: String::from_utf8(ran.stdout).unwrap(),
        stderr,
        weighing: of_captures("weighing.json").map(|bytes| serde_json::from_slice(&bytes).unwrap()),
        record: record
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect(),
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

/// The same call calls one method now and another then, with the same receiver: only the method distinguishes them.
#[test]
fn methods_that_one_call_calls_are_told_apart() {
    let ran = program(
        "text = \"a,b\\n\" * 4\n30_000.times { |i| text.send(i % 3 == 0 ? :chars : :lines) }\n20_000.times { text.chars }",
    );
    // A list and its elements, and at most one owner that the elements share.
    let (chars, lines) = (ran.allocated_by("chars"), ran.allocated_by("lines"));
    assert!((30_000 * 17..=30_000 * 18).contains(&chars), "{chars}");
    assert!((20_000 * 5..=20_000 * 6).contains(&lines), "{lines}");
}

#[test]
fn bytes_are_those_the_interpreter_reports() {
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
fn a_forked_child_shows_of_itself_alone() {
    let ran = program("a = 'x' * 5_000_000\npid = fork { 'y' * 1_000 }\nProcess.wait(pid)\nputs a.size");
    assert_eq!(ran.stderr.matches("captured ").count(), 2, "{}", ran.stderr);
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
    assert!(ran.stderr.contains("compacted"), "{}", ran.stderr);
}

/// Sites that make objects at different paces and of different sizes, in several methods and a thread, in long calls
/// and in short ones, and stretches in which little is made.
const SITES: &str = r#"
TEXT = "a line of text\n" * 4_000
def lines = TEXT.lines.size
def names(n) = (0...n).map { |i| "name #{i}" }
def pairs(n) = (0...n).to_h { |i| [i, i] }
def busy = 20_000.times { |i| i * i }
def floats(n) = (0...n).sum { |i| [i, i + 1].sum }
worker = Thread.new { 300.times { |i| TEXT.split("\n") if i % 3 == 0; busy } }
900.times do |round|
  lines if round % 4 == 0
  names(40 + round % 300)
  pairs(round % 60)
  busy
  floats(500)
  'x' * (100 + round % 7 * 1_000)
end
worker.join
"#;

fn bytes_of_sites(ran: &Ran) -> Vec<(String, u64)> {
    let sites = ran.churned()["sites"].as_array().unwrap();
    let of = |site: &Value| {
        (
            site["site"].as_str().unwrap().to_owned(),
            site["bytes"].as_u64().unwrap(),
        )
    };
    sites.iter().map(of).collect()
}

/// What is true lies within what the sample says, in about 95 of 100 figures. The seeds differ from run to run, and the
/// figures of one run err together, as they are of the same windows: so there are many runs, of which hardly ever one in
/// seven is wrong.
#[test]
fn samples_say_how_far_they_may_be_off() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("program.rb"), SITES).unwrap();
    let exact = recorded(home.path(), &["program.rb"]);
    let total = exact.churned()["bytes"].as_u64().unwrap();
    let truths: Vec<(String, u64)> = bytes_of_sites(&exact)
        .into_iter()
        .filter(|(_, bytes)| *bytes > total / 200)
        .collect();
    assert!(truths.len() >= 6, "{truths:?}");
    let (mut inside, mut figures, mut widths) = (0, 0, 0.0);
    for _ in 0..40 {
        let ran = recorded_with(&["--sample=10"], home.path(), &["program.rb"]);
        let churned = ran.churned();
        let sampled = &churned["sampled"];
        assert!(sampled["windows"].as_u64().unwrap() >= 5, "{sampled}");
        assert!(ran.stderr.contains("sampled in"), "{}", ran.stderr);
        let mut hold = |figure: &Value, truth: u64| {
            let (low, high) = (figure["low"].as_u64().unwrap(), figure["high"].as_u64().unwrap());
            figures += 1;
            inside += u32::from((low..=high).contains(&truth));
            widths += (high - low) as f64 / truth.max(total / 20) as f64;
        };
        hold(
            &serde_json::json!({ "low": sampled["low"], "high": sampled["high"] }),
            total,
        );
        // A place that works in few stretches may fall into none that is recorded: its figure is wrong then.
        let unseen = serde_json::json!({ "low": 0, "high": 0 });
        for (place, truth) in &truths {
            let sites = churned["sites"].as_array().unwrap();
            let seen = sites.iter().find(|site| site["site"] == **place);
            hold(seen.unwrap_or(&unseen), *truth);
        }
        // How many there were in all is known, not sampled: all but what loads the program.
        let objects = |ran: &Ran| ran.churned()["objects"].as_f64().unwrap();
        assert!(near(objects(&ran), objects(&exact), 0.01));
    }
    assert!(
        f64::from(inside) >= 0.85 * f64::from(figures),
        "{inside} of {figures}"
    );
    // Errors without end would hold everything.
    assert!(widths <= 1.5 * f64::from(figures), "{widths} of {figures}");
}

/// While others work, the main thread waits for the interpreter's lock: before Linux 6.4 a signal for the process came to it.
#[test]
fn stretches_of_all_threads_are_sampled() {
    let home = tempfile::tempdir().unwrap();
    let program = "
def names(n) = (0...n).map { |i| \"name #{i}\" }
workers = 3.times.map { Thread.new { 6_000.times { |round| names(round % 2_000) } } }
workers.each(&:join)
";
    fs::write(home.path().join("program.rb"), program).unwrap();
    let ran = recorded_with(&["--sample=20"], home.path(), &["program.rb"]);
    let sampled = &ran.churned()["sampled"];
    assert!(sampled["windows"].as_u64().unwrap() >= 20, "{sampled}");
}

/// A finding that may be nothing is none; which windows a run is seen in is left to chance, so that one run in many says
/// nothing.
#[test]
fn samples_find_what_is_certain() {
    let home = tempfile::tempdir().unwrap();
    fs::write(
        home.path().join("program.rb"),
        "TEXT = \"a line of text\\n\" * 4_000\n4_000.times do\n  TEXT.lines.count\nend\n[1, 2].map { |i| [i] }.flatten\n",
    )
    .unwrap();
    let mut found = 0;
    for _ in 0..3 {
        let ran = recorded_with(&["--sample=20"], home.path(), &["program.rb"]);
        for finding in ran.churned()["findings"].as_array().unwrap() {
            let place = (&finding["rule"], &finding["site"]);
            assert_eq!(place, (&"T03".into(), &"program.rb:3".into()));
            assert!(finding["evidence"]["saves_low"].as_u64().unwrap() > 0);
            assert_eq!(finding["confidence"], "estimate");
            found += 1;
        }
    }
    assert!((2..=3).contains(&found), "{found} of 3");
}

/// What is too short to be sampled is said to be so.
#[test]
fn short_programs_are_not_sampled() {
    let ran = recorded_with(&["--sample=1"], &case(), &["-e", "'a'.dup"]);
    assert!(ran.stderr.contains("too short a time"), "{}", ran.stderr);
}

/// The whole list is still made when it is joined while mapping, but it grows in other steps: from nothing, by each
/// part, and the call hands its block on in an object.
#[test]
fn joining_while_mapping_saves_what_is_promised() {
    let lists = [
        ("few", "20.times { (0...5000).map { |i| [i] * 7 }.flatten }"),
        ("pairs", "(0...100_000).map { |i| [i, i] }.flatten"),
        (
            "ones",
            "9.times { Array.new(20_000) { |i| i }.map { |i| [i] }.flatten }",
        ),
        ("short", "9_000.times { [1, 2].map { |i| [i] }.flatten }"),
        (
            "kept",
            "$kept = { a: 1, b: 2, c: 3 }.map { |k, v| [k, v] * 9_000 }.flatten",
        ),
        (
            "more",
            "$kept = { a: 1, b: 2 }.map { |k, v| [k, v] * 9_000 }.flatten",
        ),
    ];
    for (name, before) in lists {
        let after = before
            .replace(".map ", ".flat_map ")
            .replace(".flatten", ".tap(&:flatten!)");
        let (before, after) = (program(before), program(&after));
        let bytes = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
        let saved = bytes(&before) - bytes(&after);
        let findings = before.churned()["findings"].as_array().unwrap();
        let promised = findings
            .iter()
            .find(|finding| finding["rule"] == "T03")
            .map(|finding| finding["saves"].as_f64().unwrap_or_else(|| panic!("{finding:#}")));
        // Where it would take more, nothing is promised.
        let saved = saved.max(0.0);
        assert!(
            near(promised.unwrap_or_default(), saved, 0.01),
            "{name}: {promised:?} of {saved}"
        );
    }
}

/// Code that is known dies while a list is filled: where its elements stand stays known.
#[test]
fn places_in_a_list_outlive_code() {
    let ran = program(
        "TEXT = ('a line of text which is longer than that' + \"\\n\") * 20_000\n60.times do\n  \
         200.times { eval(\"'a' + 'b'\") }\n  TEXT.lines.count\nend",
    );
    let rows = ran
        .record
        .iter()
        .map(|line| &line["row"])
        .filter(|row| row.is_object());
    let placed = rows.filter(|row| row["among"].is_array());
    let count: u64 = placed.map(|row| row["count"].as_u64().unwrap()).sum();
    assert!(count >= 60 * 20_000, "{count}");
}

/// Each form in which lines are made to be counted, and what is offered in its place.
#[test]
fn counting_lines_otherwise_saves_what_is_promised() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("text");
    fs::write(
        &path,
        "a line of a file that is longer than a string without a buffer\n".repeat(2_000),
    )
    .unwrap();
    for (form, wanted) in [
        ("TEXT.lines.size", "TEXT.b.count"),
        ("TEXT.lines(chomp: true).count", "TEXT.b.count"),
        ("TEXT.each_line.count", "TEXT.b.count"),
        ("TEXT.each_line.to_a.length", "TEXT.b.count"),
        ("SHORT.lines.count", "SHORT.b.count"),
        ("TEXT.lines.first(50).size", "TEXT.each_line.first(50).size"),
        ("TEXT.lines.count > 50", "TEXT.each_line.first(51).size > 50"),
        ("TEXT.lines(',').count", "TEXT.each_line(',').count"),
        ("File.readlines(PATH).size", "File.open(PATH, 'rb')"),
        ("File.foreach(PATH).count", "File.open(PATH, 'rb')"),
        (
            "File.readlines(PATH, chomp: true).size",
            "File.foreach(PATH, chomp: true).count",
        ),
        (
            "File.readlines(PATH).size < 50",
            "File.foreach(PATH).first(50).size < 50",
        ),
        ("TEXT.split(',').size", "TEXT.empty? || TEXT.end_with?(',') ?"),
    ] {
        // Of a short text a call makes next to nothing.
        let times = if form.starts_with("SHORT") { 5_000 } else { 40 };
        let around = |code: &str| {
            program(&format!(
                "# frozen_string_literal: true\nTEXT = \"a line, which is longer than a string without a buffer\\n\" * 2_000\n\
                 SHORT = \"a\\nb\\n\"\nPATH = {path:?}\n{times}.times do\n  $answer = {code}\nend\nputs $answer"
            ))
        };
        let before = around(form);
        let churned = before.churned();
        let finding = &churned["findings"][0];
        assert_eq!(finding["rule"], "T03", "{form}: {churned:#}");
        let offered = rewritten(churned)
            .trim()
            .strip_prefix("$answer = ")
            .unwrap()
            .to_owned();
        assert!(offered.starts_with(wanted), "{offered}");
        let after = around(&offered);
        assert_eq!(before.out, after.out, "{offered}");
        let made = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
        let saved = made(&before) - made(&after);
        let promised = finding["saves"].as_f64().unwrap();
        // What walks a file makes its walk, and other programs' beginnings differ by a few objects.
        assert!(
            (promised - saved).abs() <= 0.02 * saved + 20_000.0,
            "{form}: {promised} of {saved}"
        );
    }
}

/// The line that is offered first, below what has to hold for it.
fn rewritten(churned: &Value) -> String {
    let lines = churned["rewrites"][0]["after"].as_array().unwrap();
    lines.last().unwrap().as_str().unwrap().to_owned()
}

/// Each form in which a list or a text is cut up to learn one thing, and what is offered in its place.
#[test]
fn asking_otherwise_saves_what_is_promised() {
    for form in [
        "LIST.select { |i| i.even? }.size",
        "LIST.select(&:even?).count",
        "LIST.select(&:even?).first",
        "LIST.filter { |i| i > 4_000 }[0]",
        "LIST.select { |i| i > 4_000 }.any?",
        "LIST.select(&:even?).empty?",
        "LIST.reject(&:positive?).empty?",
        "LIST.map(&:succ).sum",
        "LIST.map { |i| i * 2 }.sum",
        "LIST.map { |i| [i, i] }.to_h",
        "LIST.map { |i| [i, i] }.flatten",
        "LIST.reverse.each { |i| i }",
        "LIST.sort.first",
        "LIST.sort.last",
        "LIST.sort_by { |i| -i }.first",
        "LIST.sort_by(&:succ)[0]",
        "LIST.sort_by(&:succ).last",
        "LIST.sort_by(&:succ)[-1]",
        "HASH.keys.size",
        "HASH.values.count",
        "HASH.keys.empty?",
        "HASH.keys.include?(-1)",
        "HASH.values.include?(-1)",
        "HASH.keys.each { |k| k }",
        "HASH.values.each { |k| k }",
        "TEXT.split(\"\\n\").length",
        "TEXT.split(',').first",
        "TEXT.split(',')[0]",
        "TEXT.scan(',').size",
        "TEXT.chars.size",
        "TEXT.chars.first",
        "TEXT.chars[0]",
        "TEXT.chars.last",
        "TEXT.bytes.size",
        "TEXT.bytes.first",
    ] {
        let around = |code: &str| {
            program(&format!(
                "# frozen_string_literal: true\nTEXT = (\"a line, and\\n\" * 2_000).chomp.freeze\n\
                 LIST = (1..5_000).to_a.shuffle(random: Random.new(1)).freeze\nHASH = LIST.to_h {{ |i| [i, i] }}.freeze\n\
                 40.times do\n  {code}\nend\nputs $answer.inspect.size"
            ))
        };
        let form = if form.contains(".each") {
            form.to_owned()
        } else {
            format!("$answer = {form}")
        };
        let before = around(&form);
        let churned = before.churned();
        let findings = churned["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["rule"] == "T03");
        let finding = finding.unwrap_or_else(|| panic!("{form}: {churned:#}"));
        let offered = rewritten(churned).trim().to_owned();
        let after = around(&offered);
        assert_eq!(before.out, after.out, "{offered}");
        let made = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
        let saved = made(&before) - made(&after);
        let promised = finding["saves"].as_f64().unwrap();
        eprintln!("{form}: {promised} promised, {saved} came");
        assert!(
            (promised - saved).abs() <= 0.02 * saved + 20_000.0,
            "{form}, offered {offered}: {promised} of {saved}"
        );
    }
}

/// What a call gathers for `*args` or `**opts` is made before the method begins: the definition is what can be changed.
#[test]
fn what_a_call_gathers_is_laid_to_the_definition() {
    let ran = program(
        "def list(*args) = args.size\ndef options(**opts) = opts.size\nclass Box; def initialize(*given); end; end\n\
         def rest(first, *more) = first\nTO_BLOCK = ->(*all) { all.size }\n9_000.times do\n  list\n  options\n  Box.new\n  \
         send(:rest, 1)\n  list()\n  TO_BLOCK.call\n  [].frozen?\nend",
    );
    let findings = ran.churned()["findings"].as_array().unwrap();
    let mut found: Vec<(&str, u64)> = findings
        .iter()
        .filter(|finding| finding["rule"] == "T02")
        .map(|finding| {
            (
                finding["site"].as_str().unwrap(),
                finding["count"].as_u64().unwrap(),
            )
        })
        .collect();
    found.sort_unstable();
    let wanted = [
        ("program.rb:1", 18_000),
        ("program.rb:13", 9_000),
        ("program.rb:2", 9_000),
        ("program.rb:3", 9_000),
        ("program.rb:4", 9_000),
    ];
    assert_eq!(found, wanted, "{findings:#?}");
    let unknown = ran.weighing.as_ref().unwrap()["not_measured"].to_string();
    assert!(unknown.contains("T02"), "{unknown}");
}

/// A program that is installed has no line of its own: what can be changed is the dependency's line nearest to what it
/// makes, not the script that starts it.
#[test]
fn installed_programs_show_the_lines_of_their_dependencies() {
    let home = tempfile::tempdir().unwrap();
    let gem = home.path().join("gems/pages-1.0/lib");
    let (bin, work) = (home.path().join("usr/bin"), home.path().join("work"));
    for folder in [&gem, &bin, &work] {
        fs::create_dir_all(folder).unwrap();
    }
    let source = "TEXT = \"a line of a page\\n\" * 2_000\nmodule Pages\n  def self.count\n    TEXT.lines.count\n  end\nend\n";
    fs::write(gem.join("pages.rb"), source).unwrap();
    let script = bin.join("pages");
    fs::write(
        &script,
        format!(
            "require {:?}\n200.times {{ Pages.count }}\n",
            gem.join("pages.rb")
        ),
    )
    .unwrap();
    let ran = recorded(&work, &[script.to_str().unwrap()]);
    let churned = ran.churned();
    let most = &churned["sites"][0];
    assert!(
        most["site"].as_str().unwrap().ends_with("lib/pages.rb:4"),
        "{most}"
    );
    let first = &churned["findings"][0];
    assert_eq!(first["rule"], "T03", "{churned:#}");
    assert!(
        first["title"]
            .as_str()
            .unwrap()
            .contains("at a line of a dependency"),
        "{first}"
    );
    assert!(
        first["assumes"]
            .as_str()
            .unwrap()
            .contains("the dependency can be changed")
    );
    assert!(rewritten(churned).contains("TEXT.b.count"));
    let unknown = ran.weighing.as_ref().unwrap()["not_measured"].to_string();
    assert!(!unknown.contains("T03"), "{unknown}");
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
        rewritten(before.churned()),
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
    // One page has few, long lines, all of which are still made.
    let made = |ran: &Ran| ran.churned()["bytes"].as_f64().unwrap();
    let saves = first["saves"].as_f64().unwrap();
    assert!(
        near(made(&before) - made(&after), saves, 0.02),
        "{} {} {saves}",
        made(&before),
        made(&after)
    );
}
