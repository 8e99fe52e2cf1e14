//! Frames, stacks and types, each with a number, and with their names taken while they are there.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::interpreter::{Interpreter, Value, is_address};
use crate::object;

/// A line of code, or a built-in method.
pub struct Frame {
    pub function: String,
    /// Empty for a built-in method.
    pub file: String,
    pub line: i32,
    is_own: bool,
}

/// A frame below its caller's stack.
pub struct Stack {
    pub caller: Option<u32>,
    pub frame: u32,
    /// Whether a frame of the recorder is in it.
    pub is_own: bool,
}

/// A class and the interpreter's own tag beside it.
pub struct Type {
    pub name: String,
    pub tag: u8,
}

#[derive(Default)]
pub struct Names {
    pub frames: Vec<Frame>,
    pub stacks: Vec<Stack>,
    pub types: Vec<Type>,
    frame_ids: FxHashMap<(Value, i32), u32>,
    stack_ids: FxHashMap<(Option<u32>, u32), u32>,
    type_ids: FxHashMap<(Value, u8), u32>,
    /// By function, file and line; and by name and tag.
    frames_by_text: FxHashMap<(String, String, i32), u32>,
    types_by_text: FxHashMap<(String, u8), u32>,
    /// Code that has a number: another may come to lie at its address once it is freed.
    code: FxHashSet<Value>,
    /// Where the recorder's own files lie.
    directory: String,
}

impl Names {
    pub fn new(directory: String) -> Self {
        Self {
            directory,
            ..Self::default()
        }
    }

    /// The stack of these frames, the innermost first.
    ///
    /// # Safety
    /// They are frames as the interpreter gave them in this event.
    pub unsafe fn stack(
        &mut self,
        interpreter: &Interpreter,
        frames: &[Value],
        lines: &[i32],
    ) -> Option<u32> {
        let mut caller = None;
        for (&frame, &line) in frames.iter().zip(lines).rev() {
            // SAFETY: the caller's promise.
            let frame = unsafe { self.frame(interpreter, frame, line) };
            let next = self.stacks.len() as u32;
            let id = *self.stack_ids.entry((caller, frame)).or_insert(next);
            if id == next {
                let above = caller.is_some_and(|caller| self.stacks[caller as usize].is_own);
                let is_own = above || self.frames[frame as usize].is_own;
                self.stacks.push(Stack {
                    caller,
                    frame,
                    is_own,
                });
            }
            caller = Some(id);
        }
        caller
    }

    unsafe fn frame(&mut self, interpreter: &Interpreter, code: Value, line: i32) -> u32 {
        if let Some(&id) = self.frame_ids.get(&(code, line)) {
            return id;
        }
        self.code.insert(code);
        // SAFETY: each gives a string or nil.
        let (file, label, method) = unsafe {
            (
                interpreter.text((interpreter.path)(code)),
                interpreter.text((interpreter.label)(code)),
                interpreter.text((interpreter.method)(code)),
            )
        };
        let function = if label.is_empty() { method } else { label };
        let is_top = function.starts_with('<') && !file.is_empty();
        let function = if is_top { String::new() } else { function };
        let id = match self.frames_by_text.entry((function, file, line)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let (function, file, _) = place.key().clone();
                self.frames.push(Frame {
                    function,
                    is_own: !self.directory.is_empty() && file.starts_with(&self.directory),
                    file,
                    line,
                });
                *place.insert(self.frames.len() as u32 - 1)
            }
        };
        self.frame_ids.insert((code, line), id);
        id
    }

    /// The type of objects of that class and tag.
    ///
    /// # Safety
    /// `class` is what stands in the slot of such an object.
    pub unsafe fn type_of(&mut self, interpreter: &Interpreter, class: Value, tag: u8) -> u32 {
        if let Some(&id) = self.type_ids.get(&(class, tag)) {
            return id;
        }
        // SAFETY: what is not internal and has a class has a real one; a name is a string or nil.
        let name = unsafe {
            if tag >= object::INTERNAL || !is_address(class) {
                "(hidden)".to_owned()
            } else {
                interpreter.text((interpreter.name)((interpreter.real_class)(class)))
            }
        };
        let name = if name.is_empty() {
            "(no name)".to_owned()
        } else {
            name
        };
        let next = self.types.len() as u32;
        let id = *self.types_by_text.entry((name.clone(), tag)).or_insert(next);
        if id == next {
            self.types.push(Type { name, tag });
        }
        self.type_ids.insert((class, tag), id);
        id
    }

    /// Forgets all addresses: what lies there may die unnoticed from now on.
    pub fn look_away(&mut self) {
        self.frame_ids.clear();
        self.type_ids.clear();
        self.code.clear();
    }

    /// Forgets what stood at the address of an object that dies; true when something did.
    pub fn forget(&mut self, object: Value, tag: u8) -> bool {
        if tag == object::CLASS {
            let before = self.type_ids.len();
            self.type_ids.retain(|&(class, _), _| class != object);
            return self.type_ids.len() != before;
        }
        let known = tag == object::INTERNAL && self.code.remove(&object);
        if known {
            self.frame_ids.retain(|&(code, _), _| code != object);
        }
        known
    }
}
