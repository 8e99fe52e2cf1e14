//! Makes small churns by hand, for tests of rules.

use super::{
    Antipattern, Churn, ChurnCoverage, Compiler, Frame, Frames, Role, Row, RowId, Rows, Sampling, Stacks,
};
use crate::builder::BuilderLayout;
use crate::{Exact, Kind, Presence, Runtime, Totals, Types};

/// Builds a [`Churn`]. Everything is exact and known unless a test says otherwise.
#[derive(Debug)]
pub struct ChurnBuilder {
    churn: Churn,
}

impl Default for ChurnBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ChurnBuilder {
    /// An empty churn.
    #[must_use]
    pub fn new() -> Self {
        let coverage = ChurnCoverage {
            types: Presence::Present,
            counts: Presence::Present,
            survivors: Presence::Present,
            fills: Presence::Present,
            contents: Presence::Present,
            lines: Presence::Present,
        };
        let churn = Churn {
            frames: Frames::default(),
            stacks: Stacks::default(),
            types: Types::default(),
            rows: Rows::default(),
            sampling: Sampling::Exact,
            operations: 0,
            coverage,
            totals: Totals::default(),
            runtime: Runtime::default(),
            layout: Some(Box::new(BuilderLayout)),
            allocator: Box::new(Exact),
            root: String::new(),
            antipatterns: Vec::new(),
            gatherings: Vec::new(),
            compiler: Compiler::Keeps,
            main_returned: false,
            source_read: true,
            partial: None,
        };
        Self { churn }
    }

    /// A frame of the program's own source at `file:line`.
    #[must_use]
    pub fn own(function: &str, file: &str, line: u32) -> Frame {
        Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            role: Role::Own,
            ..Frame::default()
        }
    }

    /// A frame of the language's library.
    #[must_use]
    pub fn library(function: &str) -> Frame {
        Frame {
            function: function.to_owned(),
            ..Frame::default()
        }
    }

    /// A frame of a dependency.
    pub fn dependency(function: &str, file: &str, line: u32) -> Frame {
        Frame {
            role: Role::Library,
            ..Self::own(function, file, line)
        }
    }

    /// `count` objects of `size` bytes each, made by a stack (outermost frame first); none of them is kept.
    pub fn allocated(
        &mut self,
        stack: &[Frame],
        kind: Kind,
        type_name: &str,
        count: u64,
        size: u64,
    ) -> RowId {
        let churn = &mut self.churn;
        let stack = churn.stacks.of(stack, &mut churn.frames);
        let type_id = (!type_name.is_empty()).then(|| churn.types.named(type_name));
        churn.rows.add(Row {
            stack,
            type_id,
            kind,
            count,
            bytes: count * size,
            largest: Some(size),
            kept: Some(0),
            kept_bytes: Some(0),
            empty: Some(0),
            empty_bytes: Some(0),
            distinct: Some(count),
            entries: None,
            among: None,
            part: false,
            internal: false,
            operand: false,
            samples: count,
        })
    }

    /// Changes a row.
    pub fn change(&mut self, id: RowId, change: impl FnOnce(&mut Row)) {
        self.churn.rows.change(id, change);
    }

    /// Says what was found in the source.
    pub fn antipattern(&mut self, antipattern: Antipattern) {
        self.churn.antipatterns.push(antipattern);
    }

    /// The whole churn, for what has no method here.
    pub fn churn(&mut self) -> &mut Churn {
        &mut self.churn
    }

    /// Done.
    #[must_use]
    pub fn build(self) -> Churn {
        self.churn
    }
}
