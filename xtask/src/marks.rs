//! Parts of `docs/benchmarks.md` that chores write: what stands between two marks.

use std::fs;

use anyhow::Context;

use deadweight_tools::workspace;

/// Writes a part of the page anew.
///
/// # Errors
/// When the page has no marks of this name, or cannot be written.
pub fn write(name: &str, text: &str) -> anyhow::Result<()> {
    let path = workspace::root().join("docs").join("benchmarks.md");
    let shown = || path.display().to_string();
    let page = fs::read_to_string(&path).with_context(shown)?;
    fs::write(&path, between(&page, name, text).with_context(shown)?).with_context(shown)
}

/// The page with other text between the marks of this name.
fn between(page: &str, name: &str, text: &str) -> anyhow::Result<String> {
    let (begin, end) = (
        format!("<!-- {name}: begin -->\n"),
        format!("<!-- {name}: end -->"),
    );
    let (before, rest) = page
        .split_once(&begin)
        .with_context(|| format!("{begin:?} is not there"))?;
    let (_, after) = rest
        .split_once(&end)
        .with_context(|| format!("{end:?} is not there"))?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let page = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n";
        let new = between(page, "x", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- x: begin -->\nnew\n<!-- x: end -->\nb\n");
        assert_eq!(between(&new, "x", "new\n").unwrap(), new);
        assert!(between(page, "y", "new").is_err());
    }
}
