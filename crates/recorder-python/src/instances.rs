//! Instances of classes: where their attributes stand, by version.

use crate::classes::{Class, dictionary_place};
use crate::layout::class;
use crate::raw::{Address, byte, count, word};
use crate::sort::Sort;
use crate::tables::{self, Keys, VALUES_HEADER};
use crate::walk::Walk;

impl Walk {
    /// Where values of attributes stand within an object, and for how many there is room.
    pub fn inline_values(&self, at: Address, class: &Class) -> Option<(Address, usize)> {
        if self.layout().minor < 13 || class.flags & class::INLINE_VALUES == 0 {
            return None;
        }
        let start = at + class.basic_size;
        // SAFETY: an object of such a type has them behind its fields.
        Some((start + VALUES_HEADER, usize::from(unsafe { byte(start) })))
    }

    pub fn tell_instance(&mut self, at: Address, class: &Class) {
        self.classes.note_weakly(at, class);
        let dictionary = self.own_dictionary(at, class);
        let values = if dictionary == 0 {
            self.values(at, class)
        } else {
            None
        };
        let (room, form) = match (dictionary, values, self.inline_values(at, class)) {
            (1.., ..) => (0, 3),
            (_, Some((_, room)), Some(_)) => (room, 1),
            (_, Some((_, room)), None) => (room, 2),
            _ => (0, 0),
        };
        self.row.tell(room as u64);
        self.row.tell_byte(form);
        self.tell_values(values, class);
    }

    /// Attributes that stand in an array for the keys of the type.
    pub fn tell_values(&mut self, values: Option<(Address, usize)>, class: &Class) {
        let Some((values, room)) = values else { return };
        let keys = Keys::read(self.layout(), class.keys);
        for entry in 0..keys.entries.min(room) {
            // SAFETY: there is a place for each key.
            let value = unsafe { word(values + entry * 8) };
            if value == 0 {
                continue;
            }
            if let Some(name) = self.names.of_object(&self.texts, keys.key(entry)) {
                self.add(name, value);
            } else {
                self.other(value);
            }
        }
    }

    /// The array of values for shared keys, in an object or a block of its own, and for how many there is room.
    pub fn values(&mut self, at: Address, class: &Class) -> Option<(Address, usize)> {
        if class.flags & class::MANAGED_DICTIONARY == 0 || class.keys == 0 {
            return None;
        }
        // SAFETY: what stands before an object of such a type.
        let found = unsafe {
            match self.layout().minor {
                11 => word(at - 32),
                12 => Some(word(at - 24))
                    .filter(|tagged| tagged & 1 == 1)
                    .map_or(0, |tagged| tagged + 1),
                13.. => {
                    let (values, room) = self.inline_values(at, class)?;
                    // They are valid until a dictionary takes them over.
                    return (byte(values - VALUES_HEADER + 3) != 0).then_some((values, room));
                }
                _ => 0,
            }
        };
        if found == 0 {
            return None;
        }
        let keys = Keys::read(self.layout(), class.keys);
        if let Some((block, asked)) = tables::values_block(self.layout(), found, &keys) {
            self.block(block, asked);
        }
        Some((found, keys.room))
    }

    /// The dictionary of an object's attributes; 0 where there is none.
    pub fn own_dictionary(&self, at: Address, class: &Class) -> Address {
        if class.flags & class::MANAGED_DICTIONARY != 0 {
            // SAFETY: what stands before an object of such a type.
            let found = unsafe { word(at - 24) };
            return if self.layout().minor == 12 && found & 1 == 1 {
                0
            } else {
                found
            };
        }
        let items = match class.sort {
            Sort::Int => self.digits(at),
            // SAFETY: objects whose length varies have their count there.
            _ if class.item_size > 0 => unsafe { count(at) }.unsigned_abs(),
            _ => 0,
        };
        // SAFETY: the type says that there is a reference.
        dictionary_place(at, class, items).map_or(0, |place| unsafe { word(place) })
    }

    /// An object's dictionary, and for what is no plain instance the values beside it.
    pub fn dictionary(&mut self, at: Address, class: &Class) {
        if class.sort == Sort::Type {
            return;
        }
        let dictionary = self.own_dictionary(at, class);
        if dictionary != 0 {
            // A member or a function's field may be the same place.
            if !self.named.contains(&dictionary) {
                let name = self.names.of(b"__dict__");
                self.add(name, dictionary);
            }
        } else if class.sort != Sort::Instance {
            let values = self.values(at, class);
            self.tell_values(values, class);
        }
    }
}
