//! Whatever a dump of Python says: one error or a heap whose books balance, never a panic, a hang or unbounded memory.

mod python_crafted;

use std::io::Write as _;

use deadweight_formats::{Sidecar, open, strip};
use deadweight_rules::{Options, weigh};
use deadweight_weighing::Source;
use proptest::prelude::*;
use proptest::sample::select;
use python_crafted::{Dump, Program, Row, STACK, WITH_EXTENTS, block, frame, program, sort, varint};

/// Rows of any dump: references lead to each of so many.
const ROWS: u32 = 40;

/// Names that mean something to the reader, and others.
const NAMES: [&str; 21] = [
    "__dict__",
    "__globals__",
    "__code__",
    "__closure__",
    "__defaults__",
    "obj",
    "base",
    "__main__",
    "json",
    "a",
    "b",
    "/srv/a.py",
    "/usr/lib/python3.12/json/a.py",
    "cell",
    "_mgr",
    "_data",
    "_name",
    "_item_cache",
    "start",
    "stop",
    "step",
];

/// Names of types, by which the reader knows some.
const TYPES: [&str; 9] = [
    "dict",
    "str",
    "type",
    "module",
    "cell",
    "generator",
    "bool",
    "collections.OrderedDict",
    "pandas._libs.internals.BlockPlacement",
];

fn number() -> impl Strategy<Value = u64> {
    select(vec![0, 1, 2, 3, 8, 17, 64, 700, 5 << 32, u64::MAX])
}

/// A payload of any sort, with any numbers in it.
fn payload(of: u8) -> impl Strategy<Value = Vec<u8>> {
    let name = NAMES.len() as u64;
    (
        number(),
        number(),
        number(),
        0..4_u8,
        0..3_u8,
        0..name,
        prop::collection::vec(any::<u8>(), 0..9),
    )
        .prop_map(move |(a, b, c, form, narrow, index, bytes)| {
            let mut made = Vec::new();
            let contents = |made: &mut Vec<u8>| {
                varint(a, made);
                made.push(form & 1);
                if form & 1 == 1 {
                    varint(b, made);
                    varint(c, made);
                    made.extend(b.to_le_bytes());
                }
            };
            let text = |made: &mut Vec<u8>| {
                varint(bytes.len() as u64, made);
                made.extend(&bytes);
            };
            match of {
                sort::STR => {
                    varint(a, &mut made);
                    made.extend([form, narrow]);
                    text(&mut made);
                }
                sort::INT => {
                    made.push(form);
                    text(&mut made);
                }
                sort::FLOAT | sort::DATE => made.extend(a.to_le_bytes()),
                sort::LIST | sort::DEQUE | sort::VIEW => varint(a, &mut made),
                sort::TYPE => varint(index % 13, &mut made),
                sort::BLOCKS => varint(index, &mut made),
                sort::FRAME => varint(index + 1, &mut made),
                sort::DICT | sort::ORDERED_DICT | sort::SET => {
                    varint(a, &mut made);
                    varint(b, &mut made);
                    made.push(narrow);
                }
                sort::INSTANCE => {
                    varint(a, &mut made);
                    made.push(form);
                }
                sort::MODULE => [index, index + 1]
                    .map(|index| varint(index, &mut made))
                    .into_iter()
                    .collect(),
                sort::KEYS => [a, b]
                    .map(|number| varint(number, &mut made))
                    .into_iter()
                    .collect(),
                sort::CODE => [index, index, a]
                    .map(|number| varint(number, &mut made))
                    .into_iter()
                    .collect(),
                sort::BYTES => {
                    contents(&mut made);
                    made.push(form);
                    varint(c, &mut made);
                }
                sort::NUMBERS => {
                    contents(&mut made);
                    made.push(b'd');
                    varint(b, &mut made);
                    varint(c, &mut made);
                }
                sort::NDARRAY => {
                    contents(&mut made);
                    made.push(if narrow == 0 { b'O' } else { b'f' });
                    varint(b, &mut made);
                    made.push(form & 1);
                    varint(narrow.into(), &mut made);
                    for _ in 0..narrow {
                        varint(c, &mut made);
                        varint(16, &mut made);
                    }
                    varint(a % 64, &mut made);
                }
                sort::PLACES => {
                    varint(narrow.into(), &mut made);
                    (0..narrow).for_each(|number| varint(number.into(), &mut made));
                }
                _ => {}
            }
            made
        })
}

fn row() -> impl Strategy<Value = Row> {
    let to = || 0..ROWS;
    let of_sort = (0..24_u8).prop_flat_map(|sort| (Just(sort), payload(sort)));
    (
        of_sort,
        any::<u8>(),
        0..13_u32,
        0..3_u64,
        prop::collection::vec(select(vec![0, 24, 64, 600, 5 << 32]), 0..4),
        prop::collection::vec((0..NAMES.len() as u32, to()), 0..4),
        prop::collection::vec(prop::option::of(to()), 0..5),
        prop::collection::vec((to(), to()), 0..5),
        prop::collection::vec(to(), 0..4),
    )
        .prop_map(
            |(
                (sort, payload),
                flags,
                ty,
                hidden_references,
                blocks,
                attributes,
                elements,
                entries,
                others,
            )| Row {
                sort,
                flags,
                ty,
                hidden_references,
                blocks,
                payload,
                attributes,
                elements,
                entries,
                others,
                // Where the flag says that there is one.
                stack: (flags & STACK != 0).then_some(u32::from(ty > 4)),
            },
        )
}

fn dump() -> impl Strategy<Value = Dump> {
    let rows = prop::collection::vec((row(), 1..30_usize), 1..12);
    let roots = prop::collection::vec((0..3_u8, prop::option::of(0..14_u32), 0..ROWS), 0..4);
    (rows, roots).prop_map(|(rows, roots)| {
        let mut dump = Dump::new();
        for name in NAMES {
            dump.name(name);
        }
        for ty in TYPES {
            dump.builtin(ty);
        }
        dump.rows = rows
            .into_iter()
            .flat_map(|(row, times)| std::iter::repeat_n(row, times))
            .collect();
        let outer = dump.ran(None, "/srv/a.py", "a", 0);
        dump.ran(Some(outer), "/usr/lib/python3.12/json/a.py", "b", u32::MAX);
        dump.version = WITH_EXTENTS;
        for (ty, name) in [(9, "pandas.DataFrame"), (10, "pandas.core.series.Series")] {
            assert_eq!(dump.builtin(name), ty);
            dump.types[ty as usize].flags = 1;
        }
        for flags in [0, 1] {
            let mut ty = dump.types[0].clone();
            (ty.flags, ty.module, ty.base) = (flags, Some(7), Some(0));
            dump.types.push(ty);
        }
        // References lead somewhere.
        while dump.rows.len() < ROWS as usize {
            dump.rows.push(dump.rows[0].clone());
        }
        dump.roots = roots
            .into_iter()
            .map(|(sort, name, row)| (sort, name, name, row))
            .collect();
        dump
    })
}

fn weighed(bytes: &[u8]) -> Result<(), String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let heap = open(file.path(), &Sidecar::default())
        .map_err(|error| error.to_string())?
        .heap;
    let source = Source {
        path: String::new(),
        bytes: 0,
        format: String::new(),
    };
    let held = weigh(&heap, source, &Options::all()).held;
    assert_eq!(held.content + held.runtime + held.dead, held.bytes);
    let mut copy = Vec::new();
    strip(file.path(), &mut copy).expect("what is read can be stripped");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_rows_say_the_books_balance(dump in dump()) {
        prop_assert_eq!(weighed(&dump.file()), Ok(()));
    }

    #[test]
    fn bytes_may_change_anywhere(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let Program { dump, .. } = program();
        let mut file = dump.file();
        for (at, to) in changes {
            let at = at.index(file.len());
            file[at] = to;
        }
        if let Err(error) = weighed(&file) {
            prop_assert!(error.contains("at byte "), "{error}");
        }
    }

    #[test]
    fn a_table_may_say_anything_of_its_columns(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut dump = Dump::new();
        let elements: Vec<u32> = (0..6).map(|at| dump.str(["Bern", "Rome"][at % 2])).collect();
        let owner = dump.references(&[(2, 24), (3, 8)], &elements, None);
        let view = dump.references(&[(1, 24), (3, 8)], &[], Some((owner, 24)));
        let places = [dump.places(&[0], None), dump.places(&[], Some([1, 2, 1]))];
        let blocks = [block(&mut dump, places[0], owner), block(&mut dump, places[1], view)];
        let sales = frame(&mut dump, &["city", "state"], &blocks);
        dump.held_by_interpreter(sales);
        let mut file = dump.file();
        for (at, to) in changes {
            let at = at.index(file.len());
            file[at] = to;
        }
        if let Err(error) = weighed(&file) {
            prop_assert!(error.contains("at byte "), "{error}");
        }
    }
}
