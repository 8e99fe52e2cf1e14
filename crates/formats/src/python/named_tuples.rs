//! Tuples with names for their items: a class made from one says its names in `_fields`.

use deadweight_heap::TextId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cursor::Cursor;
use super::dicts::Dicts;
use super::outline::Outline;
use super::row::{Limits, Row};
use super::scan::{Piece, Scanned};
use super::skim::PIECE;
use super::sort::Sort;

/// The name under which such a class keeps the names of its fields.
const FIELDS: &[u8] = b"_fields";

/// The names of the fields of each type whose objects are such tuples.
#[derive(Debug, Default)]
pub(super) struct NamedTuples(FxHashMap<u32, Vec<TextId>>);

impl NamedTuples {
    /// Finds the classes; `text` gives the text of a string and its bytes.
    pub(super) fn new<'t>(
        bytes: &[u8],
        outline: &Outline,
        pieces: &[Piece],
        scanned: &Scanned,
        dicts: &Dicts,
        text: &dyn Fn(u32) -> Option<(TextId, &'t [u8])>,
    ) -> Self {
        let of_tuples = scanned.values.arrays.iter().map(|array| array.object);
        let of_tuples = of_tuples.filter(|&row| scanned.sort[row as usize] == Sort::Tuple);
        let types: FxHashSet<u32> = of_tuples
            .map(|row| scanned.ty[row as usize])
            .filter(|&ty| outline.types[ty as usize].is_class())
            .collect();
        let reader = Reader {
            bytes,
            outline,
            pieces,
            scanned,
            dicts,
            text,
        };
        let fields = |ty: u32| Some((ty, reader.fields(ty)?));
        Self(types.into_iter().filter_map(fields).collect())
    }

    /// The names of the items of a tuple of a type with so many of them.
    pub(super) fn fields(&self, ty: u32, items: usize) -> Option<&[TextId]> {
        let fields = self.0.get(&ty)?;
        (fields.len() == items).then_some(fields)
    }
}

/// Reads what classes say of themselves.
struct Reader<'r, 't> {
    bytes: &'r [u8],
    outline: &'r Outline,
    pieces: &'r [Piece],
    scanned: &'r Scanned,
    dicts: &'r Dicts,
    text: &'r dyn Fn(u32) -> Option<(TextId, &'t [u8])>,
}

impl Reader<'_, '_> {
    /// The names of a class, its own or those of the first class it is based on that has some.
    fn fields(&self, ty: u32) -> Option<Vec<TextId>> {
        self.outline.lineage(ty).find_map(|class| self.own_fields(class))
    }

    fn own_fields(&self, ty: u32) -> Option<Vec<TextId>> {
        let class = self.outline.types[ty as usize].row?;
        let own = &self.scanned.values.own_dicts;
        let own = own[own.binary_search_by_key(&class, |of| of.0).ok()?].1;
        let limits = Limits::of(self.outline);
        let mut row = Row::default();
        let at = self.dicts.get(own)?.at as usize;
        row.read(&mut Cursor::new(self.bytes, at), &limits).ok()?;
        let is_fields = |key: u32| (self.text)(key).is_some_and(|(_, text)| text == FIELDS);
        let names = row
            .entries
            .iter()
            .find(|(key, _)| key.is_some_and(is_fields))?
            .1?;
        let piece = self.pieces.get((names / PIECE) as usize)?;
        let referring = &piece.referring;
        let at = referring.binary_search_by_key(&names, |row| row.row);
        let at = at.map(|at| referring[at].at).ok()?;
        row.read(&mut Cursor::new(self.bytes, at), &limits).ok()?;
        if row.sort != Sort::Tuple {
            return None;
        }
        let name = |name: &Option<u32>| (self.text)((*name)?).map(|(text, _)| text);
        row.elements.iter().map(name).collect()
    }
}
