//! Strings in each of their forms.

use crate::{
    BuilderLayout, EdgeKind, Flags, HeapBuilder, Kind, Layout, ObjectId, StringForm, StringLength,
    StringRoom, Width,
};

impl HeapBuilder {
    /// A flat string of 16 bytes and one byte a character, rounded up to 8.
    pub fn string(&mut self, text: &str) -> ObjectId {
        let label = self.text(text);
        let bytes = BuilderLayout.string(text.chars().count() as u64, Width::One);
        let id = self.row(Kind::String, label, bytes);
        self.fact(id, StringForm::Flat as usize);
        id
    }

    /// Says that a row is the runtime's own table of texts, and that these are in it.
    pub fn interned(&mut self, table: ObjectId, texts: &[&str]) -> &mut Self {
        let texts = texts.iter().map(|text| self.text(text)).collect();
        self.interned = Some((table, texts));
        self
    }

    /// A flat string with room for `capacity` characters.
    pub fn roomy_string(&mut self, text: &str, capacity: u32) -> ObjectId {
        let label = self.text(text);
        let id = self.row(
            Kind::String,
            label,
            BuilderLayout.string(u64::from(capacity), Width::One),
        );
        self.fact(id, StringForm::Flat as usize);
        self.parts.string_rooms.push(StringRoom {
            object: id,
            object_bytes: 16,
            used: text.chars().count() as u32,
            capacity,
            width: Width::One,
        });
        id
    }

    /// Two strings joined, 32 bytes, whose text the dump shows only in pieces.
    pub fn rope(&mut self, first: ObjectId, second: ObjectId) -> ObjectId {
        let id = self.joined("", first, second);
        self.flag(id, Flags::INCOMPLETE);
        id
    }

    /// Makes the text of a string one that a recorder knows to differ from others.
    pub fn shown(&mut self, string: ObjectId) -> &mut Self {
        let text = self.parts.texts.add("");
        self.parts.objects.label[string as usize] = text;
        self.parts.objects.flags[string as usize] = Flags::default();
        self
    }

    /// Makes the text of a string that of another.
    pub fn shown_as(&mut self, string: ObjectId, other: ObjectId) -> &mut Self {
        self.parts.objects.label[string as usize] = self.parts.objects.label[other as usize];
        self.parts.objects.flags[string as usize] = Flags::default();
        self
    }

    /// A joined string that was flattened, 32 bytes, with its flat text and an empty one behind it.
    pub fn flattened(&mut self, text: &str, empty: ObjectId) -> ObjectId {
        let flat = self.string(text);
        self.joined(text, flat, empty)
    }

    fn joined(&mut self, text: &str, first: ObjectId, second: ObjectId) -> ObjectId {
        let label = self.text(text);
        let id = self.row(Kind::String, label, 32);
        self.fact(id, StringForm::Rope as usize);
        self.edge(id, EdgeKind::Internal, 0, first)
            .edge(id, EdgeKind::Internal, 1, second);
        id
    }

    /// A window on a string, 32 bytes.
    pub fn slice(&mut self, of: ObjectId, text: &str) -> ObjectId {
        let label = self.text(text);
        let id = self.row(Kind::String, label, 32);
        self.fact(id, StringForm::Slice as usize);
        self.edge(id, EdgeKind::Internal, 0, of);
        id
    }

    /// A window on a string. The dump shows none of its `units` characters.
    pub fn slice_of_length(&mut self, of: ObjectId, units: u32, width: Width) -> ObjectId {
        let object = self.slice(of, "");
        self.flag(object, Flags::INCOMPLETE).length(object, units, width);
        object
    }

    /// Says how long a string is whose text the dump does not show. Strings must be announced in the order they were made.
    pub fn length(&mut self, object: ObjectId, units: u32, width: Width) -> &mut Self {
        self.parts.lengths.push(StringLength { object, units, width });
        self
    }
}
