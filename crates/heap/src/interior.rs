//! References that lead behind the beginning of an object.

use crate::{Edge, Heap, ObjectId, RankedRows, RowSet};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inside {
    /// The row that refers.
    pub from: ObjectId,
    /// Which of its references it is.
    pub place: u32,
    /// How many bytes behind the beginning of its target it leads.
    pub offset: u64,
}

/// All of a heap. Most runtimes have none, and need no memory for it.
#[derive(Debug)]
pub struct Interior {
    found: Vec<Inside>,
    /// The rows that have some, and where those of each start; one entry more than there are rows.
    rows: RankedRows,
    starts: Vec<u32>,
}

impl Default for Interior {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Interior {
    /// Takes what a reader found, in the order of rows and places.
    ///
    /// # Panics
    /// When they are in another order: a reader's mistake, never an input's.
    #[must_use]
    pub fn new(found: Vec<Inside>) -> Self {
        assert!(
            found.is_sorted(),
            "references are in the order of rows and places"
        );
        let rows = RowSet::none(found.last().map_or(0, |last| last.from as usize + 1));
        let mut starts = Vec::new();
        for (at, inside) in (0..).zip(&found) {
            if rows.insert(inside.from) {
                starts.push(at);
            }
        }
        starts.push(found.len() as u32);
        Self {
            found,
            rows: rows.ranked(),
            starts,
        }
    }

    /// Whether any reference leads behind the beginning of its target.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.found.is_empty()
    }

    /// Those of one row.
    #[must_use]
    pub fn of(&self, from: ObjectId) -> &[Inside] {
        let Some(rank) = self.rows.rank(from) else {
            return &[];
        };
        &self.found[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// How far behind the beginning of its target a reference leads.
    #[must_use]
    pub fn offset(&self, from: ObjectId, place: u32) -> u64 {
        let of_row = self.of(from);
        let at = of_row.binary_search_by_key(&place, |inside| inside.place);
        at.map_or(0, |at| of_row[at].offset)
    }
}

impl Heap {
    /// The references of a row, and how far behind the beginning of its target each leads.
    pub fn references_of(&self, from: ObjectId) -> impl Iterator<Item = (Edge, u64)> + '_ {
        let mut inside = self.interior.of(from).iter().peekable();
        (0..).zip(self.edges.of(from)).map(move |(place, edge)| {
            let offset = inside.next_if(|inside| inside.place == place);
            (edge, offset.map_or(0, |inside| inside.offset))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{EdgeKind, HeapBuilder};

    #[test]
    fn references_know_how_far_inside_they_lead() {
        let mut heap = HeapBuilder::new();
        let block = heap.block("pool", &[0; 64]);
        let first = heap.record("First", &[("start", block)]);
        let second = heap.record("Second", &[("start", block)]);
        heap.edge_inside(second, EdgeKind::Internal, 1, block, 24);
        heap.edge_inside(second, EdgeKind::Internal, 2, block, 8);
        let heap = heap.build();
        let to_block = |from| {
            let references = heap.references_of(from).filter(|(edge, _)| edge.to == block);
            references.map(|(_, offset)| offset).collect::<Vec<_>>()
        };
        assert_eq!(to_block(first), [0]);
        assert_eq!(to_block(second), [0, 24, 8]);
        let places = heap.places_of(&heap.row_set([block]), |_| true);
        let offsets: Vec<u64> = places.of(block).iter().map(|place| place.offset(&heap)).collect();
        assert_eq!(offsets, [0, 0, 24, 8]);
    }
}
