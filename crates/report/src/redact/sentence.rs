//! Sentences of ours and lines of source, without what they quote of the program.

use super::{Redaction, last};

/// What literals of source stand between; a pattern may stand between slashes.
const QUOTES: [char; 4] = ['"', '\'', '`', '/'];

/// What begins a comment, or a text that goes on in the next lines.
const OPEN: [&str; 6] = ["//", "/*", "# ", "<<~", "<<-", "\"\"\""];

impl Redaction {
    /// A sentence of ours: texts between quotes, literals of the code between backquotes, and the directories of places
    /// are the program's.
    pub(super) fn sentence(&self, text: &str) -> String {
        let text = self.between(text, '"');
        let (mut shown, mut rest) = (String::with_capacity(text.len()), text.as_str());
        while let Some(first) = rest.find('`') {
            let code = &rest[first + 1..];
            // Code may hold such quotes itself: it ends where a word does.
            let ends = |at: &usize| {
                code[at + 1..]
                    .chars()
                    .next()
                    .is_none_or(|next| " ,.;:".contains(next))
            };
            let end = code.match_indices('`').map(|(at, _)| at).find(ends);
            let end = end.unwrap_or(code.len());
            shown.push_str(&rest[..=first]);
            shown.push_str(&self.literals(&code[..end]));
            shown.push_str(&code[end..][..usize::from(end < code.len())]);
            rest = code.get(end + 1..).unwrap_or_default();
        }
        shown.push_str(rest);
        self.places(&shown)
    }

    /// Lines of source without the texts in them. Where one of them goes beyond its line, the lines are not told apart.
    pub(super) fn source(&self, lines: &mut [String]) {
        let is_open = |line: &String| {
            let odd = |quote: &char| line.matches(*quote).count() % 2 == 1;
            QUOTES[..3].iter().any(odd) || OPEN.iter().any(|begin| line.contains(begin))
        };
        let open = lines.iter().any(is_open);
        for line in lines.iter_mut().filter(|line| !line.trim().is_empty()) {
            *line = if open {
                let indent = line.len() - line.trim_start().len();
                format!("{}{}", &line[..indent], self.hash(line.trim()))
            } else {
                self.literals(line)
            };
        }
    }

    /// Places in code without their directories, which say more of a machine than of the program; addresses of servers
    /// are data.
    pub(super) fn places(&self, text: &str) -> String {
        let words = text.split(' ').map(|word| {
            let begin = word.find(|character| !"(`'\"".contains(character)).unwrap_or(0);
            let (mark, place) = word.split_at(begin);
            if place.contains("://") {
                format!("{mark}{}", self.hash(place))
            } else if is_place(place) {
                format!("{mark}{}", last(place))
            } else {
                word.to_owned()
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Code without its literals; one that is cut off ends nowhere.
    pub(super) fn literals(&self, code: &str) -> String {
        QUOTES
            .into_iter()
            .fold(code.to_owned(), |code, quote| match code.find(quote) {
                Some(first) if quote != '/' && code.matches(quote).count() % 2 == 1 => {
                    let (before, text) = code.split_at(first + 1);
                    format!("{before}{}", self.hash(text))
                }
                _ => self.between(&code, quote),
            })
    }
}

/// Whether it names a file by its directories: from the root on, or with an ending or a line behind its name.
fn is_place(word: &str) -> bool {
    let Some((directory, file)) = word.rsplit_once('/') else {
        return false;
    };
    let is_named = file
        .match_indices(['.', ':'])
        .any(|(at, _)| at > 0 && file[at + 1..].starts_with(char::is_alphanumeric));
    (word.starts_with(['/', '~']) && !(directory.is_empty() && file.is_empty())) || is_named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_lose_what_they_quote_and_where_it_lies() {
        let redaction = Redaction::default();
        for (text, kept) in [
            (
                "`MAGIC[\"Johanna\"]` at payroll/before.cr:167 looks up a table",
                "` at before.cr:167 looks up a table",
            ),
            (
                "`text.split('Johanna').length` makes 12 objects",
                ").length` makes 12 objects",
            ),
            ("`text.split(/Johanna/)` makes 12 objects", "/)` makes 12 objects"),
            (
                "`text.split('Johan na is…` makes 12 objects",
                "` makes 12 objects",
            ),
            (
                "`f(`Johanna`)` and `g(`payroll`)` make 12 objects",
                "`)` make 12 objects",
            ),
            ("made in (/home/payroll/bin/server:12)", "made in (server:12)"),
            ("weigh /home/payroll/app.rb again", "weigh app.rb again"),
        ] {
            let shown = redaction.sentence(text);
            assert!(shown.ends_with(kept), "{shown}");
            for secret in ["Johan", "payroll", "na is"] {
                assert!(!shown.contains(secret), "{shown}");
            }
        }
        for ours in ["3 MB/s and/or more", "a / b", "take `find` in place of `select`"] {
            assert_eq!(redaction.sentence(ours), ours);
        }
    }

    #[test]
    fn source_keeps_its_names() {
        let redaction = Redaction::default();
        let shown = |lines: &[&str]| {
            let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            redaction.source(&mut lines);
            lines.join("\n")
        };
        let line = shown(&["  page.split('Johanna').length"]);
        assert!(
            line.starts_with("  page.split('#") && line.ends_with("').length"),
            "{line}"
        );
        for open in [
            &["page.split(`", "Johanna", "`)"][..],
            &["page.lines.count # as Johanna asked for"],
            &["page.split(x) // for Johanna"],
            &["puts <<~END", "  Johanna", "END"],
        ] {
            assert!(!shown(open).contains("Johanna"), "{}", shown(open));
        }
    }
}
