//! The columns of nodes.

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
    /// Where each node's edges start; one entry more than there are nodes.
    pub first_edge: Vec<u32>,
}

pub(super) fn parse(
    bytes: &[u8],
    array: &NumberArray,
    meta: &Meta,
    strings: usize,
) -> Result<Nodes, Malformed> {
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
    let small = self_size.iter().filter(|&&size| size != u32::MAX);
    let total = small.map(|&size| u128::from(size)).sum::<u128>()
        + large.values().map(|&size| u128::from(size)).sum::<u128>();
    if total > MOST_BYTES {
        return Err(Malformed::new(
            start,
            format!("sizes that add up to at most {MOST_BYTES} bytes"),
            total.to_string(),
        ));
    }
    Ok(Nodes {
        kind,
        name,
        self_size,
        large,
        first_edge: edge_count,
    })
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
        let bad =
            |expected: String, found: u64| Err(Malformed::new(numbers.offset(), expected, found.to_string()));
        let kind = numbers.number(meta.node_type);
        let Some(&kind) = usize::try_from(kind)
            .ok()
            .and_then(|kind| meta.node_types.get(kind))
        else {
            return bad(format!("a node type below {}", meta.node_types.len()), kind);
        };
        let name = numbers.number(meta.node_name);
        if name >= self.strings {
            return bad(format!("the number of a string below {}", self.strings), name);
        }
        let edges = numbers.number(meta.node_edge_count);
        let Ok(edge_count) = u32::try_from(edges) else {
            return bad("fewer than 4,294,967,296 edges".into(), edges);
        };
        let size = numbers.number(meta.node_self_size);
        let narrow = u32::try_from(size).unwrap_or(u32::MAX);
        self.kind[row] = kind;
        self.name[row] = name as u32;
        self.self_size[row] = narrow;
        self.edge_count[row] = edge_count;
        if narrow == u32::MAX {
            self.large.push(((self.first + row) as u32, size));
        }
        Ok(())
    }
}
