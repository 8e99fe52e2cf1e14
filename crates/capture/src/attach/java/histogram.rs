//! The machine's table of classes.

/// Name, objects and bytes of each row, such as `   1:   9698   448336  [B (java.base@17.0.15)`.
pub(super) fn parse(text: &str) -> Vec<(String, u64, u64)> {
    let row = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        words.next()?.strip_suffix(':')?.parse::<u64>().ok()?;
        let (objects, bytes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some((words.next()?.to_owned(), objects, bytes))
    };
    text.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_all_else_is_passed_over() {
        let text = " num     #instances         #bytes  class name (module)\n-----\n   1:          9698         448336  [B (java.base@17.0.15)\n   \
                    2:             3             48  Shop$$Lambda$14/0x0000000800c03000\nTotal         40471        1763288\n";
        assert_eq!(
            parse(text),
            [
                ("[B".to_owned(), 9698, 448_336),
                ("Shop$$Lambda$14/0x0000000800c03000".to_owned(), 3, 48)
            ]
        );
    }
}
