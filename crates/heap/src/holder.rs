//! Names for places that hold objects, as a person who changes the program would say them.

mod behind;
mod column;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::row_numbers::PIECE;
use crate::{FrameColumn, Heap, ObjectId, Recent, Reference, RowNumbers, SiteId, TextId, TypeId};
use column::place_by;

/// A row of [`Holders`].
pub type HolderId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Field(TypeId, TextId),
    Static(TypeId, TextId),
    Variable(TextId),
    Element(HolderId),
    Key(HolderId),
    Value(HolderId),
    /// A column of a data frame there.
    Column(HolderId, TextId),
    Site(SiteId),
    /// Somewhere in containers of containers at a place.
    Beneath(HolderId),
    /// What an object of the type holds, which nothing names itself.
    Of(TypeId),
    /// What the slices in several fields of the type show.
    Slices(TypeId),
    Elsewhere,
}

/// A place that holds an object by one of the references to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldAt(Place);

/// The holders of one heap: `Type.field`, `Type.field[]` for what stands in an array held there, `Type.field{}` for a
/// table's values, `Type.field{keys}` for its keys, `Type.field["name"]` for a column of a data frame, and a variable's own name. Where no reference names an object, it is
/// the function that allocated it.
#[derive(Clone, Debug)]
pub struct Holders<'h> {
    heap: &'h Heap,
    column: Arc<Column>,
}

/// The holder of each row.
#[derive(Debug)]
struct Column {
    holders: RowNumbers,
    places: Vec<Place>,
}

impl<'h> Holders<'h> {
    /// The holders of a heap, which are found once, on all threads.
    #[must_use]
    pub fn new(heap: &'h Heap) -> Self {
        let column = heap.shared.get(|| Column::of(heap));
        Self { heap, column }
    }

    /// The holder of an object.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    #[inline]
    pub fn of(&self, id: ObjectId) -> HolderId {
        let holder = self.column.holders.get(id);
        holder.expect("only rows of the heap are asked about")
    }

    /// Groups the rows that `wanted` picks by their holders, on all threads. Groups come in the order in which their
    /// first rows stand in the heap, rows in heap order.
    pub fn group(&self, wanted: impl Fn(ObjectId) -> bool + Sync) -> Vec<(HolderId, Vec<ObjectId>)> {
        let row = |row: usize| {
            let id = row as ObjectId;
            wanted(id).then_some((id, id))
        };
        self.group_all(self.heap.objects.len(), row)
    }

    /// Groups what `of` returns for each of so many things by the holder of the row that it names, on all threads. Groups
    /// come in the order of their first things, and so do those of a group.
    pub fn group_all<T: Send>(
        &self,
        things: usize,
        of: impl Fn(usize) -> Option<(ObjectId, T)> + Sync,
    ) -> Vec<(HolderId, Vec<T>)> {
        let pieces = (0..things.div_ceil(PIECE)).into_par_iter().map(|piece| {
            let things = piece * PIECE..((piece + 1) * PIECE).min(things);
            let mut groups = Groups::new();
            for (id, thing) in things.filter_map(&of) {
                groups.of(self.of(id)).push(thing);
            }
            groups.found
        });
        let pieces: Vec<_> = pieces.collect();
        let mut all = Groups::new();
        for (holder, things) in pieces.into_iter().flatten() {
            all.of(holder).extend(things);
        }
        all.found
    }

    /// The type whose field the place hangs on; none for variables, sites, and what is held elsewhere.
    #[must_use]
    pub fn root(&self, id: HolderId) -> Option<TypeId> {
        match self.place(id) {
            Place::Field(ty, _) | Place::Static(ty, _) | Place::Of(ty) | Place::Slices(ty) => Some(ty),
            Place::Element(of)
            | Place::Key(of)
            | Place::Value(of)
            | Place::Column(of, _)
            | Place::Beneath(of) => self.root(of),
            Place::Variable(_) | Place::Site(_) | Place::Elsewhere => None,
        }
    }

    /// The name to show.
    #[must_use]
    pub fn name(&self, id: HolderId) -> String {
        self.name_of(self.place(id))
    }

    /// The place that holds an object by a reference; `None` for one that names nothing.
    #[must_use]
    pub fn held_at(&self, reference: Reference) -> Option<HeldAt> {
        place_by(self.heap, reference.from, reference.via, |id| self.of(id)).map(HeldAt)
    }

    /// The place that holds an object, for what only goes with it.
    #[must_use]
    pub fn held_with(&self, id: ObjectId) -> HeldAt {
        HeldAt(self.place(self.of(self.heap.owner(id))))
    }

    /// The place of what stands in a column of a data frame.
    #[must_use]
    pub fn of_column(&self, column: &FrameColumn) -> HeldAt {
        HeldAt(Place::Column(self.of(column.frame), column.name))
    }

    /// The name of such a place to show.
    #[must_use]
    pub fn name_held_at(&self, place: HeldAt) -> String {
        self.name_of(place.0)
    }

    /// Whether such a place is the one of that name, or one of the fields that it stands for.
    #[must_use]
    pub fn is_part_of(&self, place: HeldAt, name: &str) -> bool {
        let is_field_of = match place.0 {
            Place::Field(ty, _) => self.name_of(Place::Slices(ty)) == name,
            _ => false,
        };
        is_field_of || self.name_held_at(place) == name
    }

    fn name_of(&self, place: Place) -> String {
        let heap = self.heap;
        match place {
            Place::Field(ty, field) | Place::Static(ty, field) => heap.field_name(ty, field),
            Place::Variable(name) => heap.texts.shown(name, 48),
            Place::Element(of) => format!("{}[]", self.name(of)),
            Place::Key(of) => format!("{}{{keys}}", self.name(of)),
            Place::Value(of) => format!("{}{{}}", self.name(of)),
            Place::Column(of, name) => format!("{}[\"{}\"]", self.name(of), heap.texts.shown(name, 48)),
            Place::Site(site) => heap.sites.get(site).map_or_else(String::new, crate::Site::name),
            Place::Beneath(of) => format!("{}{{…}}", self.name(of)),
            Place::Of(ty) => format!("({})", heap.types.name(ty)),
            Place::Slices(ty) => format!("{}.*", heap.types.name(ty)),
            Place::Elsewhere => String::from("(elsewhere)"),
        }
    }

    /// Whether the holder is a place that a person can find in the program.
    #[must_use]
    pub fn is_known(&self, id: HolderId) -> bool {
        match self.place(id) {
            Place::Elsewhere | Place::Of(_) => false,
            Place::Element(of)
            | Place::Key(of)
            | Place::Value(of)
            | Place::Column(of, _)
            | Place::Beneath(of) => self.is_known(of),
            _ => true,
        }
    }

    fn place(&self, id: HolderId) -> Place {
        self.column.places[id as usize]
    }
}

/// Things by holder, in the order of their first ones.
struct Groups<T> {
    found: Vec<(HolderId, Vec<T>)>,
    at: FxHashMap<HolderId, u32>,
    recent: Recent<HolderId>,
}

impl<T> Groups<T> {
    fn new() -> Self {
        Self {
            found: Vec::new(),
            at: FxHashMap::default(),
            recent: Recent::none(),
        }
    }

    fn of(&mut self, holder: HolderId) -> &mut Vec<T> {
        let (groups, at) = (&mut self.found, &mut self.at);
        let group = self.recent.get(holder, holder, || {
            *at.entry(holder).or_insert_with(|| {
                groups.push((holder, Vec::new()));
                (groups.len() - 1) as u32
            })
        });
        &mut groups[group as usize].1
    }
}

impl Heap {
    /// The name of one field of a type, as its holder is called.
    #[must_use]
    pub fn field_name(&self, ty: TypeId, field: TextId) -> String {
        format!("{}.{}", self.types.name(ty), self.texts.shown(field, 48))
    }

    /// The logical object a row belongs to: itself, or the owner of a part.
    #[must_use]
    #[inline]
    pub fn owner(&self, id: ObjectId) -> ObjectId {
        self.objects.owner(id)
    }
}
