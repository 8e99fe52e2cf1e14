//! The heaps of a run, a row each.

use std::collections::HashSet;

use deadweight_report::bytes;
use deadweight_weighing::{OTHERS, Weighing, harmless};

use super::{Member, pages};

/// The table, the heap that is shown first.
pub(super) fn lines(members: &[Member]) -> Vec<String> {
    let rows = members.iter().map(|member| {
        [
            member.name.clone(),
            held(member),
            member.dead.map_or_else(|| "not weighed".to_owned(), bytes),
            member.first.clone(),
        ]
    });
    let mut rows: Vec<[String; 4]> = rows.collect();
    rows.push([
        "all together".to_owned(),
        bytes(members.iter().map(|member| member.held).sum()),
        bytes(members.iter().filter_map(|member| member.dead).sum()),
        String::new(),
    ]);
    let head = ["heap", "held", "dead", "first finding"].map(str::to_owned);
    rows.insert(0, head);
    let wide = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (names, sizes, deads) = (wide(0), wide(1), wide(2));
    let processes: HashSet<u32> = members.iter().map(|member| member.process).collect();
    let plural = if processes.len() == 1 {
        "process"
    } else {
        "processes"
    };
    let title = format!(
        "{} heaps of {} {plural}, the first is shown below",
        members.len(),
        processes.len()
    );
    let lines = rows.iter().map(|[name, held, dead, first]| {
        format!("  {name:names$}  {held:>sizes$}  {dead:>deads$}  {first}")
            .trim_end()
            .to_owned()
    });
    let pages = pages(members).map(|pages| format!("  {pages}"));
    std::iter::once(title).chain(lines).chain(pages).collect()
}

/// A native dump does not say beforehand what is in it.
fn held(member: &Member) -> String {
    if member.held == 0 && member.dead.is_none() {
        return "?".to_owned();
    }
    bytes(member.held)
}

/// The first finding of a weighing.
pub(super) fn first(weighing: &Weighing) -> String {
    let first = weighing.findings.iter().find(|finding| finding.rule != OTHERS);
    first.map_or_else(String::new, |finding| {
        harmless(&format!(
            "{} {} {}",
            finding.rule,
            finding.holder,
            bytes(finding.saves)
        ))
    })
}
