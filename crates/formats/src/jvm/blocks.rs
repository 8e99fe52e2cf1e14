//! The bytes of instances and of arrays of numbers, where the file has them.

use std::borrow::Cow;
use std::sync::Arc;

use deadweight_heap::{Blocks, Endian, ObjectId, Stored};

use super::addresses::Addresses;
use super::cursor::{type_bytes, word};
use super::segments::sub;
use crate::mapped::MappedFile;

pub(super) struct StoredRows {
    pub(super) file: Arc<MappedFile>,
    pub(super) addresses: Addresses,
    pub(super) id_bytes: usize,
}

impl std::fmt::Debug for StoredRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredRows").finish_non_exhaustive()
    }
}

impl Blocks for StoredRows {
    fn any(&self) -> bool {
        false
    }

    fn requested(&self, _: ObjectId) -> Option<u64> {
        None
    }

    fn content(&self, _: ObjectId) -> Option<Cow<'_, [u8]>> {
        None
    }

    fn stored(&self, object: ObjectId) -> Option<Stored<'_>> {
        if object as usize >= self.addresses.len() {
            return None;
        }
        let (bytes, id): (&[u8], _) = (&self.file, self.id_bytes);
        let at = self.addresses.at(object);
        let u4 = |at: usize| Some(word(bytes.get(at..at + 4)?) as usize);
        let (start, length) = match *bytes.get(at)? {
            sub::INSTANCE => (at + 9 + 2 * id, u4(at + 5 + 2 * id)?),
            sub::NUMBERS => {
                let each = type_bytes(*bytes.get(at + 9 + id)?, id)?;
                (at + 10 + id, u4(at + 5 + id)?.checked_mul(each)?)
            }
            _ => return None,
        };
        Some(Stored {
            bytes: Cow::Borrowed(bytes.get(start..start.checked_add(length)?)?),
            endian: Endian::Big,
            reference: id as u8,
        })
    }

    fn address(&self, object: ObjectId) -> Option<u64> {
        if object as usize >= self.addresses.len() {
            return None;
        }
        let at = self.addresses.at(object) + 1;
        Some(word(self.file.get(at..at + self.id_bytes)?))
    }

    fn locate(&self, address: u64) -> Option<(ObjectId, u64)> {
        Some((self.addresses.row(address)?, 0))
    }

    fn is_address(&self, word: u64) -> bool {
        self.addresses.row(word).is_some()
    }
}
