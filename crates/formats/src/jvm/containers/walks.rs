//! Ways through the arrays, nodes and entries of a container.

use crate::jvm::classes::{Class, signed};
use crate::jvm::decode::{Dump, Row};
use crate::jvm::known::Role;
use crate::jvm::sorts::Sort;

/// What a list of arrays is made of.
#[derive(Clone, Copy)]
pub(in crate::jvm) enum Piece {
    /// An array, and what it is within.
    Array(u32, u32),
    Element(Option<u32>),
}

/// An instance that has all its fields.
#[derive(Clone, Copy)]
pub(in crate::jvm) struct Instance<'d> {
    pub(in crate::jvm) row: u32,
    pub(in crate::jvm) class: &'d Class,
    pub(in crate::jvm) at: usize,
}

impl<'d> Dump<'d> {
    pub(in crate::jvm) fn instance(&self, row: u32) -> Option<Instance<'d>> {
        let class = self.whole_class(row)?;
        let at = self.fields_at(row);
        Some(Instance { row, class, at })
    }

    /// An instance of a class with a role.
    pub(in crate::jvm) fn instance_of(&self, row: u32, role: Role) -> Option<Instance<'d>> {
        self.is(row, role).then(|| self.instance(row)).flatten()
    }

    /// What a field that the role names refers to.
    pub(in crate::jvm) fn slot(&self, of: Instance<'_>, slot: usize) -> Option<u32> {
        self.target(of.at + of.class.slots[slot]? as usize)
    }

    /// A count in a field that the role names.
    pub(in crate::jvm) fn count(&self, of: Instance<'_>, slot: usize) -> Option<u32> {
        let at = of.at + of.class.slots[slot]? as usize;
        let count = signed(self.bytes.get(at..at + 4)?);
        u32::try_from(count).ok()
    }

    /// Place and length of an array of references.
    pub(in crate::jvm) fn objects(&self, row: u32) -> Option<(usize, u32)> {
        match self.row(row) {
            Row::Objects { at, count, .. } => Some((at, count)),
            _ => None,
        }
    }

    /// Slots of an array, whatever it is of.
    pub(in crate::jvm) fn room(&self, row: u32) -> Option<u32> {
        match self.row(row) {
            Row::Objects { count, .. } | Row::Numbers { count, .. } => Some(count),
            _ => None,
        }
    }

    /// The arrays of a table that stand beside that of its keys: its values first.
    pub(in crate::jvm) fn beside_keys(&self, of: Instance<'_>) -> impl Iterator<Item = u32> {
        let slots = (2..of.class.slots.len()).filter_map(move |slot| self.slot(of, slot));
        slots.filter(|&array| self.room(array).is_some())
    }

    /// The array of a list or a table of another library. Lists of the JDK have references.
    pub(super) fn store(&self, of: Instance<'_>) -> Option<u32> {
        let store = self.slot(of, 0)?;
        let is_array = match self.sorts.get(store) {
            Sort::Objects(_) => true,
            Sort::Numbers(_) | Sort::NumbersWithout(_) => of.class.is_foreign(),
            _ => false,
        };
        is_array.then_some(store)
    }

    /// What an array's slot refers to.
    #[inline]
    pub(in crate::jvm) fn element(&self, at: usize, slot: u32) -> Option<u32> {
        self.target(at + slot as usize * self.id_bytes)
    }

    /// Shows `found` the nodes of a hash table, chain by chain, each as long as it says so.
    pub(in crate::jvm) fn each_node(&self, store: u32, mut found: impl FnMut(Instance<'d>) -> bool) {
        let Some((at, count)) = self.objects(store) else {
            return;
        };
        for slot in 0..count {
            self.each_in_chain(self.element(at, slot), &mut found);
        }
    }

    /// Shows `found` the arrays of a list of arrays, each with what it is within, and in the order of the list what stands in
    /// the innermost: slots without anything, too. What is within an array that is refused is not shown.
    pub(in crate::jvm) fn each_nested(&self, of: Instance<'_>, found: &mut impl FnMut(Piece) -> bool) {
        let depths = &self.classes.known.get(of.class.known).depths;
        for (slot, &depth) in depths.iter().enumerate() {
            if let Some(array) = self.slot(of, slot) {
                self.each_within(array, of.row, depth, found);
            }
        }
    }

    /// How many arrays stand around the elements of an array that a list of arrays refers to.
    pub(in crate::jvm) fn depth(&self, of: Instance<'_>, array: u32) -> Option<u8> {
        let depths = &self.classes.known.get(of.class.known).depths;
        let at = (0..depths.len()).find(|&slot| self.slot(of, slot) == Some(array))?;
        Some(depths[at])
    }

    fn each_within(&self, array: u32, within: u32, depth: u8, found: &mut impl FnMut(Piece) -> bool) {
        // Lists without some of their arrays share one that is empty.
        let Some((at, count)) = self.objects(array).filter(|&(_, count)| count > 0) else {
            return;
        };
        if !found(Piece::Array(array, within)) {
            return;
        }
        for slot in 0..count {
            let element = self.element(at, slot);
            if depth <= 1 {
                found(Piece::Element(element));
            } else if let Some(inner) = element {
                self.each_within(inner, array, depth - 1, found);
            }
        }
    }

    /// The same for the nodes from one on.
    pub(in crate::jvm) fn each_in_chain(
        &self,
        first: Option<u32>,
        found: &mut impl FnMut(Instance<'d>) -> bool,
    ) {
        let mut next = first;
        while let Some(node) = next.and_then(|row| self.instance_of(row, Role::Node)) {
            if !found(node) {
                break;
            }
            // Nothing but the first has another way to it than the chain, so that a ring of a broken file has that.
            next = self.slot(node, 2).filter(|&next| Some(next) != first);
        }
    }

    /// The same for the rows of the index of a list with shortcuts, from the highest one on.
    pub(in crate::jvm) fn each_in_index(
        &self,
        of: Instance<'_>,
        found: &mut impl FnMut(Instance<'d>) -> bool,
    ) {
        /// More rows above one another than any index has.
        const HIGHEST: usize = 64;
        let below = |&row: &u32| self.slot(self.instance_of(row, Role::Node)?, 3);
        for row in std::iter::successors(self.slot(of, 0), below).take(HIGHEST) {
            self.each_in_chain(Some(row), found);
        }
    }

    /// The first node of such a list, which has no entry.
    pub(in crate::jvm) fn first_of_index(&self, of: Instance<'_>) -> Option<u32> {
        let highest = self.instance_of(self.slot(of, 0)?, Role::Node)?;
        self.slot(highest, 0)
    }

    /// Whether a node of such a list has an entry that was not taken out.
    pub(in crate::jvm) fn has_entry(&self, node: Instance<'_>) -> bool {
        let has = |slot: usize| node.class.slots[slot].is_none() || self.slot(node, slot).is_some();
        has(0) && has(1)
    }

    /// The same for the entries of a tree.
    pub(in crate::jvm) fn each_in_tree(
        &self,
        root: Option<u32>,
        found: &mut impl FnMut(Instance<'d>) -> bool,
    ) {
        let mut next: Vec<u32> = root.into_iter().collect();
        while let Some(row) = next.pop() {
            let entry = self.instance_of(row, Role::Node);
            if let Some(entry) = entry.filter(|&entry| found(entry)) {
                next.extend([3, 2].into_iter().filter_map(|slot| self.slot(entry, slot)));
            }
        }
    }
}
