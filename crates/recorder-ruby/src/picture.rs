//! The control frames of a thread as they lie in memory, to see without asking the interpreter that a stack is still the
//! last one: naming frames and finding their lines takes longer than everything else within an event.
//!
//! Ruby 3.1 alone: an event has the execution context and the innermost frame as its second and third word, a context
//! begins with where its stack lies, how many words that has, and the innermost frame; frames of eight words lie at the
//! stack's upper end, the innermost first (`vm_core.h`). A frame's first five words are where it is in its code, its stack
//! pointer, its code, its receiver and its environment, below which stands the method of a built-in one's frame.
//!
//! **Invariant: nothing is taken for granted that was not seen.** The first pictures are held against what the
//! interpreter itself says, and one difference ends their use.

use std::ffi::c_void;

use crate::interpreter::{Interpreter, Value};

const FRAME: usize = 8;
const CODE: usize = 2;
const ENVIRONMENT: usize = 4;
/// Where the method stands, in words below the environment.
const METHOD: usize = 2;

/// Frames that are compared, the interpreter's own inside among them.
const FRAMES: usize = 96;

/// A stack that is not of the innermost frames alone can be recognized by these only if so many of them count.
const COUNTED: usize = super::record::DEPTH;

/// Pictures that are held against the interpreter before they are believed.
const TRIALS: u32 = 1_000;

/// What stands in the control frames of one stack.
pub struct Picture {
    words: Box<[Value; FRAMES * FRAME]>,
    /// Words of it; 0 where there is no picture.
    length: usize,
    /// Where the frames begin.
    at: Value,
    /// Environments of built-in methods' frames, and which methods those are.
    methods: Vec<(Value, Value)>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not yet known whether an event has these words.
    Untried,
    /// So many pictures still have to prove themselves.
    Tried(u32),
    Believed,
    /// This interpreter has other words there.
    Useless,
}

/// What a picture says of a stack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is the last one.
    Same,
    /// It seems to be, and the interpreter is to be asked.
    Seems,
    /// The interpreter is to be asked.
    Unknown,
}

/// The words of frames, of at most [`FRAMES`] of them, and the stack in which they lie.
struct Frames<'s> {
    words: &'s [Value],
    stack: std::ops::Range<Value>,
    /// Whether there are no others further out.
    all: bool,
}

impl Picture {
    pub fn new(is_3_1: bool) -> Self {
        Self {
            words: Box::new([0; FRAMES * FRAME]),
            length: 0,
            at: 0,
            methods: Vec::new(),
            state: if is_3_1 { State::Untried } else { State::Useless },
        }
    }

    /// Whether the stack is the one of which the picture was taken.
    ///
    /// # Safety
    /// The event is of an object that was made, and the interpreter's lock is held.
    pub unsafe fn verdict(&self, event: *mut c_void) -> Verdict {
        if self.length == 0 {
            return Verdict::Unknown;
        }
        // SAFETY: a picture was taken before, so an event has these words.
        let Some(frames) = (unsafe { frames(event) }) else {
            return Verdict::Unknown;
        };
        if frames.words.as_ptr() as Value != self.at || frames.words != &self.words[..self.length] {
            return Verdict::Unknown;
        }
        // SAFETY: the environments are those of the same words, and lie within the stack.
        let stands = |&(of, method): &(Value, Value)| unsafe { method_of(of) } == method;
        match self.state {
            _ if !self.methods.iter().all(stands) => Verdict::Unknown,
            State::Believed => Verdict::Same,
            _ => Verdict::Seems,
        }
    }

    /// The interpreter was asked about a stack that seemed the same.
    pub fn proved(&mut self, same: bool) {
        self.state = match self.state {
            _ if !same => State::Useless,
            State::Tried(0) => State::Believed,
            State::Tried(left) => State::Tried(left - 1),
            state => state,
        };
        if !same {
            self.forget();
        }
    }

    /// Looks at the stack, of which the interpreter has just said that it was the last one's, too.
    ///
    /// # Safety
    /// As for [`verdict`](Self::verdict).
    pub unsafe fn take(&mut self, interpreter: &Interpreter, event: *mut c_void) {
        self.length = 0;
        if self.state == State::Untried {
            // SAFETY: the caller's promise.
            self.state = if unsafe { is_as_expected(interpreter, event) } {
                State::Tried(TRIALS)
            } else {
                State::Useless
            };
        }
        if self.state == State::Useless {
            return;
        }
        // SAFETY: an event has these words.
        let Some(frames) = (unsafe { frames(event) }) else {
            return;
        };
        self.methods.clear();
        let mut counted = 0;
        for frame in frames.words.chunks_exact(FRAME) {
            let environment = frame[ENVIRONMENT];
            if frame[CODE] != 0 {
                counted += usize::from(frame[0] != 0);
            } else if frames.stack.contains(&environment) && environment.is_multiple_of(8) {
                // SAFETY: it lies within the stack, and not at its first words.
                self.methods
                    .push((environment, unsafe { method_of(environment) }));
            } else {
                return;
            }
        }
        if !frames.all && counted < COUNTED {
            return;
        }
        self.words[..frames.words.len()].copy_from_slice(frames.words);
        self.at = frames.words.as_ptr() as Value;
        self.length = frames.words.len();
    }

    /// There is no picture of the last stack.
    pub fn forget(&mut self) {
        self.length = 0;
    }
}

/// # Safety
/// The environment lies within a living stack, two words or more above its beginning.
unsafe fn method_of(environment: Value) -> Value {
    // SAFETY: the caller's promise.
    unsafe { *(environment as *const Value).sub(METHOD) }
}

/// Whether the event's words are what they are taken for.
unsafe fn is_as_expected(interpreter: &Interpreter, event: *mut c_void) -> bool {
    let words = event.cast::<Value>().cast_const();
    // SAFETY: an event has eleven words, and the first ones of a context are read only when it is one.
    unsafe {
        let expected = ((interpreter.receiver)(event), (interpreter.object)(event));
        let (context, frame) = (*words.add(1), *words.add(2));
        (*words.add(3), *words.add(7)) == expected
            && context.is_multiple_of(8)
            && frame.is_multiple_of(8)
            && context > 4096
            && *(context as *const Value).add(2) == frame
            && frames(event).is_some()
    }
}

/// The innermost frames; `None` where they do not lie as expected.
///
/// # Safety
/// The event has these words.
unsafe fn frames<'s>(event: *mut c_void) -> Option<Frames<'s>> {
    let words = event.cast::<Value>().cast_const();
    // SAFETY: the caller's promise; what is read lies between the innermost frame and the stack's end.
    unsafe {
        let context = *words.add(1) as *const Value;
        let (begins, length, frame) = (*context, *context.add(1), *context.add(2));
        let ends = begins.checked_add(length.checked_mul(8)?)?;
        let bytes = ends.checked_sub(frame)?;
        if begins == 0 || frame < begins + 8 * METHOD || !bytes.is_multiple_of(8 * FRAME) || bytes == 0 {
            return None;
        }
        let count = bytes / (8 * FRAME);
        Some(Frames {
            words: std::slice::from_raw_parts(frame as *const Value, count.min(FRAMES) * FRAME),
            stack: begins + 8 * METHOD..frame,
            all: count <= FRAMES,
        })
    }
}
