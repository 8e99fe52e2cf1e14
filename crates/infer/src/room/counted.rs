//! Arrays of values of which nobody says the size, whose holders count: an address with a capacity and a length beside it,
//! both in values, as Rust's `Vec` has them and many structs of C.
//!
//! Any two small numbers beside an address may look so. They are believed where what stands in the blocks of a place ends
//! with the last value that the length counts, in most blocks and at several lengths.

use deadweight_heap::{Heap, ObjectId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::SMALLEST_LIST;
use super::ends::Ends;
use super::look::last_in_use;
use crate::place::Place;

/// Fewer blocks at one place show nothing.
const FEWEST: usize = 16;

/// In so many of the blocks what stands there ends where the length says: others had some before.
const AGREE: (usize, usize) = (3, 4);

/// Values of more bytes are seldom kept in arrays.
const LARGEST_VALUE: u64 = 4096;

/// Where capacity and length stand, in words behind the address.
const FORMS: [[isize; 2]; 3] = [[-1, 1], [1, 2], [2, 1]];

/// What holders count.
#[derive(Default)]
pub(super) struct Counted {
    /// Bytes of a value, by place and the bytes that were asked for.
    pub elements: FxHashMap<(Place, u64), u64>,
    /// Where the values of each block end.
    pub ends: Ends,
}

/// What one holder says of a block.
struct Said {
    block: ObjectId,
    used: u64,
    values: u64,
    /// Whether what stands in the block ends there.
    agrees: bool,
}

/// Blocks of one place and size, the form in which their holders count, and the bytes of a value.
type Key = ((Place, u64), usize, u64);

/// Looks at all blocks that refer to others.
pub(super) fn counted(heap: &Heap) -> Counted {
    let rows = heap.rows().into_par_iter().with_min_len(1024);
    let holders = rows.filter(|&row| heap.edges.count(row) > 0);
    let said: Vec<(Key, Said)> = holders.flat_map_iter(|row| said_by(heap, row)).collect();
    let mut groups: FxHashMap<Key, Vec<Said>> = FxHashMap::default();
    for (key, said) in said {
        groups.entry(key).or_default().push(said);
    }
    let mut counted = Counted::default();
    let mut several: FxHashSet<(Place, u64)> = FxHashSet::default();
    for ((place, _, element), said) in groups {
        if !is_believed(&said) {
            continue;
        }
        if counted.elements.insert(place, element).is_some() {
            several.insert(place);
        }
        for said in said {
            counted.ends.insert(said.block, said.used);
        }
    }
    // Of two answers none is known to be right.
    counted.elements.retain(|place, _| !several.contains(place));
    counted
        .ends
        .retain(|&block, _| Place::sized(heap, block).is_some_and(|place| !several.contains(&place)));
    counted
}

fn is_believed(said: &[Said]) -> bool {
    let begun: Vec<&Said> = said.iter().filter(|said| said.values > 0).collect();
    let agree = begun.iter().filter(|said| said.agrees).count();
    let lengths: FxHashSet<u64> = begun.iter().map(|said| said.values).collect();
    begun.len() >= FEWEST && agree * AGREE.1 >= begun.len() * AGREE.0 && lengths.len() > 1
}

/// What a block says of others.
fn said_by(heap: &Heap, row: ObjectId) -> Vec<(Key, Said)> {
    let content = heap.blocks.content(row).unwrap_or_default();
    let words = content.as_chunks::<8>().0;
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let address = u64::from_le_bytes(*word);
        if address < 1 << 16 {
            continue;
        }
        let mut block = None;
        for (form, [room, length]) in FORMS.into_iter().enumerate() {
            let word = |behind: isize| {
                let word = words.get(at.checked_add_signed(behind)?)?;
                Some(u64::from_le_bytes(*word))
            };
            let (Some(room), Some(length)) = (word(room), word(length)) else {
                continue;
            };
            // Most words are ruled out by their size.
            if room < 2 || length > room || room > u64::from(u32::MAX) {
                continue;
            }
            let found = *block.get_or_insert_with(|| heap.blocks.locate(address));
            let Some((to, 0)) = found else { break };
            let Some((place, requested)) = Place::sized(heap, to) else {
                break;
            };
            let element = requested / room;
            let is_array = requested >= SMALLEST_LIST && requested % room == 0;
            if !is_array || !(2..=LARGEST_VALUE).contains(&element) {
                continue;
            }
            let last = heap.blocks.content(to).as_deref().and_then(last_in_use);
            let values = last.map_or(0, |last| last as u64 / element + 1);
            let said = Said {
                block: to,
                used: length * element,
                values: length,
                agrees: values == length,
            };
            all.push((((place, requested), form, element), said));
        }
    }
    all
}
