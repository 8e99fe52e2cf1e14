//! The pages of all rules, for reports that quote them.

use crate::Page;

/// What there is to read of each rule. Whoever knows the rules makes it, and hands it to whoever quotes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    pages: Vec<Page>,
}

impl Rulebook {
    /// A book of these pages, sorted by code.
    #[must_use]
    pub fn new(pages: impl IntoIterator<Item = Page>) -> Self {
        let mut pages: Vec<Page> = pages.into_iter().collect();
        pages.sort_unstable_by_key(|page| page.code);
        Self { pages }
    }

    /// Every page, by code.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// The page of the rule of that code, in upper or lower case.
    #[must_use]
    pub fn page(&self, code: &str) -> Option<&Page> {
        self.pages
            .iter()
            .find(|page| page.code.0.eq_ignore_ascii_case(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn pages_are_found_by_code_in_either_case() {
        let page = |code, title| Page::of_source(Code(code), &format!("//! # {code} · {title}\n"));
        let book = Rulebook::new([page("T01", "made"), page("D01", "equal strings")]);
        assert_eq!(
            book.page("d01").map(|page| page.title.as_str()),
            Some("equal strings")
        );
        assert_eq!(book.page("D02"), None);
        let codes: Vec<Code> = book.pages().iter().map(|page| page.code).collect();
        assert_eq!(codes, [Code("D01"), Code("T01")]);
    }
}
