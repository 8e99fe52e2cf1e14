//! Findings that one edit fixes, as one row with its members under it.

use std::collections::HashMap;

use deadweight_weighing::{Finding, Group, Line, harmless};

use super::Canvas;
use super::row::{Detail, Row, Whole};
use crate::figures::{bytes, counted};

/// Members that are shown unless all are asked for.
const SHOWN: usize = 3;

/// One row of a table: a finding, or several that one edit fixes.
pub(super) enum Item<'f> {
    Finding(&'f Finding),
    Group(&'f Group, Vec<&'f Finding>),
}

/// The findings in the order of what each row saves; those of a group together.
pub(super) fn items<'f>(findings: &[&'f Finding], groups: &'f [Group]) -> Vec<Item<'f>> {
    let members = groups.iter().enumerate();
    let group_of: HashMap<&str, usize> = members
        .flat_map(|(at, group)| group.findings.iter().map(move |member| (member.as_str(), at)))
        .collect();
    let mut items: Vec<Item<'f>> = Vec::with_capacity(findings.len());
    let mut place_of: HashMap<usize, usize> = HashMap::new();
    for finding in findings {
        let Some(&group) = group_of.get(finding.fingerprint.as_str()) else {
            items.push(Item::Finding(finding));
            continue;
        };
        let place = *place_of.entry(group).or_insert_with(|| {
            items.push(Item::Group(&groups[group], Vec::new()));
            items.len() - 1
        });
        if let Item::Group(_, members) = &mut items[place] {
            members.push(finding);
        }
    }
    // A stable order: what was sorted already stays so where no group comes before it.
    items.sort_by_key(|item| std::cmp::Reverse(item.saves()));
    items
}

impl<'f> Item<'f> {
    pub(super) fn saves(&self) -> u64 {
        match self {
            Self::Finding(finding) => finding.saves,
            Self::Group(_, members) => members
                .iter()
                .fold(0, |sum, member| member.saves.saturating_add(sum)),
        }
    }

    pub(super) fn findings(&self) -> Vec<&'f Finding> {
        match self {
            Self::Finding(finding) => vec![finding],
            Self::Group(_, members) => members.clone(),
        }
    }
}

/// The row of a group.
pub(super) fn row(
    group: &Group,
    members: &[&Finding],
    rank: String,
    whole: Whole,
    canvas: &Canvas<'_>,
) -> Row {
    let number = members.len();
    let mut row = Row::several(members, rank, whole);
    row.rule = harmless(&group.rule);
    row.place = harmless(&group.of);
    row.details = vec![
        Detail::Text(format!(
            "{} that one edit fixes",
            counted(number as u64, "finding")
        )),
        Detail::Fix(harmless(&group.fix)),
    ];
    // One edit has one line; where its members have several, nobody knows which.
    let line = members[0].line.as_ref();
    let is_one = |line: &Line| {
        let lines = members.iter().map(|member| member.line.as_ref());
        let mut places = lines.map(|line| line.map(Line::place));
        places.all(|place| place == Some(line.place()))
    };
    row.details
        .extend(line.filter(|line| is_one(line)).map(Detail::at));
    let shown = canvas.limit.map_or(number, |_| number.min(SHOWN));
    let members_shown = members[..shown].iter().map(|member| {
        let saves = bytes(member.saves);
        Detail::Member(format!(
            "{}: {saves}, {}",
            harmless(&member.holder),
            harmless(&member.title)
        ))
    });
    row.details.extend(members_shown);
    if number > shown {
        row.details
            .push(Detail::Member(format!("and {} more", number - shown)));
    }
    row.details.extend(
        members[0]
            .assumes
            .iter()
            .map(|assumes| Detail::Note(format!("assumes {}", harmless(assumes)))),
    );
    row
}
