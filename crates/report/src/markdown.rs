//! The little Markdown that rule pages are written in.

/// One block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block<'t> {
    /// A heading with its level, from 1.
    Heading(usize, &'t str),
    /// Lines that belong together and may be broken anew.
    Paragraph(String),
    /// One entry of a list: its mark, and its text.
    Item(&'t str, String),
    /// Lines to be kept as they are.
    Code(Vec<&'t str>),
}

/// A piece of running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inline<'t> {
    Text(&'t str),
    Code(&'t str),
    Strong(&'t str),
}

/// Takes a page apart. Nothing is lost: what is no known block is a paragraph.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.trim().starts_with("```"));
            blocks.push(Block::Code(code.collect()));
            open = false;
        } else if trimmed.is_empty() {
            open = false;
        } else if !open && line.starts_with("    ") {
            let mut code = vec![&line[4..]];
            while let Some(more) = lines.next_if(|line| line.starts_with("    ")) {
                code.push(&more[4..]);
            }
            blocks.push(Block::Code(code));
        } else if let Some((level, heading)) = heading(trimmed) {
            blocks.push(Block::Heading(level, heading));
            open = false;
        } else if let Some((mark, item)) = item(trimmed) {
            blocks.push(Block::Item(mark, item.to_owned()));
            open = true;
        } else if let (true, Some(Block::Paragraph(text) | Block::Item(_, text))) = (open, blocks.last_mut())
        {
            text.push(' ');
            text.push_str(trimmed);
        } else {
            blocks.push(Block::Paragraph(trimmed.to_owned()));
            open = true;
        }
    }
    blocks
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (level > 0)
        .then_some(())
        .and(text.strip_prefix(' '))
        .map(|text| (level, text.trim()))
}

fn item(line: &str) -> Option<(&str, &str)> {
    let (mark, text) = line.split_once(' ')?;
    let number = mark
        .strip_suffix('.')
        .is_some_and(|digits| digits.parse::<u32>().is_ok());
    (number || matches!(mark, "-" | "*")).then_some((mark, text.trim_start()))
}

/// Takes running text apart. A mark without its partner is text.
pub(crate) fn inlines(text: &str) -> Vec<Inline<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut plain) = (text, 0);
    while let Some(at) = rest[plain..].find(['`', '*']).map(|at| at + plain) {
        let marks = ["`", "**", "*"];
        let mark = marks.into_iter().find(|mark| rest[at..].starts_with(mark));
        let mark = mark.unwrap_or("*");
        let inner = rest[at..].strip_prefix(mark);
        let inner = inner.and_then(|inner| inner.split_once(mark));
        // A single star between words is a factor.
        let is_word =
            |inner: &str| inner.starts_with(char::is_alphanumeric) && inner.ends_with(char::is_alphanumeric);
        let Some((inner, after)) = inner.filter(|(inner, _)| mark != "*" || is_word(inner)) else {
            plain = at + mark.len();
            continue;
        };
        if at > 0 {
            pieces.push(Inline::Text(&rest[..at]));
        }
        pieces.push(if mark == "`" {
            Inline::Code(inner)
        } else {
            Inline::Strong(inner)
        });
        (rest, plain) = (after, 0);
    }
    if !rest.is_empty() {
        pieces.push(Inline::Text(rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_blocks() {
        let page = "# Title\n\nOne\ntwo.\n- item\n  more\n- next\n\n```js\nlet a;\n```\n\n    kept\n";
        let expected = [
            Block::Heading(1, "Title"),
            Block::Paragraph("One two.".to_owned()),
            Block::Item("-", "item more".to_owned()),
            Block::Item("-", "next".to_owned()),
            Block::Code(vec!["let a;"]),
            Block::Code(vec!["kept"]),
        ];
        assert_eq!(blocks(page), expected);
    }

    #[test]
    fn marks_without_partner_are_text() {
        assert_eq!(
            inlines("a `b` **c** d"),
            [
                Inline::Text("a "),
                Inline::Code("b"),
                Inline::Text(" "),
                Inline::Strong("c"),
                Inline::Text(" d")
            ]
        );
        let emphasis = [Inline::Strong("Dates"), Inline::Text(": 2 * 3 * 4")];
        assert_eq!(inlines("*Dates*: 2 * 3 * 4"), emphasis);
        assert_eq!(inlines("2 * 3 `x"), [Inline::Text("2 * 3 `x")]);
        assert_eq!(inlines("a * b `c`"), [Inline::Text("a * b "), Inline::Code("c")]);
    }
}
