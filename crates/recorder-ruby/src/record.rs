//! What happens at each event.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use rustc_hash::FxHashMap;

use crate::interpreter::{Interpreter, Value, is_address};
use crate::names::Names;
use crate::object;
use crate::picture::{Picture, Verdict};
use crate::sample::{Part, Sample};
use crate::slots::Slots;

/// Frames of a stack that are told apart, from the innermost.
pub const DEPTH: usize = 64;
/// The same, as the interpreter takes it.
const LIMIT: c_int = 64;

/// The row of what is left out.
const NOBODY: u32 = 0;

/// Beside an object's row: it took contents over from another.
const TAKEN: u32 = 1 << 31;

/// All objects of one type that one stack made.
#[derive(Clone, Copy, Default)]
pub struct Row {
    pub stack: Option<u32>,
    pub type_id: u32,
    /// 0, or which objects since the stack's last collection: from 2^(n − 1) − 1 up to 2^n − 1.
    pub place: u8,
    pub count: u64,
    pub bytes: u64,
    pub largest: u64,
    pub kept: u64,
    pub kept_bytes: u64,
    pub empty: u64,
    pub empty_bytes: u64,
    /// Elements of arrays, when they died or at the end.
    pub entries: u64,
}

impl Row {
    /// Adds one of its objects, of so many bytes, as it is now.
    ///
    /// # Safety
    /// `object` is the address of a slot.
    unsafe fn weigh(&mut self, interpreter: &Interpreter, object: Value, bytes: u64) {
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
        // SAFETY: the caller's promise.
        self.entries += unsafe { object::entries(interpreter, object) };
    }
}

/// The stack of the last object: most are made where the one before was.
struct Last {
    frames: [Value; DEPTH],
    lines: [c_int; DEPTH],
    depth: usize,
    stack: Option<u32>,
    row: Option<(Value, u8, u8, u32)>,
    /// How many other objects the stack has made since it made an array or a hash, and nothing else was made between.
    since: Option<u32>,
}

impl Last {
    /// Whether it is this stack of the same depth. Stacks are short: without a branch in each step this is faster than a
    /// call that compares memory.
    fn is(&self, frames: &[Value], lines: &[c_int]) -> bool {
        let frames = frames.iter().zip(&self.frames);
        let lines = lines.iter().zip(&self.lines);
        let other = frames.fold(0, |other, (a, b)| other | a ^ b);
        other == 0 && lines.fold(0, |other, (a, b)| other | a ^ b) == 0
    }
}

impl Last {
    /// Where an object stands among those that its stack has made since it made a collection, which is what a call
    /// does that fills one: twice as many objects share each next place.
    fn place(&mut self, tag: u8) -> u8 {
        if object::is_collection(tag) {
            self.since = Some(0);
            return 0;
        }
        let Some(since) = &mut self.since else { return 0 };
        *since = since.saturating_add(1);
        (u32::BITS - since.leading_zeros()) as u8
    }
}

/// A string or array that was just made, and the one whose method made it. What it shares with that one stands in the
/// slots only after the event, so it is looked at when the next one comes. In `dup` it is the copy that asks for the
/// owner of the contents, and the copy was made by a method of the original.
#[derive(Clone, Copy)]
struct Fresh {
    object: Value,
    from: Value,
}

pub struct Record {
    pub paused: bool,
    pub names: Names,
    pub knows_empty: bool,
    interpreter: Interpreter,
    rows: Vec<Row>,
    row_ids: FxHashMap<(Option<u32>, u32, u8), u32>,
    slots: Slots,
    /// Buffers that objects took over from others: bytes that they did not make, and the row that did.
    taken: FxHashMap<Value, (u64, u32)>,
    last: Box<Last>,
    /// Whether a stack is the last one, decided without asking for it.
    picture: Picture,
    fresh: Option<Fresh>,
    /// Where not everything is recorded.
    pub sample: Option<Sample>,
    /// What rows made in windows that are over.
    parts: FxHashMap<(u32, u32), (u64, u64)>,
}

impl Record {
    pub fn new(interpreter: Interpreter, directory: String, is_3_1: bool, sample: Option<Sample>) -> Self {
        Self {
            sample,
            parts: FxHashMap::default(),
            paused: false,
            names: Names::new(directory),
            knows_empty: is_3_1,
            interpreter,
            rows: vec![Row::default()],
            row_ids: FxHashMap::default(),
            slots: Slots::default(),
            taken: FxHashMap::default(),
            last: Box::new(Last {
                frames: [0; DEPTH],
                lines: [0; DEPTH],
                depth: usize::MAX,
                stack: None,
                row: None,
                since: None,
            }),
            picture: Picture::new(is_3_1),
            fresh: None,
        }
    }

    /// # Safety
    /// An event of an object that was made.
    pub unsafe fn born(&mut self, event: *mut c_void) {
        // SAFETY: the caller's promise; a receiver is alive, as its method is running.
        unsafe {
            let before = self.fresh;
            self.settle();
            if self.paused {
                return;
            }
            let object = (self.interpreter.object)(event);
            let tag = object::tag(object);
            let row = self.row(event, object, tag);
            if row == NOBODY {
                return;
            }
            self.rows[row as usize].count += 1;
            *self.slots.of(object) = row;
            if let Some(sample) = &mut self.sample {
                sample.born.push(object);
            }
            if matches!(tag, object::STRING | object::ARRAY) {
                let receiver = (self.interpreter.receiver)(event);
                let from = before
                    .filter(|before| before.object == receiver)
                    .map_or(receiver, |before| before.from);
                if is_address(from) && object::tag(from) == tag && object::is_apart(from) {
                    self.fresh = Some(Fresh { object, from });
                }
            }
        }
    }

    /// # Safety
    /// An event of an object that is about to be freed.
    pub unsafe fn dies(&mut self, event: *mut c_void) {
        // SAFETY: the caller's promise: the object is still whole.
        unsafe {
            let object = (self.interpreter.object)(event);
            if self
                .fresh
                .is_some_and(|fresh| fresh.object == object || fresh.from == object)
            {
                self.settle();
            }
            let tag = object::tag(object);
            if (tag == object::INTERNAL || tag == object::CLASS) && self.names.forget(object, tag) {
                self.last.depth = usize::MAX;
                self.last.row = None;
                self.picture.forget();
            }
            let number = std::mem::replace(self.slots.of(object), NOBODY);
            if number == NOBODY {
                return;
            }
            let (row, mut bytes) = (number & !TAKEN, object::bytes(&self.interpreter, object, true));
            // Most objects have their own contents: the table is not asked for these.
            if number & TAKEN != 0 {
                let (taken, _) = self.taken.remove(&object).unwrap_or_default();
                bytes = bytes.saturating_sub(taken);
            }
            let is_empty = self.knows_empty && object::is_unused(object);
            let row = &mut self.rows[row as usize];
            row.weigh(&self.interpreter, object, bytes);
            if is_empty {
                row.empty += 1;
                row.empty_bytes += bytes;
            }
        }
    }

    /// Moves the bytes of contents that changed hands back to who made them.
    unsafe fn settle(&mut self) {
        let Some(Fresh { object, from }) = self.fresh.take() else {
            return;
        };
        // SAFETY: both were alive at the last event, and the death of either would have come here before.
        unsafe {
            if !object::shares(from, object) {
                return;
            }
            let buffer = object::bytes(&self.interpreter, object, true).saturating_sub(object::SLOT);
            // Of what was made before the record began nobody is charged.
            let maker = *self.slots.of(from) & !TAKEN;
            let number = self.slots.of(object);
            if *number != NOBODY {
                *number |= TAKEN;
                self.taken.insert(object, (buffer, maker));
            }
            if maker != NOBODY {
                let maker = &mut self.rows[maker as usize];
                maker.bytes += buffer;
                maker.largest = maker.largest.max(buffer + object::SLOT);
            }
        }
    }

    /// Sees to it that the last stack is this event's.
    unsafe fn look(&mut self, event: *mut c_void) {
        // SAFETY: the event is at hand.
        let verdict = unsafe { self.picture.verdict(event) };
        if verdict == Verdict::Same {
            return;
        }
        let mut frames = MaybeUninit::<[Value; DEPTH]>::uninit();
        let mut lines = MaybeUninit::<[c_int; DEPTH]>::uninit();
        // SAFETY: the interpreter fills as many as it says, and no more than there is room for.
        let (frames, lines) = unsafe {
            let (frames, lines) = (frames.as_mut_ptr().cast(), lines.as_mut_ptr().cast());
            let depth = (self.interpreter.frames)(0, LIMIT, frames, lines);
            let depth = usize::try_from(depth).unwrap_or_default();
            (
                std::slice::from_raw_parts(frames.cast_const(), depth),
                std::slice::from_raw_parts(lines.cast_const(), depth),
            )
        };
        let depth = frames.len();
        let last = &mut *self.last;
        let same = depth == last.depth && last.is(frames, lines);
        if verdict == Verdict::Seems {
            self.picture.proved(same);
        } else if same {
            // One that comes twice may come again.
            // SAFETY: the event is at hand.
            unsafe { self.picture.take(&self.interpreter, event) };
        } else {
            self.picture.forget();
        }
        if !same {
            // SAFETY: they were given just now.
            let stack = unsafe { self.names.stack(&self.interpreter, frames, lines) };
            // What is known of the last stack is forgotten when code dies, in the midst of a call as well.
            if stack != last.stack {
                last.since = None;
            }
            last.stack = stack;
            last.frames[..depth].copy_from_slice(frames);
            last.lines[..depth].copy_from_slice(lines);
            last.depth = depth;
            last.row = None;
        }
    }

    unsafe fn row(&mut self, event: *mut c_void, object: Value, tag: u8) -> u32 {
        // SAFETY: the event is at hand.
        unsafe { self.look(event) };
        let last = &mut *self.last;
        let stack = last.stack;
        if stack.is_some_and(|stack| self.names.stacks[stack as usize].is_own) {
            return NOBODY;
        }
        // SAFETY: the object is there.
        let class = unsafe { object::class(object) };
        // What stands there of the interpreter's own is no class.
        let class = if tag >= object::INTERNAL { 0 } else { class };
        let place = last.place(tag);
        if let Some((of_class, of_tag, of_place, row)) = last.row
            && (of_class, of_tag, of_place) == (class, tag, place)
        {
            return row;
        }
        // SAFETY: the class stands in the object.
        let type_id = unsafe { self.names.type_of(&self.interpreter, class, tag) };
        let next = self.rows.len() as u32;
        let row = *self.row_ids.entry((stack, type_id, place)).or_insert(next);
        if row == next {
            self.rows.push(Row {
                stack,
                type_id,
                place,
                ..Row::default()
            });
        }
        last.row = Some((class, tag, place, row));
        row
    }

    /// How many objects were recorded.
    pub fn objects(&self) -> u64 {
        let before: u64 = self.parts.values().map(|(count, _)| count).sum();
        before + self.rows.iter().map(|row| row.count).sum::<u64>()
    }

    /// Functions of the interpreter.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// Ends the window that is being recorded: weighs what is alive, and forgets where it lies.
    ///
    /// # Safety
    /// The interpreter's lock is held, and every death until now has come here.
    pub unsafe fn close(&mut self) {
        // SAFETY: the caller's promise: what has a number is alive.
        unsafe {
            self.settle();
            let Some(sample) = &mut self.sample else { return };
            for object in sample.born.drain(..) {
                // One that died has none, nor has another that came to lie there and was weighed before.
                let number = std::mem::replace(self.slots.of(object), NOBODY);
                if number == NOBODY {
                    continue;
                }
                let (taken, _) = self.taken.remove(&object).unwrap_or_default();
                // As what dies: nearly all of it will.
                let bytes = object::bytes(&self.interpreter, object, true).saturating_sub(taken);
                let row = &mut self.rows[(number & !TAKEN) as usize];
                row.weigh(&self.interpreter, object, bytes);
            }
            for (id, row) in (0..).zip(&mut self.rows) {
                if row.count == 0 && row.bytes == 0 {
                    continue;
                }
                let (count, bytes) = self.parts.entry((id, sample.window)).or_default();
                sample.seen[sample.window as usize] += row.count;
                *count += std::mem::take(&mut row.count);
                *bytes += std::mem::take(&mut row.bytes);
            }
            self.taken.clear();
            self.names.look_away();
            self.last.depth = usize::MAX;
            self.last.row = None;
            // What is made until the next window opens is not counted.
            self.last.since = None;
            self.picture.forget();
        }
    }

    /// All windows' rows, with what each made in each window.
    pub fn parts(&self) -> (Vec<Row>, Vec<Part>) {
        let mut parts: Vec<Part> = self
            .parts
            .iter()
            .map(|(&(row, window), &(count, bytes))| Part {
                row,
                window,
                count,
                bytes,
            })
            .collect();
        parts.sort_unstable_by_key(|part| (part.row, part.window));
        (self.rows.clone(), parts)
    }

    /// All rows, with what is alive now.
    ///
    /// # Safety
    /// The interpreter's lock is held, and no object has been moved.
    pub unsafe fn rows(&mut self) -> Vec<Row> {
        // SAFETY: the caller's promise: what has a number is alive.
        unsafe {
            self.settle();
            let mut rows = self.rows.clone();
            for (object, row) in self.slots.iter() {
                let (taken, maker) = self.taken.get(&object).copied().unwrap_or_default();
                let bytes = object::bytes(&self.interpreter, object, false).saturating_sub(taken);
                if maker != NOBODY {
                    rows[maker as usize].kept_bytes += taken;
                }
                let row = &mut rows[(row & !TAKEN) as usize];
                row.weigh(&self.interpreter, object, bytes);
                row.kept += 1;
                row.kept_bytes += bytes;
            }
            rows.retain(|row| row.count > 0);
            rows
        }
    }

    /// Begins anew, with the names that are known.
    pub fn forget(&mut self) {
        for row in &mut self.rows {
            *row = Row {
                stack: row.stack,
                type_id: row.type_id,
                place: row.place,
                ..Row::default()
            };
        }
        self.slots.clear();
        self.taken.clear();
        self.parts.clear();
        self.fresh = None;
        self.last.since = None;
        if let Some(sample) = &mut self.sample {
            sample.born.clear();
            sample.seen.fill(0);
            sample.made = 0;
            sample.interrupt();
        }
    }
}
