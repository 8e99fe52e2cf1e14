//! Names for places that hold objects, as a person who changes the program would say them.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{EdgeKind, Heap, Kind, ObjectId, SiteId, TextId, TypeId, Via};

/// A row of [`Holders`].
pub type HolderId = u32;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 16;

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

/// Interned holders of one heap: `Type.field`, `Type.field[]` for what stands in an array held there,
/// `Type.field{}` for a table's values, `Type.field{keys}` for its keys, and a variable's own name. Where no reference
/// names an object, it is the function that allocated it.
#[derive(Debug)]
pub struct Holders<'h> {
    heap: &'h Heap,
    places: Vec<Place>,
    ids: FxHashMap<Place, HolderId>,
}

impl<'h> Holders<'h> {
    /// An empty table.
    #[must_use]
    pub fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            places: Vec::new(),
            ids: FxHashMap::default(),
        }
    }

    /// Groups the rows that `wanted` picks by their holders, on all threads. Groups come in the order in which their
    /// first rows stand in the heap, rows in heap order.
    pub fn group(&mut self, wanted: impl Fn(ObjectId) -> bool + Sync) -> Vec<(HolderId, Vec<ObjectId>)> {
        let heap = self.heap;
        let rows = heap.objects.len();
        let pieces: Vec<_> = (0..rows.div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let rows = piece * PIECE..((piece + 1) * PIECE).min(rows);
                let mut holders = Holders::new(heap);
                let mut groups: Vec<Vec<ObjectId>> = Vec::new();
                for id in rows.map(|row| row as ObjectId).filter(|&id| wanted(id)) {
                    let holder = holders.of(id) as usize;
                    if groups.len() <= holder {
                        groups.resize_with(holder + 1, Vec::new);
                    }
                    groups[holder].push(id);
                }
                (holders, groups)
            })
            .collect();
        let mut found: Vec<(HolderId, Vec<ObjectId>)> = Vec::new();
        let mut position: FxHashMap<HolderId, usize> = FxHashMap::default();
        for (holders, groups) in pieces {
            for (holder, rows) in groups
                .into_iter()
                .enumerate()
                .filter(|(_, rows)| !rows.is_empty())
            {
                let holder = self.adopt(&holders, holder as HolderId);
                let at = *position.entry(holder).or_insert_with(|| {
                    found.push((holder, Vec::new()));
                    found.len() - 1
                });
                found[at].1.extend(rows);
            }
        }
        found
    }

    /// The type whose field the place hangs on; none for variables, sites, and what is held elsewhere.
    #[must_use]
    pub fn root(&self, id: HolderId) -> Option<TypeId> {
        match self.places[id as usize] {
            Place::Field(ty, _) | Place::Static(ty, _) => Some(ty),
            Place::Element(of) | Place::Key(of) | Place::Value(of) => self.root(of),
            Place::Variable(_) | Place::Site(_) | Place::Elsewhere => None,
        }
    }

    /// The same place in this table.
    pub fn adopt(&mut self, from: &Holders<'_>, id: HolderId) -> HolderId {
        let place = match from.places[id as usize] {
            Place::Element(of) => Place::Element(self.adopt(from, of)),
            Place::Key(of) => Place::Key(self.adopt(from, of)),
            Place::Value(of) => Place::Value(self.adopt(from, of)),
            place => place,
        };
        self.intern(place)
    }

    /// The holder of an object.
    pub fn of(&mut self, id: ObjectId) -> HolderId {
        self.at_depth(id, 0)
    }

    /// The place of one field of a record's type.
    pub fn field(&mut self, ty: TypeId, field: TextId) -> HolderId {
        self.intern(Place::Field(ty, field))
    }

    fn at_depth(&mut self, id: ObjectId, depth: u32) -> HolderId {
        let referrer = self.heap.referrers.of(id).filter(|_| depth < MAX_DEPTH);
        let names = |via: Via| !matches!(via.kind(), EdgeKind::Internal | EdgeKind::Weak);
        if let Some(site) = self
            .heap
            .sites
            .id(id)
            .filter(|_| !referrer.is_some_and(|(_, via)| names(via)))
        {
            return self.intern(Place::Site(site));
        }
        let Some((from, via)) = referrer else {
            return self.intern(Place::Elsewhere);
        };
        let objects = &self.heap.objects;
        let place = match via.kind() {
            EdgeKind::Field => match objects.kind[from as usize] {
                Kind::Record => Place::Field(objects.label[from as usize], via.name()),
                _ => Place::Static(objects.label[from as usize], via.name()),
            },
            EdgeKind::Variable => Place::Variable(via.name()),
            EdgeKind::Element => Place::Element(self.at_depth(self.heap.owner(from), depth + 1)),
            EdgeKind::Key => Place::Key(self.at_depth(self.heap.owner(from), depth + 1)),
            EdgeKind::Value => Place::Value(self.at_depth(self.heap.owner(from), depth + 1)),
            EdgeKind::Internal | EdgeKind::Weak => return self.at_depth(self.heap.owner(from), depth + 1),
        };
        self.intern(place)
    }

    fn intern(&mut self, place: Place) -> HolderId {
        let places = &mut self.places;
        *self.ids.entry(place).or_insert_with(|| {
            places.push(place);
            (places.len() - 1) as HolderId
        })
    }

    /// The name to show.
    #[must_use]
    pub fn name(&self, id: HolderId) -> String {
        match self.places[id as usize] {
            Place::Field(ty, field) | Place::Static(ty, field) => {
                format!(
                    "{}.{}",
                    self.heap.types.name(ty),
                    self.heap.texts.shown(field, 48)
                )
            }
            Place::Variable(name) => self.heap.texts.shown(name, 48),
            Place::Element(of) => format!("{}[]", self.name(of)),
            Place::Key(of) => format!("{}{{keys}}", self.name(of)),
            Place::Value(of) => format!("{}{{}}", self.name(of)),
            Place::Site(site) => self
                .heap
                .sites
                .get(site)
                .map_or_else(String::new, crate::Site::name),
            Place::Elsewhere => String::from("(elsewhere)"),
        }
    }

    /// Whether the holder is a place that a person can find in the program.
    #[must_use]
    pub fn is_known(&self, id: HolderId) -> bool {
        match self.places[id as usize] {
            Place::Elsewhere => false,
            Place::Element(of) | Place::Key(of) | Place::Value(of) => self.is_known(of),
            _ => true,
        }
    }
}

impl Heap {
    /// The logical object a row belongs to: itself, or the owner of a part.
    #[must_use]
    #[inline]
    pub fn owner(&self, id: ObjectId) -> ObjectId {
        self.objects.owner(id)
    }
}
