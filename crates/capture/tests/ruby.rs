//! Captures of real Ruby programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deadweight_capture::{Outcome, Plan, Runtime, Status, run};
use deadweight_sidecar::{Reason, RubyContents};

fn captured(home: &Path, program: &str) -> Outcome {
    let file = home.join("program.rb");
    fs::write(&file, program).unwrap();
    let mut plan = Plan::new(["ruby".into(), file.into_os_string()], home.join("captures"));
    plan.poll = std::time::Duration::from_millis(20);
    run(&plan).expect("these tests need Ruby")
}

/// What was noted of each owner: the number of its names, and a word for each.
fn records(contents: &RubyContents) -> Vec<(u64, &[u64])> {
    let mut found = Vec::new();
    let mut rest = contents.fields.as_slice();
    while let [_, group, words @ ..] = rest {
        let (own, others) = words.split_at(contents.groups[*group as usize].len());
        found.push((*group, own));
        rest = others;
    }
    found
}

#[test]
fn a_program_is_captured_at_its_end_and_ends_as_it_would() {
    let home = tempfile::tempdir().unwrap();
    let program = r#"
        class Thing; def initialize(i) = (@count, @name = i, "h\u00e9llo #{i % 3}"); end
        THINGS = Array.new(100) { |i| Thing.new(i) }
        $text = ("a line of text\n" * 1000).dup
        warn ENV['RUBYOPT']
        exit 3
    "#;
    let outcome = captured(home.path(), program);
    assert_eq!(
        (outcome.status, outcome.runtime),
        (Status::Code(3), Some(Runtime::Ruby))
    );
    assert_eq!(outcome.captures.len(), 1, "{:?}", outcome.unusable);
    let capture = &outcome.captures[0];
    let record = &capture.record;
    assert_eq!(
        (record.runtime.name.as_str(), record.process.reason),
        ("ruby", Reason::Exit)
    );
    assert!(record.process.heap_used > 100_000 && record.process.rss > record.process.heap_used / 2);
    for file in fs::read_dir(&capture.directory).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.path().display());
    }
    let dump = fs::read_to_string(capture.snapshot_path().unwrap()).unwrap();
    assert!(dump.lines().count() > 5000 && dump.ends_with("}\n"));
    let contents = capture.ruby_contents().unwrap().unwrap();
    let of_thing = contents
        .groups
        .iter()
        .position(|names| names == &["@count", "@name"])
        .unwrap() as u64;
    // Small integers are odd words: 2n + 1.
    let of_things = records(&contents)
        .into_iter()
        .filter(|(group, _)| *group == of_thing);
    let values: Vec<u64> = of_things.map(|(_, words)| words[0]).collect();
    assert_eq!(values.len(), 100);
    assert!((0..100).all(|i| values.contains(&(2 * i + 1))));
    assert!(
        contents
            .groups
            .iter()
            .any(|names| names.contains(&"$text".to_owned()))
    );
    assert!(
        contents
            .groups
            .iter()
            .any(|names| names.contains(&"THINGS".to_owned()))
    );
    assert_eq!(contents.strings.len() % 3, 0);
    assert!(contents.excerpts.iter().any(|(_, text)| text == "h\u{e9}llo 2"));
    assert!(contents.before.len() > 1000);
}

#[test]
fn the_keys_of_hashes_are_names_where_many_have_the_same() {
    let home = tempfile::tempdir().unwrap();
    let program = r#"
        class Own < Hash; end
        $points = Array.new(16) { |i| { 'x' => i, 'y' => i } }
        $few = Array.new(15) { |i| { seldom: i, there: i } }
        $own = Array.new(20) { |i| Own.new.merge!(own_a: i, own_b: i) }
        $default = Array.new(20) { |i| Hash.new(0).merge!(with_a: i, with_b: i) }
        $set = Array.new(20) { { member: true, other: true } }
        $mixed = Array.new(20) { |i| { 'text' => i, symbol: i } }
        $ids = Array.new(20) { |i| { "id #{i}" => i, "id #{i + 1}" => i } }
        $bytes = Array.new(20) { |i| { "\xFF" => i, 'byte' => i } }
        $long = Array.new(20) { |i| { 'long' * 20 => i, 'longer' => i } }
        $one = Array.new(20) { |i| { '/a/path' => i } }
    "#;
    let outcome = captured(home.path(), program);
    let contents = outcome.captures[0].ruby_contents().unwrap().unwrap();
    let point = contents.groups.iter().position(|names| names == &["x", "y"]);
    let point = point.unwrap() as u64;
    let records = records(&contents);
    assert_eq!(records.iter().filter(|(group, _)| *group == point).count(), 16);
    // Where a key or a value is in no dump they stand in turn, without names.
    let seldom = records.iter().filter(|(group, words)| {
        let names = &contents.groups[*group as usize];
        names.iter().all(String::is_empty) && words.len() == 4 && words[1] == words[3] && words[1] & 1 == 1
    });
    assert!(seldom.count() >= 15);
    let others = [
        "seldom", "own_a", "with_a", "member", "symbol", "id 3", "byte", "longer", "/a/path",
    ];
    let is_other = |name: &String| others.contains(&name.as_str());
    assert!(!contents.groups.iter().flatten().any(is_other));
}

#[test]
fn a_signal_and_a_threshold_capture_and_the_program_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let outcome = captured(
        home.path(),
        "Process.kill('USR2', Process.pid); sleep 0.2; puts 'on'; exit 0",
    );
    let reasons: Vec<_> = outcome
        .captures
        .iter()
        .map(|capture| capture.record.process.reason)
        .collect();
    assert_eq!(reasons, [Reason::Signal, Reason::Exit]);
    assert_eq!(outcome.status, Status::Code(0));
}

/// What cannot be written must not end the program, or change how it ends.
#[test]
fn the_recorder_fails_open() {
    let home = tempfile::tempdir().unwrap();
    let program = "ENV.delete('X'); class Broken < BasicObject; end; B = Broken.new; \
                   class String; def hash = raise('never'); end; exit 5";
    let outcome = captured(home.path(), program);
    assert_eq!(outcome.status, Status::Code(5));
    assert_eq!(outcome.captures.len(), 1, "{:?}", outcome.unusable);
}

/// The recorder takes a moment to load, and SIGUSR2 ends a process that does not know it.
#[test]
fn a_signal_that_comes_while_the_recorder_is_loaded_is_taken_when_it_is() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    // Stands before the library's own file, and takes its time.
    let slow = "Process.kill('USR2', Process.pid); sleep 0.3; $LOAD_PATH.shift; $LOADED_FEATURES.delete(__FILE__)\n\
         load $LOAD_PATH.map { |path| \"#{path}/objspace.rb\" }.find { |path| File.exist?(path) }";
    fs::create_dir(at("slow")).unwrap();
    fs::write(at("slow/objspace.rb"), slow).unwrap();
    let recorder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recorders/ruby");
    let status = std::process::Command::new("ruby")
        .env(
            "RUBYLIB",
            format!("{}:{}", at("slow").display(), recorder.display()),
        )
        .env("RUBYOPT", "-rdeadweight_recorder")
        .env("DEADWEIGHT_DIR", at("captures"))
        .args(["-e", "$kept = 'text' * 10; exit 4"])
        .status()
        .expect("these tests need Ruby");
    assert_eq!(status.code(), Some(4));
    let captures = deadweight_capture::read_captures(&at("captures")).unwrap();
    let mut reasons: Vec<Reason> = captures
        .into_iter()
        .map(|capture| capture.unwrap().record.process.reason)
        .collect();
    reasons.sort_by_key(|reason| *reason == Reason::Exit);
    assert_eq!(reasons, [Reason::Signal, Reason::Exit]);
}
