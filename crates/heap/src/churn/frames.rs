//! Functions with their places, each once.

use rustc_hash::FxHashMap;

/// A row of [`Frames`].
pub type FrameId = u32;

/// Whose code a frame is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// The program's own source: what a person can change.
    Own,
    /// An installed dependency.
    Library,
    /// The language's own library, or the engine.
    #[default]
    Runtime,
}

/// What a function of a language's own library returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Returns {
    /// What it likes; also where nothing is known of it.
    #[default]
    Anything,
    /// A new object each time: it cannot be handed one to fill.
    New,
    /// A new list each time of what can be read in place, one by one: the bytes of a text, the keys of a map.
    Listed,
}

/// One place of the program that calls or allocates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function as a person would name it; empty for the top of a file.
    pub function: String,
    /// Its source file; empty when it has none.
    pub file: String,
    /// The line of the call, from 1; with function granularity the line where the function begins; 0 when unknown.
    pub line: u32,
    /// The column on that line, from 1; 0 when unknown.
    pub column: u32,
    /// Whose code it is.
    pub role: Role,
    /// Whether it belongs to a library that writes logs.
    pub logs: bool,
    /// What it returns, where it is of the language's own library.
    pub returns: Returns,
}

impl Frame {
    /// `file:line`, or what is known of it.
    #[must_use]
    pub fn place(&self) -> String {
        match (self.file.as_str(), self.line) {
            ("", _) => self.function.clone(),
            (file, 0) => file.to_owned(),
            (file, line) => format!("{file}:{line}"),
        }
    }
}

/// Interned frames.
#[derive(Debug, Default)]
pub struct Frames {
    frames: Vec<Frame>,
    ids: FxHashMap<Frame, FrameId>,
}

impl Frames {
    /// The id of a frame.
    pub fn add(&mut self, frame: Frame) -> FrameId {
        if let Some(&id) = self.ids.get(&frame) {
            return id;
        }
        let id = self.frames.len() as FrameId;
        self.frames.push(frame.clone());
        self.ids.insert(frame, id);
        id
    }

    /// A frame by its id.
    #[must_use]
    pub fn get(&self, id: FrameId) -> Option<&Frame> {
        self.frames.get(id as usize)
    }

    /// All frames, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter()
    }

    /// Changes all of them; each keeps its id.
    pub fn change(&mut self, change: impl FnMut(&mut Frame)) {
        self.frames.iter_mut().for_each(change);
        self.ids = self.frames.iter().cloned().zip(0..).collect();
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}
