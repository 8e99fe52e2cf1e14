//! What each finding promised, and what came.

mod crowd;
mod elsewhere;
mod fields;
mod made_at;
mod moved;
mod outcome;
mod pairing;
mod promise;
mod replaced;
pub mod slots;
mod split;
pub(crate) mod tables;
mod went;

use std::collections::BTreeMap;

use deadweight_weighing::{Finding, Freed, OTHERS, Process, UnseenOf, Weighing};

use self::elsewhere::Elsewhere;
use self::made_at::MadeAt;
use crate::align::Names;
use crate::churned;
use crate::judging::{self, Judged, MATTERS};
use crate::places::{Places, difference};
use crate::proof::{Amount, Basis, Fix, New, Outcome, Proof, Records, SCHEMA, Saving, Side};

/// A change that frees this share of what was held beyond all that fixes and options free is hardly theirs.
const MORE_THAN_FIXES: f64 = 0.2;

/// What a caller may say.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Fingerprints of the findings that were mended; without it they are recognized by what the second side still finds.
    pub mended: Option<Vec<String>>,
    /// The way of mending that was taken, where a finding knows several: its name in the evidence, or sizes of slots such
    /// as `6,16`; without it the nearest that the finding itself lists is.
    pub way: Option<String>,
    /// How many records both sides hold; without it they are counted.
    pub records: Option<(u64, u64)>,
}

/// Compares two weighings of a program, before and after a change: what is held, what is made, or both.
#[must_use]
pub fn prove(before: &Weighing, after: &Weighing, options: &Options) -> Proof {
    let mut proof = if has_held(before) && has_held(after) {
        held(before, after, options)
    } else {
        nothing_held(before, after)
    };
    match churned::prove(before, after, options) {
        Ok(allocated) => proof.allocated = allocated,
        Err(why) => proof.notes.push(why),
    }
    proof
}

/// Whether a weighing says what is held: one of a record of allocations alone does not.
fn has_held(weighing: &Weighing) -> bool {
    weighing.churned.is_none() || weighing.holdings.is_some() || weighing.held.objects > 0
}

/// A proof that says nothing of what is held.
fn nothing_held(before: &Weighing, after: &Weighing) -> Proof {
    let mut notes = Vec::new();
    for (this, other, which) in [(before, after, "before"), (after, before, "after")] {
        if has_held(this) && !has_held(other) {
            notes.push(format!(
                "only {which} says what is held: it is not compared; record the other side with a snapshot, too"
            ));
        }
    }
    notes.extend(doubts(before, after));
    Proof {
        schema: SCHEMA.to_owned(),
        before: side(before),
        after: side(after),
        basis: Basis::Nothing,
        records: None,
        predicted: Saving::default(),
        counted: Saving::default(),
        measured: Saving::default(),
        runtime: Saving::default(),
        error: None,
        fixes: Vec::new(),
        grew: Vec::new(),
        shrank: Vec::new(),
        unexplained: Saving::default(),
        new: Vec::new(),
        renamed: Vec::new(),
        notes,
        allocated: None,
    }
}

fn held(before: &Weighing, after: &Weighing, options: &Options) -> Proof {
    let mut notes = Vec::new();
    let names = Names::new(before, after);
    let mut places = None;
    if let (Some(first), Some(second)) = (&before.holdings, &after.holdings) {
        places = Some(Places::new(first, second, &names));
    } else {
        notes.push(
            "a weighing was made before places were listed: what each fix did alone is not measurable; weigh the \
             dump again"
                .to_owned(),
        );
    }
    let records = match (options.records, &places) {
        (Some((before, after)), _) => Some(Records {
            of: String::new(),
            before,
            after,
        }),
        (None, Some(places)) => places.records(&before.findings),
        (None, None) => None,
    };
    if let (Some(places), Some(records)) = (&mut places, &records) {
        places.scale(records);
    }
    if let (Some(places), Some(first), Some(second)) = (&mut places, &before.holdings, &after.holdings) {
        places.fold([first, second], &names);
    }
    notes.extend(doubts(before, after));
    let (basis, counted) = counted(before, after);
    let scaled = places.as_ref().map(Places::scaled_away).unwrap_or_default();
    let measured = counted + scaled;

    let scale = records
        .as_ref()
        .map_or(1.0, |records| records.before as f64 / records.after.max(1) as f64);
    let elsewhere = Elsewhere::find(before, after, &names, places.as_ref(), scale);
    let second = outcome::Second {
        before,
        weighing: after,
        names: &names,
        elsewhere: &elsewhere,
    };
    let mut fixes = outcome::findings(before, &second, places.as_ref(), scale, options);
    let unsure = unsure(&fixes, places.as_ref(), measured);
    let comparable = unsure.is_none();
    notes.extend(unsure);
    promise::know_ways(&mut fixes, &before.runtime.allocator, options);
    promise::promise(&mut fixes);
    let taken = outcome::taken_options(before, after, &names, places.as_ref(), scale, options, &fixes);
    fixes.extend(taken);
    let mut is_told = true;
    if let (Some(places), None) = (&places, &options.mended) {
        let untold = crowd::tell_apart(&mut fixes, places);
        is_told = untold.is_empty();
        notes.extend(untold);
    }
    if let Some(places) = &places {
        tables::settle_own(&mut fixes, places);
    }
    notes.extend(promise::choose_ways(&mut fixes, measured, options));
    let mut predicted = promise::promise(&mut fixes);
    let mut touched = Vec::new();
    let mut runtime = Saving::default();
    if let Some(places) = &places {
        let is_apart = split::is_runtime_apart(&fixes, places, measured);
        if is_apart {
            runtime = places.of_runtime();
        }
        touched = split::split(&mut fixes, places, is_apart);
        predicted = predicted + tables::count_kept(&mut fixes, places, &mut touched);
        tables::count_allocated(&mut fixes, places, &mut touched);
    }
    let attributed: Saving = fixes.iter().filter_map(|fix| fix.report.measured).sum();
    let (grew, shrank) = changed(places.as_ref(), &touched, measured);
    let any = fixes.iter().any(|fix| fix.share > 0.0);
    let mut fixes: Vec<Fix> = fixes.into_iter().map(|fix| fix.report).collect();
    fixes.sort_by(|a, b| {
        let by_size = b.promised.cmp(&a.promised);
        by_size.then_with(|| (&a.rule, &a.holder, &a.fingerprint).cmp(&(&b.rule, &b.holder, &b.fingerprint)))
    });
    Proof {
        schema: SCHEMA.to_owned(),
        before: side(before),
        after: side(after),
        basis,
        records,
        predicted,
        counted,
        measured,
        runtime,
        error: predicted
            .error(measured - runtime)
            .filter(|_| any && comparable && is_told),
        new: New::listed(
            elsewhere
                .new
                .iter()
                .map(|finding| (*finding, finding.holder.clone())),
        ),
        fixes,
        grew,
        shrank,
        unexplained: measured - runtime - attributed,
        renamed: names.to_renamed(),
        notes,
        allocated: None,
    }
}

fn side(weighing: &Weighing) -> Side {
    Side {
        source: weighing.source.clone(),
        runtime: weighing.runtime.clone(),
        process: weighing.process.clone(),
        held: weighing.held.clone(),
        external: weighing.external.clone(),
    }
}

/// What stands between the two that is no fix.
fn doubts(before: &Weighing, after: &Weighing) -> Vec<String> {
    let mut doubts = Vec::new();
    let (first, second) = (&before.runtime, &after.runtime);
    if (&first.name, &first.version) != (&second.name, &second.version) {
        doubts.push(format!(
            "not the same runtime: {} {} before, {} {} after; a part of the change may be its own",
            first.name, first.version, second.name, second.version
        ));
    }
    for (weighing, which) in [(before, "before"), (after, "after")] {
        if weighing.partial.is_some() {
            doubts.push(format!(
                "the dump {which} is not whole: its figures are lower bounds"
            ));
        }
        if let Some(why) = &weighing.estimated {
            doubts.push(format!("figures of the dump {which} are estimates: {why}"));
        }
        // What was gone when the dump was taken is in neither side of the comparison.
        let hidden = weighing
            .unseen
            .as_ref()
            .is_some_and(|unseen| unseen.of == UnseenOf::Resident);
        if hidden {
            doubts.push(format!(
                "the dump {which} does not show most of the memory that the process had: what is said holds for the rest"
            ));
        }
    }
    let gone = before.held.bytes.saturating_sub(after.held.bytes);
    let options: u64 = before.options.iter().map(|option| option.saves).sum();
    let explained = before.held.dead + options + (MORE_THAN_FIXES * before.held.bytes as f64) as u64;
    if gone > explained {
        doubts.push(
            "more is gone than all fixes together free: did the program of after get as far, and with as much data?"
                .to_owned(),
        );
    }
    let folded: u64 = before
        .findings
        .iter()
        .filter(|f| f.rule == OTHERS)
        .map(|f| f.count)
        .sum();
    if folded > 0 {
        doubts.push(format!(
            "{folded} findings before are too small to be listed in the weighing: weigh with --all to prove them, too"
        ));
    }
    doubts
}

/// That findings of some weight cannot be recognized again, as their places have no names.
fn unsure(fixes: &[Draft<'_>], places: Option<&Places>, measured: Saving) -> Option<String> {
    let unsure = fixes.iter().filter(|fix| {
        fix.report.outcome == Outcome::Unknown && places.is_some_and(|places| places.unsure(fix.finding) > 0)
    });
    let promised: Vec<i64> = unsure.map(|fix| fix.report.promised).collect();
    let matters = promised.iter().sum::<i64>() as f64 >= MATTERS * measured.sum().unsigned_abs() as f64;
    (!promised.is_empty() && matters).then(|| {
        format!(
            "not comparable: {} before; a side was built without symbols, so its places are offsets, which cannot be \
             matched with the other side's: keep the symbols of both builds",
            if promised.len() == 1 {
                "1 finding".to_owned()
            } else {
                format!("{} findings", promised.len())
            }
        )
    })
}

fn counted(before: &Weighing, after: &Weighing) -> (Basis, Saving) {
    let said = |weighing: &Weighing| {
        let Process {
            heap_used, external, ..
        } = weighing.process.clone()?;
        Some(Amount {
            held: heap_used?,
            external: external?,
        })
    };
    let summed = |weighing: &Weighing| Amount {
        held: weighing.held.bytes,
        external: weighing.external.bytes,
    };
    match (said(before), said(after)) {
        (Some(first), Some(second)) => (Basis::Process, difference(first, second)),
        _ => (Basis::Dump, difference(summed(before), summed(after))),
    }
}

type Lists = (Vec<crate::proof::Place>, Vec<crate::proof::Place>);

/// The places that changed and that no fix that was made has to do with.
fn changed(places: Option<&Places>, touched: &[crate::places::Name], measured: Saving) -> Lists {
    let Some(places) = places else {
        return Lists::default();
    };
    let least = judging::least(measured.sum());
    let others = places.all.iter().filter(|(name, _)| !touched.contains(name));
    let others: Vec<_> = others.collect();
    let moved = moved::types(places, &others);
    // What left a place for another is at the other place: neither shrank nor grew by it.
    let came = moved::came(places, &others);
    let others = others
        .into_iter()
        .filter(|(name, both)| !moved.contains(both.holds.as_str()) && !came.contains(name));
    let of_place = |(name, both): (&crate::places::Name, &crate::places::Both)| crate::proof::Place {
        saved: places.saved(name),
        ..both.place(name)
    };
    let mut places: Vec<_> = others.map(of_place).collect();
    places.retain(|place| place.saved.sum().unsigned_abs() as f64 >= least);
    places.sort_by_key(|place| std::cmp::Reverse(place.saved.sum().unsigned_abs()));
    places.into_iter().partition(|place| place.saved.sum() < 0)
}

/// A finding on its way to a [`Fix`].
#[derive(Debug)]
pub(crate) struct Draft<'w> {
    pub(crate) finding: &'w Finding,
    /// Whether it is an option, whose overlaps with findings are not known.
    pub(crate) option: bool,
    /// The part that was made, from 0 to 1.
    pub(crate) share: f64,
    /// Other ways to mend it, with what each saves.
    pub(crate) ways: BTreeMap<String, Saving>,
    /// What becomes of nodes whose slots get blocks of their own.
    pub(crate) moved: Option<slots::Moved>,
    /// Where the fix was made, if that is another thing than what the finding frees.
    pub(crate) made_at: Option<MadeAt>,
    pub(crate) report: Fix,
}

impl Draft<'_> {
    pub(crate) fn is_made(&self) -> bool {
        self.report.outcome.is_made()
    }

    /// Where the fix frees bytes.
    pub(crate) fn frees(&self) -> &[Freed] {
        let made_at = self.made_at.as_ref();
        made_at.map_or(&self.finding.frees, |made_at| made_at.frees())
    }

    /// The share of the bytes in [`Self::frees`] that a prediction of so many bytes stands for.
    pub(crate) fn given(&self, predicted: i64) -> f64 {
        let alone = self.finding.saves_alone.max(1) as f64;
        match &self.made_at {
            Some(MadeAt::Inside(frees)) => {
                let all: i64 = frees.iter().map(|freed| freed.bytes).sum();
                predicted as f64 / all.max(1) as f64
            }
            _ => predicted as f64 / alone,
        }
    }
}

impl Judged for Draft<'_> {
    fn finding(&self) -> &Finding {
        self.finding
    }

    fn set(&mut self, outcome: Outcome, share: f64) {
        self.report.outcome = outcome;
        self.share = share;
    }

    fn remain(&mut self, bytes: u64) {
        self.report.remaining = bytes;
    }
}
