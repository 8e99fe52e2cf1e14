//! Call stacks as a tree: a stack is its caller's stack and one frame more.

use rustc_hash::FxHashMap;

use super::{Frame, FrameId, Frames, Role};

/// A row of [`Stacks`].
pub type StackId = u32;

const NONE: u32 = u32::MAX;

/// Interned call stacks.
#[derive(Debug, Default)]
pub struct Stacks {
    parents: Vec<StackId>,
    frames: Vec<FrameId>,
    /// The innermost frame of the program's own source, else of a dependency.
    own: Vec<FrameId>,
    /// Whether that is the program's own source.
    has_own: Vec<bool>,
    /// The frame just inside of that.
    callees: Vec<FrameId>,
    ids: FxHashMap<(StackId, FrameId), StackId>,
}

impl Stacks {
    /// The stack that `frame`, called from `caller`, makes. A caller that is not there is none.
    pub fn add(&mut self, caller: Option<StackId>, frame: FrameId, frames: &Frames) -> StackId {
        let caller = caller.filter(|&id| (id as usize) < self.frames.len());
        let parent = caller.unwrap_or(NONE);
        if let Some(&id) = self.ids.get(&(parent, frame)) {
            return id;
        }
        let id = self.frames.len() as StackId;
        let role = frames.get(frame).map(|frame| frame.role);
        let (outer, outer_callee, has_own) = match caller {
            Some(caller) => {
                let at = caller as usize;
                (self.own[at], self.callees[at], self.has_own[at])
            }
            None => (NONE, NONE, false),
        };
        // Where no source of the program's own is on the way, a dependency's line is what can be changed.
        let is_own = match role {
            Some(Role::Own) => true,
            Some(Role::Library) => !has_own,
            Some(Role::Runtime) | None => false,
        };
        let (own, callee) = match (is_own, outer) {
            (true, _) => (frame, NONE),
            (false, NONE) => (NONE, NONE),
            (false, _) if outer_callee == NONE => (outer, frame),
            (false, _) => (outer, outer_callee),
        };
        self.parents.push(parent);
        self.frames.push(frame);
        self.own.push(own);
        self.has_own.push(has_own || role == Some(Role::Own));
        self.callees.push(callee);
        self.ids.insert((parent, frame), id);
        id
    }

    /// The stack of these frames, outermost first; `None` for no frames.
    pub fn of(&mut self, outermost_first: &[Frame], frames: &mut Frames) -> Option<StackId> {
        let mut stack = None;
        for frame in outermost_first {
            let frame = frames.add(frame.clone());
            stack = Some(self.add(stack, frame, frames));
        }
        stack
    }

    /// The frames of a stack, innermost first.
    pub fn frames(&self, stack: StackId) -> impl Iterator<Item = FrameId> {
        let mut at = stack;
        std::iter::from_fn(move || {
            let frame = *self.frames.get(at as usize)?;
            // A parent is always an earlier row, so this ends.
            at = self.parents[at as usize];
            Some(frame)
        })
    }

    /// The caller's stack.
    #[must_use]
    pub fn caller(&self, stack: StackId) -> Option<StackId> {
        let parent = *self.parents.get(stack as usize)?;
        (parent != NONE).then_some(parent)
    }

    /// The innermost frame of the program's own source; where there is none, the innermost of a dependency.
    #[must_use]
    pub fn own(&self, stack: StackId) -> Option<FrameId> {
        let own = *self.own.get(stack as usize)?;
        (own != NONE).then_some(own)
    }

    /// The frame just inside of the innermost own one.
    #[must_use]
    pub fn callee(&self, stack: StackId) -> Option<FrameId> {
        let callee = *self.callees.get(stack as usize)?;
        (callee != NONE).then_some(callee)
    }

    /// Number of stacks, callers included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no stack.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, role: Role) -> Frame {
        Frame {
            function: function.to_owned(),
            role,
            ..Frame::default()
        }
    }

    #[test]
    fn the_own_line_is_the_innermost_of_the_program() {
        let (mut frames, mut stacks) = (Frames::default(), Stacks::default());
        let [main, gem, block, map, new] = [
            frame("main", Role::Own),
            frame("gem", Role::Library),
            frame("block", Role::Own),
            frame("map", Role::Runtime),
            frame("new", Role::Runtime),
        ];
        let stack = [main.clone(), gem.clone(), block.clone(), map.clone(), new];
        let inner = stacks.of(&stack, &mut frames).unwrap();
        assert_eq!(frames.get(stacks.own(inner).unwrap()), Some(&block));
        assert_eq!(frames.get(stacks.callee(inner).unwrap()), Some(&map));
        let alone = stacks.of(std::slice::from_ref(&map), &mut frames).unwrap();
        assert_eq!((stacks.own(alone), stacks.callee(alone)), (None, None));
        // Without any source of the program it is the line of a dependency.
        let other = frame("other", Role::Library);
        let installed = stacks
            .of(&[gem, other.clone(), map.clone()], &mut frames)
            .unwrap();
        assert_eq!(frames.get(stacks.own(installed).unwrap()), Some(&other));
        assert_eq!(frames.get(stacks.callee(installed).unwrap()), Some(&map));
        let outer = stacks.of(&[main], &mut frames).unwrap();
        assert_eq!(stacks.callee(outer), None);
        assert_eq!(stacks.frames(inner).count(), 5);
        assert_eq!(stacks.len(), 9);
    }

    #[test]
    fn equal_stacks_are_one() {
        let (mut frames, mut stacks) = (Frames::default(), Stacks::default());
        let path = [frame("a", Role::Own), frame("a", Role::Own)];
        let first = stacks.of(&path, &mut frames);
        assert_eq!(stacks.of(&path, &mut frames), first);
        assert_eq!((frames.len(), stacks.len()), (1, 2));
    }

    #[test]
    fn a_caller_that_is_not_there_is_none() {
        let (mut frames, mut stacks) = (Frames::default(), Stacks::default());
        let id = frames.add(frame("a", Role::Own));
        let stack = stacks.add(Some(9), id, &frames);
        assert_eq!(stacks.caller(stack), None);
    }
}
