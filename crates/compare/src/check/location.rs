//! Where in the source an allocation site is.

use deadweight_weighing::Finding;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the runtime calls it.
    pub file: String,
    /// Its line, from 1.
    pub line: u64,
}

/// Where a finding is: the line that it names, else that of its site.
#[must_use]
pub fn location_of(finding: &Finding) -> Option<Location> {
    let line = finding.line.as_ref().map(|line| Location {
        file: line.file.clone(),
        line: line.line,
    });
    line.or_else(|| location(finding.site.as_deref()?))
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
    fn the_line_of_a_finding_comes_before_its_site() {
        let mut finding: Finding = serde_json::from_value(serde_json::json!({
            "rule": "D01", "holder": "Row.id", "site": "insert (map.cpp:40)", "count": 7, "unaffected": 1,
            "bytes_now": 9, "bytes_after": 1, "saves": 8, "saves_alone": 8, "external": false, "confidence": "exact",
            "tier": "sure", "assumes": null, "fingerprint": "0123456789abcdef", "title": "", "fix": "", "evidence": {},
            "line": {"file": "src/map.cpp", "line": 41, "column": null, "is": "allocation"},
        }))
        .unwrap();
        let place = |finding: &Finding| location_of(finding).map(|found| (found.file, found.line));
        assert_eq!(place(&finding), Some(("src/map.cpp".to_owned(), 41)));
        finding.line = None;
        assert_eq!(place(&finding), Some(("map.cpp".to_owned(), 40)));
    }

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
