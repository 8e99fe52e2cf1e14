//! In which class a line stands, by the source where it is at hand.
//!
//! Debug information has the bare names of methods alone. Crystal's source is indented by its formatter, so the lines
//! above that are indented less say in what a line stands.

use std::fs;
use std::io::Read;

use rustc_hash::FxHashMap;

use super::names::bare;

/// Larger files are generated, in bytes.
const LARGEST: u64 = 4 << 20;

/// What a name may be declared with.
const DECLARATIONS: [&str; 4] = ["class ", "struct ", "module ", "lib "];
/// What may stand before that.
const BEFORE: [&str; 2] = ["abstract ", "private "];

/// Where a line stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::churn) struct Place {
    /// The class with those around it; empty at the top.
    class: String,
    /// In a method of the class itself.
    of_class: bool,
    /// Within a method at all.
    in_method: bool,
    /// On the line where a constructor is declared.
    pub(in crate::churn) is_initialize: bool,
}

impl Place {
    /// A method of this place, by its bare name.
    pub(in crate::churn) fn name(&self, name: &str) -> String {
        if name == "__crystal_main" || name.starts_with("~proc") {
            return String::new();
        }
        let name = bare(name);
        let by_class = self.of_class || name == "new";
        match (self.class.is_empty(), by_class) {
            (true, _) => name.to_owned(),
            (false, true) => format!("{}.{name}", self.class),
            (false, false) => format!("{}#{name}", self.class),
        }
    }
}

/// Sources that were read.
#[derive(Default)]
pub(in crate::churn) struct Sources {
    files: FxHashMap<String, String>,
    places: FxHashMap<(String, u32), Place>,
}

impl Sources {
    /// Where a line stands; nowhere when the source is not at hand.
    pub(in crate::churn) fn place(&mut self, file: &str, line: u32) -> Place {
        let key = (file.to_owned(), line);
        if let Some(known) = self.places.get(&key) {
            return known.clone();
        }
        let text = self
            .files
            .entry(file.to_owned())
            .or_insert_with(|| read(file).unwrap_or_default());
        let place = find(text, line);
        self.places.insert(key, place.clone());
        place
    }
}

/// The text of an ordinary file: a path comes from a record, so it may name anything.
fn read(file: &str) -> Option<String> {
    let is_plain = |meta: &fs::Metadata| meta.is_file() && meta.len() <= LARGEST;
    fs::metadata(file).ok().filter(is_plain)?;
    let mut text = String::new();
    let opened = fs::File::open(file).ok()?;
    opened.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn find(text: &str, line: u32) -> Place {
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    let mut place = Place::default();
    if lines.len() < line as usize {
        return place;
    }
    let Some((last, above)) = lines.split_last() else {
        return place;
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut names: Vec<&str> = Vec::new();
    let mut depth = indent(last);
    place.is_initialize =
        without(last.trim_start(), &["private ", "protected "]).starts_with("def initialize");
    let own = std::iter::once(*last).filter(|last| definition(last).is_some());
    for line in own.chain(above.iter().rev().copied()) {
        let inside = std::ptr::eq(line, *last) || indent(line) < depth;
        if line.trim().is_empty() || line.trim_start().starts_with('#') || !inside {
            continue;
        }
        depth = indent(line);
        if let Some(of_class) = definition(line).filter(|_| !place.in_method) {
            place.in_method = true;
            place.of_class = of_class;
        }
        let declared = without(line.trim_start(), &BEFORE);
        let rest = DECLARATIONS.iter().find_map(|word| declared.strip_prefix(word));
        if let Some(rest) = rest {
            let end = rest.find(|char: char| !char.is_alphanumeric() && !"_:".contains(char));
            names.push(&rest[..end.unwrap_or(rest.len())]);
        }
    }
    names.reverse();
    place.class = names.join("::");
    place
}

/// Whether a line begins a method, and if so whether one of the class itself.
fn definition(line: &str) -> Option<bool> {
    let line = without(line.trim_start(), &["private ", "protected "]);
    Some(line.strip_prefix("def ")?.starts_with("self."))
}

fn without<'l>(line: &'l str, words: &[&str]) -> &'l str {
    words
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
require \"socket\"

module Cache
  # class Wrong
  class Client(T) < Base
    def initialize(@host : String)
      @buffer = Bytes.new(64)
    end

    def self.open
      new(\"localhost\")
    end

    private def get(key)
      if key.empty?
        work
      end
    end
  end
end
work
";

    fn named(line: u32, name: &str) -> String {
        find(SOURCE, line).name(name)
    }

    #[test]
    fn lines_stand_in_classes() {
        assert_eq!(named(7, "initialize"), "Cache::Client#initialize");
        assert_eq!(named(11, "open"), "Cache::Client.open");
        assert_eq!(named(16, "get"), "Cache::Client#get");
        assert_eq!(named(6, "new:host"), "Cache::Client.new");
        assert_eq!(named(21, "__crystal_main"), "");
        assert_eq!(named(99, "work"), "work");
    }

    #[test]
    fn constructors_are_where_they_are_declared() {
        assert!(find(SOURCE, 6).is_initialize);
        assert!(!find(SOURCE, 7).is_initialize && !find(SOURCE, 99).is_initialize);
    }
}
