//! `cargo xtask site`: the docs as a site in `target/site/book`, by mdBook.

mod links;
mod pages;

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use deadweight_rules::rulebook;
use deadweight_tools::shell::Shell;
use deadweight_tools::workspace;

use self::pages::Pages;

/// The version of mdBook; another may write other pages.
const MDBOOK: &str = "0.5.4";

/// How mdBook makes the site. Its preprocessors are off: they would take `{{…}}` in a page for a command, and pages
/// keep the names that they have in the repository.
const BOOK: &str = r#"[book]
title = "Deadweight"
description = "How much of a program's memory is dead weight, where it is, and what each fix saves"
language = "en"
src = "src"

[build]
build-dir = "book"
create-missing = false
use-default-preprocessors = false

[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
"#;

/// `cargo xtask site`.
#[derive(Args, Debug)]
pub struct Site {}

/// Makes the site. False when a page warns or a link of the site leads nowhere.
///
/// # Errors
/// When mdBook cannot be installed or a page cannot be read.
pub fn run(_: &Site) -> anyhow::Result<bool> {
    let pages = Pages::of(workspace::root(), &rules())?;
    let wrong = pages.wrong()?;
    if !wrong.is_empty() {
        for wrong in wrong {
            eprintln!("{wrong}");
        }
        return Ok(false);
    }
    let site = workspace::root().join("target/site");
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    pages.gather(&site.join("src"))?;
    fs::write(site.join("book.toml"), BOOK)?;
    let mut warnings = 0_usize;
    Shell::new(mdbook()?)
        .args([OsStr::new("build"), site.as_os_str()])
        .watched(|line| warnings += usize::from(is_warning(line)))?;
    let broken = links::broken(&site.join("book"))?;
    for link in &broken {
        eprintln!("{link}");
    }
    println!("{}", site.join("book/index.html").display());
    Ok(warnings == 0 && broken.is_empty())
}

fn is_warning(line: &str) -> bool {
    let line = line.trim_start();
    ["WARN", "ERROR"].iter().any(|level| line.starts_with(level))
}

/// A line of the summary for each rule.
fn rules() -> String {
    let book = rulebook();
    let lines = book
        .pages()
        .iter()
        .map(|page| format!("  - [{} {}](rules/{}.md)", page.code, page.title, page.code));
    lines.collect::<Vec<_>>().join("\n")
}

/// mdBook below `target/tools`, built there the first time.
fn mdbook() -> anyhow::Result<PathBuf> {
    let home = workspace::root().join(format!("target/tools/mdbook-{MDBOOK}"));
    let binary = home.join("bin/mdbook");
    if !binary.is_file() {
        eprintln!("building mdBook {MDBOOK}, once");
        let features = ["--no-default-features", "--features", "search"];
        Shell::new("cargo")
            .args(["install", "mdbook", "--locked", "--version", MDBOOK])
            .args(features)
            .args([OsStr::new("--root"), home.as_os_str()])
            .inherit()?;
    }
    ensure!(binary.is_file(), "{} was not built", binary.display());
    Ok(binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_reachable_and_every_link_leads_to_one() {
        let pages = Pages::of(workspace::root(), &rules()).expect("pages");
        let wrong = pages.wrong().expect("pages can be read");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
