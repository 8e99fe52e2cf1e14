//! What a row's sub-record says, read again whenever someone asks.

use super::addresses::Addresses;
use super::classes::{Class, Classes};
use super::cursor::{type_bytes, word_at};
use super::known::Role;
use super::sorts::{Sort, Sorts};

/// One row. Places are in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// A class, with its number.
    Class(u32),
    Instance {
        class: u32,
        bytes: usize,
    },
    Objects {
        class: u32,
        at: usize,
        count: u32,
    },
    /// Numbers of a type, without a place where the file does not have them.
    Numbers {
        ty: u8,
        at: Option<usize>,
        count: u32,
    },
}

/// All rows of a file.
pub(super) struct Dump<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) id_bytes: usize,
    pub(super) addresses: &'a Addresses,
    pub(super) classes: &'a Classes,
    pub(super) sorts: &'a Sorts,
}

impl<'d> Dump<'d> {
    /// The class of an instance that has all its fields. What a row is needs no look at the file.
    #[inline]
    pub(super) fn whole_class(&self, row: u32) -> Option<&'d Class> {
        match self.sorts.get(row) {
            Sort::Instance(class) => Some(&self.classes.all[class as usize]),
            _ => None,
        }
    }
}

impl Dump<'_> {
    pub(super) fn rows(&self) -> u32 {
        self.addresses.len() as u32
    }

    /// The id at a place, 0 beyond the end.
    #[inline]
    pub(super) fn id(&self, at: usize) -> u64 {
        word_at(self.bytes, at, self.id_bytes)
    }

    /// The row that a reference at a place leads to.
    #[inline]
    pub(super) fn target(&self, at: usize) -> Option<u32> {
        match self.id(at) {
            0 => None,
            id => self.addresses.row(id),
        }
    }

    fn u4(&self, at: usize) -> u32 {
        word_at(self.bytes, at, 4) as u32
    }

    /// A number of a type at a place, as the bits it has there.
    pub(super) fn number(&self, ty: u8, at: usize) -> u64 {
        let bytes = type_bytes(ty, self.id_bytes).unwrap_or(0);
        word_at(self.bytes, at, bytes)
    }

    #[inline]
    pub(super) fn row(&self, row: u32) -> Row {
        let at = self.addresses.at(row);
        let id = self.id_bytes;
        match self.sorts.get(row) {
            Sort::Instance(class) => Row::Instance {
                class,
                bytes: self.classes.all[class as usize].bytes as usize,
            },
            Sort::Odd(class) => Row::Instance {
                class,
                bytes: self.u4(at + 5 + 2 * id) as usize,
            },
            Sort::Objects(class) => Row::Objects {
                class,
                at: at + 9 + 2 * id,
                count: self.u4(at + 5 + id),
            },
            Sort::Class(class) => Row::Class(class),
            Sort::Numbers(ty) => Row::Numbers {
                ty,
                at: Some(at + 10 + id),
                count: self.u4(at + 5 + id),
            },
            Sort::NumbersWithout(ty) => Row::Numbers {
                ty,
                at: None,
                count: self.u4(at + 5 + id),
            },
        }
    }

    /// Where the fields of an instance stand.
    #[inline]
    pub(super) fn fields_at(&self, row: u32) -> usize {
        self.addresses.at(row) + 9 + 2 * self.id_bytes
    }

    /// The id of a row.
    pub(super) fn id_of(&self, row: u32) -> u64 {
        self.id(self.addresses.at(row) + 1)
    }

    /// Whether a row is an instance with all its fields, of a class with a role.
    #[inline]
    pub(super) fn is(&self, row: u32, role: Role) -> bool {
        self.whole_class(row).is_some_and(|class| class.role == role)
    }

    /// The class of an instance or of an array of references.
    #[inline]
    pub(super) fn class_of(&self, row: u32) -> Option<u32> {
        match self.sorts.get(row) {
            Sort::Instance(class) | Sort::Odd(class) | Sort::Objects(class) => Some(class),
            Sort::Class(_) | Sort::Numbers(_) | Sort::NumbersWithout(_) => None,
        }
    }

    /// Whether a row is an array of numbers.
    #[inline]
    pub(super) fn is_of_numbers(&self, row: u32) -> bool {
        matches!(self.sorts.get(row), Sort::Numbers(_) | Sort::NumbersWithout(_))
    }

    /// Shows `found` what an instance, an array or a class refers to: by which of its class's references or slots.
    #[inline]
    pub(super) fn each_target(&self, row: u32, mut found: impl FnMut(u32)) {
        match self.sorts.get(row) {
            Sort::Instance(class) => {
                let at = self.fields_at(row);
                for reference in &self.classes.all[class as usize].references {
                    if let Some(to) = self.target(at + reference.offset as usize) {
                        found(to);
                    }
                }
            }
            Sort::Objects(_) => {
                let (at, count) = self.objects(row).unwrap_or_default();
                for to in (0..count).filter_map(|slot| self.element(at, slot)) {
                    found(to);
                }
            }
            Sort::Class(class) => {
                for of in &self.classes.all[class as usize].statics {
                    if of.ty == super::cursor::OBJECT
                        && let Some(to) = self.target(of.at)
                    {
                        found(to);
                    }
                }
            }
            Sort::Odd(_) | Sort::Numbers(_) | Sort::NumbersWithout(_) => {}
        }
    }
}
