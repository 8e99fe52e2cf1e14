//! The columns of nodes.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::meta::{MAX_FIELDS, Meta, NodeType};
use super::numbers::{Numbers, cut, split};
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
    array: Range<usize>,
    meta: &Meta,
    strings: usize,
) -> Result<Nodes, Malformed> {
    let start = array.start;
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
            let mut numbers = Numbers::of(bytes, piece)?;
            let mut large = Vec::new();
            let mut fields = [0_u64; MAX_FIELDS];
            for row in 0..kind.len() {
                let at = numbers.position();
                for field in &mut fields[..meta.node_fields] {
                    *field = numbers.next()?;
                }
                let bad = |expected: String, found: u64| Malformed::new(at, expected, found.to_string());
                kind[row] = *meta
                    .node_types
                    .get(fields[meta.node_type] as usize)
                    .ok_or_else(|| {
                        bad(
                            format!("a node type below {}", meta.node_types.len()),
                            fields[meta.node_type],
                        )
                    })?;
                if fields[meta.node_name] >= strings as u64 {
                    return Err(bad(
                        format!("the number of a string below {strings}"),
                        fields[meta.node_name],
                    ));
                }
                name[row] = fields[meta.node_name] as u32;
                let size = fields[meta.node_self_size];
                self_size[row] = u32::try_from(size).unwrap_or(u32::MAX);
                if self_size[row] == u32::MAX {
                    large.push(((piece.rows.start + row) as u32, size));
                }
                edge_count[row] = u32::try_from(fields[meta.node_edge_count]).map_err(|_| {
                    bad(
                        "fewer than 4,294,967,296 edges".into(),
                        fields[meta.node_edge_count],
                    )
                })?;
            }
            Ok(large)
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
