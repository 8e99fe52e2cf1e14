//! The columns of nodes.

#![allow(
    clippy::inline_always,
    reason = "the places of a row's numbers are at hand only where it is read"
)]

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::meta::{Meta, NodeType};
use super::numbers::{NumberArray, cut, split};
use super::rows::{self, Row, Sink};
use crate::error::Malformed;

/// No machine addresses more: 2^52 bytes.
const MOST_BYTES: u128 = 1 << 52;

/// One row a node.
#[derive(Debug)]
pub(super) struct Nodes {
    pub kind: Vec<NodeType>,
    pub name: Vec<u32>,
    /// Bytes; [`u32::MAX`] sends to `large`.
    pub self_size: Vec<u32>,
    pub large: FxHashMap<u32, u64>,
}

/// The columns, and where each node's edges start: one entry more than there are nodes.
pub(super) fn parse(
    bytes: &[u8],
    array: &NumberArray,
    meta: &Meta,
    strings: usize,
) -> Result<(Nodes, Vec<u32>), Malformed> {
    let start = array.range.start;
    let cut = cut(bytes, array, meta.node_fields, "nodes")?;
    if cut.rows as u64 != meta.node_count {
        let found = format!("{} nodes", cut.rows);
        return Err(Malformed::new(
            start,
            format!("node_count = {} nodes", meta.node_count),
            found,
        ));
    }
    if cut.rows >= u32::MAX as usize {
        return Err(Malformed::new(
            start,
            "fewer than 4,294,967,295 nodes",
            cut.rows.to_string(),
        ));
    }
    let mut kind = vec![NodeType::Other; cut.rows];
    let mut name = vec![0_u32; cut.rows];
    let mut self_size = vec![0_u32; cut.rows];
    let mut edge_count = vec![0_u32; cut.rows + 1];
    let parts: Vec<_> = split(&mut kind, &cut.pieces)
        .into_iter()
        .zip(split(&mut name, &cut.pieces))
        .zip(split(&mut self_size, &cut.pieces))
        .zip(split(&mut edge_count[..cut.rows], &cut.pieces))
        .zip(&cut.pieces)
        .collect();
    let large: Vec<Vec<(u32, u64)>> = parts
        .into_par_iter()
        .map(|((((kind, name), self_size), edge_count), piece)| {
            let mut columns = Columns {
                meta,
                strings: strings as u64,
                first: piece.rows.start,
                kind,
                name,
                self_size,
                edge_count,
                large: Vec::new(),
            };
            let fields = [
                meta.node_type,
                meta.node_name,
                meta.node_self_size,
                meta.node_edge_count,
            ];
            // Places that are known when this is compiled need no looking up.
            if fields == IN_ORDER {
                let mut columns = InOrder(columns);
                rows::read(bytes, piece, meta.node_fields, &mut columns)?;
                return Ok(columns.0.large);
            }
            rows::read(bytes, piece, meta.node_fields, &mut columns)?;
            Ok(columns.large)
        })
        .collect::<Result<_, Malformed>>()?;
    let mut next = 0_u64;
    for count in &mut edge_count {
        let mine = u64::from(*count);
        *count = u32::try_from(next).unwrap_or(u32::MAX);
        next += mine;
    }
    if next != meta.edge_count || next >= u64::from(u32::MAX) {
        let found = format!("{next} edges counted by the nodes");
        return Err(Malformed::new(
            meta.offset,
            format!("edge_count = {} edges", meta.edge_count),
            found,
        ));
    }
    let large: FxHashMap<u32, u64> = large.into_iter().flatten().collect();
    // Sums of sizes are taken everywhere; an honest one is far from the largest number.
    let small = self_size.par_iter().with_min_len(65_536);
    let small = small.map(|&size| if size == u32::MAX { 0 } else { u64::from(size) });
    let total = u128::from(small.sum::<u64>()) + large.values().map(|&size| u128::from(size)).sum::<u128>();
    if total > MOST_BYTES {
        return Err(Malformed::new(
            start,
            format!("sizes that add up to at most {MOST_BYTES} bytes"),
            total.to_string(),
        ));
    }
    let nodes = Nodes {
        kind,
        name,
        self_size,
        large,
    };
    Ok((nodes, edge_count))
}

/// The part of the columns that one piece of the file fills.
struct Columns<'c> {
    meta: &'c Meta,
    strings: u64,
    /// The first node of the part.
    first: usize,
    kind: &'c mut [NodeType],
    name: &'c mut [u32],
    self_size: &'c mut [u32],
    edge_count: &'c mut [u32],
    large: Vec<(u32, u64)>,
}

impl Sink for Columns<'_> {
    #[inline]
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
        let meta = self.meta;
        let fields = [
            meta.node_type,
            meta.node_name,
            meta.node_self_size,
            meta.node_edge_count,
        ];
        self.take_fields(row, numbers, fields)
    }
}

/// Where all known writers have type, name, size and number of edges.
const IN_ORDER: [usize; 4] = [0, 1, 3, 4];

/// The columns of a file with the fields that all known writers have.
struct InOrder<'c>(Columns<'c>);

impl Sink for InOrder<'_> {
    #[inline(always)]
    fn take(&mut self, row: usize, numbers: &impl Row) -> Result<(), Malformed> {
        self.0.take_fields(row, numbers, IN_ORDER)
    }
}

impl Columns<'_> {
    #[inline(always)]
    fn take_fields(
        &mut self,
        row: usize,
        numbers: &impl Row,
        [node_type, node_name, self_size, edge_count]: [usize; 4],
    ) -> Result<(), Malformed> {
        let (kind, edges) = (numbers.number(node_type), numbers.number(edge_count));
        let (name, size) = numbers.pair(node_name, self_size);
        let known = usize::try_from(kind)
            .ok()
            .and_then(|kind| self.meta.node_types.get(kind));
        let (Some(&known), Ok(edge_count)) = (known, u32::try_from(edges)) else {
            return Err(self.bad(numbers.offset(), [kind, name, edges]));
        };
        if name >= self.strings {
            return Err(self.bad(numbers.offset(), [kind, name, edges]));
        }
        let narrow = u32::try_from(size).unwrap_or(u32::MAX);
        self.kind[row] = known;
        self.name[row] = name as u32;
        self.self_size[row] = narrow;
        self.edge_count[row] = edge_count;
        if narrow == u32::MAX {
            self.large.push(((self.first + row) as u32, size));
        }
        Ok(())
    }

    /// What is wrong with a row.
    #[cold]
    #[inline(never)]
    fn bad(&self, offset: usize, [kind, name, edges]: [u64; 3]) -> Malformed {
        let bad = |expected: String, found: u64| Malformed::new(offset, expected, found.to_string());
        let kinds = self.meta.node_types.len();
        if kind >= kinds as u64 {
            return bad(format!("a node type below {kinds}"), kind);
        }
        if name >= self.strings {
            return bad(format!("the number of a string below {}", self.strings), name);
        }
        bad("fewer than 4,294,967,296 edges".into(), edges)
    }
}
