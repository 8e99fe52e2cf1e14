//! Texts as JSON escapes them.

/// A text of a dump as the program has it. What no writer escapes so stays as it is.
pub(crate) fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if !text.contains('\\') {
        return text.into_owned();
    }
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn escapes_are_resolved_where_they_are_some() {
        assert_eq!(plain(br#"a \"b\" \u00e9.js"#), "a \"b\" \u{e9}.js");
        assert_eq!(
            (plain(b"a.js").as_str(), plain(br"a\q").as_str()),
            ("a.js", r"a\q")
        );
    }
}
