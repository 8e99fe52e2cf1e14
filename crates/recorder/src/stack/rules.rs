//! How to get from a return address to the caller's: one rule for each return address, found once.
//!
//! A table in the recorder's static memory, filled without locks: 0 keys are free, a key is claimed before its rule
//! is stored, and a reader that meets a claimed key without a rule finds the rule itself.

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::cfi;

const SLOTS: usize = 1 << 16;
const PROBES: usize = 16;

/// What the canonical frame address is reckoned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "the terms of the field")]
pub enum Base {
    /// The stack pointer plus the offset.
    StackPointer,
    /// The frame pointer plus the offset.
    FramePointer,
    /// The word at the frame pointer minus the offset: functions that realign their stack.
    AtFramePointer,
}

/// How a function's caller is found. All distances in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// From where.
    pub base: Base,
    /// How far.
    pub offset: usize,
    /// The return address is so far below the canonical frame address.
    pub return_below: usize,
    /// The caller's frame pointer is saved so far below it; nothing when it is still in its register.
    pub frame_below: Option<usize>,
}

const KNOWN: u64 = 1 << 63;
const END: u64 = KNOWN | 7 << 60;
const NOT_SAVED: u64 = 0x3FFF;

/// One word: bit 63 known, 3 bits base, 24 bits offset, 16 bits and 14 bits distances, all in words.
fn pack(rule: Option<Rule>) -> u64 {
    let packed = rule.and_then(|rule| {
        let base = match rule.base {
            Base::StackPointer => 0,
            Base::FramePointer => 1,
            Base::AtFramePointer => 2,
        };
        let words = |bytes: usize, limit: u64| {
            let words = (bytes / 8) as u64;
            (bytes.is_multiple_of(8) && words < limit).then_some(words)
        };
        let frame = match rule.frame_below {
            None => NOT_SAVED,
            Some(below) => words(below, NOT_SAVED)?,
        };
        Some(
            KNOWN
                | base << 60
                | words(rule.offset, 1 << 24)? << 30
                | words(rule.return_below, 1 << 16)? << 14
                | frame,
        )
    });
    packed.unwrap_or(END)
}

#[inline]
fn unpack(packed: u64) -> Option<Rule> {
    let base = match packed >> 60 & 7 {
        0 => Base::StackPointer,
        1 => Base::FramePointer,
        2 => Base::AtFramePointer,
        _ => return None,
    };
    let frame = packed & 0x3FFF;
    Some(Rule {
        base,
        offset: (packed >> 30 & 0xFF_FFFF) as usize * 8,
        return_below: (packed >> 14 & 0xFFFF) as usize * 8,
        frame_below: (frame != NOT_SAVED).then_some(frame as usize * 8),
    })
}

struct Slot {
    key: AtomicU64,
    rule: AtomicU64,
}

static TABLE: [Slot; SLOTS] = [const {
    Slot {
        key: AtomicU64::new(0),
        rule: AtomicU64::new(0),
    }
}; SLOTS];

static GENERATION: AtomicU64 = AtomicU64::new(0);

/// Changes when code was unloaded: what was learned of addresses may no longer hold.
#[inline]
pub fn generation() -> u16 {
    GENERATION.load(Acquire) as u16
}

/// Forgets every rule, because code was unloaded.
pub fn forget() {
    GENERATION.fetch_add(1, Release);
}

/// The rule of a return address; nothing where the stack ends or cannot be followed.
pub fn of(address: usize) -> Option<Rule> {
    let key = (address as u64 & 0x0000_FFFF_FFFF_FFFF) | u64::from(generation()) << 48;
    // Near addresses lie near each other here too, so that a small program touches few pages of the table.
    let first = (address >> 2).wrapping_add((address >> 18).wrapping_mul(0x2545)) % SLOTS;
    for probe in 0..PROBES {
        let slot = &TABLE[(first + probe) % SLOTS];
        let found = slot.key.load(Acquire);
        if found == key {
            let rule = slot.rule.load(Acquire);
            return if rule == 0 {
                unpack(pack(cfi::rule(address)))
            } else {
                unpack(rule)
            };
        }
        // Entries of an earlier generation are taken over by nobody: a program unloads code a few times at most.
        if found == 0 {
            let packed = pack(cfi::rule(address));
            if slot.key.compare_exchange(0, key, Release, Relaxed).is_ok() {
                slot.rule.store(packed, Release);
            }
            return unpack(packed);
        }
    }
    unpack(pack(cfi::rule(address)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_survive_packing() {
        for rule in [
            Rule {
                base: Base::StackPointer,
                offset: 8,
                return_below: 8,
                frame_below: None,
            },
            Rule {
                base: Base::FramePointer,
                offset: 16,
                return_below: 8,
                frame_below: Some(16),
            },
            Rule {
                base: Base::AtFramePointer,
                offset: 8,
                return_below: 8,
                frame_below: Some(0),
            },
            Rule {
                base: Base::StackPointer,
                offset: 0x7FF_FFF8,
                return_below: 0x7_FFF8,
                frame_below: Some(0x1_FFF0),
            },
        ] {
            assert_eq!(unpack(pack(Some(rule))), Some(rule));
        }
    }

    #[test]
    fn what_does_not_fit_ends_the_stack() {
        let odd = Rule {
            base: Base::StackPointer,
            offset: 12,
            return_below: 8,
            frame_below: None,
        };
        let huge = Rule {
            base: Base::StackPointer,
            offset: 1 << 40,
            return_below: 8,
            frame_below: None,
        };
        assert_eq!(unpack(pack(Some(odd))), None);
        assert_eq!(unpack(pack(Some(huge))), None);
        assert_eq!(unpack(pack(None)), None);
    }
}
