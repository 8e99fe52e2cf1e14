//! What `HotSpot` charges for objects. Sources: `docs/formats/jvm.md`; `tests/jvm_layout.rs` holds it against a JVM.

use deadweight_heap::{
    Implementation, Layout, Order, Packing, RecordShape, Representation, TableKind, Width, Wording,
};

use super::others::Growth;

/// Which of the library's arrays and tables an object is.
pub(super) mod of {
    use deadweight_heap::Implementation;

    /// An array, and a hash table.
    pub(in crate::jvm) const ARRAY: Implementation = Implementation::USUAL;
    pub(in crate::jvm) const HASH: Implementation = Implementation::USUAL;
    pub(in crate::jvm) const LINKED: Implementation = Implementation(1);
    pub(in crate::jvm) const CONCURRENT: Implementation = Implementation(2);
    pub(in crate::jvm) const TABLE: Implementation = Implementation(3);
    pub(in crate::jvm) const TREE: Implementation = Implementation(4);
    /// Immutable ones of pairs and of keys.
    pub(in crate::jvm) const PAIRS: Implementation = Implementation(5);
    /// Characters in a builder, in bytes.
    pub(in crate::jvm) const BUILDER: Implementation = Implementation(6);
    pub(in crate::jvm) const CHAIN: Implementation = Implementation(7);
    /// Containers with a price by their class: the first is that of the first class that is known.
    pub(in crate::jvm) const CONTAINERS: u16 = 16;
}

/// How objects begin and are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Bytes before the first field.
    pub header: u64,
    /// Bytes of a reference.
    pub reference: u64,
    /// Bytes before the elements of an array: of up to four bytes each, and of eight.
    pub small: u64,
    /// The same for elements of eight bytes.
    pub wide: u64,
    /// What sizes are multiples of.
    pub align: u64,
    /// Whether fields stand in what classes above leave free, as since JDK 15.
    pub fills: bool,
}

impl Form {
    /// Bytes of a record up to the end of its last field.
    fn end(&self, shape: &RecordShape<'_>) -> u64 {
        let packing = Packing {
            header: self.header,
            reference: self.reference,
            order: Order::LargestFirst,
        };
        if self.fills {
            return packing.bytes(shape);
        }
        let Some(inherited) = shape.inherited else {
            return packing.bytes(&RecordShape::own(shape.fields));
        };
        let above = self.end(inherited);
        let header = if inherited.count() == 0 {
            above
        } else {
            up(above, self.reference)
        };
        let own = Packing { header, ..packing };
        own.bytes(&RecordShape::own(shape.fields))
    }

    /// Bytes of a record.
    #[must_use]
    pub fn record(&self, shape: &RecordShape<'_>) -> u64 {
        up(self.end(shape), self.align)
    }

    /// Bytes of an array.
    #[must_use]
    pub fn array(&self, elements: Representation, count: u64) -> u64 {
        let each = elements.bytes(self.reference);
        let header = if each == 8 { self.wide } else { self.small };
        up(header.saturating_add(each.saturating_mul(count)), self.align)
    }
}

fn up(bytes: u64, to: u64) -> u64 {
    bytes.checked_next_multiple_of(to).unwrap_or(u64::MAX)
}

/// Bytes of objects of the library, by the fields that the dump says they have; 0 for a class that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// A string without its characters.
    pub string: u64,
    /// Maps with a node an entry: the map and a node.
    pub maps: [(u64, u64); 5],
    /// What a set adds to the map in it.
    pub set: u64,
    /// A set around a tree.
    pub tree_set: u64,
    /// Immutable maps and sets.
    pub pairs: [u64; 2],
    /// An immutable map of one entry.
    pub one: u64,
    /// Builders of strings.
    pub builder: u64,
    /// A list of nodes, and a node.
    pub chain: (u64, u64),
    /// A moment.
    pub date: u64,
    /// A view on bytes.
    pub view: u64,
}

/// What the containers of one class are made of. Sizes of objects are 0 for a class that the dump lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Container {
    /// One that has no price of its own.
    Other,
    /// An object, and an array of so many slots more than elements.
    List {
        /// Bytes of the object, and of what it has beside the array.
        object: u64,
        /// Slots that are free however many elements it has.
        free: u64,
        /// What the array is of.
        elements: Representation,
    },
    /// An object alone, whose contents have no price.
    Object(u64),
    /// A table with nodes in chains.
    Chained {
        /// Bytes of the object.
        object: u64,
        /// Bytes of a node.
        node: u64,
        /// How the array of chains grows, where that is known.
        growth: Option<Growth>,
    },
    /// A table with an array of keys and, for a map, one of values.
    Open {
        /// Bytes of the object.
        object: u64,
        /// What each array is of.
        arrays: [Option<Representation>; 2],
        /// How they grow, where that is known.
        growth: Option<Growth>,
    },
}

impl Container {
    const fn object(self) -> u64 {
        match self {
            Self::Other => 0,
            Self::Object(object)
            | Self::List { object, .. }
            | Self::Chained { object, .. }
            | Self::Open { object, .. } => object,
        }
    }
}

/// `HotSpot`'s layout, as found in one file.
#[derive(Clone, Debug, PartialEq)]
pub struct JvmLayout {
    /// Headers, references and rounding.
    pub form: Form,
    /// Sizes of the library's objects.
    pub sizes: Sizes,
    /// Containers by the numbers of their classes.
    pub containers: Vec<Container>,
    /// The list with an array that programs use, where the dump has its class.
    pub array_list: Option<Implementation>,
    /// Whether strings keep one byte a character where that is enough.
    pub compact: bool,
    /// Why sizes are estimates, where the distances between the objects do not prove them.
    pub estimated: Option<String>,
}

/// Entries of a hash table: the least power of two of which they are three quarters.
fn buckets(entries: u64) -> u64 {
    let least = 16;
    let needed = entries.saturating_mul(4).div_ceil(3);
    needed.checked_next_power_of_two().unwrap_or(u64::MAX).max(least)
}

impl JvmLayout {
    /// What an implementation is that has a price by its class.
    fn container(&self, of: Implementation) -> Option<Container> {
        let number = usize::from(of.0.checked_sub(of::CONTAINERS)?);
        self.containers.get(number).copied()
    }

    fn references(&self, count: u64) -> u64 {
        self.form.array(Representation::Reference, count)
    }

    /// What stands around the map of a set.
    fn around(&self, kind: TableKind, of: Implementation) -> u64 {
        match (kind, of) {
            (TableKind::Map, _) => 0,
            (TableKind::Set, of::TREE) => self.sizes.tree_set,
            (TableKind::Set, _) => self.sizes.set,
        }
    }

    /// A map with a node an entry; `None` where the dump has no such class.
    fn map(&self, of: Implementation, entries: u64) -> Option<u64> {
        let &(map, node) = self
            .sizes
            .maps
            .get(usize::from(of.0))
            .filter(|(map, node)| *map > 0 && (*node > 0 || entries == 0))?;
        let nodes = map.saturating_add(node.saturating_mul(entries));
        let store = match of {
            of::TREE => 0,
            // Made with room at once.
            of::TABLE if entries == 0 => self.references(11),
            of::TABLE => {
                let mut room = 11_u64;
                while room.saturating_mul(3) / 4 < entries {
                    room = room.saturating_mul(2).saturating_add(1);
                }
                self.references(room)
            }
            _ if entries == 0 => 0,
            // The table doubles before it is three quarters full.
            of::CONCURRENT => self.references(concurrent_buckets(entries)),
            _ => self.references(buckets(entries)),
        };
        Some(nodes.saturating_add(store))
    }
}

/// The same where the table doubles when it is three quarters full.
fn concurrent_buckets(entries: u64) -> u64 {
    let mut room = 16_u64;
    while entries >= room - room / 4 && room < 1 << 40 {
        room *= 2;
    }
    room
}

impl Layout for JvmLayout {
    fn estimated(&self) -> Option<&str> {
        self.estimated.as_deref()
    }

    fn wording(&self) -> Wording {
        Wording {
            pairs: Some("in arrays of numbers, not in a `Map`"),
            ..Wording::default()
        }
    }

    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        self.form.record(shape)
    }

    /// Classes are not in the heap but for their statics.
    fn shape(&self, _: u64) -> u64 {
        0
    }

    fn strings_are_immutable(&self) -> bool {
        true
    }

    fn string(&self, units: u64, width: Width) -> u64 {
        let each = if self.compact { width.bytes().min(2) } else { 2 };
        self.sizes.string
            + self
                .form
                .array(Representation::Integer(1), units.saturating_mul(each))
    }

    fn elements(&self, elements: Representation, count: u64) -> u64 {
        elements.bytes(self.form.reference).saturating_mul(count)
    }

    fn array(&self, of: Implementation, elements: Representation, count: u64) -> u64 {
        // Lists of the library hold references: numbers themselves stand in an array.
        if !elements.refers() && of != of::BUILDER {
            return self.form.array(elements, count);
        }
        match of {
            of::BUILDER => self.sizes.builder + self.form.array(Representation::Integer(1), count),
            of::CHAIN => self.sizes.chain.0 + self.sizes.chain.1.saturating_mul(count),
            _ => match self.container(of) {
                Some(Container::List {
                    object,
                    free,
                    elements,
                }) => {
                    // All that are empty share one store.
                    let store = if count == 0 {
                        0
                    } else {
                        self.form.array(elements, count + free)
                    };
                    object + store
                }
                _ => self.references(count),
            },
        }
    }

    fn array_for_nodes(&self, of: Implementation) -> Option<Implementation> {
        self.array_list.filter(|_| of == of::CHAIN)
    }

    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        if of == of::PAIRS {
            let (object, slots) = match kind {
                TableKind::Map => (self.sizes.pairs[0], 4),
                TableKind::Set => (self.sizes.pairs[1], 2),
            };
            return (object > 0).then(|| object + self.references(entries.saturating_mul(slots)));
        }
        match self.container(of) {
            Some(Container::Chained {
                object,
                node,
                growth: Some(growth),
            }) if object > 0 && (node > 0 || entries == 0) => {
                Some(object + node.saturating_mul(entries) + self.references(growth.slots(entries)))
            }
            Some(Container::Open {
                object,
                arrays,
                growth: Some(growth),
            }) if object > 0 => {
                let arrays = arrays.into_iter().flatten();
                let slots = growth.slots(entries);
                Some(object + arrays.map(|of| self.form.array(of, slots)).sum::<u64>())
            }
            Some(_) => None,
            None => Some(self.map(of, entries)? + self.around(kind, of)),
        }
    }

    fn map_of_one(&self) -> Option<u64> {
        (self.sizes.one > 0).then_some(self.sizes.one)
    }

    fn without_store(&self, of: Implementation, table: Option<TableKind>) -> Option<u64> {
        let sizes = &self.sizes;
        let object = match (table, of) {
            (None, of::BUILDER) => sizes.builder,
            (None, of::CHAIN) => sizes.chain.0,
            (None, _) => self.container(of)?.object(),
            (Some(TableKind::Map), of::PAIRS) => sizes.pairs[0],
            (Some(TableKind::Set), of::PAIRS) => sizes.pairs[1],
            (Some(kind), _) => match self.container(of) {
                Some(container) => container.object(),
                None => self.around(kind, of) + sizes.maps.get(usize::from(of.0))?.0,
            },
        };
        (object > 0).then_some(object)
    }

    fn entry(&self, of: Implementation) -> u64 {
        if let Some(Container::Chained { node, .. }) = self.container(of) {
            return node;
        }
        let map = self.sizes.maps.get(usize::from(of.0));
        map.map_or(0, |(_, node)| *node)
    }

    fn length_is_room(&self, of: Implementation) -> bool {
        of == of::ARRAY
    }

    /// `HashMap` calls `hashCode` and `equals`, which every record of a list or a map has.
    fn tables_compare_by_value(&self) -> bool {
        true
    }

    fn boxed(&self, value: Representation) -> u64 {
        self.form.record(&RecordShape::own(&[value.times(1)]))
    }

    fn date(&self) -> u64 {
        self.sizes.date
    }

    fn small_integers(&self) -> Option<(i64, i64)> {
        None
    }

    fn small_integer_bytes(&self) -> u64 {
        8
    }

    fn view(&self) -> u64 {
        self.sizes.view
    }
}
