//! Wasteful ways to write a thing, as found in the program's source, in terms that hold for every language.

use crate::Kind;

/// What a line does that it could do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AntipatternKind {
    /// A collection is built to be counted, joined, searched or walked once.
    ThrownAway,
    /// An empty container is made for each call.
    Empty,
    /// A value that is always the same is made anew.
    Constant,
    /// A list literal. Its line makes a new list each time, and no existing list can take its place.
    Literal,
    /// Text is put together for a log that may not be written.
    Log,
    /// Text is put together for a log in a block, which runs only when the log is written.
    WrittenLog,
    /// A table of texts that stands in a constant is searched each time, which takes time and makes nothing.
    LookedUp,
    /// Something grows by being copied each time.
    Growth,
}

/// What is left of a row when the line is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains {
    /// Nothing.
    Nothing,
    /// At most so many objects of each collection that was made there.
    AtMost(u64),
    /// At most so many objects of each collection that was made there, and a list of as many in its place.
    Pieces(u64),
    /// A view on bytes that stand elsewhere in place of each collection that was made there.
    View,
    /// One for the whole run.
    One,
    /// One buffer of `bytes` for each object of the type `each` that the line made.
    Buffer {
        /// Bytes that it holds.
        bytes: u64,
        /// The name of the type.
        each: &'static str,
    },
    /// The collection that the call of this name put together of those that were made; it grows in other steps when
    /// they are appended to it one by one.
    Joined(&'static str),
}

/// How the source would read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The source file.
    pub file: String,
    /// The first line that changes, from 1.
    pub line: u32,
    /// The lines as they are.
    pub before: Vec<String>,
    /// The lines as they would be; comments before them name the conditions.
    pub after: Vec<String>,
    /// What has to hold for them to mean the same, each going on from "only if"; empty where they always do.
    pub conditions: Vec<String>,
}

/// A place in the source with an antipattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antipattern {
    /// What is wasteful about it.
    pub kind: AntipatternKind,
    /// The source file, as frames name it.
    pub file: String,
    /// The lines of the expression, from 1, both included.
    pub lines: (u32, u32),
    /// Line and column where the function around it begins, as frames of function granularity name it, and those of
    /// functions into which an engine may have moved that one's code.
    pub functions: Vec<(u32, u32)>,
    /// Names of those functions, for frames that have lost their place.
    pub names: Vec<String>,
    /// The name of the function around it; empty when it has none.
    pub function: String,
    /// Whether that function makes nothing else by itself, so that where frames have functions and no lines, what it makes
    /// by itself is this one's.
    pub alone: bool,
    /// The expression, shortened.
    pub code: String,
    /// Names of the calls that make what the rewrite spares, in the language's spelling; empty for what the line
    /// makes by itself, which an empty name among others stands for, A name with its class before it is that of a
    /// dependency, too; `Type.<init>` stands for the objects of that type themselves as well.
    pub makers: Vec<String>,
    /// Kinds the rewrite spares; empty for all.
    pub kinds: Vec<Kind>,
    /// What is left of them.
    pub remains: Remains,
    /// Whether no other call on these lines (or in the function) could have made the same.
    pub sole: bool,
    /// How the source would read, when that is certain to do the same.
    pub rewrite: Option<Rewrite>,
    /// What to do, in a few words.
    pub advice: String,
    /// What to do where the number of collections is not known, so that what a bound leaves is unknown: something
    /// that leaves nothing. Empty when there is none.
    pub uncounted: String,
    /// What the rewrite takes for granted, if anything.
    pub assumes: Option<String>,
}

impl Antipattern {
    /// Whether a call of that function is what makes it: names are compared without the class before them.
    #[must_use]
    pub fn is_maker(&self, function: &str) -> bool {
        let is_it = |maker: &String| maker == bare(function) || maker.contains('.') && maker == function;
        self.makers.iter().any(is_it)
    }

    /// Whether that function is a maker of a dependency's: one that is named with its class.
    #[must_use]
    pub fn is_maker_elsewhere(&self, function: &str) -> bool {
        self.makers
            .iter()
            .any(|maker| maker.contains('.') && maker == function)
    }

    /// Whether what the line makes by itself of a type is the antipattern's, whatever the calls on it make.
    #[must_use]
    pub fn is_by_itself(&self, type_name: &str) -> bool {
        let bare = type_name.rsplit('.').next();
        let makes = |maker: &String| maker.is_empty() || maker.strip_suffix(".<init>") == bare;
        self.makers.is_empty() || self.makers.iter().any(makes)
    }

    /// Whether a function of that name is the one that puts together what the others made.
    #[must_use]
    pub fn is_joiner(&self, function: &str) -> bool {
        matches!(self.remains, Remains::Joined(by) if by == bare(function))
    }
}

/// The name without the class before it.
pub(super) fn bare(function: &str) -> &str {
    function.rsplit(['#', '.', ':']).next().unwrap_or(function)
}
