//! `cargo xtask docs`: the pages that are made from code.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use deadweight_rules::rulebook;

use deadweight_tools::workspace;

/// `cargo xtask docs`.
#[derive(Args, Debug)]
pub struct Docs {
    /// Write nothing; fail when a page is not what the code says
    #[arg(long)]
    pub check: bool,
}

/// Writes the pages, or looks whether they are as they would be written.
///
/// # Errors
/// When a page cannot be written.
pub fn run(docs: &Docs) -> anyhow::Result<bool> {
    let root = workspace::root().join("docs");
    let pages = pages();
    let mut stale: Vec<String> = pages
        .iter()
        .filter(|(path, text)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text))
        .map(|(path, _)| format!("docs/{}", path.display()))
        .collect();
    let orphans = orphans(&root, &pages);
    stale.extend(
        orphans
            .iter()
            .map(|path| format!("docs/{} (of a rule that is gone)", path.display())),
    );
    if docs.check {
        for page in &stale {
            eprintln!("{page} is not what the code says: run `cargo xtask docs`");
        }
        return Ok(stale.is_empty());
    }
    for (path, text) in &pages {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&root))?;
        fs::write(&path, text).with_context(|| format!("{} could not be written", path.display()))?;
    }
    for path in orphans {
        fs::remove_file(root.join(path))?;
    }
    println!("{} pages, {} of them changed", pages.len(), stale.len());
    Ok(true)
}

/// Every page with its path below docs/.
fn pages() -> Vec<(PathBuf, String)> {
    let mut index = String::from(
        "# Rules\n\nThis page and those of the rules are made from their source files: `cargo xtask docs`.\n\n\
         | rule | what it finds |\n|---|---|\n",
    );
    let mut pages = Vec::new();
    for page in rulebook().pages() {
        let code = page.code;
        writeln!(index, "| [{code}]({code}.md) | {} |", page.title).expect("a string takes all");
        pages.push((PathBuf::from(format!("rules/{code}.md")), page.markdown.clone()));
    }
    pages.push((PathBuf::from("rules/README.md"), index));
    for (name, schema) in [
        ("weighing.schema.json", deadweight_weighing::schema()),
        ("proof.schema.json", deadweight_compare::proof::schema()),
    ] {
        pages.push((PathBuf::from(name), schema));
    }
    pages
}

/// Pages of rules that there are no more.
fn orphans(root: &Path, pages: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root.join("rules")) else {
        return Vec::new();
    };
    entries
        .flatten()
        .map(|entry| Path::new("rules").join(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| !pages.iter().any(|(page, _)| page == path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_and_a_row_in_the_index() {
        let pages = pages();
        let index = &pages
            .iter()
            .find(|(path, _)| path.ends_with("README.md"))
            .expect("an index")
            .1;
        for page in rulebook().pages() {
            let code = page.code;
            assert!(
                pages.iter().any(|(path, _)| path.ends_with(format!("{code}.md"))),
                "{code}"
            );
            assert!(index.contains(&format!("[{code}]({code}.md)")), "{code}");
        }
    }
}
