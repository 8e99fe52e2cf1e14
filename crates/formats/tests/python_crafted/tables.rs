//! Tables of pandas.

use super::{Dump, ONLY_SLOTS};

/// A block of a table, with its array and what says which columns it has.
pub fn block(dump: &mut Dump, places: u32, values: u32) -> u32 {
    dump.object("pandas._libs.internals.Block", 88, &[values, places])
}

/// A frame of these columns with these blocks.
pub fn frame(dump: &mut Dump, columns: &[&str], blocks: &[u32]) -> u32 {
    let names: Vec<u32> = columns.iter().map(|name| dump.str(name)).collect();
    let names = dump.references(&[(columns.len() as u64, 8)], &names, None);
    let index = dump.class("pandas.core.indexes.base", "Index", &[], &[]);
    let index = dump.instance(index, ONLY_SLOTS, 0, &[("_data", names)]);
    let (blocks, axes) = (dump.tuple(blocks), dump.list(&[index], 2));
    let manager = dump.object(
        "pandas.core.internals.managers.BlockManager",
        112,
        &[blocks, axes],
    );
    let ty = dump.class("pandas.core.frame", "DataFrame", &[], &[]);
    dump.instance(ty, ONLY_SLOTS, 0, &[("_mgr", manager)])
}
