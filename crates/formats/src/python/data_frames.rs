//! Tables of `pandas`, and which slots of which arrays their columns are.
//!
//! A `DataFrame` has a manager. The manager has a tuple of blocks and a list of axes; the first axis has the names of the
//! columns. A block has an array of one line for each of its columns, or an object around an array of one line, and says
//! which columns its lines are. A `Series` has one block, and its own name. The array may show slots of another, which owns
//! them.

use deadweight_heap::{EdgeKind, Edges, FrameColumn, FrameColumns, Number, Numeric, TextId, Texts};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cursor::Cursor;
use super::layout::Pandas;
use super::outline::Outline;
use super::payload::Payload;
use super::row::{Limits, Row};
use super::scan::Scanned;
use super::sort::Sort;
use super::values::References;

/// Arrays that show slots of arrays that show slots: more than any program has.
const DEEPEST: usize = 8;

/// What a class of tables is called, with and without the module that defines it.
const FRAMES: [&str; 2] = ["pandas.DataFrame", "pandas.core.frame.DataFrame"];
const SERIES: [&str; 2] = ["pandas.Series", "pandas.core.series.Series"];
/// What says which columns a block has.
const PLACES: &str = "pandas._libs.internals.BlockPlacement";
/// What notes who shares a block.
const NOTES: &str = "pandas._libs.internals.BlockValuesRefs";

/// Attributes by which columns are found.
const MANAGER: &[u8] = b"_mgr";
const KEPT: &[u8] = b"_item_cache";
const NAME: &[u8] = b"_name";
const DATA: &[u8] = b"_data";
const SLICE: [&[u8]; 3] = [b"start", b"stop", b"step"];

/// The same, for who leaves out all other names.
pub(super) const KNOWN: [&[u8]; 7] = [MANAGER, KEPT, NAME, DATA, SLICE[0], SLICE[1], SLICE[2]];

/// What a column is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Text(TextId),
    /// One without a text is known by where it stands.
    Position(u64),
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) frame: u32,
    pub(super) name: Name,
    pub(super) array: u32,
    pub(super) first: u32,
    pub(super) step: u32,
    pub(super) slots: u32,
    pub(super) is_own: bool,
}

/// What was found of all tables.
#[derive(Default)]
pub(super) struct Found {
    columns: Vec<Column>,
    /// Arrays of blocks with their tables.
    arrays: Vec<(u32, u32)>,
}

/// The columns as the model has them; `add` adds a text.
pub(super) fn frame_columns(found: Found, mut add: impl FnMut(String) -> TextId) -> FrameColumns {
    let mut positions: FxHashMap<u64, TextId> = FxHashMap::default();
    let column = |column: Column| FrameColumn {
        frame: column.frame,
        name: match column.name {
            Name::Text(name) => name,
            Name::Position(at) => *positions.entry(at).or_insert_with(|| add(at.to_string())),
        },
        array: column.array,
        first: column.first,
        step: column.step,
        slots: column.slots,
        is_own: column.is_own,
    };
    FrameColumns::new(found.columns.into_iter().map(column).collect(), found.arrays)
}

/// Which `pandas` made the tables, where one did: the third has names of its own for its classes, the second notes who
/// shares a block.
pub(super) fn pandas(bytes: &[u8], outline: &Outline) -> Option<Pandas> {
    let has = |name: &str| {
        let mut types = outline.types.iter();
        types.any(|ty| outline.name(bytes, ty.name) == name)
    };
    if has(FRAMES[0]) {
        return Some(Pandas::Third);
    }
    has(FRAMES[1]).then(|| if has(NOTES) { Pandas::Second } else { Pandas::First })
}

/// What columns are found in.
pub(super) struct DataFrames<'f> {
    pub(super) bytes: &'f [u8],
    pub(super) outline: &'f Outline,
    pub(super) scanned: &'f Scanned,
    pub(super) edges: &'f Edges,
    pub(super) texts: &'f Texts,
    /// By row the text of a string.
    pub(super) labels: &'f [u32],
    /// In the order of rows.
    pub(super) numbers: &'f [Number],
}

/// The array of a block, and what leads to it.
struct Held {
    view: References,
    owner: References,
    /// References from the block on.
    links: Vec<(u32, u32)>,
}

impl DataFrames<'_> {
    /// All columns whose slots are references, and all arrays: those of frames before those of series.
    pub(super) fn columns(&self) -> Found {
        let mut found = Found::default();
        for (names, is_frame) in [(FRAMES, true), (SERIES, false)] {
            let types = self.types(&names);
            if types.is_empty() {
                continue;
            }
            let rows = (0..).zip(self.scanned.sort.iter().zip(&self.scanned.ty));
            let tables = rows.filter(|(_, (sort, ty))| **sort == Sort::Instance && types.contains(*ty));
            for (row, _) in tables {
                self.add_columns(row, is_frame, &mut found);
            }
        }
        found
    }

    /// The classes of these names, and those that are based on them.
    fn types(&self, names: &[&str]) -> FxHashSet<u32> {
        let is_named = |ty: u32| {
            let ty = &self.outline.types[ty as usize];
            ty.is_class() && names.contains(&&*self.outline.name(self.bytes, ty.name))
        };
        let all = 0..self.outline.types.len() as u32;
        all.filter(|&ty| self.outline.lineage(ty).any(is_named)).collect()
    }

    fn add_columns(&self, table: u32, is_frame: bool, found: &mut Found) {
        let Some(manager) = self.field(table, MANAGER) else {
            return;
        };
        let names = if is_frame {
            self.names(manager)
        } else {
            let name = self.field(table, NAME).and_then(|name| self.text(name));
            name.map(|name| (0, name)).into_iter().collect()
        };
        let blocks = self.blocks(manager);
        let all_arrays = blocks.iter().flat_map(|&block| self.arrays(block));
        found.arrays.extend(all_arrays.map(|array| (array, table)));
        let arrays: Vec<(u32, Held)> = blocks
            .iter()
            .filter_map(|&block| Some((block, self.held(block)?)))
            .collect();
        let mut links: FxHashSet<(u32, u32)> =
            arrays.iter().flat_map(|(_, held)| &held.links).copied().collect();
        links.extend(self.links_of_kept(table));
        let mut known: FxHashMap<u32, u32> = FxHashMap::default();
        for &(_, to) in &links {
            *known.entry(to).or_default() += 1;
        }
        for (block, held) in arrays {
            let is_own = held
                .links
                .iter()
                .all(|&(_, to)| known.get(&to) == Some(&self.scanned.counted[to as usize]));
            let places = if is_frame { self.places(block) } else { vec![0] };
            for (line, place) in (0..held.view.extent.lines()).zip(places) {
                let Some(stretch) = held.view.extent.line(line, held.owner.slots) else {
                    continue;
                };
                let name = names
                    .get(&place)
                    .map_or(Name::Position(place), |&name| Name::Text(name));
                found.columns.push(Column {
                    frame: table,
                    name,
                    array: held.owner.row,
                    first: stretch.first,
                    step: stretch.step,
                    slots: stretch.slots,
                    is_own,
                });
            }
        }
    }

    /// The names of columns, by where these stand.
    fn names(&self, manager: u32) -> FxHashMap<u64, TextId> {
        let axes = self.child(manager, Sort::List);
        let axis = axes
            .and_then(|axes| self.elements(axes).next())
            .map(|(_, axis)| axis);
        let Some(held) = axis
            .and_then(|axis| self.field(axis, DATA))
            .and_then(|data| self.held_by(data, Vec::new()))
        else {
            return FxHashMap::default();
        };
        let Some(stretch) = held.view.extent.line(0, held.owner.slots) else {
            return FxHashMap::default();
        };
        let place = |slot: u32| {
            let behind = slot.checked_sub(stretch.first)?;
            let place = behind / stretch.step;
            (behind % stretch.step == 0 && place < stretch.slots).then_some(u64::from(place))
        };
        self.elements(held.owner.row)
            .filter_map(|(slot, row)| Some((place(slot)?, self.text(row)?)))
            .collect()
    }

    fn blocks(&self, manager: u32) -> Vec<u32> {
        let tuple = self.child(manager, Sort::Tuple);
        let blocks = tuple.into_iter().flat_map(|tuple| self.elements(tuple));
        blocks.map(|(_, block)| block).collect()
    }

    /// What leads to the arrays of the series that a frame keeps of its own columns, as long as nothing else holds these.
    fn links_of_kept(&self, frame: u32) -> Vec<(u32, u32)> {
        let Some(kept) = self.field(frame, KEPT) else {
            return Vec::new();
        };
        let series = self.edges.of(kept).filter(|edge| {
            let is_value = matches!(edge.via.kind(), EdgeKind::Value | EdgeKind::Field);
            is_value && self.scanned.counted[edge.to as usize] == 1
        });
        series
            .filter_map(|edge| self.field(edge.to, MANAGER))
            .flat_map(|manager| self.blocks(manager))
            .filter_map(|block| self.held(block))
            .flat_map(|held| held.links)
            .collect()
    }

    /// The arrays of a block, of whatever stands in them: those within an object of the block, and those that own the data.
    fn arrays(&self, block: u32) -> Vec<u32> {
        let is_array = |row: u32| self.scanned.sort.get(row as usize) == Some(&Sort::Ndarray);
        let mut arrays: Vec<u32> = Vec::new();
        for edge in self.edges.of(block) {
            let within = self.edges.of(edge.to).map(|edge| edge.to);
            match self.scanned.sort.get(edge.to as usize) {
                Some(Sort::Ndarray) => arrays.push(edge.to),
                Some(Sort::Other) if !self.is_places(edge.to) => {
                    arrays.extend(within.filter(|&row| is_array(row)));
                }
                _ => {}
            }
        }
        let mut at = 0;
        while at < arrays.len().min(DEEPEST) {
            arrays.extend(self.base(arrays[at]).filter(|&base| is_array(base)));
            at += 1;
        }
        arrays
    }

    /// Whether a row says which columns a block has.
    fn is_places(&self, row: u32) -> bool {
        let ty = self.scanned.ty.get(row as usize);
        let ty = ty.and_then(|&ty| self.outline.types.get(ty as usize));
        ty.is_some_and(|ty| self.outline.name(self.bytes, ty.name) == PLACES)
    }

    /// The array of references that a block has.
    fn held(&self, block: u32) -> Option<Held> {
        let mut to = self.edges.of(block).map(|edge| edge.to);
        to.find_map(|to| self.held_by(to, vec![(block, to)]))
    }

    /// The array that a row is, or that is in it.
    fn held_by(&self, row: u32, mut links: Vec<(u32, u32)>) -> Option<Held> {
        let view = if let Some(view) = self.references(row) {
            view
        } else if self.scanned.sort.get(row as usize) == Some(&Sort::Other) {
            let mut within = self.edges.of(row).filter_map(|edge| self.references(edge.to));
            let view = within.next()?;
            links.push((row, view.row));
            view
        } else {
            return None;
        };
        let mut owner = view;
        for _ in 0..DEEPEST {
            if owner.is_own {
                return Some(Held { view, owner, links });
            }
            let base = self.base(owner.row)?;
            links.push((owner.row, base));
            owner = self.references(base)?;
        }
        None
    }

    /// The columns that the lines of a block are.
    fn places(&self, block: u32) -> Vec<u64> {
        let found = self
            .edges
            .of(block)
            .map(|edge| edge.to)
            .find(|&to| self.is_places(to));
        let Some(row) = found else {
            return Vec::new();
        };
        let listed = self.listed(row);
        if listed.is_empty() {
            self.sliced(row)
        } else {
            listed
        }
    }

    /// The numbers that a row has by itself.
    fn listed(&self, row: u32) -> Vec<u64> {
        let places = &self.scanned.values.places;
        let Ok(at) = places.binary_search_by_key(&row, |of| of.0) else {
            return Vec::new();
        };
        let mut read = Row::default();
        let mut cursor = Cursor::new(self.bytes, places[at].1 as usize);
        match read.read(&mut cursor, &Limits::of(self.outline)) {
            Ok(()) => match read.payload {
                Payload::Places(places) => places,
                _ => Vec::new(),
            },
            Err(_) => Vec::new(),
        }
    }

    /// The numbers of the `slice` that it has.
    fn sliced(&self, row: u32) -> Vec<u64> {
        /// More columns than any table has.
        const MOST: u64 = 1 << 24;
        let number = |row: u32| {
            let at = self
                .numbers
                .binary_search_by_key(&row, |number| number.object)
                .ok()?;
            match self.numbers[at].value() {
                Numeric::Integer(value) => u64::try_from(value).ok(),
                _ => None,
            }
        };
        let slice = |row: u32| {
            let of = |name: &[u8]| self.field(row, name).and_then(number);
            Some((of(SLICE[0])?, of(SLICE[1])?, of(SLICE[2])?))
        };
        let Some((start, stop, step)) = self.edges.of(row).find_map(|edge| slice(edge.to)) else {
            return Vec::new();
        };
        let step = usize::try_from(step).ok().filter(|&step| step > 0);
        step.map_or_else(Vec::new, |step| (start..stop.min(MOST)).step_by(step).collect())
    }

    fn references(&self, row: u32) -> Option<References> {
        let all = &self.scanned.values.references;
        let at = all.binary_search_by_key(&row, |of| of.row).ok()?;
        Some(all[at])
    }

    fn base(&self, row: u32) -> Option<u32> {
        let views = &self.scanned.values.views;
        let at = views.binary_search_by_key(&row, |of| of.0).ok()?;
        Some(views[at].1)
    }

    fn field(&self, row: u32, name: &[u8]) -> Option<u32> {
        let mut fields = self
            .edges
            .of(row)
            .filter(|edge| edge.via.kind() == EdgeKind::Field);
        let found = fields.find(|edge| self.texts.raw(edge.via.name()) == name);
        found.map(|edge| edge.to)
    }

    fn child(&self, row: u32, sort: Sort) -> Option<u32> {
        let mut to = self.edges.of(row).map(|edge| edge.to);
        to.find(|&to| self.scanned.sort.get(to as usize) == Some(&sort))
    }

    fn elements(&self, row: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let elements = self
            .edges
            .of(row)
            .filter(|edge| edge.via.kind() == EdgeKind::Element);
        elements.map(|edge| (edge.via.name(), edge.to))
    }

    fn text(&self, row: u32) -> Option<TextId> {
        let is_text = self.scanned.sort.get(row as usize) == Some(&Sort::Str);
        is_text.then(|| self.labels[row as usize])
    }
}
