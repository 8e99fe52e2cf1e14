//! The lines of one function on both sides: numbers move, the order mostly stays.

use super::bag::Bag;
use super::side::Line;

/// A line takes over another's work when at least this share of what it makes is what the other makes less.
const TAKES_OVER: f64 = 0.5;

/// For each line of the second side the one of the first that did its work.
///
/// First in order: the pairs of lines, none crossing another, that make most alike. What is left on the second side then
/// goes to the line that makes as much less of the same types: one line may become two.
pub(super) fn pairs(before: &[Line], after: &[Line]) -> Vec<Option<usize>> {
    let mut pairs = in_order(before, after);
    for (at, line) in after.iter().enumerate() {
        if pairs[at].is_some() {
            continue;
        }
        let lacks = before.iter().enumerate().map(|(of, was)| {
            let mut now = Bag::default();
            let own = pairs.iter().zip(after).filter(|(pair, _)| **pair == Some(of));
            own.for_each(|(_, line)| now.take(&line.makes));
            (of, was.makes.beyond(&now).common(&line.makes))
        });
        let most = lacks.max_by(|a, b| {
            let near = |of: usize| std::cmp::Reverse(before[of].number.abs_diff(line.number));
            a.1.total_cmp(&b.1).then_with(|| near(a.0).cmp(&near(b.0)))
        });
        pairs[at] = most
            .filter(|(_, common)| *common > 0.0 && *common >= TAKES_OVER * line.makes.bytes())
            .map(|(of, _)| of);
    }
    pairs
}

/// The pairs with the largest sum of likenesses; of equal ones, those of the nearest numbers.
fn in_order(before: &[Line], after: &[Line]) -> Vec<Option<usize>> {
    let worth = |of: usize, at: usize| {
        let like = before[of].makes.likeness(&after[at].makes);
        if like > 0.0 {
            like + 1e-6 / f64::from(1 + before[of].number.abs_diff(after[at].number))
        } else {
            0.0
        }
    };
    let (rows, columns) = (before.len(), after.len());
    let mut best = vec![vec![0.0_f64; columns + 1]; rows + 1];
    for of in (0..rows).rev() {
        for at in (0..columns).rev() {
            let without = best[of + 1][at].max(best[of][at + 1]);
            best[of][at] = without.max(worth(of, at) + best[of + 1][at + 1]);
        }
    }
    let mut pairs = vec![None; columns];
    let (mut of, mut at) = (0, 0);
    while of < rows && at < columns {
        let worth = worth(of, at);
        if worth > 0.0 && best[of][at] <= worth + best[of + 1][at + 1] {
            pairs[at] = Some(of);
            (of, at) = (of + 1, at + 1);
        } else if best[of + 1][at] >= best[of][at + 1] {
            of += 1;
        } else {
            at += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use deadweight_weighing::AllocatedAt;

    use super::*;

    fn line(number: u32, makes: &[(&str, u64)]) -> Line {
        let mut bag = Bag::default();
        for &(holds, bytes) in makes {
            let at = AllocatedAt {
                holds: holds.into(),
                count: Some(bytes / 40),
                bytes,
                ..AllocatedAt::default()
            };
            bag.add(&at, 1.0);
        }
        Line {
            site: format!("a.rb:{number}"),
            number,
            makes: bag,
        }
    }

    #[test]
    fn lines_that_moved_are_found() {
        let before = [
            line(3, &[("String", 4_000)]),
            line(5, &[("Array", 800)]),
            line(9, &[("String", 400)]),
        ];
        let moved = [
            line(13, &[("String", 4_000)]),
            line(15, &[("Array", 800)]),
            line(19, &[("String", 400)]),
        ];
        assert_eq!(pairs(&before, &moved), [Some(0), Some(1), Some(2)]);
        // One that is gone leaves the others where they are.
        assert_eq!(pairs(&before, &moved[1..]), [Some(1), Some(2)]);
        // Equal lines: the nearest.
        let twins = [line(3, &[("String", 40)]), line(9, &[("String", 40)])];
        assert_eq!(pairs(&twins, &[line(8, &[("String", 40)])]), [Some(1)]);
    }

    #[test]
    fn one_line_becomes_two() {
        let before = [line(3, &[("String", 4_000)])];
        let after = [line(3, &[("String", 1_500)]), line(4, &[("String", 2_500)])];
        assert_eq!(pairs(&before, &after), [Some(0), Some(0)]);
        // Another type is other work, and so is more of it than went.
        let other = [line(3, &[("String", 1_500)]), line(4, &[("Array", 100)])];
        assert_eq!(pairs(&before, &other), [Some(0), None]);
        let more = [line(3, &[("String", 3_900)]), line(4, &[("String", 2_500)])];
        assert_eq!(pairs(&before, &more), [Some(0), None]);
    }
}
