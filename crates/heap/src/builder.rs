//! Builds small heaps by hand, so that a test of a rule reads like the heap it is about.

use rustc_hash::FxHashMap;

use crate::{
    Allocator, Around, Array, Buffer, Coverage, Date, Edge, EdgeKind, EdgesBuilder, Endian, Exact, Fixed,
    Flags, FrameColumn, FrameColumns, Heap, HeapParts, Implementation, Inside, Interior, Interned, Kind,
    Layout, Lines, NONE, NoBlocks, Number, Numeric, ObjectId, Objects, OwnClass, Presence, Record,
    RecordShape, Representation, RowSet, Runtime, Shape, SiteId, Sites, Table, TextId, Texts, Totals, Types,
    UNKNOWN, Via,
};

mod blocks;
mod layout;
mod library;
mod lines;
mod other_integers;
mod raw;
mod strings;
mod typed;

use blocks::RawBlocks;
pub use layout::{BuilderLayout, CHAINED, NODES, OPEN};
pub use other_integers::OtherIntegers;

/// A heap under construction. Its layout is [`BuilderLayout`]: 8-byte slots, 16-byte headers.
#[derive(Debug)]
pub struct HeapBuilder {
    parts: HeapParts,
    edges: Vec<Vec<Edge>>,
    texts: FxHashMap<String, TextId>,
    shapes: FxHashMap<String, ObjectId>,
    blocks: RawBlocks,
    endian: Endian,
    inside: Vec<Inside>,
    dead: Vec<ObjectId>,
    immortal: Vec<ObjectId>,
    interned: Option<(ObjectId, Vec<TextId>)>,
    site_ids: FxHashMap<String, SiteId>,
}

impl Default for HeapBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl HeapBuilder {
    /// An empty heap in which everything is measurable.
    #[must_use]
    pub fn new() -> Self {
        let present = Presence::Present;
        let coverage = Coverage {
            texts: present,
            contents: present,
            numbers: present,
            slots: present,
            sites: Presence::Absent,
            requests: present,
            edges: present,
            names: present,
            capacities: present,
            untouched: present,
        };
        Self {
            parts: HeapParts {
                rows_move: false,
                objects: Objects::default(),
                edges: crate::Edges::default(),
                interior: Interior::default(),
                texts: Texts::default(),
                types: Types::default(),
                records: Vec::new(),
                shapes: Vec::new(),
                arrays: Vec::new(),
                tables: Vec::new(),
                buffers: Vec::new(),
                numbers: Vec::new(),
                dates: Vec::new(),
                lengths: Vec::new(),
                string_rooms: Vec::new(),
                own_classes: Vec::new(),
                frame_columns: FrameColumns::default(),
                fixed: Fixed::default(),
                sites: Sites::default(),
                lines: Lines::default(),
                blocks: Box::new(NoBlocks),
                coverage,
                totals: Totals::default(),
                runtime: Runtime {
                    name: "test".into(),
                    word_bytes: 8,
                    ..Runtime::default()
                },
                layout: Box::new(BuilderLayout),
                allocator: Box::new(Exact),
                partial: None,
            },
            edges: Vec::new(),
            texts: FxHashMap::default(),
            shapes: FxHashMap::default(),
            blocks: RawBlocks::default(),
            endian: Endian::Little,
            inside: Vec::new(),
            dead: Vec::new(),
            immortal: Vec::new(),
            interned: None,
            site_ids: FxHashMap::default(),
        }
    }

    /// Says that rows are in the order of memory, which is another in each run.
    pub fn rows_move(&mut self) -> &mut Self {
        self.parts.rows_move = true;
        self
    }

    /// Changes what the heap declares it can show.
    pub fn coverage(&mut self, change: impl FnOnce(&mut Coverage)) -> &mut Self {
        change(&mut self.parts.coverage);
        self
    }

    /// The id of a text.
    pub fn text(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = self.parts.texts.add(text);
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// Any object; its label is the type of that name.
    pub fn object(&mut self, kind: Kind, type_name: &str, bytes: u64) -> ObjectId {
        let label = self.parts.types.named(type_name);
        self.row(kind, label, bytes)
    }

    fn row(&mut self, kind: Kind, label: u32, bytes: u64) -> ObjectId {
        self.edges.push(Vec::new());
        self.parts.objects.push(kind, Flags::default(), bytes, label)
    }

    fn fact(&mut self, id: ObjectId, index: usize) {
        self.parts.objects.fact[id as usize] = index as u32;
    }

    /// Sets flags on an object.
    pub fn flag(&mut self, id: ObjectId, flags: Flags) -> &mut Self {
        self.parts.objects.flags[id as usize] |= flags;
        self
    }

    /// Makes `part` an internal piece of `owner`, with an edge to it.
    pub fn part(&mut self, owner: ObjectId, part: ObjectId) -> &mut Self {
        self.flag(part, Flags::PART);
        self.fact(part, owner as usize);
        self.edge(owner, EdgeKind::Internal, 0, part)
    }

    /// Gives an object a class of its own, whose methods run the code of that number. Objects must be announced in the order
    /// they were made.
    pub fn own_class(&mut self, object: ObjectId, class: ObjectId, code: u32) -> &mut Self {
        self.parts.own_classes.push(OwnClass { object, class, code });
        self.part(object, class)
    }

    /// Makes slots of arrays columns of data frames.
    pub fn frame_columns(&mut self, columns: Vec<FrameColumn>) -> &mut Self {
        let arrays = columns.iter().map(|column| (column.array, column.frame));
        let arrays = arrays.collect();
        self.parts.frame_columns = FrameColumns::new(columns, arrays);
        self
    }

    /// A number in a box of 16 bytes.
    pub fn number(&mut self, value: f64) -> ObjectId {
        let id = self.object(Kind::Number, "number", 16);
        self.parts.numbers.push(Number::new(id, Numeric::of_float(value)));
        self.fact(id, self.parts.numbers.len() - 1);
        id
    }

    /// A number of another type.
    pub fn number_of(&mut self, ty: &str, value: f64) -> ObjectId {
        let id = self.number(value);
        self.parts.objects.label[id as usize] = self.parts.types.named(ty);
        id
    }

    /// Objects of that type stand for the absence of a value.
    pub fn absent(&mut self, ty: &str) -> &mut Self {
        let ty = self.parts.types.named(ty);
        self.parts.types.note_absent(ty);
        self
    }

    /// A whole number of up to 64 bits.
    pub fn whole_number(&mut self, value: i64) -> ObjectId {
        let id = self.object(Kind::Number, "number", 16);
        self.parts.numbers.push(Number::new(id, Numeric::Integer(value)));
        self.fact(id, self.parts.numbers.len() - 1);
        id
    }

    /// A number that stands in a slot: no bytes of its own.
    pub fn small_number(&mut self, value: f64) -> ObjectId {
        let id = self.number(value);
        self.parts.objects.set_bytes(id, 0);
        id
    }

    /// A moment in time, 96 bytes with the number in it.
    pub fn date(&mut self, value: f64) -> ObjectId {
        self.date_of("Date", value)
    }

    /// The same of another type.
    pub fn date_of(&mut self, ty: &str, value: f64) -> ObjectId {
        let id = self.object(Kind::Date, ty, BuilderLayout.date());
        self.parts.dates.push(Date { object: id, value });
        self.fact(id, self.parts.dates.len() - 1);
        id
    }

    /// A record of a class, all of whose instances share one shape.
    pub fn record(&mut self, class: &str, fields: &[(&str, ObjectId)]) -> ObjectId {
        let names: Vec<TextId> = fields.iter().map(|(name, _)| self.text(name)).collect();
        let key = format!("{class}:{names:?}");
        let known = self.shapes.get(&key).copied();
        let shape = known.unwrap_or_else(|| self.shape(fields.len()));
        self.shapes.insert(key, shape);
        self.record_with_shape(class, shape, fields)
    }

    /// A shape for `fields` fields.
    pub fn shape(&mut self, fields: usize) -> ObjectId {
        let bytes = BuilderLayout.shape(fields as u64);
        let id = self.object(Kind::Shape, "shape", bytes);
        let none = self.parts.types.named("");
        self.parts.shapes.push(Shape {
            object: id,
            bytes,
            fields: none,
            instances: 0,
        });
        self.fact(id, self.parts.shapes.len() - 1);
        id
    }

    /// Says which fields a shape describes.
    pub fn shape_fields(&mut self, shape: ObjectId, fields: &[TextId]) -> &mut Self {
        let list = self.parts.types.anonymous(fields, &self.parts.texts);
        let index = self.parts.objects.fact[shape as usize] as usize;
        if let Some(shape) = self.parts.shapes.get_mut(index) {
            shape.fields = list;
        }
        self
    }

    /// Says how many fields a record has, those included that no reference shows.
    pub fn used(&mut self, record: ObjectId, fields: u32) -> &mut Self {
        let index = self.parts.objects.fact[record as usize] as usize;
        if let Some(record) = self.parts.records.get_mut(index) {
            record.used = fields;
        }
        self
    }

    /// Says that records of a class stand for what this field refers to, and have it as that.
    pub fn stands_for(&mut self, class: &str, field: &str, around: Around) -> &mut Self {
        let field = self.text(field);
        let ty = self.parts.types.named(class);
        self.parts.types.note_around(ty, field, around);
        self
    }

    /// Puts another layout under the heap.
    pub fn layout(&mut self, layout: impl Layout + 'static) -> &mut Self {
        self.parts.layout = Box::new(layout);
        self
    }

    /// Puts another allocator under the heap.
    pub fn allocator(&mut self, allocator: impl Allocator + 'static) -> &mut Self {
        self.parts.allocator = Box::new(allocator);
        self
    }

    /// Sets the bytes charged for a row.
    pub fn bytes(&mut self, id: ObjectId, bytes: u64) -> &mut Self {
        self.parts.objects.set_bytes(id, bytes);
        self
    }

    /// A record with a shape of the caller's. An empty class name makes the type from the fields.
    pub fn record_with_shape(
        &mut self,
        class: &str,
        shape: ObjectId,
        fields: &[(&str, ObjectId)],
    ) -> ObjectId {
        let id = self.bare_record(class, fields);
        let count = fields.len() as u32;
        let bytes = BuilderLayout.record_of(Representation::Any, u64::from(count));
        self.parts.objects.set_bytes(id, bytes);
        let record = Record {
            object: id,
            shape,
            used: count,
            available: count,
            dictionary: 0,
            implementation: Implementation::USUAL,
        };
        self.add_record(id, record);
        self.edge(id, EdgeKind::Internal, 0, shape);
        let index = self.parts.objects.fact[shape as usize] as usize;
        if let Some(shape) = self.parts.shapes.get_mut(index) {
            shape.instances += 1;
        }
        id
    }

    /// A record of a class to which any code may add fields.
    pub fn open_record(&mut self, class: &str, fields: &[(&str, ObjectId)]) -> ObjectId {
        let id = self.record(class, fields);
        let none = RecordShape::default();
        let bytes = BuilderLayout.record_as(OPEN, &none, fields.len() as u64);
        self.bytes(id, bytes);
        self.change_record(id, |record| {
            record.shape = NONE;
            record.implementation = OPEN;
        });
        id
    }

    /// A record whose fields stand in a dictionary of `slots` slots, 24 bytes each.
    pub fn dictionary(&mut self, class: &str, slots: u32, fields: &[(&str, ObjectId)]) -> ObjectId {
        let id = self.bare_record(class, fields);
        self.parts.objects.set_bytes(id, 16);
        let store = self.object(Kind::Opaque, "dictionary", 64 + 24 * u64::from(slots));
        self.part(id, store);
        let used = fields.len() as u32;
        self.add_record(
            id,
            Record {
                object: id,
                shape: NONE,
                used,
                available: UNKNOWN,
                dictionary: slots,
                implementation: Implementation::USUAL,
            },
        );
        id
    }

    fn add_record(&mut self, id: ObjectId, record: Record) {
        self.parts.records.push(record);
        self.fact(id, self.parts.records.len() - 1);
    }

    fn bare_record(&mut self, class: &str, fields: &[(&str, ObjectId)]) -> ObjectId {
        let names: Vec<TextId> = fields.iter().map(|(name, _)| self.text(name)).collect();
        let label = if class.is_empty() {
            self.parts.types.anonymous(&names, &self.parts.texts)
        } else {
            self.parts.types.named(class)
        };
        let id = self.row(Kind::Record, label, 0);
        for (&name, &(_, to)) in names.iter().zip(fields) {
            self.edge(id, EdgeKind::Field, name, to);
        }
        id
    }

    /// An array with `capacity` slots, of which `elements` fill the first.
    pub fn array(&mut self, capacity: u32, elements: &[ObjectId]) -> ObjectId {
        let id = self.object(Kind::Array, "Array", 32);
        let store = if capacity == 0 {
            NONE
        } else {
            let store = self.object(Kind::Opaque, "elements", 16 + 8 * u64::from(capacity));
            self.part(id, store);
            store
        };
        self.parts.arrays.push(Array {
            object: id,
            store,
            used: elements.len() as u32,
            capacity,
            implementation: Implementation::USUAL,
        });
        self.fact(id, self.parts.arrays.len() - 1);
        for (i, &element) in elements.iter().enumerate() {
            self.edge(id, EdgeKind::Element, i as u32, element);
        }
        id
    }

    /// An array whose used slots may be empty.
    pub fn array_with_gaps(&mut self, elements: &[Option<ObjectId>]) -> ObjectId {
        let id = self.array(elements.len() as u32, &[]);
        if let Some(fact) = self.parts.arrays.last_mut() {
            fact.used = elements.len() as u32;
        }
        for (i, element) in elements.iter().enumerate() {
            if let &Some(element) = element {
                self.edge(id, EdgeKind::Element, i as u32, element);
            }
        }
        id
    }

    /// A map with room for `capacity` entries.
    pub fn map(&mut self, capacity: u32, entries: &[(ObjectId, ObjectId)]) -> ObjectId {
        let id = self.object(Kind::Table, "Map", 32);
        let store = self.object(Kind::Opaque, "table", 56 + 24 * u64::from(capacity));
        self.part(id, store);
        let used = entries.len() as u32;
        self.parts.tables.push(Table {
            object: id,
            store,
            used,
            capacity,
            set: false,
            implementation: Implementation::USUAL,
        });
        self.fact(id, self.parts.tables.len() - 1);
        for (i, &(key, value)) in entries.iter().enumerate() {
            self.edge(store, EdgeKind::Key, i as u32, key);
            self.edge(store, EdgeKind::Value, i as u32, value);
        }
        id
    }

    /// A buffer object of 96 bytes with a backing of its own outside the heap.
    pub fn buffer(&mut self, bytes: u64, zeros: u64, hash: u64) -> ObjectId {
        let backing = self.object(Kind::Opaque, "backing", bytes);
        self.flag(backing, Flags::EXTERNAL);
        let id = self.object(Kind::Buffer, "Buffer", 96);
        self.edge(id, EdgeKind::Internal, 0, backing);
        let words_used = (bytes - zeros).div_ceil(8);
        self.parts.buffers.push(Buffer {
            object: id,
            backing,
            bytes,
            zeros,
            words_used,
            hash,
            is_backing: true,
            elements: Representation::Unsigned(1),
            gives_way: false,
        });
        self.fact(id, self.parts.buffers.len() - 1);
        id
    }

    /// A view of 96 bytes on `bytes` bytes of another buffer's backing, or of the numbers that stand in that buffer itself.
    pub fn view(&mut self, of: ObjectId, bytes: u64) -> ObjectId {
        let on = self.parts.objects.fact[of as usize] as usize;
        let on = &mut self.parts.buffers[on];
        if on.backing == NONE {
            (on.backing, on.is_backing) = (of, true);
        }
        let (backing, elements) = (on.backing, on.elements);
        let id = self.object(Kind::Buffer, "Buffer", 96);
        self.edge(id, EdgeKind::Internal, 0, of);
        self.buffer_fact(id, backing, bytes);
        if let Some(view) = self.parts.buffers.last_mut() {
            view.elements = elements;
        }
        id
    }

    /// A copy takes the place of a view.
    pub fn gives_way(&mut self, view: ObjectId) -> &mut Self {
        let fact = self.parts.objects.fact[view as usize] as usize;
        self.parts.buffers[fact].gives_way = true;
        self
    }

    /// Makes an object a buffer of `bytes` bytes, which stand in `backing` or, with [`NONE`], in the object.
    pub fn buffer_fact(&mut self, id: ObjectId, backing: ObjectId, bytes: u64) -> &mut Self {
        self.parts.buffers.push(Buffer {
            object: id,
            backing,
            bytes,
            zeros: u64::MAX,
            words_used: u64::MAX,
            hash: 0,
            is_backing: false,
            elements: Representation::Unsigned(1),
            gives_way: false,
        });
        self.fact(id, self.parts.buffers.len() - 1);
        self
    }

    /// A variable named `name` that holds `to`: what keeps a test's objects and names their holder.
    pub fn variable(&mut self, name: &str, to: ObjectId) -> &mut Self {
        let scope = self.object(Kind::Scope, "scope", 0);
        let name = self.text(name);
        self.edge(scope, EdgeKind::Variable, name, to)
    }

    /// Says that a row was dead at capture.
    pub fn dead(&mut self, id: ObjectId) -> &mut Self {
        self.dead.push(id);
        self
    }

    /// Says that a row is immortal, or shared with other processes.
    pub fn shared(&mut self, id: ObjectId) -> &mut Self {
        self.immortal.push(id);
        self
    }

    /// Changes the bytes of a row.
    pub fn resize(&mut self, id: ObjectId, bytes: u64) -> &mut Self {
        self.parts.objects.set_bytes(id, bytes);
        self
    }

    /// Changes what is known of a record.
    pub fn change_record(&mut self, id: ObjectId, change: impl FnOnce(&mut Record)) -> &mut Self {
        change(&mut self.parts.records[self.parts.objects.fact[id as usize] as usize]);
        self
    }

    /// Changes what is known of an array.
    pub fn change_array(&mut self, id: ObjectId, change: impl FnOnce(&mut Array)) -> &mut Self {
        change(&mut self.parts.arrays[self.parts.objects.fact[id as usize] as usize]);
        self
    }

    /// Changes what is known of a table.
    pub fn change_table(&mut self, id: ObjectId, change: impl FnOnce(&mut Table)) -> &mut Self {
        change(&mut self.parts.tables[self.parts.objects.fact[id as usize] as usize]);
        self
    }

    /// Changes what is known of a buffer or view.
    pub fn change_buffer(&mut self, id: ObjectId, change: impl FnOnce(&mut Buffer)) -> &mut Self {
        change(&mut self.parts.buffers[self.parts.objects.fact[id as usize] as usize]);
        self
    }

    /// One reference.
    pub fn edge(&mut self, from: ObjectId, kind: EdgeKind, name: u32, to: ObjectId) -> &mut Self {
        self.edges[from as usize].push(Edge {
            via: Via::new(kind, name),
            to,
        });
        self
    }

    /// One reference that leads `offset` bytes behind the beginning of its target.
    pub fn edge_inside(
        &mut self,
        from: ObjectId,
        kind: EdgeKind,
        name: u32,
        to: ObjectId,
        offset: u64,
    ) -> &mut Self {
        self.inside.push(Inside {
            from,
            place: self.edges[from as usize].len() as u32,
            offset,
        });
        self.edge(from, kind, name, to)
    }

    /// The finished heap.
    #[must_use]
    pub fn build(self) -> Heap {
        let mut edges = EdgesBuilder::default();
        for row in &self.edges {
            for edge in row {
                edges.push(edge.via, edge.to);
            }
            edges.end_row();
        }
        let mut parts = self.parts;
        parts.edges = edges.finish();
        let mut inside = self.inside;
        inside.extend(self.blocks.inside(&self.edges));
        inside.sort_unstable();
        parts.interior = Interior::new(inside);
        let set = |rows: Vec<ObjectId>| {
            (!rows.is_empty()).then(|| {
                let set = RowSet::none(parts.objects.len());
                set.extend(rows);
                set
            })
        };
        parts.fixed = Fixed {
            dead: set(self.dead),
            shared: set(self.immortal),
            interned: self.interned.map(|(table, texts)| {
                let set = RowSet::none(parts.texts.len());
                set.extend(texts);
                Interned { table, texts: set }
            }),
        };
        if !self.blocks.contents.is_empty() || !self.blocks.stored.is_empty() {
            parts.blocks = Box::new(self.blocks);
        }
        Heap::new(parts)
    }
}
