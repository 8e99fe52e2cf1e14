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
    /// Places met last: rows of a few places stand side by side.
    recent: Box<[(Place, HolderId); RECENT]>,
}

/// How many places are at hand.
const RECENT: usize = 64;

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

impl<'h> Holders<'h> {
    /// An empty table.
    #[must_use]
    pub fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            places: Vec::new(),
            ids: FxHashMap::default(),
            recent: Box::new([(Place::Elsewhere, HolderId::MAX); RECENT]),
        }
    }

    /// Groups the rows that `wanted` picks by their holders, on all threads. Groups come in the order in which their
    /// first rows stand in the heap, rows in heap order.
    pub fn group(&mut self, wanted: impl Fn(ObjectId) -> bool + Sync) -> Vec<(HolderId, Vec<ObjectId>)> {
        let row = |row: usize| {
            let id = row as ObjectId;
            wanted(id).then_some((id, id))
        };
        self.group_all(self.heap.objects.len(), row)
    }

    /// Groups what `of` tells of each of so many things by the holder of the row that it names, on all threads. Groups
    /// come in the order of their first things, and so do those of a group.
    pub fn group_all<T: Send>(
        &mut self,
        things: usize,
        of: impl Fn(usize) -> Option<(ObjectId, T)> + Sync,
    ) -> Vec<(HolderId, Vec<T>)> {
        let heap = self.heap;
        let pieces: Vec<_> = (0..things.div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let things = piece * PIECE..((piece + 1) * PIECE).min(things);
                let mut holders = Holders::new(heap);
                let mut groups: Vec<Vec<T>> = Vec::new();
                for (id, thing) in things.filter_map(&of) {
                    let holder = holders.of(id) as usize;
                    if groups.len() <= holder {
                        groups.resize_with(holder + 1, Vec::new);
                    }
                    groups[holder].push(thing);
                }
                (holders, groups)
            })
            .collect();
        let mut found: Vec<(HolderId, usize)> = Vec::new();
        let mut position: FxHashMap<HolderId, usize> = FxHashMap::default();
        let pieces: Vec<Vec<(usize, Vec<T>)>> = pieces
            .into_iter()
            .map(|(holders, groups)| {
                let groups = groups.into_iter().enumerate();
                let placed = groups.filter(|(_, rows)| !rows.is_empty()).map(|(holder, rows)| {
                    let holder = self.adopt(&holders, holder as HolderId);
                    let at = *position.entry(holder).or_insert_with(|| {
                        found.push((holder, 0));
                        found.len() - 1
                    });
                    found[at].1 += rows.len();
                    (at, rows)
                });
                placed.collect()
            })
            .collect();
        let with_room = |(holder, rows)| (holder, Vec::with_capacity(rows));
        let mut found: Vec<(HolderId, Vec<T>)> = found.into_iter().map(with_room).collect();
        for (at, rows) in pieces.into_iter().flatten() {
            found[at].1.extend(rows);
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
