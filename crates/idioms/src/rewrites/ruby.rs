//! Rewrites of Ruby, run by Ruby.

use std::fmt::Write as _;
use std::fs;

use super::{ALWAYS, Case, compared, every_rewrite_is_in, has_condition, rewritten, ruby_lines};
use crate::Language;

pub(super) const CASES: &[Case] = &[
    Case("v.split(',').size", "TEXTS", ALWAYS),
    Case("v.split(',').count * 2", "TEXTS", ALWAYS),
    Case("v.split(\"\\n\").length", "TEXTS", ALWAYS),
    Case("v.split(\"\\t\").length.zero?", "TEXTS", ALWAYS),
    Case("v.dup.split('|').size", "TEXTS", ALWAYS),
    Case("v.split(',')[0]", "TEXTS", "v.match?(/[^,]/) || v.empty?"),
    Case("v.split(',').first", "TEXTS", "v.match?(/[^,]/) || v.empty?"),
    Case(
        "v.split(\"\\n\").first",
        "TEXTS",
        "v.match?(/[^\\n]/) || v.empty?",
    ),
    Case("v.scan(',').size", "TEXTS", ALWAYS),
    Case("v.scan(\"\\n\").count", "TEXTS", ALWAYS),
    Case("v.chars.size", "TEXTS", ALWAYS),
    Case("v.chars.first", "TEXTS", ALWAYS),
    Case("v.chars[0]", "TEXTS", ALWAYS),
    Case("v.chars.last", "TEXTS", ALWAYS),
    Case("v.bytes.size", "TEXTS", ALWAYS),
    Case("v.bytes.first", "TEXTS", ALWAYS),
    Case("v&.chars&.size", "TEXTS + [nil]", ALWAYS),
    Case("v.map { |x| x }.flatten", "NESTED + LISTS + HASHES", ALWAYS),
    Case("v&.map { |x| x }&.flatten", "NESTED + [nil]", ALWAYS),
    Case("v.collect(&:itself).flatten", "NESTED + LISTS + HASHES", ALWAYS),
    Case("v.select { |x| x }.first", "LISTS + HASHES", "!v.is_a?(Hash)"),
    Case("v.select { |a, b| b }.first", "PAIRS + HASHES", "true"),
    Case("v.filter(&:itself)[0]", "LISTS", "true"),
    Case("v.select { |x| x }.size", "LISTS + HASHES", "!v.is_a?(Hash)"),
    Case("v.select(&:nil?).size", "LISTS + HASHES", "!v.is_a?(Hash)"),
    Case("v.select { |a, b| b == 1 }.count", "PAIRS + HASHES", ALWAYS),
    Case(
        "v.select(&:itself).any?",
        "LISTS + HASHES",
        "!v.is_a?(Hash) && v.all?",
    ),
    Case("v.select { |a, b| b == 1 }.any?", "PAIRS + HASHES", "v.all?"),
    Case("v.filter { |x| x == 1 }.empty?", "LISTS", "true"),
    Case("!v.select(&:nil?).empty?", "LISTS", "true"),
    Case("v.reject(&:nil?).empty?", "LISTS", "true"),
    Case("v.reject { |x| x.is_a?(Integer) }.empty?", "LISTS", "true"),
    Case("v.map(&:itself).sum", "LISTS + HASHES", ALWAYS),
    Case("v.map { |a, b| b.to_f / 3 }.sum", "PAIRS + HASHES", ALWAYS),
    Case("2 * v.map { |x| x * 0.1 }.sum", "LISTS", ALWAYS),
    Case(
        "v.map { |x| [x, 1] }.to_h",
        "LISTS + HASHES",
        "!v.is_a?(Hash) && !v.is_a?(Struct)",
    ),
    Case("v.map { |a, b| [b, a] }.to_h", "PAIRS + HASHES", "true"),
    Case("v.map(&:itself).to_h", "LISTS + PAIRS", "!v.is_a?(Struct)"),
    Case(
        "a = []; v.reverse.each { |x| a << x }; a",
        "LISTS.grep(Array)",
        "true",
    ),
    Case("v.sort.first", "LISTS", "strict?(v)"),
    Case("v.sort.last", "LISTS", "strict?(v)"),
    Case(
        "v.sort_by { |x| x.to_s }.first",
        "LISTS",
        "strict?(v.map(&:to_s))",
    ),
    Case("v.sort_by(&:to_s)[0]", "LISTS", "strict?(v.map(&:to_s))"),
    Case("v.sort_by(&:to_s).last", "LISTS", "strict?(v.map(&:to_s))"),
    Case(
        "v.sort_by { |x| -x }[-1]",
        "LISTS",
        "v.all?(Numeric) && strict?(v)",
    ),
    Case("v.keys.size", "HASHES", ALWAYS),
    Case("v.values.count", "HASHES", ALWAYS),
    Case("v.keys.empty?", "HASHES", ALWAYS),
    Case(
        "v.keys.include?(1)",
        "HASHES",
        "!v.compare_by_identity? && !v.key?(1.0) && !v.key?(1r)",
    ),
    Case("v.keys.member? 'a'", "HASHES", "!v.compare_by_identity?"),
    Case("v.values.include?(1)", "HASHES", ALWAYS),
    Case("a = []; v.keys.each { |x| a << x }; a", "HASHES", "true"),
    Case("a = []; v.values.each { |x| a << x }; a", "HASHES", "true"),
];

/// The edges, then what chance makes of these pieces.
pub(super) const INPUTS: &str = r#"
EDGES = ["", ",", ",,", ",a", "a,", "a,,", "a,b", ",,a,,b,,", "a", "a\n", "a\nb", "\n", "\n\n\na\n", "a\r\nb\r\n", "\r", "\t\t", "a\tb",
         "größe,straße", "日本,語", "日本", "a|b||", "|", "\0,\0", "\xff,a", "a,\xff", "\xe3\x81", "\xff".b, "a,\xe3\x81,".b,
         "日本,語\n".encode("Shift_JIS"), "表|ソ,".encode("Shift_JIS"), "日本,語".encode("EUC-JP"), "日,0".encode("GB18030"),
         "a,b".encode("UTF-16LE"), "".encode("UTF-16LE"), "a,b".dup.force_encoding("US-ASCII")]
CHANCE = Random.new(7)
def some(most, of) = Array.new(CHANCE.rand(most)) { of[CHANCE.rand(of.size)] }
TEXTS = EDGES.flat_map { |text| [text, text.dup.freeze] } + Array.new(400) { some(9, ["a", "b", ",", ",", "\n", "\r\n", "é", "日", "\t", " ", "|"]).join }
ATOMS = [nil, true, false, 0, 1, 1.0, -3, 2.5, 1r, 1e300, 0.1, 0.2, Float::INFINITY, -Float::INFINITY, "a", "b", "", :a, :b]
NUMBERS = ATOMS.grep(Numeric)
Row = Struct.new(:a, :b)
LISTS = [[], [nil], [false], [Float::NAN], [Float::NAN, 1.0], (1..5), (1...1), "a".."e", Set[1, 2], Row.new(1, 2), [1, 1.0], [1.0, 1], [3, 1, 2].freeze,
         [1, 2].each, [[1, 2], [0, 5]]] +
  Array.new(250) { some(7, ATOMS) } + Array.new(250) { some(9, NUMBERS) } + Array.new(150) { some(7, %w[a b é 日 z]) }
PAIRS = Array.new(200) { some(5, ATOMS).zip(some(5, ATOMS)) } + [[[1, 2, 3], [4]], [1, 2]]
HASHES = [{}, { nil => 1 }, { 1.0 => 2 }, { "a" => 1 }.compare_by_identity, { a: nil }, { a: 1 }.freeze] + Array.new(200) { some(6, ATOMS).zip(some(6, ATOMS)).to_h }
def nest(depth) = Array.new(CHANCE.rand(4)) { depth > 0 && CHANCE.rand < 0.5 ? nest(depth - 1) : ATOMS[CHANCE.rand(ATOMS.size)] }
class Listed; def to_ary = [1, [2, 3]]; def inspect = "listed"; end
NESTED = [[[[[]]]], [[]], [Listed.new, [Listed.new]], [{ a: [1] }], [].tap { |a| a << [a] }] + Array.new(300) { nest(3) }
def strict?(list) = list.to_a.uniq { |x| x.respond_to?(:to_f) && !x.is_a?(String) ? x.to_f : x }.size == list.to_a.size
"#;

#[test]
fn rewrites_answer_as_before() {
    let home = tempfile::tempdir().unwrap();
    let mut program = format!("# frozen_string_literal: true\nrequire 'set'\n{INPUTS}\nPAIRED = []\n");
    for (number, case) in CASES.iter().enumerate() {
        let Case(expression, values, when) = case;
        for frozen in [true, false] {
            let head = if frozen {
                "# frozen_string_literal: true\n"
            } else {
                ""
            };
            let after = rewritten(
                Language::Ruby,
                &format!("{head}def f(v)\n  x = ({expression})\n  x\nend\n"),
            );
            has_condition(Language::Ruby, case, &after);
            let after = after.join("\n");
            assert!(!after.contains(&format!("({expression})")), "{expression}");
            let when = if *when == ALWAYS { "true" } else { when };
            writeln!(
                program,
                "def before{number}(v)\n  x = ({expression})\n  x\nend\ndef after{number}{frozen}(v)\n{after}\n  x\nend\n\
                 PAIRED << [{expression:?}, :before{number}, :after{number}{frozen}, {values}, ->(v) {{ {when} }}]"
            )
            .unwrap();
        }
    }
    program.push_str(
        r##"
def answer(name, value)
  answered = send(name, value)
  [answered.class, answered.inspect, value.inspect, (answered.encoding if answered.is_a?(String))]
rescue StandardError
  # Of two elements that raise, another may come first.
  :raises
end
compared = 0
PAIRED.each do |expression, before, after, values, on|
  shown = 0
  values.each do |value|
    next unless (on.call(value) rescue false)

    copies = Array.new(2) { value.is_a?(String) && !value.frozen? ? value.dup : value }
    want, got = answer(before, copies[0]), answer(after, copies[1])
    compared += 1
    next if want == got || (shown += 1) > 3

    puts "#{expression} of #{value.inspect} (#{value.class}): #{want.inspect}, rewritten #{got.inspect}"
  end
end
puts "compared #{compared}"
"##,
    );
    let path = home.path().join("program.rb");
    fs::write(&path, &program).unwrap();
    compared(&path, "ruby", 20_000);
}

/// Nobody can try what no list of expressions has.
#[test]
fn every_rewrite_is_tried() {
    let others = ["x = log.debug(\"a #{b}\")"];
    let cases = CASES.iter().map(|Case(expression, ..)| *expression);
    let all: Vec<String> = cases
        .chain(ruby_lines::EXPRESSIONS.iter().copied())
        .chain(others)
        .map(|expression| format!("def f(v, t, p)\n  x = ({expression})\n  x\nend\n"))
        .collect();
    every_rewrite_is_in(Language::Ruby, all.iter().map(String::as_str));
}

/// What stands last in a method is what the method returns.
#[test]
fn what_is_returned_is_said_where_it_may_be_used() {
    let said = |source: &str| {
        rewritten(Language::Ruby, source)
            .join(" ")
            .contains("nobody uses what it returns")
    };
    assert!(said("def f(v)\n  v.values.each { |x| g(x) }\nend"));
    assert!(said(
        "def f(v)\n  if v\n    v.values.each { |x| g(x) }\n  end\nend"
    ));
    assert!(!said("def f(v)\n  v.values.each { |x| g(x) }\n  nil\nend"));
    assert!(!said("v.values.each { |x| g(x) }"));
}

/// A comment within a text would be text, and one in the midst of a line that goes on would end it.
#[test]
fn no_rewrite_where_its_condition_cannot_stand() {
    for source in [
        "x = <<~TEXT\n  #{v.sort.first}\nTEXT\n",
        "x = \"a\n  #{v.sort.first}\"\n",
        "x = 1 + \\\n  v.sort.first\n",
    ] {
        let found = crate::antipatterns_in(source, Language::Ruby, "f").unwrap();
        assert!(
            found.len() == 1 && found[0].rewrite.is_none(),
            "{source}: {found:?}"
        );
    }
}

#[test]
fn blocks_that_leave_the_call_are_left_alone() {
    for source in [
        "v.select { |x| break 5 if x }.size",
        "v.map(1) { |x| x }.sum",
        "v.select(&:save!).first",
    ] {
        let found = crate::antipatterns_in(source, Language::Ruby, "f").unwrap();
        assert_eq!(found, [], "{source}");
    }
}
