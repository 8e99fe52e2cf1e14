//! Lists, tuples, dictionaries, sets and the like: their room, their blocks, what stands in them.

use crate::classes::Class;
use crate::layout::{library, object};
use crate::raw::{Address, count, word};
use crate::row::flag;
use crate::sort::{Sort, Variant};
use crate::tables::{self, Dict, Set};
use crate::walk::Walk;

impl Walk {
    pub fn elements(&mut self, from: Address, items: usize) {
        for item in 0..items {
            // SAFETY: the object has so many items.
            let value = unsafe { word(from + item * 8) };
            let element = if value == 0 { 0 } else { self.row_of(value) + 1 };
            self.row.elements.push(element);
        }
    }

    pub fn tell_list(&mut self, at: Address) {
        // SAFETY: the object is a `list`.
        let (items, room, length) = unsafe {
            (
                word(at + object::LIST_ITEMS),
                word(at + object::LIST_ROOM),
                count(at).unsigned_abs(),
            )
        };
        self.row.tell(room as u64);
        self.block(items, room * 8);
        self.elements(items, length);
    }

    pub fn tell_tuple(&mut self, at: Address) {
        // SAFETY: the object is a `tuple`.
        let length = unsafe { count(at) }.unsigned_abs();
        if length == 0 {
            self.row.flags |= flag::SHARED;
        }
        self.elements(at + self.layout().tuple_items, length);
    }

    pub fn tell_dict(&mut self, at: Address, class: &Class) {
        let dict = Dict::read(self.layout(), at);
        let keys = dict.keys;
        let is_split = dict.values != 0;
        self.row.tell(dict.used as u64);
        self.row.tell(keys.room as u64);
        self.row.tell_byte(match (is_split, keys.only_texts) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        });
        if is_split {
            let row = self.keys_row(keys.at);
            self.row.others.push(row);
            if let Some((block, asked)) = tables::values_block(self.layout(), dict.values, &keys) {
                self.block(block, asked);
            }
        } else {
            self.block(keys.at, keys.size);
        }
        // The references of the interpreter's own table of texts do not count.
        if self.interned.is_some_and(|interned| interned.at == at) {
            self.row.flags |= flag::HIDDEN;
            return;
        }
        for entry in 0..keys.entries {
            let (key, value) = (keys.key(entry), dict.value(entry));
            if key != 0 && value != 0 {
                let pair = (self.row_of(key) + 1, self.row_of(value) + 1);
                self.row.entries.push(pair);
            }
        }
        if class.sort == Sort::OrderedDict {
            self.order_of_entries(at);
        }
    }

    /// The list in which an `OrderedDict` keeps the order of its entries.
    pub fn order_of_entries(&mut self, at: Address) {
        // SAFETY: the object is one; its nodes are linked up to 0.
        unsafe {
            let slots = word(at + library::ORDERED_NODES_SIZE);
            self.block(word(at + library::ORDERED_NODES), slots * 8);
            let mut node = word(at + library::ORDERED_FIRST);
            while node != 0 {
                self.block(node, library::ORDERED_NODE);
                self.other(word(node));
                node = word(node + library::ORDERED_NEXT);
            }
        }
    }

    pub fn tell_set(&mut self, at: Address, class: &Class) {
        let set = Set::read(at);
        self.row.tell(set.used as u64);
        self.row.tell(set.slots as u64);
        self.row.tell_byte(u8::from(class.variant == Variant::Frozen));
        if set.is_apart {
            self.block(set.table, set.bytes());
        }
        for item in set.items() {
            let element = self.row_of(item) + 1;
            self.row.elements.push(element);
        }
    }

    pub fn tell_deque(&mut self, at: Address) {
        // SAFETY: the object is a `deque`; its blocks are linked, and it has so many items from an index on.
        unsafe {
            let length = count(at).unsigned_abs();
            let mut index = word(at + library::DEQUE_LEFT_INDEX);
            let mut block = word(at + library::DEQUE_LEFT);
            let blocks = (index + length).div_ceil(library::DEQUE_SLOTS).max(1);
            self.row.tell((blocks * library::DEQUE_SLOTS) as u64);
            // One more than the longest it may get; -1 stands for any length.
            self.row
                .tell(word(at + library::DEQUE_LONGEST).wrapping_add(1) as u64);
            self.block(block, library::DEQUE_BLOCK);
            for _ in 0..length {
                if index == library::DEQUE_SLOTS {
                    block = word(block + library::DEQUE_NEXT);
                    index = 0;
                    self.block(block, library::DEQUE_BLOCK);
                }
                self.elements(block + library::DEQUE_ITEMS + index * 8, 1);
                index += 1;
            }
        }
    }
}
