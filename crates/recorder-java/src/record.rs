//! What was made so far.

use jni_sys::jmethodID;
use rustc_hash::FxHashMap;

use crate::machine::{FrameAt, LineFrom};

/// No caller, no type.
pub const NONE: u32 = u32::MAX;

/// A class whose methods stand in stacks.
#[derive(Debug)]
pub struct Class {
    /// As class files have it, without `L` and `;`: `com/shop/Order`.
    pub name: String,
    /// Of what file; empty when unknown.
    pub file: String,
    /// Whether the machine's own loader loaded it.
    pub is_runtime: bool,
    /// A weak reference to it, as a number.
    pub weak: usize,
}

impl Class {
    /// Whether two are of one source, as `HashMap` and `HashMap$Node` are.
    fn is_one_with(&self, other: &Self) -> bool {
        self.name.split('$').next() == other.name.split('$').next()
    }
}

/// A method in stacks.
#[derive(Debug)]
pub struct Method {
    pub class: u32,
    pub name: String,
    pub lines: Vec<LineFrom>,
    pub part: Part,
}

/// What a method is in a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A frame.
    Frame,
    /// None: it only leads to the next.
    Link,
    /// Of the recorder: what it makes is left out.
    Recorder,
}

/// A stack is its caller's and a frame more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    pub caller: u32,
    pub method: u32,
    pub line: u32,
}

/// Objects of one type and size that one stack made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub stack: u32,
    pub type_id: u32,
    pub bytes: u64,
}

/// All that was sampled.
#[derive(Debug, Default)]
pub struct Record {
    pub classes: Vec<Class>,
    class_ids: FxHashMap<(String, bool), u32>,
    pub methods: Vec<Method>,
    method_ids: FxHashMap<usize, u32>,
    pub stacks: Vec<Stack>,
    stack_ids: FxHashMap<Stack, u32>,
    /// As class files have them.
    pub types: Vec<String>,
    type_ids: FxHashMap<String, u32>,
    pub rows: Vec<(Key, u64)>,
    row_ids: FxHashMap<Key, u32>,
}

impl Record {
    pub fn knows(&self, method: jmethodID) -> bool {
        self.method_ids.contains_key(&(method as usize))
    }

    /// The number of a class, by its name and whether the machine's own loader loaded it; `make` makes one that is new.
    pub fn class(&mut self, name: String, is_runtime: bool, make: impl FnOnce(String) -> Class) -> u32 {
        let next = self.classes.len() as u32;
        let key = (name, is_runtime);
        if let Some(&id) = self.class_ids.get(&key) {
            return id;
        }
        self.classes.push(make(key.0.clone()));
        self.class_ids.insert(key, next);
        next
    }

    pub fn learn(&mut self, id: jmethodID, method: Method) {
        let next = self.methods.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.method_ids.entry(id as usize) {
            vacant.insert(next);
            self.methods.push(method);
        }
    }

    /// Notes an object, whose frames are known, and gives its row; `None` where the recorder made it.
    pub fn note(&mut self, frames: &[FrameAt], type_name: &str, bytes: u64) -> Option<u32> {
        let mut stack = NONE;
        for frame in frames.iter().rev() {
            let Some(&method) = self.method_ids.get(&(frame.method as usize)) else {
                continue;
            };
            let known = &self.methods[method as usize];
            match known.part {
                Part::Frame => {}
                Part::Link => continue,
                Part::Recorder => return None,
            }
            let class = &self.classes[known.class as usize];
            // Of the methods of one class of the machine's that call each other the first is what the program called.
            if class.is_runtime
                && self
                    .class_at(stack)
                    .is_some_and(|caller| caller.is_one_with(class))
            {
                continue;
            }
            // Nobody changes a line of these: without it fewer stacks differ.
            let line = if class.is_runtime {
                0
            } else {
                line_at(&known.lines, frame.location)
            };
            stack = self.stack(Stack {
                caller: stack,
                method,
                line,
            });
        }
        let type_id = self.type_id(type_name);
        let key = Key {
            stack,
            type_id,
            bytes,
        };
        let next = self.rows.len() as u32;
        let row = *self.row_ids.entry(key).or_insert(next);
        if row == next {
            self.rows.push((key, 0));
        }
        self.rows[row as usize].1 += 1;
        Some(row)
    }

    /// The class of the innermost frame of a stack.
    pub fn class_at(&self, stack: u32) -> Option<&Class> {
        let stack = self.stacks.get(stack as usize)?;
        self.classes
            .get(self.methods[stack.method as usize].class as usize)
    }

    /// Whether a class of the machine's made something of that kind for itself: another of these was called by the program, or it
    /// is an array of numbers, which the line that called seldom holds and never fills.
    pub fn is_internal(&self, stack: u32, kind: &str) -> bool {
        let is_runtime = |stack| self.class_at(stack).is_some_and(|class| class.is_runtime);
        let caller = self.stacks.get(stack as usize).map_or(NONE, |stack| stack.caller);
        is_runtime(stack) && (kind == "buffer" || is_runtime(caller))
    }

    fn stack(&mut self, stack: Stack) -> u32 {
        let next = self.stacks.len() as u32;
        let id = *self.stack_ids.entry(stack).or_insert(next);
        if id == next {
            self.stacks.push(stack);
        }
        id
    }

    fn type_id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.type_ids.get(name) {
            return id;
        }
        let id = self.types.len() as u32;
        self.types.push(name.to_owned());
        self.type_ids.insert(name.to_owned(), id);
        id
    }
}

/// The line that runs at a place in a method's code; 0 when that is not known.
fn line_at(lines: &[LineFrom], location: i64) -> u32 {
    let behind = lines.partition_point(|from| from.start <= location);
    let line = behind.checked_sub(1).map_or(0, |at| lines[at].line);
    u32::try_from(line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_on_the_line_that_began_last() {
        let lines = [(0, 7), (4, 9), (11, 8)].map(|(start, line)| LineFrom { start, line });
        let at = |location| line_at(&lines, location);
        assert_eq!((at(0), at(3), at(4), at(99)), (7, 7, 9, 8));
        // A native method has no place, and code without a table no lines.
        assert_eq!((at(-1), line_at(&[], 4)), (0, 0));
    }

    fn method(record: &mut Record, number: usize, class: &str, is_runtime: bool, part: Part) -> FrameAt {
        let class = record.class(class.to_owned(), is_runtime, |name| Class {
            name,
            file: String::new(),
            is_runtime,
            weak: 0,
        });
        let id = number as jmethodID;
        record.learn(
            id,
            Method {
                class,
                name: "run".to_owned(),
                lines: vec![LineFrom { start: 0, line: 5 }, LineFrom { start: 8, line: 6 }],
                part,
            },
        );
        FrameAt {
            method: id,
            location: 0,
        }
    }

    #[test]
    fn objects_of_one_line_type_and_size_are_one_row() {
        let mut record = Record::default();
        let own = method(&mut record, 1, "Shop", false, Part::Frame);
        let runtime = method(&mut record, 2, "java/util/Arrays", true, Part::Frame);
        let link = method(&mut record, 3, "java/lang/invoke/LambdaForm", true, Part::Link);
        let elsewhere = FrameAt { location: 9, ..own };
        let further = FrameAt {
            location: 9,
            ..runtime
        };
        let inner = method(&mut record, 4, "java/util/Arrays$Copy", true, Part::Frame);
        assert_eq!(record.note(&[inner, runtime, link, own], "[B", 32), Some(0));
        assert_eq!(record.note(&[further, own], "[B", 32), Some(0));
        assert_eq!(record.note(&[runtime, own], "[B", 40), Some(1));
        assert_eq!(record.note(&[runtime, elsewhere], "[B", 32), Some(2));
        assert_eq!(
            record.rows.iter().map(|(_, count)| count).collect::<Vec<_>>(),
            [&2, &1, &1]
        );
        assert_eq!(
            record.stacks.iter().map(|stack| stack.line).collect::<Vec<_>>(),
            [5, 0, 6, 0]
        );
    }

    #[test]
    fn what_a_class_of_the_machine_makes_for_itself_is_known() {
        let mut record = Record::default();
        let own = method(&mut record, 1, "Shop", false, Part::Frame);
        let list = method(&mut record, 2, "java/util/ArrayList", true, Part::Frame);
        let format = method(&mut record, 3, "java/text/Format", true, Part::Frame);
        for (frames, internal) in [
            (&[own][..], false),
            (&[list, own], false),
            (&[list, list, own], false),
            (&[list, format, own], true),
        ] {
            let row = record.note(frames, "[I", 32).unwrap();
            let stack = record.rows[row as usize].0.stack;
            assert_eq!(record.is_internal(stack, "array"), internal, "{}", frames.len());
        }
    }

    #[test]
    fn what_the_recorder_makes_is_left_out() {
        let mut record = Record::default();
        let own = method(&mut record, 1, "deadweight/recorder/Watch", false, Part::Recorder);
        let runtime = method(&mut record, 2, "java/io/File", true, Part::Frame);
        assert_eq!(record.note(&[runtime, own], "[B", 32), None);
        assert!(record.rows.is_empty());
    }
}
