//! The objects that the collector tracks: its lists of generations, found from a new object.

use crate::layout::{Layout, object};
use crate::raw::{Address, half, word};
use crate::symbols::Symbols;

/// Bytes of a generation: the two links of its list, its threshold, its count.
const GENERATION: usize = 24;
const THRESHOLD: usize = 16;
const GENERATIONS: usize = 3;
/// Bytes of all generations.
const ALL: usize = GENERATIONS * GENERATION;
/// The low bits of a link are the collector's own.
const BITS: usize = 3;

/// The heads of all lists, the youngest generation's first; `None` where they do not look as they should. `thresholds` are
/// what `gc.get_threshold()` says. The collector must be off, so that a new object collects nothing.
pub fn heads(symbols: &Symbols, layout: &Layout, thresholds: [u32; 3]) -> Option<Vec<Address>> {
    // SAFETY: the lock of the interpreter is held; the list is released at once.
    let youngest = unsafe {
        let list = (symbols.new_list)(0);
        if list == 0 {
            return None;
        }
        // A new object is the last of its list, whose next one is the head.
        let head = word(list - object::GC) & !BITS;
        (symbols.release)(list);
        head
    };
    let fits = (0..GENERATIONS).all(|number| {
        let generation = youngest + number * GENERATION;
        // SAFETY: the generations are in one structure of the interpreter.
        unsafe { half(generation + THRESHOLD) == thresholds[number] && is_ring(generation) }
    });
    let mut behind = youngest + ALL;
    // SAFETY: as above.
    let is_first = fits && (!layout.has_youngest || unsafe { word(behind) } == youngest);
    behind += if layout.has_youngest {
        size_of::<Address>()
    } else {
        0
    };
    // What `gc.freeze` set aside.
    let permanent = behind;
    // SAFETY: as above.
    (is_first && unsafe { is_ring(permanent) }).then(|| {
        let mut heads: Vec<Address> = (0..GENERATIONS)
            .map(|number| youngest + number * GENERATION)
            .collect();
        heads.push(permanent);
        heads
    })
}

/// Whether the next one's previous one is the head.
///
/// # Safety
/// The address is that of the interpreter's memory.
unsafe fn is_ring(head: Address) -> bool {
    // SAFETY: the caller's promise, and links lead to objects or the head.
    unsafe {
        let next = word(head) & !BITS;
        next != 0 && word(next + 8) & !BITS == head
    }
}

/// Hands over all objects of the lists.
pub fn each(heads: &[Address], mut take: impl FnMut(Address)) {
    for &head in heads {
        // SAFETY: the links of a list lead from object to object, back to its head.
        unsafe {
            let mut next = word(head) & !BITS;
            while next != head && next != 0 {
                take(next + object::GC);
                next = word(next) & !BITS;
            }
        }
    }
}
