//! The layout of a file, by the distances between its rows: ids are addresses, and most collections leave no gaps.

use deadweight_heap::{Fields, RecordShape};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{Classes, representation};
use super::cursor::OBJECT;
use super::decode::{Dump, Row};
use super::layout::Form;
use super::sorts::Sort;

/// Header, reference, and what is before elements of up to four and of eight bytes: those that most programs have first.
const FORMS: [(u64, u64, u64, u64); 8] = [
    (12, 4, 16, 16),
    (12, 8, 16, 16),
    (8, 4, 12, 16),
    (8, 8, 12, 16),
    (16, 8, 20, 24),
    (16, 8, 24, 24),
    (16, 4, 20, 24),
    (16, 4, 24, 24),
];

/// Rows that are looked at, in stretches.
const SAMPLE: u32 = 1 << 21;
const STRETCH: u32 = 1 << 12;

/// Rows of a class that must agree before its size is taken from them.
const AGREE: u32 = 3;

/// The share of rows that are as large as their distance to the next one, from which on a collection has left no gaps. ZGC
/// and Shenandoah leave some: the distance from a row to the next is no size there.
const COMPACT: (u64, u64) = (9, 10);

/// Bytes of a mirror that JDK 17 has without statics, where the dump does not tell.
const MIRROR: u64 = 112;

/// What stands between two rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Class(u32),
    Array(u8, u32),
}

pub(super) struct Fitted {
    pub(super) form: Form,
    /// Of the rows that were looked at the share whose distance to the next one is their size.
    pub(super) explained: f64,
    /// Bytes of the instances of each class.
    pub(super) instances: Vec<u64>,
    /// Bytes of a class without its statics.
    pub(super) mirror: u64,
}

impl Fitted {
    /// Bytes of an array.
    pub(super) fn array(&self, ty: u8, count: u32) -> u64 {
        self.form.array(representation(ty), u64::from(count))
    }

    /// Bytes of a class with so many bytes of statics.
    pub(super) fn class(&self, statics: u64) -> u64 {
        self.mirror + statics.next_multiple_of(self.form.align)
    }
}

pub(super) fn fit(dump: &Dump<'_>) -> Fitted {
    let seen = distances(dump);
    let total: u64 = seen.values().map(|&count| u64::from(count)).sum();
    let mut best: Option<(u64, Form, Vec<u64>)> = None;
    for form in forms() {
        let instances = sizes(dump.classes, &form);
        let explained = explained(&seen, &form, &instances);
        if best.as_ref().is_none_or(|(most, ..)| explained > *most) {
            best = Some((explained, form, instances));
        }
    }
    let (most, form, mut instances) = best.expect("there are forms");
    if most * COMPACT.1 >= total * COMPACT.0 {
        learn(dump.classes, &seen, &mut instances);
    }
    let explained = explained(&seen, &form, &instances);
    let mirror = mirror(dump, &form);
    Fitted {
        form,
        explained: if total == 0 {
            0.0
        } else {
            explained as f64 / total as f64
        },
        instances,
        mirror,
    }
}

fn forms() -> impl Iterator<Item = Form> {
    [(8, true), (8, false), (16, true)]
        .into_iter()
        .flat_map(|(align, fills)| {
            FORMS
                .into_iter()
                .map(move |(header, reference, small, wide)| Form {
                    header,
                    reference,
                    small,
                    wide,
                    align,
                    fills,
                })
        })
}

/// How often rows of each shape are so many bytes before the next one.
fn distances(dump: &Dump<'_>) -> FxHashMap<(Shape, u64), u32> {
    let rows = dump.rows();
    let stretches = rows.div_ceil(STRETCH);
    let every = stretches.div_ceil(SAMPLE / STRETCH).max(1);
    let stretches = (0..stretches)
        .into_par_iter()
        .filter(|stretch| stretch % every == 0);
    stretches
        .fold(FxHashMap::default, |mut seen, stretch| {
            let first = stretch * STRETCH;
            for row in first..(first + STRETCH).min(rows.saturating_sub(1)) {
                let shape = match dump.row(row) {
                    Row::Instance { class, .. } if dump.whole_class(row).is_some() => Shape::Class(class),
                    Row::Objects { count, .. } => Shape::Array(OBJECT, count),
                    Row::Numbers { ty, count, .. } => Shape::Array(ty, count),
                    _ => continue,
                };
                let distance = dump.id_of(row + 1) - dump.id_of(row);
                *seen.entry((shape, distance)).or_default() += 1;
            }
            seen
        })
        .reduce(FxHashMap::default, |mut all, seen| {
            for (key, count) in seen {
                *all.entry(key).or_default() += count;
            }
            all
        })
}

/// Bytes of the instances of all classes.
fn sizes(classes: &Classes, form: &Form) -> Vec<u64> {
    let of = |class: usize| {
        let mut layers: Vec<Vec<Fields>> = Vec::new();
        let mut by = None;
        for field in &classes.all[class].fields {
            if by != Some(field.by) {
                layers.push(Vec::new());
                by = Some(field.by);
            }
            if let Some(layer) = layers.last_mut() {
                layer.push(representation(field.ty).times(1));
            }
        }
        layered(form, &layers, None)
    };
    (0..classes.all.len()).map(of).collect()
}

fn layered(form: &Form, layers: &[Vec<Fields>], inherited: Option<&RecordShape<'_>>) -> u64 {
    let fields = layers.first().map_or(&[][..], Vec::as_slice);
    let shape = RecordShape { inherited, fields };
    if layers.len() > 1 {
        layered(form, &layers[1..], Some(&shape))
    } else {
        form.record(&shape)
    }
}

/// How many rows are as large as their distance to the next.
fn explained(seen: &FxHashMap<(Shape, u64), u32>, form: &Form, instances: &[u64]) -> u64 {
    let fits = |shape: Shape, distance: u64| match shape {
        Shape::Class(class) => instances[class as usize] == distance,
        Shape::Array(ty, count) => form.array(representation(ty), u64::from(count)) == distance,
    };
    let found = seen
        .iter()
        .filter(|((shape, distance), _)| fits(*shape, *distance));
    found.map(|(_, &count)| u64::from(count)).sum()
}

/// Takes the size of a class of the library from its rows where they agree on another one: the runtime adds fields to some
/// of its classes, and keeps others apart.
fn learn(classes: &Classes, seen: &FxHashMap<(Shape, u64), u32>, instances: &mut [u64]) {
    let mut of_class: FxHashMap<u32, (u32, (u32, u64))> = FxHashMap::default();
    for (&(shape, distance), &count) in seen {
        if let Shape::Class(class) = shape {
            let (total, most) = of_class.entry(class).or_default();
            *total += count;
            *most = (*most).max((count, u64::MAX - distance));
        }
    }
    for (class, (total, (count, distance))) in of_class {
        let distance = u64::MAX - distance;
        let known = &mut instances[class as usize];
        let agree = count >= AGREE && count * 10 >= total * 9;
        if agree && classes.all[class as usize].is_library && distance > *known && distance < *known + 512 {
            *known = distance;
        }
    }
}

/// Bytes of statics in a class.
pub(super) fn statics(dump: &Dump<'_>, class: u32, form: &Form) -> u64 {
    let statics = dump.classes.all[class as usize].statics.iter();
    // What stands in angle brackets is the runtime's, and elsewhere.
    let of_program = statics.filter(|of| !dump.classes.name(of.name).starts_with('<'));
    of_program
        .map(|of| representation(of.ty).bytes(form.reference))
        .sum()
}

/// What most classes without statics take.
fn mirror(dump: &Dump<'_>, form: &Form) -> u64 {
    let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
    for row in 0..dump.rows().saturating_sub(1) {
        let Sort::Class(class) = dump.sorts.get(row) else {
            continue;
        };
        let distance = dump.id_of(row + 1) - dump.id_of(row);
        let statics = statics(dump, class, form).next_multiple_of(form.align);
        if let Some(base) = distance
            .checked_sub(statics)
            .filter(|base| (64..512).contains(base))
        {
            *seen.entry(base).or_default() += 1;
        }
    }
    let most = seen
        .into_iter()
        .max_by_key(|&(base, count)| (count, u64::MAX - base));
    most.filter(|&(_, count)| count >= AGREE)
        .map_or(MIRROR, |(base, _)| base)
}
