//! Weighings in lines of JSON, one a line.

use std::io::{self, BufRead};

/// Longer lines are not read.
const LONGEST: u64 = 64 << 20;

/// A line.
pub(super) enum Line {
    /// Its content.
    Content(Vec<u8>),
    /// It is too long, and was passed over.
    TooLong,
}

/// The next line that is not blank, without its end; `None` behind the last.
pub(super) fn next(from: &mut dyn BufRead, number: &mut u64) -> io::Result<Option<Line>> {
    loop {
        let mut content = Vec::new();
        let read = io::Read::take(&mut *from, LONGEST).read_until(b'\n', &mut content)?;
        if read == 0 {
            return Ok(None);
        }
        *number += 1;
        if content.last() != Some(&b'\n') && read as u64 == LONGEST {
            skip(from)?;
            return Ok(Some(Line::TooLong));
        }
        if !content.trim_ascii().is_empty() {
            return Ok(Some(Line::Content(content)));
        }
    }
}

fn skip(from: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = from.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |at| at + 1);
        let is_end = end.is_some() || buffer.is_empty();
        from.consume(taken);
        if is_end {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_count_and_are_passed_over() {
        let mut from = &b"{}\n\n  \n[]"[..];
        let mut number = 0;
        let mut lines = Vec::new();
        while let Some(Line::Content(line)) = next(&mut from, &mut number).unwrap() {
            lines.push((number, line));
        }
        assert_eq!(lines, [(1, b"{}\n".to_vec()), (4, b"[]".to_vec())]);
    }

    #[test]
    fn a_line_without_end_is_passed_over() {
        let long = vec![b'x'; LONGEST as usize + 10];
        let mut content = long;
        content.extend(b"\n{}\n");
        let mut from = &content[..];
        let mut number = 0;
        assert!(matches!(
            next(&mut from, &mut number).unwrap(),
            Some(Line::TooLong)
        ));
        assert!(
            matches!(next(&mut from, &mut number).unwrap(), Some(Line::Content(line)) if line == b"{}\n")
        );
    }
}
