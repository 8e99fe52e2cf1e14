//! What `CPython` charges for objects, on 64-bit machines and in builds with the global lock.
//!
//! Sources: the headers and `Objects/*.c` of 3.9 to 3.14, named at each constant; `tests/python_layout.rs` holds every
//! figure against the blocks that real interpreters of these versions count.

mod classes;
mod data_frames;
pub mod implementations;
mod numbers;
mod records;
mod sequences;
mod tables;
mod texts;

use deadweight_allocators::{Glibc, PymallocClasses, Stepped, pymalloc};
use deadweight_heap::{
    Allocator, Exact, Implementation, Kind, Layout, Numeric, RecordShape, Representation, Runtime, TableKind,
    Width, Wording,
};

pub use data_frames::Pandas;
use implementations as of;
pub use tables::InternedTexts;

/// What every object begins with: the count of references and the type (`PyObject_HEAD`).
const OBJECT: u64 = 16;
/// The same with a number of items (`PyObject_VAR_HEAD`).
const SIZED: u64 = 24;
/// What stands before an object that the collector of cycles looks at (`PyGC_Head`).
const COLLECTED: u64 = 16;
/// A reference.
const WORD: u64 = 8;

/// The layout of one version of `CPython`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PythonLayout<A = Stepped<PymallocClasses, Glibc>> {
    /// The 12 of 3.12.
    pub minor: u8,
    /// What requests are charged.
    pub malloc: A,
    /// How full the interpreter's own table of texts is, where that is known.
    pub interned: Option<InternedTexts>,
    /// Which `pandas` the program uses, if any.
    pub pandas: Option<Pandas>,
}

impl PythonLayout {
    /// The layout of 3.`minor` as it comes, with its own allocator for small blocks.
    #[must_use]
    pub const fn of(minor: u8) -> Self {
        Self {
            minor,
            malloc: pymalloc(),
            interned: None,
            pandas: None,
        }
    }
}

impl PythonLayout<Glibc> {
    /// The layout of 3.`minor` where `PYTHONMALLOC` names the C library's allocator.
    #[must_use]
    pub const fn with_malloc(minor: u8) -> Self {
        Self {
            minor,
            malloc: Glibc::with_mmap_threshold(128 * 1024),
            interned: None,
            pandas: None,
        }
    }
}

/// What a record of allocations charges by: blocks as they were asked for. `None` for another runtime.
pub fn as_asked(runtime: &Runtime) -> Option<Box<dyn Layout>> {
    let mut version = runtime.version.split('.').map(str::parse::<u8>);
    let (Some(Ok(3)), Some(Ok(minor))) = (version.next(), version.next()) else {
        return None;
    };
    let layout = PythonLayout {
        minor,
        malloc: Exact,
        interned: None,
        pandas: None,
    };
    (runtime.name == "python").then(|| Box::new(layout) as Box<dyn Layout>)
}

impl<A: Allocator> PythonLayout<A> {
    /// What blocks of these sizes are charged; nothing is allocated for none.
    fn charge(&self, requests: &[u64]) -> u64 {
        let blocks = requests.iter().filter(|&&bytes| bytes > 0);
        blocks.map(|&bytes| self.malloc.charged(bytes)).sum()
    }
}

impl<A: Allocator + Copy> Layout for PythonLayout<A> {
    fn wording(&self) -> Wording {
        Wording {
            fields: Some("`__slots__`"),
            no_fields: Some("`__slots__ = ()`"),
            weak_place: Some("`__weakref__`"),
            pairs: Some("in an array of numbers (`array`, NumPy), not in a `dict`"),
            // A sum gets room for a digit more than the larger number has, and keeps it: 48 bytes in place of 32.
            tight_number: Some(
                "from `int()` of a float or from `//`, as a sum or a product keeps room for one more digit",
            ),
            ..Wording::default()
        }
    }

    /// A class with `__slots__`, without `__weakref__`.
    fn record(&self, shape: &RecordShape<'_>) -> u64 {
        self.slots(shape.count(), false)
    }

    fn record_as(&self, of: Implementation, fixed: &RecordShape<'_>, open: u64) -> u64 {
        match of {
            of::ORDINARY => self.instance(fixed.count(), open),
            of::LOOKED_AT => self.looked_at(fixed.count(), open),
            of::NAMED_TUPLE => self.named_tuple(fixed.count() + open),
            of::WEAKLY_REFERRED => self.slots(fixed.count() + open, true),
            _ => self.slots(fixed.count() + open, false),
        }
    }

    fn takes_fields(&self, of: Implementation) -> bool {
        matches!(of, of::ORDINARY | of::LOOKED_AT | of::TABLED)
    }

    fn shape(&self, fields: u64) -> u64 {
        self.class_with_slots(fields)
    }

    fn shape_as(&self, of: Implementation, fields: u64) -> u64 {
        if self.takes_fields(of) {
            self.ordinary_class(fields)
        } else {
            self.class_with_slots(fields)
        }
    }

    fn strings_are_immutable(&self) -> bool {
        true
    }

    fn are_typed(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Number | Kind::Date)
    }

    fn string(&self, units: u64, width: Width) -> u64 {
        self.text(units, width)
    }

    fn elements(&self, elements: Representation, count: u64) -> u64 {
        elements.bytes(WORD).saturating_mul(count)
    }

    /// References stand in a list, numbers in an `array.array`.
    fn array(&self, of: Implementation, elements: Representation, count: u64) -> u64 {
        if !elements.refers() {
            return self.numbers(elements.bytes(WORD), count);
        }
        match of {
            of::TUPLE => self.tuple(count),
            of::DEQUE => self.deque(count),
            _ => self.list(count),
        }
    }

    /// `extend` with each list in turn.
    fn joined(&self, _: u64, _: u64) -> Option<u64> {
        None
    }

    fn table(&self, of: Implementation, kind: TableKind, entries: u64) -> Option<u64> {
        let texts = matches!(of, of::DICT | of::ORDERED | of::DEFAULT);
        match (kind, of) {
            (TableKind::Set, Implementation::USUAL) => Some(self.set(entries)),
            (TableKind::Map, of::DICT | of::DICT_OF_ANY) => Some(self.dict(entries, texts)),
            (TableKind::Map, of::ORDERED | of::ORDERED_OF_ANY) => Some(self.ordered(entries, texts)),
            (TableKind::Map, of::DEFAULT | of::DEFAULT_OF_ANY) => Some(self.default_dict(entries, texts)),
            _ => None,
        }
    }

    fn more_interned(&self, texts: u64) -> Option<u64> {
        Some(self.growth(self.interned?, texts))
    }

    /// `__eq__` and `__hash__` are what dicts and sets go by.
    fn tables_compare_by_value(&self) -> bool {
        true
    }

    fn boxed(&self, value: Representation) -> u64 {
        match value {
            Representation::Float(_) | Representation::Any | Representation::Reference => self.float(),
            Representation::Boolean => 0,
            Representation::Integer(bytes) | Representation::Unsigned(bytes) => {
                self.integer(8 * u32::from(bytes))
            }
        }
    }

    fn number(&self, value: Numeric) -> u64 {
        self.valued(value)
    }

    /// A `datetime` without a time zone.
    fn date(&self) -> u64 {
        self.datetime(false)
    }

    /// Every number is an object.
    fn small_integers(&self) -> Option<(i64, i64)> {
        None
    }

    fn small_integer_bytes(&self) -> u64 {
        0
    }

    /// A `memoryview` of a buffer that has one already; the first has an object beside it that all share.
    fn view(&self) -> u64 {
        self.memoryview()
    }

    fn coded_column(&self, rows: u64, values: u64, are_texts: bool) -> Option<u64> {
        Some(self.categorical(self.pandas?, rows, values, are_texts))
    }

    /// `bytes(view)`.
    fn copy_of_view(&self, bytes: u64) -> u64 {
        self.bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use Representation::{Any, Float};

    use super::*;

    /// Charges of 3.9, 3.10, 3.11, 3.12, 3.13 and 3.14, as the interpreters counted them.
    #[test]
    fn objects_take_what_was_measured() {
        fn all(price: impl Fn(PythonLayout) -> u64) -> [u64; 6] {
            [9, 10, 11, 12, 13, 14].map(|minor| price(PythonLayout::of(minor)))
        }
        let map = |by, entries| move |of: PythonLayout| of.table(by, TableKind::Map, entries).unwrap();
        let open =
            |fields| move |of: PythonLayout| of.record_as(of::ORDINARY, &RecordShape::default(), fields);
        assert_eq!(all(|of| of.string(7, Width::Ascii)), [64, 64, 64, 48, 48, 48]);
        assert_eq!(all(|of| of.string(7, Width::One)), [80, 80, 80, 64, 64, 64]);
        assert_eq!(all(map(of::DICT, 0)), [64; 6]);
        assert_eq!(all(map(of::DICT, 5)), [240, 240, 192, 192, 192, 192]);
        assert_eq!(all(map(of::DICT_OF_ANY, 5)), [240, 240, 224, 224, 224, 224]);
        assert_eq!(all(map(of::ORDERED, 0)), [304, 128, 128, 128, 128, 128]);
        assert_eq!(all(|of| of.table(of::DICT, TableKind::Set, 5).unwrap()), [736; 6]);
        assert_eq!(all(|of| of.record_of(Any, 4)), [64; 6]);
        assert_eq!(all(open(0)), [48, 48, 80, 64, 80, 80]);
        assert_eq!(all(open(4)), [160, 160, 112, 96, 112, 112]);
        assert_eq!(all(open(30)), [448, 448, 1664, 1648, 1920, 336]);
        assert_eq!(all(|of| of.array(of::LIST, Any, 3)), [96; 6]);
        assert_eq!(
            all(|of| of.array(of::LIST, Float(8), 3)),
            [96, 112, 112, 112, 112, 112]
        );
        assert_eq!(
            all(|of| of.array(of::DEQUE, Any, 0)),
            [640, 640, 784, 784, 784, 784]
        );
    }

    /// There is one object for each small number, and none is made.
    #[test]
    fn numbers_cost_by_their_digits() {
        let layout = PythonLayout::of(12);
        let price = |value| layout.number(Numeric::Integer(value));
        assert_eq!([-6, -5, 0, 256, 257].map(price), [32, 0, 0, 0, 32]);
        assert_eq!(
            [1 << 59, 1 << 60, i64::MAX, i64::MIN].map(price),
            [32, 48, 48, 48]
        );
        assert_eq!(layout.number(Numeric::Float(0.5)), 32);
    }

    #[test]
    fn the_largest_counts_have_a_price() {
        let layout = PythonLayout::of(13);
        let count = u64::from(u32::MAX);
        assert!(layout.string(count, Width::Four) > 4 * count);
        assert!(layout.table(of::DICT, TableKind::Map, count).unwrap() > 16 * count);
        assert!(layout.table(of::DICT, TableKind::Set, count).unwrap() > 16 * count);
        assert!(layout.record_as(of::ORDINARY, &RecordShape::default(), count) > 8 * count);
    }

    #[test]
    fn records_of_allocations_have_blocks_as_they_were_asked_for() {
        let version = |version: &str| Runtime {
            name: "python".into(),
            version: version.into(),
            ..Runtime::default()
        };
        let asked = as_asked(&version("3.12.1")).unwrap();
        assert_eq!(asked.record_of(Any, 1), 40);
        assert!(as_asked(&version("2.7")).is_none());
    }
}
