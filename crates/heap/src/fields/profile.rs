//! What stands in one field of all records of a type.

use std::sync::Arc;

use super::text_forms::{TextForms, whole};
use super::words::{Word, Words};
use super::{FieldTally, Population, absent};
use crate::{Edge, Heap, Kind, Number, Numeric, ObjectId, Record, TextId, TypeId};

/// Types of fewer records show no pattern, and have no profile.
const LEAST: u32 = 16;

/// What stands in one field of all records of a type.
#[derive(Clone, Debug)]
pub struct FieldProfile {
    /// Records that have the field.
    pub records: u32,
    /// Of those, records that keep their fields in a hash table.
    pub in_dictionaries: u32,
    /// Absent values: `null`, `nil`.
    pub nothing: u32,
    /// Truth values.
    pub truths: u32,
    /// Numbers, whether or not they have a box.
    pub numbers: u32,
    /// Numbers in boxes.
    pub boxes: u32,
    /// Of those, numbers whose value the dump does not have.
    pub unknown_boxes: u32,
    /// Date objects.
    pub dates: u32,
    /// Whether every number and date is known and whole.
    pub whole: bool,
    /// The least number or date; unknown when none is known.
    pub least: Numeric,
    /// The largest number or date; unknown when none is known.
    pub most: Numeric,
    /// Strings.
    pub strings: u32,
    /// Of those, strings whose whole text the dump has.
    pub texts: u32,
    /// Forms that every value has. None when a value is no text, unless it is absent.
    pub forms: TextForms,
    /// Bytes of each text that is an id; ids of several lengths have no form in common.
    pub id_length: usize,
    /// The least of the texts that are whole numbers.
    pub least_text: Numeric,
    /// The largest of the texts that are whole numbers.
    pub most_text: Numeric,
    /// All other values.
    pub others: u32,
    /// The value that all records have, if there is one.
    pub value: OneValue,
    /// Whether some id has capital letters.
    pub upper: bool,
    /// Whether some id has small letters.
    pub lower: bool,
}

/// Whether all records of a type have one value in a field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum OneValue {
    /// No record was seen.
    #[default]
    Unseen,
    /// They have, and this is the lowest row that holds it.
    Same(FieldValue, ObjectId),
    /// They have not.
    Several,
}

/// A value that fields can have in common: equal text and equal numbers are equal, whichever rows hold them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue {
    /// A row of which no value is known.
    Row(ObjectId),
    /// A text.
    Text(TextId),
    /// A number.
    Number(Numeric),
}

/// The profiles of all fields of types with at least 16 records.
#[derive(Debug)]
pub struct FieldProfiles(Vec<((TypeId, TextId), FieldProfile)>);

impl FieldProfiles {
    /// All profiles in the order of type and field.
    pub fn iter(&self) -> impl Iterator<Item = &((TypeId, TextId), FieldProfile)> {
        self.0.iter()
    }

    /// The profiles of the fields of one type.
    #[must_use]
    pub fn of_type(&self, ty: TypeId) -> &[((TypeId, TextId), FieldProfile)] {
        let start = self.0.partition_point(|((of, _), _)| *of < ty);
        let len = self.0[start..].partition_point(|((of, _), _)| *of == ty);
        &self.0[start..start + len]
    }
}

impl Heap {
    /// What stands in each field of each type of many records: found out once, in one pass on all threads.
    #[must_use]
    pub fn field_profiles(&self) -> Arc<FieldProfiles> {
        self.shared.get(|| FieldProfiles::of(self, &self.population()))
    }
}

impl FieldProfiles {
    fn of(heap: &Heap, population: &Population) -> Self {
        let words = Words::of(heap);
        let new = |_, _| Some(FieldProfile::default());
        let wanted = |ty| population.count(ty) >= LEAST;
        let mut profiles = heap.tally_fields(new, wanted, |profile, record, edge| {
            profile.see(heap, &words, record, edge);
        });
        absent::add(heap, population, LEAST, &mut profiles);
        Self(profiles)
    }
}

impl Default for FieldProfile {
    fn default() -> Self {
        Self {
            records: 0,
            in_dictionaries: 0,
            nothing: 0,
            truths: 0,
            numbers: 0,
            boxes: 0,
            unknown_boxes: 0,
            dates: 0,
            whole: true,
            least: Numeric::Unknown,
            most: Numeric::Unknown,
            strings: 0,
            texts: 0,
            forms: TextForms::ALL,
            id_length: 0,
            least_text: Numeric::Unknown,
            most_text: Numeric::Unknown,
            others: 0,
            value: OneValue::Unseen,
            upper: false,
            lower: false,
        }
    }
}

impl FieldTally for FieldProfile {
    fn merge(&mut self, other: Self) {
        self.records += other.records;
        self.in_dictionaries += other.in_dictionaries;
        self.nothing += other.nothing;
        self.truths += other.truths;
        self.numbers += other.numbers;
        self.boxes += other.boxes;
        self.unknown_boxes += other.unknown_boxes;
        self.dates += other.dates;
        self.whole &= other.whole;
        self.least = self.least.lesser(other.least);
        self.most = self.most.larger(other.most);
        self.strings += other.strings;
        self.texts += other.texts;
        self.forms = self.forms.and(other.forms);
        self.least_text = self.least_text.lesser(other.least_text);
        self.most_text = self.most_text.larger(other.most_text);
        self.others += other.others;
        self.upper |= other.upper;
        self.lower |= other.lower;
        self.one_length(other.id_length);
        self.one_case();
        match other.value {
            OneValue::Unseen => {}
            OneValue::Same(value, row) => self.one_value(value, row),
            OneValue::Several => self.value = OneValue::Several,
        }
    }
}

impl FieldProfile {
    /// That of records which have nothing in a declared field. Those that have something there have another value.
    pub(super) fn absent(records: u32) -> Self {
        Self {
            records,
            nothing: records,
            value: OneValue::Several,
            ..Self::default()
        }
    }

    fn see(&mut self, heap: &Heap, words: &Words, record: &Record, edge: Edge) {
        let id = edge.to;
        self.records += 1;
        self.in_dictionaries += u32::from(record.dictionary > 0);
        // Of most rows their kind is all that is looked at.
        match heap.kind(id) {
            Kind::String => self.string(heap, id),
            Kind::Number | Kind::Date => self.number_or_date(heap, id),
            Kind::Runtime | Kind::Opaque => {
                match words.word(heap, id) {
                    Word::Nothing => self.nothing += 1,
                    Word::Truth => (self.truths, self.forms) = (self.truths + 1, TextForms::NONE),
                    Word::Other => self.other(),
                }
                self.one_value(FieldValue::Row(id), id);
            }
            _ => {
                self.other();
                self.one_value(FieldValue::Row(id), id);
            }
        }
    }

    fn other(&mut self) {
        self.others += 1;
        self.forms = TextForms::NONE;
    }

    fn string(&mut self, heap: &Heap, id: ObjectId) {
        self.strings += 1;
        if !heap.is_plain_text(id) {
            self.other();
            self.one_value(FieldValue::Row(id), id);
            return;
        }
        self.texts += 1;
        // A field of many texts that have no form is soon known for what it is.
        if self.forms == TextForms::NONE && self.value == OneValue::Several {
            return;
        }
        let text = heap.objects.label[id as usize];
        self.one_value(FieldValue::Text(text), id);
        if self.forms != TextForms::NONE {
            self.text(heap.texts.raw(text));
        }
    }

    fn number_or_date(&mut self, heap: &Heap, id: ObjectId) {
        let number = heap.number(id).map(Number::value);
        let moment = heap.date(id).map(|date| Numeric::of_float(date.value));
        // What no slot of a number has room for is an object like others.
        let Some(value) = number
            .or(moment)
            .filter(|value| !matches!(value, Numeric::Beyond(_)))
        else {
            self.other();
            self.one_value(FieldValue::Row(id), id);
            return;
        };
        self.forms = TextForms::NONE;
        if number.is_some() {
            self.numbers += 1;
            if heap.bytes(id) > 0 {
                self.boxes += 1;
                self.unknown_boxes += u32::from(!value.is_known());
            }
        } else {
            self.dates += 1;
        }
        let nearest = value.nearest();
        self.whole &= nearest.is_finite() && nearest.fract() == 0.0;
        self.least = self.least.lesser(value);
        self.most = self.most.larger(value);
        let known = number.filter(|number| number.is_known());
        self.one_value(known.map_or(FieldValue::Row(id), FieldValue::Number), id);
    }

    fn text(&mut self, text: &[u8]) {
        self.forms = self.forms.and(TextForms::of(text));
        if self.forms.has(TextForms::WHOLE)
            && let Some(value) = whole(text)
        {
            self.least_text = self.least_text.lesser(Numeric::Integer(value));
            self.most_text = self.most_text.larger(Numeric::Integer(value));
        }
        if self.forms.has(TextForms::ID) {
            self.upper |= text.iter().any(u8::is_ascii_uppercase);
            self.lower |= text.iter().any(u8::is_ascii_lowercase);
            self.one_length(text.len());
            self.one_case();
        }
    }

    /// Ids of several lengths do not fit one number of fields.
    fn one_length(&mut self, length: usize) {
        if self.id_length == 0 {
            self.id_length = length;
        } else if length != 0 && length != self.id_length {
            self.forms = self.forms.without(TextForms::ID);
        }
    }

    /// Bytes do not remember which letters were capital.
    fn one_case(&mut self) {
        if self.upper && self.lower {
            self.forms = self.forms.without(TextForms::ID);
        }
    }

    fn one_value(&mut self, value: FieldValue, row: ObjectId) {
        self.value = match self.value {
            OneValue::Unseen => OneValue::Same(value, row),
            OneValue::Same(known, lowest) if known == value => OneValue::Same(known, lowest.min(row)),
            OneValue::Same(..) | OneValue::Several => OneValue::Several,
        };
    }
}

#[cfg(test)]
mod tests;
