//! Two allocators, one for small requests on top of one for all others.

use deadweight_heap::{Allocator, Request};

use crate::Model;

/// Small blocks from one allocator, all others from the one under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped<S, L> {
    /// The name of both together.
    pub name: &'static str,
    /// The largest request that the small one serves; its blocks are no larger.
    pub up_to: u64,
    /// Serves requests up to there.
    pub small: S,
    /// Serves all others; its blocks are larger than `up_to`.
    pub large: L,
}

impl<S: Model, L: Model> Stepped<S, L> {
    fn step(&self, bytes: u64) -> &dyn Model {
        if bytes <= self.up_to {
            &self.small
        } else {
            &self.large
        }
    }
}

impl<S: Model, L: Model> Allocator for Stepped<S, L> {
    fn name(&self) -> &str {
        self.name
    }
    fn charge(&self, request: Request) -> u64 {
        self.step(request.bytes).charge(request)
    }
}

impl<S: Model, L: Model> Model for Stepped<S, L> {
    fn usable(&self, bytes: u64) -> u64 {
        self.step(bytes).usable(bytes)
    }
    fn charged_for_usable(&self, usable: u64) -> u64 {
        self.step(usable).charged_for_usable(usable)
    }
}
