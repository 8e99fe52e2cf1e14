//! Call stacks as a tree, each with a number, and the code objects in them kept.

use rustc_hash::{FxHashMap, FxHashSet};

use super::running::{At, DEPTH, Running};
use crate::raw::Address;

/// No stack: nothing of Python ran.
pub const NONE: u32 = 0;

/// Stacks beyond these are not told apart.
const MOST: usize = 1 << 20;

/// Stacks that came lately, by their hash.
const RECENT: usize = 1 << 10;

/// A line of code: a code object and the offset of an instruction in bytes, -1 before the first. The recorder reads this
/// structure.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FrameAt {
    pub code: Address,
    pub instruction: i32,
    /// 1 where something was made by it, or by what it called in C.
    pub is_innermost: u32,
}

/// A frame below its caller's stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stack {
    pub caller: u32,
    pub frame: u32,
}

pub struct Stacks {
    pub frames: Vec<FrameAt>,
    /// That of number 0 is of no stack.
    pub all: Vec<Stack>,
    running: Running,
    keep: unsafe extern "C" fn(Address),
    /// Those that are kept.
    pub codes: FxHashSet<Address>,
    frame_ids: FxHashMap<(Address, i32), u32>,
    ids: FxHashMap<(u32, u32), u32>,
    by_hash: FxHashMap<u64, u32>,
    recent: Box<[(u64, u32); RECENT]>,
    /// The last stack that was looked for, the outermost first, with the number of each of its callers.
    last: Vec<(At, u32)>,
}

impl Stacks {
    /// `keep` adds a reference to an object.
    pub fn new(running: Running, keep: unsafe extern "C" fn(Address)) -> Self {
        Self {
            frames: Vec::new(),
            all: vec![Stack::default()],
            running,
            keep,
            codes: FxHashSet::default(),
            frame_ids: FxHashMap::default(),
            ids: FxHashMap::default(),
            by_hash: FxHashMap::default(),
            recent: Box::new([(0, NONE); RECENT]),
            last: Vec::with_capacity(DEPTH),
        }
    }

    /// The number of what runs now.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    #[inline]
    pub unsafe fn now(&mut self) -> u32 {
        let mut stack = [At::default(); DEPTH];
        // SAFETY: the caller's promise.
        let (depth, hash) = unsafe { self.running.read(&mut stack) };
        let place = (hash >> 54) as usize % RECENT;
        let (recent, number) = self.recent[place];
        if recent == hash {
            return number;
        }
        // SAFETY: as above: what runs is alive.
        let number = unsafe { self.find(hash, &stack[..depth]) };
        self.recent[place] = (hash, number);
        number
    }

    #[cold]
    unsafe fn find(&mut self, hash: u64, stack: &[At]) -> u32 {
        if let Some(&number) = self.by_hash.get(&hash) {
            return number;
        }
        if self.all.len() >= MOST {
            return NONE;
        }
        // Most of what is new is called by what was called last.
        let outermost_first = || stack.iter().rev();
        let shared = self.last.iter().zip(outermost_first());
        let shared = shared.take_while(|((last, _), at)| last == *at).count();
        self.last.truncate(shared);
        let mut caller = self.last.last().map_or(NONE, |&(_, number)| number);
        for &at in outermost_first().skip(shared) {
            // A code object that dies would leave its address to another one.
            if self.codes.insert(at.code) {
                // SAFETY: the caller's promise.
                unsafe { (self.keep)(at.code) };
            }
            let key = (at.code, self.running.offset(at));
            let next = self.frames.len() as u32;
            let frame = *self.frame_ids.entry(key).or_insert(next);
            if frame == next {
                self.frames.push(FrameAt {
                    code: key.0,
                    instruction: key.1,
                    is_innermost: 0,
                });
            }
            let next = self.all.len() as u32;
            let number = *self.ids.entry((caller, frame)).or_insert(next);
            if number == next {
                self.all.push(Stack { caller, frame });
            }
            caller = number;
            self.last.push((at, number));
        }
        if caller != NONE {
            let innermost = self.all[caller as usize].frame;
            self.frames[innermost as usize].is_innermost = 1;
        }
        self.by_hash.insert(hash, caller);
        caller
    }
}
