//! Edits of classes and literals in programs that chance has written: each program answers the same before and after it.

mod containers;
mod records;

use std::fmt::Write as _;
use std::fs;

use super::{Change, edit};
use crate::Language;
use crate::rewrites::compared;

/// Programs for each edit of each language.
const PROGRAMS: usize = 100;

/// Numbers that look like chance, the same each time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn one_of<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[self.below(choices.len())]
    }

    /// Some of them, in an order of their own.
    fn some_of<'c>(&mut self, choices: &[&'c str], least: usize) -> Vec<&'c str> {
        let mut all = choices.to_vec();
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
        let count = least + self.below(all.len() - least + 1);
        all.truncate(count);
        all
    }
}

/// The program with the edit made, without the conditions.
fn edited(text: &str, language: Language, change: Change<'_>) -> String {
    let made = edit(text, language, change).unwrap_or_else(|| panic!("no edit {change:?} of\n{text}"));
    let mut lines: Vec<&str> = text.lines().collect();
    for hunk in made.hunks.iter().rev() {
        let from = hunk.line as usize - 1;
        assert_eq!(lines[from..from + hunk.before.len()], hunk.before);
        lines.splice(
            from..from + hunk.before.len(),
            hunk.after.iter().map(String::as_str),
        );
    }
    lines.join("\n") + "\n"
}

/// Runs pairs of programs that should answer the same. Each leaves what it has to say in `answers`.
fn answer_the_same(language: Language, pairs: &[(String, String)]) {
    let folder = tempfile::tempdir().unwrap();
    let (name, by, text) = match language {
        Language::JavaScript => ("pairs.mjs", "node", in_javascript(pairs)),
        Language::Python => ("pairs.py", "python3", in_python(pairs)),
        Language::Ruby => ("pairs.rb", "ruby", in_ruby(pairs)),
        Language::Java => ("Pairs.java", "java", in_java(pairs)),
        _ => unreachable!("no programs of {language:?}"),
    };
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    compared(&file, by, PROGRAMS);
}

fn in_javascript(pairs: &[(String, String)]) -> String {
    let mut text = "let compared = 0;\nconst pair = (a, b) => {\n  compared++;\n  if (a !== b) console.log(compared, a, b);\n};\n".to_owned();
    for (before, after) in pairs {
        _ = writeln!(
            text,
            "pair((() => {{\n{before}\nreturn JSON.stringify(answers);\n}})(), (() => {{\n{after}\nreturn JSON.stringify(answers);\n}})());"
        );
    }
    text + "console.log(`compared ${compared}`);\n"
}

fn in_python(pairs: &[(String, String)]) -> String {
    let mut text = "compared = 0\n\ndef answers(text):\n    scope = {}\n    exec(text, scope)\n    return scope[\"answers\"]\n\n".to_owned();
    for (before, after) in pairs {
        assert!(!before.contains("\'\'\'") && !before.contains('\\'), "{before}");
        _ = writeln!(
            text,
            "a, b = answers(\'\'\'{before}\'\'\'), answers(\'\'\'{after}\'\'\')\ncompared += 1\nif a != b: print(compared, a, b)"
        );
    }
    text + "print(\"compared\", compared)\n"
}

fn in_ruby(pairs: &[(String, String)]) -> String {
    let mut text = String::new();
    for (at, (before, after)) in pairs.iter().enumerate() {
        _ = writeln!(
            text,
            "module A{at}\n{before}\nend\nmodule B{at}\n{after}\nend\nputs \"{at} #{{A{at}.answers}} #{{B{at}.answers}}\" if A{at}.answers != B{at}.answers"
        );
    }
    _ = writeln!(text, "puts \"compared {}\"", pairs.len());
    text
}

fn in_java(pairs: &[(String, String)]) -> String {
    let mut text =
        "import java.util.*;\n\nclass Pairs {\n    public static void main(String[] given) {\n".to_owned();
    for at in 0..pairs.len() {
        _ = writeln!(
            text,
            "        if (!A{at}.answers().equals(B{at}.answers())) System.out.println(\"{at} \" + A{at}.answers() + B{at}.answers());"
        );
    }
    _ = writeln!(
        text,
        "        System.out.println(\"compared {}\");\n    }}\n}}",
        pairs.len()
    );
    for (at, (before, after)) in pairs.iter().enumerate() {
        text += &before.replace("Node", &format!("A{at}"));
        text += &after.replace("Node", &format!("B{at}"));
    }
    text
}
