//! What the records of each type have in each of their fields.

mod absent;
mod population;
mod profile;
mod sweep;
mod text_forms;
mod words;

pub use population::Population;
pub use profile::{FieldProfile, FieldProfiles, FieldValue, OneValue};
pub use sweep::FieldTally;
pub use text_forms::TextForms;

use crate::{EdgeKind, Flags, Heap, Kind, ObjectId, Record, TextId, TypeId};

impl Heap {
    /// The type of a record that the program holds; `None` for any other row.
    #[must_use]
    #[inline]
    pub fn record_type(&self, record: &Record) -> Option<TypeId> {
        let id = record.object;
        let is_record = self.objects.kind.get(id as usize) == Some(&Kind::Record) && self.in_program(id);
        is_record.then(|| self.objects.label[id as usize])
    }

    /// Whether a row is a string whose whole text the dump has, in one piece.
    #[must_use]
    #[inline]
    pub fn is_plain_text(&self, id: ObjectId) -> bool {
        self.objects.has(id, Flags::FLAT) && !self.objects.has(id, Flags::INCOMPLETE)
    }

    /// The type and the field of a record that name a row.
    #[must_use]
    pub fn naming_field(&self, id: ObjectId) -> Option<(TypeId, TextId)> {
        let referrer = self.referrers.of(id);
        let (from, via) = referrer.filter(|(_, via)| via.kind() == EdgeKind::Field)?;
        (self.kind(from) == Kind::Record).then(|| (self.objects.label[from as usize], via.name()))
    }
}
