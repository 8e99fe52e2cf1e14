//! What tests say of the classes of a heap: which are of the library, and what their objects are.

use super::HeapBuilder;
use crate::{Contents, Implementation, Makes, OfLibrary, Relatives, StandIn};

impl HeapBuilder {
    fn of_library(&mut self, class: &str, of: OfLibrary) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_library(id, of);
        self
    }

    /// Says what a record can have itself in place of an object of a class.
    pub fn stand_in(&mut self, class: &str, stand_in: StandIn) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_stand_in(id, stand_in);
        self
    }

    /// Says which field of tables of a class has what makes the values of absent keys.
    pub fn default_field(&mut self, class: &str, field: &str) -> &mut Self {
        let field = self.text(field);
        let id = self.parts.types.named(class);
        self.parts.types.note_default(id, field);
        self
    }

    /// Makes a class one of the library's containers, with its entries in what these fields have; it makes all containers
    /// that its records have.
    pub fn library_holds(&mut self, class: &str, fields: &[&str]) -> &mut Self {
        let fields = fields.iter().map(|field| self.text(field)).collect();
        let id = self.parts.types.named(class);
        let contents = Contents {
            fields,
            is_piece: false,
        };
        self.parts.types.note_contents(id, contents);
        let of = OfLibrary {
            whole: true,
            closed: true,
            makes: Makes {
                empty: true,
                containers: true,
                ..Makes::default()
            },
            ..OfLibrary::default()
        };
        self.of_library(class, of)
    }

    /// Says that dates of a class are spans of time.
    pub fn spans(&mut self, class: &str) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_span(id);
        self
    }

    /// Says that arrays of a class drop their first element when they get too long.
    pub fn bounded(&mut self, class: &str) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_bounded(id);
        self
    }

    /// Says how records of a class are kept once it says which fields they have.
    pub fn closes_as(&mut self, class: &str, implementation: Implementation) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_closed(id, implementation);
        self
    }

    /// Says which other classes a class changes with once it says which fields its records have.
    pub fn relatives(&mut self, class: &str, relatives: Relatives) -> &mut Self {
        let id = self.parts.types.named(class);
        self.parts.types.note_relatives(id, relatives);
        self
    }

    /// Says which class is of the runtime's own library, or which of a class's fields its code fills.
    pub fn library(&mut self, class: &str, whole: bool, fields: &[&str]) -> &mut Self {
        let fields = fields.iter().map(|field| self.text(field)).collect();
        let of = OfLibrary {
            whole,
            fields,
            closed: whole,
            ..OfLibrary::default()
        };
        self.of_library(class, of)
    }

    /// A class of the library whose objects copy what they are handed into containers of their own.
    pub fn library_copies(&mut self, class: &str) -> &mut Self {
        let makes = Makes {
            containers: true,
            ..Makes::default()
        };
        let of = OfLibrary {
            makes,
            ..OfLibrary::default()
        };
        self.of_library(class, of)
    }

    /// Makes a class one of the library's that makes the empty containers and the buffers in its fields itself.
    pub fn library_makes(&mut self, class: &str) -> &mut Self {
        let of = OfLibrary {
            closed: true,
            makes: Makes {
                empty: true,
                buffers: true,
                ..Makes::default()
            },
            ..OfLibrary::default()
        };
        self.of_library(class, of)
    }
}
