//! Texts and buffers that only windows keep, and that are much larger than copies of those.

use deadweight_heap::{EdgeKind, Flags, Heap, HolderId, Kind, NONE, ObjectId, RowSet, StringForm, Width};
use deadweight_infer::{OnOne, SliceCopies, Source};
use rayon::prelude::*;

/// Something large that only windows keep.
pub(super) struct Pin {
    /// The row that is charged for the characters or bytes.
    pub(super) row: ObjectId,
    /// The object of a buffer's backing, which goes with it, where the bytes stand outside of it.
    pub(super) own: Option<ObjectId>,
    /// A window on it, to name the place.
    pub(super) window: ObjectId,
    /// How many windows stand where, the most first; listed for texts whose windows stand at several places alone.
    pub(super) stand: Vec<(HolderId, u64)>,
    pub(super) windows: u64,
    /// What copies of all windows take.
    pub(super) copies: u64,
    /// Slices of texts, and views in whose place copies come: what the row of each becomes.
    pub(super) slices: Vec<(ObjectId, u64)>,
    /// What goes with such views: the object on whose bytes they look, and what the runtime keeps for them alone.
    pub(super) beside: Vec<ObjectId>,
    /// Slices for which a mean stands.
    pub(super) estimated: u64,
    /// A length was assumed.
    pub(super) assumed: bool,
    /// Slices of which only the length is known, on a text of two bytes a character.
    pub(super) wide: u64,
    pub(super) text: bool,
}

pub(super) enum Healthy {
    /// Copies take a good part of what is pinned. Where other texts are worth a copy these are copied as well, which
    /// frees the rest of them; nothing is known of it where a length was estimated.
    Small(Option<Box<Pin>>),
    Unknown,
}

/// Slices of the program with the flat string each looks on, in the order of those strings.
pub(super) fn windows(heap: &Heap) -> Vec<(ObjectId, ObjectId)> {
    let is_slice = |&id: &ObjectId| heap.string_form(id) == Some(StringForm::Slice) && heap.in_program(id);
    let mut windows: Vec<(ObjectId, ObjectId)> = heap
        .rows()
        .into_par_iter()
        .with_min_len(16_384)
        .filter(is_slice)
        .filter_map(|slice| {
            let mut edges = heap.edges.of(slice);
            let parent = edges.find(|edge| edge.via.kind() == EdgeKind::Internal)?.to;
            // Characters outside the runtime's heap are weighed apart from the slices, which are inside.
            let is_flat = heap.string_form(parent) == Some(StringForm::Flat)
                && heap.in_program(parent)
                && !heap.objects.has(parent, Flags::EXTERNAL);
            is_flat.then_some((parent, slice))
        })
        .collect();
    windows.par_sort_unstable();
    windows
}

pub(super) fn pinned_text(
    heap: &Heap,
    of: &mut SliceCopies<'_>,
    windows: &[(ObjectId, ObjectId)],
) -> Result<Pin, Healthy> {
    let row = windows[0].0;
    let now = heap.bytes(row);
    let (mut copies, mut in_doubt) = (0_u64, 0_u64);
    let (mut estimated, mut assumed, mut wide) = (0, false, 0);
    let mut small = false;
    let mut slices = Vec::with_capacity(windows.len());
    for &(_, slice) in windows {
        let copy = of.of(slice);
        estimated += u64::from(copy.source == Source::Mean);
        assumed |= copy.source == Source::Assumed;
        wide += u64::from(
            heap.length(slice)
                .is_some_and(|length| length.width == Width::Two),
        );
        // What the window itself takes is taken already.
        copies += copy.bytes.saturating_sub(heap.bytes(slice));
        in_doubt += copy.more_in_doubt;
        if in_doubt >= now / 2 {
            if assumed {
                return Err(Healthy::Unknown);
            }
            if estimated > 0 || copies >= now {
                return Err(Healthy::Small(None));
            }
            small = true;
        }
        slices.push((slice, copy.bytes));
    }
    let pin = Pin {
        row,
        own: None,
        window: windows[0].1,
        stand: Vec::new(),
        windows: windows.len() as u64,
        copies,
        slices,
        beside: Vec::new(),
        estimated,
        assumed,
        wide,
        text: true,
    };
    if small {
        Err(Healthy::Small(Some(Box::new(pin))))
    } else {
        Ok(pin)
    }
}

pub(super) fn pinned_buffer(heap: &Heap, alone: &OfViews, on_one: OnOne<'_, '_>) -> Option<Pin> {
    let row = on_one[0].backing;
    let first = on_one[0].is_backing.then_some(on_one[0]);
    let views = &on_one[usize::from(first.is_some())..];
    // Where the bytes stand in the object, its row is what is pinned.
    let own = first.filter(|own| !own.has_bytes_inside());
    if row == NONE || views.is_empty() || heap.objects.has(row, Flags::PART) {
        return None;
    }
    let now = heap.bytes(row);
    let mut copies = 0_u64;
    let (mut slices, mut beside) = (Vec::new(), Vec::new());
    for view in views {
        if view.bytes == u64::MAX {
            return None;
        }
        let bytes = view.bytes.min(now);
        if view.gives_way {
            let copy = heap.layout.copy_of_view(bytes);
            copies = copies.saturating_add(copy.saturating_sub(heap.bytes(view.object)));
            slices.push((view.object, copy));
            beside.extend(alone.of(heap, view.object));
        } else {
            copies = copies.saturating_add(heap.copy_behind(view, bytes));
        }
    }
    beside.sort_unstable();
    beside.dedup();
    if slices.len() == views.len() {
        beside.extend(own.map(|own| own.object));
    }
    (copies < now / 2).then(|| Pin {
        row,
        own: own.map(|own| own.object),
        window: views[0].object,
        stand: Vec::new(),
        windows: views.len() as u64,
        copies,
        slices,
        beside,
        estimated: 0,
        assumed: false,
        wide: 0,
        text: false,
    })
}

/// What the runtime keeps for views in whose place copies come.
pub(in crate::rules) struct OfViews {
    /// Of it, what something else refers to as well.
    held: RowSet,
}

impl OfViews {
    pub(in crate::rules) fn new(heap: &Heap) -> Self {
        let gives_way = |row| heap.buffer(row).is_some_and(|buffer| buffer.gives_way);
        let views = heap.buffers.iter().filter(|buffer| buffer.gives_way);
        let rows = heap.row_set(views.flat_map(|view| of_runtime(heap, view.object)));
        let held = heap.held_otherwise(&rows, |reference| {
            reference.keeps() && !gives_way(heap.owner(reference.from))
        });
        Self { held }
    }

    /// What goes with this view, or with the last one that shares it.
    pub(in crate::rules) fn of(&self, heap: &Heap, view: ObjectId) -> impl Iterator<Item = ObjectId> {
        of_runtime(heap, view).filter(|&row| !self.held.has(row))
    }
}

/// Objects of the runtime to which a view refers.
fn of_runtime(heap: &Heap, view: ObjectId) -> impl Iterator<Item = ObjectId> {
    let referred = heap.edges.of(view).map(|edge| edge.to);
    referred.filter(|&to| heap.kind(to) == Kind::Runtime && !heap.objects.has(to, Flags::PART))
}
