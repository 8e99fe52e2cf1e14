//! Where in the source an allocation site is.

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the runtime calls it.
    pub file: String,
    /// Its line, from 1.
    pub line: u64,
}

/// The line that a site names: `src/client.cr:107`, `get (src/client.js:12:3)`, `insert at map.cpp:40`. None when it
/// names only a function.
#[must_use]
pub fn location(site: &str) -> Option<Location> {
    let site = site.trim().trim_end_matches(')');
    let start = site.rfind(['(', ' ']).map_or(0, |at| at + 1);
    let place = site[start..].trim_start_matches("file://");
    let (head, last) = place.rsplit_once(':')?;
    let number = |text: &str| text.parse::<u64>().ok().filter(|line| *line > 0);
    let last = number(last)?;
    let (file, line) = match head.rsplit_once(':') {
        // A column follows the line.
        Some((file, line)) if number(line).is_some() => (file, number(line)?),
        _ => (head, last),
    };
    (!file.is_empty()).then(|| Location {
        file: file.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_the_ways_runtimes_write_them() {
        let cases = [
            ("src/client.cr:107", Some(("src/client.cr", 107))),
            ("get (src/client.js:12:3)", Some(("src/client.js", 12))),
            ("insert (map.cpp:40)", Some(("map.cpp", 40))),
            ("file:///srv/app.mjs:7:1", Some(("/srv/app.mjs", 7))),
            ("main", None),
            ("libfoo.so+0x1234", None),
            (":12", None),
            ("a:0", None),
        ];
        for (site, expected) in cases {
            let found = location(site);
            let found = found.as_ref().map(|found| (found.file.as_str(), found.line));
            assert_eq!(found, expected, "{site}");
        }
    }
}
