//! A rule's page: the head comment of its source file.

use crate::Code;

/// What a rule is, why it costs, how it is found and mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The rule's code.
    pub code: Code,
    /// The first heading, without the code: `equal strings`.
    pub title: String,
    /// The whole page in Markdown.
    pub markdown: String,
}

impl Page {
    /// Takes the `//!` lines at the head of a source file.
    #[must_use]
    pub fn of_source(code: Code, source: &str) -> Self {
        let lines = source.lines().take_while(|line| line.starts_with("//!"));
        let mut markdown = String::new();
        for line in lines {
            let text = line.trim_start_matches("//!");
            markdown.push_str(text.strip_prefix(' ').unwrap_or(text));
            markdown.push('\n');
        }
        let heading = markdown
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches('#')
            .trim();
        let title = heading
            .split_once(' ')
            .map_or(heading, |(_, rest)| rest.trim_start_matches(['·', ' ']));
        Self {
            code,
            title: title.to_owned(),
            markdown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_head_comment() {
        let page = Page::of_source(
            Code("D01"),
            "//! # D01 · equal strings\n//!\n//! The text.\n\nuse x;\n//! not this",
        );
        assert_eq!(page.title, "equal strings");
        assert_eq!(page.markdown, "# D01 · equal strings\n\nThe text.\n");
    }
}
