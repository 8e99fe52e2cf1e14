//! Every command that a page of the docs shows is one that the command line takes.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;

use crate::arguments::Arguments;

/// Names that pages write for what a reader puts there, where the command line wants more than a path.
const STANDS_FOR: [(&str, &str); 4] = [
    ("PID", "4711"),
    ("SHELL", "bash"),
    ("CODE", "D01"),
    ("ADDRESS", "http://127.0.0.1:9222"),
];

/// Pages below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && name != "node_modules" {
            pages.extend(self::pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages
}

/// The commands in a page's blocks of code: in what is indented or fenced, lines that begin with the program's name.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            continue;
        }
        let code = match (is_fenced, line.strip_prefix("    ")) {
            (true, _) => line,
            (false, Some(code)) => code,
            (false, None) => continue,
        };
        let code = code
            .trim_start()
            .trim_start_matches("$ ")
            .trim_start_matches("- run: ");
        // Two blanks are a report's heading, and a colon a note's.
        let is_command = code
            .strip_prefix("deadweight ")
            .is_some_and(|rest| !rest.starts_with(' '));
        commands.extend(is_command.then(|| code.to_owned()));
    }
    commands
}

/// A command's words as a shell would part them, without its comment, and up to where it is joined to something else.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for character in command.chars().chain([' ']) {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, ' ') => {
                if ["#", "|", "<", ">", "&&", "||", "\\", ";"].contains(&word.as_str()) {
                    return words;
                }
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            _ => word.push(character),
        }
    }
    words
}

/// What is wrong with a command; nothing when it is one.
fn wrong(command: &str) -> Option<String> {
    let words = words(command)
        .into_iter()
        .filter(|word| !word.starts_with(['[', '…']));
    let words: Vec<String> = words
        .map(|word| {
            let known = STANDS_FOR.iter().find(|(name, _)| *name == word);
            // What another command prints is a number or a path.
            let printed = word.starts_with("$(").then_some("4711");
            known
                .map(|known| known.1)
                .or(printed)
                .map_or(word.clone(), str::to_owned)
        })
        .collect();
    let error = Arguments::try_parse_from(&words).err()?;
    let is_shown = matches!(
        error.kind(),
        clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion
    );
    (!is_shown).then(|| error.to_string())
}

#[test]
fn pages_show_commands_that_are_taken() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut pages = pages(&root.join("docs"));
    pages.extend(pages_beside(root));
    let (mut number, mut bad) = (0, Vec::new());
    for page in &pages {
        for command in commands(&fs::read_to_string(page).expect("text")) {
            number += 1;
            bad.extend(wrong(&command).map(|why| format!("{}: {command}\n{why}", page.display())));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(number > 60, "only {number} commands were found");
}

/// Pages outside of `docs` that users read.
fn pages_beside(root: &Path) -> Vec<PathBuf> {
    let folders = [
        "recorders/node",
        "recorders/ruby",
        "crates/recorder",
        "testing/node",
        "testing/ruby",
        "testing/cpp",
    ];
    let beside = folders.map(|folder| root.join(folder).join("README.md"));
    [root.join("README.md")].into_iter().chain(beside).collect()
}

#[test]
fn commands_are_found_and_judged() {
    let page = "    deadweight weigh x  # all\n    deadweight  a heading\n    deadweight: a note\n```console\n$ deadweight rules\n```\ndeadweight in prose\n";
    assert_eq!(commands(page), ["deadweight weigh x  # all", "deadweight rules"]);
    assert_eq!(
        words("deadweight run --when 'rss>5MB' -- a b | c"),
        ["deadweight", "run", "--when", "rss>5MB", "--", "a", "b"]
    );
    assert_eq!(wrong("deadweight attach PID"), None);
    assert_eq!(wrong("deadweight attach \"$(pidof node)\""), None);
    assert!(wrong("deadweight weigh --nosuch x").is_some_and(|why| why.contains("--nosuch")));
}
