//! References gathered while they are read, equal lists of them once.

use rayon::prelude::*;

use crate::adjacency::{Adjacency, AdjacencyList};
use crate::edge_shapes::EdgeShapes;
use crate::edges::Edges;
use crate::{ObjectId, Via};

/// Places that are looked at for an equal list. What is not found there is kept a second time.
const PROBES: usize = 4;

/// Nothing there.
const EMPTY: u32 = u32::MAX;

/// The references of objects that stand side by side, gathered by one thread.
///
/// Equal edge shapes are kept once, and so are equal adjacency lists. What is found equal
/// depends on the objects of the piece alone, never on other threads.
#[derive(Debug)]
pub struct Gathered<'t> {
    to: Targets<'t>,
    /// Where the targets of the piece start in the column of targets.
    start: usize,
    via: Vec<Via>,
    /// Where each edge shape starts; one entry more than there are shapes.
    shapes: Vec<u32>,
    by_names: Box<[u32]>,
    adjacency: Vec<AdjacencyList>,
    by_targets: Box<[u32]>,
    /// The adjacency list of each object.
    of: &'t mut [u32],
    objects: usize,
}

/// The targets of a piece.
#[derive(Debug)]
enum Targets<'t> {
    /// A part of the column of targets, with room for all targets of the piece. The number says how many places are taken.
    Room(&'t mut [ObjectId], usize),
    /// In a column of their own.
    Own(Vec<ObjectId>),
}

impl Targets<'_> {
    fn taken(&self) -> &[ObjectId] {
        match self {
            Self::Room(room, taken) => &room[..*taken],
            Self::Own(own) => own,
        }
    }

    fn extend(&mut self, targets: &[ObjectId]) {
        match self {
            Self::Room(room, taken) => {
                let end = *taken + targets.len();
                room[*taken..end].copy_from_slice(targets);
                *taken = end;
            }
            Self::Own(own) => own.extend_from_slice(targets),
        }
    }
}

impl<'t> Gathered<'t> {
    /// Slots of the two tables: so few that they stay at hand.
    const NAMES: usize = 1 << 10;
    const TARGETS: usize = 1 << 11;

    /// Gathers the references of as many objects as `of` has room for; `to` is the room for their targets, which
    /// starts at `start` in the column of targets.
    #[must_use]
    pub fn new(of: &'t mut [u32], to: &'t mut [ObjectId], start: usize) -> Self {
        Self::with(of, Targets::Room(to, 0), start)
    }

    /// The same for a reader that does not know how many targets there will be: they have a column of their own.
    #[must_use]
    pub fn growing(of: &'t mut [u32]) -> Self {
        Self::with(of, Targets::Own(Vec::new()), 0)
    }

    fn with(of: &'t mut [u32], to: Targets<'t>, start: usize) -> Self {
        let none = |slots: usize| vec![EMPTY; slots].into_boxed_slice();
        Self {
            to,
            start,
            via: Vec::new(),
            shapes: vec![0],
            by_names: none(Self::NAMES),
            adjacency: Vec::new(),
            by_targets: none(Self::TARGETS),
            of,
            objects: 0,
        }
    }

    /// Adds the references of the next object.
    ///
    /// # Panics
    /// When there is no room for it, or a reference has no name.
    pub fn push(&mut self, names: &[Via], targets: &[ObjectId]) {
        assert_eq!(names.len(), targets.len(), "an edge has a name and a target");
        let shape = self.edge_shape(names);
        self.of[self.objects] = self.adjacency(shape, targets);
        self.objects += 1;
    }

    fn edge_shape(&mut self, names: &[Via]) -> u32 {
        let hash = sample(names.len() as u64, names.len(), |at| names[at].0);
        for probe in 0..PROBES {
            let slot = (hash as usize + probe) % Self::NAMES;
            let shape = self.by_names[slot];
            if shape == EMPTY {
                self.by_names[slot] = self.shapes.len() as u32 - 1;
                break;
            }
            let known = self.shapes[shape as usize] as usize..self.shapes[shape as usize + 1] as usize;
            if self.via[known] == *names {
                return shape;
            }
        }
        self.via.extend(names);
        self.shapes.push(self.via.len() as u32);
        self.shapes.len() as u32 - 2
    }

    fn adjacency(&mut self, shape: u32, targets: &[ObjectId]) -> u32 {
        let hash = sample(u64::from(shape), targets.len(), |at| targets[at]);
        let new = self.adjacency.len() as u32;
        for probe in 0..PROBES {
            let slot = (hash as usize + probe) % Self::TARGETS;
            let list = self.by_targets[slot];
            if list == EMPTY {
                self.by_targets[slot] = new;
                break;
            }
            let known = self.adjacency[list as usize];
            let at = known.to as usize - self.start;
            if known.shape == shape && self.to.taken()[at..at + targets.len()] == *targets {
                return list;
            }
            if probe + 1 == PROBES {
                // Those met last are met again.
                self.by_targets[hash as usize % Self::TARGETS] = new;
            }
        }
        self.adjacency.push(AdjacencyList {
            to: (self.start + self.to.taken().len()) as u32,
            shape,
        });
        self.to.extend(targets);
        new
    }

    /// What was gathered.
    #[must_use]
    pub fn finish(self) -> GatheredPiece {
        self.finish_with_targets().0
    }

    /// The same with the column of targets, which is empty where these stand in another.
    #[must_use]
    pub fn finish_with_targets(self) -> (GatheredPiece, Vec<ObjectId>) {
        let to = match self.to {
            Targets::Room(..) => Vec::new(),
            Targets::Own(own) => own,
        };
        let piece = GatheredPiece {
            objects: self.objects,
            adjacency: self.adjacency,
            shapes: self.shapes,
            via: self.via,
        };
        (piece, to)
    }
}

/// A hash of a few of the numbers: that lists are equal is found by comparing them.
#[inline]
fn sample(seed: u64, len: usize, number: impl Fn(usize) -> u32) -> u64 {
    let mut hash = seed;
    let mut mix = |at: usize| {
        hash = (hash.rotate_left(5) ^ u64::from(number(at))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    };
    match len {
        0 => {}
        1 => mix(0),
        _ => [0, 1, len / 2, len - 1].into_iter().for_each(&mut mix),
    }
    hash >> 40
}

/// What one thread gathered.
#[derive(Debug)]
pub struct GatheredPiece {
    objects: usize,
    adjacency: Vec<AdjacencyList>,
    shapes: Vec<u32>,
    via: Vec<Via>,
}

impl GatheredPiece {
    /// Moves the start of its targets so many places further in the column of targets.
    ///
    /// # Panics
    /// When there are more references than four bytes number.
    pub fn move_by(&mut self, places: usize) {
        let places = u32::try_from(places).expect("as many references as four bytes number");
        for list in &mut self.adjacency {
            list.to += places;
        }
    }

    /// The number of each edge shape among those of all pieces.
    fn number(&self, all: &mut EdgeShapes) -> Vec<u32> {
        let names = self.shapes.windows(2);
        names
            .map(|ends| all.number(&self.via[ends[0] as usize..ends[1] as usize]))
            .collect()
    }
}

impl Edges {
    /// Joins what threads gathered. `of` is the list of each object as its piece numbers it, `to` the column of
    /// targets, in which room that no piece needed stays empty: nobody wrote to it, so that it takes no memory. Each piece
    /// comes with its first object; objects in no piece have their names and the start of their targets in `others`.
    /// `len` is the number of references of all objects.
    #[must_use]
    pub fn join(
        mut of: Vec<u32>,
        to: Vec<ObjectId>,
        pieces: Vec<(usize, GatheredPiece)>,
        others: Vec<(ObjectId, usize, Vec<Via>)>,
        len: usize,
    ) -> Self {
        let mut adjacency = Vec::with_capacity(
            pieces
                .iter()
                .map(|(_, piece)| piece.adjacency.len())
                .sum::<usize>()
                + others.len(),
        );
        let mut all = EdgeShapes::new(vec![0], Vec::new());
        let mut rest = of.as_mut_slice();
        let mut column = 0;
        let mut parts = Vec::with_capacity(pieces.len());
        for (first, piece) in pieces {
            let names = piece.number(&mut all);
            let (part, after) = rest[first - column..].split_at_mut(piece.objects);
            parts.push((part, adjacency.len() as u32));
            rest = after;
            column = first + piece.objects;
            adjacency.extend(piece.adjacency.iter().map(|list| AdjacencyList {
                shape: names[list.shape as usize],
                ..*list
            }));
        }
        parts.into_par_iter().for_each(|(part, before)| {
            for list in part {
                *list += before;
            }
        });
        for (object, start, names) in others {
            of[object as usize] = adjacency.len() as u32;
            adjacency.push(AdjacencyList {
                to: start as u32,
                shape: all.number(&names),
            });
        }
        if adjacency.is_empty() {
            adjacency.push(AdjacencyList {
                to: 0,
                shape: all.number(&[]),
            });
        }
        let (shapes, via) = all.finish();
        Self::from_adjacency(
            Adjacency::Shared {
                of,
                adjacency,
                shapes,
            },
            via,
            to,
            len,
        )
    }
}

#[cfg(test)]
mod tests;
