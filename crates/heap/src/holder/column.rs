//! The place of each row, found in one go through the heap.

use rustc_hash::FxHashMap;

use super::behind::places_behind;
use super::{Column, HolderId, Place};
use crate::{Around, EdgeKind, Heap, Kind, ObjectId, Recent, RowNumbers, Via};

/// How many containers a name may go through: `Type.field[]{}` has two. What is deeper stands beneath the place that owns
/// all of them.
const MAX_DEPTH: u32 = 4;

impl Place {
    /// A number that places mostly differ in.
    fn word(self) -> u32 {
        match self {
            Self::Field(of, name) | Self::Static(of, name) | Self::Column(of, name) => {
                of.wrapping_mul(31) ^ name
            }
            Self::Variable(of)
            | Self::Element(of)
            | Self::Key(of)
            | Self::Value(of)
            | Self::Site(of)
            | Self::Beneath(of)
            | Self::Of(of)
            | Self::Slices(of) => of,
            Self::Elsewhere => 0,
        }
    }
}

impl Column {
    pub(super) fn of(heap: &Heap) -> Self {
        let behind = places_behind(heap);
        let mut all = Interner::new(heap, &behind);
        let holders = RowNumbers::of(
            heap.objects.len(),
            || Interner::new(heap, &behind),
            Interner::met,
            |piece| piece.met.iter().map(|&place| all.adopt(&piece, place)).collect(),
        );
        Self {
            holders,
            places: all.places,
        }
    }
}

/// The place at which an object stands by one reference; `holder` gives the holder of another object.
pub(super) fn place_by(
    heap: &Heap,
    from: ObjectId,
    via: Via,
    holder: impl FnOnce(ObjectId) -> HolderId,
) -> Option<Place> {
    let label = heap.objects.label[from as usize];
    if let Some(column) = heap.frame_columns.at(from, via) {
        return Some(Place::Column(holder(column.frame), column.name));
    }
    Some(match via.kind() {
        EdgeKind::Field => match heap.types.around(label, via.name()) {
            Some(Around::Whole) => return None,
            Some(Around::Element) => Place::Element(holder(heap.owner(from))),
            Some(Around::Key) => Place::Key(holder(heap.owner(from))),
            Some(Around::Value) => Place::Value(holder(heap.owner(from))),
            None if heap.kind(from) == Kind::Record => Place::Field(label, via.name()),
            None => Place::Static(label, via.name()),
        },
        EdgeKind::Variable => Place::Variable(via.name()),
        EdgeKind::Element => Place::Element(holder(heap.owner(from))),
        EdgeKind::Key => Place::Key(holder(heap.owner(from))),
        EdgeKind::Value => Place::Value(holder(heap.owner(from))),
        EdgeKind::Internal | EdgeKind::Weak => return None,
    })
}

/// Whether a reference names what it leads to.
fn names(via: Via) -> bool {
    !matches!(via.kind(), EdgeKind::Internal | EdgeKind::Weak)
}

/// Gives each place a number.
struct Interner<'h> {
    heap: &'h Heap,
    /// The places of strings that those of several fields show.
    behind: &'h FxHashMap<ObjectId, Place>,
    places: Vec<Place>,
    ids: FxHashMap<Place, HolderId>,
    recent: Recent<Place>,
    /// The holders of rows in the order in which they are met, and by holder the number in that order.
    met: Vec<HolderId>,
    order: Vec<u16>,
    /// The holders of rows in many containers, and of what these stand in.
    deep: FxHashMap<ObjectId, HolderId>,
}

/// No row of the piece has this holder yet.
const UNMET: u16 = u16::MAX;

impl<'h> Interner<'h> {
    fn new(heap: &'h Heap, behind: &'h FxHashMap<ObjectId, Place>) -> Self {
        Self {
            heap,
            behind,
            places: Vec::new(),
            ids: FxHashMap::default(),
            recent: Recent::none(),
            met: Vec::new(),
            order: Vec::new(),
            deep: FxHashMap::default(),
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
            Place::Column(of, name) => Place::Column(self.adopt(from, of), name),
            Place::Beneath(of) => Place::Beneath(self.adopt(from, of)),
            place => place,
        };
        self.intern(place)
    }

    fn at_depth(&mut self, id: ObjectId, depth: u32) -> HolderId {
        let heap = self.heap;
        // However its library keeps it, an array of a frame is the frame's.
        if depth < MAX_DEPTH
            && let Some(frame) = heap.frame_columns.frame_of(id)
        {
            let of = self.at_depth(frame, depth + 1);
            return self.intern(Place::Element(of));
        }
        if !self.behind.is_empty()
            && let Some(&place) = self.behind.get(&id)
        {
            return self.intern(place);
        }
        let referrer = heap.referrers.of(id);
        let site = heap.sites.id(id);
        if let Some(site) = site.filter(|_| !referrer.is_some_and(|(_, via)| names(via))) {
            return self.intern(Place::Site(site));
        }
        let Some((from, via)) = referrer else {
            return self.unnamed(id, depth);
        };
        if depth >= MAX_DEPTH {
            return self.beneath(id);
        }
        match place_by(heap, from, via, |id| self.at_depth(id, depth + 1)) {
            Some(place) => self.intern(place),
            None => self.at_depth(heap.owner(from), depth + 1),
        }
    }

    /// What nothing names, but what it holds can be named by: an object of some type.
    fn unnamed(&mut self, id: ObjectId, depth: u32) -> HolderId {
        let label = self.heap.objects.label[id as usize];
        let has_type = matches!(
            self.heap.kind(id),
            Kind::Record | Kind::Array | Kind::Table | Kind::Closure
        );
        let is_typed = depth > 0 && has_type && !self.heap.types.name(label).is_empty();
        self.intern(if is_typed {
            Place::Of(label)
        } else {
            Place::Elsewhere
        })
    }

    /// The nearest place on the way to a root that a field, a variable or a site names.
    fn beneath(&mut self, id: ObjectId) -> HolderId {
        let heap = self.heap;
        let (mut way, mut at) = (Vec::new(), id);
        let found = loop {
            if let Some(&known) = self.deep.get(&at) {
                break known;
            }
            // A way in circles leads to no place.
            self.deep.insert(at, HolderId::MAX);
            way.push(at);
            let referrer = heap.referrers.of(at);
            if let Some(site) = heap
                .sites
                .id(at)
                .filter(|_| !referrer.is_some_and(|(_, via)| names(via)))
            {
                let site = self.intern(Place::Site(site));
                break self.intern(Place::Beneath(site));
            }
            let Some((from, via)) = referrer else {
                break self.unnamed(at, MAX_DEPTH);
            };
            let is_named = match via.kind() {
                EdgeKind::Field => heap
                    .types
                    .around(heap.objects.label[from as usize], via.name())
                    .is_none(),
                kind => kind == EdgeKind::Variable,
            };
            let place = is_named
                .then(|| place_by(heap, from, via, |_| HolderId::default()))
                .flatten();
            let Some(place) = place else {
                at = heap.owner(from);
                continue;
            };
            let place = self.intern(place);
            break self.intern(Place::Beneath(place));
        };
        let found = if found == HolderId::MAX {
            self.intern(Place::Elsewhere)
        } else {
            found
        };
        self.deep.extend(way.into_iter().map(|row| (row, found)));
        found
    }

    fn intern(&mut self, place: Place) -> HolderId {
        let (places, ids) = (&mut self.places, &mut self.ids);
        self.recent.get(place, place.word(), || {
            *ids.entry(place).or_insert_with(|| {
                places.push(place);
                (places.len() - 1) as HolderId
            })
        })
    }
}
