//! One walk from frame to frame.

use std::ptr;

use super::cache::CHECKS;
use super::rules::{self, Base, Rule};
use super::{Caller, MOST_FRAMES};

const WORD: usize = size_of::<usize>();

/// The frames of one stack, innermost first, and the words that prove it.
pub struct Walk {
    addresses: [usize; MOST_FRAMES],
    frames: usize,
    checks: [(usize, usize); CHECKS],
    checked: usize,
    /// Whether the frame pointer register at the call was followed.
    pub needs_frame_pointer: bool,
}

/// Removes a pointer signature, which some programs on arm64 put into return addresses.
#[inline]
fn plain(address: usize) -> usize {
    if cfg!(target_arch = "aarch64") {
        address & 0x0000_FFFF_FFFF_FFFF
    } else {
        address
    }
}

impl Walk {
    pub fn new() -> Self {
        Self {
            addresses: [0; MOST_FRAMES],
            frames: 0,
            checks: [(0, 0); CHECKS],
            checked: 0,
            needs_frame_pointer: false,
        }
    }

    /// Return addresses, innermost first.
    pub fn addresses(&self) -> &[usize] {
        &self.addresses[..self.frames]
    }

    /// Address and value of each word that makes this stack, or nothing when there were too many.
    pub fn checks(&self) -> Option<&[(usize, usize)]> {
        self.checks.get(..self.checked)
    }

    fn check(&mut self, slot: usize, value: usize) {
        if let Some(check) = self.checks.get_mut(self.checked) {
            *check = (slot, value);
        }
        self.checked += 1;
    }

    /// Walks at most `depth` frames and never reads at or above `high`.
    pub fn run(&mut self, caller: Caller, high: usize, depth: usize) {
        let mut low = caller.stack_pointer + if cfg!(target_arch = "x86_64") { WORD } else { 0 };
        let mut address = plain(caller.return_address);
        let mut frame_pointer = caller.frame_pointer;
        // Where the current frame pointer was saved, until it is known to matter.
        let mut saved_at = None;
        let mut register_followed = true;
        loop {
            self.addresses[self.frames] = address;
            self.frames += 1;
            if self.frames >= depth {
                return;
            }
            let Some(Rule {
                base,
                offset,
                return_below,
                frame_below,
            }) = rules::of(address)
            else {
                return;
            };
            let load = |slot: usize, low: usize| {
                let on_stack = slot >= low && slot.checked_add(WORD).is_some_and(|end| end <= high);
                // SAFETY: the word lies between this thread's stack pointer and the end of its stack.
                (on_stack && slot.is_multiple_of(WORD))
                    .then(|| unsafe { ptr::read_volatile(slot as *const usize) })
            };
            if base != Base::StackPointer {
                match saved_at.take() {
                    Some(slot) => self.check(slot, frame_pointer),
                    None => self.needs_frame_pointer |= register_followed,
                }
            }
            let frame = match base {
                Base::StackPointer => Some(low.wrapping_add(offset)),
                Base::FramePointer => Some(frame_pointer.wrapping_add(offset)),
                Base::AtFramePointer => {
                    let slot = frame_pointer.wrapping_sub(offset);
                    let value = load(slot, low);
                    if let Some(value) = value {
                        self.check(slot, value);
                    }
                    value
                }
            };
            // The canonical frame address: the caller's stack pointer, so it only ever rises.
            let Some(frame) = frame.filter(|frame| *frame > low && *frame <= high) else {
                return;
            };
            let slot = frame.wrapping_sub(return_below);
            let Some(next) = load(slot, low) else { return };
            if let Some(below) = frame_below {
                // In the frames of realigned functions it is saved where it points to.
                let slot = if base == Base::AtFramePointer {
                    frame_pointer
                } else {
                    frame.wrapping_sub(below)
                };
                let Some(saved) = load(slot, low) else { return };
                frame_pointer = saved;
                saved_at = Some(slot);
                register_followed = false;
            }
            self.check(slot, next);
            if next == 0 {
                return;
            }
            address = plain(next);
            low = frame;
        }
    }
}
