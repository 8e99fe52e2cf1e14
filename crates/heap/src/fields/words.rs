//! Rows that stand for the absence of a value, and for truth values.

use crate::{Heap, ObjectId, TypeId};

/// What the names of types say of rows without a value of their own.
pub(super) struct Words(Vec<Word>);

#[derive(Clone, Copy)]
pub(super) enum Word {
    Nothing,
    Truth,
    Other,
}

impl Words {
    pub(super) fn of(heap: &Heap) -> Self {
        let word = |ty| match heap.types.name(ty) {
            _ if heap.types.is_absent(ty) => Word::Nothing,
            "null" | "undefined" | "nil" => Word::Nothing,
            "true" | "false" => Word::Truth,
            _ => Word::Other,
        };
        Self((0..heap.types.len() as TypeId).map(word).collect())
    }

    pub(super) fn word(&self, heap: &Heap, id: ObjectId) -> Word {
        let ty = heap.objects.label[id as usize] as usize;
        self.0.get(ty).copied().unwrap_or(Word::Other)
    }
}
