//! The functions that run in the thread which holds the interpreter's lock.

use crate::frames::{OF_C, Place};
use crate::layout::Layout;
use crate::maps::{self, Maps};
use crate::raw::{Address, byte, half, word};
use crate::symbols::{Symbols, symbol};

/// Functions of a stack that are told apart, from the innermost.
pub const DEPTH: usize = 64;

/// Frames that are looked at.
const FARTHEST: usize = 256;
/// Spreads bits.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// A function that runs: its code object, and the instruction it is at as the frame has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    pub code: Address,
    pub instruction: usize,
}

/// Where the interpreter keeps what runs.
#[derive(Clone, Copy)]
pub struct Running {
    state: unsafe extern "C" fn() -> Address,
    /// The interpreter recorded, and where states of threads say which one is theirs.
    interpreter: Address,
    interpreter_at: usize,
    place: Place,
    layout: Layout,
}

impl Running {
    /// `current` is the frame object of the function that calls. `None` where the places are not found.
    pub fn find(layout: Layout, symbols: &Symbols, current: Address) -> Option<Self> {
        /// Bytes of a state in which its interpreter is looked for.
        const LOOKED_AT: usize = 64;
        let state =
            symbol(c"_PyThreadState_UncheckedGet").or_else(|| symbol(c"PyThreadState_GetUnchecked"))?;
        // SAFETY: both have this type, and give null where there is none.
        let state =
            unsafe { std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn() -> Address>(state) };
        // SAFETY: the interpreter's functions, its lock held; a state is larger than what is looked at, and a frame object
        // leads to the running function's frame.
        unsafe {
            let own = state();
            let interpreter = (symbols.interpreter)(own);
            let interpreter_at = (8..LOOKED_AT)
                .step_by(8)
                .find(|place| word(own + place) == interpreter)?;
            let wanted = if layout.frame.owner == 0 {
                current
            } else {
                word(current + layout.frame_inner)
            };
            let place = Place::find(&Maps::read(maps::variables()), own, wanted)?;
            Some(Self {
                state,
                interpreter,
                interpreter_at,
                place,
                layout,
            })
        }
    }

    /// Fills in what runs, the innermost first, and says how many there are, and a hash of all. Of a function that runs
    /// more than once, as in recursion, only the innermost is taken: a walk over a tree has as many stacks as the tree has
    /// places.
    ///
    /// # Safety
    /// The interpreter's lock is held.
    #[inline]
    pub unsafe fn read(&self, stack: &mut [At; DEPTH]) -> (usize, u64) {
        let Layout {
            frame: places,
            code_start,
            ..
        } = self.layout;
        let (mut depth, mut hash) = (0, 0_u64);
        // SAFETY: the caller's promise: frames of this thread lead from one to the next, and each has its code.
        unsafe {
            let state = (self.state)();
            if state == 0 || word(state + self.interpreter_at) != self.interpreter {
                return (0, 0);
            }
            let mut frame = word(state + self.place.at);
            if let (Some(inner), true) = (self.place.through, frame != 0) {
                frame = word(frame + inner);
            }
            let mut seen = [0_u64; 4];
            for _ in 0..FARTHEST {
                if frame == 0 || depth == DEPTH {
                    break;
                }
                let is_of_c = places.owner != 0 && byte(frame + places.owner) >= OF_C;
                let code = if is_of_c {
                    0
                } else {
                    word(frame + places.code) & !1
                };
                if code != 0 {
                    let key = (code as u64 >> 4).wrapping_mul(MIX);
                    let (place, bit) = ((key >> 62) as usize, 1 << (key >> 56 & 63));
                    let may_be_there = seen[place] & bit != 0;
                    if !(may_be_there && stack[..depth].iter().any(|at| at.code == code)) {
                        let instruction = if code_start == 0 {
                            half(frame + places.instruction) as usize
                        } else {
                            word(frame + places.instruction)
                        };
                        seen[place] |= bit;
                        stack[depth] = At { code, instruction };
                        depth += 1;
                        hash = (hash.rotate_left(5) ^ key ^ instruction as u64).wrapping_mul(MIX);
                    }
                }
                frame = word(frame + places.previous);
            }
        }
        (depth, hash)
    }

    /// The offset of an instruction in bytes, as the interpreter's own `f_lasti` has it; -1 before the first.
    pub fn offset(&self, at: At) -> i32 {
        let lasti = (at.instruction as u32).cast_signed();
        match self.layout {
            Layout { minor: 9, .. } => lasti,
            Layout { minor: 10, .. } => {
                if lasti < 0 {
                    -1
                } else {
                    lasti * 2
                }
            }
            layout => {
                let bytes = at
                    .instruction
                    .wrapping_sub(at.code + layout.code_start)
                    .cast_signed();
                i32::try_from(bytes).map_or(-1, |bytes| bytes.max(-1))
            }
        }
    }
}
