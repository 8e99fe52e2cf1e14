//! Links in pages, and in the site that is made of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where links and pictures of a page lead inside of the repository; what stands in code is none.
pub fn of(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced || line.starts_with("    ") {
            continue;
        }
        let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if !link.contains("://") && !link.starts_with("mailto:") && !link.is_empty() {
                links.push(link.to_owned());
            }
        }
    }
    links
}

/// The names of a page's headings as links have them.
pub fn headings(page: &str) -> BTreeSet<String> {
    let titles = page.lines().filter_map(|line| {
        line.trim_start_matches('#')
            .strip_prefix(' ')
            .filter(|_| line.starts_with('#'))
    });
    titles
        .map(|title| {
            let kept = title
                .chars()
                .filter(|one| one.is_alphanumeric() || " -_".contains(*one));
            kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
        })
        .collect()
}

/// Links of a site that lead to no file of it.
pub fn broken(site: &Path) -> anyhow::Result<Vec<String>> {
    let mut broken = Vec::new();
    let mut folders = vec![site.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                let html = fs::read_to_string(&path)?;
                let targets = targets(&html).into_iter().filter(|link| !exists(&folder, link));
                broken
                    .extend(targets.map(|link| format!("{}: {link}: there is no such file", path.display())));
            }
        }
    }
    Ok(broken)
}

fn targets(html: &str) -> BTreeSet<&str> {
    let of = |mark: &'static str| html.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
    of(" href=\"")
        .chain(of(" src=\""))
        .filter(|link| !link.contains("://") && !link.starts_with(['#', '/']) && !link.starts_with("data:"))
        .collect()
}

fn exists(folder: &Path, link: &str) -> bool {
    let file: PathBuf = folder.join(link.split(['#', '?']).next().unwrap_or_default());
    file.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let page = "[a](b.md#c) ![p](i.png \"title\") `[no](x)` [w](https://x.org)\n```\n[no](y)\n```\n    [no](z)\n";
        assert_eq!(of(page), ["b.md#c", "i.png"]);
    }

    #[test]
    fn headings_are_named_as_links_name_them() {
        let page = "# What it `costs`, and why\n## NOT SEEN\ntext # none\n";
        let names: Vec<String> = headings(page).into_iter().collect();
        assert_eq!(names, ["not-seen", "what-it-costs-and-why"]);
    }

    #[test]
    fn links_of_a_site_that_lead_nowhere_are_found() {
        let site = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(site.path().join(name), text).expect("a page");
        write(
            "a.html",
            "<a href=\"b.html#x\"><a href=\"c.html\"><a href=\"https://x.org\"><img src=\"p.png\">",
        );
        write("b.html", "");
        let broken = broken(site.path()).expect("read");
        assert_eq!(broken.len(), 2, "{broken:?}");
    }
}
