//! Bytes, by where they are.

use serde::{Deserialize, Serialize};

/// Bytes inside and outside the runtime's heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Bytes {
    /// On the heap.
    pub held: i64,
    /// Outside.
    pub external: i64,
}

impl Bytes {
    /// Both.
    pub fn sum(self) -> i64 {
        self.held + self.external
    }
}

impl std::ops::Sub for Bytes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            held: self.held - other.held,
            external: self.external - other.external,
        }
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, bytes| Self {
            held: sum.held + bytes.held,
            external: sum.external + bytes.external,
        })
    }
}
