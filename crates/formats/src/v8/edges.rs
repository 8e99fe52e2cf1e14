//! The edges of all nodes, equal lists of them once.

#![allow(
    clippy::inline_always,
    reason = "the places of a row's numbers are at hand only where it is read"
)]

use std::ops::Range;

use deadweight_heap::{Edges, Gathered, GatheredPiece, ObjectId, Via};
use rayon::prelude::*;

use super::meta::{EdgeType, Meta};
use super::numbers::{Cut, NumberArray, Piece, cut, split};
use super::rows::{self, Row, Sink};
use crate::error::Malformed;

/// The name of an edge as the file has it: in place of the neutral kind stands the [`EdgeType`]. Larger names than
/// [`Via::MAX_NAME`] are no name of an edge.
#[inline]
pub(super) const fn raw_name(kind: EdgeType, name: u32) -> Via {
    let name = if name > Via::MAX_NAME { Via::MAX_NAME } else { name };
    Via(((kind as u32) << 29) | name)
}

/// The type in a raw name.
#[inline]
pub(super) const fn edge_type(name: Via) -> EdgeType {
    EdgeType::of_bits(name.0 >> 29)
}

/// The edges of all nodes as threads gathered them.
pub(super) struct EdgePieces {
    of: Vec<u32>,
    to: Vec<u32>,
    pieces: Vec<(usize, GatheredPiece)>,
    others: Vec<Spread>,
    len: usize,
}

impl EdgePieces {
    /// One table of them. Goes step by step, and hardly gains by more threads.
    pub(super) fn join(self) -> Edges {
        Edges::join(self.of, self.to, self.pieces, self.others, self.len)
    }
}

/// Reads the edges of all nodes; `first_edge` says where those of each start. Names are [raw](raw_name).
pub(super) fn parse(
    bytes: &[u8],
    array: &NumberArray,
    meta: &Meta,
    first_edge: &[u32],
    strings: usize,
) -> Result<EdgePieces, Malformed> {
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
    let nodes = first_edge.len() - 1;
    let mut of = vec![0_u32; nodes];
    let mut to = vec![0_u32; cut.rows];
    let pieces = parts(&cut, first_edge, &mut of, &mut to);
    let kind = |&kind: &EdgeType| NamesOf {
        first: raw_name(kind, 0).0,
        below: if kind.has_index() {
            u64::MAX
        } else {
            strings as u64
        },
    };
    let kinds: Vec<NamesOf> = meta.edge_types.iter().map(kind).collect();
    let gathered = pieces
        .into_par_iter()
        .map_init(Scratch::default, |scratch, part| {
            let rows = part.piece.rows.len();
            scratch.raw.resize(rows, Via::default());
            scratch.to.resize(rows, 0);
            let mut columns = Columns {
                meta,
                kinds: &kinds,
                strings: strings as u64,
                node_numbers: (nodes * meta.node_fields) as u64,
                node_fields: Divisor::new(meta.node_fields as u64),
                raw: &mut scratch.raw,
                to: &mut scratch.to,
            };
            // Places that are known when this is compiled need no looking up.
            if (meta.edge_type, meta.edge_name, meta.edge_to) == (0, 1, 2) {
                rows::read(bytes, part.piece, meta.edge_fields, &mut InOrder(columns))?;
            } else {
                rows::read(bytes, part.piece, meta.edge_fields, &mut columns)?;
            }
            Ok(part.gather(&scratch.raw, &scratch.to))
        });
    let gathered: Vec<Part> = gathered.collect::<Result<_, Malformed>>()?;
    let (pieces, others) = whole(gathered, first_edge);
    Ok(EdgePieces {
        of,
        to,
        pieces,
        others,
        len: cut.rows,
    })
}

/// Room for the edges of one piece.
#[derive(Default)]
struct Scratch {
    raw: Vec<Via>,
    to: Vec<u32>,
}

/// What one piece of the file fills: nodes whose edges start and end in it.
struct Room<'c> {
    piece: &'c Piece,
    first_edge: &'c [u32],
    nodes: Range<usize>,
    of: &'c mut [u32],
    to: &'c mut [u32],
}

/// What was gathered of a piece.
struct Part {
    /// Its edges, and the nodes that lie within it.
    rows: Range<usize>,
    inner: Range<usize>,
    nodes: GatheredPiece,
    /// Names of edges before its first node's, and after its last node's: of nodes that lie in several pieces.
    head: Vec<Via>,
    tail: Vec<Via>,
}

/// The nodes whose edges lie within each piece.
fn parts<'c>(cut: &'c Cut, first_edge: &'c [u32], of: &'c mut [u32], to: &'c mut [u32]) -> Vec<Room<'c>> {
    let nodes = of.len();
    let (mut rest, mut column) = (of, 0);
    let mut parts = Vec::with_capacity(cut.pieces.len());
    for (piece, to) in cut.pieces.iter().zip(split(to, &cut.pieces)) {
        let is_last = piece.rows.end == cut.rows;
        let starts = &first_edge[..nodes];
        let before = |edge: usize| starts.partition_point(|&start| (start as usize) < edge);
        let first = before(piece.rows.start);
        let mut end = if is_last { nodes } else { before(piece.rows.end) };
        // Only the last one may go on in the next piece.
        if end > first && first_edge[end] as usize > piece.rows.end {
            end -= 1;
        }
        let (of, after) = std::mem::take(&mut rest)[first - column..].split_at_mut(end - first);
        (rest, column) = (after, end);
        parts.push(Room {
            piece,
            first_edge,
            nodes: first..end,
            of,
            to,
        });
    }
    parts
}

impl Room<'_> {
    fn gather(self, raw: &[Via], to: &[u32]) -> Part {
        let rows = &self.piece.rows;
        let start = |node: usize| (self.first_edge[node] as usize).min(rows.end) - rows.start;
        let inner = start(self.nodes.start)..start(self.nodes.end);
        // What lies in several pieces stays where it stands in the file, so that it comes together.
        self.to[..inner.start].copy_from_slice(&to[..inner.start]);
        self.to[inner.end..].copy_from_slice(&to[inner.end..]);
        let mut gathered = Gathered::new(self.of, &mut self.to[inner.clone()], rows.start + inner.start);
        for node in self.nodes.clone() {
            let own = start(node)..start(node + 1);
            gathered.push(&raw[own.clone()], &to[own]);
        }
        Part {
            rows: rows.clone(),
            inner: self.nodes.clone(),
            nodes: gathered.finish(),
            head: raw[..inner.start].to_vec(),
            tail: raw[inner.end..].to_vec(),
        }
    }
}

/// A node whose edges lie in several pieces: where they start, and their names.
type Spread = (ObjectId, usize, Vec<Via>);

/// Brings together what lies in several pieces.
fn whole(parts: Vec<Part>, first_edge: &[u32]) -> (Vec<(usize, GatheredPiece)>, Vec<Spread>) {
    let mut pieces = Vec::with_capacity(parts.len());
    let mut spread: Vec<Spread> = Vec::new();
    // The node that began in an earlier piece and has not ended yet.
    let mut open: Option<Spread> = None;
    for part in parts {
        if let Some(node) = &mut open {
            node.2.extend(part.head);
            if first_edge[node.0 as usize + 1] as usize <= part.rows.end {
                spread.extend(open.take());
            }
        }
        if !part.tail.is_empty() {
            let node = part.inner.end;
            open = Some((node as ObjectId, first_edge[node] as usize, part.tail));
        }
        pieces.push((part.inner.start, part.nodes));
    }
    (pieces, spread)
}

/// What names an edge of one type may have.
struct NamesOf {
    /// The [raw name](raw_name) with the number 0.
    first: u32,
    below: u64,
}

/// The part of the columns that one piece of the file fills.
struct Columns<'c> {
    meta: &'c Meta,
    kinds: &'c [NamesOf],
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
        self.take_fields(row, numbers, [meta.edge_type, meta.edge_name, meta.edge_to])
    }
}

/// The columns of a file with the fields that all known writers have.
struct InOrder<'c>(Columns<'c>);

impl Sink for InOrder<'_> {
    #[inline(always)]
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
        self.0.take_fields(row, numbers, [0, 1, 2])
    }
}

impl Columns<'_> {
    #[inline(always)]
    fn take_fields(
        &mut self,
        row: usize,
        numbers: &impl Row,
        [edge_type, edge_name, edge_to]: [usize; 3],
    ) -> Result<(), Malformed> {
        let kind = numbers.number(edge_type);
        let (name, target) = numbers.pair(edge_name, edge_to);
        let node = self.node_fields.quotient(target);
        let names = self.names_of(kind).filter(|names| name < names.below);
        if let Some(names) = names
            && target < self.node_numbers
            && node * self.node_fields.by == target
        {
            self.raw[row] = Via(names.first | name.min(u64::from(Via::MAX_NAME)) as u32);
            self.to[row] = node as u32;
            return Ok(());
        }
        Err(self.bad(numbers.offset(), [kind, name, target]))
    }

    #[inline(always)]
    fn names_of(&self, kind: u64) -> Option<&NamesOf> {
        usize::try_from(kind).ok().and_then(|kind| self.kinds.get(kind))
    }

    /// What is wrong with a row.
    #[cold]
    #[inline(never)]
    fn bad(&self, offset: usize, [kind, name, target]: [u64; 3]) -> Malformed {
        let bad = |expected: String, found: u64| Malformed::new(offset, expected, found.to_string());
        let Some(names) = self.names_of(kind) else {
            return bad(format!("an edge type below {}", self.kinds.len()), kind);
        };
        if name >= names.below {
            return bad(format!("the number of a string below {}", self.strings), name);
        }
        let expected = format!(
            "the place of a node: a multiple of {} below {}",
            self.node_fields.by, self.node_numbers
        );
        bad(expected, target)
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
