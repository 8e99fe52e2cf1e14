//! One finding in words, before it is laid out.

use deadweight_weighing::{Confidence, Finding, Line, OTHERS, harmless};
use serde_json::{Map, Value};

use super::Canvas;
use super::evidence::{notes, ways};
use super::example::example;
use super::path;
use super::steps::steps;
use crate::cut::{Cut, columns, cut};
use crate::figures::{bytes, count, share};
use crate::line;
use crate::palette::paint;
use crate::wrap::{Span, wrap};

/// Fewer columns than this make no room for `n of m` objects.
const WIDE: usize = 100;

/// Lines that one sentence may take; what a dump makes longer is cut.
const LINES: usize = 8;

/// Columns before a detail, at the most.
const INDENT: usize = 14;

/// A row's texts.
#[derive(Default)]
pub(super) struct Row {
    pub(super) rank: String,
    pub(super) rule: String,
    pub(super) place: String,
    pub(super) objects: String,
    pub(super) saves: String,
    pub(super) percent: String,
    pub(super) of: String,
    pub(super) details: Vec<Detail>,
}

/// A line under a row.
pub(super) enum Detail {
    /// What is there, and the evidence that may hold an example of it.
    There(String, Map<String, Value>),
    /// What to do.
    Fix(String),
    /// Where in the source.
    At(String, String),
    /// What to know before believing the figure.
    Note(String),
    /// A line of a small table: its columns stand under each other.
    Drawn(String),
    /// A sentence of ours.
    Text(String),
    /// One of the findings that the row stands for.
    Member(String),
    /// A line of source that goes.
    Goes(String),
    /// A line of source that comes in its place.
    Comes(String),
}

/// What a saving is a share of: a name and bytes.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub(super) &'static str, pub(super) u64);

impl Row {
    /// The row of one finding.
    pub(super) fn of(finding: &Finding, rank: String, whole: Whole, canvas: &Canvas<'_>) -> Self {
        let (holder, site) = (harmless(&finding.holder), finding.site.as_deref().map(harmless));
        let (place, at) = match site {
            Some(site) if holder.is_empty() => (site, None),
            at => (holder, at),
        };
        let mut there = harmless(&finding.title);
        if let Some(at) = at {
            there = format!("{there}, allocated at {at}");
        }
        // Where blocks are of one call, its line is named already.
        let line = finding.line.as_ref();
        let line = line.filter(|line| !there.ends_with(&line.place()));
        let mut details = vec![Detail::There(there, finding.evidence.clone())];
        if !finding.fix.is_empty() {
            details.push(Detail::Fix(harmless(&finding.fix)));
        }
        details.extend(line.map(Detail::at));
        details.extend(steps(&finding.evidence).into_iter().map(Detail::Drawn));
        details.extend(ways(&finding.evidence).into_iter().map(Detail::Drawn));
        details.extend(notes(finding).into_iter().map(Detail::Note));
        details.extend(note(finding).map(Detail::Note));
        if canvas.paths {
            let room = canvas.width.saturating_sub(INDENT);
            details.extend(path::lines(&finding.path, room).into_iter().map(Detail::Drawn));
        }
        let about = match finding.confidence {
            Confidence::Exact => "",
            Confidence::Estimate => "≈ ",
        };
        Self {
            rank,
            rule: harmless(&finding.rule),
            place,
            objects: objects(finding, canvas.width >= WIDE),
            saves: format!("{about}{}", bytes(finding.saves)),
            details,
            ..Self::share(finding.saves, whole)
        }
    }

    /// The row of several findings, as yet without words.
    pub(super) fn several(findings: &[&Finding], rank: String, whole: Whole) -> Self {
        let saves = findings
            .iter()
            .fold(0_u64, |sum, one| one.saves.saturating_add(sum));
        let count_of = findings
            .iter()
            .fold(0_u64, |sum, one| one.count.saturating_add(sum));
        let exact = findings.iter().all(|one| one.confidence == Confidence::Exact);
        let about = if exact { "" } else { "≈ " };
        Self {
            rank,
            objects: count(count_of),
            saves: format!("{about}{}", bytes(saves)),
            ..Self::share(saves, whole)
        }
    }

    /// The row that stands for findings that are not shown; none when there are none of that kind.
    pub(super) fn rest<'f>(
        findings: impl Iterator<Item = &'f Finding>,
        more: &str,
        whole: Whole,
    ) -> Option<Self> {
        let (mut number, mut saves) = (0_u64, 0_u64);
        for finding in findings {
            let stands_for = if finding.rule == OTHERS { finding.count } else { 1 };
            number = number.saturating_add(stands_for);
            saves = saves.saturating_add(finding.saves);
        }
        (number > 0).then(|| Self {
            place: format!("{} more{more}", count(number)),
            saves: bytes(saves),
            ..Self::share(saves, whole)
        })
    }

    fn share(saves: u64, Whole(name, whole): Whole) -> Self {
        Self {
            percent: share(saves, whole),
            of: format!("of {name}"),
            ..Self::default()
        }
    }
}

impl Detail {
    /// Where in the source, and what stands there.
    pub(super) fn at(line: &Line) -> Self {
        Self::At(harmless(&line.place()), line::what(line))
    }

    /// Its lines. A sentence is broken where it is too long and never cut short, as its end may hold what matters; rows of
    /// small tables and source have a line each.
    pub(super) fn lines(&self, canvas: &Canvas<'_>, room: usize) -> Vec<String> {
        let palette = &canvas.palette;
        let plain = anstyle::Style::new();
        match self {
            Self::There(there, evidence) => {
                let mut lines = sentence(plain, "", there, room);
                let last = lines.last().map_or(0, |line| columns(line));
                let left = room.saturating_sub(last + ", e.g. ".len());
                if let (Some(example), Some(line)) = (example(evidence, left), lines.last_mut()) {
                    line.push_str(", ");
                    line.push_str(&paint(palette.faint, format!("e.g. {example}")));
                }
                lines
            }
            Self::Fix(fix) => {
                let mut lines = sentence(plain, "fix: ", fix, room);
                if let Some(first) = lines.first_mut() {
                    let rest = first.split_off("fix: ".len());
                    *first = format!("{}{rest}", paint(palette.action, "fix: "));
                }
                lines
            }
            Self::At(place, what) => {
                let wide = columns("at : ") + columns(place) + columns(what);
                if wide <= room || columns(place) + columns("at :") > room {
                    return vec![self.line(canvas, room)];
                }
                // Both matter, so each has a line.
                let mut lines = vec![format!("{}{place}:", paint(palette.action, "at "))];
                lines.extend(sentence(palette.faint, "   ", what, room));
                lines
            }
            Self::Note(note) => sentence(palette.faint, "", note, room),
            Self::Text(text) => sentence(plain, "", text, room),
            _ => vec![self.line(canvas, room)],
        }
    }

    fn line(&self, canvas: &Canvas<'_>, room: usize) -> String {
        let palette = &canvas.palette;
        match self {
            Self::At(place, what) => {
                // A path says most at its end, and the file matters more than what stands there.
                let place = cut(place, room.saturating_sub("at ".len()), Cut::Start);
                let left = room.saturating_sub("at : ".len() + columns(&place));
                let what = paint(palette.faint, format!(": {}", cut(what, left, Cut::End)));
                format!("{}{place}{what}", paint(palette.action, "at "))
            }
            Self::There(text, _) | Self::Fix(text) | Self::Note(text) | Self::Text(text) => {
                cut(text, room, Cut::End)
            }
            Self::Member(member) => cut(&format!("  {member}"), room, Cut::End),
            Self::Drawn(line) => paint(palette.faint, cut(line, room, Cut::End)),
            Self::Goes(line) => paint(palette.dead, cut(&format!("  - {line}"), room, Cut::End)),
            Self::Comes(line) => paint(palette.action, cut(&format!("  + {line}"), room, Cut::End)),
        }
    }
}

/// A sentence in lines, the further ones under its first word.
fn sentence(style: anstyle::Style, label: &str, text: &str, room: usize) -> Vec<String> {
    let text = cut(text, room.saturating_mul(LINES), Cut::End);
    let indent = " ".repeat(label.len());
    let words = room.saturating_sub(label.len()).max(1);
    // A name may be wider than the screen.
    let text: Vec<String> = text.split(' ').map(|word| in_pieces(word, words)).collect();
    let text = text.join(" ");
    wrap(&[Span { style, text }], room, label, &indent)
}

/// A word with a blank wherever a line ends in it.
fn in_pieces(word: &str, room: usize) -> String {
    let mut broken = String::with_capacity(word.len());
    let mut used = 0;
    for character in word.chars() {
        let wide = columns(character.encode_utf8(&mut [0; 4]));
        if used + wide > room && used > 0 {
            broken.push(' ');
            used = 0;
        }
        broken.push(character);
        used += wide;
    }
    broken
}

/// Objects the fix changes, and of how many at this place when there is room to say so.
fn objects(finding: &Finding, wide: bool) -> String {
    let number = count(finding.count);
    match finding.unaffected {
        _ if !wide || finding.count == 0 => number,
        0 => format!("all {number}"),
        unaffected => format!("{number} of {}", count(finding.count.saturating_add(unaffected))),
    }
}

/// What the fix would save if it were the only one, and what is taken for granted.
fn note(finding: &Finding) -> Option<String> {
    let mut parts = Vec::new();
    // A difference of less than a twentieth is not worth a line.
    if finding.saves_alone.saturating_sub(finding.saves) > finding.saves / 20 {
        parts.push(format!(
            "{} if you make only this fix",
            bytes(finding.saves_alone)
        ));
    }
    if let Some(assumes) = &finding.assumes {
        let about = match finding.confidence {
            Confidence::Exact => "",
            Confidence::Estimate => "≈ ",
        };
        parts.push(format!("{about}assumes {}", harmless(assumes)));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}
