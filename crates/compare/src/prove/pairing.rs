//! Which of several findings of one rule at one place the second side speaks of: a function may make blocks in many lines, and
//! these move when its code changes.

use crate::places::SAME;
use deadweight_weighing::Finding;
use serde_json::Value;

use super::outcome::frees_most;
use crate::align::Names;
use crate::judging::are_of_one_sort;

/// How alike two findings are: the figures that they have in common, where each frees most, and the fingerprint.
type Likeness = (usize, bool, bool);

/// The finding of the first side that one of the second side is, where several of one sort stand at its place: each of these
/// goes with the one that it is most like, the most alike first. None where its place has one finding alone, or where it is
/// not more like one of them than like another.
pub(super) fn of_several<'w>(
    other: &Finding,
    [first, second]: [&'w [Finding]; 2],
    names: &Names,
) -> Option<&'w Finding> {
    let place = names.place(&other.holder);
    let is_kin = |finding: &Finding, holder: &str| {
        are_of_one_sort(finding, other) && finding.external == other.external && holder == place
    };
    let mut was: Vec<&Finding> = first
        .iter()
        .filter(|finding| is_kin(finding, &finding.holder))
        .collect();
    if place.is_empty() || was.len() < 2 {
        return None;
    }
    let mut is: Vec<&Finding> = second
        .iter()
        .filter(|finding| is_kin(finding, &names.place(&finding.holder)))
        .collect();
    loop {
        let pairs = was.iter().enumerate().flat_map(|(a, first)| {
            let others = is.iter().enumerate();
            others.map(move |(b, second)| (likeness(first, second), a, b))
        });
        let pairs: Vec<(Likeness, usize, usize)> = pairs.collect();
        let &(most, a, b) = pairs.iter().max_by_key(|(likeness, ..)| *likeness)?;
        let is_only = pairs
            .iter()
            .all(|(likeness, c, d)| *likeness < most || (*c == a) == (*d == b));
        let is_this = |at: usize| std::ptr::eq(is[at], other);
        if !is_only {
            return None;
        }
        if is_this(b) {
            return Some(was[a]);
        }
        was.remove(a);
        is.remove(b);
    }
}

fn likeness(first: &Finding, second: &Finding) -> Likeness {
    let (a, b) = (figures(first), figures(second));
    let near = |a: f64, b: f64| (a - b).abs() <= SAME * a.abs().max(b.abs());
    let alike = a.iter().filter(|(name, figure)| {
        let same = b.iter().find(|(other, _)| other == name);
        same.is_some_and(|(_, other)| near(*figure, *other))
    });
    (
        alike.count(),
        frees_most(first) == frees_most(second),
        first.fingerprint == second.fingerprint,
    )
}

/// All figures of a finding, by name.
fn figures(finding: &Finding) -> Vec<(String, f64)> {
    let mut figures = vec![
        ("count".to_owned(), finding.count as f64),
        ("unaffected".to_owned(), finding.unaffected as f64),
        ("saves_alone".to_owned(), finding.saves_alone as f64),
    ];
    for (name, value) in &finding.evidence {
        add(&mut figures, name, value);
    }
    figures
}

fn add(figures: &mut Vec<(String, f64)>, name: &str, value: &Value) {
    match value {
        Value::Number(number) => figures.extend(number.as_f64().map(|figure| (name.to_owned(), figure))),
        Value::Object(object) => {
            for (inner, value) in object {
                add(figures, &format!("{name}.{inner}"), value);
            }
        }
        _ => {}
    }
}
