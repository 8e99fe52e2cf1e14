//! The second ledger: what is made, before and after.

use deadweight_compare::proof::{AllocatedFix, AllocatedPlace, AllocatedProof, AllocatedSide, Outcome};

use super::{PLACES, Screen, figures, plural};
use crate::cut::{Cut, columns, cut, left, right};
use crate::figures::{bytes, count, counted, share};
use crate::palette::paint;
use crate::proof::words::{allocation_site, change, each, error, margin, not_made, signed};
use crate::wrap::wrap_plain;
use deadweight_weighing::harmless;

impl Screen<'_> {
    pub(super) fn allocated(&mut self) {
        let Some(allocated) = &self.proof.allocated else {
            return;
        };
        self.line("");
        self.line(&paint(self.palette.strong, "what is made, kept or not"));
        for (name, side) in [("before", &allocated.before), ("after", &allocated.after)] {
            let facts = paint(self.palette.faint, facts(side));
            self.line(&format!("  {}{facts}", left(name, 9)));
        }
        if (allocated.scale - 1.0).abs() > 0.0 {
            let note = format!("figures after are multiplied by {:.3}", allocated.scale);
            self.line(&paint(self.palette.faint, format!("  {:9}{note}", "")));
        }
        self.allocation_verdict(allocated);
        self.allocation_fixes(allocated);
        self.allocation_places("makes more instead", &allocated.grew);
        self.allocation_places("makes less without a finding", &allocated.shrank);
        self.new_findings("new findings about what is made", &allocated.new);
        self.render_notes(&allocated.notes, &allocated.moved);
    }

    fn allocation_verdict(&mut self, allocated: &AllocatedProof) {
        self.line("");
        let mended = allocated.fixes.iter().filter(|fix| fix.outcome.is_made()).count();
        let by = |figure: Option<f64>| {
            figure.map_or_else(String::new, |figure| format!("{} an operation: ", each(figure)))
        };
        let all = allocated.fixes.len();
        let said = format!("{} of {} mended", count(mended as u64), plural(all, "finding"));
        let predicted = by(allocated.each.map(|each| each.predicted)) + &said;
        self.figure("predicted", allocated.predicted, &predicted);
        let objects = allocated.objects.map_or_else(
            || "objects were not counted".to_owned(),
            |fewer| match fewer {
                0.. => format!("{} fewer", counted(fewer.unsigned_abs(), "object")),
                _ => format!("{} more", counted(fewer.unsigned_abs(), "object")),
            },
        );
        let mut facts: Vec<String> = margin(allocated.measured, allocated.margin).into_iter().collect();
        facts.push(objects);
        let measured = by(allocated.each.map(|each| each.measured)) + &facts.join(", ");
        self.figure("measured", allocated.measured, &measured);
        if allocated.counted != allocated.measured {
            self.figure("as counted", allocated.counted, "whatever the operations");
        }
        let note = match allocated.error {
            Some(_) => paint(self.palette.strong, error(allocated.error)),
            None if mended == 0 => "– (no finding was mended)".to_owned(),
            None if allocated.measured > 0 => {
                paint(self.palette.caution, "– (smaller than the sampling error)")
            }
            None => paint(self.palette.caution, "– (nothing was saved)"),
        };
        self.line(&format!("error       {note}"));
        if allocated.fixes.iter().any(|fix| fix.measured.is_some()) {
            let of = share(
                allocated.unexplained.unsigned_abs(),
                allocated.measured.unsigned_abs(),
            );
            let rest = format!(
                "unexplained {}  ({of} of what was measured)",
                change(allocated.unexplained)
            );
            self.line(&paint(self.palette.faint, rest));
        }
    }

    fn allocation_fixes(&mut self, allocated: &AllocatedProof) {
        self.line("");
        if allocated.fixes.is_empty() {
            self.line("before has no findings about what is made");
            return;
        }
        // What was mended is what a person looks for.
        let mut order: Vec<&AllocatedFix> = allocated.fixes.iter().collect();
        order.sort_by_key(|fix| matches!(fix.outcome, Outcome::Open));
        let mut rest: Vec<&AllocatedFix> = Vec::new();
        if let Some(limit) = self.limit
            && order.len() > limit
        {
            rest = order.split_off(limit);
        }
        let longest = order.iter().map(|fix| columns(&place(fix))).max().unwrap_or(0);
        let places = longest.clamp(26, self.width - 50);
        self.fix_head("findings about what is made", places);
        for fix in order {
            self.allocation_fix(fix, places);
        }
        self.more(rest.iter().map(|fix| fix.outcome));
    }

    fn allocation_fix(&mut self, fix: &AllocatedFix, places: usize) {
        let is_made = fix.outcome.is_made();
        let figures = if is_made {
            let measured = fix.measured.map_or_else(|| "–".to_owned(), signed);
            figures([&signed(fix.predicted), &measured, &error(fix.error)])
        } else {
            not_made(fix.outcome, fix.promised, fix.remaining).unwrap_or_default()
        };
        self.fix_line(fix.outcome, &fix.rule, &place(fix), places, &figures);
        for note in notes(fix) {
            for line in wrap_plain(&note, self.width - 14) {
                self.line(&format!("{:14}{}", "", paint(self.palette.faint, line)));
            }
        }
    }

    fn allocation_places(&mut self, title: &str, places: &[AllocatedPlace]) {
        if places.is_empty() {
            return;
        }
        let shown = self.limit.map_or(places.len(), |_| places.len().min(PLACES));
        self.line("");
        self.line(&paint(self.palette.strong, title));
        for place in &places[..shown] {
            let room = self.width.saturating_sub(48);
            let name = cut(&allocation_site(place), room, Cut::Middle);
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

fn facts(side: &AllocatedSide) -> String {
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

fn place(fix: &AllocatedFix) -> String {
    match (fix.function.as_str(), fix.site.as_str()) {
        ("", site) => harmless(site),
        (function, site) => format!("{} {}", harmless(site), harmless(function)),
    }
}

fn notes(fix: &AllocatedFix) -> Vec<String> {
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
            notes.push("the rule no longer finds it, but its bytes are still made".to_owned());
        }
        Outcome::Unknown => {
            notes.push(
                "the second weighing does not show it: weigh with --all, and record for longer if it is sampled".to_owned(),
            );
        }
        Outcome::Partly => notes.extend(not_made(fix.outcome, fix.promised, fix.remaining)),
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
