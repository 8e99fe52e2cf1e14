//! Moments of one program: what grew, and what grows without end.

use std::collections::BTreeMap;

use deadweight_weighing::{Holding, Source, Weighing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::proof::{Amount, Saving};

/// The schema this version writes.
pub const SCHEMA: &str = "deadweight/diff/1";

/// A leak is suspected from this many moments on: two show growth, and growth alone is no leak.
pub const MOMENTS: usize = 3;

/// A place is suspected when it takes at least this share of what the whole program grew by.
const SHARE: f64 = 0.05;

/// What grows by this share of its largest step or less in the last one is filling up, as a cache does.
const SLOWING: f64 = 0.25;

/// Moments of one program, in the order in which they were given. All sizes are whole bytes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Diff {
    /// Always `deadweight/diff/1`.
    pub schema: String,
    /// The moments.
    pub moments: Vec<Moment>,
    /// What the last moment holds more than the first.
    pub grown: Saving,
    /// Places that changed, those that grew most first.
    pub places: Vec<Course>,
    /// Whether there are moments enough to suspect a leak.
    pub can_suspect: bool,
    /// What to know before believing the figures.
    pub notes: Vec<String>,
}

/// One moment.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Moment {
    /// What was weighed.
    pub source: Source,
    /// All it holds.
    pub bytes: Amount,
    /// Live objects.
    pub objects: u64,
    /// Bytes that no change of the findings' kind would leave: dead weight inside and outside the heap.
    pub dead: u64,
}

/// How one place went from moment to moment.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
pub struct Course {
    /// The place; empty for the runtime's own.
    pub holder: String,
    /// What stands there.
    pub holds: String,
    /// Objects at each moment; null where the place is too small to be listed.
    pub count: Vec<Option<u64>>,
    /// Bytes at each moment, inside and outside the heap; null as for the count.
    pub bytes: Vec<Option<u64>>,
    /// Bytes of the last moment that the first has not; negative for a place that shrank.
    pub grown: i64,
    /// Whether objects and bytes grew from each moment to the next, without slowing down, over three moments or more.
    pub suspect: bool,
}

/// Compares moments of one program.
///
/// # Errors
/// When there are fewer than two, or a weighing has no table of places.
pub fn diff(moments: &[Weighing]) -> Result<Diff, Unfit> {
    if moments.len() < 2 {
        return Err(Unfit::TooFew);
    }
    let mut places: BTreeMap<(&str, &str), Vec<Option<&Holding>>> = BTreeMap::new();
    for (at, moment) in moments.iter().enumerate() {
        let holdings = moment
            .holdings
            .as_ref()
            .ok_or_else(|| Unfit::NoPlaces(moment.source.path.clone()))?;
        for place in &holdings.places {
            let course = places
                .entry((&place.holder, &place.holds))
                .or_insert_with(|| vec![None; moments.len()]);
            course[at] = Some(place);
        }
    }
    let described: Vec<Moment> = moments.iter().map(moment).collect();
    let (first, last) = (described[0].bytes, described[described.len() - 1].bytes);
    let minus = |a: u64, b: u64| a.cast_signed() - b.cast_signed();
    let grown = Saving {
        held: minus(last.held, first.held),
        external: minus(last.external, first.external),
    };
    let mut courses: Vec<Course> = places
        .into_values()
        .map(|course| course_of(&course, grown.sum()))
        .collect();
    courses.retain(|course| course.grown != 0);
    courses.sort_by(|a, b| {
        b.grown
            .cmp(&a.grown)
            .then_with(|| (&a.holder, &a.holds).cmp(&(&b.holder, &b.holds)))
    });
    let mut notes = Vec::new();
    if moments
        .iter()
        .any(|moment| moment.runtime.version != moments[0].runtime.version)
    {
        notes.push(
            "the moments are of different versions of the runtime: are they of one program?".to_owned(),
        );
    }
    for moment in moments.iter().filter(|moment| moment.partial.is_some()) {
        notes.push(format!(
            "{} is not whole: its figures are lower bounds",
            moment.source.path
        ));
    }
    for moment in moments {
        if let Some(why) = &moment.estimated {
            notes.push(format!("figures of {} are estimates: {why}", moment.source.path));
        }
    }
    for moment in moments.iter().filter(|moment| moment.unseen.is_some()) {
        notes.push(format!(
            "{} does not show most of the memory that the process had",
            moment.source.path
        ));
    }
    Ok(Diff {
        schema: SCHEMA.to_owned(),
        can_suspect: moments.len() >= MOMENTS,
        moments: described,
        grown,
        places: courses,
        notes,
    })
}

/// Why moments cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Fewer than two.
    #[error("at least two moments are needed")]
    TooFew,
    /// An old weighing.
    #[error("{0}: the weighing was made before places were listed; weigh its dump again")]
    NoPlaces(String),
}

fn moment(weighing: &Weighing) -> Moment {
    Moment {
        source: weighing.source.clone(),
        bytes: Amount {
            held: weighing.held.bytes,
            external: weighing.external.bytes,
        },
        objects: weighing.held.objects,
        dead: weighing.held.dead + weighing.external.dead,
    }
}

fn course_of(course: &[Option<&Holding>], grown_in_all: i64) -> Course {
    let any = course.iter().flatten().next();
    let count: Vec<Option<u64>> = course
        .iter()
        .map(|place| place.map(|place| place.count))
        .collect();
    let bytes: Vec<Option<u64>> = course
        .iter()
        .map(|place| place.map(|place| place.bytes + place.external))
        .collect();
    let end = |bytes: Option<&Option<u64>>| bytes.copied().flatten().unwrap_or(0).cast_signed();
    let grown = end(bytes.last()) - end(bytes.first());
    let runtime = any.is_some_and(|place| place.runtime);
    let matters = grown_in_all > 0 && grown as f64 >= SHARE * grown_in_all as f64;
    Course {
        holder: any.map(|place| place.holder.clone()).unwrap_or_default(),
        holds: any.map(|place| place.holds.clone()).unwrap_or_default(),
        suspect: !runtime && matters && bytes.len() >= MOMENTS && grows(&bytes) && rises(&count),
        count,
        bytes,
        grown,
    }
}

/// Whether each step is one up, and the last not much smaller than the largest.
fn grows(bytes: &[Option<u64>]) -> bool {
    let steps: Vec<i64> = bytes
        .windows(2)
        .map(|pair| pair[1].unwrap_or(0).cast_signed() - pair[0].unwrap_or(0).cast_signed())
        .collect();
    let largest = steps.iter().copied().max().unwrap_or(0);
    let last = steps.last().copied().unwrap_or(0);
    rises(bytes) && last as f64 > SLOWING * largest as f64
}

/// Whether each is more than the one before; a place that is not listed has next to nothing.
fn rises(figures: &[Option<u64>]) -> bool {
    figures
        .windows(2)
        .all(|pair| pair[1].unwrap_or(0) > pair[0].unwrap_or(0))
}
