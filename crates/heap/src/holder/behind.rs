//! The places of strings that stand behind strings of several fields.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Place;
use super::column::place_by;
use crate::{EdgeKind, Heap, Kind, ObjectId, StringForm, TextId, TypeId};

/// The places of strings that only others show, where these others stand in several fields of one type. No single field
/// holds such a text: which of them named it would depend on what stands first in the dump.
pub(super) fn places_behind(heap: &Heap) -> FxHashMap<ObjectId, Place> {
    let rows = heap.rows().into_par_iter().with_min_len(16_384);
    let pieces = rows.fold(FxHashMap::default, |mut held, id| {
        look_behind(heap, id, &mut held);
        held
    });
    let all = pieces.reduce(FxHashMap::default, |mut all, piece| {
        for (id, held) in piece {
            note(&mut all, id, held);
        }
        all
    });
    let places = all.into_iter().filter_map(|(id, held)| match held {
        Held::Several(ty) => Some((id, Place::Slices(ty))),
        Held::One(..) | Held::Apart => None,
    });
    places.collect()
}

/// What holds the strings that show another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// One field of a type.
    One(TypeId, TextId),
    /// Several fields of a type.
    Several(TypeId),
    /// Fields of several types, or what is no field.
    Apart,
}

impl Held {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::One(one, _) | Self::Several(one), Self::One(other, _) | Self::Several(other))
                if one == other =>
            {
                Self::Several(one)
            }
            _ => Self::Apart,
        }
    }
}

fn note(all: &mut FxHashMap<ObjectId, Held>, id: ObjectId, held: Held) {
    all.entry(id)
        .and_modify(|known| *known = known.and(held))
        .or_insert(held);
}

/// Notes what holds a string at those that it shows, if it shows any.
fn look_behind(heap: &Heap, id: ObjectId, all: &mut FxHashMap<ObjectId, Held>) {
    if heap.kind(id) != Kind::String
        || !matches!(heap.string_form(id), Some(StringForm::Slice | StringForm::Rope))
    {
        return;
    }
    let place = heap.referrers.of(id).and_then(|(from, via)| {
        let is_field = via.kind() == EdgeKind::Field;
        is_field
            .then(|| place_by(heap, from, via, |_| Default::default()))
            .flatten()
    });
    let held = match place {
        Some(Place::Field(ty, name)) => Held::One(ty, name),
        _ => Held::Apart,
    };
    for edge in heap.edges.of(id) {
        if edge.to != id && heap.referrers.are_several(edge.to) && heap.is_piece_of_text(edge.to) {
            note(all, edge.to, held);
        }
    }
}
