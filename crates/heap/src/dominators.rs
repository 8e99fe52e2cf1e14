//! Who keeps what alive: the dominator tree of a heap.
//!
//! An object *dominates* another when every way from the roots to the other leads through it: without the first, the
//! second would go. Its *retained size* is what would go with it, its own bytes included.
//!
//! **Roots** are the rows that no other row refers to: what stands on stacks, in globals and in the runtime's own
//! lists is no row of a heap. A cycle that nothing outside of it refers to is held from somewhere, too, and no dump of
//! blocks says through which of its rows, so all of them are roots: what such a cycle holds is a lower bound. Weak
//! references keep nothing alive.
//!
//! The tree is found by the algorithm *semi-NCA* (L. Georgiadis, "Linear-Time Algorithms for Dominators and Related
//! Problems", 2005): semidominators with path compression, then each row's nearest ancestor that is not below its
//! semidominator. Everything is a column of 32 bits and nothing recurses: a list of a million links is as deep as it
//! is long.

use crate::{EdgeKind, Edges, NONE, ObjectId};

/// The number of the root above all roots.
const ABOVE: u32 = 0;

/// The dominator tree. Rows have numbers in the order in which a depth-first walk meets them, from 1; a row's dominator
/// has a smaller number than the row.
#[derive(Debug)]
pub struct Dominators {
    /// The row of each number; [`NONE`] for the root above all roots.
    row: Vec<ObjectId>,
    /// The number of each row.
    number: Vec<u32>,
    /// The number of each number's immediate dominator.
    above: Vec<u32>,
}

impl Dominators {
    /// The tree of a heap with so many rows. Takes time almost linear in the number of references, and 4 bytes for each
    /// of them and about 40 for each row while it works, 12 for each row afterwards.
    ///
    /// # Panics
    /// When there are 2³² − 1 rows or more, which no row number can name.
    #[must_use]
    pub fn new(rows: usize, edges: &Edges) -> Self {
        assert!(rows < NONE as usize, "a row number fits into 32 bits");
        let graph = Graph::new(rows, edges);
        let walk = Walk::new(&graph);
        let above = walk.dominators(&graph);
        Self {
            row: walk.row,
            number: walk.number,
            above,
        }
    }

    /// The object that every way to this one leads through, the nearest of them; `None` when there is none.
    #[must_use]
    pub fn immediate(&self, id: ObjectId) -> Option<ObjectId> {
        let number = *self.number.get(id as usize)?;
        let above = self.above[number as usize];
        (above != ABOVE).then(|| self.row[above as usize])
    }

    /// What would go with each row, by row, its own bytes included.
    pub fn retained(&self, bytes: impl Fn(ObjectId) -> u64) -> Vec<u64> {
        let by_number = self.by_number(&bytes);
        self.number
            .iter()
            .map(|&number| by_number[number as usize])
            .collect()
    }

    /// What the rows of each group hold: the sum of the retained sizes of those rows that no other row of their group
    /// dominates, so that nothing counts twice within a group. What two rows of a group hold together and neither
    /// holds alone is not in it, so it is a lower bound of what would go with the whole group.
    ///
    /// `group` gives each row's group, below `groups`; larger ones are none.
    pub fn retained_by_group(
        &self,
        groups: usize,
        group: impl Fn(ObjectId) -> u32,
        bytes: impl Fn(ObjectId) -> u64,
    ) -> Vec<u64> {
        let retained = self.by_number(&bytes);
        let (first, next) = self.children();
        let mut sums = vec![0; groups];
        // How many rows of each group dominate the place where the walk stands.
        let mut over = vec![0_u32; groups];
        let mut at = first[ABOVE as usize];
        while at != ABOVE {
            // Down, and in.
            let group_of = |number: u32| group(self.row[number as usize]) as usize;
            if let Some(over) = over.get_mut(group_of(at)) {
                if *over == 0 {
                    sums[group_of(at)] += retained[at as usize];
                }
                *over += 1;
            }
            if first[at as usize] != ABOVE {
                at = first[at as usize];
                continue;
            }
            // Out, and up until there is a neighbour.
            loop {
                if let Some(over) = over.get_mut(group_of(at)) {
                    *over -= 1;
                }
                if next[at as usize] != ABOVE {
                    at = next[at as usize];
                    break;
                }
                at = self.above[at as usize];
                if at == ABOVE {
                    break;
                }
            }
        }
        sums
    }

    fn by_number(&self, bytes: &impl Fn(ObjectId) -> u64) -> Vec<u64> {
        let own = self
            .row
            .iter()
            .map(|&row| if row == NONE { 0 } else { bytes(row) });
        let mut retained: Vec<u64> = own.collect();
        for number in (1..retained.len()).rev() {
            let above = self.above[number] as usize;
            retained[above] += retained[number];
        }
        retained
    }

    /// The first child of each number and its next neighbour, 0 where there is none.
    fn children(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![ABOVE; self.above.len()];
        let mut next = first.clone();
        for number in (1..self.above.len()).rev() {
            let above = self.above[number] as usize;
            next[number] = first[above];
            first[above] = number as u32;
        }
        (first, next)
    }
}

/// The references that keep something alive, in both directions.
struct Graph<'e> {
    edges: &'e Edges,
    rows: usize,
    /// Where each row's referrers start.
    starts: Vec<u32>,
    from: Vec<ObjectId>,
}

impl<'e> Graph<'e> {
    fn new(rows: usize, edges: &'e Edges) -> Self {
        let mut graph = Self {
            edges,
            rows,
            starts: vec![0; rows + 1],
            from: Vec::new(),
        };
        for from in 0..rows as ObjectId {
            for at in 0..edges.count(from) {
                if let Some(to) = graph.strong(from, at) {
                    graph.starts[to as usize + 1] += 1;
                }
            }
        }
        for row in 0..rows {
            graph.starts[row + 1] += graph.starts[row];
        }
        let mut from_column = vec![0; graph.starts[rows] as usize];
        // The starts serve as cursors, each ends where the next row starts, and all are moved back afterwards.
        for from in 0..rows as ObjectId {
            for at in 0..edges.count(from) {
                if let Some(to) = graph.strong(from, at) {
                    let cursor = &mut graph.starts[to as usize];
                    from_column[*cursor as usize] = from;
                    *cursor += 1;
                }
            }
        }
        graph.starts.copy_within(0..rows, 1);
        graph.starts[0] = 0;
        graph.from = from_column;
        graph
    }

    /// Where a reference leads, when it keeps another row alive.
    fn strong(&self, from: ObjectId, at: usize) -> Option<ObjectId> {
        let edge = self.edges.at(from, at);
        let counts = edge.via.kind() != EdgeKind::Weak && edge.to != from && (edge.to as usize) < self.rows;
        counts.then_some(edge.to)
    }

    fn referrers(&self, to: ObjectId) -> &[ObjectId] {
        let to = to as usize;
        &self.from[self.starts[to] as usize..self.starts[to + 1] as usize]
    }
}

/// Not met yet.
const UNMET: u32 = 0;

/// A depth-first walk from the roots over all rows.
struct Walk {
    row: Vec<ObjectId>,
    number: Vec<u32>,
    /// From which number each number was met first.
    parent: Vec<u32>,
    is_root: Vec<bool>,
    /// Rows on the way to where the walk stands, each with the place of its next reference.
    way: Vec<(ObjectId, u32)>,
}

impl Walk {
    fn new(graph: &Graph<'_>) -> Self {
        let mut walk = Self {
            row: Vec::with_capacity(graph.rows + 1),
            number: vec![UNMET; graph.rows],
            parent: Vec::with_capacity(graph.rows + 1),
            is_root: vec![false; graph.rows],
            way: Vec::new(),
        };
        walk.row.push(NONE);
        walk.parent.push(ABOVE);
        for row in 0..graph.rows as ObjectId {
            if graph.referrers(row).is_empty() {
                walk.is_root[row as usize] = true;
                walk.from(graph, row);
            }
        }
        if walk.row.len() <= graph.rows {
            walk.cycles(graph);
        }
        walk
    }

    /// Meets everything that can be reached from a root and was not met before.
    fn from(&mut self, graph: &Graph<'_>, root: ObjectId) {
        self.meet(root, ABOVE);
        while let Some((row, at)) = self.way.last_mut() {
            let (from, position) = (*row, *at as usize);
            if position == graph.edges.count(from) {
                self.way.pop();
                continue;
            }
            *at += 1;
            if let Some(to) = graph.strong(from, position)
                && self.number[to as usize] == UNMET
            {
                self.meet(to, self.number[from as usize]);
            }
        }
    }

    fn meet(&mut self, row: ObjectId, parent: u32) {
        self.number[row as usize] = self.row.len() as u32;
        self.row.push(row);
        self.parent.push(parent);
        self.way.push((row, 0));
    }

    /// Meets the rows that only cycles hold. Of a walk over them in any order, the row that ends last lies on a cycle
    /// that nothing outside refers to; the rows from which it can be reached are the other rows of that cycle.
    fn cycles(&mut self, graph: &Graph<'_>) {
        let mut cycle = Vec::new();
        for start in self.ends(graph).into_iter().rev() {
            if self.number[start as usize] != UNMET {
                continue;
            }
            self.is_root[start as usize] = true;
            cycle.push(start);
            while let Some(row) = cycle.pop() {
                for &referrer in graph.referrers(row) {
                    if !std::mem::replace(&mut self.is_root[referrer as usize], true) {
                        cycle.push(referrer);
                    }
                }
            }
            self.from(graph, start);
        }
    }

    /// The rows not met, in the order in which a walk over them alone ends with each.
    fn ends(&mut self, graph: &Graph<'_>) -> Vec<ObjectId> {
        let mut ends = Vec::with_capacity(graph.rows + 1 - self.row.len());
        let mut seen: Vec<bool> = self.number.iter().map(|&number| number != UNMET).collect();
        for start in 0..graph.rows as ObjectId {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            self.way.push((start, 0));
            while let Some((row, at)) = self.way.last_mut() {
                let (from, position) = (*row, *at as usize);
                if position == graph.edges.count(from) {
                    ends.push(from);
                    self.way.pop();
                    continue;
                }
                *at += 1;
                if let Some(to) = graph.strong(from, position)
                    && !std::mem::replace(&mut seen[to as usize], true)
                {
                    self.way.push((to, 0));
                }
            }
        }
        ends
    }

    /// The number of each number's immediate dominator.
    fn dominators(&self, graph: &Graph<'_>) -> Vec<u32> {
        let count = self.row.len();
        let mut forest = Forest {
            ancestor: self.parent.clone(),
            semi: (0..count as u32).collect(),
            label: (0..count as u32).collect(),
            path: Vec::new(),
        };
        for number in (1..count as u32).rev() {
            let row = self.row[number as usize];
            let mut semi = if self.is_root[row as usize] {
                ABOVE
            } else {
                self.parent[number as usize]
            };
            for &referrer in graph.referrers(row) {
                let label = forest.label(self.number[referrer as usize], number + 1);
                semi = semi.min(forest.semi[label as usize]);
            }
            forest.semi[number as usize] = semi;
        }
        let mut above = self.parent.clone();
        for number in 1..count {
            let mut candidate = above[number];
            while candidate > forest.semi[number] {
                candidate = above[candidate as usize];
            }
            above[number] = candidate;
        }
        above
    }
}

/// Paths of the walk's tree, compressed as they are asked for.
struct Forest {
    /// A number's parent, or one further up, all between them being accounted for in its label.
    ancestor: Vec<u32>,
    /// Semidominators, the number itself before it is known.
    semi: Vec<u32>,
    /// Of a number and what lies between it and its ancestor the number with the smallest semidominator.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// Of the numbers from `number` up the tree, as far as they are not below `linked`, the one with the smallest
    /// semidominator; the number itself when it is below.
    fn label(&mut self, number: u32, linked: u32) -> u32 {
        let mut top = number;
        while self.ancestor[top as usize] >= linked {
            self.path.push(top);
            top = self.ancestor[top as usize];
        }
        let mut best = self.label[top as usize];
        while let Some(below) = self.path.pop() {
            self.ancestor[below as usize] = self.ancestor[top as usize];
            let own = self.label[below as usize];
            if self.semi[best as usize] < self.semi[own as usize] {
                self.label[below as usize] = best;
            } else {
                best = own;
            }
            top = below;
        }
        best
    }
}

#[cfg(test)]
mod tests;
