//! Where functions stand: the section `locations`.
//!
//! A row names a node, a script by its number, and line and column from 0. Rows of functions are kept; those of objects
//! repeat where their constructor stands.

use rayon::prelude::*;

use super::meta::{Meta, NodeType};
use super::numbers::{NumberArray, cut};
use super::rows::{self, Row, Sink};
use crate::error::Malformed;

/// Where in a row the numbers of a location stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocationFields {
    pub width: usize,
    pub node: usize,
    pub line: usize,
    pub column: usize,
}

/// Where a function begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// The node of the closure.
    pub node: u32,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// The locations of closures, in the order of nodes. None where the file has no such section.
pub(super) fn parse(
    bytes: &[u8],
    array: Option<&NumberArray>,
    meta: &Meta,
    kinds: &[NodeType],
) -> Result<Vec<Location>, Malformed> {
    let (Some(array), Some(fields)) = (array, meta.locations) else {
        return Ok(Vec::new());
    };
    let cut = cut(bytes, array, fields.width, "locations")?;
    let pieces = cut.pieces.par_iter().map(|piece| {
        let mut closures = Closures {
            fields,
            kinds,
            node_fields: meta.node_fields as u64,
            found: Vec::new(),
        };
        rows::read(bytes, piece, fields.width, &mut closures)?;
        Ok(closures.found)
    });
    let pieces: Vec<Vec<Location>> = pieces.collect::<Result<_, Malformed>>()?;
    let mut found: Vec<Location> = pieces.into_iter().flatten().collect();
    found.sort_by_key(|location| location.node);
    // The first of several stands.
    found.dedup_by_key(|location| location.node);
    Ok(found)
}

/// What one piece of the section says of closures.
struct Closures<'m> {
    fields: LocationFields,
    kinds: &'m [NodeType],
    node_fields: u64,
    found: Vec<Location>,
}

impl Sink for Closures<'_> {
    fn take(&mut self, _: usize, numbers: &impl Row) -> Result<(), Malformed> {
        let at = numbers.number(self.fields.node);
        let node = at / self.node_fields;
        let kind = usize::try_from(node).ok().and_then(|node| self.kinds.get(node));
        let (Some(kind), true) = (kind, at.is_multiple_of(self.node_fields)) else {
            let expected = format!("the place of one of {} nodes", self.kinds.len());
            return Err(Malformed::new(numbers.offset(), expected, at.to_string()));
        };
        let from_one = |number: u64| u32::try_from(number).ok()?.checked_add(1);
        let line = from_one(numbers.number(self.fields.line));
        let column = from_one(numbers.number(self.fields.column));
        if let (NodeType::Closure, Some(line), Some(column)) = (kind, line, column) {
            self.found.push(Location {
                node: node as u32,
                line,
                column,
            });
        }
        Ok(())
    }
}
