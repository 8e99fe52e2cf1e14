//! What a line or a function makes, by type.

use std::collections::BTreeMap;

use deadweight_weighing::AllocatedAt;

/// Sampled figures of the same are this many times as far apart as each is sure, at most.
const SURE: f64 = 1.5;

/// Figures of every object that are this close are the same.
const SAME: f64 = 0.01;

/// Bytes and objects of one type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allocated {
    pub(super) bytes: f64,
    /// Objects; none when they were not counted.
    pub(super) count: Option<f64>,
    /// The square of what sampling leaves open, in bytes squared.
    pub(super) open: f64,
}

impl Allocated {
    pub(super) fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.open += other.open;
        self.count = match (self.count, other.count) {
            (Some(a), Some(b)) => Some(a + b),
            (one, None) | (None, one) => one,
        };
    }
}

/// By type.
#[derive(Clone, Debug, Default)]
pub(super) struct Bag {
    pub(super) types: BTreeMap<String, Allocated>,
}

impl Bag {
    pub(super) fn add(&mut self, at: &AllocatedAt, scale: f64) {
        let allocated = Allocated {
            bytes: at.bytes as f64 * scale,
            count: at.count.map(|count| count as f64 * scale),
            open: (at.margin as f64 * scale).powi(2),
        };
        self.types.entry(at.holds.clone()).or_default().add(allocated);
    }

    pub(super) fn take(&mut self, other: &Self) {
        for (holds, &allocated) in &other.types {
            self.types.entry(holds.clone()).or_default().add(allocated);
        }
    }

    pub(super) fn bytes(&self) -> f64 {
        self.types.values().map(|allocated| allocated.bytes).sum()
    }

    fn open(&self) -> f64 {
        self.types.values().map(|allocated| allocated.open).sum()
    }

    /// Bytes that both make of the same types.
    pub(super) fn common(&self, other: &Self) -> f64 {
        let common = self.types.iter().filter_map(|(holds, allocated)| {
            let there = other.types.get(holds)?;
            Some(allocated.bytes.min(there.bytes))
        });
        common.sum()
    }

    /// From 0 for nothing in common to 1 for the same.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let most = self.bytes().max(other.bytes());
        if most > 0.0 {
            self.common(other) / most
        } else {
            0.0
        }
    }

    /// What this makes more than another, type by type.
    pub(super) fn beyond(&self, other: &Self) -> Self {
        let mut beyond = Self::default();
        for (holds, allocated) in &self.types {
            let less = other.types.get(holds).copied().unwrap_or_default();
            let bytes = allocated.bytes - less.bytes;
            if bytes > 0.0 {
                let left = Allocated {
                    bytes,
                    count: allocated.count.map(|count| count - less.count.unwrap_or(0.0)),
                    open: allocated.open + less.open,
                };
                beyond.types.insert(holds.clone(), left);
            }
        }
        beyond
    }

    /// Whether both make the same, as far as the figures show.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let apart = self.bytes() + other.bytes() - 2.0 * self.common(other);
        let sure = SURE * (self.open() + other.open()).sqrt();
        self.common(other) > 0.0 && apart <= (SAME * self.bytes().max(other.bytes())).max(sure)
    }
}
