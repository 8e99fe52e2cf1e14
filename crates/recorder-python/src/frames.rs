//! Functions that run: their local variables are roots.

use crate::layout::{Frame, Layout};
use crate::maps::Maps;
use crate::raw::{Address, byte, count, word};

/// A variable of a running function.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The function's code object.
    pub code: Address,
    /// The `str` object that is its name.
    pub name: Address,
    pub value: Address,
}

/// Frames by which C code stands between two of Python.
pub const OF_C: u8 = 3;

/// What runs in the threads whose states are given. `current` is the frame object of the function that calls the
/// recorder, in the thread of the first state: by it the place of frames within a state is found.
pub fn locals(layout: &Layout, maps: &Maps, states: &[Address], current: Address) -> Option<Vec<Local>> {
    let wanted = if layout.frame.owner == 0 {
        current
    } else {
        // SAFETY: a frame object leads to the running function's frame.
        unsafe { word(current + layout.frame_inner) }
    };
    let place = Place::find(maps, *states.first()?, wanted)?;
    let mut found = Vec::new();
    for state in states {
        let mut frame = place.frame(maps, *state);
        // A broken chain ends somewhere.
        for _ in 0..1_000_000 {
            if frame == 0 || maps.is_static(frame) {
                break;
            }
            add(layout, frame, &mut found);
            // SAFETY: a frame leads to that of the caller.
            frame = unsafe { word(frame + layout.frame.previous) };
        }
    }
    Some(found)
}

fn add(layout: &Layout, frame: Address, found: &mut Vec<Local>) {
    let Frame {
        code,
        owner,
        variables,
        ..
    } = layout.frame;
    // SAFETY: a frame has its code, that the tuple of its variables' names, and the frame as many places.
    unsafe {
        if owner != 0 && byte(frame + owner) >= OF_C {
            return;
        }
        let Some(code) = reference(word(frame + code)) else {
            return;
        };
        let names = word(code + layout.code_variables);
        for index in 0..count(names).unsigned_abs() {
            if let Some(value) = reference(word(frame + variables + index * 8)) {
                let name = word(names + layout.tuple_items + index * 8);
                found.push(Local { code, name, value });
            }
        }
    }
}

/// The object that a place of a frame refers to. Since 3.14 the lowest bit says that the frame does not count for the object,
/// and the two lowest together that the place has a number.
fn reference(place: usize) -> Option<Address> {
    const UNCOUNTED: usize = 1;
    const NUMBER: usize = 3;
    let object = place & !UNCOUNTED;
    (place & NUMBER != NUMBER && object != 0).then_some(object)
}

/// Where a thread's state has its innermost frame.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub at: usize,
    /// Through a structure on the thread's stack, at this place.
    pub through: Option<usize>,
}

impl Place {
    pub fn find(maps: &Maps, state: Address, frame: Address) -> Option<Self> {
        /// Bytes of a state in which it is looked for.
        const LOOKED_AT: usize = 256;
        let places = || (8..LOOKED_AT).step_by(8);
        // SAFETY: a state is larger than what is looked at.
        let at = |place: usize| unsafe { word(state + place) };
        let direct = places().find(|&place| at(place) == frame);
        if let Some(at) = direct {
            return Some(Self { at, through: None });
        }
        places().find_map(|place| {
            let through = (0..=8).step_by(8).find(|&inner| {
                let structure = at(place);
                // SAFETY: mapped memory of the process.
                structure.is_multiple_of(8)
                    && maps.holds(structure, 16)
                    && unsafe { word(structure + inner) } == frame
            })?;
            Some(Self {
                at: place,
                through: Some(through),
            })
        })
    }

    fn frame(self, maps: &Maps, state: Address) -> Address {
        // SAFETY: another state has it at the same place; what it leads to is looked at when it is mapped.
        unsafe {
            let found = word(state + self.at);
            match self.through {
                None => found,
                Some(inner) if maps.holds(found, 16) => word(found + inner),
                Some(_) => 0,
            }
        }
    }
}
