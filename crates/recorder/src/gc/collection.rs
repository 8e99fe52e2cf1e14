//! What happens at each collection: the dead are counted before they are swept.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::tally::{DEAD, look};
use super::{is_on, real};
use crate::TABLE;
use crate::table::Block;
use crate::thread::{INSIDE, current};

/// The end of marking, as the collector numbers its events: the world stands still, nothing is swept.
const MARK_END: c_int = 2;

/// The program's own function for events, or null.
static THEIRS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
/// Collections whose dead were counted.
static COUNTED: AtomicU64 = AtomicU64::new(0);
/// Collections that met another thread at work here: which blocks died then is not known.
static MISSED: AtomicU64 = AtomicU64::new(0);

/// Asks the collector to report its collections, and leaves what the program asked for in force.
pub fn watch() {
    let (Some(get), Some(set)) = (
        real::get_on_collection_event::get(),
        real::set_on_collection_event::get(),
    ) else {
        return;
    };
    // SAFETY: functions of the collector with their documented signatures.
    unsafe {
        let theirs = get().map_or(std::ptr::null_mut(), |theirs| theirs as *mut ());
        THEIRS.store(theirs, Release);
        set(Some(happened));
    }
}

unsafe extern "C-unwind" fn happened(event: c_int) {
    if event == MARK_END && is_on() {
        let thread = current();
        // SAFETY: the thread's own state.
        let before = unsafe { (*thread).guard };
        // SAFETY: as above. The collector's own functions, called here, are nobody's allocations.
        unsafe { (*thread).guard = before | INSIDE };
        count_the_dead();
        // SAFETY: as above.
        unsafe { (*thread).guard = before };
    }
    let theirs = THEIRS.load(Acquire);
    if !theirs.is_null() {
        // SAFETY: what the collector had stored as its function for events.
        unsafe { std::mem::transmute::<*mut (), real::OnEvent>(theirs)(event) };
    }
}

/// Counts and forgets every block that nothing refers to. Threads that stand still may hold a lock: then they are not
/// waited for.
fn count_the_dead() {
    let Some(is_marked) = real::is_marked::get() else {
        return;
    };
    if !TABLE.try_lock() {
        MISSED.fetch_add(1, Relaxed);
        return;
    }
    let counted = DEAD.try_with(|sums| {
        let mut dead: Vec<u64> = Vec::new();
        let visit = |blocks: &[Block]| -> Result<(), ()> {
            for block in blocks {
                if !is_there(block) {
                    dead.push(block.address);
                    continue;
                }
                // SAFETY: a block of the collector that was not given back.
                if unsafe { is_marked(block.address as *const _) } == 0 {
                    sums.entry(block.stack).or_default().add(&look(block));
                    dead.push(block.address);
                }
            }
            Ok(())
        };
        let _ = TABLE.for_each_region(visit);
        for address in dead {
            TABLE.remove(address, true);
        }
    });
    TABLE.unlock();
    if counted.is_some() {
        COUNTED.fetch_add(1, Relaxed);
    } else {
        MISSED.fetch_add(1, Relaxed);
    }
}

/// Whether a block of the table is still one. After a collection that was missed its dead are swept, and their pages
/// may be anything.
pub fn is_there(block: &Block) -> bool {
    if MISSED.load(Relaxed) == 0 {
        return true;
    }
    let place = block.address as *mut c_void;
    // SAFETY: any address may be asked for.
    real::base::get().is_some_and(|base| unsafe { base(place) } == place)
}

/// Collects, and says whether what is left in the table is what is alive.
pub fn run() -> bool {
    let before = COUNTED.load(Relaxed);
    if let Some(collect) = real::gcollect::get() {
        // SAFETY: no arguments; this thread is inside of no function of the collector.
        unsafe { collect() };
    }
    COUNTED.load(Relaxed) > before && MISSED.load(Relaxed) == 0
}

/// Collections whose dead are not known.
pub fn missed() -> u64 {
    MISSED.load(Relaxed)
}
