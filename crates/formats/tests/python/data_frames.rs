//! Columns of tables: which slots they are, what they are called, and who else holds them.

use deadweight_heap::{FrameColumn, Heap};

use super::python_crafted::{Dump, ONLY_SLOTS, TEXTS, block, frame};
use super::{holder, read, row_of, with_variables};

/// Slots of a column in these tests.
const SLOTS: u64 = 4;
const WIDTH: i64 = 8 * SLOTS.cast_signed();

fn texts(dump: &mut Dump, column: &str) -> Vec<u32> {
    (0..SLOTS)
        .map(|slot| dump.str(&format!("{column} {slot}")))
        .collect()
}

/// An array with a line for each of these columns.
fn array(dump: &mut Dump, columns: &[&str]) -> u32 {
    let elements: Vec<u32> = columns.iter().flat_map(|column| texts(dump, column)).collect();
    dump.references(&[(columns.len() as u64, WIDTH), (SLOTS, 8)], &elements, None)
}

/// The columns of a program that has this in its variable `sales`.
fn columns(dump: Dump, sales: u32) -> (Heap, Vec<FrameColumn>) {
    let heap = read(&with_variables(dump, &[("sales", sales)]));
    let columns = heap.frame_columns.iter().copied().collect();
    (heap, columns)
}

fn names(heap: &Heap, columns: &[FrameColumn]) -> Vec<String> {
    let names = columns
        .iter()
        .map(|column| heap.texts.get(column.name).into_owned());
    names.collect()
}

#[test]
fn a_block_has_a_line_for_each_of_its_columns() {
    let mut dump = Dump::new();
    let values = array(&mut dump, &["city", "state"]);
    let places = dump.places(&[0, 2], None);
    let block = block(&mut dump, places, values);
    let sales = frame(&mut dump, &["city", "amount", "state"], &[block]);
    let (heap, columns) = columns(dump, sales);
    assert_eq!(names(&heap, &columns), ["city", "state"]);
    let slots = columns
        .iter()
        .map(|column| (column.first, column.step, column.slots, column.is_own));
    assert_eq!(slots.collect::<Vec<_>>(), [(0, 1, 4, true), (4, 1, 4, true)]);
    assert_eq!(holder(&heap, row_of(&heap, "city 3")), "__main__.sales[\"city\"]");
    assert_eq!(
        holder(&heap, row_of(&heap, "state 0")),
        "__main__.sales[\"state\"]"
    );
}

#[test]
fn a_view_shows_slots_of_another_array() {
    let mut dump = Dump::new();
    let owner = array(&mut dump, &["gone", "city", "state"]);
    let view = dump.references(&[(2, WIDTH), (SLOTS, 8)], &[], Some((owner, WIDTH)));
    let places = dump.places(&[], Some([1, 3, 1]));
    let block = block(&mut dump, places, view);
    let sales = frame(&mut dump, &["gone", "city", "state"], &[block]);
    let (heap, columns) = columns(dump, sales);
    assert_eq!(names(&heap, &columns), ["city", "state"]);
    assert!(
        columns
            .iter()
            .all(|column| column.is_own && column.array == owner)
    );
    assert_eq!(columns[1].first, 8);
    assert!(holder(&heap, row_of(&heap, "gone 0")).ends_with("[]"));
}

#[test]
fn rows_that_lie_behind_one_another_have_columns_between_one_another() {
    let mut dump = Dump::new();
    let elements: Vec<u32> = (0..2 * SLOTS).map(|at| dump.str(&format!("item {at}"))).collect();
    let owner = dump.references(&[(SLOTS, 16), (2, 8)], &elements, None);
    let view = dump.references(&[(2, 8), (SLOTS, 16)], &[], Some((owner, 0)));
    let places = dump.places(&[0, 1], None);
    let block = block(&mut dump, places, view);
    let sales = frame(&mut dump, &["even", "odd"], &[block]);
    let (heap, columns) = columns(dump, sales);
    assert_eq!((columns[1].first, columns[1].step), (1, 2));
    assert_eq!(holder(&heap, row_of(&heap, "item 5")), "__main__.sales[\"odd\"]");
}

#[test]
fn an_array_may_stand_in_an_object_of_its_own() {
    let mut dump = Dump::new();
    let elements = texts(&mut dump, "city");
    let values = dump.references(&[(SLOTS, 8)], &elements, None);
    let around = dump.object("pandas.arrays.StringArray", 72, &[values]);
    let places = dump.places(&[], Some([0, 1, 1]));
    let block = block(&mut dump, places, around);
    let sales = frame(&mut dump, &[], &[block]);
    let (heap, columns) = columns(dump, sales);
    assert_eq!(
        names(&heap, &columns),
        ["0"],
        "a column without a name is known by its place"
    );
    assert!(columns[0].is_own);
}

#[test]
fn what_something_else_holds_is_not_the_frame_s_own() {
    for held in ["array", "view", "nothing"] {
        let mut dump = Dump::new();
        let owner = array(&mut dump, &["city"]);
        let view = dump.references(&[(1, WIDTH), (SLOTS, 8)], &[], Some((owner, 0)));
        let places = dump.places(&[0], None);
        let block = block(&mut dump, places, view);
        let sales = frame(&mut dump, &["city"], &[block]);
        let kept = match held {
            "array" => dump.references(&[(SLOTS, 8)], &[], Some((owner, 0))),
            "view" => view,
            _ => dump.int(1000),
        };
        let both = dump.tuple(&[sales, kept]);
        let (_, columns) = columns(dump, both);
        assert_eq!(columns.len(), 1, "{held}");
        assert_eq!(columns[0].is_own, held == "nothing", "{held}");
    }
}

#[test]
fn a_series_has_a_name_of_its_own() {
    let mut dump = Dump::new();
    let elements = texts(&mut dump, "city");
    let values = dump.references(&[(SLOTS, 8)], &elements, None);
    let places = dump.places(&[], Some([0, 4, 1]));
    let block = block(&mut dump, places, values);
    let (blocks, axes, name) = (dump.tuple(&[block]), dump.list(&[], 0), dump.str("city"));
    let manager = dump.class("pandas.core.internals.managers", "SingleBlockManager", &[], &[]);
    let manager = dump.instance(manager, ONLY_SLOTS, 0, &[("axes", axes), ("blocks", blocks)]);
    let ty = dump.class("pandas.core.series", "Series", &[], &[]);
    let series = dump.instance(ty, ONLY_SLOTS, 0, &[("_mgr", manager), ("_name", name)]);
    let (heap, columns) = columns(dump, series);
    assert_eq!(names(&heap, &columns), ["city"]);
    assert_eq!((columns[0].slots, columns[0].is_own), (4, true));
}

#[test]
fn a_series_that_the_frame_keeps_holds_nothing_of_its_own() {
    for is_held in [false, true] {
        let mut dump = Dump::new();
        let owner = array(&mut dump, &["city"]);
        let view = dump.references(&[(SLOTS, 8)], &[], Some((owner, 0)));
        let places = [dump.places(&[0], None), dump.places(&[], Some([0, 4, 1]))];
        let kept = block(&mut dump, places[1], view);
        let blocks = dump.tuple(&[kept]);
        let manager = dump.class("pandas.core.internals.managers", "SingleBlockManager", &[], &[]);
        let manager = dump.instance(manager, ONLY_SLOTS, 0, &[("blocks", blocks)]);
        let ty = dump.class("pandas.core.series", "Series", &[], &[]);
        let series = dump.instance(ty, ONLY_SLOTS, 0, &[("_mgr", manager)]);
        let block = block(&mut dump, places[0], owner);
        let sales = frame(&mut dump, &["city"], &[block]);
        let (name, cache) = (dump.interned("city"), dump.name("_item_cache"));
        let kept = dump.dict(TEXTS, &[(name, series)]);
        dump.rows[sales as usize].attributes.push((cache, kept));
        let held = if is_held { series } else { name };
        let both = dump.tuple(&[sales, held]);
        let (heap, columns) = columns(dump, both);
        assert_eq!(names(&heap, &columns), ["city"]);
        assert_eq!((columns[0].frame, columns[0].is_own), (sales, !is_held));
    }
}

#[test]
fn lines_beyond_the_array_are_no_columns() {
    let mut dump = Dump::new();
    let owner = array(&mut dump, &["city"]);
    let view = dump.references(&[(2, WIDTH), (SLOTS, 8)], &[], Some((owner, 0)));
    let places = dump.places(&[0, 1], None);
    let block = block(&mut dump, places, view);
    let sales = frame(&mut dump, &["city", "state"], &[block]);
    let (heap, columns) = columns(dump, sales);
    assert_eq!(names(&heap, &columns), ["city"]);
}
