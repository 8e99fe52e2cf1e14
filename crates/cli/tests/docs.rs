//! The pages of the docs, followed as a reader would: files that a page shows are written, and what stands in blocks
//! marked `console` is run, each line behind `$`. What a page shows as output must come, in its order; figures and ids
//! are other ones each time.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command of a page, and lines that it prints.
#[derive(Debug, Default, PartialEq)]
struct Step {
    command: String,
    shown: Vec<String>,
}

/// The files and steps of a page. `<!-- file: NAME -->` stands before the block that has the file's text.
fn parts(page: &str) -> (Vec<(String, String)>, Vec<Step>) {
    let (mut files, mut steps) = (Vec::new(), Vec::<Step>::new());
    let mut file = None;
    let mut block: Option<(&str, Vec<&str>)> = None;
    for line in page.lines() {
        let Some(fence) = line.strip_prefix("```") else {
            match &mut block {
                Some((_, lines)) => lines.push(line),
                None => {
                    let named = line.strip_prefix("<!-- file: ");
                    file = named.and_then(|rest| rest.strip_suffix(" -->")).or(file);
                }
            }
            continue;
        };
        let Some((language, lines)) = block.take() else {
            block = Some((fence, Vec::new()));
            continue;
        };
        if let Some(name) = file.take() {
            files.push((name.to_owned(), lines.join("\n") + "\n"));
        } else if language == "console" {
            for line in lines {
                if let Some(command) = line.strip_prefix("$ ") {
                    let command = command.to_owned();
                    steps.push(Step {
                        command,
                        shown: Vec::new(),
                    });
                } else if !line.trim().is_empty() && line != "…" {
                    let step = steps.last_mut().expect("a command before its output");
                    step.shown.push(line.to_owned());
                }
            }
        }
    }
    (files, steps)
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

/// Follows a page in a folder of its own.
fn follow(page: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let text = fs::read_to_string(root.join(page)).expect(page);
    let (files, steps) = parts(&text);
    assert!(!steps.is_empty(), "{page} has no commands to follow");
    let home = tempfile::tempdir().expect("a folder");
    let home_path = home.path().canonicalize().expect("a path");
    for (name, text) in files {
        fs::write(home_path.join(name), text).expect("a file");
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_deadweight"));
    let beside = binary.parent().expect("a folder").to_string_lossy();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    for Step { command, shown } in steps {
        let done = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(&home_path)
            .env("PATH", &path)
            .env("COLUMNS", "120")
            .output()
            .expect("a shell");
        let output = String::from_utf8_lossy(&done.stdout);
        // Pages shorten paths.
        let output = output.replace(&format!("{}/", home_path.display()), "");
        assert!(
            done.status.success(),
            "{page}: {command}: {}\n{output}",
            done.status
        );
        let mut lines = output.lines().map(alike);
        for line in &shown {
            let wanted = alike(line);
            assert!(
                lines.any(|line| line == wanted),
                "{page}: {command} does not print this, or not in this order: {line}\n{output}"
            );
        }
    }
}

#[test]
fn a_first_weighing_goes_as_its_page_says() {
    follow("docs/first-weighing.md");
}

#[test]
fn a_page_is_taken_apart_into_files_and_commands() {
    let page = "Text\n<!-- file: a.js -->\n\n```js\nlet a = 1;\n```\n\n```console\n$ node a.js\nout 12.5 MB\n…\n$ ls\n```\n```text\n$ no\n```\n";
    let (files, steps) = parts(page);
    assert_eq!(files, [("a.js".to_owned(), "let a = 1;\n".to_owned())]);
    let step = |command: &str, shown: &[&str]| Step {
        command: command.to_owned(),
        shown: shown.iter().map(|line| (*line).to_owned()).collect(),
    };
    assert_eq!(steps, [step("node a.js", &["out 12.5 MB"]), step("ls", &[])]);
    assert_eq!(
        alike("held  12.5 MB of 1,000 (3 %)"),
        alike("held 7 kB of 99 (12.5 %)")
    );
    assert_ne!(alike("held 12 MB"), alike("external 12 MB"));
}
