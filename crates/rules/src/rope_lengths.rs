//! How many characters joined strings have: as many as their pieces together.

use deadweight_heap::{Flags, Heap, ObjectId, StringForm, Width};
use rustc_hash::FxHashMap;

use crate::rope_pieces::strings_in;

/// Longer texts are none that a program could flatten: a rope may hold itself doubled many times over.
const LONGEST: u64 = 1 << 40;

/// Fewer ropes of known length at a holder do not stand for others.
const ENOUGH: u64 = 30;

/// Characters of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    /// Those of all pieces whose length is known.
    pub(crate) units: u64,
    pub(crate) width: Width,
    /// Taken from bytes, not from text.
    pub(crate) guessed: bool,
    /// Slices of unknown length.
    pub(crate) unknown: u64,
}

impl Length {
    fn and(self, other: Self) -> Option<Self> {
        let units = self.units + other.units;
        let unknown = self.unknown + other.unknown;
        (units <= LONGEST && unknown <= LONGEST).then_some(Self {
            units,
            width: if self.width == Width::Two {
                Width::Two
            } else {
                other.width
            },
            guessed: self.guessed || other.guessed,
            unknown,
        })
    }
}

/// Lengths of strings, each measured once however many ropes share it.
pub(crate) struct RopeLengths<'h> {
    heap: &'h Heap,
    /// `None` while a rope is open, and for what is unknown.
    known: FxHashMap<ObjectId, Option<Length>>,
}

impl<'h> RopeLengths<'h> {
    pub(crate) fn new(heap: &'h Heap) -> Self {
        Self {
            heap,
            known: FxHashMap::default(),
        }
    }

    /// The length of a rope by its pieces; `None` for one that is no tree or too long.
    pub(crate) fn of(&mut self, root: ObjectId) -> Option<Length> {
        let mut open = vec![(root, false)];
        while let Some((id, entered)) = open.pop() {
            if entered {
                let mut pieces = strings_in(self.heap, id).map(|piece| self.length(piece));
                if let [Some(Some(first)), Some(Some(second))] = [pieces.next(), pieces.next()] {
                    let length = first.and(second);
                    drop(pieces);
                    self.known.insert(id, length);
                }
                continue;
            }
            if self.known.contains_key(&id) {
                continue;
            }
            if self.heap.string_form(id) != Some(StringForm::Rope) {
                self.known.insert(id, Some(piece_length(self.heap, id)));
                continue;
            }
            // Unknown until it is closed, so that a rope within itself ends here.
            self.known.insert(id, None);
            open.push((id, true));
            open.extend(strings_in(self.heap, id).take(2).map(|piece| (piece, false)));
        }
        self.length(root)
    }

    fn length(&self, id: ObjectId) -> Option<Length> {
        self.known.get(&id).copied().flatten()
    }
}

fn piece_length(heap: &Heap, id: ObjectId) -> Length {
    let known = |units: u64, width, guessed| Length {
        units: units.min(LONGEST),
        width,
        guessed,
        unknown: 0,
    };
    let text = heap.texts.get(heap.objects.label[id as usize]);
    let cut = heap.objects.has(id, Flags::INCOMPLETE);
    let is_slice = heap.string_form(id) == Some(StringForm::Slice);
    if is_slice && (cut || text.is_empty()) {
        return match heap.length(id) {
            Some(length) => known(length.units.into(), length.width, false),
            None => Length {
                unknown: 1,
                ..known(0, Width::One, false)
            },
        };
    }
    let width = if text.chars().any(|c| c > '\u{FF}') {
        Width::Two
    } else {
        Width::One
    };
    let shown: u64 = text.chars().map(|c| c.len_utf16() as u64).sum();
    let unseen = cut || (text.is_empty() && !is_empty_text(heap, id));
    if unseen {
        let by_bytes = units_in(heap, heap.bytes(id), width);
        return known(shown.max(by_bytes), width, true);
    }
    known(shown, width, false)
}

pub(crate) fn is_empty_text(heap: &Heap, id: ObjectId) -> bool {
    heap.string_form(id) == Some(StringForm::Flat)
        && heap.texts.raw(heap.objects.label[id as usize]).is_empty()
        && !heap.objects.has(id, Flags::INCOMPLETE)
        && heap.bytes(id) <= heap.layout.string(0, Width::One)
}

/// The longest string that takes no more than `bytes`.
fn units_in(heap: &Heap, bytes: u64, width: Width) -> u64 {
    let (mut fits, mut too_long) = (0, bytes.saturating_add(1));
    while too_long - fits > 1 {
        let middle = fits + (too_long - fits) / 2;
        if heap.layout.string(middle, width) <= bytes {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    fits
}

/// What slices of unknown length add to ropes at one holder, by the ropes there whose own length was noted.
#[derive(Debug, Default)]
pub(crate) struct SlicesIn {
    pub(crate) ropes: u64,
    slices: u64,
    units: u64,
    bytes: u64,
}

impl SlicesIn {
    /// Learns of a rope that its slices make so many characters and bytes more of what is known of its pieces.
    pub(crate) fn note(&mut self, heap: &Heap, pieces: Length, units: u64, flat: u64) {
        self.ropes += 1;
        self.slices += pieces.unknown;
        self.units += units.saturating_sub(pieces.units);
        self.bytes += flat.saturating_sub(heap.layout.string(pieces.units, Width::One));
    }

    /// Characters of a rope and its bytes as one string, if enough was learnt.
    pub(crate) fn estimate(&self, heap: &Heap, pieces: Length) -> Option<(u64, u64)> {
        let mean = |sum: u64| (u128::from(sum) * u128::from(pieces.unknown)).div_ceil(self.slices.into());
        if self.ropes < ENOUGH {
            return None;
        }
        let flat = heap.layout.string(pieces.units, Width::One);
        let units = pieces.units.saturating_add(mean(self.units) as u64);
        Some((units, flat.saturating_add(mean(self.bytes) as u64)))
    }
}
