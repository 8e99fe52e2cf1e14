//! How many references of the sorts that a program writes each object has.

use crate::{EdgeKind, Edges, ObjectId, Via};

/// Fields, slots and entries of one edge shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// References by a field.
    pub fields: u32,
    /// References by a slot with a number.
    pub elements: u32,
    /// References by the key of an entry.
    pub keys: u32,
    /// References by the value of an entry.
    pub values: u32,
}

impl Named {
    fn of(names: &[Via]) -> Self {
        let mut named = Self::default();
        for name in names {
            named.fields += u32::from(name.kind() == EdgeKind::Field);
            named.elements += u32::from(name.kind() == EdgeKind::Element);
            named.keys += u32::from(name.kind() == EdgeKind::Key);
            named.values += u32::from(name.kind() == EdgeKind::Value);
        }
        named
    }
}

/// What the edge shapes show, counted once for all objects that have one; nothing where each object has its own.
#[derive(Debug, Default)]
pub(crate) struct ByEdgeShape(Vec<Named>);

impl ByEdgeShape {
    pub(crate) fn of(edges: &Edges) -> Self {
        Self(if edges.are_shared() {
            edges.by_edge_shape(Named::of)
        } else {
            Vec::new()
        })
    }

    #[inline]
    pub(crate) fn named(&self, edges: &Edges, from: ObjectId) -> Named {
        if self.0.is_empty() || from as usize >= edges.objects() {
            return Named::of(edges.names(from));
        }
        self.0[edges.edge_shape(from) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeapBuilder;

    #[test]
    fn fields_and_slots_are_counted() {
        let mut heap = HeapBuilder::new();
        let x = heap.string("x");
        let record = heap.record("R", &[("a", x), ("b", x)]);
        heap.edge(record, EdgeKind::Element, 0, x)
            .edge(record, EdgeKind::Internal, 0, x);
        let heap = heap.build();
        let named = heap.named(record);
        assert_eq!((named.fields, named.elements), (2, 1));
        assert_eq!(heap.named(x), Named::default());
        assert_eq!(heap.named(u32::MAX), Named::default());
    }
}
