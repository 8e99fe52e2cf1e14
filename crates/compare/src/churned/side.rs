//! The lines of one side, by function.

use std::collections::BTreeMap;

use deadweight_weighing::{Allocated, Finding};

use super::bag::Bag;

/// A function: its file and its name.
pub(super) type Function = (String, String);

/// A line of a function.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// As the side calls it.
    pub(super) site: String,
    /// Its number; 0 when it has none.
    pub(super) number: u32,
    pub(super) makes: Bag,
}

/// Functions with their lines, in the order of the source.
pub(super) type Functions = BTreeMap<Function, Vec<Line>>;

/// All lines of a side, its figures taken times `scale`.
pub(super) fn functions(allocated: &Allocated, scale: f64) -> Functions {
    let mut functions = Functions::new();
    for at in &allocated.places {
        let (file, number) = parts(&at.site);
        let lines = functions
            .entry((file.to_owned(), at.function.clone()))
            .or_default();
        let known = lines.iter().position(|line| line.site == at.site);
        let known = known.unwrap_or_else(|| {
            lines.push(Line {
                site: at.site.clone(),
                number,
                makes: Bag::default(),
            });
            lines.len() - 1
        });
        lines[known].makes.add(at, scale);
    }
    for lines in functions.values_mut() {
        lines.sort_by(|a, b| (a.number, &a.site).cmp(&(b.number, &b.site)));
    }
    functions
}

/// All that a function makes.
pub(super) fn whole(lines: &[Line]) -> Bag {
    let mut bag = Bag::default();
    for line in lines {
        bag.take(&line.makes);
    }
    bag
}

/// File and line of a place.
pub(super) fn parts(site: &str) -> (&str, u32) {
    let cut = site.rsplit_once(':');
    let parts = cut.and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parts.unwrap_or((site, 0))
}

/// Where a finding is, for a person: its line and the function around it.
pub(super) fn place(finding: &Finding) -> String {
    match (&finding.site, finding.holder.as_str()) {
        (Some(site), "") => site.clone(),
        (Some(site), function) => format!("{function} ({site})"),
        (None, function) => function.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_apart() {
        assert_eq!(parts("src/a.rb:17"), ("src/a.rb", 17));
        assert_eq!(parts("node:internal/fs"), ("node:internal/fs", 0));
        assert_eq!(parts(""), ("", 0));
    }
}
