//! The pages of the docs, followed as a reader would: files that a page shows are saved, and what stands in blocks
//! marked `console` is run, each line behind `$`. What a page shows as output must come, in its order; figures and ids
//! are other ones each time.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What a reader does next.
#[derive(Debug, PartialEq)]
enum Part {
    /// Saves a file.
    File { name: String, text: String },
    /// Gives a command, and sees lines that it prints.
    Step { command: String, shown: Vec<String> },
}

/// The parts of a page, in its order. `<!-- file: NAME -->` stands before the block that has the file's text.
fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut file = None;
    let mut block: Option<(&str, Vec<&str>)> = None;
    for line in page.lines() {
        let Some(fence) = line.strip_prefix("```") else {
            if let Some((_, lines)) = &mut block {
                lines.push(line);
            } else {
                let named = line.strip_prefix("<!-- file: ");
                file = named.and_then(|rest| rest.strip_suffix(" -->")).or(file);
            }
            continue;
        };
        let Some((language, lines)) = block.take() else {
            block = Some((fence, Vec::new()));
            continue;
        };
        if let Some(name) = file.take() {
            let (name, text) = (name.to_owned(), lines.join("\n") + "\n");
            parts.push(Part::File { name, text });
        } else if language == "console" {
            parts.extend(steps(&lines));
        }
    }
    parts
}

/// The commands of a block, each with the lines behind it.
fn steps(lines: &[&str]) -> Vec<Part> {
    let mut steps = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            let (command, shown) = (command.to_owned(), Vec::new());
            steps.push(Part::Step { command, shown });
        } else if !line.trim().is_empty() && *line != "…" {
            let Some(Part::Step { shown, .. }) = steps.last_mut() else {
                panic!("{line} stands before any command");
            };
            shown.push((*line).to_owned());
        }
    }
    steps
}

/// A line without what differs from run to run: numbers with their units, and how many blanks there are.
fn alike(line: &str) -> String {
    let mut text = String::new();
    let mut is_number = false;
    for character in line.chars() {
        let continues = is_number && matches!(character, '.' | ',');
        if character.is_ascii_digit() || continues {
            if !is_number {
                text.push('#');
            }
            is_number = true;
        } else {
            is_number = false;
            text.push(character);
        }
    }
    let words = text.split_whitespace();
    words
        .filter(|word| !["kB", "MB", "B"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
}

fn page(name: &str) -> String {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Follows a page in a folder of its own, where the programs of the first page are already.
fn follow(name: &str) {
    let is_file = |part: &Part| matches!(part, Part::File { .. });
    let programs = parts(&page("docs/first-weighing.md")).into_iter().filter(is_file);
    let own = parts(&page(name));
    assert!(!own.iter().all(is_file), "{name} has no commands to follow");
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().canonicalize().expect("a path");
    let binary = Path::new(env!("CARGO_BIN_EXE_deadweight"));
    let beside = binary.parent().expect("a folder").to_string_lossy();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    for part in programs.chain(own) {
        let (command, shown) = match part {
            Part::File { name, text } => {
                fs::write(home.join(name), text).expect("a file");
                continue;
            }
            Part::Step { command, shown } => (command, shown),
        };
        let done = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(&home)
            .env("PATH", &path)
            .env("COLUMNS", "120")
            .output()
            .expect("a shell");
        let output = String::from_utf8_lossy(&done.stdout);
        // Pages shorten paths.
        let output = output.replace(&format!("{}/", home.display()), "");
        assert!(
            done.status.success(),
            "{name}: {command}: {}\n{output}",
            done.status
        );
        let mut lines = output.lines().map(alike);
        for line in &shown {
            let wanted = alike(line);
            assert!(
                lines.any(|line| line == wanted),
                "{name}: {command} does not print this, or not in this order: {line}\n{output}"
            );
        }
    }
}

#[test]
fn a_first_weighing_goes_as_its_page_says() {
    follow("docs/first-weighing.md");
}

#[test]
fn budgets_and_a_baseline_are_set_as_the_guide_says() {
    follow("docs/guides/ci.md");
}

#[test]
fn a_page_is_taken_apart_into_files_and_commands() {
    let page = "Text\n<!-- file: a.js -->\n\n```js\nlet a = 1;\n```\n\n```console\n$ node a.js\nout 12.5 MB\n…\n$ ls\n```\n```text\n$ no\n```\n";
    let step = |command: &str, shown: &[&str]| Part::Step {
        command: command.to_owned(),
        shown: shown.iter().map(|line| (*line).to_owned()).collect(),
    };
    let (name, text) = ("a.js".to_owned(), "let a = 1;\n".to_owned());
    assert_eq!(
        parts(page),
        [
            Part::File { name, text },
            step("node a.js", &["out 12.5 MB"]),
            step("ls", &[])
        ]
    );
    assert_eq!(
        alike("held  12.5 MB of 1,000 (3 %)"),
        alike("held 7 kB of 99 (12.5 %)")
    );
    assert_ne!(alike("held 12 MB"), alike("external 12 MB"));
}
