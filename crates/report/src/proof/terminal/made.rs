//! The second ledger: what is made, before and after.

use deadweight_compare::proof::{MadeFix, MadePlace, MadeProof, MadeSide, Outcome};

use super::{PLACES, Screen, plural};
use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::{bytes, count, counted, share};
use crate::palette::paint;
use crate::proof::words::{change, each, error, made_site, margin, signed};
use crate::wrap::wrap_plain;
use deadweight_weighing::harmless;

impl Screen<'_> {
    pub(super) fn made(&mut self) {
        let Some(made) = &self.proof.made else {
            return;
        };
        self.line("");
        self.line(&paint(self.palette.strong, "what is made, kept or not"));
        for (name, side) in [("before", &made.before), ("after", &made.after)] {
            let facts = paint(self.palette.faint, facts(side));
            self.line(&format!("  {}{facts}", left(name, 9)));
        }
        if (made.scale - 1.0).abs() > 0.0 {
            let note = format!("what came after is taken times {:.3}", made.scale);
            self.line(&paint(self.palette.faint, format!("  {:9}{note}", "")));
        }
        self.made_verdict(made);
        self.made_fixes(made);
        self.made_places("makes more instead", &made.grew);
        self.made_places("makes less without a finding", &made.shrank);
        self.new_findings("new findings about what is made", &made.new);
        self.render_notes(&made.notes, &made.moved);
    }

    fn made_verdict(&mut self, made: &MadeProof) {
        self.line("");
        let mended = made.fixes.iter().filter(|fix| fix.outcome.is_made()).count();
        let by = |figure: Option<f64>| {
            figure.map_or_else(String::new, |figure| format!("{} an operation: ", each(figure)))
        };
        let all = made.fixes.len();
        let said = format!("{} of {} mended", count(mended as u64), plural(all, "finding"));
        let predicted = by(made.each.map(|each| each.predicted)) + &said;
        self.figure("predicted", made.predicted, &predicted);
        let objects = made.objects.map_or_else(
            || "objects were not counted".to_owned(),
            |fewer| match fewer {
                0.. => format!("{} fewer", counted(fewer.unsigned_abs(), "object")),
                _ => format!("{} more", counted(fewer.unsigned_abs(), "object")),
            },
        );
        let mut facts: Vec<String> = margin(made.measured, made.margin).into_iter().collect();
        facts.push(objects);
        let measured = by(made.each.map(|each| each.measured)) + &facts.join(", ");
        self.figure("measured", made.measured, &measured);
        if made.counted != made.measured {
            self.figure("as counted", made.counted, "whatever the operations");
        }
        let note = match made.error {
            Some(_) => paint(self.palette.strong, error(made.error)),
            None if mended == 0 => "– (no finding was mended)".to_owned(),
            None if made.measured > 0 => paint(self.palette.caution, "– (less than sampling leaves open)"),
            None => paint(self.palette.caution, "– (nothing was saved)"),
        };
        self.line(&format!("error       {note}"));
        if made.fixes.iter().any(|fix| fix.measured.is_some()) {
            let of = share(made.unexplained.unsigned_abs(), made.measured.unsigned_abs());
            let rest = format!(
                "unexplained {}  ({of} of what was measured)",
                change(made.unexplained)
            );
            self.line(&paint(self.palette.faint, rest));
        }
    }

    fn made_fixes(&mut self, made: &MadeProof) {
        self.line("");
        if made.fixes.is_empty() {
            self.line("before has no findings about what is made");
            return;
        }
        // What was mended is what a person looks for.
        let mut order: Vec<&MadeFix> = made.fixes.iter().collect();
        order.sort_by_key(|fix| matches!(fix.outcome, Outcome::Open));
        let mut rest: Vec<&MadeFix> = Vec::new();
        if let Some(limit) = self.limit
            && order.len() > limit
        {
            rest = order.split_off(limit);
        }
        let longest = order.iter().map(|fix| columns(&place(fix))).max().unwrap_or(0);
        let places = longest.clamp(26, self.width - 50);
        self.fix_head("findings about what is made", places);
        for fix in order {
            self.made_fix(fix, places);
        }
        self.more(rest.iter().map(|fix| fix.outcome));
    }

    fn made_fix(&mut self, fix: &MadeFix, places: usize) {
        let made = fix.outcome.is_made();
        let predicted = signed(if made { fix.predicted } else { fix.promised });
        let measured = fix.measured.map_or_else(|| "–".to_owned(), signed);
        self.fix_line(
            fix.outcome,
            &fix.rule,
            &place(fix),
            places,
            [&predicted, &measured, &error(fix.error)],
        );
        for note in notes(fix) {
            for line in wrap_plain(&note, self.width - 14) {
                self.line(&format!("{:14}{}", "", paint(self.palette.faint, line)));
            }
        }
    }

    fn made_places(&mut self, title: &str, places: &[MadePlace]) {
        if places.is_empty() {
            return;
        }
        let shown = self.limit.map_or(places.len(), |_| places.len().min(PLACES));
        self.line("");
        self.line(&paint(self.palette.strong, title));
        for place in &places[..shown] {
            let room = self.width.saturating_sub(48);
            let name = cut(&made_site(place), room, Cut::Middle);
            let line = format!(
                "  {}  {}  {} → {}",
                left(&name, room),
                right(&change(place.saved), 10),
                right(&bytes(place.before), 9),
                bytes(place.after),
            );
            self.line(&line);
        }
        let rest = &places[shown..];
        if !rest.is_empty() {
            let sum: i64 = rest.iter().map(|place| place.saved).sum();
            let text = format!("  {} more, {}: --all", rest.len(), change(sum));
            self.line(&paint(self.palette.faint, text));
        }
    }
}

fn facts(side: &MadeSide) -> String {
    let objects = side.objects.map_or_else(String::new, |objects| {
        format!(" in {}", counted(objects, "object"))
    });
    let open = margin(side.bytes.cast_signed(), side.margin);
    let open = open.map_or_else(String::new, |open| format!(", {open}"));
    let mut by = String::new();
    if side.operations > 0 {
        let bytes = each(side.bytes as f64 / side.operations as f64);
        by = format!(" · {}, {bytes} each", counted(side.operations, "operation"));
    }
    format!("{}{objects}{open}{by}", bytes(side.bytes))
}

fn place(fix: &MadeFix) -> String {
    match (fix.function.as_str(), fix.site.as_str()) {
        ("", site) => harmless(site),
        (function, site) => format!("{} {}", harmless(site), harmless(function)),
    }
}

fn notes(fix: &MadeFix) -> Vec<String> {
    let mut notes = Vec::new();
    if fix.option {
        notes.push("an option, which was taken".to_owned());
    }
    if let Some(by) = fix.each.filter(|_| fix.outcome.is_made()) {
        let measured = by
            .measured
            .map_or_else(String::new, |measured| format!(", {} measured", each(measured)));
        notes.push(format!("{} an operation promised{measured}", each(by.predicted)));
    } else if let Some(by) = fix.each {
        notes.push(format!("{} an operation promised", each(by.promised)));
    }
    if let Some(open) = fix.measured.and_then(|measured| margin(measured, fix.margin)) {
        notes.push(format!("measured {open}"));
    }
    match fix.outcome {
        Outcome::Hidden => {
            notes.push("the rule does not find it any more, but its bytes are still made".to_owned());
        }
        Outcome::Unknown => {
            notes.push(
                "after does not tell: weigh it with --all, and record longer if it is sampled".to_owned(),
            );
        }
        Outcome::Partly => notes.push(format!(
            "{} of {} still there",
            bytes(fix.remaining),
            bytes(fix.promised.unsigned_abs())
        )),
        Outcome::Mended | Outcome::Open => {}
    }
    let moved: Vec<String> = fix
        .sites_after
        .iter()
        .filter(|site| **site != fix.site)
        .map(|site| harmless(site))
        .collect();
    if !moved.is_empty() {
        notes.push(format!("after the change at {}", moved.join(", ")));
    }
    notes
}
