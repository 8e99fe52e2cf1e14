//! What real interpreters charge, against the layout. Runs every Ruby that `DEADWEIGHT_RUBIES` lists, separated by
//! colons, or the one on the path.

use std::process::Command;

use deadweight_formats::ruby::RubyLayout;
use deadweight_heap::Representation::Any;
use deadweight_heap::{Allocator, Implementation, Layout, TableKind, Width};

/// Prints `name n bytes-of-slot bytes-beside` as the interpreter says them.
const MEASURE: &str = r##"
require 'objspace'
base = GC::INTERNAL_CONSTANTS[:BASE_SLOT_SIZE] # since 3.2
puts "pooled #{base ? 1 : 0} 0"
size = ->(object) { ObjectSpace.memsize_of(object) }
slot = lambda do |object|
  ObjectSpace.dump(object)[/"slot_size":(\d+)/, 1]&.to_i || 40
end
say = ->(name, n, object) { puts "#{name} #{n} #{slot.(object)} #{size.(object)}" }
[*0..700, 1000, 4096].each { |n| say.('string', n, 'x' * n) }
[*0..100, 511, 1000, 1025, 30_000].each do |n|
  text = String.new(capacity: [4 * n, 200].max)
  text << 'x' * n
  say.('cut', n, text.freeze)
end
[*0..100, 1000].each { |n| say.('array', n, Array.new(n, 1)) }
[*0..300, 3000].each { |n| h = {}; n.times { |i| h[i] = 1 }; say.('hash', n, h) }
(0..60).each do |n|
  made = Class.new
  made.class_eval("def initialize; #{(0...n).map { |i| "@a#{i} = 1" }.join(';')}; end")
  10.times { made.new }
  say.('record', n, made.new)
end
(1..60).each { |n| say.('record', n, Struct.new(*(0...n).map { |i| :"a#{i}" }).new) }
[1, 2, 3, 5, 7, 16, 30, 1000].each do |part|
  grown = []
  1.upto(400) { |parts| grown.concat([1] * part); say.("grown#{part}", parts * part, grown) }
end
pairs = [*0...100_000].flat_map { |i| [i, i] }
say.('grown2', 200_000, pairs)
GC.disable
list = [0, 1]
made = 3.times.map do
  before = GC.stat(:total_allocated_objects)
  list.flat_map { nil }
  GC.stat(:total_allocated_objects) - before
end
# The array, and what the call makes for itself; the first time some caches, too.
puts "call #{made.last} 40 40"
say.('float', 0, 1.5e300)
say.('time', 0, Time.now)
"##;

fn rubies() -> Vec<String> {
    let listed = std::env::var("DEADWEIGHT_RUBIES").unwrap_or_default();
    let paths: Vec<String> = listed
        .split(':')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    if paths.is_empty() {
        vec!["ruby".to_owned()]
    } else {
        paths
    }
}

#[test]
fn the_layout_is_that_of_the_interpreter() {
    for ruby in rubies() {
        let said = Command::new(&ruby)
            .args(["--disable-gems", "-e", MEASURE])
            .env_remove("RUBYOPT")
            .output()
            .unwrap_or_else(|error| panic!("these tests need Ruby; {ruby} does not start: {error}"));
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        let said = String::from_utf8(said.stdout).unwrap();
        let mut lines = said.lines();
        let layout = if lines.next() == Some("pooled 1 0") {
            RubyLayout::pooled()
        } else {
            RubyLayout::fixed()
        };
        let mut compared = 0;
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| words[at].parse::<u64>().unwrap();
            let (n, slot, size) = (number(1), number(2), number(3));
            let beside = size - slot;
            let one_block = slot
                + if beside == 0 {
                    0
                } else {
                    layout.malloc.charged(beside)
                };
            let (predicted, real) = match words[0] {
                "string" => (layout.string(n, Width::One), one_block),
                "cut" => (layout.cut_string(slot, n, Width::One), one_block),
                "array" => (layout.array(Implementation::USUAL, Any, n), one_block),
                "record" => (layout.record_of(Any, n), one_block),
                "float" => (layout.boxed(Any), one_block),
                "time" => (layout.date(), one_block),
                "hash" => {
                    // The interpreter reports the sum of three blocks.
                    let predicted = layout.table(Implementation::USUAL, TableKind::Map, n).unwrap();
                    assert!(
                        predicted >= size && predicted <= size + 3 * 24,
                        "{ruby}: {line}: {predicted}"
                    );
                    assert!(n <= 8 || predicted > size - 16, "{ruby}: {line}: {predicted}");
                    compared += 1;
                    continue;
                }
                "call" => (layout.joined(2, 2).unwrap(), n * 40),
                other => {
                    let part: u64 = other.strip_prefix("grown").unwrap().parse().unwrap();
                    (layout.joined(n, n / part).unwrap() - 40, one_block)
                }
            };
            assert_eq!(predicted, real, "{ruby}: {line}");
            compared += 1;
        }
        assert!(compared > 1000, "{ruby}: {compared}");
    }
}
