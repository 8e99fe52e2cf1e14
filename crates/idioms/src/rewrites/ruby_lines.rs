//! Rewrites of lines, run by Ruby: for each text they give what the expression gave before, and where they raise instead,
//! the finding says so.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::{Language, antipatterns_in};

/// Of a text `t`, and of a file of that text at `p`.
pub(super) const EXPRESSIONS: &[&str] = &[
    "t.lines.count",
    "t.lines.size * 2",
    "(t.lines).length",
    "t.lines(chomp: true).size",
    "t.each_line.count",
    "t.each_line(chomp: true).count + 1",
    "t.each_line.to_a.size",
    "t.each_line.entries.length",
    "t&.lines&.count",
    "m.lines.count",
    "t.dup.lines.count",
    "t.lines(2).count",
    "t.lines(',').size",
    "t.lines('').size",
    "t.lines(nil).size",
    "t.lines(\"\\r\\n\", chomp: true).size",
    "t.each_line(3).to_a.size",
    "t.lines.count < 2",
    "t.lines.size >= 1_0",
    "t.lines.count <= 2",
    "t.lines.count > 0",
    "t.lines.count == 2 ? 'two' : 'other'",
    "(t.lines.count) != 3",
    "3 > t.lines.count",
    "2 <= t.lines.count",
    "1 < t.lines.length",
    "2 == t.lines.count",
    "t&.lines&.count == 2",
    "t.lines(',', chomp: true).count < 2",
    "t.each_line.to_a.size > 1",
    "t.lines.first(2)",
    "t.lines.take(2).size",
    "t.lines.first",
    "t.lines[0]",
    "t.lines(chomp: true).first",
    "t.lines.empty?",
    "t.lines.count { |line| line.bytesize > 2 }",
    "t.lines.sum { |line| line.bytesize }",
    "[].tap { |all| t.lines.each { |line| all << line } }",
    "File.readlines(p).size",
    "File.readlines(p, chomp: true).length",
    "IO.readlines(p, 3).count",
    "File.readlines(p, nil).count",
    "File.readlines(p).size > 2",
    "2 > File.readlines(p).size",
    "File.foreach(p).count",
    "File.foreach(p).to_a.size",
    "1.then { |lines| File.foreach(p).count + lines }",
    "IO.foreach(p).to_a.size",
    "File.foreach(p).to_a.size < 3",
    "File.open(p) { |io| io.readlines.size }",
    "File.open(p) { |io| io.each_line.to_a.size }",
    "File.read(p).lines.count",
];

const TEXTS: &str = r#"[
    "", "a", "a\n", "a\nb", "a\nb\n", "\n", "\n\n", "\n\na", "a\n\n\nb\n\n", "\r\n", "a\r\nb\r\n", "a\rb", "\n\r", ",", "a,b,,\n,",
    "größe\nstraße", "日本\n語\n", "\u2028a\u0085\n", "a\nb\n" * 40, "x" * 5000, "x" * 5000 + "\n" + "y" * 5000, "\0\n\0",
    "\xff\xfe\n\x80a\nb".b, "\xff\n".b, "\xff\na", "a\n\xe3\x81", "\xe3\x81\n", "a\n".dup.force_encoding("US-ASCII"),
    "gr\xf6\xdfe\nb".dup.force_encoding("ISO-8859-1"), "日本\n語".encode("Shift_JIS"), "日本\n語\n".encode("EUC-JP"),
    "日本\n語\n".encode("GB18030"), nil,
    "a\nb".encode("UTF-16LE"), "a\n".encode("UTF-32BE"), "\u0a0a\u0a0d".encode("UTF-16BE")
]"#;

/// For each expression, the lines of its rewrite, and whether the finding speaks of encodings.
fn rewritten(expression: &str) -> (String, bool) {
    let source = format!("# frozen_string_literal: true\ndef f(t, p)\n  {expression}\nend\n");
    let found = antipatterns_in(&source, Language::Ruby, "f.rb").unwrap();
    let [antipattern] = &found[..] else {
        panic!("{expression}: {found:?}");
    };
    let rewrite = antipattern
        .rewrite
        .as_ref()
        .unwrap_or_else(|| panic!("{expression}: {antipattern:?}"));
    let warns = antipattern
        .assumes
        .as_ref()
        .is_some_and(|assumes| assumes.contains("UTF-16"));
    (rewrite.after.join("\n"), warns)
}

#[test]
fn rewrites_answer_as_before() {
    let home = tempfile::tempdir().unwrap();
    let mut program = String::from("# frozen_string_literal: true\ndef m = $t\nPAIRS = []\n");
    for (number, expression) in EXPRESSIONS.iter().enumerate() {
        let (after, warns) = rewritten(expression);
        assert_ne!(after.trim(), *expression);
        writeln!(
            program,
            "def before{number}(t, p)\n  {expression}\nend\ndef after{number}(t, p)\n{after}\nend\n\
             PAIRS << [{expression:?}, :before{number}, :after{number}, {warns}]"
        )
        .unwrap();
    }
    write!(
        program,
        r##"
def answer(name, text, path)
  send(name, text, path)
rescue StandardError => error
  error.class
end
TEXTS = {TEXTS}
path = File.join(__dir__, "text")
compared = 0
TEXTS.each do |text|
  $t = text
  File.binwrite(path, text || "")
  PAIRS.each do |expression, before, after, warns|
    copies = [text&.dup, text&.dup]
    want, got = answer(before, copies[0], path), answer(after, copies[1], path)
    compared += 1
    foreign = text && !text.encoding.ascii_compatible?
    next if want == got || (foreign && warns && got == Encoding::CompatibilityError)

    puts "#{{expression}} of #{{text.inspect}} (#{{text&.encoding}}): #{{want.inspect}}, rewritten #{{got.inspect}}"
  end
end
puts "compared #{{compared}}"
"##
    )
    .unwrap();
    let path = home.path().join("program.rb");
    fs::write(&path, &program).unwrap();
    let ran = Command::new("ruby")
        .arg("-W0")
        .arg(&path)
        .output()
        .expect("these tests need Ruby");
    let out = String::from_utf8_lossy(&ran.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let compared = lines.last().unwrap().strip_prefix("compared ").unwrap();
    assert!(
        compared.parse::<usize>().unwrap() >= EXPRESSIONS.len() * 30,
        "{compared}"
    );
    assert_eq!(lines.len(), 1, "{out}");
}

/// What the rule's page says to do for a file without making a line.
#[test]
fn the_page_counts_lines_of_files() {
    let page = include_str!("../../../rules/src/rules/t03_thrown_away.rs");
    let (_, code) = page.split_once("//! ```ruby\n").unwrap();
    let (code, _) = code.split_once("//! ```\n").unwrap();
    let code = code.replace("//!", "");
    let home = tempfile::tempdir().unwrap();
    let program = format!(
        "{code}\n({TEXTS}.compact + [\"a\\n\" * 65_536, \"a\" * 65_536, \"a\" * 65_535 + \"\\nb\"]).each {{ |text|\n\
           File.binwrite(ARGV[0], text)\n\
           want, got = File.foreach(ARGV[0]).count, lines_in(ARGV[0])\n\
           puts [text, want, got].inspect if want != got\n}}\nputs :ran"
    );
    let ran = Command::new("ruby")
        .args(["-W0", "-e", &program])
        .arg(home.path().join("text"))
        .output()
        .expect("these tests need Ruby");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(out, "ran\n", "{}", String::from_utf8_lossy(&ran.stderr));
}
