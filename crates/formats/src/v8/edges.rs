//! The columns of edges.

use std::ops::Range;

use deadweight_heap::Via;
use rayon::prelude::*;

use super::meta::{MAX_FIELDS, Meta};
use super::nodes::Nodes;
use super::numbers::{Numbers, cut, split};
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
    array: Range<usize>,
    meta: &Meta,
    nodes: &Nodes,
    strings: usize,
) -> Result<RawEdges, Malformed> {
    let start = array.start;
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
        let mut numbers = Numbers::of(bytes, piece)?;
        let mut fields = [0_u64; MAX_FIELDS];
        for (raw, to) in raw.iter_mut().zip(to) {
            let at = numbers.position();
            for field in &mut fields[..meta.edge_fields] {
                *field = numbers.next()?;
            }
            let bad = |expected: String, found: u64| Malformed::new(at, expected, found.to_string());
            let kind = *meta
                .edge_types
                .get(fields[meta.edge_type] as usize)
                .ok_or_else(|| {
                    bad(
                        format!("an edge type below {}", meta.edge_types.len()),
                        fields[meta.edge_type],
                    )
                })?;
            let name = fields[meta.edge_name];
            if !kind.has_index() && name >= strings as u64 {
                return Err(bad(format!("the number of a string below {strings}"), name));
            }
            let target = fields[meta.edge_to];
            if target >= node_numbers || target % meta.node_fields as u64 != 0 {
                let expected = format!(
                    "the place of a node: a multiple of {} below {node_numbers}",
                    meta.node_fields
                );
                return Err(bad(expected, target));
            }
            *raw = Via(((kind as u32) << 29) | (name.min(u64::from(Via::MAX_NAME)) as u32));
            *to = (target / meta.node_fields as u64) as u32;
        }
        Ok(())
    })?;
    Ok(RawEdges { raw, to })
}
