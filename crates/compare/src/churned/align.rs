//! Functions that a change has given another name or file.

use super::side::{Function, Functions, Line, whole};

/// How alike what two functions of a file make must be for them to be one under two names.
const ALIKE: f64 = 0.5;

/// The same for functions of different files and names.
const ALMOST: f64 = 0.95;

/// Pairs of functions, the first side's first: those of one name and file, and those that were renamed or moved.
pub(super) fn pairs(before: &Functions, after: &Functions) -> Vec<(Function, Function)> {
    let mut pairs: Vec<(Function, Function)> = before
        .keys()
        .filter(|function| after.contains_key(*function))
        .map(|function| (function.clone(), function.clone()))
        .collect();
    loop {
        let gone: Vec<_> = before
            .iter()
            .filter(|(function, _)| is_own(function) && !pairs.iter().any(|(first, _)| first == *function))
            .collect();
        let come: Vec<_> = after
            .iter()
            .filter(|(function, _)| is_own(function) && !pairs.iter().any(|(_, second)| second == *function))
            .collect();
        let all = gone
            .iter()
            .flat_map(|was| come.iter().map(move |is| (*was, *is)))
            .filter_map(|(was, is)| Some((likeness(was, is, &gone, &come)?, was.0, is.0)));
        // Functions come in the order of their names: the first of equals is always the same.
        let best = all.fold(None, |best: Option<(f64, _, _)>, one| match best {
            Some(best) if best.0 >= one.0 => Some(best),
            _ => Some(one),
        });
        let Some((_, first, second)) = best else {
            return pairs;
        };
        pairs.push((first.clone(), second.clone()));
    }
}

type Known<'f> = (&'f Function, &'f Vec<Line>);

/// How sure it is that a function is another under a new name or in a new file; none when it is not.
fn likeness(was: Known<'_>, is: Known<'_>, gone: &[Known<'_>], come: &[Known<'_>]) -> Option<f64> {
    let ((file, name), (new_file, new_name)) = (was.0, is.0);
    let alone = |all: &[Known<'_>]| all.iter().filter(|((_, other), _)| other == name).count() == 1;
    if name == new_name && !name.is_empty() && alone(gone) && alone(come) {
        return Some(2.0);
    }
    let alike = whole(was.1).likeness(&whole(is.1));
    let least = if file == new_file || name == new_name {
        ALIKE
    } else {
        ALMOST
    };
    (alike >= least).then_some(alike)
}

/// What no line of the program made has neither name nor file.
fn is_own((file, name): &Function) -> bool {
    !(file.is_empty() && name.is_empty())
}

/// New functions of a file that together make what one of the first side's makes less: it became several. Gives that
/// one and them.
pub(super) fn became_several(
    before: &Functions,
    after: &Functions,
    pairs: &[(Function, Function)],
) -> Vec<(Function, Vec<Function>)> {
    let mut several = Vec::new();
    for (function, lines) in before.iter().filter(|(function, _)| is_own(function)) {
        let now = pairs.iter().find(|(first, _)| first == function);
        let now = now.and_then(|(_, second)| after.get(second));
        let lacks = whole(lines).beyond(&now.map(|lines| whole(lines)).unwrap_or_default());
        if lacks.bytes() <= 0.0 {
            continue;
        }
        let is_free = |other: &Function| {
            let taken = several
                .iter()
                .any(|(_, parts): &(Function, Vec<Function>)| parts.contains(other));
            other.0 == function.0 && !taken && !pairs.iter().any(|(_, second)| second == other)
        };
        let mut parts = Vec::new();
        let mut sum = super::bag::Bag::default();
        for (other, lines) in after.iter().filter(|(other, _)| is_free(other)) {
            let makes = whole(lines);
            if makes.bytes() > 0.0 && lacks.common(&makes) >= ALMOST * makes.bytes() {
                sum.take(&makes);
                parts.push(other.clone());
            }
        }
        // Fewer bytes may be what a fix left elsewhere, or other work: that is reported as what grew.
        if !parts.is_empty() && sum.is_same(&lacks) {
            several.push((function.clone(), parts));
        }
    }
    several
}
