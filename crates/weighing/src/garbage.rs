//! What nothing held any more at the capture.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Objects that nothing held at the capture and that no collection had taken yet. How much of it there is depends on when the
/// collector last ran, so it is in no other figure.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
pub struct Garbage {
    /// Objects.
    pub objects: u64,
    /// Their bytes inside the runtime's heap.
    pub bytes: u64,
    /// Their bytes outside of it.
    pub external: u64,
}

impl Garbage {
    /// Whether it is worth a line beside so many bytes: from one in a hundred on.
    #[must_use]
    pub fn matters(&self, beside: u64) -> bool {
        const SHARE: u64 = 100;
        let all = self.bytes.saturating_add(self.external);
        all > 0 && all.saturating_mul(SHARE) >= beside
    }
}
