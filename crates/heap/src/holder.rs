//! Names for places that hold objects, as a person who changes the program would say them.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::row_numbers::PIECE;
use crate::{EdgeKind, Heap, Kind, ObjectId, RowNumbers, SiteId, TextId, TypeId, Via};

/// A row of [`Holders`].
pub type HolderId = u32;

/// How many containers a name may go through: `Type.field[]{}` has two.
const MAX_DEPTH: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Field(TypeId, TextId),
    Static(TypeId, TextId),
    Variable(TextId),
    Element(HolderId),
    Key(HolderId),
    Value(HolderId),
    Site(SiteId),
    Elsewhere,
}

impl Place {
    /// Where it is kept at hand.
    fn slot(self) -> usize {
        let word = match self {
            Self::Field(ty, name) | Self::Static(ty, name) => ty.wrapping_mul(31) ^ name,
            Self::Variable(of) | Self::Element(of) | Self::Key(of) | Self::Value(of) | Self::Site(of) => of,
            Self::Elsewhere => 0,
        };
        (word.wrapping_mul(0x9E37_79B9) >> 16) as usize % RECENT
    }
}

/// The holders of one heap: `Type.field`, `Type.field[]` for what stands in an array held there, `Type.field{}` for a
/// table's values, `Type.field{keys}` for its keys, and a variable's own name. Where no reference names an object, it is
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
            Place::Field(ty, _) | Place::Static(ty, _) => Some(ty),
            Place::Element(of) | Place::Key(of) | Place::Value(of) => self.root(of),
            Place::Variable(_) | Place::Site(_) | Place::Elsewhere => None,
        }
    }

    /// The name to show.
    #[must_use]
    pub fn name(&self, id: HolderId) -> String {
        let heap = self.heap;
        match self.place(id) {
            Place::Field(ty, field) | Place::Static(ty, field) => heap.field_name(ty, field),
            Place::Variable(name) => heap.texts.shown(name, 48),
            Place::Element(of) => format!("{}[]", self.name(of)),
            Place::Key(of) => format!("{}{{keys}}", self.name(of)),
            Place::Value(of) => format!("{}{{}}", self.name(of)),
            Place::Site(site) => heap.sites.get(site).map_or_else(String::new, crate::Site::name),
            Place::Elsewhere => String::from("(elsewhere)"),
        }
    }

    /// Whether the holder is a place that a person can find in the program.
    #[must_use]
    pub fn is_known(&self, id: HolderId) -> bool {
        match self.place(id) {
            Place::Elsewhere => false,
            Place::Element(of) | Place::Key(of) | Place::Value(of) => self.is_known(of),
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
    at: FxHashMap<HolderId, usize>,
    /// The group met last: things of one holder mostly stand side by side.
    last: usize,
}

impl<T> Groups<T> {
    fn new() -> Self {
        Self {
            found: Vec::new(),
            at: FxHashMap::default(),
            last: 0,
        }
    }

    fn of(&mut self, holder: HolderId) -> &mut Vec<T> {
        let groups = &mut self.found;
        if groups.get(self.last).is_none_or(|(last, _)| *last != holder) {
            self.last = *self.at.entry(holder).or_insert_with(|| {
                groups.push((holder, Vec::new()));
                groups.len() - 1
            });
        }
        &mut groups[self.last].1
    }
}

impl Column {
    fn of(heap: &Heap) -> Self {
        let mut all = Interner::new(heap);
        let holders = RowNumbers::of(
            heap.objects.len(),
            || Interner::new(heap),
            Interner::met,
            |piece| piece.met.iter().map(|&place| all.adopt(&piece, place)).collect(),
        );
        Self {
            holders,
            places: all.places,
        }
    }
}

/// Gives each place a number.
struct Interner<'h> {
    heap: &'h Heap,
    places: Vec<Place>,
    ids: FxHashMap<Place, HolderId>,
    /// Places met last: rows of a few places stand side by side.
    recent: Box<[(Place, HolderId); RECENT]>,
    /// The holders of rows in the order in which they are met, and by holder the number in that order.
    met: Vec<HolderId>,
    order: Vec<u16>,
}

/// How many places are at hand.
const RECENT: usize = 64;

/// No row of the piece has this holder yet.
const UNMET: u16 = u16::MAX;

impl<'h> Interner<'h> {
    fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            places: Vec::new(),
            ids: FxHashMap::default(),
            recent: Box::new([(Place::Elsewhere, HolderId::MAX); RECENT]),
            met: Vec::new(),
            order: Vec::new(),
        }
    }

    /// The number of a row's holder among those that rows of this piece have.
    fn met(&mut self, id: ObjectId) -> u16 {
        let holder = self.at_depth(id, 0) as usize;
        if self.order.len() <= holder {
            self.order.resize(holder + 1, UNMET);
        }
        if self.order[holder] == UNMET {
            self.order[holder] = self.met.len() as u16;
            self.met.push(holder as HolderId);
        }
        self.order[holder]
    }

    /// The same place in this table.
    fn adopt(&mut self, from: &Self, id: HolderId) -> HolderId {
        let place = match from.places[id as usize] {
            Place::Element(of) => Place::Element(self.adopt(from, of)),
            Place::Key(of) => Place::Key(self.adopt(from, of)),
            Place::Value(of) => Place::Value(self.adopt(from, of)),
            place => place,
        };
        self.intern(place)
    }

    fn at_depth(&mut self, id: ObjectId, depth: u32) -> HolderId {
        let heap = self.heap;
        let referrer = heap.referrers.of(id).filter(|_| depth < MAX_DEPTH);
        let names = |via: Via| !matches!(via.kind(), EdgeKind::Internal | EdgeKind::Weak);
        let site = heap.sites.id(id);
        if let Some(site) = site.filter(|_| !referrer.is_some_and(|(_, via)| names(via))) {
            return self.intern(Place::Site(site));
        }
        let Some((from, via)) = referrer else {
            return self.intern(Place::Elsewhere);
        };
        let label = heap.objects.label[from as usize];
        let place = match via.kind() {
            EdgeKind::Field if heap.kind(from) == Kind::Record => Place::Field(label, via.name()),
            EdgeKind::Field => Place::Static(label, via.name()),
            EdgeKind::Variable => Place::Variable(via.name()),
            EdgeKind::Element => Place::Element(self.at_depth(heap.owner(from), depth + 1)),
            EdgeKind::Key => Place::Key(self.at_depth(heap.owner(from), depth + 1)),
            EdgeKind::Value => Place::Value(self.at_depth(heap.owner(from), depth + 1)),
            EdgeKind::Internal | EdgeKind::Weak => return self.at_depth(heap.owner(from), depth + 1),
        };
        self.intern(place)
    }

    fn intern(&mut self, place: Place) -> HolderId {
        let recent = &mut self.recent[place.slot()];
        if recent.0 == place && recent.1 != HolderId::MAX {
            return recent.1;
        }
        let places = &mut self.places;
        let id = *self.ids.entry(place).or_insert_with(|| {
            places.push(place);
            (places.len() - 1) as HolderId
        });
        *recent = (place, id);
        id
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
