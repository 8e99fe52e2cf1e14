//! Words that no user reads: the left column of the last table in `docs/glossary.md`, and where they would stand.

use std::fs;
use std::path::{Path, PathBuf};

/// The phrases that the glossary bans, in small letters.
pub fn banned(glossary: &str) -> Vec<String> {
    let (_, section) = glossary
        .split_once("## Words we do not use")
        .expect("the glossary has the table of words that are not used");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split_once(" | "));
    cells
        .flat_map(|(cell, _)| {
            format!("`{cell}")
                .split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_lowercase)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Those of the phrases that stand in a text as whole words, whatever blanks and line breaks are between these.
pub fn found<'p>(phrases: &'p [String], text: &str) -> Vec<&'p str> {
    let text = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let stands = |phrase: &str| {
        text.match_indices(phrase).any(|(at, _)| {
            let joins =
                |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || one == '_');
            !joins(text[..at].chars().next_back()) && !joins(text[at + phrase.len()..].chars().next())
        })
    };
    let found = phrases.iter().filter(|phrase| stands(phrase));
    found.map(String::as_str).collect()
}

/// The contents of the literals of text in Rust, one a line, and what the command line says of its options.
pub fn literals(code: &str, with_help: bool) -> String {
    let mut texts = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/', 'r']) {
        let here = &rest[at..];
        let is_word = rest[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let raw = here.strip_prefix('r').filter(|_| !is_word).and_then(|open| {
            let marks = open.len() - open.trim_start_matches('#').len();
            let text = open[marks..].strip_prefix('"')?;
            Some((text, format!("\"{}", "#".repeat(marks))))
        });
        rest = if let Some((text, end)) = raw {
            let ends = text.find(&end).expect("a raw text ends");
            texts.push(text[..ends].to_owned());
            &text[ends + end.len()..]
        } else if let Some(text) = here.strip_prefix('"') {
            let (text, after) = quoted(text);
            // Why a lint is off is read by nobody but who writes the code.
            let before = code.len() - rest.len() + at;
            let is_reason = code[..before].ends_with("reason = ");
            texts.extend((!is_reason).then_some(text));
            after
        } else if here.starts_with("//") {
            let (comment, after) = here.split_once('\n').unwrap_or((here, ""));
            let help = comment.strip_prefix("/// ").filter(|_| with_help);
            texts.extend(help.map(str::to_owned));
            after
        } else if ["'\"'", "'/'", "'\\"].iter().any(|quote| here.starts_with(quote)) {
            &here[3..]
        } else {
            &here[1..]
        };
    }
    texts.join("\n")
}

/// A text up to the quote that ends it, with its escapes taken as blanks, and what stands behind.
fn quoted(code: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = code.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, &code[at + 1..]),
            '\\' => {
                characters.next();
                text.push(' ');
            }
            _ => text.push(character),
        }
    }
    panic!("a text does not end: {}", &code[..code.len().min(80)]);
}

/// A script without its comments, which begin with one of the marks: at the start of a line or behind a blank.
pub fn without_comments(script: &str, mark: &str) -> String {
    let code = script.lines().map(|line| {
        let starts = line.match_indices(mark);
        let mut starts = starts.filter(|(at, _)| line[..*at].trim_end().len() < *at || *at == 0);
        starts.next().map_or(line, |(at, _)| &line[..at])
    });
    code.collect::<Vec<_>>().join("\n")
}

/// A page without what stands between backquotes on one line.
pub fn without_code(page: &str) -> String {
    let outside = page.lines().map(|line| {
        if line.matches('`').count() % 2 == 1 {
            return line.to_owned();
        }
        line.split('`').step_by(2).collect::<Vec<_>>().join("…")
    });
    outside.collect::<Vec<_>>().join("\n")
}

/// All files below a folder that have one of the endings, but for those in folders that hold no text of ours.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    const LEFT_OUT: [&str; 6] = ["node_modules", "test", "tests", "testing", "dist", "target"];
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() {
                folders.extend((!LEFT_OUT.contains(&name)).then_some(path));
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "{} has no files", folder.display());
    files
}
