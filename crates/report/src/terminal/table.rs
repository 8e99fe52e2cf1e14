//! Findings as rows: rank, rule, place, objects, saving, share; and under each what is there and what to do.

use deadweight_weighing::{Finding, Group, OTHERS};

use super::Canvas;
use super::group::{self, Item, items};
use super::row::{Row, Whole};
use crate::cut::{Cut, columns, cut, left, right};
use crate::palette::paint;

/// Places get this many columns even when none is as long, and even when the line is then too long.
const PLACES: std::ops::RangeInclusive<usize> = 12..=28;

/// Findings under one heading.
pub(super) struct Table {
    heading: &'static str,
    rows: Vec<Row>,
}

impl Table {
    /// The rows of the first `limit` findings, then one for held and one for external bytes that stand for the rest,
    /// so that the rows add up. `whole` is what savings are a share of unless they are external.
    pub(super) fn new(
        canvas: &Canvas<'_>,
        heading: &'static str,
        findings: &[Finding],
        ranked: bool,
        whole: Whole,
    ) -> Self {
        Self::worded(canvas, heading, findings, ranked, whole, &|row, _| row)
    }

    /// The same, ranked, with one row for the findings of each group.
    pub(super) fn grouped(
        canvas: &Canvas<'_>,
        heading: &'static str,
        findings: &[Finding],
        groups: &[Group],
        whole: Whole,
    ) -> Self {
        Self::build(canvas, heading, findings, groups, true, whole, &|row, _| row)
    }

    /// The same, with each row changed as its finding asks for.
    pub(super) fn worded(
        canvas: &Canvas<'_>,
        heading: &'static str,
        findings: &[Finding],
        ranked: bool,
        whole: Whole,
        word: &dyn Fn(Row, &Finding) -> Row,
    ) -> Self {
        Self::build(canvas, heading, findings, &[], ranked, whole, word)
    }

    fn build(
        canvas: &Canvas<'_>,
        heading: &'static str,
        findings: &[Finding],
        groups: &[Group],
        ranked: bool,
        whole: Whole,
        word: &dyn Fn(Row, &Finding) -> Row,
    ) -> Self {
        let external = Whole("external", canvas.weighing.external.bytes);
        let (folded, real): (Vec<&Finding>, Vec<_>) =
            findings.iter().partition(|finding| finding.rule == OTHERS);
        let real = if groups.is_empty() {
            real.into_iter().map(Item::Finding).collect()
        } else {
            items(&real, groups)
        };
        let shown = real.len().min(canvas.limit.unwrap_or(usize::MAX));
        let mut rows = Vec::with_capacity(shown + 2);
        for (at, item) in real[..shown].iter().enumerate() {
            let rank = if ranked {
                (at + 1).to_string()
            } else {
                "·".to_owned()
            };
            let of = |outside: bool| if outside { external } else { whole };
            rows.push(match item {
                Item::Finding(finding) => word(Row::of(finding, rank, of(finding.external), canvas), finding),
                Item::Group(group, members) => group::row(group, members, rank, of(group.external), canvas),
            });
        }
        let more = match canvas.limit {
            Some(_) => "; see --all",
            None => ", too small to list",
        };
        for (outside, whole) in [(false, whole), (true, external)] {
            let rest = real[shown..].iter().flat_map(Item::findings);
            let rest = rest.chain(folded.iter().copied());
            rows.extend(Row::rest(
                rest.filter(|finding| finding.external == outside),
                more,
                whole,
            ));
        }
        Self { heading, rows }
    }

    pub(super) fn lines(&self, canvas: &Canvas<'_>, widths: &Widths) -> Vec<String> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let palette = &canvas.palette;
        let indent = widths.indent();
        let heading = left(self.heading, indent + widths.places);
        let titles = format!(
            "  {}  {}",
            right("objects", widths.objects),
            right("saves", widths.saves)
        );
        let mut lines = vec![format!(
            "{}{}",
            paint(palette.strong, heading),
            paint(palette.faint, titles)
        )];
        for row in &self.rows {
            let rank = paint(palette.faint, right(&row.rank, widths.ranks));
            let rule = left(&cut(&row.rule, widths.rules, Cut::End), widths.rules);
            let place = left(&cut(&row.place, widths.places, Cut::Middle), widths.places);
            let style = if row.rule.is_empty() {
                palette.faint
            } else {
                palette.strong
            };
            let (rule, place) = (paint(style, rule), paint(style, place));
            let objects = right(&row.objects, widths.objects);
            let saves = paint(palette.dead, right(&row.saves, widths.saves));
            let percent = right(&row.percent, widths.percents);
            let of = paint(palette.faint, &row.of);
            lines.push(format!(
                "{rank}  {rule}  {place}  {objects}  {saves}  {percent} {of}"
            ));
            // Under the rule and not under the place: sentences need the room.
            let under = widths.ranks + 2;
            let room = canvas.width.saturating_sub(under);
            for detail in &row.details {
                let detail = detail.lines(canvas, room).into_iter();
                lines.extend(detail.map(|line| format!("{:under$}{line}", "")));
            }
        }
        lines
    }
}

/// The columns that all tables of a screen share, so that their figures stand under each other.
pub(super) struct Widths {
    ranks: usize,
    rules: usize,
    places: usize,
    objects: usize,
    saves: usize,
    percents: usize,
}

impl Widths {
    pub(super) fn fit(width: usize, tables: &[&Table]) -> Self {
        let widest = |of: fn(&Row) -> &String, least: usize| {
            let rows = tables.iter().flat_map(|table| &table.rows);
            rows.map(|row| columns(of(row)))
                .max()
                .unwrap_or_default()
                .max(least)
        };
        let mut widths = Self {
            ranks: widest(|row| &row.rank, 2),
            rules: widest(|row| &row.rule, 3).min(8),
            places: widest(|row| &row.place, *PLACES.end()),
            objects: widest(|row| &row.objects, "objects".len()),
            saves: widest(|row| &row.saves, "saves".len()),
            percents: widest(|row| &row.percent, 0),
        };
        let figures =
            2 + widths.objects + 2 + widths.saves + 2 + widths.percents + 1 + widest(|row| &row.of, 0);
        let room = width.saturating_sub(widths.indent() + figures);
        widths.places = widths.places.min(room).max(*PLACES.start());
        widths
    }

    /// Where places start, and details under them.
    fn indent(&self) -> usize {
        self.ranks + 2 + self.rules + 2
    }
}
