//! One process at one moment.

use rayon::prelude::*;

use crate::library;
use crate::named::ByEdgeShape;
use crate::{
    Allocator, Array, Blocks, Buffer, Coverage, Date, Dead, EdgeKind, Edges, Fixed, Flags, FrameColumns,
    Interior, Kind, Layout, Lines, NONE, Named, Number, ObjectId, Objects, OwnClass, Presence, Record,
    Referrers, RowSet, Runtime, Shape, Shared, Sites, StringForm, StringLength, StringRoom, Table, Texts,
    Totals, Types,
};

/// What a reader hands over; [`Heap::new`] adds what follows from it.
#[derive(Debug)]
pub struct HeapParts {
    /// The columns.
    pub objects: Objects,
    /// Whether rows are in the order of memory, which is another in each run of one program.
    pub rows_move: bool,
    /// References, by source.
    pub edges: Edges,
    /// How far behind the beginning of their targets references lead, where they do.
    pub interior: Interior,
    /// Texts of strings, fields and variables.
    pub texts: Texts,
    /// Types of objects that are not strings.
    pub types: Types,
    /// Facts of records.
    pub records: Vec<Record>,
    /// Facts of shapes.
    pub shapes: Vec<Shape>,
    /// Facts of arrays.
    pub arrays: Vec<Array>,
    /// Facts of tables.
    pub tables: Vec<Table>,
    /// Facts of buffers.
    pub buffers: Vec<Buffer>,
    /// Facts of numbers.
    pub numbers: Vec<Number>,
    /// Facts of dates.
    pub dates: Vec<Date>,
    /// Lengths of strings whose text the dump does not show, as far as someone recorded them, in the order of rows.
    pub lengths: Vec<StringLength>,
    /// Strings that take more memory than their characters need, in the order of rows.
    pub string_rooms: Vec<StringRoom>,
    /// Objects that have a class each, in the order of rows.
    pub own_classes: Vec<OwnClass>,
    /// Columns of data frames.
    pub frame_columns: FrameColumns,
    /// Rows that no change of the program frees.
    pub fixed: Fixed,
    /// Where objects were allocated.
    pub sites: Sites,
    /// Where in the source all this comes from.
    pub lines: Lines,
    /// What the allocator's blocks are, where rows are blocks.
    pub blocks: Box<dyn Blocks>,
    /// What the dump can show.
    pub coverage: Coverage,
    /// What the process said of itself.
    pub totals: Totals,
    /// Who wrote the dump.
    pub runtime: Runtime,
    /// What other objects would cost.
    pub layout: Box<dyn Layout>,
    /// What a request is charged.
    pub allocator: Box<dyn Allocator>,
    /// Why the dump ends early, when it does.
    pub partial: Option<String>,
}

/// A heap with everything rules ask of it.
#[derive(Debug)]
pub struct Heap {
    parts: HeapParts,
    /// Who names each object.
    pub referrers: Referrers,
    by_edge_shape: ByEdgeShape,
    /// Rows that the runtime's own library made and shaped for the program; `None` where there are none.
    of_library: Option<RowSet>,
    pub(crate) dead: Dead,
    /// What rules found out and others need, too.
    pub shared: Shared,
}

impl std::ops::Deref for Heap {
    type Target = HeapParts;
    fn deref(&self) -> &HeapParts {
        &self.parts
    }
}

impl Heap {
    /// Completes what a reader made.
    #[must_use]
    pub fn new(mut parts: HeapParts) -> Self {
        parts.fixed.spread(&parts.objects);
        let dead = parts.fixed.take_dead(&mut parts.objects);
        let (referrers, by_edge_shape) = rayon::join(
            || {
                let types = parts.rows_move.then_some(&parts.types);
                Referrers::new(&parts.objects, &parts.records, &parts.edges, types)
            },
            || ByEdgeShape::of(&parts.edges),
        );
        let mut heap = Self {
            parts,
            referrers,
            by_edge_shape,
            of_library: None,
            dead,
            shared: Shared::default(),
        };
        heap.set_flags();
        heap.of_library = library::made(&heap);
        heap
    }

    /// Nearly every rule asks of nearly every row whether it is the runtime's, plain text, or has parts: answered once.
    fn set_flags(&mut self) {
        let objects = &self.objects;
        let wholes = RowSet::none(objects.len());
        let rows = self.rows().into_par_iter().with_min_len(16_384);
        rows.clone()
            .filter(|&id| objects.has(id, Flags::PART))
            .map(|id| objects.fact[id as usize])
            .filter(|&owner| (owner as usize) < objects.len())
            .for_each(|owner| {
                wholes.insert(owner);
            });
        let flags: Vec<Flags> = rows
            .map(|id| {
                let mut flags = self.objects.flags[id as usize];
                if self.counts_as_runtime(id) {
                    flags |= Flags::RUNTIME;
                }
                let form = self.objects.fact[id as usize];
                if self.kind(id) == Kind::String && form == StringForm::Flat as u32 {
                    flags |= Flags::FLAT;
                }
                if wholes.has(id) {
                    flags |= Flags::WHOLE;
                }
                flags
            })
            .collect();
        self.parts.objects.flags = flags;
    }

    /// All rows.
    pub fn rows(&self) -> std::ops::Range<ObjectId> {
        0..self.objects.len() as ObjectId
    }

    /// The empty set, with room for all rows.
    #[must_use]
    pub fn no_rows(&self) -> RowSet {
        RowSet::none(self.objects.len())
    }

    /// The set of these rows.
    #[must_use]
    pub fn row_set(&self, rows: impl IntoIterator<Item = ObjectId>) -> RowSet {
        let set = self.no_rows();
        set.extend(rows);
        set
    }

    /// Bytes of the row alone.
    #[must_use]
    #[inline]
    pub fn bytes(&self, id: ObjectId) -> u64 {
        self.objects.bytes(id)
    }

    /// Bytes of all rows that are charged inside the runtime's heap.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        let rows = self.rows().into_par_iter().with_min_len(16_384);
        rows.filter(|&id| !self.objects.has(id, Flags::EXTERNAL))
            .map(|id| self.bytes(id))
            .sum()
    }

    /// Bytes of all rows that are charged outside the runtime's heap.
    #[must_use]
    pub fn external_bytes(&self) -> u64 {
        let rows = self.rows().into_par_iter().with_min_len(16_384);
        rows.filter(|&id| self.objects.has(id, Flags::EXTERNAL))
            .map(|id| self.bytes(id))
            .sum()
    }

    /// The kind of a row; a row that is not there is the runtime's.
    #[must_use]
    #[inline]
    pub fn kind(&self, id: ObjectId) -> Kind {
        let kind = self.objects.kind.get(id as usize);
        kind.copied().unwrap_or(Kind::Runtime)
    }

    /// How a string keeps its characters; `None` for what is no string.
    #[must_use]
    #[inline]
    pub fn string_form(&self, id: ObjectId) -> Option<StringForm> {
        let fact = *self.objects.fact.get(id as usize)?;
        let is_string = self.kind(id) == Kind::String && !self.objects.has(id, Flags::PART);
        [StringForm::Flat, StringForm::Rope, StringForm::Slice]
            .into_iter()
            .find(|&form| is_string && form as u32 == fact)
    }

    /// Whether the program itself holds the object, and a change of the program could remove or reshape it: the
    /// program neither reshapes the runtime's own objects nor those that its library made for it
    /// ([`Types::of_library`]). Parts are not asked for: their owners are.
    #[must_use]
    #[inline]
    pub fn in_program(&self, id: ObjectId) -> bool {
        self.is_for_program(id) && !self.is_of_library(id)
    }

    /// The same with what the runtime's library made for the program: no change reshapes that, but it goes with the object
    /// of the program that alone holds it.
    #[must_use]
    #[inline]
    pub fn is_for_program(&self, id: ObjectId) -> bool {
        let flags = self.objects.flags.get(id as usize);
        flags.is_some_and(|flags| flags.0 & (Flags::PART.0 | Flags::RUNTIME.0) == 0)
    }

    /// Whether the runtime's library made the object for the program.
    #[must_use]
    #[inline]
    pub fn is_of_library(&self, id: ObjectId) -> bool {
        self.of_library
            .as_ref()
            .is_some_and(|of_library| of_library.has(id))
    }

    /// Whether the bytes of a row count as the runtime's: metadata, what the engine alone holds, what the recorder
    /// made, what no fix frees ([`Fixed`]), and text that nothing in the program refers to (names of fields, source
    /// code).
    #[must_use]
    #[inline]
    pub fn is_runtime(&self, id: ObjectId) -> bool {
        let flags = self.objects.flags.get(id as usize);
        flags.is_none_or(|flags| flags.has(Flags::RUNTIME))
    }

    fn counts_as_runtime(&self, id: ObjectId) -> bool {
        let owner = self.owner(id);
        self.objects.has(owner, Flags::ENGINE)
            || self.fixed.has(id)
            || self.objects.has(owner, Flags::RECORDER)
            || self.objects.has(id, Flags::RECORDER)
            || matches!(self.kind(owner), Kind::Runtime | Kind::Shape)
            || (self.kind(owner) == Kind::String
                && self.coverage.edges == Presence::Present
                && self.referrers.of(owner).is_none())
    }

    /// How many fields, numbered slots and entries of an object the dump shows.
    #[must_use]
    #[inline]
    pub fn named(&self, id: ObjectId) -> Named {
        self.by_edge_shape.named(&self.edges, id)
    }

    /// The record of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn record(&self, id: ObjectId) -> Option<&Record> {
        self.fact_of(id, Kind::Record, &self.records)
    }

    /// What stands in an array's slots, as far as the dump shows it, wherever its runtime keeps them.
    pub fn elements(&self, array: &Array) -> impl Iterator<Item = ObjectId> + '_ {
        let apart = (array.store != array.object).then_some(array.store);
        let own = self.edges.of(array.object);
        let of_store = apart.into_iter().flat_map(|store| self.edges.of(store));
        own.chain(of_store)
            .filter(|edge| edge.via.kind() == EdgeKind::Element)
            .map(|edge| edge.to)
    }

    /// The array of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn array(&self, id: ObjectId) -> Option<&Array> {
        self.fact_of(id, Kind::Array, &self.arrays)
    }

    /// The table of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn table(&self, id: ObjectId) -> Option<&Table> {
        self.fact_of(id, Kind::Table, &self.tables)
    }

    /// The buffer of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn buffer(&self, id: ObjectId) -> Option<&Buffer> {
        self.fact_of(id, Kind::Buffer, &self.buffers)
    }

    /// The number of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn number(&self, id: ObjectId) -> Option<&Number> {
        self.fact_of(id, Kind::Number, &self.numbers)
    }

    /// The date of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn date(&self, id: ObjectId) -> Option<&Date> {
        self.fact_of(id, Kind::Date, &self.dates)
    }

    /// Whether the dump has blocks of memory alone, and says of none which objects of the program are in it.
    #[must_use]
    pub fn has_only_blocks(&self) -> bool {
        self.blocks.any() && self.records.is_empty() && self.arrays.is_empty() && self.tables.is_empty()
    }

    /// The length of a string whose text the dump does not show, where it was recorded.
    #[must_use]
    pub fn length(&self, id: ObjectId) -> Option<&StringLength> {
        let at = self.lengths.binary_search_by_key(&id, |length| length.object);
        at.ok().map(|at| &self.lengths[at])
    }

    /// The shape of a row, when it is one.
    #[must_use]
    #[inline]
    pub fn shape(&self, id: ObjectId) -> Option<&Shape> {
        self.fact_of(id, Kind::Shape, &self.shapes)
    }

    #[inline]
    fn fact_of<'a, T>(&self, id: ObjectId, kind: Kind, facts: &'a [T]) -> Option<&'a T> {
        // The kind first: its column is the narrowest.
        if self.objects.kind.get(id as usize) != Some(&kind) || self.objects.has(id, Flags::PART) {
            return None;
        }
        let index = *self.objects.fact.get(id as usize)?;
        if index == NONE {
            None
        } else {
            facts.get(index as usize)
        }
    }

    /// The shown name of an object's type.
    #[must_use]
    pub fn type_name(&self, id: ObjectId) -> &str {
        match self.kind(id) {
            Kind::String => "string",
            _ => self.types.name(self.objects.label[id as usize]),
        }
    }
}
