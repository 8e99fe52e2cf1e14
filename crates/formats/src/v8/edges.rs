//! The columns of edges.

use deadweight_heap::Via;
use rayon::prelude::*;

use super::meta::Meta;
use super::nodes::Nodes;
use super::numbers::{NumberArray, cut, split};
use super::rows::{self, Row, Sink};
use crate::error::Malformed;

/// One row an edge, in the order of their nodes. A raw edge's three kind bits hold its
/// [`EdgeType`](super::meta::EdgeType).
#[derive(Debug)]
pub(super) struct RawEdges {
    pub raw: Vec<Via>,
    pub to: Vec<u32>,
}

pub(super) fn parse(
    bytes: &[u8],
    array: &NumberArray,
    meta: &Meta,
    nodes: &Nodes,
    strings: usize,
) -> Result<RawEdges, Malformed> {
    let start = array.range.start;
    let cut = cut(bytes, array, meta.edge_fields, "edges")?;
    if cut.rows as u64 != meta.edge_count {
        let found = format!("{} edges", cut.rows);
        return Err(Malformed::new(
            start,
            format!("edge_count = {} edges", meta.edge_count),
            found,
        ));
    }
    let node_numbers = (nodes.kind.len() * meta.node_fields) as u64;
    let mut raw = vec![Via::default(); cut.rows];
    let mut to = vec![0_u32; cut.rows];
    let parts: Vec<_> = split(&mut raw, &cut.pieces)
        .into_iter()
        .zip(split(&mut to, &cut.pieces))
        .zip(&cut.pieces)
        .collect();
    parts.into_par_iter().try_for_each(|((raw, to), piece)| {
        let mut columns = Columns {
            meta,
            strings: strings as u64,
            node_numbers,
            node_fields: Divisor::new(meta.node_fields as u64),
            raw,
            to,
        };
        rows::read(bytes, piece, meta.edge_fields, &mut columns)
    })?;
    Ok(RawEdges { raw, to })
}

/// The part of the columns that one piece of the file fills.
struct Columns<'c> {
    meta: &'c Meta,
    strings: u64,
    node_numbers: u64,
    node_fields: Divisor,
    raw: &'c mut [Via],
    to: &'c mut [u32],
}

impl Sink for Columns<'_> {
    #[inline]
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
        let meta = self.meta;
        let bad =
            |expected: String, found: u64| Err(Malformed::new(numbers.offset(), expected, found.to_string()));
        let kind = numbers.number(meta.edge_type);
        let Some(&kind) = usize::try_from(kind)
            .ok()
            .and_then(|kind| meta.edge_types.get(kind))
        else {
            return bad(format!("an edge type below {}", meta.edge_types.len()), kind);
        };
        let name = numbers.number(meta.edge_name);
        if !kind.has_index() && name >= self.strings {
            return bad(format!("the number of a string below {}", self.strings), name);
        }
        let target = numbers.number(meta.edge_to);
        let node = self.node_fields.quotient(target);
        if target >= self.node_numbers || node * meta.node_fields as u64 != target {
            let expected = format!(
                "the place of a node: a multiple of {} below {}",
                meta.node_fields, self.node_numbers
            );
            return bad(expected, target);
        }
        self.raw[row] = Via(((kind as u32) << 29) | (name.min(u64::from(Via::MAX_NAME)) as u32));
        self.to[row] = node as u32;
        Ok(())
    }
}

/// Divides by one number many times over.
#[derive(Clone, Copy)]
struct Divisor {
    by: u64,
    /// 2^64 / `by`, rounded up; 0 for one.
    inverse: u64,
}

impl Divisor {
    const fn new(by: u64) -> Self {
        let inverse = if by == 1 { 0 } else { u64::MAX / by + 1 };
        Self { by, inverse }
    }

    /// The exact quotient of a multiple below 2^37, as places of nodes are: fewer than 2^32 nodes of at most 32
    /// fields. Whatever else comes, the product of the result with the divisor shows that it is none.
    const fn quotient(self, number: u64) -> u64 {
        if self.by == 1 {
            return number;
        }
        ((number as u128 * self.inverse as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;

    #[test]
    fn quotients_of_multiples_are_exact() {
        for by in 1..=32 {
            let divisor = Divisor::new(by);
            for quotient in [0, 1, 2, 1000, 65_535, (1 << 31) - 1, (1 << 32) - 2] {
                assert_eq!(divisor.quotient(quotient * by), quotient);
                for rest in 1..by {
                    assert_ne!(divisor.quotient(quotient * by + rest) * by, quotient * by + rest);
                }
            }
        }
    }
}
