//! The pages of the site, as `docs/SUMMARY.md` lists them, at the places that they have in the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use super::links;

/// Where the summary has the pages of the rules.
const RULES: &str = "@rules@";

/// The pages of the site.
pub struct Pages<'r> {
    root: &'r Path,
    /// The summary with paths from the root of the repository on.
    summary: String,
    /// The texts of the pages by these paths.
    texts: BTreeMap<PathBuf, String>,
}

impl<'r> Pages<'r> {
    /// Those that the summary lists, with the lines for rules in their place.
    pub fn of(root: &'r Path, rules: &str) -> anyhow::Result<Self> {
        let template = fs::read_to_string(root.join("docs/SUMMARY.md")).context("docs/SUMMARY.md")?;
        let mut summary = String::new();
        let mut texts = BTreeMap::new();
        for line in template.replace(RULES, rules).lines() {
            let linked = line
                .split_once("](")
                .and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
            if let Some((name, page)) = linked {
                let page = normal(&Path::new("docs").join(page));
                let text =
                    fs::read_to_string(root.join(&page)).with_context(|| page.display().to_string())?;
                summary.extend([name, "](", &page.to_string_lossy(), ")\n"]);
                texts.insert(page, text);
            } else {
                summary.extend([line, "\n"]);
            }
        }
        Ok(Self { root, summary, texts })
    }

    /// What is wrong with them: pages that the summary lacks, and links that lead nowhere.
    pub fn wrong(&self) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        for page in below(self.root, Path::new("docs"))? {
            if !self.texts.contains_key(&page) && !page.ends_with("SUMMARY.md") {
                wrong.push(format!("{}: docs/SUMMARY.md does not list it", page.display()));
            }
        }
        for (page, text) in &self.texts {
            for link in links::of(text) {
                wrong.extend(self.leads_nowhere(page, &link));
            }
        }
        Ok(wrong)
    }

    fn leads_nowhere(&self, page: &Path, link: &str) -> Option<String> {
        let (file, part) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() {
            page.to_owned()
        } else {
            normal(&page.parent().unwrap_or(Path::new("")).join(file))
        };
        let is_page = target.extension().is_some_and(|extension| extension == "md");
        let why = match self.texts.get(&target) {
            None if is_page => "docs/SUMMARY.md does not list that page",
            None if !self.root.join(&target).exists() => "there is no such file",
            Some(text) if !part.is_empty() && !links::headings(text).contains(part) => {
                "the page has no such heading"
            }
            _ => return None,
        };
        Some(format!("{}: {link}: {why}", page.display()))
    }

    /// Copies them, and what they link to beside pages, into a folder.
    pub fn gather(&self, into: &Path) -> anyhow::Result<()> {
        let mut others = BTreeSet::new();
        for (page, text) in &self.texts {
            write(&into.join(page), text.as_bytes())?;
            let folder = page.parent().unwrap_or(Path::new(""));
            let linked = links::of(text);
            let linked = linked
                .iter()
                .map(|link| link.split('#').next().unwrap_or_default());
            let linked = linked
                .filter(|file| !file.is_empty())
                .map(|file| normal(&folder.join(file)));
            others.extend(linked.filter(|file| !self.texts.contains_key(file)));
        }
        for file in others {
            let bytes = fs::read(self.root.join(&file)).with_context(|| file.display().to_string())?;
            write(&into.join(&file), &bytes)?;
        }
        write(&into.join("SUMMARY.md"), self.summary.as_bytes())
    }
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

/// The pages below a folder, by their paths from the root on.
fn below(root: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            pages.extend(below(root, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_without_a_line_and_links_without_an_end_are_found() {
        let root = tempfile::tempdir().expect("a folder");
        let page = |path: &str, text: &str| write(&root.path().join(path), text.as_bytes()).expect("a page");
        page("docs/SUMMARY.md", "[Start](../README.md)\n- [A](a.md)\n@rules@\n");
        page(
            "README.md",
            "[a](docs/a.md#one-heading) [b](docs/a.md#none) [c](https://x.org) `[d](no.md)`\n",
        );
        page(
            "docs/a.md",
            "# One heading\n[r](rules/R.md) [l](lost.md) [n](nothing.txt) [s](../README.md)\n",
        );
        page("docs/rules/R.md", "# R\n");
        page("docs/lost.md", "# Lost\n");
        let pages = Pages::of(root.path(), "  - [R](rules/R.md)").expect("pages");
        assert_eq!(
            pages.wrong().expect("read"),
            [
                "docs/lost.md: docs/SUMMARY.md does not list it",
                "README.md: docs/a.md#none: the page has no such heading",
                "docs/a.md: lost.md: docs/SUMMARY.md does not list that page",
                "docs/a.md: nothing.txt: there is no such file",
            ]
        );
        assert!(
            pages
                .summary
                .contains("- [A](docs/a.md)\n  - [R](docs/rules/R.md)\n")
        );
    }
}
