//! What goes with joined strings when they become flat: the pieces, and the texts behind slices, that nothing else
//! refers to.

use std::sync::atomic::Ordering;

use deadweight_heap::{EdgeKind, Flags, Heap, ObjectId, RankedRows, StringForm};
use rustc_hash::FxHashMap;

/// Something that is no joined string and no slice refers to the row, too.
const OTHERS: u32 = 1 << 31;

/// The strings that ropes are made of, and who refers to them.
pub(crate) struct RopePieces<'h> {
    heap: &'h Heap,
    asked: RankedRows,
    /// By rank, references from strings, and [`OTHERS`].
    references: Vec<u32>,
}

/// What one string holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    /// Its bytes and its part of those of the pieces that would go if all ropes became flat.
    pub(crate) bytes: f64,
    /// References to strings that are no ropes.
    pub(crate) pieces: u32,
}

impl<'h> RopePieces<'h> {
    pub(crate) fn new(heap: &'h Heap, ropes: &[ObjectId]) -> Self {
        let asked = heap.no_rows();
        for &rope in ropes {
            asked.insert(rope);
            for piece in strings_in(heap, rope) {
                asked.insert(piece);
                if heap.string_form(piece) == Some(StringForm::Slice) {
                    asked.extend(strings_in(heap, piece));
                }
            }
        }
        let asked = asked.ranked();
        let references = heap.tally_references(&asked, 0, |count, reference| {
            if !reference.keeps() {
                return;
            }
            let is_internal = reference.via.kind() == EdgeKind::Internal;
            let by_string = match heap.string_form(reference.from) {
                Some(StringForm::Rope) => is_internal,
                Some(StringForm::Slice) => {
                    is_internal && heap.string_form(reference.to) != Some(StringForm::Rope)
                }
                _ => false,
            };
            if by_string {
                count.fetch_add(1, Ordering::Relaxed);
            } else {
                count.fetch_or(OTHERS, Ordering::Relaxed);
            }
        });
        Self {
            heap,
            asked,
            references,
        }
    }

    /// Whether a rope is a text of the program's, and not a piece of other ropes alone.
    pub(crate) fn is_root(&self, rope: ObjectId) -> bool {
        let references = self.references_to(rope);
        self.heap.in_program(rope) && (references == 0 || references >= OTHERS)
    }

    /// All rows that go when these ropes become flat, theirs included. A row comes after all that refer to it.
    pub(crate) fn freed(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
        let mut rows: Vec<ObjectId> = roots.collect();
        let mut met: FxHashMap<ObjectId, u32> = FxHashMap::default();
        let mut next = 0;
        while let Some(&row) = rows.get(next) {
            next += 1;
            for piece in strings_in(self.heap, row) {
                let references = self.references_to_go(piece);
                if references == 1 {
                    rows.push(piece);
                } else if references > 1 {
                    let met = met.entry(piece).or_default();
                    *met += 1;
                    if *met == references {
                        rows.push(piece);
                    }
                }
            }
        }
        rows
    }

    /// What each of some roots holds, what several share divided among them. `freed` is what [`Self::freed`] said of
    /// all of them.
    pub(crate) fn shares(&self, freed: &[ObjectId]) -> Shares<'_, 'h> {
        let goes = self.heap.row_set(freed.iter().copied());
        let mut shares = vec![Share::default(); self.references.len()];
        for &row in freed.iter().rev() {
            let mut share = Share {
                bytes: self.heap.bytes(row) as f64,
                pieces: 0,
            };
            let is_rope = self.heap.string_form(row) == Some(StringForm::Rope);
            for piece in strings_in(self.heap, row) {
                let is_text = self.heap.string_form(piece) != Some(StringForm::Rope);
                share.pieces = share.pieces.saturating_add(u32::from(is_rope && is_text));
                let references = self.references_to_go(piece);
                if references > 0 && goes.has(piece) {
                    let of_piece = shares[self.place(piece)];
                    share.bytes += of_piece.bytes / f64::from(references);
                    share.pieces = share.pieces.saturating_add(of_piece.pieces);
                }
            }
            shares[self.place(row)] = share;
        }
        Shares { pieces: self, shares }
    }

    /// How many strings refer to a row that nothing else keeps: 0 when something else does.
    fn references_to_go(&self, row: ObjectId) -> u32 {
        let stays =
            !self.asked.has(row) || !self.heap.in_program(row) || self.heap.objects.has(row, Flags::EXTERNAL);
        let references = if stays { OTHERS } else { self.references_to(row) };
        if references >= OTHERS { 0 } else { references }
    }

    /// Of a row that is asked about.
    fn references_to(&self, row: ObjectId) -> u32 {
        self.references[self.place(row)]
    }

    fn place(&self, row: ObjectId) -> usize {
        self.asked
            .rank(row)
            .expect("only rows that were asked about are looked up")
    }
}

/// By row, what it holds.
pub(crate) struct Shares<'p, 'h> {
    pieces: &'p RopePieces<'h>,
    shares: Vec<Share>,
}

impl Shares<'_, '_> {
    pub(crate) fn of(&self, rope: ObjectId) -> Share {
        self.shares[self.pieces.place(rope)]
    }
}

/// The strings that a rope joins, or the one that a slice is cut out of. A damaged dump may name the string itself, which
/// is no piece of it.
pub(crate) fn strings_in(heap: &Heap, string: ObjectId) -> impl Iterator<Item = ObjectId> {
    let is_made_of_others = matches!(
        heap.string_form(string),
        Some(StringForm::Rope | StringForm::Slice)
    );
    let edges = is_made_of_others.then(|| heap.edges.of(string));
    edges
        .into_iter()
        .flatten()
        .filter(|edge| edge.via.kind() == EdgeKind::Internal && heap.string_form(edge.to).is_some())
        .map(|edge| edge.to)
        .filter(move |&piece| piece != string)
}
