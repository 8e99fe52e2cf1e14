//! Each answer as lines.

use anstyle::Style;
use deadweight_report::figures::{bytes, count, counted, share};
use deadweight_report::palette::paint;
use deadweight_weighing::harmless;

use super::table::Align::{Name, Right, Sentence};
use super::{Screen, Table};
use crate::questions::welch::Interval;
use crate::questions::{Fate, Regression, Regressions, Rollout, Top, Trend, Verdict, Who};

/// Columns of the longest bar of a trend.
const BAR: usize = 24;

/// `top`.
#[must_use]
pub fn top(answer: &Top, screen: &Screen) -> Vec<String> {
    let palette = &screen.palette;
    let (strong, dead, faint, plain) = (palette.strong, palette.dead, palette.faint, Style::new());
    let hosts: u64 = answer.services.iter().map(|row| row.hosts).sum();
    let all: u64 = answer.services.iter().map(|row| row.bytes).sum();
    let waste: u64 = answer.services.iter().map(|row| row.dead).sum();
    let mut lines = vec![paint(
        strong,
        format!(
            "{} of {} held are dead weight ({}), on {} of {}{}",
            bytes(waste),
            bytes(all),
            share(waste, all),
            counted(hosts, "host"),
            counted(answer.services.len() as u64, "service"),
            answer
                .price
                .map(|price| format!(": {}", money(price.a_month(waste as f64))))
                .unwrap_or_default()
        ),
    )];
    let by = format!(
        "By the latest weighing of each host, {} to {}.",
        answer.since, answer.until
    );
    lines.push(paint(faint, by));
    let mut heads = vec![
        ("service", Name, strong),
        ("hosts", Right, plain),
        ("held", Right, plain),
        ("dead", Right, dead),
        ("", Right, plain),
        ("sure", Right, plain),
    ];
    heads.extend(answer.price.map(|_| ("a month", Right, plain)));
    let mut table = Table::new(heads);
    for row in &answer.services {
        let mut cells = vec![
            row.service.clone(),
            count(row.hosts),
            bytes(row.bytes),
            bytes(row.dead),
            share(row.dead, row.bytes),
            bytes(row.dead_sure),
        ];
        cells.extend(row.a_month.map(money_alone));
        table.push(cells);
    }
    lines.push(String::new());
    lines.extend(table.lines(screen));
    if answer.findings.is_empty() {
        return lines;
    }
    let mut heads = vec![
        ("fingerprint", Sentence, faint),
        ("rule", Sentence, strong),
        ("place", Name, strong),
        ("service", Name, plain),
        ("hosts", Right, plain),
        ("saves", Right, dead),
    ];
    heads.extend(answer.price.map(|_| ("a month", Right, plain)));
    heads.extend([("since", Name, plain), ("fix", Sentence, palette.action)]);
    let mut table = Table::new(heads);
    for row in &answer.findings {
        let service = match row.services {
            1 => row.service.clone(),
            more => format!("{} +{}", row.service, more - 1),
        };
        let mut cells = vec![
            row.fingerprint.clone(),
            row.rule.clone(),
            row.holder.clone(),
            service,
            count(row.hosts),
            bytes(row.saves),
        ];
        cells.extend(row.a_month.map(money_alone));
        cells.extend([row.since_version.clone(), row.fix.clone()]);
        table.push(cells);
    }
    lines.push(String::new());
    lines.extend(table.lines(screen));
    lines
}

/// `trend`.
#[must_use]
pub fn trend(answer: &Trend, screen: &Screen) -> Vec<String> {
    let palette = &screen.palette;
    let plain = Style::new();
    let of = answer.service.as_deref().unwrap_or("all services");
    let mut lines = vec![paint(
        palette.strong,
        format!("Dead weight of {} by day", harmless(of)),
    )];
    let note = "Of each host the mean of the day; hosts that were not weighed on a day are not in it.";
    lines.push(paint(palette.faint, note));
    let mut heads = vec![
        ("day", Name, plain),
        ("hosts", Right, plain),
        ("weighings", Right, plain),
        ("held", Right, plain),
        ("dead", Right, palette.dead),
        ("", Right, plain),
        ("a host", Right, plain),
    ];
    heads.extend(answer.price.map(|_| ("a month", Right, plain)));
    heads.push(("dead weight of a host", Sentence, palette.dead));
    let mut table = Table::new(heads);
    let most = answer.days.iter().map(|day| day.dead_a_host).fold(0.0, f64::max);
    for day in &answer.days {
        let drawn = if most > 0.0 {
            (day.dead_a_host / most * BAR as f64).round() as usize
        } else {
            0
        };
        let mut cells = vec![
            day.day.clone(),
            count(day.hosts),
            count(day.weighings),
            whole(day.bytes),
            whole(day.dead),
            share(day.dead as u64, day.bytes as u64),
            whole(day.dead_a_host),
        ];
        cells.extend(day.a_month.map(money_alone));
        cells.push("░".repeat(drawn));
        table.push(cells);
    }
    lines.push(String::new());
    lines.extend(table.lines(screen));
    lines
}

/// `regressions`.
#[must_use]
pub fn regressions(answer: &Regressions, screen: &Screen) -> Vec<String> {
    let palette = &screen.palette;
    let compared = counted(answer.compared, "service");
    let first = match answer.worse.len() as u64 {
        0 => format!("No dead weight grew with the latest version, in {compared} compared"),
        worse => format!(
            "Dead weight grew with the latest version of {} of {compared} compared",
            count(worse)
        ),
    };
    let mut lines = vec![paint(palette.strong, first)];
    lines.push(paint(
        palette.faint,
        format!(
            "Means of hosts since {}; with {} % confidence no interval is wrong (Welch, Bonferroni).",
            answer.since,
            answer.confidence * 100.0
        ),
    ));
    if !answer.not_compared.is_empty() {
        let many = counted(answer.not_compared.len() as u64, "service");
        lines.push(paint(
            palette.faint,
            format!("Not compared: {many} without two versions on two hosts or more each."),
        ));
    }
    for (title, rows, style) in [
        ("more", &answer.worse, palette.dead),
        ("less", &answer.better, palette.action),
    ] {
        if rows.is_empty() {
            continue;
        }
        let mut table = Table::new([
            ("service", Name, palette.strong),
            ("before", Name, Style::new()),
            ("after", Name, Style::new()),
            ("hosts", Right, Style::new()),
            ("a host before", Right, Style::new()),
            ("after", Right, Style::new()),
            (title, Right, style),
            ("between", Right, palette.faint),
        ]);
        for row in rows {
            table.push([
                row.service.clone(),
                row.before.clone(),
                row.after.clone(),
                format!("{} → {}", count(row.hosts_before), count(row.hosts_after)),
                whole(row.dead_before),
                whole(row.dead_after),
                signed(row.grew.measured),
                between(&row.grew),
            ]);
        }
        lines.push(String::new());
        lines.extend(table.lines(screen));
        lines.extend(rows.iter().flat_map(|row| came_with(row, screen)));
    }
    lines
}

fn came_with(row: &Regression, screen: &Screen) -> Vec<String> {
    let each = row.new.iter().map(|new| {
        let of = row.hosts_after;
        let text = format!(
            "{} {} came with {} {}: {} a host, on {} of {}; {} ({})",
            new.rule,
            new.holder,
            row.service,
            row.after,
            whole(new.saves),
            count(new.hosts),
            counted(of, "host"),
            new.fix,
            new.fingerprint
        );
        let text = harmless(&text);
        let text = deadweight_report::cut::cut(&text, screen.width - 2, deadweight_report::cut::Cut::End);
        paint(screen.palette.faint, format!("  {text}"))
    });
    each.collect()
}

/// `rollout`.
#[must_use]
pub fn rollout(answer: &Rollout, screen: &Screen) -> Vec<String> {
    let palette = &screen.palette;
    let plain = Style::new();
    let verdict = match answer.verdict {
        Verdict::Kept => "what was promised came",
        Verdict::Less => "less came than was promised",
        Verdict::More => "more came than was promised",
        Verdict::NothingPromised => "no finding is gone, so nothing was promised",
    };
    let title = format!(
        "{} {} → {}: {verdict}",
        answer.service, answer.before, answer.after
    );
    let mut lines = vec![paint(palette.strong, harmless(&title)), String::new()];
    let mut table = Table::new([
        ("a host", Name, plain),
        ("before", Right, plain),
        ("after", Right, plain),
        ("less", Right, palette.action),
        ("between", Right, palette.faint),
    ]);
    table.push([
        "held".to_owned(),
        whole(answer.bytes_before),
        whole(answer.bytes_after),
        signed(answer.came.measured),
        between(&answer.came),
    ]);
    table.push([
        "of it dead".to_owned(),
        String::new(),
        String::new(),
        signed(answer.dead.measured),
        between(&answer.dead),
    ]);
    table.push([
        "promised".to_owned(),
        String::new(),
        String::new(),
        whole(answer.promised),
        String::new(),
    ]);
    lines.extend(table.lines(screen));
    lines.push(paint(
        palette.faint,
        format!(
            "Means of {} before and {} after; {} % intervals (Welch).",
            counted(answer.hosts_before, "host"),
            counted(answer.hosts_after, "host"),
            answer.came.confidence * 100.0
        ),
    ));
    let mut table = Table::new([
        ("fingerprint", Sentence, palette.faint),
        ("rule", Sentence, palette.strong),
        ("place", Name, palette.strong),
        ("", Sentence, plain),
        ("before", Right, palette.dead),
        ("hosts", Right, plain),
        ("after", Right, palette.dead),
        ("hosts", Right, plain),
    ]);
    for finding in &answer.findings {
        let fate = match finding.fate {
            Fate::Gone => "gone",
            Fate::Open => "open",
            Fate::New => "new",
        };
        table.push([
            finding.fingerprint.clone(),
            finding.rule.clone(),
            finding.holder.clone(),
            fate.to_owned(),
            whole(finding.before),
            count(finding.hosts_before),
            whole(finding.after),
            count(finding.hosts_after),
        ]);
    }
    if !table.is_empty() {
        lines.push(String::new());
        lines.extend(table.lines(screen));
    }
    lines
}

/// `who`.
#[must_use]
pub fn who(answer: &Who, screen: &Screen) -> Vec<String> {
    let palette = &screen.palette;
    let plain = Style::new();
    let all: u64 = answer.versions.iter().map(|version| version.hosts).sum();
    let title = format!(
        "{} {} at {}: {} of {} lack the fix",
        answer.fingerprint,
        answer.rule,
        answer.holder,
        count(answer.hosts.len() as u64),
        counted(all, "host")
    );
    let mut lines = vec![paint(palette.strong, harmless(&title))];
    lines.push(paint(palette.action, harmless(&answer.fix)));
    let since = format!(
        "First seen in version {} at {}.",
        answer.since_version, answer.since
    );
    lines.push(paint(palette.faint, harmless(&since)));
    let mut table = Table::new([
        ("service", Name, palette.strong),
        ("version", Name, plain),
        ("hosts", Right, plain),
        ("lack the fix", Right, palette.dead),
    ]);
    for version in &answer.versions {
        table.push([
            version.service.clone(),
            version.version.clone(),
            count(version.hosts),
            count(version.having),
        ]);
    }
    lines.push(String::new());
    lines.extend(table.lines(screen));
    if answer.hosts.is_empty() {
        return lines;
    }
    let mut table = Table::new([
        ("service", Name, palette.strong),
        ("version", Name, plain),
        ("host", Name, palette.strong),
        ("weighed", Name, plain),
        ("saves", Right, palette.dead),
    ]);
    for host in &answer.hosts {
        table.push([
            host.service.clone(),
            host.version.clone(),
            host.host.clone(),
            host.captured_at.clone(),
            bytes(host.saves),
        ]);
    }
    lines.push(String::new());
    lines.extend(table.lines(screen));
    lines
}

/// The rows of a question of the user's own.
#[must_use]
pub fn rows(names: &[String], rows: Vec<Vec<String>>, screen: &Screen) -> Vec<String> {
    let is_figure = |at: usize| {
        let mut cells = rows
            .iter()
            .filter_map(|row| row.get(at))
            .filter(|cell| !cell.is_empty());
        cells.all(|cell| cell.parse::<f64>().is_ok()) && !rows.is_empty()
    };
    let heads: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            (
                name.as_str(),
                if is_figure(at) { Right } else { Name },
                Style::new(),
            )
        })
        .collect();
    let mut table = Table::new(heads);
    for row in rows {
        table.push(row);
    }
    table.lines(screen)
}

fn whole(value: f64) -> String {
    bytes(value.max(0.0).round() as u64)
}

fn signed(value: f64) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{}", bytes(value.abs().round() as u64))
}

fn between(interval: &Interval) -> String {
    format!("{} to {}", signed(interval.low), signed(interval.high))
}

/// Money a month, in whatever currency the price was.
fn money(amount: f64) -> String {
    format!("{} a month", money_alone(amount))
}

fn money_alone(amount: f64) -> String {
    let whole = amount.max(0.0);
    format!(
        "{}.{:02}",
        count(whole.trunc() as u64),
        (whole.fract() * 100.0).floor() as u64
    )
}
