//! The screen: what was promised, what came, and where the rest is.

mod allocated;

use deadweight_compare::Proof;
use deadweight_compare::proof::{Basis, Fix, New, Outcome, Place, Renamed, Saving, Side};

use super::words::{all, change, error, not_made, outcome, records, sides, signed, way};
use crate::Look;
use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::{bytes, count, share};
use crate::palette::{Palette, paint};
use crate::wrap::wrap_plain;
use deadweight_weighing::harmless;

/// Places listed of each kind unless all are asked for.
const PLACES: usize = 6;

/// Findings that promise less than this share of all bytes are left out unless all are asked for.
const MATTERS: f64 = 0.0001;

/// Columns of the figures of a fix.
const FIGURES: usize = 32;

struct Screen<'p> {
    proof: &'p Proof,
    palette: Palette,
    width: usize,
    limit: Option<usize>,
    text: String,
}

pub(super) fn screen(proof: &Proof, look: Look, limit: Option<usize>) -> String {
    let mut screen = Screen {
        proof,
        palette: Palette::new(look.colour),
        width: look.width.clamp(72, 120),
        limit,
        text: String::new(),
    };
    screen.sides();
    if proof.basis != Basis::Nothing {
        screen.verdict();
        screen.fixes();
        screen.places("grew instead", &proof.grew);
        screen.places("shrank without a finding", &proof.shrank);
        screen.new_findings("new findings", &proof.new);
    }
    screen.render_notes(&proof.notes, &proof.renamed);
    screen.allocated();
    screen.text
}

impl Screen<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn sides(&mut self) {
        for (name, side) in [("before", &self.proof.before), ("after ", &self.proof.after)] {
            let path = cut(&harmless(&side.source.path), self.width - 8, Cut::Start);
            let path = paint(self.palette.strong, path);
            self.line(&format!("{name}  {path}"));
            let facts = self.facts(side);
            self.line(&format!("        {}", paint(self.palette.faint, facts)));
        }
        if let Some(records) = records(self.proof) {
            for line in wrap_plain(&records, self.width - 8) {
                self.line(&format!("        {}", paint(self.palette.faint, line)));
            }
        }
    }

    fn facts(&self, side: &Side) -> String {
        let runtime = format!("{} {}", side.runtime.name, side.runtime.version);
        let runtime = harmless(runtime.trim());
        if self.proof.basis == Basis::Nothing {
            return format!("{runtime} · what is held is not compared");
        }
        let (held, external) = match (self.proof.basis, &side.process) {
            (Basis::Process, Some(process)) => {
                (process.heap_used.unwrap_or(0), process.external.unwrap_or(0))
            }
            _ => (side.held.bytes, side.external.bytes),
        };
        let name = match self.proof.basis {
            Basis::Process => "heap used",
            Basis::Dump | Basis::Nothing => "held",
        };
        format!(
            "{runtime} · {name} {} · external {}",
            bytes(held),
            bytes(external)
        )
    }

    fn verdict(&mut self) {
        let proof = self.proof;
        self.line("");
        let mended = proof.fixes.iter().filter(|fix| fix.outcome.is_made()).count();
        let of = proof.fixes.len();
        let predicted = format!("{} of {} mended", count(mended as u64), plural(of, "finding"));
        self.figure(
            "predicted",
            proof.predicted.sum(),
            &format!("{}: {predicted}", sides(proof.predicted)),
        );
        self.figure("measured", proof.measured.sum(), &sides(proof.measured));
        if proof.counted != proof.measured {
            self.figure("as counted", proof.counted.sum(), &sides(proof.counted));
        }
        if proof.runtime != Saving::default() {
            let own = "the runtime's own part of it; no fix is judged by it";
            self.figure("runtime's", proof.runtime.sum(), own);
        }
        let error = match proof.error {
            Some(_) => paint(self.palette.strong, error(proof.error)),
            None if mended == 0 => "– (no finding was mended)".to_owned(),
            None if proof.measured.sum() > 0 => paint(self.palette.caution, "– (not comparable: see below)"),
            None => paint(self.palette.caution, "– (nothing was saved)"),
        };
        self.line(&format!("error       {error}"));
        if proof.fixes.iter().any(|fix| fix.measured.is_some()) {
            let rest = proof.unexplained;
            let measured = proof.measured - proof.runtime;
            let of = share(rest.sum().unsigned_abs(), measured.sum().unsigned_abs());
            let rest = format!("unexplained {}  ({of} of what was measured)", change(rest.sum()));
            self.line(&paint(self.palette.faint, rest));
        }
    }

    fn figure(&mut self, name: &str, bytes: i64, more: &str) {
        let bytes = paint(self.palette.strong, right(&change(bytes), 10));
        let more = paint(self.palette.faint, more);
        self.line(&format!("{}{bytes}  {more}", left(name, 11)));
    }

    fn fixes(&mut self) {
        let proof = self.proof;
        if proof.fixes.is_empty() {
            self.line("");
            self.line("before has no findings");
            return;
        }
        let least = MATTERS * (proof.before.held.bytes + proof.before.external.bytes) as f64;
        // What was mended is what a person looks for.
        let mut order: Vec<&Fix> = proof.fixes.iter().collect();
        order.sort_by_key(|fix| matches!(fix.outcome, Outcome::Open));
        let mut rest: Vec<&Fix> = Vec::new();
        if let Some(limit) = self.limit {
            let (large, small) = order.into_iter().partition(|fix| fix.promised as f64 >= least);
            (order, rest) = (large, small);
            if order.len() > limit {
                rest.extend(order.split_off(limit));
            }
        }
        let longest = order.iter().map(|fix| columns(&place(fix))).max().unwrap_or(0);
        // The words before the place, and the blanks around it.
        let places = longest.clamp(20, self.width - 16 - FIGURES);
        self.line("");
        self.fix_head("findings of before", places);
        for fix in order {
            self.fix(fix, places);
        }
        self.more(rest.iter().map(|fix| fix.outcome));
    }

    fn fix(&mut self, fix: &Fix, places: usize) {
        let figures = if fix.outcome.is_made() {
            let measured = fix
                .measured
                .map_or_else(|| "–".to_owned(), |saving| signed(saving.sum()));
            figures([&signed(fix.predicted.sum()), &measured, &error(fix.error)])
        } else {
            not_made(fix.outcome, fix.promised, fix.remaining).unwrap_or_default()
        };
        self.fix_line(fix.outcome, &fix.rule, &place(fix), places, &figures);
        let note = match (fix.outcome, &fix.way) {
            (Outcome::Hidden, _) => {
                Some("the rule no longer finds it, but its bytes are still there".to_owned())
            }
            (Outcome::Unknown, _) => {
                let is_native = self.proof.before.runtime.name == "native";
                let symbols = if is_native {
                    ", and keep the program's symbols"
                } else {
                    ""
                };
                Some(format!(
                    "the second weighing does not show it: weigh with --all{symbols}"
                ))
            }
            (Outcome::Partly, _) => not_made(fix.outcome, fix.promised, fix.remaining),
            (_, Some(taken)) => Some(way(taken)),
            _ => None,
        };
        if let Some(note) = note {
            for line in wrap_plain(&note, self.width - 14) {
                let line = paint(self.palette.faint, line);
                self.line(&format!("{:14}{line}", ""));
            }
        }
    }

    /// What stands above the lines of findings.
    fn fix_head(&mut self, title: &str, places: usize) {
        let head = figures(["predicted", "measured", "error"]);
        let title = paint(self.palette.strong, left(title, 14 + places));
        self.line(&format!("{title}  {}", paint(self.palette.faint, head)));
    }

    /// How many findings are not shown, by what became of them.
    fn more(&mut self, rest: impl ExactSizeIterator<Item = Outcome>) {
        let all = rest.len();
        if all > 0 {
            let open = rest.filter(|outcome| *outcome == Outcome::Open).count();
            let text = format!("{all} more, {open} open: --all");
            self.line(&paint(self.palette.faint, format!("{:14}{text}", "")));
        }
    }

    /// A finding with its figures, or with what stands in their stead.
    fn fix_line(&mut self, became: Outcome, rule: &str, place: &str, places: usize, figures: &str) {
        let style = match became {
            Outcome::Mended | Outcome::Partly => self.palette.action,
            Outcome::Open => self.palette.faint,
            Outcome::Hidden | Outcome::Unknown => self.palette.caution,
        };
        let word = paint(style, left(outcome(became), 7));
        let rule = left(&cut(&harmless(rule), 5, Cut::End), 5);
        let rule = paint(self.palette.strong, rule);
        let where_ = left(&cut(place, places, Cut::Middle), places);
        self.line(&format!("{word} {rule} {where_}  {}", right(figures, FIGURES)));
    }

    fn places(&mut self, title: &str, places: &[Place]) {
        if places.is_empty() {
            return;
        }
        let shown = if self.limit.is_none() {
            places.len()
        } else {
            places.len().min(PLACES)
        };
        self.line("");
        self.line(&paint(self.palette.strong, title));
        for place in &places[..shown] {
            let name = name(place);
            let room = self.width.saturating_sub(48);
            let line = format!(
                "  {}  {}  {} → {}",
                left(&cut(&name, room, Cut::Middle), room),
                right(&change(place.saved.sum()), 10),
                right(&bytes(all(place.before)), 9),
                bytes(all(place.after)),
            );
            self.line(&line);
        }
        let rest = &places[shown..];
        if !rest.is_empty() {
            let sum: i64 = rest.iter().map(|place| place.saved.sum()).sum();
            self.line(&paint(
                self.palette.faint,
                format!("  {} more, {}: --all", rest.len(), change(sum)),
            ));
        }
    }

    fn new_findings(&mut self, title: &str, new: &[New]) {
        let (large, rest) = new.split_at(new.len().min(PLACES));
        if large.is_empty() {
            return;
        }
        self.line("");
        self.line(&paint(self.palette.strong, title));
        for finding in large {
            let line = format!(
                "{} {}: {}, would save {}",
                harmless(&finding.rule),
                harmless(&finding.holder),
                harmless(&finding.title),
                bytes(finding.saves)
            );
            // What a dump has as a name may be as long as it likes.
            let line = cut(&line, self.width * 4, Cut::End);
            for (at, line) in wrap_plain(&line, self.width - 4).into_iter().enumerate() {
                let indent = if at == 0 { 2 } else { 4 };
                self.line(&format!("{:indent$}{line}", ""));
            }
        }
        if !rest.is_empty() {
            self.line(&paint(self.palette.faint, format!("  {} more", rest.len())));
        }
    }

    fn render_notes(&mut self, notes: &[String], renamed: &[Renamed]) {
        let mut notes = notes.to_vec();
        let shown = self.limit.map_or(renamed.len(), |_| renamed.len().min(PLACES));
        notes.extend(renamed[..shown].iter().map(|names| {
            format!(
                "{} before is {} after",
                harmless(&names.before),
                harmless(&names.after)
            )
        }));
        if shown < renamed.len() {
            notes.push(format!("{} more names changed: --all", renamed.len() - shown));
        }
        if notes.is_empty() {
            return;
        }
        self.line("");
        for note in notes {
            for (at, line) in wrap_plain(&note, self.width - 2).into_iter().enumerate() {
                let mark = if at == 0 { "· " } else { "  " };
                self.line(&paint(self.palette.faint, format!("{mark}{line}")));
            }
        }
    }
}

/// Three columns: predicted, measured, error.
fn figures([predicted, measured, error]: [&str; 3]) -> String {
    format!(
        "{}  {}  {}",
        right(predicted, 10),
        right(measured, 10),
        right(error, 8)
    )
}

fn plural(number: usize, noun: &str) -> String {
    crate::figures::counted(number as u64, noun)
}

fn place(fix: &Fix) -> String {
    match &fix.site {
        Some(site) if fix.holder.is_empty() => harmless(site),
        _ => harmless(&fix.holder),
    }
}

/// The place and what stands there.
fn name(place: &Place) -> String {
    if place.holder.is_empty() {
        format!("(runtime: {})", harmless(&place.holds))
    } else {
        harmless(&place.holder)
    }
}
